// The types of the WebAssembly module. wasm-bindgen declares its classes (`pkg/module.d.ts`, from the doc comments of `src/web`);
// here are short names for them, and the types that only the package has.
//
// Lists of numbers that are passed to the module must be typed arrays of the package, never those of a page. The glue reads the
// `length` of a list more than once, so a list that grows in between would be written past the end of its memory. For the same
// reason, names must be checked to be strings.

import type { GambolError } from '../base/errors.ts';
import type { FeatureName } from '../values/words.ts';
import type { Exports } from '../pkg/glue.js';
import type {
  Asset,
  Camera,
  Context,
  Crowds,
  CubeFaces,
  Events,
  Hdr,
  Import,
  Joints,
  Layers,
  Lighting,
  Mirror,
  Playback,
  Query,
  Sampler,
  Stage,
  StageEventType,
} from '../pkg/module.d.ts';

export type {
  BlockFormat,
  BufferRequest,
  ChainLimit as CoreLimit,
  ClipSetup as CoreClipSetup,
  DebugOptions as CoreDebug,
  DracoRequest,
  GazeOptions,
  Hit,
  ImageInfo,
  ImageLightInfo,
  Light,
  MeshLevel,
  ModelDescription,
  PrimitiveGeometry,
  RetargetDescription,
  Source,
  SpringOptions as CoreSprings,
  LayerOptions as CoreLayer,
  Mask as CoreMask,
  Reference,
  RootMotionOptions as CoreRootMotion,
  RetargetOptions as CoreRetarget,
  SnapshotDescription,
  StillOptions as CoreStill,
  StatesDescription,
  StatesNow,
  TextureOptions as CoreTexture,
  Transition,
  StepResult,
  StageEventType,
} from '../pkg/module.d.ts';
export type CoreAsset = Asset;
export type CoreContext = Context;
export type CoreCubeFaces = CubeFaces;
export type CoreHdr = Hdr;
export type CoreImport = Import;
export type CoreQuery = Query;
export type CoreSampler = Sampler;

/** The classes of a stage's methods, by topic. `query` and `events` only read the stage. */
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
  /**
   * Calls the listener once if the instance stops; all calls throw `wasm/panic` afterwards. Returns a function that removes it.
   */
  onPanic(listener: (error: GambolError) => void): () => void;
  /** The features that run, with their modules. */
  readonly features: ReadonlyMap<FeatureName, FeatureModules>;
  /**
   * Loads and starts features, each once for all callers. If one fails, the others run.
   * @throws {@link GambolError} `load/chunk`; the next call tries again.
   */
  loadFeatures(names: readonly FeatureName[]): Promise<void>;
  /** Loads and starts the features that the next step of an import needs; returns them. @throws {@link GambolError} `load/chunk` */
  loadNeeds(pending: CoreImport): Promise<readonly FeatureName[]>;
  /** Starts features from compiled modules, synchronously: a worker keeps the order of its calls so. Those that run are left out. */
  startFeatures(modules: FeatureModules): void;
  /** Calls the listener with the modules of each feature that starts, in the same task; returns a function that removes it. */
  onFeature(listener: (modules: FeatureModules) => void): () => void;
}

/** The module of a feature, or that of what several features share. */
export type ModuleName = FeatureName | 'humanoid';

/** The compiled modules of features, in the order in which they are instantiated. */
export type FeatureModules = readonly (readonly [name: ModuleName, module: WebAssembly.Module])[];

/** An event of a stage, read from {@link Events}. */
export interface StageEvent {
  readonly actor: number;
  /** The track: 0 is the base, others are layers. */
  readonly track: number;
  readonly playback: number;
  readonly type: StageEventType;
  readonly time: number;
  readonly skipped: number;
  /** The iteration, for `loop`. */
  readonly iteration: number;
  /** The indices of the clips, for `clipchange`; -1 for none. */
  readonly from: number;
  readonly to: number;
  /** The name, for `marker`. */
  readonly name: string;
}

/** Advances a stage to the page's clock and draws if anything has changed; returns `true` if another frame is needed. */
export function ticked(stage: CoreStage, now: number): boolean {
  const goesOn = stage.tick(now);
  if (goesOn === undefined) stage.fail();
  return goesOn === true;
}

/** Measures the box of an actor's pose into `measured` of the stage; returns `false` if there is none. */
export function measured({ query }: CoreStage, actor: number): boolean {
  const shown = query.measure(actor);
  if (shown === undefined) query.fail();
  return shown === true;
}

/** An empty array. */
export const NOTHING: Float64Array = new Float64Array();
