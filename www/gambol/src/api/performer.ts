// Somebody on stage who plays clips: what a viewer and each further actor have in common.

import { BlendSpace, type BlendSpaceOptions, type PlaySource } from './blend-space.ts';
import { findClip, markerList, type Clip, type ClipRef, type Marker } from '../values/clips.ts';
import { NOTHING, type CoreStage, type SourceNumbers, type StageEvent } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { GambolError, type Warning } from '../base/errors.ts';
import { Joint, type JointFollower } from './joint.ts';
import { Layers } from './layers.ts';
import type { JointInfo, JointRef, Model, ModelInfo } from '../load/model.ts';
import { choices } from '../base/suggestions.ts';
import { PERFORM_OPTIONS, TRANSITION_OPTIONS, checkedNumber, checkedOptions, checkedPlaying, checkedSeconds, checkedSync, checkedText, checkedTransition, type LayerReference, type PerformOptions, type TransitionToOptions } from '../values/options.ts';
import type { Deferred } from '../base/deferred.ts';
import type { Playback } from './playback.ts';
import { movedPlace, placeNumbers, type Place, type Vector } from '../values/transforms.ts';
import { Transport } from './transport.ts';
import { warn } from '../base/warn.ts';
import { ROOT_MOTIONS, type RootMotion, type SyncMode, type TransitionMode } from '../values/words.ts';
import { shown } from '../base/shown.ts';

/** The track below all layers. */
const BASE = 0;

function isSource(value: PlaySource | PerformOptions | undefined): value is PlaySource {
  return typeof value === 'string' || typeof value === 'number' || value instanceof BlendSpace || (typeof value === 'object' && (value as object | null) !== null && 'id' in value);
}

/** The options of a start, whose transition has one of two names. */
function started(options: TransitionToOptions, known: readonly string[], call: string): PerformOptions {
  checkedOptions(options, known, call);
  const { mode, transition = mode, transitionDuration, duration = transitionDuration, loopMode, repetitions, playbackRate } = options;
  return {
    ...(transition !== undefined && { transition: checkedTransition(transition) }), ...(duration !== undefined && { duration: checkedSeconds(duration, 'duration') }),
    ...(loopMode !== undefined && { loopMode }), ...(repetitions !== undefined && { repetitions }), ...(playbackRate !== undefined && { playbackRate }),
  };
}

/** How to start playing. */
interface Start extends PerformOptions {
  readonly source: PlaySource | undefined;
  /** Also if it plays already. */
  readonly anew?: boolean;
  readonly sync?: SyncMode;
  readonly at?: number | undefined;
}

/**
 * Somebody on stage: a {@link Viewer}'s own character, or an {@link Actor}.
 *
 * Times are seconds of the clip, angles radians, lengths metres. Calls take effect in their order and at once: what is
 * read after a call is what it made. Events are dispatched before the call that caused them returns.
 */
export abstract class Performer extends Transport {
  /** What is played above the clip. A new model begins without layers. */
  readonly layers: Layers;
  readonly #led = new Set<JointFollower>();
  /** Who it is on stage, while a model is shown. */
  #actor: number | undefined;
  #model: Model | null = null;
  #clips: readonly Clip[] = [];
  /** A remembered `play()` for a model that is still on its way. */
  #intent: Start | undefined;
  #blend: BlendSpace | null = null;
  /** The clip as far as events have told. */
  #heard: string | null = null;
  #transition: TransitionMode = 'inertial';
  #transitionDuration = 0.3;
  #rootMotion: RootMotion = 'keep';
  /** The place without root motion. @internal */
  protected placed: Place = {};
  /** Its number on stage; one and the same function for all who ask later. */
  readonly #whoNow = (): number | undefined => this.#actor;

  /** @internal */
  constructor(engine: Engine) {
    super(engine);
    this.layers = new Layers(engine, this);
  }

  // ---- the model

  /** The model that is shown, or null. */
  get model(): Model | null {
    return this.#model;
  }

  /** The clips of the model, in the order of the file; empty without a model. */
  get clips(): readonly Clip[] {
    return this.#clips;
  }

  /** What the model consists of, or null without one. */
  get info(): ModelInfo | null {
    return this.#model?.info ?? null;
  }

  /** The names of the model's variants of materials (KHR_materials_variants), in the order of the file. */
  get variants(): readonly string[] {
    return this.#model?.variants ?? [];
  }

  /**
   * The variant that is shown; null for the materials that the meshes have by themselves. A new model begins with null.
   *
   * Throws `argument/invalid` when set to a name that is not among {@link variants}.
   */
  get variant(): string | null {
    return this.variants[this.peek(({ query }, actor) => query.variant(actor), undefined) ?? -1] ?? null;
  }

  set variant(name: string | null) {
    const index = name === null ? undefined : this.variants.indexOf(name);
    if (name !== null && index === -1) throw new GambolError('argument/invalid', `The model has no variant ${shown(name)}${choices(name, this.variants)}`);
    this.change((stage, actor) => stage.setVariant(actor, index));
  }

  /**
   * Says what becomes of the way that clips go over the ground, from the first key of their topmost joint to the last: it is kept
   * (`keep`); taken out, so that who walks does so on the spot (`in-place`); or added up, pass after pass and clip after clip, so that
   * who walks gets on (`accumulate`). It holds for the model of now; saying it again begins at the {@link place} that was set last.
   *
   * @throws {@link GambolError} `argument/invalid`
   */
  setRootMotion(motion: RootMotion): void {
    if (!ROOT_MOTIONS.includes(motion)) throw new GambolError('argument/invalid', `The root motion must be ${ROOT_MOTIONS.join(', ')}, not ${shown(motion)}.`);
    this.change((stage, actor) => stage.setRootMotion(actor, motion));
    if (this.#actor !== undefined) this.#rootMotion = motion;
  }

  /** The root motion of the model of now; see {@link setRootMotion}. Default: `keep`. */
  get rootMotion(): RootMotion {
    return this.#rootMotion;
  }

  /**
   * The way that root motion has added to the {@link place} since it was set: metres of the model's own space, Y 0. Zero unless
   * {@link rootMotion} is `accumulate`.
   */
  get rootMotionDelta(): Vector {
    if (this.#rootMotion !== 'accumulate') return [0, 0, 0];
    const [x = 0, y = 0, z = 0] = this.peek<ArrayLike<number> & Iterable<number>>(({ query }, actor) => query.rootMotionDelta(actor), []);
    return [x, y, z];
  }

  /**
   * The place where it stands: in the world, or, while an actor follows a joint, relative to there. With the root motion `accumulate`
   * it is the place that the model has gone to; setting it begins anew from there. What is set holds for models that come later.
   * A copy; what is left out is as for one that was not moved.
   */
  get place(): Place {
    return { ...movedPlace(this.placed, this.rootMotionDelta) };
  }

  set place(place: Place) {
    this.stand(place);
    if (this.#rootMotion === 'accumulate') this.change((stage, actor) => stage.resetRootMotion(actor));
  }

  /** Sets the place that root motion adds its way to. @internal */
  stand(place: Place): void {
    const numbers = placeNumbers(place);
    this.change((stage, actor) => stage.place(actor, numbers));
    this.placed = { ...place };
  }

  /** The names of the cameras in the model's scene, in the order of the file; unique, with `~2`, `~3` … where they repeat. */
  get cameras(): readonly string[] {
    return this.#model?.cameras ?? [];
  }

  /**
   * The camera of the model that is looked through, as its node and the clip move it; null for the viewer's own, which
   * is the one that {@link Viewer.camera} tells of. Whoever moves that one, the page or a hand, looks through it again. A new
   * model begins with null.
   *
   * Set by name or index; throws `argument/invalid` if {@link cameras} has none such.
   */
  get activeCamera(): string | null {
    return this.cameras[this.peek(({ query }, actor) => query.viewCamera(actor), undefined) ?? -1] ?? null;
  }

  set activeCamera(camera: string | number | null) {
    this.check();
    const index = camera === null ? undefined : typeof camera === 'number' ? camera : this.cameras.indexOf(camera);
    if (index !== undefined && this.cameras[index] === undefined) throw new GambolError('argument/invalid', `The model has no camera ${shown(camera)}${choices(camera ?? '', this.cameras)}`);
    const actor = this.#actor;
    this.engine.moveCamera((stage) => {
      if (actor !== undefined) stage.camera.setViewCamera(actor, index);
    });
  }

  /** What had to be repaired or left out to show the model. */
  get warnings(): readonly Warning[] {
    return this.#model?.warnings ?? [];
  }

  // ---- playing

  /**
   * Plays: on from where it is, from the start once finished, or something else if a clip or a blend space is named. While a
   * model is loading the call is remembered for it.
   *
   * ```js
   * viewer.play('Walk');
   * await viewer.play('Jump', { loopMode: 'once', transition: 'crossfade', transitionDuration: 0.2 }).finished;
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  override play(source?: PlaySource, options?: PerformOptions): Playback;
  override play(options: PerformOptions): Playback;
  override play(first?: PlaySource | PerformOptions, second: PerformOptions = {}): Playback {
    const [source, options] = isSource(first) ? [first, second] : [undefined, first === undefined ? second : first];
    return this.#begin({ ...started(options, PERFORM_OPTIONS, 'play()'), source });
  }

  /**
   * Plays a clip or a blend space in place of what is played, from its beginning, also if it is the same one. May be called
   * at any time, also in the middle of a transition.
   *
   * ```js
   * viewer.transitionTo('Run', { transitionDuration: 0.5, sync: 'phase' });
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  transitionTo(source: PlaySource, options: TransitionToOptions = {}): Playback {
    const start = started(options, TRANSITION_OPTIONS, 'transitionTo()');
    const { sync = 'none', at } = options;
    if (at !== undefined) checkedNumber(at, 'at');
    return this.#begin({ ...start, source, anew: true, sync: checkedSync(sync), at });
  }

  /** How changes of clip, layers and masks go that do not say it themselves. Default: `inertial`. */
  get transition(): TransitionMode {
    return this.#transition;
  }

  set transition(mode: TransitionMode) {
    this.#transition = checkedTransition(mode);
    this.#setTransition();
  }

  /** How long they take: seconds in which something moves, at least 0. Default: 0.3. */
  get transitionDuration(): number {
    return this.#transitionDuration;
  }

  set transitionDuration(seconds: number) {
    this.#transitionDuration = checkedSeconds(seconds, 'transitionDuration');
    this.#setTransition();
  }

  /**
   * Makes clips into something that is played like one clip and mixed by a number, or by two.
   *
   * ```js
   * const gait = viewer.blendSpace({ clips: [['Walk', 0], ['Run', 1]] });
   * viewer.play(gait);
   * gait.value = 0.4;
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `blend-space/…`, `argument/invalid`
   */
  blendSpace(options: BlendSpaceOptions): BlendSpace {
    this.check();
    const space = new BlendSpace(this.clips, options, (moved, mode, seconds) => this.#moveBlend(moved, mode, seconds));
    const numbers = space.numbers(this.clips);
    this.peek(({ query }, actor) => query.checkSource(actor, ...numbers), undefined);
    return space;
  }

  /** The blend space that is played, or null. */
  get blend(): BlendSpace | null {
    return this.#blend;
  }

  /**
   * Replaces the markers of a clip, for this performer and its present model. Those outside of the clip never happen; a blend
   * space that is played keeps those that it was made with.
   *
   * ```js
   * viewer.setMarkers('Walk', [{ name: 'left', time: 0.1 }, { name: 'right', time: 0.6 }]);
   * viewer.addEventListener('marker', ({ detail }) => console.log(detail.name));
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  setMarkers(clip: ClipRef, markers: readonly Marker[]): void {
    this.check();
    const { index } = findClip(this.clips, clip);
    const list = markerList(markers);
    for (const { name, time } of list) {
      checkedText(name, 'The name of a marker');
      checkedNumber(time, 'The time of a marker');
    }
    this.change(({ playback }, actor) => playback.setMarkers(actor, index, list.map(({ name }) => name), Float64Array.from(list, ({ time }) => time)));
    this.#clips = Object.freeze(this.#clips.map((one) => (one.index === index ? Object.freeze({ ...one, markers: list }) : one)));
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
    checkedNumber(frames, 'The number of frames');
    this.#intent = undefined;
    return super.step(frames);
  }

  /** True while nothing moves by itself. */
  override get paused(): boolean {
    return this.#intent === undefined && super.paused;
  }

  /** Goes to a frame of the clip, 0 the first; see {@link Clip.fps}. Resolves as {@link seek} does. */
  seekFrame(frame: number): Promise<void> {
    return this.seek(checkedNumber(frame, 'The frame') / (this.clip?.fps ?? 1));
  }

  /** The current clip, played or not; null without one, and while a blend space is. */
  get clip(): Clip | null {
    return this.#clipAt(this.peek(({ query }, actor) => query.clip(actor), undefined));
  }

  /** Makes another clip the current one, at its start; it is played if the one before was. */
  set clip(clip: ClipRef) {
    const { index } = findClip(this.clips, clip);
    if (index === this.clip?.index) return;
    this.change(({ playback }, actor) => {
      const id = playback.setClip(actor, index);
      this.#blend = null;
      this.playbacks.begin(id, 'Another clip was chosen.');
    });
    // Another clip is another playback.
    this.configure();
  }

  // ---- joints and bounds

  /** All nodes of the model, in the order of the file; empty without a model. */
  get joints(): readonly JointInfo[] {
    return this.#model?.joints ?? [];
  }

  /**
   * A joint, by its name or its index in the file. The very name goes first; without one, case, signs, spaces and what stands
   * before a `:` do not matter (`left_hand` finds `mixamorig:LeftHand`).
   *
   * @throws {@link GambolError} `joint/not-found`
   */
  joint(ref: JointRef): Joint {
    this.check();
    if (!this.#model) throw new GambolError('joint/not-found', `There is no model whose joint ${shown(ref)} could be.`);
    return new Joint(this, this.#model, ref);
  }

  /** The box around the pose of this moment, in metres of the world; it holds every vertex. Null if nothing is shown. */
  get bounds(): { readonly min: Vector; readonly max: Vector } | null {
    const actor = this.#actor;
    const box = actor === undefined ? NOTHING : this.engine.measure(actor);
    const [a, b, c, x, y, z] = [box[0], box[1], box[2], box[3], box[4], box[5]];
    if (a === undefined || b === undefined || c === undefined || x === undefined || y === undefined || z === undefined) return null;
    return { min: [a, b, c], max: [x, y, z] };
  }

  /**
   * The smallest box around all vertices of the pose of this moment, in metres of the world; null if nothing is shown. Other than
   * {@link bounds} it takes as long as the model has vertices, so it is no question for every frame.
   */
  measure(): { readonly min: Vector; readonly max: Vector } | null {
    const [a, b, c, x, y, z] = this.peek(({ query }, actor) => query.tightBounds(actor), undefined) ?? NOTHING;
    if (a === undefined || b === undefined || c === undefined || x === undefined || y === undefined || z === undefined) return null;
    return { min: [a, b, c], max: [x, y, z] };
  }

  /** The sphere around {@link bounds}, or null. */
  get boundingSphere(): { readonly center: Vector; readonly radius: number } | null {
    const { bounds } = this;
    if (!bounds) return null;
    const { min: [a, b, c], max: [x, y, z] } = bounds;
    return { center: [(a + x) / 2, (b + y) / 2, (c + z) / 2], radius: Math.hypot(x - a, y - b, z - c) / 2 };
  }

  /**
   * A hash of all bits of the pose at the playhead; empty without a model. For the same file, clip and time it is the
   * same in every browser and on every machine, whatever was played before.
   */
  poseHash(): string {
    return this.peek(({ query }, actor) => query.poseHash(actor), '');
  }

  // ---- for the package itself

  /** Changes something of it on stage; nothing without a model. @internal */
  change(change: (stage: CoreStage, actor: number) => void): void {
    this.check();
    const actor = this.#actor;
    this.engine.call((stage) => {
      if (actor !== undefined) change(stage, actor);
    });
  }

  /** Looks something up that there is only on stage. @internal */
  onStage<T>(look: (stage: CoreStage, actor: number) => T): T {
    const actor = this.number();
    return this.engine.look((stage) => look(stage, actor));
  }

  /** Who it is on stage. @internal */
  number(): number {
    this.check();
    if (this.#actor === undefined) throw new GambolError('actor/removed', 'There is no model on stage.');
    return this.#actor;
  }

  /** Lets an element follow one of its joints. @internal */
  follow(element: HTMLElement, joint: Joint, point: Float32Array, ownUnits: boolean): () => void {
    this.check();
    const end = this.engine.followers.add(element, { actor: this.#whoNow, joint, point, ownUnits });
    this.engine.call(() => undefined);
    return end;
  }

  /** Remembers who follows one of its joints. @internal */
  lead(actor: JointFollower, on: boolean): void {
    if (on) this.#led.add(actor);
    else this.#led.delete(actor);
  }

  /** Looks something up; without a model and after the end there is only the fallback. @internal */
  peek<T>(look: (stage: CoreStage, actor: number) => T, fallback: T): T {
    const actor = this.#actor;
    return actor === undefined ? fallback : this.engine.read((stage) => look(stage, actor), fallback);
  }

  /** Does something with patterns of joints; an error about one that matches none names those that are near. @internal */
  masked(patterns: readonly string[] | undefined, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof GambolError && error.code === 'mask/no-such-joint')) throw error;
      // The core quotes it as JSON does.
      const pattern = patterns?.find((one) => error.message.includes(JSON.stringify(one))) ?? '';
      const name = pattern.split('/').filter((part) => /[^*]/.test(part)).at(-1) ?? pattern;
      throw new GambolError(error.code, `No joint matches “${pattern}”${this.#model?.nearJoints(name.replace(/^!|\*/g, '')) ?? '.'}`);
    }
  }

  /** What is meant, and as the core takes it. @internal */
  source(source: PlaySource): { readonly what: Clip | BlendSpace; readonly numbers: SourceNumbers } {
    this.check();
    if (source instanceof BlendSpace) return { what: source, numbers: source.numbers(this.clips) };
    const what = findClip(this.clips, source);
    return { what, numbers: [Uint32Array.of(what.index), new Float32Array(), 'phase'] };
  }

  /** The reference of an additive layer, as the core takes it: the index of a clip, and a time. @internal */
  reference(reference: LayerReference, of: Clip | BlendSpace): readonly [clip: number | undefined, time: number] {
    if (reference === 'rest') return [undefined, 0];
    if (typeof reference === 'object' && (reference as object | null) !== null) {
      return [findClip(this.clips, reference.clip).index, checkedNumber(reference.time, 'The time of the reference')];
    }
    if (reference !== 'first') throw new GambolError('argument/invalid', `reference must be rest, first or a clip and a time, not ${shown(reference)}.`);
    // Before its first key a channel has that key's value.
    return ['id' in of ? of.index : findClip(this.clips, of.clips[0]?.[0] ?? '').index, 0];
  }

  /** Something happened to it on stage. @internal */
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
    if (type === 'clipchange') {
      this.#heard = this.#clipAt(event.to)?.id ?? null;
      return this.send(type, { time, from: this.#clipAt(event.from)?.id ?? null, to: this.#heard });
    }
    super.stageEvent(event);
    if (type === 'finished') this.send('ended', { time });
  }

  /** @internal */
  protected override heardClip(): string | null {
    return this.#heard;
  }

  /** A frame was drawn; those added to `waiting` wait until it is presented. @internal */
  drawn(waiting: Deferred[]): void {
    this.eachFrame('frame');
    this.playbacks.takeStarting(waiting);
    // The iterator of none would be garbage all the same.
    if (this.layers.size > 0) for (const layer of this.layers) layer.drawn(waiting);
  }

  /** Sends what comes every frame, so not at all while nobody listens. @internal */
  protected eachFrame(type: 'frame' | 'before-render'): void {
    if (this.asked.has(type)) this.send(type, { time: this.currentTime });
  }

  /** Rejects all that is being played. @internal */
  abort(error: GambolError): void {
    this.#intent = undefined;
    this.playbacks.abort(error);
    this.layers.end(error.message);
  }

  /** Throws if there is nobody to call any more. @internal */
  protected check(): void {
    this.engine.check();
  }

  /** Whether a model is on its way. @internal */
  protected get waiting(): boolean {
    return false;
  }

  /** Is on stage from now on, with what was to be played of it. @internal */
  protected enter(actor: number, model: Model): void {
    this.#actor = actor;
    this.#model = model;
    this.#clips = model.clips;
    this.#rootMotion = 'keep';
    this.#heard = this.clip?.id ?? null;
    this.engine.enrol(actor, this);
    this.#setTransition();
    this.configure();
    for (const led of this.#led) led.reattach();
  }

  /** Plays what was asked for while the model was on its way; false if nothing was. @internal */
  protected keepIntent(): boolean {
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

  /** Leaves the stage; what is to be played of the next model stays. @internal */
  protected leave(why: string): void {
    if (!this.#intent) this.abortPlaying(why);
    this.layers.end(why);
    const actor = this.#actor;
    this.#actor = undefined;
    this.#model = null;
    this.#clips = [];
    this.#blend = null;
    if (actor !== undefined) this.engine.dismiss(actor);
  }

  /** Sends a `warning`, see {@link warn}. @internal */
  warn(warning: Warning): void {
    warn(this, warning);
  }

  /** Nobody will hear of it again. @internal */
  protected retire(): void {
    this.engine.followers.forget(this.#whoNow);
    this.#led.clear();
  }

  /** Whether something is to be played of a model that is on its way. @internal */
  protected get intends(): boolean {
    return this.#intent !== undefined;
  }

  /** @internal */
  protected dropIntent(why: string): void {
    if (this.#intent) this.abortPlaying(why);
    this.#intent = undefined;
  }

  /** @internal */
  protected override tell(change: (stage: CoreStage, actor: number, track: number) => void): void {
    this.change((stage, actor) => change(stage, actor, BASE));
  }

  /** @internal */
  protected override ask<T>(look: (stage: CoreStage, actor: number, track: number) => T, fallback: T): T {
    return this.peek((stage, actor) => look(stage, actor, BASE), fallback);
  }

  #begin(start: Start): Playback {
    this.check();
    // Now, not when the model is there.
    if (start.transition) checkedTransition(start.transition);
    if (start.duration !== undefined) checkedSeconds(start.duration, 'duration');
    if (this.waiting || this.#actor === undefined) {
      checkedPlaying(start);
      this.#intent = start;
      return this.playbacks.add();
    }
    let playback: Playback | undefined;
    this.#start(start, (id) => {
      // In the call: its own events may already tell that it has finished.
      playback = this.playbacks.add(id);
      this.playbacks.begin(id);
    });
    return playback ?? this.playbacks.add();
  }

  #start({ source, anew = false, sync = 'none', at, transition, duration, ...options }: Start, begun: (id: number) => void): void {
    const other = source === undefined ? undefined : this.source(source);
    const plays = other && !anew && (other.what === this.#blend || ('id' in other.what && other.what.index === this.clip?.index));
    // How another clip comes is the performer's way, unless said.
    const told = transition !== undefined || duration !== undefined;
    const [mode, seconds] = told ? [transition ?? this.#transition, duration ?? this.#transitionDuration] : [undefined, 0];
    const goesOn = !other || plays === true;
    const again = this.ended;
    this.configure(options, goesOn && !again);
    this.change(({ playback }, actor) => {
      if (!other || plays) return begun(again ? playback.replay(actor, BASE) : playback.play(actor, BASE));
      const id = playback.transitionTo(actor, ...other.numbers, mode, seconds, sync, at);
      this.#blend = 'id' in other.what ? null : other.what;
      begun(id);
    });
  }

  #moveBlend(space: BlendSpace, mode: TransitionMode, seconds: number): void {
    const [x, y] = space.place;
    if (space === this.#blend) this.change(({ layers }, actor) => layers.setBlendPosition(actor, BASE, x, y, mode, seconds));
    for (const layer of this.layers) if (layer.blend === space) layer.moveBlend(x, y, mode, seconds);
  }

  #setTransition(): void {
    const { core } = this.engine;
    // A crossfade is work for the rest of the module. Until that is there, transitions are inertial.
    if (this.#transition === 'crossfade' && !core.isComplete()) core.loadRest().then(() => this.#setTransition(), () => undefined);
    else this.change(({ playback }, actor) => playback.setTransition(actor, this.#transition, this.#transitionDuration));
  }

  #clipAt(index = -1): Clip | null {
    return this.clips.find((clip) => clip.index === index) ?? null;
  }
}
