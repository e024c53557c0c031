// Somebody on stage who plays clips: what a viewer and each further actor have in common.

import { findClip, type Clip, type ClipRef } from './clips.ts';
import type { Actor } from './actor.ts';
import type { CoreStage, LoopMode, ModelInfo, StageEvent } from './core.ts';
import type { Engine } from './engine.ts';
import { GambolError, type Warning } from './errors.ts';
import { TypedEventTarget, type ViewerEventDetails, type ViewerEventListener, type ViewerEventName } from './events.ts';
import { Joint } from './joint.ts';
import type { JointInfo, JointRef, Model } from './model.ts';
import { checkedLoopMode, checkedNumber, checkedRepetitions, type PlayOptions } from './options.ts';
import { Playbacks, type Deferred, type Playback } from './playback.ts';
import type { Vector } from './place.ts';

/** The track below all layers. */
const BASE = 0;

function isClipRef(value: ClipRef | PlayOptions | undefined): value is ClipRef {
  return typeof value === 'string' || typeof value === 'number' || (value !== undefined && 'id' in value);
}

/** A remembered `play()` for a model that is still on its way. */
interface Intent {
  readonly clip: ClipRef | undefined;
  readonly options: PlayOptions;
}

/**
 * Somebody on stage: a {@link Viewer}'s own character, or an {@link Actor}.
 *
 * Times are seconds of the clip, angles radians, lengths metres. Calls take effect in their order and at once: what is
 * read after a call is what it made. Events are dispatched before the call that caused them returns.
 */
export abstract class Performer extends TypedEventTarget {
  /** @internal */
  protected readonly engine: Engine;
  readonly #playbacks = new Playbacks();
  readonly #led = new Set<Actor>();
  /** Who it is on stage, while a model is shown. */
  #actor: number | undefined;
  #model: Model | null = null;
  #intent: Intent | undefined;
  /** How to play; it outlives the model, which has a player of its own. */
  #rate = 1;
  #loopMode: LoopMode = 'repeat';
  #repetitions = Infinity;
  #listensToFrames = false;
  /** Its number on stage; one and the same function for all who ask later. */
  readonly #whoNow = (): number | undefined => this.#actor;

  /** @internal */
  constructor(engine: Engine) {
    super();
    this.engine = engine;
  }

  // ---- the model

  /** The model that is shown, or null. */
  get model(): Model | null {
    return this.#model;
  }

  /** The clips of the model, in the order of the file; empty without a model. */
  get clips(): readonly Clip[] {
    return this.#model?.clips ?? [];
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
    return this.variants[this.#read((stage, actor) => stage.variant(actor), -1)] ?? null;
  }

  set variant(name: string | null) {
    const index = name === null ? -1 : this.variants.indexOf(name);
    if (name !== null && index < 0) throw new GambolError('argument/invalid', `The model has no variant “${name}”.`);
    this.change((stage, actor) => stage.setVariant(actor, index));
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
    return this.cameras[this.#read((stage, actor) => stage.viewCamera(actor), -1)] ?? null;
  }

  set activeCamera(camera: string | number | null) {
    this.check();
    const index = camera === null ? -1 : typeof camera === 'number' ? camera : this.cameras.indexOf(camera);
    if (camera !== null && this.cameras[index] === undefined) throw new GambolError('argument/invalid', `The model has no camera “${camera}”.`);
    const actor = this.#actor;
    this.engine.moveCamera((stage) => {
      if (actor !== undefined) stage.setViewCamera(actor, index);
    });
  }

  /** What had to be repaired or left out to show the model. */
  get warnings(): readonly Warning[] {
    return this.#model?.warnings ?? [];
  }

  // ---- playing

  /**
   * Plays: on from where it is, from the start once finished, or another clip if one is named. While a model is loading
   * the call is remembered for it.
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  play(clip?: ClipRef, options?: PlayOptions): Playback;
  play(options: PlayOptions): Playback;
  play(first?: ClipRef | PlayOptions, second: PlayOptions = {}): Playback {
    this.check();
    const [clip, options] = isClipRef(first) ? [first, second] : [undefined, first ?? second];
    const loopMode = checkedLoopMode(options.loopMode ?? this.#loopMode);
    const repetitions = checkedRepetitions(options.repetitions ?? this.#repetitions);
    if (this.waiting || this.#actor === undefined) {
      this.#intent = { clip, options };
      return this.#playbacks.add();
    }
    const index = clip === undefined ? -1 : findClip(this.clips, clip).index;
    if (index >= 0 && index !== this.#read((stage, actor) => stage.clip(actor), -1)) this.abortPlaying('Another clip is played.');
    // Before the call: its own events may already tell that it has finished.
    const playback = this.#playbacks.add();
    this.#loopMode = loopMode;
    this.#repetitions = repetitions;
    this.#configure();
    this.change((stage, actor) => stage.play(actor, BASE, index));
    return playback;
  }

  /** Stops where it is; `play()` goes on from there. */
  pause(): void {
    this.#intent = undefined;
    this.#playbacks.pause();
    this.change((stage, actor) => stage.pause(actor, BASE));
  }

  /** Stops and goes back to the start. */
  stop(): void {
    this.#intent = undefined;
    this.abortPlaying('It was stopped.');
    this.change((stage, actor) => stage.stop(actor, BASE));
  }

  /**
   * Goes to a time; playing goes on from there if it was. Of several calls before the next frame the last one counts.
   * @param time Seconds, clamped to `0..=duration`; independent of the playback rate.
   * @returns Resolves after the frame that shows it was presented.
   */
  seek(time: number): Promise<void> {
    checkedNumber(time, 'The time');
    this.change((stage, actor) => stage.seek(actor, BASE, time));
    return this.engine.presented();
  }

  /** Pauses and moves by whole frames of the clip (see {@link Clip.fps}); negative is back. */
  step(frames: number): Promise<void> {
    checkedNumber(frames, 'The number of frames');
    this.#intent = undefined;
    this.#playbacks.pause();
    this.change((stage, actor) => stage.step(actor, BASE, frames));
    return this.engine.presented();
  }

  /** The current clip, played or not; null without one. */
  get clip(): Clip | null {
    return this.#clipAt(this.#read((stage, actor) => stage.clip(actor), -1));
  }

  /** Makes another clip the current one, at its start; it is played if the one before was. */
  set clip(clip: ClipRef) {
    const { index } = findClip(this.clips, clip);
    if (index === this.clip?.index) return;
    this.abortPlaying('Another clip was chosen.');
    this.change((stage, actor) => stage.choose(actor, BASE, index));
  }

  /** Seconds, `0..=duration`. Setting it seeks. */
  get currentTime(): number {
    return this.#read((stage, actor) => stage.currentTime(actor, BASE), 0);
  }

  set currentTime(time: number) {
    checkedNumber(time, 'currentTime');
    this.change((stage, actor) => stage.seek(actor, BASE, time));
  }

  /** Seconds of the current clip; 0 without one. */
  get duration(): number {
    return this.#read((stage, actor) => stage.duration(actor, BASE), 0);
  }

  /** True while nothing moves by itself. */
  get paused(): boolean {
    return this.#intent === undefined && this.#read((stage, actor) => stage.paused(actor, BASE), true);
  }

  /** True after the last repetition ended, until something else happens. */
  get ended(): boolean {
    return this.#read((stage, actor) => stage.finished(actor, BASE), false);
  }

  /** How many repetitions have ended since `play()` or the last seek. */
  get iteration(): number {
    return this.#read((stage, actor) => stage.iteration(actor, BASE), 0);
  }

  /** Speed; 1 is as made, negative is backwards, 0 stands still. Changing it never moves the playhead. */
  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = checkedNumber(rate, 'playbackRate');
    this.#configure();
  }

  /** The same as {@link Viewer.playbackRate}, as `<model-viewer>` calls it. */
  get timeScale(): number {
    return this.playbackRate;
  }

  set timeScale(rate: number) {
    this.playbackRate = rate;
  }

  /** How a clip repeats. */
  get loopMode(): LoopMode {
    return this.#loopMode;
  }

  set loopMode(mode: LoopMode) {
    this.#loopMode = checkedLoopMode(mode);
    this.#configure();
  }

  /** Whether a clip starts again at its end; a plain view of {@link Viewer.loopMode}. */
  get loop(): boolean {
    return this.loopMode !== 'once';
  }

  set loop(on: boolean) {
    if (on !== this.loop) this.loopMode = on ? 'repeat' : 'once';
  }

  /** How often a clip is played before it has finished: a whole number of at least 1, or `Infinity`. */
  get repetitions(): number {
    return this.#repetitions;
  }

  set repetitions(count: number) {
    this.#repetitions = checkedRepetitions(count);
    this.#configure();
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
    if (!this.#model) throw new GambolError('joint/not-found', `There is no model whose joint “${ref}” could be.`);
    return new Joint(this, this.#model, ref);
  }

  /** The box around the pose of this moment, in metres of the world; it holds every vertex. Null if nothing is shown. */
  get bounds(): { readonly min: Vector; readonly max: Vector } | null {
    const [a, b, c, x, y, z] = this.#read((stage, actor) => stage.bounds(actor), new Float32Array());
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
    return this.#read((stage, actor) => stage.poseHash(actor), '');
  }

  override addEventListener<Name extends ViewerEventName>(type: Name, listener: ViewerEventListener<Name> | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void {
    // Sent every frame, so not at all while nobody listens.
    if (type === 'frame') this.#listensToFrames = true;
    super.addEventListener(type, listener, options);
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
  follow(element: HTMLElement, joint: Joint, point: Float32Array): () => void {
    this.check();
    const end = this.engine.followers.add(element, { actor: this.#whoNow, joint, point });
    this.engine.call(() => undefined);
    return end;
  }

  /** Remembers who follows one of its joints. @internal */
  lead(actor: Actor, on: boolean): void {
    if (on) this.#led.add(actor);
    else this.#led.delete(actor);
  }

  /** Something happened to it on stage. @internal */
  stageEvent(event: StageEvent): void {
    const { type, track } = event;
    // Layers have no voice here yet.
    if (track !== BASE) return;
    const detail = { time: event.time, ...(event.skipped ? { skipped: event.skipped } : {}) };
    switch (type) {
      case 'loop':
        return this.send(type, { ...detail, iteration: event.iteration ?? 0 });
      case 'marker':
        return this.send(type, { ...detail, name: event.name ?? '' });
      case 'clipchange':
        return this.send(type, { ...detail, from: this.#clipAt(event.from)?.id ?? null, to: this.#clipAt(event.to)?.id ?? null });
      case 'ratechange':
        return this.send(type, { ...detail, rate: this.playbackRate });
      case 'finished':
        this.#playbacks.finish();
        this.send('finished', detail);
        return this.send('ended', detail);
      default:
        return this.send(type, detail);
    }
  }

  /** A frame was drawn; those returned wait until it is presented. @internal */
  drawn(): readonly Deferred[] {
    if (this.#listensToFrames) this.send('frame', { time: this.currentTime });
    return this.#playbacks.takeStarting();
  }

  /** Rejects all that is being played. @internal */
  abort(error: GambolError): void {
    this.#intent = undefined;
    this.#playbacks.abort(error);
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
    this.engine.enrol(actor, this);
    this.#configure();
    for (const led of this.#led) led.reattach();
  }

  /** Plays what was asked for while the model was on its way; false if nothing was. @internal */
  protected keepIntent(): boolean {
    const intent = this.#intent;
    this.#intent = undefined;
    if (!intent) return false;
    try {
      const index = intent.clip === undefined ? -1 : findClip(this.clips, intent.clip).index;
      this.#loopMode = intent.options.loopMode ?? this.#loopMode;
      this.#repetitions = intent.options.repetitions ?? this.#repetitions;
      this.#configure();
      this.change((stage, actor) => stage.play(actor, BASE, index));
    } catch (error) {
      if (!(error instanceof GambolError)) throw error;
      this.#playbacks.abort(error);
      this.send('warning', { code: error.code, message: error.message, pointer: '' });
    }
    return true;
  }

  /** Leaves the stage; what is to be played of the next model stays. @internal */
  protected leave(why: string): void {
    if (!this.#intent) this.abortPlaying(why);
    const actor = this.#actor;
    this.#actor = undefined;
    this.#model = null;
    if (actor !== undefined) this.engine.dismiss(actor);
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
  protected abortPlaying(why: string): void {
    this.#playbacks.abort(new GambolError('play/aborted', why));
  }

  /** @internal */
  protected send<Name extends ViewerEventName>(name: Name, detail: ViewerEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Looks something up; without a model and after the end there is only the fallback. */
  #read<T>(look: (stage: CoreStage, actor: number) => T, fallback: T): T {
    const actor = this.#actor;
    return actor === undefined ? fallback : this.engine.read((stage) => look(stage, actor), fallback);
  }

  #clipAt(index = -1): Clip | null {
    return this.clips.find((clip) => clip.index === index) ?? null;
  }

  #configure(): void {
    this.change((stage, actor) => {
      // Even the same value makes Rust reckon anew.
      if (stage.rate(actor, BASE) !== this.#rate) stage.setRate(actor, BASE, this.#rate);
      if (stage.loopMode(actor, BASE) !== this.#loopMode) stage.setLoopMode(actor, BASE, this.#loopMode);
      if (stage.repetitions(actor, BASE) !== this.#repetitions) stage.setRepetitions(actor, BASE, this.#repetitions);
    });
  }
}
