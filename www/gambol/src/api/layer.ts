// A layer: a clip that overrides, is averaged with, or is added to the clip that a performer plays.

import type { BlendSpace, PlaySource } from './blend-space.ts';
import type { Clip } from '../values/clips.ts';
import type { CoreLayer, CoreMask, CoreStage, Reference, Source, StageEvent, Transition } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { GambolError } from '../base/errors.ts';
import {
  LAYER_OPTIONS,
  PLAY_OPTIONS,
  checkedMask,
  checkedOptions,
  checkedSeconds,
  checkedSync,
  checkedText,
  layerWeight,
  type LayerMode,
  type LayerOptions,
  type LayerReference,
  type Mask,
  type PlayOptions,
} from '../values/options.ts';
import type { Deferred } from '../base/deferred.ts';
import type { Playback } from './playback.ts';
import { Transport } from './transport.ts';
import type { SyncMode } from '../values/words.ts';

/** The part of a performer that its layers use. @internal */
export interface LayerOwner {
  change(change: (stage: CoreStage, actor: number) => void): void;
  readActor<T>(read: (stage: CoreStage, actor: number) => T, fallback: T): T;
  masked(mask: CoreMask | undefined, act: () => void): void;
  source(source: PlaySource): { readonly animation: Clip | BlendSpace; readonly source: Source };
  reference(reference: LayerReference, of: Clip | BlendSpace): Reference | undefined;
}

/** The transition of a fade; undefined without `seconds`, for the performer's {@link Performer.transition}. */
function fadeOf(seconds: number | undefined): Transition | undefined {
  return seconds === undefined ? undefined : { mode: 'crossfade', duration: checkedSeconds(seconds, 'fade') };
}

/**
 * A clip or a blend space that plays above the performer's own clip and above the layers before it. Made by {@link Layers.add}.
 *
 * It has the same playback controls as a performer, and its own playback events. `marker`, `loop` and `finished` are dispatched
 * on the performer, too, with the layer's name. After {@link Layer.remove} every call throws `layer/removed`.
 * @category Mixing
 */
export class Layer extends Transport {
  /** The name of the layer; unique among the layers of the performer. @category Playback */
  readonly name: string;
  /** The blend mode of the layer. @category Mixing */
  readonly mode: LayerMode;
  /** The synchronisation of the layer with the performer's clip. @category Mixing */
  readonly sync: SyncMode;
  /** The clip of the layer; null if it plays a blend space. @category Playback */
  readonly clip: Clip | null;
  /** The blend space of the layer; null if it plays a clip. @category Mixing */
  readonly blend: BlendSpace | null;
  readonly #performer: LayerOwner;
  readonly #id: number;
  readonly #onRemove: (layer: Layer) => void;
  #weight: number;
  #mask: Mask | null;
  #removed = false;

  /** @internal */
  constructor(
    engine: Engine,
    performer: LayerOwner,
    id: number,
    source: Clip | BlendSpace,
    options: Required<Pick<LayerOptions, 'name' | 'mode' | 'sync' | 'weight' | 'mask'>>,
    removed: (layer: Layer) => void,
  ) {
    super(engine);
    this.#performer = performer;
    this.#id = id;
    this.#onRemove = removed;
    this.name = options.name;
    this.mode = options.mode;
    this.sync = options.sync;
    this.#weight = options.weight;
    this.#mask = options.mask;
    [this.clip, this.blend] = 'id' in source ? [source, null] : [null, source];
  }

  /**
   * Resumes playback, or restarts it if it has finished. A layer starts to play when it is added.
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Playback
   */
  play(options: PlayOptions = {}): Playback {
    checkedOptions(options, PLAY_OPTIONS, 'play()');
    const again = this.ended;
    this.configure(options, !again);
    let playback: Playback | undefined;
    this.changeTrack((stage, actor, track) => {
      const id = again ? stage.playback.replay(actor, track) : stage.playback.play(actor, track);
      playback = this.playbacks.add(id);
      this.playbacks.begin(id);
    });
    return playback ?? this.playbacks.add();
  }

  /**
   * The weight of the layer. During a fade it is the weight at the end of the fade. Setting it changes the weight without a fade.
   *
   * | mode | range | meaning |
   * |---|---|---|
   * | `override` | `0..=1` | blend from the layers below (0) to this layer (1) |
   * | `average` | at least 0 | share of the average, in which the performer's own clip has weight 1 |
   * | `additive` | any number | factor on the difference to the reference pose |
   *
   * Throws `argument/invalid` for a weight outside the range.
   * @category Mixing
   */
  get weight(): number {
    return this.#weight;
  }

  set weight(weight: number) {
    this.#setWeight(weight, { mode: 'cut', duration: 0 });
  }

  /**
   * Fades to another {@link Layer.weight} over `seconds`, at least 0, which count only while anything of the performer moves.
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Mixing
   */
  fadeTo(weight: number, seconds: number): void {
    this.#setWeight(weight, { mode: 'crossfade', duration: checkedSeconds(seconds, 'seconds') });
  }

  /**
   * The mask of the layer, in the form in which it was set; null for all joints. Throws `mask/no-such-joint` if a pattern matches
   * none.
   * @category Mixing
   */
  get mask(): Mask | null {
    return this.#mask;
  }

  set mask(mask: Mask | null) {
    const checked = checkedMask(mask);
    this.#performer.masked(checked, () =>
      this.changeTrack(({ layers }, actor, track) => layers.setMask(actor, track, checked)),
    );
    this.#mask = mask;
  }

  /**
   * Removes the layer after a fade of `fade` seconds (0: immediately). Default: the performer's {@link Performer.transition}.
   * @category Viewers and actors
   */
  remove(options: { readonly fade?: number } = {}): void {
    checkedOptions(options, ['fade'], 'remove()');
    const fade = fadeOf(options.fade);
    if (this.#removed) return;
    this.changeTrack(({ layers }, actor, track) => layers.remove(actor, track, fade));
    this.end('Playback aborted: the layer was removed.');
  }

  /** Marks the layer as removed and rejects its playbacks. @internal */
  end(reason: string): void {
    this.#removed = true;
    this.abortPlaying(reason);
    this.#onRemove(this);
  }

  /** @internal */
  get id(): number {
    return this.#id;
  }

  /** Applies the playback options of {@link Layers.add}. @internal */
  begin(options: PlayOptions): void {
    this.setDefaults(options);
  }

  /** @internal */
  drawn(waiting: Deferred[]): void {
    this.playbacks.takeStarting(waiting);
  }

  /** Changes the value of the layer's blend space. @internal */
  moveBlend(x: number, y: number, transition: Transition): void {
    this.changeTrack(({ layers }, actor, track) => layers.setBlendPosition(actor, track, x, y, transition));
  }

  /** @internal */
  override stageEvent(event: StageEvent): void {
    super.stageEvent(event);
    if (event.type === 'finished') this.send('ended', { time: event.time, ...this.layerDetail() });
  }

  /** @internal */
  protected override layerDetail(): { readonly layer: string } {
    return { layer: this.name };
  }

  /** @internal */
  protected override sentClip(): string | null {
    return this.clip?.id ?? null;
  }

  /** @internal */
  protected override changeTrack(change: (stage: CoreStage, actor: number, track: number) => void): void {
    if (this.#removed)
      throw new GambolError('layer/removed', `The layer “${this.name}” was removed. Add it again with layers.add().`);
    this.#performer.change((stage, actor) => change(stage, actor, this.#id));
  }

  /** @internal */
  protected override readTrack<T>(read: (stage: CoreStage, actor: number, track: number) => T, fallback: T): T {
    return this.#removed
      ? fallback
      : this.#performer.readActor((stage, actor) => read(stage, actor, this.#id), fallback);
  }

  #setWeight(weight: number, fade: Transition): void {
    layerWeight(weight, this.mode);
    this.changeTrack(({ layers }, actor, track) => layers.setWeight(actor, track, weight, fade));
    this.#weight = weight;
  }
}

/**
 * Adds a layer to the stage, above the others; see {@link Layers.add}. `exists` tells if there is a layer of a name; `removed` is
 * called when the layer is removed.
 *
 * @internal
 */
export function addedLayer(
  engine: Engine,
  performer: LayerOwner,
  exists: (name: string) => boolean,
  source: PlaySource,
  options: LayerOptions,
  removed: (layer: Layer) => void,
): Layer {
  checkedOptions(options, LAYER_OPTIONS, 'layers.add()');
  const { animation, source: played } = performer.source(source);
  const mode = options.mode ?? 'override';
  const name = checkedText(options.name ?? freeName(exists, 'id' in animation ? animation.id : 'blend'), 'name');
  if (exists(name))
    throw new GambolError(
      'argument/invalid',
      `A layer “${name}” exists already. Use another name, or remove it first.`,
    );
  const weight = layerWeight(options.weight ?? 1, mode);
  const sync = checkedSync(options.sync ?? 'none');
  const mask = options.mask ?? null;
  const layer: CoreLayer = {
    source: played,
    mode,
    reference: performer.reference(options.reference ?? 'rest', animation),
    mask: checkedMask(mask),
    weight,
    sync,
    fade: fadeOf(options.fade),
  };
  let id = 0;
  performer.masked(layer.mask, () =>
    performer.change(({ layers }, actor) => {
      id = layers.add(actor, layer);
    }),
  );
  return new Layer(engine, performer, id, animation, { name, mode, sync, weight, mask }, removed);
}

function freeName(exists: (name: string) => boolean, name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}~${n}`;
    if (!exists(free)) return free;
  }
}
