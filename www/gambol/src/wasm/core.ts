// The module as this package uses it. wasm-bindgen declares its classes (`pkg/module.d.ts`, from the doc comments of `src/web`); here
// are short names for them, and the few shapes that are the package's own.
//
// Lists of numbers that are handed over are typed arrays that the package made itself, never a page's: the glue reads the `length` of
// a list more than once, and a list that grows in between would be written past the end of its memory. Names that are handed over are
// checked to be strings, for the same reason.

import type { GambolError } from '../base/errors.ts';
import type { Exports } from '../pkg/glue.js';
import type { Asset, Camera, Context, Crowds, Events, Hdr, Import, Joints, Layers, Lighting, Mirror, Playback, Query, Sampler, Stage, StageEventType } from '../pkg/module.d.ts';

export type { BlockFormat, BufferRequest, DracoRequest, Hit, ImageInfo, ModelDescription, StepResult, StageEventType } from '../pkg/module.d.ts';
export type CoreAsset = Asset;
export type CoreContext = Context;
export type CoreHdr = Hdr;
export type CoreImport = Import;
export type CoreQuery = Query;
export type CoreSampler = Sampler;

/** The objects that work on a stage, by topic. Only `query` and `events` read, and change nothing. */
export interface Topics {
  readonly playback: Playback;
  readonly layers: Layers;
  readonly joints: Joints;
  readonly camera: Camera;
  readonly lighting: Lighting;
  readonly crowds: Crowds;
  readonly mirror: Mirror;
  readonly query: Query;
  readonly events: Events;
}

/** A stage with its topics, which are freed with it. */
export type CoreStage = Stage & Topics;

/** An instance of the module. */
export interface Core extends Omit<Exports, 'Stage'> {
  openStage(context: CoreContext, cpuSkinning: boolean): CoreStage;
  /** Calls the listener once should the instance stop: everything else throws `wasm/panic` from then on. Returns how to take it back. */
  onPanic(listener: (error: GambolError) => void): () => void;
  /** Loads and starts the rest of the module, see `rest.ts`. @throws {@link GambolError} `load/chunk`; the next call tries again. */
  loadRest(): Promise<void>;
  /** `true` once the rest has started. */
  isComplete(): boolean;
}

/** An event of a stage, as {@link Events} tells it. */
export interface StageEvent {
  readonly actor: number;
  /** 0 is the base, others are layers. */
  readonly track: number;
  readonly playback: number;
  readonly type: StageEventType;
  readonly time: number;
  readonly skipped: number;
  /** Of a `loop`. */
  readonly iteration: number;
  /** Of a `clipchange`: the indices of the clips; -1 for none. */
  readonly from: number;
  readonly to: number;
  /** Of a `marker`. */
  readonly name: string;
}

/** A clip or a blend space to be played, as {@link Playback.transitionTo} and {@link Layers.add} take it. */
export type SourceNumbers = readonly [clips: Uint32Array, space: Float32Array, inStep: 'phase' | 'marker'];

/** Advances a stage to the page's clock and draws if anything changed; whether to call again. */
export function ticked(stage: CoreStage, now: number): boolean {
  const goesOn = stage.tick(now);
  if (goesOn === undefined) stage.fail();
  return goesOn === true;
}

/** `true` if the box of an actor's pose is in `measured` of the stage now. */
export function measured({ query }: CoreStage, actor: number): boolean {
  const shown = query.measure(actor);
  if (shown === undefined) query.fail();
  return shown === true;
}

/** No numbers. */
export const NOTHING: Float64Array = new Float64Array();
