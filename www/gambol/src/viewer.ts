/// <reference lib="esnext.disposable" preserve="true" />
import { reducedMotion } from './camera-controls.ts';
import { findClip, clipList, type Clip, type ClipRef } from './clips.ts';
import type { Core, LoopMode, ModelInfo, StageEvent } from './core.ts';
import { Engine } from './engine.ts';
import { GambolError, asGambolError, type Warning } from './errors.ts';
import { TypedEventTarget, errorDetail, type CameraState, type ViewerEventDetails, type ViewerEventListener, type ViewerEventName } from './events.ts';
import type { LoadOptions, LoadedModel } from './load.ts';
import { Loader } from './loader.ts';
import { checkedLoopMode, checkedNumber, checkedRepetitions, checkedRgba, type PictureOptions, type PlayOptions, type Rgba, type ViewerOptions } from './options.ts';
import { Playbacks, type Playback } from './playback.ts';
import type { AssetSource } from './source.ts';
import { guarded } from './wasm.ts';

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

function isClipRef(value: ClipRef | PlayOptions | undefined): value is ClipRef {
  return typeof value === 'string' || typeof value === 'number' || (value !== undefined && 'id' in value);
}

/** A remembered `play()` for a model that is still on its way. */
interface Intent {
  readonly clip: ClipRef | undefined;
  readonly options: PlayOptions;
}

/**
 * A canvas that plays characters. Made by {@link createViewer}.
 *
 * Times are seconds of the clip, angles radians, lengths metres. Calls take effect in their order and at once: what is
 * read after a call is what it made. Events are dispatched before the call that caused them returns.
 * After {@link Viewer.dispose} every call throws `viewer/disposed`.
 */
export class Viewer extends TypedEventTarget {
  /** The canvas this viewer draws to. */
  readonly canvas: HTMLCanvasElement;
  readonly #options: ViewerOptions;
  readonly #engine: Engine;
  readonly #loader: Loader;
  readonly #playbacks = new Playbacks();
  #intent: Intent | undefined;
  #clips: readonly Clip[] = [];
  #variants: readonly string[] = [];
  #cameras: readonly string[] = [];
  #info: ModelInfo | null = null;
  #warnings: readonly Warning[] = [];
  /** How to play; it outlives the model, which has a player of its own. */
  #rate = 1;
  #loopMode: LoopMode = 'repeat';
  #repetitions = Infinity;
  #listensToFrames = false;

  /** @internal */
  constructor(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions) {
    super();
    this.canvas = canvas;
    this.#options = options;
    this.#engine = new Engine(core, canvas, options, {
      stageEvent: (event) => this.#onStageEvent(event),
      drawn: () => {
        if (this.#listensToFrames) this.#send('frame', { time: this.currentTime });
        return this.#playbacks.takeStarting();
      },
      cameraMoved: (source) => this.#send('camera-change', { ...this.camera, source }),
      contextLost: () => this.#send('contextlost', {}),
      contextRestored: () => this.#send('contextrestored', {}),
      failed: (error) => {
        this.#playbacks.abort(error);
        this.#loader.cancel();
        this.#send('error', errorDetail(error));
      },
    });
    this.#loader = new Loader(core, this.#engine, {
      progress: (progress) => this.#send('progress', progress),
      show: (model) => this.#show(model),
    });
  }

  // ---- the model

  /**
   * Loads a model and shows it in place of the one before, which stays on screen and playable until then.
   * Resolves when the new one is on screen. A load that is still under way is given up: the last one wins.
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`; the model before stays. A missing or broken image is
   * only a warning.
   */
  async load(source: AssetSource, options: LoadOptions = {}): Promise<void> {
    this.#engine.check();
    // What was to be played of a model that never came is not meant for this one.
    if (this.#loader.busy) this.#dropIntent('Another model is loaded.');
    try {
      const model = await this.#loader.load(source, options);
      this.#send('load', { name: model.name, url: model.url ?? null });
    } catch (thrown) {
      const error = asGambolError(thrown, 'load/failed');
      // While another load is under way the intent is for that one.
      if (!this.#loader.busy) this.#dropIntent('The model could not be loaded.');
      // A panic and the end of the viewer have been told already.
      if (!['load/aborted', 'wasm/panic', 'viewer/disposed'].includes(error.code)) this.#send('error', errorDetail(error));
      throw error;
    }
  }

  /** Takes the model off the stage and frees it. */
  unload(): void {
    this.#engine.check();
    this.#loader.cancel();
    this.#intent = undefined;
    this.#abortPlaying('The model was taken away.');
    this.#forgetModel();
    this.#engine.host.clear();
    this.#engine.call(() => undefined);
  }

  /** The clips of the model, in the order of the file; empty without a model. */
  get clips(): readonly Clip[] {
    return this.#clips;
  }

  /** What the model consists of, or null without one. */
  get info(): ModelInfo | null {
    return this.#info;
  }

  /** The names of the model's variants of materials (KHR_materials_variants), in the order of the file. */
  get variants(): readonly string[] {
    return this.#variants;
  }

  /**
   * The variant that is shown; null for the materials that the meshes have by themselves. A new model begins with null.
   *
   * Throws `argument/invalid` when set to a name that is not among {@link variants}.
   */
  get variant(): string | null {
    return this.#variants[this.#engine.read((stage) => stage.variant, -1)] ?? null;
  }

  set variant(name: string | null) {
    const index = name === null ? -1 : this.#variants.indexOf(name);
    if (name !== null && index < 0) throw new GambolError('argument/invalid', `The model has no variant “${name}”.`);
    this.#engine.call((stage) => stage.setVariant(index));
  }

  /** What had to be repaired or left out to show the model. */
  get warnings(): readonly Warning[] {
    return this.#warnings;
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
    this.#engine.check();
    const [clip, options] = isClipRef(first) ? [first, second] : [undefined, first ?? second];
    const loopMode = checkedLoopMode(options.loopMode ?? this.#loopMode);
    const repetitions = checkedRepetitions(options.repetitions ?? this.#repetitions);
    if (this.#loader.busy || this.#info === null) {
      this.#intent = { clip, options };
      return this.#playbacks.add();
    }
    const index = clip === undefined ? -1 : findClip(this.#clips, clip).index;
    if (index >= 0 && index !== this.#engine.read((stage) => stage.clip, -1)) this.#abortPlaying('Another clip is played.');
    // Before the call: its own events may already tell that it has finished.
    const playback = this.#playbacks.add();
    this.#loopMode = loopMode;
    this.#repetitions = repetitions;
    this.#configure();
    this.#engine.call((stage) => stage.play(index));
    return playback;
  }

  /** Stops where it is; `play()` goes on from there. */
  pause(): void {
    this.#intent = undefined;
    this.#playbacks.pause();
    this.#engine.call((stage) => stage.pause());
  }

  /** Stops and goes back to the start. */
  stop(): void {
    this.#intent = undefined;
    this.#abortPlaying('It was stopped.');
    this.#engine.call((stage) => stage.stop());
  }

  /**
   * Goes to a time; playing goes on from there if it was. Of several calls before the next frame the last one counts.
   * @param time Seconds, clamped to `0..=duration`; independent of the playback rate.
   * @returns Resolves after the frame that shows it was presented.
   */
  seek(time: number): Promise<void> {
    checkedNumber(time, 'The time');
    this.#engine.call((stage) => stage.seek(time));
    return this.#engine.presented();
  }

  /** Pauses and moves by whole frames of the clip (see {@link Clip.fps}); negative is back. */
  step(frames: number): Promise<void> {
    checkedNumber(frames, 'The number of frames');
    this.#intent = undefined;
    this.#playbacks.pause();
    this.#engine.call((stage) => stage.step(frames));
    return this.#engine.presented();
  }

  /** The current clip, played or not; null without one. */
  get clip(): Clip | null {
    return this.#clipAt(this.#engine.read((stage) => stage.clip, -1));
  }

  /** Makes another clip the current one, at its start; it is played if the one before was. */
  set clip(clip: ClipRef) {
    const { index } = findClip(this.#clips, clip);
    if (index === this.clip?.index) return;
    this.#abortPlaying('Another clip was chosen.');
    this.#engine.call((stage) => stage.choose(index));
  }

  /** Seconds, `0..=duration`. Setting it seeks. */
  get currentTime(): number {
    return this.#engine.read((stage) => stage.currentTime, 0);
  }

  set currentTime(time: number) {
    checkedNumber(time, 'currentTime');
    this.#engine.call((stage) => stage.seek(time));
  }

  /** Seconds of the current clip; 0 without one. */
  get duration(): number {
    return this.#engine.read((stage) => stage.duration, 0);
  }

  /** True while nothing moves by itself. */
  get paused(): boolean {
    return this.#intent === undefined && this.#engine.read((stage) => stage.paused, true);
  }

  /** True after the last repetition ended, until something else happens. */
  get ended(): boolean {
    return this.#engine.read((stage) => stage.finished, false);
  }

  /** How many repetitions have ended since `play()` or the last seek. */
  get iteration(): number {
    return this.#engine.read((stage) => stage.iteration, 0);
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

  // ---- camera and picture

  /** The names of the cameras in the model's scene, in the order of the file; unique, with `~2`, `~3` … where they repeat. */
  get cameras(): readonly string[] {
    return this.#cameras;
  }

  /**
   * The camera of the model that is looked through, as its node and the clip move it; null for the viewer's own, which
   * is the one that {@link camera} tells of. Whoever moves that one, the page or a hand, looks through it again. A new
   * model begins with null.
   *
   * Set by name or index; throws `argument/invalid` if {@link cameras} has none such.
   */
  get activeCamera(): string | null {
    return this.#cameras[this.#engine.read((stage) => stage.viewCamera, -1)] ?? null;
  }

  set activeCamera(camera: string | number | null) {
    const index = camera === null ? -1 : typeof camera === 'number' ? camera : this.#cameras.indexOf(camera);
    if (camera !== null && this.#cameras[index] === undefined) throw new GambolError('argument/invalid', `The model has no camera “${camera}”.`);
    this.#engine.moveCamera((stage) => stage.setViewCamera(index));
  }

  /** Where the viewer's own camera is; a copy. Setting it moves the camera there, what is left out stays. */
  get camera(): CameraState {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.#engine.read((stage) => stage.cameraState(), new Float64Array());
    return { azimuth, polar, distance, target: [x, y, z], fovY };
  }

  set camera(camera: Partial<CameraState>) {
    const { azimuth, polar, distance, target, fovY } = { ...this.camera, ...camera };
    const state = Float64Array.of(azimuth, polar, distance, ...target, fovY);
    state.forEach((value) => checkedNumber(value, 'The camera'));
    this.#engine.moveCamera((stage) => stage.setCameraState(state));
  }

  /** Turns the camera around its target, in radians. */
  orbit(azimuth: number, polar: number): void {
    this.#engine.moveCamera((stage) => stage.orbit(checkedNumber(azimuth, 'azimuth'), checkedNumber(polar, 'polar')));
  }

  /** Moves camera and target sideways, in fractions of the canvas height. */
  pan(x: number, y: number): void {
    this.#engine.moveCamera((stage) => stage.pan(checkedNumber(x, 'x'), checkedNumber(y, 'y')));
  }

  /** Multiplies the distance to the target: less than 1 is closer. */
  zoom(factor: number): void {
    this.#engine.moveCamera((stage) => stage.zoom(checkedNumber(factor, 'factor')));
  }

  /** Puts the camera where the whole model is in view. */
  resetCamera(): void {
    this.#engine.moveCamera((stage) => stage.resetCamera());
  }

  /** Colour behind the model, or null for transparent. */
  set background(color: Rgba | null) {
    const rgba = checkedRgba(color);
    this.#engine.call(() => this.#engine.host.setBackground(rgba));
  }

  /** The canvas as a picture, at its size in device pixels. */
  async toBlob(options: PictureOptions = {}): Promise<Blob> {
    // The drawing buffer is empty after a frame was presented, so it is drawn in the task that reads it.
    this.#engine.call((stage) => stage.draw());
    const blob = await new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, options.mimeType ?? 'image/png', options.quality));
    if (!blob) throw new GambolError('viewer/no-picture', 'The browser could not make a picture of the canvas.');
    return blob;
  }

  /**
   * A hash of all bits of the pose at the playhead; empty without a model. For the same file, clip and time it is the
   * same in every browser and on every machine, whatever was played before.
   */
  poseHash(): string {
    return this.#engine.read((stage) => stage.poseHash(), '');
  }

  /** How many GL objects of each kind this viewer holds. */
  liveObjects(): Record<string, number> {
    return this.#engine.read((stage) => stage.liveObjects(), {});
  }

  // ---- the end

  /** Gives everything back: GL objects, memory, listeners, observers. Calling it again does nothing. */
  dispose(): void {
    this.#intent = undefined;
    this.#loader.cancel();
    this.#abortPlaying('The viewer was disposed of.');
    this.#engine.dispose();
    this.#forgetModel();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  override addEventListener<Name extends ViewerEventName>(type: Name, listener: ViewerEventListener<Name> | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void {
    // Sent every frame, so not at all while nobody listens.
    if (type === 'frame') this.#listensToFrames = true;
    super.addEventListener(type, listener, options);
  }

  #show(model: LoadedModel): void {
    const { asset, warnings } = model;
    const intent = this.#intent;
    this.#intent = undefined;
    if (!intent) this.#abortPlaying('Another model took its place.');
    this.#forgetModel();
    this.#engine.host.show(asset, model.library, model.images);
    this.#clips = clipList(guarded(() => asset.clips()));
    this.#variants = Object.freeze(guarded(() => asset.variants()));
    this.#cameras = Object.freeze(guarded(() => asset.cameras()));
    this.#info = guarded(() => asset.info());
    this.#warnings = Object.freeze([...warnings]);
    this.#configure();
    for (const warning of warnings) this.#send('warning', { ...warning });
    this.#begin(intent);
  }

  #begin(intent: Intent | undefined): void {
    const automatic = this.#options.autoplay === true && this.#clips.length > 0;
    if (intent) {
      try {
        const index = intent.clip === undefined ? -1 : findClip(this.#clips, intent.clip).index;
        this.#loopMode = intent.options.loopMode ?? this.#loopMode;
        this.#repetitions = intent.options.repetitions ?? this.#repetitions;
        this.#configure();
        this.#engine.call((stage) => stage.play(index));
      } catch (error) {
        if (!(error instanceof GambolError)) throw error;
        this.#playbacks.abort(error);
        this.#send('warning', { code: error.code, message: error.message, pointer: '' });
      }
    } else if (automatic && reducedMotion() && this.#options.reducedMotion !== 'ignore') {
      this.#send('warning', { code: 'motion/reduced', message: 'Not played by itself: your system asks for less motion.', pointer: '' });
    } else if (automatic) {
      this.#engine.call((stage) => stage.play(-1));
    }
  }

  #onStageEvent(event: StageEvent): void {
    const { type } = event;
    const detail = { time: event.time, ...(event.skipped ? { skipped: event.skipped } : {}) };
    switch (type) {
      case 'loop':
        return this.#send(type, { ...detail, iteration: event.iteration ?? 0 });
      case 'clipchange':
        return this.#send(type, { ...detail, from: this.#clipAt(event.from)?.id ?? null, to: this.#clipAt(event.to)?.id ?? null });
      case 'ratechange':
        return this.#send(type, { ...detail, rate: this.playbackRate });
      case 'finished':
        this.#playbacks.finish();
        this.#send('finished', detail);
        return this.#send('ended', detail);
      default:
        return this.#send(type, detail);
    }
  }

  #clipAt(index = -1): Clip | null {
    return this.#clips.find((clip) => clip.index === index) ?? null;
  }

  #configure(): void {
    this.#engine.call((stage) => {
      // Even the same value makes Rust reckon anew.
      if (stage.rate !== this.#rate) stage.rate = this.#rate;
      if (stage.loopMode !== this.#loopMode) stage.loopMode = this.#loopMode;
      if (stage.repetitions !== this.#repetitions) stage.repetitions = this.#repetitions;
    });
  }

  #forgetModel(): void {
    this.#clips = [];
    this.#variants = [];
    this.#cameras = [];
    this.#info = null;
    this.#warnings = [];
  }

  #dropIntent(why: string): void {
    if (this.#intent) this.#abortPlaying(why);
    this.#intent = undefined;
  }

  #abortPlaying(why: string): void {
    this.#playbacks.abort(new GambolError('play/aborted', why));
  }

  #send<Name extends ViewerEventName>(name: Name, detail: ViewerEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
