// Performer: the common base of a viewer and of its further actors.

import { BlendSpace, type BlendSpaceOptions, type PlaySource } from './blend-space.ts';
import { findClip, markerList, type Clip, type ClipRef, type Marker } from '../values/clips.ts';
import {
  NOTHING,
  type CoreMask,
  type CoreStage,
  type Reference,
  type Source,
  type StageEvent,
  type Transition,
} from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { GambolError, asGambolError, type Warning } from '../base/errors.ts';
import type * as Exports from './export.ts';
import type { ExportOptions, ExportUsdzOptions, ExportedUsdz, ObjFiles, ObjOptions } from './export.ts';
import type { Expression } from './expression.ts';
import type { BlinkOptions, ExpressionOptions, GlanceOptions } from '../values/expressions.ts';
import { isUsed, loadScript, scriptOf } from './features.ts';
import { Joint, type JointFollower } from './joint.ts';
import { Layers } from './layers.ts';
import { Material } from './material.ts';
import type { MaterialRef } from './material-owner.ts';
import type { MaterialValues } from '../values/materials.ts';
import { Morph } from './morph.ts';
import { NO_WARNINGS, noModel, type JointInfo, type Model, type ModelInfo } from '../load/model.ts';
import type { ClipChange } from '../load/clip-list.ts';
import { choices } from '../base/suggestions.ts';
import { lazily } from '../base/lazily.ts';
import { allSettled } from '../base/settled.ts';
import {
  PERFORM_OPTIONS,
  TRANSITION_OPTIONS,
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedPlaying,
  checkedSeconds,
  checkedSync,
  checkedText,
  checkedTransition,
  checkedWord,
  type LayerReference,
  type PerformOptions,
  type TransitionToOptions,
} from '../values/options.ts';
import type { Deferred } from '../base/deferred.ts';
import type { Playback } from './playback.ts';
import type { FeetOptions } from '../values/procedural.ts';
import {
  PLACE_NAMES,
  cornersOf,
  movedPlace,
  numbers as vectorNumbers,
  placeNumbers,
  vectorAt,
  type JointRef,
  type Place,
  type Surface,
  type Vector,
} from '../values/transforms.ts';
import type { ClipTravel, RootMotionOptions, Travel } from '../values/root-motion.ts';
import type { States, StatesOptions, StatesSource } from './states.ts';
import { Transport } from './transport.ts';
import { warn } from '../base/warn.ts';
import { ROOT_MOTIONS, type RootMotion, type SyncMode, type TransitionMode } from '../values/words.ts';
import { shown } from '../base/shown.ts';

/** The track of the performer's own clip, below all layers. */
const BASE = 0;

function isSource(value: PlaySource | PerformOptions | undefined): value is PlaySource {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    value instanceof BlendSpace ||
    (typeof value === 'object' && (value as object | null) !== null && 'id' in value)
  );
}

/** The checked options of a start. `mode` is another name of `transition`. */
function started(options: TransitionToOptions, known: readonly string[], call: string): PerformOptions {
  checkedOptions(options, known, call);
  const { mode, transition = mode, transitionDuration, loopMode, repetitions, playbackRate } = options;
  return {
    ...(transition !== undefined && { transition: checkedTransition(transition) }),
    ...(transitionDuration !== undefined && {
      transitionDuration: checkedSeconds(transitionDuration, 'transitionDuration'),
    }),
    ...(loopMode !== undefined && { loopMode }),
    ...(repetitions !== undefined && { repetitions }),
    ...(playbackRate !== undefined && { playbackRate }),
  };
}

/** The arguments of a `play()` or `transitionTo()`. */
interface Start extends PerformOptions {
  readonly source: PlaySource | undefined;
  /** `true` to start a source from its beginning even if it is playing. */
  readonly restart?: boolean;
  readonly sync?: SyncMode;
  readonly at?: number | undefined;
}

/** A variant of the page: changes of materials. */
type OwnVariant = readonly (readonly [material: Material, values: MaterialValues])[];

/**
 * A model on stage that plays clips: a {@link Viewer}'s own model, or an {@link Actor}.
 *
 * Times are seconds of the clip, angles radians, lengths metres. Calls are synchronous: a property read after a call has its new
 * value. Events are dispatched before the call that caused them returns.
 * @category Viewers and actors
 */
export abstract class Performer extends Transport {
  /** The layers above the clip. A new model begins without layers. @category Mixing */
  readonly layers: Layers;
  readonly #jointFollowers = new Set<JointFollower>();
  /** The actor id on stage; undefined without a model. */
  #actor: number | undefined;
  #model: Model | null = null;
  /** The clips of the model, with the markers of {@link setMarkers}. */
  #clips: readonly Clip[] = [];
  #endListening: () => void = () => undefined;
  /** A remembered `play()` for a model that is loading. */
  #intent: Start | undefined;
  #blend: BlendSpace | null = null;
  /** The variants of the page, the one that is shown, and their model. */
  #variant: { readonly model: Model | null; shown: string | null; readonly own: Map<string, OwnVariant> } = {
    model: null,
    shown: null,
    own: new Map(),
  };
  /** The id of the clip after the last delivered `clipchange`. */
  #sentClip: string | null = null;
  #transition: TransitionMode = 'inertial';
  #transitionDuration = 0.3;
  #rootMotion: RootMotion = 'keep';
  /** The place without root motion. @internal */
  protected placed: Place = {};
  /** Returns the current actor id. One function for all followers, so that they can be found by it. */
  readonly #currentActor = (): number | undefined => this.#actor;

  /** @internal */
  constructor(engine: Engine) {
    super(engine);
    this.layers = new Layers(engine, this);
  }

  // ---- the model

  /** The model that is shown, or null. @category Loading and models */
  get model(): Model | null {
    return this.#model;
  }

  /** The clips of the model, see {@link Model.clips}; empty without a model. @category Loading and models */
  get clips(): readonly Clip[] {
    return this.#clips;
  }

  /** Statistics of the model's contents, or null without a model. @category Loading and models */
  get info(): ModelInfo | null {
    return this.#model?.info ?? null;
  }

  /**
   * The names of the model's material variants (KHR_materials_variants), in the order of the file.
   * @category Loading and models
   */
  get variants(): readonly string[] {
    const own = this.#ownVariants();
    return own.size > 0 ? [...(this.#model?.variants ?? []), ...own.keys()] : (this.#model?.variants ?? []);
  }

  /**
   * Adds a variant: a look with changes of materials, by their names or indices, as {@link Material.set} takes them. It can be set as
   * {@link variant}, and ends with the model. A later call with the same name replaces it.
   *
   * ```js
   * await viewer.addVariant('Night', { Body: { baseColor: 'navy' }, Lamp: { emissiveStrength: 5 } });
   * viewer.variant = 'Night';
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if the file has a variant of this name; `material/not-found`, `load/chunk`;
   * `actor/removed` without a model
   * @category Loading and models
   */
  async addVariant(
    name: string,
    materials: Readonly<Record<string, MaterialValues>> | ReadonlyMap<MaterialRef, MaterialValues>,
  ): Promise<void> {
    this.number();
    if (typeof name !== 'string' || name === '')
      throw new GambolError('argument/invalid', `The name of a variant must be a text, not ${shown(name)}.`);
    if (this.#model?.variants.includes(name))
      throw new GambolError('argument/invalid', `The file has a variant ${shown(name)} already.`);
    checkedObject(materials, 'materials');
    const entries = materials instanceof Map ? [...materials] : Object.entries(materials);
    const list = entries.map(([ref, values]) => [this.material(ref as MaterialRef), values as MaterialValues] as const);
    const { core } = this.engine;
    if (!isUsed(core, 'materials')) await loadScript(core, 'materials');
    const own = this.#ownVariants();
    const before = own.get(name);
    own.set(name, list);
    if (this.#variant.shown === name) await this.#dress(before, list);
  }

  /** Removes a variant that {@link addVariant} has added; if it is shown, {@link variant} becomes null. @category Loading and models */
  removeVariant(name: string): void {
    if (this.#variant.shown === name) this.variant = null;
    this.#ownVariants().delete(name);
  }

  /** The variants of the page, for the present model. */
  #ownVariants(): Map<string, OwnVariant> {
    if (this.#variant.model !== this.#model) this.#variant = { model: this.#model, shown: null, own: new Map() };
    return this.#variant.own;
  }

  /** Gives back the materials of one variant of the page, and shows another. */
  async #dress(before: OwnVariant | undefined, after: OwnVariant | undefined): Promise<void> {
    const back = (values: MaterialValues): MaterialValues =>
      Object.fromEntries(Object.keys(values).map((name) => [name, null]));
    await Promise.all([
      ...(before ?? []).map(([material, values]) => material.set(back(values))),
      ...(after ?? []).map(([material, values]) => material.set(values)),
    ]);
  }

  /**
   * The active material variant; null for the default materials of the meshes. A new model begins with null.
   *
   * Throws `argument/invalid` when set to a name that is not among {@link variants}.
   * @category Loading and models
   */
  get variant(): string | null {
    this.#ownVariants();
    const index = this.readActor(({ query }, actor) => query.variant(actor), undefined);
    return this.#variant.shown ?? this.#model?.variants[index ?? -1] ?? null;
  }

  set variant(name: string | null) {
    const own = this.#ownVariants();
    const isOwn = name !== null && own.has(name);
    const index = name === null || isOwn ? undefined : this.variants.indexOf(name);
    if (name !== null && index === -1)
      throw new GambolError(
        'argument/invalid',
        `The model has no variant ${shown(name)}${choices(name, this.variants)}`,
      );
    this.change((stage, actor) => stage.setVariant(actor, index));
    const { shown: last } = this.#variant;
    this.#variant.shown = isOwn ? name : null;
    if (last === null && !isOwn) return;
    const before = last === null ? undefined : own.get(last);
    this.#dress(before, name === null ? undefined : own.get(name)).catch((error: unknown) => {
      const { code, message } = asGambolError(error, 'material/not-found');
      this.warn({ code, message, pointer: '' });
    });
  }

  /**
   * Sets the treatment of root motion: the movement of a clip's topmost joint over the ground.
   *
   * | value | root motion |
   * |---|---|
   * | `keep` | stays part of the clip |
   * | `in-place` | its mean is removed, so that a walk stays on the spot; swaying and turning stay |
   * | `accumulate` | moves and turns the actor, over repetitions, transitions, blends and layers |
   * | `extract` | as `accumulate`, but the actor stays: the page moves it by {@link travel} |
   *
   * It applies to the current model. Each call resets the actor to the {@link place} that was set last. Needs the feature `body`.
   *
   * @throws {@link GambolError} `argument/invalid`, `feature/not-used`; `joint/not-found` for joints of `contact`
   * @category Playback
   */
  setRootMotion(motion: RootMotion, options: RootMotionOptions = {}): void {
    checkedWord(motion, ROOT_MOTIONS, 'root motion');
    this.check();
    if (this.#actor === undefined) return;
    scriptOf('body', 'setRootMotion()').setRootMotion(this, motion, options);
    this.#rootMotion = motion;
  }

  /**
   * The treatment of root motion for the current model; see {@link setRootMotion}. Default: `keep`.
   * @category Playback
   */
  get rootMotion(): RootMotion {
    return this.#rootMotion;
  }

  /**
   * The movement by root motion in the last frame, and its sum; null unless {@link rootMotion} is `accumulate` or `extract`.
   * Each read returns a copy. Read it once in each `frame` event, or use the differences of `total`.
   *
   * ```js
   * viewer.setRootMotion('extract');
   * viewer.addEventListener('frame', () => controller.move(viewer.travel.position, viewer.travel.yaw));
   * ```
   * @category Playback
   */
  get travel(): Travel | null {
    const extracts = this.#rootMotion === 'accumulate' || this.#rootMotion === 'extract';
    return extracts && this.#actor !== undefined ? scriptOf('body', 'travel').travel(this) : null;
  }

  /**
   * The root motion of a clip, and its speed at a time of the clip in seconds. It is that of {@link setRootMotion}, or that with
   * its default options. All numbers are 0 for a clip that stays on the spot. Needs the feature `body`.
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`, `feature/not-used`; `actor/removed` without a model
   * @category Playback
   */
  clipTravel(clip: ClipRef, time = 0): ClipTravel {
    this.check();
    return scriptOf('body', 'clipTravel()').clipTravel(this, clip, time);
  }

  /**
   * The position of {@link travel}'s sum, which was added to the {@link place} since it was set, in metres of the model's own
   * space. Zero unless {@link rootMotion} is `accumulate`.
   * @category Playback
   */
  get rootMotionDelta(): Vector {
    return this.#rootMotion === 'accumulate' ? (this.travel?.total.position ?? [0, 0, 0]) : [0, 0, 0];
  }

  /**
   * The transform of the performer, as a copy: in world space, or relative to the joint that an actor follows. With the root
   * motion `accumulate` it includes the accumulated movement; setting it resets that movement. It stays when another model is
   * loaded. Omitted properties are those of the identity.
   *
   * Spring bones swing by the movement, but not by a change of scale. {@link teleport} moves them along.
   * @category Viewers and actors
   */
  get place(): Place {
    const moved = this.#rootMotion === 'accumulate' ? this.travel?.total : undefined;
    return { ...(moved ? movedPlace(this.placed, moved) : this.placed) };
  }

  set place(place: Place) {
    this.#move(place, 'place');
  }

  /**
   * Sets {@link Performer.place} without physics: spring bones move along and keep their motion, look-at with a speed turns to its target
   * at once, and feet are on their ground at once. The same holds for actors that follow this one.
   *
   * ```js
   * viewer.teleport({ position: [0, 0, -40] });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Viewers and actors
   */
  teleport(place: Place): void {
    this.#move(place, 'teleport');
  }

  #move(place: Place, how: 'place' | 'teleport'): void {
    checkedOptions(place, PLACE_NAMES, how);
    this.setBasePlace(place, how);
    if (this.#rootMotion === 'accumulate') this.change((stage, actor) => stage.resetRootMotion(actor));
  }

  /** Sets the place to which root motion is added, with physics or without. @internal */
  setBasePlace(place: Place, how: 'place' | 'teleport' = 'place'): void {
    const numbers = placeNumbers(place);
    this.change((stage, actor) => stage[how](actor, numbers));
    this.placed = { ...place };
  }

  /**
   * The names of the cameras in the model's scene, in the order of the file; unique, with `~2`, `~3` … where they repeat.
   * @category Camera
   */
  get cameras(): readonly string[] {
    return this.#model?.cameras ?? [];
  }

  /**
   * The name of the model's camera that is active, animated by its node and the clip; null for the viewer's own camera
   * ({@link Viewer.camera}). Moving the viewer's own camera, by a call or by user input, makes it active again. A new model
   * begins with null.
   *
   * Set by name or index; throws `argument/invalid` if it is not in {@link cameras}.
   * @category Camera
   */
  get activeCamera(): string | null {
    return this.cameras[this.readActor(({ query }, actor) => query.viewCamera(actor), undefined) ?? -1] ?? null;
  }

  set activeCamera(camera: string | number | null) {
    this.check();
    const index = camera === null ? undefined : typeof camera === 'number' ? camera : this.cameras.indexOf(camera);
    if (index !== undefined && this.cameras[index] === undefined)
      throw new GambolError(
        'argument/invalid',
        `The model has no camera ${shown(camera)}${choices(camera ?? '', this.cameras)}`,
      );
    const actor = this.#actor;
    this.engine.moveCamera((stage) => {
      if (actor !== undefined) stage.camera.setViewCamera(actor, index);
    });
  }

  /**
   * The warnings of the model's import, see {@link Model.warnings}; empty without a model.
   * @category Loading and models
   */
  get warnings(): readonly Warning[] {
    return this.#model?.warnings ?? NO_WARNINGS;
  }

  // ---- playing

  /**
   * Resumes playback, restarts it if it has finished, or plays `source`. While a model is loading, the call is remembered and
   * applies to that model.
   *
   * ```js
   * viewer.play('Walk');
   * await viewer.play('Jump', { loopMode: 'once', transition: 'crossfade', transitionDuration: 0.2 }).finished;
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   * @category Playback
   */
  override play(source?: PlaySource, options?: PerformOptions): Playback;
  override play(options: PerformOptions): Playback;
  override play(first?: PlaySource | PerformOptions, second: PerformOptions = {}): Playback {
    const [source, options] = isSource(first) ? [first, second] : [undefined, first === undefined ? second : first];
    return this.#begin({ ...started(options, PERFORM_OPTIONS, 'play()'), source });
  }

  /**
   * Plays a clip or a blend space from its beginning, with a transition, even if it is the current one. It may be called at any
   * time, also during a transition.
   *
   * ```js
   * viewer.transitionTo('Run', { transitionDuration: 0.5, sync: 'phase' });
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   * @category Playback
   */
  transitionTo(source: PlaySource, options: TransitionToOptions = {}): Playback {
    const start = started(options, TRANSITION_OPTIONS, 'transitionTo()');
    const { sync = 'none', at } = options;
    if (at !== undefined) checkedNumber(at, 'at');
    return this.#begin({ ...start, source, restart: true, sync: checkedSync(sync), at });
  }

  /** The default transition for changes of clips, layers and masks. Default: `inertial`. @category Playback */
  get transition(): TransitionMode {
    return this.#transition;
  }

  set transition(mode: TransitionMode) {
    this.#transition = checkedTransition(mode);
    this.#setTransition();
  }

  /**
   * The default duration of transitions in seconds, at least 0, which count only while the performer moves. Default: 0.3.
   * @category Playback
   */
  get transitionDuration(): number {
    return this.#transitionDuration;
  }

  set transitionDuration(seconds: number) {
    this.#transitionDuration = checkedSeconds(seconds, 'transitionDuration');
    this.#setTransition();
  }

  /**
   * Makes a blend space: clips that play like one clip and are blended by one or two parameters.
   *
   * ```js
   * const gait = viewer.blendSpace({ clips: [['Walk', 0], ['Run', 1]] });
   * viewer.play(gait);
   * gait.value = 0.4;
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `blend-space/…`, `argument/invalid`
   * @category Mixing
   */
  blendSpace(options: BlendSpaceOptions): BlendSpace {
    this.check();
    const space = new BlendSpace(this.clips, options, (moved, transition) => this.#moveBlend(moved, transition));
    const source = space.asSource(this.clips);
    this.readActor(({ query }, actor) => query.checkSource(actor, source), undefined);
    return space;
  }

  /** The state machine that plays the model, see {@link loadStates}; null without one. @category Mixing */
  declare readonly states: States | null;

  /**
   * Starts a state machine: it chooses, plays and blends the clips of the model by its inputs. It plays in the place of the clip
   * and of a machine before it, until `play()` of a clip or another model.
   *
   * ```js
   * const { inputs } = await viewer.loadStates('hero.json');
   * inputs.speed = 2;
   * ```
   *
   * Warnings of the machine are sent as `warning`. It loads the feature `states`.
   *
   * @throws {@link GambolError} `states/…`, `fetch/…`, `argument/invalid`, `load/chunk`; `actor/removed` without a model; `load/aborted` if a later
   * call has begun meanwhile. The machine before goes on then.
   * @category Mixing
   */
  async loadStates(source: StatesSource, options: StatesOptions = {}): Promise<States> {
    this.check();
    const { States, statesText } = await loadScript(this.engine.core, 'states');
    return new States(this, await statesText(this, source), options);
  }

  /** The current blend space, or null. @category Mixing */
  get blend(): BlendSpace | null {
    return this.#blend;
  }

  /**
   * Replaces the markers of a clip, for this performer and its current model. Markers outside the clip are never sent. A blend
   * space that is playing keeps its markers.
   *
   * ```js
   * viewer.setMarkers('Walk', [{ name: 'left', time: 0.1 }, { name: 'right', time: 0.6 }]);
   * viewer.addEventListener('marker', ({ detail }) => console.log(detail.name));
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   * @category Playback
   */
  setMarkers(clip: ClipRef, markers: readonly Marker[]): void {
    this.check();
    const { index } = findClip(this.clips, clip);
    const list = markerList(markers);
    for (const { name, time } of list) {
      checkedText(name, 'The name of a marker');
      checkedNumber(time, 'The time of a marker');
    }
    this.change(({ playback }, actor) => playback.setMarkers(actor, index, [...list]));
    this.#clips = Object.freeze(
      this.#clips.map((one) => (one.index === index ? Object.freeze({ ...one, markers: list }) : one)),
    );
  }

  override pause(): void {
    this.#intent = undefined;
    super.pause();
  }

  override stop(): void {
    this.#intent = undefined;
    super.stop();
  }

  override step(frames: number): Promise<void> {
    checkedNumber(frames, 'frames');
    this.#intent = undefined;
    return super.step(frames);
  }

  /**
   * `true` while playback is paused, stopped or finished, and no `play()` is remembered for a loading model.
   * @category Playback
   */
  override get paused(): boolean {
    return this.#intent === undefined && super.paused;
  }

  /**
   * Seeks to a frame of the clip; 0 is the first; see {@link Clip.fps}. Frames outside the clip are clamped to it. Resolves as
   * {@link seek} does.
   *
   * @throws {@link GambolError} `argument/invalid` if `frame` is not a finite number
   * @category Playback
   */
  seekFrame(frame: number): Promise<void> {
    return this.seek(checkedNumber(frame, 'frame') / (this.clip?.fps ?? 1));
  }

  /** The current clip, playing or paused; null without one, and for a blend space. @category Playback */
  get clip(): Clip | null {
    return this.#clipAt(this.readActor(({ query }, actor) => query.clip(actor), undefined));
  }

  /**
   * Sets the current clip, at its start. It plays if the clip before was playing.
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  set clip(clip: ClipRef) {
    const { index } = findClip(this.clips, clip);
    if (index === this.clip?.index) return;
    this.states?.remove();
    this.change(({ playback }, actor) => {
      const id = playback.setClip(actor, index);
      this.#blend = null;
      this.playbacks.begin(id, 'Playback aborted: another clip was set.');
    });
    // Another clip is another playback.
    this.configure();
  }

  // ---- joints, morphs and bounds

  /** All nodes of the model, in the order of the file; empty without a model. @category Joints */
  get joints(): readonly JointInfo[] {
    return this.#model?.joints ?? [];
  }

  /**
   * Finds a joint by its name or its index in the file. An exact match of the name takes precedence. Otherwise case, punctuation,
   * spaces and a prefix before `:` are ignored (`left_hand` finds `mixamorig:LeftHand`).
   *
   * @throws {@link GambolError} `joint/not-found`
   * @category Joints
   */
  joint(ref: JointRef): Joint {
    this.check();
    if (!this.#model) throw new GambolError('joint/not-found', noModel(shown(ref)));
    return new Joint(this, this.#model, ref);
  }

  /** A joint that is given by itself, by its name or by its index. @internal */
  toJoint(ref: JointRef | Joint): Joint {
    return ref instanceof Joint ? ref : this.joint(ref);
  }

  /**
   * Finds a morph by its name: all morph targets of this name. {@link Model.morphs} has all.
   *
   * ```js
   * viewer.morph('smile').weight = 0.7;
   * ```
   *
   * @throws {@link GambolError} `morph/not-found`; `actor/removed` without a model
   * @category Morphs and expressions
   */
  morph(name: string): Morph {
    this.number();
    return new Morph(this, name);
  }

  /**
   * Finds an expression by its name, and sets its weight if it is given. {@link Model.expressions} has all. Needs the feature `faces`.
   *
   * ```js
   * viewer.expression('happy', { weight: 1, fade: 0.3 });
   * ```
   *
   * @throws {@link GambolError} `expression/not-found`, `argument/invalid`, `feature/not-used`; `actor/removed` without a model
   * @category Morphs and expressions
   */
  expression(name: string, options?: ExpressionOptions): Expression {
    this.number();
    return new (scriptOf('faces', 'expression()').Expression)(this, name, options);
  }

  /**
   * Blinks by itself from now on, once in each interval, at random times; `null` ends it. It depends only on the seed and the time of
   * the viewer's timeline, so the same time shows the same picture. Frames are drawn continuously meanwhile. Needs the feature
   * `faces`.
   *
   * ```js
   * viewer.blink({ seed: 7, interval: 3 });
   * ```
   *
   * @throws {@link GambolError} `expression/not-found` if the model cannot blink; `argument/invalid`, `feature/not-used`; `actor/removed`
   * without a model
   * @category Morphs and expressions
   */
  blink(options: BlinkOptions | null = {}): void {
    this.number();
    scriptOf('faces', 'blink()').blink(this, options);
  }

  /**
   * Moves the eyes around by itself from now on, by the expressions of kind `look`, or by both joints of the eyes; `null` ends it. It
   * depends only on the seed and the time of the viewer's timeline, as {@link blink} does. Needs the feature `faces`.
   *
   * @throws {@link GambolError} `expression/not-found` if the model has neither; `joint/not-found`; `argument/invalid`;
   * `feature/not-used`; `actor/removed` without a model
   * @category Morphs and expressions
   */
  glance(options: GlanceOptions | null = {}): void {
    this.number();
    scriptOf('faces', 'glance()').glance(this, options);
  }

  /**
   * Finds a node by its name or its index in the file: the same as {@link joint}, for nodes that are no joints.
   *
   * ```js
   * viewer.node('Helmet').visible = false;
   * viewer.node('Door').override({ rotation: [0, 0.38, 0, 0.92] });
   * ```
   *
   * @throws {@link GambolError} `joint/not-found`
   * @category Joints
   */
  node(ref: JointRef): Joint {
    return this.joint(ref);
  }

  /**
   * Finds a material by its name or its index in the file. {@link Model.materials} has the names of all.
   *
   * ```js
   * await viewer.material('Body').set({ baseColor: 'tomato', roughness: 0.4 });
   * ```
   *
   * @throws {@link GambolError} `material/not-found`; `actor/removed` without a model
   * @category Sprites and materials
   */
  material(ref: MaterialRef): Material {
    this.number();
    return new Material(this, ref);
  }

  /**
   * Puts the feet on the ground, in every frame from now on: the pelvis moves, legs bend, and feet that touch the ground turn with
   * its slope. The height of a foot above the ground of its clip, the plane Y = 0 of the model, decides about contact. A later call
   * replaces the one before; `null` ends it. Both fade. Needs the feature `body`, and for the surface of another actor `picking`.
   *
   * ```js
   * viewer.feet({ ground: (x, z) => ({ y: 0.1 * Math.sin(x), normal: [-0.1 * Math.cos(x), 1, 0] }) });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `feature/not-used`; `joint/not-found`, also if the model has no two legs
   * @category Joints
   */
  feet(options: FeetOptions | null = {}): void {
    this.check();
    scriptOf('body', 'feet()').stand(this, options);
  }

  /**
   * A box that contains every vertex of the current pose, in metres, in world space. Null without a model.
   * @category Loading and models
   */
  get bounds(): {
    /** The corner with the least coordinates. */
    readonly min: Vector;
    /** The corner with the greatest coordinates. */
    readonly max: Vector;
  } | null {
    const actor = this.#actor;
    const box = actor === undefined ? NOTHING : this.engine.measure(actor);
    const [a, b, c, x, y, z] = [box[0], box[1], box[2], box[3], box[4], box[5]];
    if (a === undefined || b === undefined || c === undefined || x === undefined || y === undefined || z === undefined)
      return null;
    return { min: [a, b, c], max: [x, y, z] };
  }

  /**
   * The tight box around all vertices of the current pose, in metres, in world space; null without a model. Unlike {@link
   * bounds}, its cost is proportional to the number of vertices, so it is too slow to call in every frame.
   * @category Loading and models
   */
  measure(): {
    /** The corner with the least coordinates. */
    readonly min: Vector;
    /** The corner with the greatest coordinates. */
    readonly max: Vector;
  } | null {
    return cornersOf(this.readActor(({ query }, actor) => query.tightBounds(actor), undefined));
  }

  /** The sphere around {@link bounds}, in metres, in world space. Null without a model. @category Loading and models */
  get boundingSphere(): {
    /** The centre of {@link bounds}. */
    readonly center: Vector;
    /** The distance from the centre to a corner of {@link bounds}. */
    readonly radius: number;
  } | null {
    const { bounds } = this;
    if (!bounds) return null;
    const {
      min: [a, b, c],
      max: [x, y, z],
    } = bounds;
    return { center: [(a + x) / 2, (b + y) / 2, (c + z) / 2], radius: Math.hypot(x - a, y - b, z - c) / 2 };
  }

  /**
   * A hash over all bits of the pose at the playhead; empty without a model. For the same file, clip and time it is equal in
   * every browser and on every machine, and does not depend on earlier playback.
   * @category Playback
   */
  poseHash(): string {
    return this.readActor(({ query }, actor) => query.poseHash(actor), '');
  }

  /**
   * The current position and normal of a point on the surface of the model, in world space, with skinning, morphing and node
   * transforms. Null if the model has no such point. Needs the feature `picking`.
   *
   * @throws {@link GambolError} `feature/not-used`; `argument/invalid` unless `at` is eight finite numbers
   * @category Points on the surface
   */
  surface(at: Surface): {
    /** The position in metres. */
    readonly position: Vector;
    /** The surface normal: a unit vector outwards. */
    readonly normal: Vector;
  } | null {
    const numbers = Float64Array.from(vectorNumbers(at, 8, 'surface'));
    this.engine.needs('picking', 'surface()');
    const found = this.readActor(({ query }, actor) => query.surface(actor, numbers), undefined);
    return found ? { position: vectorAt(found), normal: vectorAt(found, 3) } : null;
  }

  // ---- export

  /**
   * Writes a file with the pose or with the clips of this actor. The file of the model is read again, so that everything else stays as
   * it is there: materials, images, extras, unknown extensions.
   *
   * - `pose`: the deformed mesh without joints, morph targets and animations. Nodes have their places in the pose, in world space. Other
   *   actors, also those that follow a joint, are not part of it.
   * - `clips`: the file with other animations: those of the file stay to the bit, those that were added have all their keys.
   * - Materials that were changed by {@link Material.set} are written as they are shown, with the nearest numbers within the ranges of
   *   glTF. Nodes that were hidden or shown by {@link Joint.visible} are so in the file, by KHR_node_visibility; in a pose, see `hidden`.
   *   Channels that animate such a number or node are left out.
   * - `record`: an animation with a key for each frame, after layers, inverse kinematics, springs and state machines.
   *
   * ```js
   * const still = await viewer.exportGlb({ pose: true });
   * const all = await viewer.exportGlb({ clips: 'all' });
   * const take = await viewer.exportGlb({ record: { to: viewer.now + 4, fps: 30 } });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `clip/not-found`, `actor/removed`, `export/no-source`, `export/other-file`,
   * `load/aborted`, `load/chunk`, `tools/panic`
   * @category Exports
   */
  async exportGlb(options: ExportOptions = {}): Promise<Blob> {
    // The time of the call: it goes on while scripts are loading.
    const now = this.engine.read(({ query }) => query.time(), 0);
    return (await this.#exporter()).exportGlb(this, options, now);
  }

  /**
   * Writes the pose of this actor as Wavefront OBJ: all visible meshes in world space, with normals and texture coordinates, and the
   * colours of the materials. Images are not part of it.
   *
   * ```js
   * const { obj, mtl } = await viewer.exportObj({ time: 1.5 });
   * ```
   *
   * @throws {@link GambolError} as {@link Performer.exportGlb}
   * @category Exports
   */
  async exportObj(options: ObjOptions = {}): Promise<ObjFiles> {
    return (await this.#exporter()).exportObj(this, options);
  }

  /**
   * Writes this actor as USDZ, the format of Quick Look on iPhones, iPads and Vision Pro: its clip, which plays as a loop, or a pose. The
   * materials are those of the variant that is shown. Layers, inverse kinematics, springs and other actors are not part of it; a pose
   * has them.
   *
   * ```js
   * const { blob, warnings } = await viewer.exportUsdz({ clip: 'Walk', maxTextureSize: 1024 });
   * const still = await viewer.exportUsdz({ pose: true });
   * ```
   *
   * @throws {@link GambolError} as {@link Performer.exportGlb}; `tools/too-large`
   * @category Exports
   */
  async exportUsdz(options: ExportUsdzOptions = {}): Promise<ExportedUsdz> {
    return (await this.#exporter()).exportUsdz(this, options);
  }

  /** Loads the script for exports, and the feature that reads poses. @throws {@link GambolError} `load/chunk` */
  async #exporter(): Promise<typeof Exports> {
    const script = lazily('the script for exports', () => import('./export.ts'));
    await allSettled([script, this.engine.core.loadFeatures(['extras'])]);
    return script;
  }

  // ---- for the package itself

  /** Calls `change` with the actor on stage; does nothing without a model. @internal */
  change(change: (stage: CoreStage, actor: number) => void): void {
    this.check();
    const actor = this.#actor;
    this.engine.call((stage) => {
      if (actor !== undefined) change(stage, actor);
    });
  }

  /** Returns the result of `read`. @throws {@link GambolError} `actor/removed` without a model. @internal */
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T {
    const actor = this.number();
    return this.engine.readOrThrow((stage) => read(stage, actor));
  }

  /** The stage that has the pictures of its textures. @internal */
  get pictures(): Engine {
    return this.engine;
  }

  /** The actor id on stage. @throws {@link GambolError} `actor/removed` without a model. @internal */
  number(): number {
    this.check();
    if (this.#actor === undefined) throw new GambolError('actor/removed', 'No model is loaded. Wait for load().');
    return this.#actor;
  }

  /** Attaches an element to one of its joints; returns a function that detaches it. @internal */
  follow(element: HTMLElement, joint: Joint, point: Float32Array, ownUnits: boolean): () => void {
    this.check();
    const end = this.engine.followers.add(element, { actor: this.#currentActor, joint, point, ownUnits });
    this.engine.call(() => undefined);
    return end;
  }

  /** Adds (`on`) or removes an actor that follows one of its joints. @internal */
  setFollower(actor: JointFollower, on: boolean): void {
    if (on) this.#jointFollowers.add(actor);
    else this.#jointFollowers.delete(actor);
  }

  /** Returns the result of `read`, or the fallback without a model and after the disposal of the viewer. @internal */
  readActor<T>(read: (stage: CoreStage, actor: number) => T, fallback: T): T {
    const actor = this.#actor;
    return actor === undefined ? fallback : this.engine.read((stage) => read(stage, actor), fallback);
  }

  /** Calls `action`, and adds suggestions of similar joint names to the error for a pattern that matches no joint. @internal */
  masked(mask: CoreMask | undefined, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof GambolError && error.code === 'mask/no-such-joint')) throw error;
      // The core's message has the pattern as a JSON string.
      const found = mask?.patterns.find(({ pattern }) => error.message.includes(JSON.stringify(pattern)));
      const pattern = found?.pattern ?? '';
      const name =
        pattern
          .split('/')
          .filter((part) => /[^*]/.test(part))
          .at(-1) ?? pattern;
      throw new GambolError(
        error.code,
        `No joint matches the mask “${pattern}”${this.#model?.nearJoints(name.replace(/^!|\*/g, '')) ?? '.'}`,
      );
    }
  }

  /** The clip or blend space of a source, and the source as the core takes it. @internal */
  source(source: PlaySource): { readonly animation: Clip | BlendSpace; readonly source: Source } {
    this.check();
    if (source instanceof BlendSpace) return { animation: source, source: source.asSource(this.clips) };
    const animation = findClip(this.clips, source);
    return { animation, source: { clip: animation.index, space: undefined } };
  }

  /** The reference pose of an additive layer, as the core takes it. @internal */
  reference(reference: LayerReference, of: Clip | BlendSpace): Reference | undefined {
    if (reference === 'rest') return undefined;
    if (typeof reference === 'object' && (reference as object | null) !== null) {
      const { clip, time } = reference;
      return { clip: findClip(this.clips, clip).index, time: checkedNumber(time, 'reference.time') };
    }
    if (reference !== 'first')
      throw new GambolError(
        'argument/invalid',
        `reference must be rest, first or { clip, time }, not ${shown(reference)}.`,
      );
    // Time 0 is the first pose, because a track has the value of its first keyframe before that keyframe.
    return { clip: 'id' in of ? of.index : findClip(this.clips, of.clips[0]?.[0] ?? '').index, time: 0 };
  }

  /** Handles an event of the stage for this actor, and forwards those of layers. @internal */
  override stageEvent(event: StageEvent): void {
    const { type, time, track } = event;
    if (track !== BASE) {
      const layer = this.layers.byId(track);
      layer?.stageEvent(event);
      if (!layer || (type !== 'marker' && type !== 'loop' && type !== 'finished')) return;
      const detail = { time, ...(event.skipped ? { skipped: event.skipped } : {}), layer: layer.name };
      if (type === 'marker') return this.send(type, { ...detail, name: event.name, clip: layer.clip?.id ?? null });
      if (type === 'loop') return this.send(type, { ...detail, iteration: event.iteration });
      return this.send(type, detail);
    }
    if (type === 'statechange') return this.states?.stageEvent(event);
    if (type === 'clipchange') {
      this.#sentClip = this.#clipAt(event.to)?.id ?? null;
      return this.send(type, { time, from: this.#clipAt(event.from)?.id ?? null, to: this.#sentClip });
    }
    super.stageEvent(event);
    if (type === 'finished') this.send('ended', { time });
  }

  /** @internal */
  protected override sentClip(): string | null {
    return this.#sentClip;
  }

  /** Called after a frame was drawn. The caller resolves the promises added to `waiting` when it is presented. @internal */
  drawn(waiting: Deferred[]): void {
    this.eachFrame('frame');
    this.playbacks.takeStarting(waiting);
    // Without layers the loop would still allocate an iterator.
    if (this.layers.size > 0) for (const layer of this.layers) layer.drawn(waiting);
  }

  /** Sends a per-frame event; its detail is computed only if a listener was ever added. @internal */
  protected eachFrame(type: 'frame' | 'before-render'): void {
    if (this.listenedTypes.has(type)) this.send(type, { time: this.currentTime });
  }

  /** Rejects all playbacks, drops a remembered `play()`, and ends the layers. @internal */
  abort(error: GambolError): void {
    this.#intent = undefined;
    this.playbacks.abort(error);
    this.layers.end(error.message);
  }

  /** Throws if the viewer was disposed of or has failed. @internal */
  protected check(): void {
    this.engine.check();
  }

  /** `true` while a model is loading. @internal */
  protected get waiting(): boolean {
    return false;
  }

  /** Takes over the actor id and the model after the actor was put on stage. @internal */
  protected enter(actor: number, model: Model): void {
    this.#actor = actor;
    this.#model = model;
    this.#clips = model.clips;
    this.#endListening = model.onClipChange((change) => this.#onClipChange(change));
    this.#rootMotion = 'keep';
    this.#sentClip = this.clip?.id ?? null;
    this.engine.register(actor, this);
    this.#setTransition();
    this.configure();
    for (const follower of this.#jointFollowers) follower.reattach();
  }

  /** Starts the `play()` that was remembered while the model was loading; returns `false` if there is none. @internal */
  protected startIntent(): boolean {
    const intent = this.#intent;
    this.#intent = undefined;
    if (!intent) return false;
    try {
      this.#start(intent, (id) => this.playbacks.begin(id));
    } catch (error) {
      if (!(error instanceof GambolError)) throw error;
      this.playbacks.abort(error);
      this.warn({ code: error.code, message: error.message, pointer: '' });
    }
    return true;
  }

  #onClipChange({ added, removed, edited }: ClipChange): void {
    const left = this.#clips.filter(({ index }) => !removed.some((clip) => clip.index === index));
    this.#clips = Object.freeze([
      ...left.map((clip) => (edited && clip.index === edited.to.index ? edited.to : clip)),
      ...added,
    ]);
    if (edited && this.#sentClip === edited.from.id) this.#sentClip = edited.to.id;
    const isRemoved = (id: string | undefined): boolean => removed.some((clip) => clip.id === id);
    const gone = removed.find(({ id }) => id === this.#sentClip);
    if (gone || this.#blend?.clips.some(([clip]) => isRemoved(clip))) {
      this.abortPlaying('Playback aborted: its clip was removed.');
      this.stop();
    }
    for (const layer of [...this.layers]) if (isRemoved(layer.clip?.id)) layer.remove();
    if (gone) {
      this.#sentClip = null;
      this.send('clipchange', { time: 0, from: gone.id, to: null });
    }
    const ids = (clips: readonly Clip[]): string[] => clips.map(({ id }) => id);
    this.send('clipschange', { added: ids(added), removed: ids(removed), edited: ids(edited ? [edited.to] : []) });
  }

  /** Removes the actor from the stage. A `play()` that is remembered for the next model stays. @internal */
  protected leave(reason: string): void {
    if (!this.#intent) this.abortPlaying(reason);
    this.layers.end(reason);
    const actor = this.#actor;
    (this as { states: States | null }).states = null;
    this.#actor = undefined;
    this.#endListening();
    this.#model = null;
    this.#clips = [];
    this.#blend = null;
    if (actor !== undefined) this.engine.removeActor(actor);
  }

  /** Sends a `warning`, see {@link warn}. @internal */
  warn(warning: Warning): void {
    warn(this, warning);
  }

  /** Forgets all followers of the removed actor. @internal */
  protected forgetFollowers(): void {
    this.engine.followers.forget(this.#currentActor);
    this.#jointFollowers.clear();
  }

  /** `true` if a `play()` is remembered for a model that is loading. @internal */
  protected get hasIntent(): boolean {
    return this.#intent !== undefined;
  }

  /** @internal */
  protected dropIntent(reason: string): void {
    if (this.#intent) this.abortPlaying(reason);
    this.#intent = undefined;
  }

  /** @internal */
  protected override changeTrack(change: (stage: CoreStage, actor: number, track: number) => void): void {
    this.change((stage, actor) => change(stage, actor, BASE));
  }

  /** @internal */
  protected override readTrack<T>(read: (stage: CoreStage, actor: number, track: number) => T, fallback: T): T {
    return this.readActor((stage, actor) => read(stage, actor, BASE), fallback);
  }

  #begin(start: Start): Playback {
    this.check();
    // Errors are thrown by this call, not later when the model is loaded.
    if (start.transition) checkedTransition(start.transition);
    if (start.transitionDuration !== undefined) checkedSeconds(start.transitionDuration, 'transitionDuration');
    if (this.waiting || this.#actor === undefined) {
      checkedPlaying(start);
      this.#intent = start;
      return this.playbacks.add();
    }
    let playback: Playback | undefined;
    this.#start(start, (id) => {
      // Added inside the call, because its events may include `finished` already.
      playback = this.playbacks.add(id);
      this.playbacks.begin(id);
    });
    return playback ?? this.playbacks.add();
  }

  #start(
    { source, restart = false, sync = 'none', at, transition, transitionDuration, ...options }: Start,
    onStart: (id: number) => void,
  ): void {
    const other = source === undefined ? undefined : this.source(source);
    if (other) this.states?.remove();
    const plays =
      other &&
      !restart &&
      (other.animation === this.#blend || ('id' in other.animation && other.animation.index === this.clip?.index));
    // Without options of its own, a change of clip uses the performer's transition.
    const hasOwnTransition = transition !== undefined || transitionDuration !== undefined;
    const own: Transition | undefined = hasOwnTransition
      ? { mode: transition ?? this.#transition, duration: transitionDuration ?? this.#transitionDuration }
      : undefined;
    const continues = !other || plays === true;
    const again = this.ended;
    this.configure(options, continues && !again);
    this.change(({ playback }, actor) => {
      if (!other || plays) return onStart(again ? playback.replay(actor, BASE) : playback.play(actor, BASE));
      const id = playback.transitionTo(actor, { source: other.source, transition: own, sync, time: at });
      this.#blend = 'id' in other.animation ? null : other.animation;
      onStart(id);
    });
  }

  #moveBlend(space: BlendSpace, transition: Transition): void {
    const [x, y] = space.place;
    if (space === this.#blend)
      this.change(({ layers }, actor) => layers.setBlendPosition(actor, BASE, x, y, transition));
    for (const layer of this.layers) if (layer.blend === space) layer.moveBlend(x, y, transition);
  }

  #setTransition(): void {
    this.change(({ playback }, actor) =>
      playback.setTransition(actor, { mode: this.#transition, duration: this.#transitionDuration }),
    );
  }

  #clipAt(index = -1): Clip | null {
    return this.clips.find((clip) => clip.index === index) ?? null;
  }
}
