/// <reference lib="esnext.disposable" preserve="true" />
import { Actor } from './actor.ts';
import type { CameraControls } from '../camera/camera-controls.ts';
import { reducedMotion, type CameraMotion } from '../camera/motion.ts';
import type { Timeline } from '../stage/clock.ts';
import { checkedRgba, type Rgba } from '../values/color.ts';
import type { Screen } from '../stage/graphics-context.ts';
import { type CoreStage, type Hit, NOTHING, type Core } from '../wasm/core.ts';
import type { Crowd, CrowdMaterial, CrowdOptions } from './crowd.ts';
import { Material } from './material.ts';
import { checkDebugJoint, debugSettings, type DebugView } from './debug-views.ts';
import { Engine } from '../stage/engine.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { REDUCED_MOTION } from '../base/warn.ts';
import { elementsOf } from '../base/elements.ts';
import { errorDetail, type CameraLimits, type CameraPadding, type CameraState } from '../values/events.ts';
import type { Joint } from './joint.ts';
import { checkedFeatures, isUsed, loadScript, useIn } from './features.ts';
import { LitPerformer } from './lighting.ts';
import { LOAD_OPTIONS, type LoadOptions } from '../load/import-model.ts';
import { ModelLoads } from './model-loads.ts';
import { Model, type JointInfo } from '../load/model.ts';
import {
  PICTURE_OPTIONS,
  STILL_OPTIONS,
  checkedControls,
  checkedEncoding,
  checkedFraming,
  checkedNames,
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedSeconds,
  checkedSkinning,
  checkedStill,
  optionNames,
  type CameraControlSettings,
  type PictureOptions,
  type PlainStill,
  type StillOptions,
  type ViewerOptions,
  type Visibility,
} from '../values/options.ts';
import { Performer } from './performer.ts';
import {
  PLACE_NAMES,
  inOwnUnits,
  numbers as vectorNumbers,
  vectorAt,
  placeNumbers,
  type JointRef,
  type JointSpaceOptions,
  type Place,
  type Surface,
  type Vector,
} from '../values/transforms.ts';
import type { AssetSource } from '../load/source.ts';
import type { SpriteImage, SpriteOptions } from './sprite.ts';
import { NO_STATS, type Stats } from '../values/stats.ts';
import type { FeatureName, Framing, Skinning } from '../values/words.ts';
import { shown } from '../base/shown.ts';
import { Part } from '../base/part.ts';
import type { ArOptions, ImmersiveSession, VrOptions } from '../xr/options.ts';

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** The sessions of WebXR, loaded lazily. */
const xrPart = new Part('the script for AR and VR', () => import('../xr/xr.ts'));

/** Options of {@link Viewer.add}. @category Viewers and actors */
export interface AddOptions extends Place, LoadOptions {
  /** The joint that the actor follows, and its offset there; see {@link Joint.attach}. */
  readonly attachTo?: JointSpaceOptions & {
    /** Default: the viewer's own model. */
    readonly actor?: Performer;
    /** The joint, or its name or index. */
    readonly joint: JointRef | Joint;
    /** The offset from the joint: a position or a place. Default: none. */
    readonly offset?: Vector | Place;
  };
  /** Called in the task in which the actor enters the stage, before its first frame. @internal */
  readonly begin?: (actor: Actor) => void;
}

const ADD_OPTIONS: readonly string[] = [
  ...PLACE_NAMES,
  ...optionNames<Pick<AddOptions, 'attachTo' | 'begin'>>({ attachTo: 0, begin: 0 }),
  ...LOAD_OPTIONS,
];
const SPRITE_OPTIONS: readonly string[] = [
  ...optionNames<SpriteOptions>({ size: 0, flipbook: 0, billboard: 0 }),
  ...ADD_OPTIONS,
];
const ATTACH = optionNames<NonNullable<AddOptions['attachTo']>>({ space: 0, actor: 0, joint: 0, offset: 0 });
const CAMERA = optionNames<CameraState>({ azimuth: 0, polar: 0, distance: 0, target: 0, fovY: 0 });
const LIMITS = optionNames<CameraLimits>({ azimuth: 0, polar: 0, distance: 0, fovY: 0, target: 0 });
const PADDING = optionNames<CameraPadding>({ left: 0, top: 0, right: 0, bottom: 0 });

/** The result of {@link Viewer.pick}. @category Points on the surface */
export interface Picked {
  /** The point on the surface, in metres, in world space. */
  readonly position: Vector;
  /** The surface normal: a unit vector towards the camera. */
  readonly normal: Vector;
  /** The node of the viewer's own model with the largest weight at this point; null for other actors and crowds. */
  readonly joint: JointInfo | null;
  /** The viewer or the actor with this surface; null for crowds. */
  readonly actor: Performer | null;
  /** The point in the meshes of the {@link Picked.actor}, for {@link Performer.surface}; null for crowds. */
  readonly surface: Surface | null;
}

/**
 * A canvas that plays animated models. Made by {@link createViewer}.
 *
 * A viewer has one model of its own, which {@link Viewer.load} replaces and which the viewer's playback controls play. It can
 * have any number of further actors ({@link Viewer.add}). After {@link Viewer.dispose} every call throws `viewer/disposed`.
 * @category Viewers and actors
 */
export class Viewer extends LitPerformer {
  /** The canvas this viewer draws to. @category Viewers and actors */
  readonly canvas: HTMLCanvasElement;
  readonly #options: ViewerOptions;
  readonly #loader: ModelLoads;
  #debug = debugSettings('none');
  #skinning: Skinning = 'linear';
  #padding: CameraPadding = {};

  /** @internal */
  constructor(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions, screen?: Screen) {
    super(new Engine(core, canvas, options, screen));
    this.engine.listen({
      frameBegins: () => this.eachFrame('before-render'),
      cameraMoved: (source) => this.send('camera-change', { ...this.camera, source }),
      contextLost: () => this.send('contextlost', {}),
      contextRestored: () => this.send('contextrestored', {}),
      settingFailed: (error) => this.missing(error),
      failed: (error) => {
        this.abort(error);
        this.#loader.dispose();
        this.send('error', errorDetail(error));
      },
    });
    this.canvas = canvas;
    this.#options = options;
    this.#loader = new ModelLoads(core, this.engine, {
      progress: (progress) => this.send('progress', progress),
      light: (model, signal) => this.useFileLight(model, signal),
      show: (model) => this.#show(model),
      shown: ({ name, url }) => this.send('firstframe', { name, url }),
    });
    const { cameraControls = true, touchAction = 'none', keyboard = true } = options;
    if (cameraControls)
      this.cameraControls = { touchAction, keyboard, ...(typeof cameraControls === 'object' ? cameraControls : {}) };
  }

  // ---- the model

  /**
   * Loads a model and shows it in place of the one before, which stays on screen and playable until then.
   * Resolves when the new one is on screen. A pending load of the viewer's own model is aborted.
   *
   * Viewers with `renderer: 'shared'` that load the same URL with the same options share one request, one import and the GPU
   * resources of the model. The last of these viewers frees them. A URL that the viewer shows already is loaded again.
   *
   * It loads the features that the file needs, and no others; {@link use} prepares synchronous calls.
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`; the model before stays. A missing or broken image is
   * only a warning.
   * @category Viewers and actors
   */
  async load(source: AssetSource, options: LoadOptions = {}): Promise<void> {
    this.engine.check();
    // A remembered `play()` was meant for the model of the aborted load, not for this one.
    if (this.#loader.busy) this.dropIntent('Playback aborted: another load() began.');
    try {
      const model = await this.#loader.load(source, options);
      this.send('load', { name: model.name, url: model.url });
    } catch (thrown) {
      const error = asGambolError(thrown, 'load/failed');
      // While another load is pending, a remembered `play()` belongs to that load.
      if (!this.#loader.busy) this.dropIntent('Playback aborted: the model could not be loaded.');
      // A panic and the disposal of the viewer were reported already.
      if (!['load/aborted', 'wasm/panic', 'viewer/disposed'].includes(error.code))
        this.send('error', errorDetail(error));
      throw error;
    }
  }

  /** Removes the viewer's own model from the stage and frees it. @category Viewers and actors */
  unload(): void {
    this.engine.check();
    this.#loader.cancel();
    const reason = 'Playback aborted: the model was unloaded.';
    this.abortPlaying(reason);
    this.dropIntent(reason);
    this.leave(reason);
    this.engine.call(() => undefined);
  }

  /**
   * Loads features, so that their synchronous calls work; without arguments, all of them. Asynchronous calls, such as {@link load} and
   * {@link addCrowd}, and setters load what they need themselves. The viewers of a page share the features.
   *
   * ```js
   * await viewer.use('picking', 'body');
   * viewer.feet();
   * ```
   *
   * @throws {@link GambolError} `load/chunk`, after the others have loaded; the next call tries again. `argument/invalid`
   * @category Features
   */
  async use(...features: FeatureName[]): Promise<void> {
    this.engine.check();
    await useIn(this.engine.core, checkedFeatures(features));
  }

  /**
   * `true` if the synchronous calls of a feature work.
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Features
   */
  uses(feature: FeatureName): boolean {
    checkedFeatures([feature]);
    return isUsed(this.engine.core, feature);
  }

  // ---- more actors

  /**
   * Adds an actor to the stage, paused at the beginning of its first clip that lasts. Its model is loaded from a source, or shared with an
   * actor that is on stage already. Resolves when the actor is on screen.
   *
   * ```js
   * const second = await viewer.add(viewer.model, { position: [1, 0, 0] });
   * second.play('Wave');
   * const hat = await viewer.add('hat.glb', { attachTo: { joint: 'Head', offset: [0, 0.1, 0] } });
   * ```
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`, `joint/not-found`, `actor/cycle`, `argument/invalid`
   * @category Viewers and actors
   */
  async add(from: AssetSource | Model, options: AddOptions = {}): Promise<Actor> {
    this.engine.check();
    checkedOptions(options, ADD_OPTIONS, 'add()');
    const place = placeNumbers(options);
    const joint = this.#jointOf(options);
    const { space = 'metres' } = options.attachTo ?? {};
    inOwnUnits({ space });
    const actor = await this.#withModel(from, options, (model) => new Actor(this.engine, model, options, place));
    try {
      options.begin?.(actor);
      joint?.attach(actor, options.attachTo?.offset, { space });
    } catch (error) {
      actor.remove();
      throw error;
    }
    await this.engine.presented();
    return actor;
  }

  /**
   * Adds a sprite to the stage: an image on an unlit quad, which faces the camera. It is an actor whose only joint and material are
   * named `Sprite`. Resolves when it is on screen. It loads the feature `extras`.
   *
   * ```js
   * const bubble = await viewer.addSprite('bubble.png', { size: 0.3, attachTo: { joint: 'Head', offset: [0, 0.4, 0] } });
   * const spark = await viewer.addSprite('spark.png', { flipbook: { columns: 4, rows: 2, fps: 12 }, position: [1, 1, 0] });
   * ```
   *
   * @throws {@link GambolError} `fetch/…`, `image/unsupported`, `load/…`, `joint/not-found`, `argument/invalid`
   * @category Sprites and materials
   */
  async addSprite(image: SpriteImage, options: AddOptions & SpriteOptions = {}): Promise<Actor> {
    this.engine.check();
    checkedOptions(options, SPRITE_OPTIONS, 'addSprite()');
    const { addSprite } = await loadScript(this.engine.core, 'extras');
    return addSprite(image, options, (file, rest, begin) => this.add(file, { ...rest, begin }));
  }

  /**
   * Adds a crowd: many instances of one model, set from typed arrays, with one draw call per mesh and level of detail. The model
   * is loaded from a source, or shared with an actor that is on stage already. Resolves when the crowd is on screen. It loads the
   * feature `crowds`.
   *
   * ```js
   * const crowd = await viewer.addCrowd('runner.glb', { count: 1000, clips: 'Run' });
   * crowd.set({ positions, starts: Float64Array.from({ length: 1000 }, () => viewer.now - Math.random()) });
   * ```
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`, `clip/not-found`, `argument/invalid`, `render/too-large`
   * @category Viewers and actors
   */
  async addCrowd(from: AssetSource | Model, options: CrowdOptions = {}): Promise<Crowd> {
    this.engine.check();
    const { Crowd: Made } = await loadScript(this.engine.core, 'crowds');
    const source = await Made.open(from, options);
    const make = (model: Model): Crowd => new Made(this.engine, model, (owner, ref) => new Material(owner, ref));
    const crowd = await this.#withModel(source, options, make);
    await crowd.fill(options);
    return crowd;
  }

  /** Calls `use` with a model that is on stage, or with a new model in the task in which its load ends. */
  async #withModel<T>(from: AssetSource | Model, options: LoadOptions, use: (model: Model) => T): Promise<T> {
    const { host } = this.engine;
    if (from instanceof Model && !host.shows(from))
      throw new GambolError(
        'argument/invalid',
        'The model is not on this stage: it was freed with its last actor, or it belongs to another viewer. Load it again.',
      );
    if (from instanceof Model) return use(from);
    const model = await this.#loader.fetch(from, options);
    try {
      this.engine.check();
    } catch (error) {
      host.discard(model);
      throw error;
    }
    for (const warning of model.warnings) this.warn({ ...warning });
    return use(model);
  }

  #jointOf({ attachTo }: AddOptions): Joint | undefined {
    if (attachTo === undefined) return undefined;
    checkedObject(attachTo, 'attachTo');
    checkedNames(attachTo, ATTACH, 'attachTo');
    const { actor = this, joint } = attachTo;
    if (!((actor as unknown) instanceof Performer))
      throw new GambolError('argument/invalid', `attachTo.actor must be a viewer or an actor, not ${shown(actor)}.`);
    return actor.toJoint(joint);
  }

  // ---- the timeline

  /**
   * The clock of the timeline on which all actors and crowds play. Default: `auto`. A change does not move any playhead.
   *
   * ```js
   * viewer.timeline = document.querySelector('audio');
   * viewer.timeline = new ScrollTimeline({ source: document.documentElement });
   * viewer.timeline = () => context.currentTime;
   * ```
   *
   * Throws `argument/invalid` for anything else.
   * @category Playback
   */
  get timeline(): Timeline {
    return this.engine.clock.timeline;
  }

  set timeline(timeline: Timeline) {
    this.engine.check();
    this.engine.clock.timeline = timeline;
    this.engine.call(() => undefined);
  }

  /** The timeline's time in seconds. @category Playback */
  get now(): number {
    return this.engine.read(({ query }) => query.time(), 0);
  }

  /**
   * Advances the timeline by `seconds`, or moves it back if negative. Events are sent on the way forwards. It works with the
   * {@link timeline} `manual`, and with `auto`, too.
   *
   * ```js
   * viewer.timeline = 'manual';
   * viewer.advance(1 / 60);
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if another clock moves the timeline
   * @category Playback
   */
  advance(seconds: number): void {
    checkedNumber(seconds, 'seconds');
    if (typeof this.timeline !== 'string')
      throw new GambolError(
        'argument/invalid',
        'advance() needs the timeline auto or manual: another clock moves this one.',
      );
    this.engine.elapse(seconds);
  }

  /**
   * The behaviour of the timeline while the canvas is not visible: the page is hidden, or the canvas is outside the viewport.
   * Nothing is drawn meanwhile.
   *
   * | value | behaviour |
   * |---|---|
   * | `pause` (default) | time stands still |
   * | `catch-up` | time stands still, and advances by the whole gap when the canvas is visible again |
   * | `run` | time goes on, with all events |
   *
   * `catch-up` sends at most the last 64 events of the gap; the first of them has the number of those before as `skipped`. After
   * a single frame of more than 100 ms, `pause` advances by 100 ms ({@link Stats.skippedTime}), the others by the whole time. A
   * page whose frames stay slow always plays at full speed.
   * @category Viewers and actors
   */
  get visibility(): Visibility {
    return this.engine.clock.visibility;
  }

  set visibility(visibility: Visibility) {
    this.engine.check();
    this.engine.clock.visibility = visibility;
  }

  // ---- camera and picture

  /**
   * The state of the viewer's own camera, as a copy. Setting it moves the camera without easing; omitted properties stay. Values
   * are clamped: the polar angle to 0.01 from the poles, the distance to 0.02 … 100 times the size of the scene, `fovY` to
   * `0.02..=3`. {@link cameraLimits} do not apply. Throws `argument/invalid` for numbers that are not finite.
   * @category Camera
   */
  get camera(): CameraState {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.engine.cameraState();
    return { azimuth, polar, distance, target: [x, y, z], fovY };
  }

  set camera(camera: Partial<CameraState>) {
    const { azimuth, polar, distance, target, fovY } = { ...this.camera, ...camera };
    const [x, y, z] = targetOf(target);
    for (const [name, value] of Object.entries({ azimuth, polar, distance, fovY })) checkedNumber(value, name);
    this.engine.moveCamera((stage) => stage.camera.set(azimuth, polar, distance, x, y, z, fovY));
  }

  /**
   * Moves the camera smoothly, by the shortest way around and within {@link cameraLimits}. Omitted properties keep the value of
   * {@link cameraGoal}. `viewer.camera = viewer.cameraGoal` ends the movement without easing.
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Camera
   */
  moveCamera(to: Partial<CameraState>): void {
    this.engine.check();
    checkedObject(to, 'The state for moveCamera()');
    checkedNames(to, CAMERA, 'moveCamera()');
    const { target, azimuth, polar, distance, fovY } = to;
    if (target !== undefined) targetOf(target);
    for (const [name, value] of Object.entries({ azimuth, polar, distance, fovY }))
      if (value !== undefined) checkedNumber(value, name);
    this.engine.motion.moveTo(to);
  }

  /** The state that the camera moves to; its current state while it does not move. @category Camera */
  get cameraGoal(): CameraState {
    return this.engine.motion.goal;
  }

  /**
   * The limits of the camera for user input and {@link moveCamera}. Default: only the poles limit it. Setting them does not move
   * the camera. Throws `argument/invalid` for a range that is not a least and a most value.
   * @category Camera
   */
  get cameraLimits(): CameraLimits {
    return this.engine.motion.limits;
  }

  set cameraLimits(limits: CameraLimits) {
    this.engine.check();
    checkedObject(limits, 'cameraLimits');
    checkedNames(limits, LIMITS, 'cameraLimits');
    const { target, ...ranges } = limits;
    for (const [name, range] of Object.entries(ranges) as [string, CameraLimits['azimuth']][]) {
      const [least, most] = (elementsOf(range) ?? [NaN, NaN]) as [number, number];
      if (range !== undefined && !(least <= most))
        throw new GambolError('argument/invalid', `cameraLimits.${name} must be [least, most], not ${shown(range)}.`);
    }
    if (target) {
      targetOf(target.center);
      checkedNumber(target.radius, 'cameraLimits.target.radius');
    }
    this.engine.motion.limits = { ...limits };
  }

  /**
   * The time in seconds, at least 0, in which the camera does most of a movement; 0 for no smoothing. Default: 0.045.
   * @category Camera
   */
  get cameraSmoothing(): number {
    return this.engine.motion.smoothing;
  }

  set cameraSmoothing(seconds: number) {
    this.engine.motion.smoothing = checkedSeconds(seconds, 'cameraSmoothing');
  }

  /**
   * The settings of the camera controls by mouse, touch, pen and keys; null for no controls. Setting it replaces all settings. The
   * script of the controls is loaded with the first viewer that has them; a `warning` reports `load/chunk`. The first gesture loads the
   * feature `picking`: from then on, a point of the surface stays under the pointer.
   * Throws `argument/invalid` for invalid settings.
   * @category Camera
   */
  get cameraControls(): CameraControlSettings | null {
    return this.engine.controls;
  }

  set cameraControls(settings: CameraControlSettings | null) {
    this.engine.check();
    if (settings !== null) checkedControls(settings);
    this.engine.setControls(settings && { ...settings }).catch((error: unknown) => this.missing(error));
  }

  /**
   * Turns the camera around its target by two angles in radians, without easing. A positive `azimuth` moves the camera
   * counter-clockwise, seen from above; a positive `polar` moves it down. It stops 0.01 from the poles.
   *
   * @throws {@link GambolError} `argument/invalid` if an angle is not a finite number
   * @category Camera
   */
  orbit(azimuth: number, polar: number): void {
    this.engine.moveCamera((stage) =>
      stage.camera.orbit(checkedNumber(azimuth, 'azimuth'), checkedNumber(polar, 'polar')),
    );
  }

  /**
   * Moves camera and target parallel to the picture, without easing, in fractions of the canvas height. Positive values move the
   * picture to the right and down.
   *
   * @throws {@link GambolError} `argument/invalid` if a number is not finite
   * @category Camera
   */
  pan(x: number, y: number): void {
    this.engine.moveCamera((stage) => stage.camera.pan(checkedNumber(x, 'x'), checkedNumber(y, 'y')));
  }

  /**
   * Multiplies the distance to the target by a factor above 0, without easing: less than 1 is closer. The distance is clamped to
   * 0.02 … 100 times the size of the scene. A factor of 0 or less does nothing.
   *
   * @throws {@link GambolError} `argument/invalid` if the factor is not a finite number
   * @category Camera
   */
  zoom(factor: number): void {
    this.engine.moveCamera((stage) => stage.camera.zoom(checkedNumber(factor, 'factor')));
  }

  /** Resets the camera: the initial direction, at a distance that frames all actors and crowds. @category Camera */
  resetCamera(): void {
    this.engine.moveCamera((stage) => stage.camera.reset());
  }

  /**
   * The poses that the automatic camera frames, until the camera is moved. Actors that follow a joint are framed with `pose`
   * only.
   *
   * | value | framed poses |
   * |---|---|
   * | `clip` (default) | all poses of the playing clips, layers included |
   * | `all-clips` | all poses of all clips |
   * | `pose` | the current pose |
   * | `rest` | the rest pose of the file |
   *
   * With `clip` the camera glides out in 0.5 s of the timeline when a larger clip begins to play. It cuts if the clip is paused,
   * or if the system asks for reduced motion. For a smaller clip it stays until a model is loaded, an actor is added, or {@link
   * frame} or {@link resetCamera} is called.
   *
   * Throws `argument/invalid` for another word.
   * @category Camera
   */
  get framing(): Framing {
    return this.engine.read(({ query }) => query.framing(), 'clip');
  }

  set framing(framing: Framing) {
    checkedFraming(framing);
    this.engine.call((stage) => stage.camera.setFraming(framing));
  }

  /**
   * The parts of the canvas that the page covers, for example with panels. The target of the camera is in the middle of the rest, and
   * framed actors fill the rest, at least a tenth of the canvas. Stills of another size, and cameras of files, have no padding.
   *
   * ```js
   * viewer.cameraPadding = { left: 320 };
   * ```
   *
   * Throws `argument/invalid` for a number that is not finite.
   * @category Camera
   */
  get cameraPadding(): CameraPadding {
    return this.#padding;
  }

  set cameraPadding(padding: CameraPadding) {
    checkedObject(padding, 'cameraPadding');
    checkedNames(padding, PADDING, 'cameraPadding');
    const { left = 0, top = 0, right = 0, bottom = 0 } = padding;
    for (const side of [left, top, right, bottom]) checkedNumber(side, 'A side of cameraPadding');
    this.#padding = { left, top, right, bottom };
    this.engine.call(({ camera }) => camera.setPadding(left, top, right, bottom));
  }

  /**
   * The distance and target of the automatic camera, at the end of its glide; null if the camera was moved.
   *
   * @internal
   */
  get framedCamera(): Pick<CameraState, 'distance' | 'target'> | null {
    const framed = this.engine.read(({ query }) => query.framedCamera(), undefined);
    return framed ? { distance: framed.distance, target: vectorAt(framed.target) } : null;
  }

  /** Moves the camera, without turning it, so that it frames all actors and crowds. @category Camera */
  frame(): void {
    this.engine.moveCamera((stage) => stage.camera.frame());
  }

  /**
   * The skinning method of all actors, which also applies to {@link bounds} and {@link pick}. Default: `linear`, as glTF
   * specifies; `dual-quaternion` keeps the volume of bent and twisted joints. A change takes effect when the shader programs are
   * compiled, and the feature `extras` is loaded; a failure is a `warning`.
   *
   * ```js
   * viewer.skinning = 'dual-quaternion';
   * ```
   *
   * Throws `argument/invalid` for another word.
   * @category Pictures
   */
  get skinning(): Skinning {
    return this.#skinning;
  }

  set skinning(skinning: Skinning) {
    checkedSkinning(skinning);
    this.engine.check();
    // Setting the initial `linear` must not load the feature.
    if (skinning === this.#skinning) return;
    this.#skinning = skinning;
    this.engine.settings.whenRuns('extras', 'skinning', (stage) => stage.setSkinning(this.#skinning));
  }

  /**
   * The background colour, or null for transparent. It may be set to a CSS colour; it is read as red, green, blue and alpha, each
   * `0..=1`, sRGB. Throws `argument/invalid` for other values.
   * @category Pictures
   */
  get background(): Rgba | null {
    return this.engine.background ?? null;
  }

  set background(color: Rgba | string | null) {
    const rgba = checkedRgba(color);
    this.engine.call(() => (this.engine.background = rgba));
  }

  /**
   * The picture of the canvas, at its size in device pixels or at another size. With `time` it is a still of any time, drawn off
   * screen. The same file, clip, time and size give the same pixels.
   *
   * An automatic camera frames the current clip for the size of the picture, even if the canvas still shows the frame of a larger
   * clip. A camera that was moved keeps the height of its view. Playback is not affected. While the context is lost, the call
   * waits for a new one. Any other picture than that of the canvas loads the feature `extras`.
   *
   * ```js
   * const poster = await viewer.toBlob({ time: 1.5, width: 1200, height: 630, background: [1, 1, 1, 1] });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `viewer/picture-too-large`, `viewer/no-picture`, `load/chunk`
   * @category Pictures
   */
  async toBlob(options: PictureOptions = {}): Promise<Blob> {
    checkedOptions(options, PICTURE_OPTIONS, 'toBlob()');
    const [still, encoding] = [checkedStill(options), checkedEncoding(options)];
    let { canvas } = this;
    if (this.engine.host.screen.stills || !this.#framesAsStill || Object.keys(still).length > 0) {
      canvas = await this.#still(still);
    } else {
      await this.#usable();
      // The drawing buffer is empty after a frame was presented, so it is drawn in the task that reads it.
      this.engine.call(() => this.engine.draw());
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, ...encoding)).catch(noPicture);
    return blob ?? noPicture(blob);
  }

  /**
   * A still of any time, like that of {@link toBlob}, as a bitmap.
   *
   * @throws {@link GambolError} as {@link toBlob}
   * @category Pictures
   */
  async renderAt(time: number, options: Omit<StillOptions, 'time'> = {}): Promise<ImageBitmap> {
    checkedOptions(options, STILL_OPTIONS, 'renderAt()');
    return createImageBitmap(await this.#still({ ...checkedStill(options), time: checkedNumber(time, 'time') })).catch(
      noPicture,
    );
  }

  /** Draws a still. */
  async #still(still: PlainStill): Promise<HTMLCanvasElement> {
    this.engine.check();
    const script = await loadScript(this.engine.core, 'extras');
    const { screen } = this.engine.host;
    const { drawStill } = screen.stills ?? script;
    await this.#usable();
    const actor = this.readActor<number | undefined>((_, number) => number, undefined);
    return drawStill(still, {
      actor,
      visibleCanvas: this.canvas,
      gl: screen.context.gl,
      draw: (still) => this.engine.readOrThrow((stage) => stage.drawStill(still)),
    });
  }

  /** `true` if the camera of the canvas frames the models in the same way as a still. */
  get #framesAsStill(): boolean {
    return this.engine.read(({ query }) => query.framesAsStill(), true);
  }

  /** Waits for a new context if the context is lost. */
  async #usable(): Promise<void> {
    this.engine.check();
    if (this.engine.host.lost) await this.engine.host.usable;
  }

  /**
   * Projects a point in world space, or an offset at a joint ({@link JointSpace}), onto the canvas. The result is in CSS pixels
   * from the left and the top; `depth` is in metres in front of the camera. With a `depth` of 0 or less, behind the camera, `x`
   * and `y` are not meaningful. Null without a model.
   *
   * @throws {@link GambolError} `joint/not-found`, `argument/invalid`
   * @category Points on the surface
   */
  project(
    point: Vector,
    joint?: JointRef | Joint,
    options: JointSpaceOptions = {},
  ): {
    /** CSS pixels from the left of the canvas; negative to the left of it. */
    readonly x: number;
    /** CSS pixels from the top of the canvas; negative above it. */
    readonly y: number;
    /** Metres in front of the camera; 0 or less behind it. */
    readonly depth: number;
  } | null {
    const at = vectorNumbers(point, 3, 'point');
    const [px = 0, py = 0, pz = 0] = at;
    const index = joint === undefined ? undefined : this.toJoint(joint).index;
    const ownUnits = inOwnUnits(options);
    const [x, y, depth] = this.readActor<ArrayLike<number> & Iterable<number>>(
      ({ query }, actor) =>
        index === undefined ? query.projectPoint(px, py, pz) : query.projectJoint(actor, index, ownUnits, px, py, pz),
      NOTHING,
    );
    return x === undefined || y === undefined || depth === undefined ? null : { x, y, depth };
  }

  /**
   * Picks the surface at a point of the canvas, in CSS pixels from the left and the top: its position and normal in world space,
   * in the current pose, and the joint with the largest weight. Null if there is no surface. Needs the feature `picking`.
   *
   * @throws {@link GambolError} `feature/not-used`; `argument/invalid` if a coordinate is not a finite number
   * @category Points on the surface
   */
  pick(x: number, y: number): Picked | null {
    checkedNumber(x, 'x');
    checkedNumber(y, 'y');
    this.engine.needs('picking', 'pick()');
    const picked = this.engine.pick(x, y);
    return picked && this.#picked(picked);
  }

  #picked({ hit, ...place }: NonNullable<ReturnType<Engine['pick']>>): Picked {
    const actor = (this.engine.performer(hit.actor) as Performer | undefined) ?? null;
    return {
      ...place,
      actor,
      joint: (actor === this && this.joints[hit.joint]) || null,
      surface: actor && ([...hit.surface] as unknown as Surface),
    };
  }

  /**
   * The material at a point of the canvas, in CSS pixels from the left and the top: of the model, of an actor or of a crowd. Null if
   * there is no surface, or none with a material of the file. Needs the features `picking` and `materials`.
   *
   * ```js
   * await viewer.use('picking', 'materials');
   * canvas.onclick = ({ offsetX, offsetY }) => viewer.materialFromPoint(offsetX, offsetY)?.set({ emissive: 'gold' });
   * ```
   *
   * @throws {@link GambolError} `feature/not-used`; `argument/invalid` if a coordinate is not a finite number
   * @category Points on the surface
   */
  materialFromPoint(x: number, y: number): Material | CrowdMaterial | null {
    this.engine.needs('materials', 'materialFromPoint()');
    const hit = this.#hit(x, y, 'materialFromPoint()');
    if (!hit) return null;
    const [mesh = 0, primitive = 0] = hit.surface;
    const index = this.engine.readOrThrow(({ query }) => query.materialOf(hit.actor, mesh, primitive));
    if (index === undefined) return null;
    const owner = this.engine.performer(hit.actor) ?? this.engine.crowd(hit.actor);
    return (owner as Performer | Crowd | undefined)?.material(index) ?? null;
  }

  /**
   * The node of the mesh at a point of the canvas, in CSS pixels from the left and the top: of the model, or of an actor. Null if there is
   * no surface of one. Needs the feature `picking`.
   *
   * @throws {@link GambolError} `feature/not-used`; `argument/invalid` if a coordinate is not a finite number
   * @category Points on the surface
   */
  nodeFromPoint(x: number, y: number): Joint | null {
    const hit = this.#hit(x, y, 'nodeFromPoint()');
    const owner = hit && this.engine.performer(hit.actor);
    return (owner as Performer | undefined | null)?.node(hit?.meshNode ?? 0) ?? null;
  }

  #hit(x: number, y: number, call: string): Hit | undefined {
    checkedNumber(x, 'x');
    checkedNumber(y, 'y');
    this.engine.needs('picking', call);
    return this.engine.pick(x, y)?.hit;
  }

  /**
   * The depth of a point in world space behind the visible surface, in metres. It is the distance to the point from the first
   * surface on the line from the camera, in the current poses of all actors and crowds. 0 if no surface is in front of the point,
   * and for a point behind the camera. Transparent materials count as surfaces. It is cheap enough for dozens of points per
   * frame. Needs the feature `picking`.
   *
   * @throws {@link GambolError} `argument/invalid`, `feature/not-used`
   * @category Points on the surface
   */
  occlusion(point: Vector): number {
    const [x = 0, y = 0, z = 0] = vectorNumbers(point, 3, 'point');
    this.engine.needs('picking', 'occlusion()');
    return this.engine.read(({ query }) => query.occlusion(x, y, z), 0);
  }

  /**
   * The picture of {@link toBlob} as a data URL, returned synchronously; empty while the context is lost. With a worker it is the
   * last picture that the canvas shows. Options of stills have no effect. Without the feature `extras`, an automatic camera that glides
   * is where the canvas shows it.
   *
   * @throws {@link GambolError} `argument/invalid`
   * @category Pictures
   */
  toDataURL(options: PictureOptions = {}): string {
    checkedOptions(options, PICTURE_OPTIONS, 'toDataURL()');
    const encoding = checkedEncoding(options);
    const { core, host } = this.engine;
    const isStill = !host.screen.stills && core.features.has('extras') && !this.#framesAsStill;
    if (isStill) this.engine.drawStill();
    else this.engine.call(() => this.engine.draw());
    const url = this.canvas.toDataURL(...encoding);
    // Restores the visible picture in the same task, before the browser paints.
    if (isStill) this.engine.draw();
    return url;
  }

  /**
   * The upper limit of frames per second, at least 15, to save energy; it does not change the speed of playback. Default:
   * Infinity, the rate of the display. Throws `argument/invalid`.
   * @category Pictures
   */
  get maxFps(): number {
    return this.engine.maxFps;
  }

  set maxFps(fps: number) {
    if (!(typeof fps === 'number' && fps >= 15))
      throw new GambolError('argument/invalid', `maxFps must be a number of at least 15, not ${shown(fps)}.`);
    this.engine.maxFps = fps;
  }

  // ---- the user's surroundings

  /** Resolves to `true` if the device and the page can open {@link enterAr}. @category Augmented and virtual reality */
  async canEnterAr(): Promise<boolean> {
    return (await xrPart.load()).supports('immersive-ar');
  }

  /** Resolves to `true` if the device and the page can open {@link enterVr}. @category Augmented and virtual reality */
  async canEnterVr(): Promise<boolean> {
    return (await xrPart.load()).supports('immersive-vr');
  }

  /**
   * Shows the stage in the user's surroundings, by WebXR: on a surface that the device finds. Animations go on. One finger moves the model
   * over the surface, or turns it if it begins beside the model; two fingers turn and scale it. Resolves when the session has begun. Call
   * it in a handler of a tap or a click. It loads the features `extras` and `light`.
   *
   * ```js
   * const session = await viewer.enterAr({ placement: 'floor' });
   * await session.ended;
   * ```
   *
   * @throws {@link GambolError} `xr/unsupported`, `xr/denied`, `xr/busy`, `xr/failed`, `argument/invalid`, `load/chunk`
   * @category Augmented and virtual reality
   */
  async enterAr(options: ArOptions = {}): Promise<ImmersiveSession> {
    this.engine.check();
    return (await xrPart.load()).enterAr(this, options);
  }

  /**
   * Shows the stage in a headset, by WebXR: the user stands in front of the model, and points with controllers or hands. A selection of a
   * surface sends `xr-select`. Resolves when the session has begun. Call it in a handler of a click. It loads the features `extras`,
   * `light` and `picking`.
   *
   * ```js
   * const session = await viewer.enterVr();
   * viewer.addEventListener('xr-select', ({ detail }) => console.log(detail.joint));
   * ```
   *
   * @throws {@link GambolError} `xr/unsupported`, `xr/denied`, `xr/busy`, `xr/failed`, `argument/invalid`, `load/chunk`
   * @category Augmented and virtual reality
   */
  async enterVr(options: VrOptions = {}): Promise<ImmersiveSession> {
    this.engine.check();
    return (await xrPart.load()).enterVr(this, options, (hit: Hit) => {
      const place = { position: vectorAt(hit.position), normal: vectorAt(hit.normal) };
      const { actor, joint, surface } = this.#picked({ hit, ...place });
      this.send('xr-select', { ...place, joint: joint?.name ?? null, surface: actor === this ? surface : null });
    });
  }

  // ---- looking inside

  /**
   * The debug views: any number of overlays, and at most one surface view; see {@link DebugOverlay} and {@link DebugSurface}.
   * Default: none. The joint of a `weights:` view is a joint of the viewer's own model; in other models it is the joint of the
   * same name.
   *
   * ```js
   * viewer.debug = 'skeleton names';
   * viewer.debug = ['weights:Left Arm', 'wireframe'];
   * viewer.debug = 'none';
   * ```
   *
   * Setting views loads the feature `extras`; a failure is a `warning`.
   *
   * Throws `argument/invalid` for an unknown view and for two surface views, and `joint/not-found` if the model has no such
   * joint. If a later model has no such joint, a `warning` is sent, and its weights are shown as 0.
   * @category Debug views and statistics
   */
  get debug(): readonly DebugView[] {
    return this.#debug.views;
  }

  set debug(views: string | readonly string[]) {
    this.engine.check();
    const debug = debugSettings(views);
    if (this.model) checkDebugJoint(this.model, debug.joint);
    this.#debug = debug;
    const isPlain = debug.surface === undefined && debug.views.length === 0 && !debug.names;
    const show = (stage: CoreStage): void => {
      const { views, surface, joint, names } = this.#debug;
      this.engine.showNames(names).catch((error: unknown) => this.missing(error));
      const has = (view: DebugView): boolean => views.includes(view);
      stage.setDebug({
        surface,
        joint,
        skeleton: has('skeleton'),
        bounds: has('bounds'),
        wireframe: has('wireframe'),
        normalLines: has('normal-lines'),
        tangentLines: has('tangent-lines'),
        bindPose: has('bind-pose'),
        grid: has('grid'),
      });
    };
    if (!isPlain || this.engine.core.features.has('extras')) this.engine.settings.whenRuns('extras', 'debug', show);
  }

  /**
   * Statistics of frames (draw calls, state changes, bytes, milliseconds) and of live GL objects. It is a copy of the current
   * values, or, with a worker, of those of its last frame.
   * @category Debug views and statistics
   */
  get stats(): Stats {
    return this.engine.read(({ query }) => query.stats(), NO_STATS);
  }

  /** The motion of the camera, and its controls, if there are any. @internal */
  get cameraInput(): { readonly motion: CameraMotion; readonly controls: CameraControls | undefined } {
    return { motion: this.engine.motion, controls: this.engine.cameraControls };
  }

  /** The number of GL objects of each kind that this viewer holds. @category Debug views and statistics */
  liveObjects(): Record<string, number> {
    return { ...this.stats.live };
  }

  // ---- the end

  /**
   * Frees all GL objects, memory, listeners and observers of the viewer. Calling it again does nothing.
   * @category Viewers and actors
   */
  dispose(): void {
    this.#loader.dispose();
    this.stopLighting();
    // The engine aborts only actors on stage; a `play()` before the first model waits here.
    const reason = 'Playback aborted: the viewer was disposed of.';
    this.abort(new GambolError('play/aborted', reason));
    this.engine.dispose();
    this.leave(reason);
  }

  /** The same as {@link dispose}, for `using viewer = await createViewer(canvas)`. @category Viewers and actors */
  [disposeSymbol](): void {
    this.dispose();
  }

  /** @internal */
  protected override get waiting(): boolean {
    return this.#loader.busy;
  }

  #show(model: Model): void {
    // The old model is freed before the new one enters, because memory may be tight.
    this.leave('Playback aborted: another model was loaded.');
    const actor = this.engine.host.add(model, placeNumbers(this.placed));
    this.engine.call((stage) => stage.camera.reset());
    this.enter(actor, model);
    for (const warning of model.warnings) this.warn({ ...warning });
    try {
      checkDebugJoint(model, this.#debug.joint);
    } catch (error) {
      const { code, message } = asGambolError(error, 'joint/not-found');
      this.warn({ code, message, pointer: '' });
    }
    this.#start();
    this.send('modelchange', { name: model.name, url: model.url });
  }

  /** Plays the remembered `play()`, or the first clip that lasts if `autoplay` is set. */
  #start(): void {
    if (this.startIntent() || this.#options.autoplay !== true || this.clips.length === 0) return;
    if (reducedMotion() && this.#options.reducedMotion !== 'ignore') {
      this.warn(REDUCED_MOTION);
    } else {
      this.change(({ playback }, actor) => playback.play(actor, 0));
    }
  }
}

/** Throws for an encoding that failed: browsers return null, or throw, if memory is short or the context is lost. */
function noPicture(cause: unknown): never {
  throw new GambolError(
    'viewer/no-picture',
    'The browser could not make a picture of the canvas. Try a smaller size.',
    { cause },
  );
}

/** The checked coordinates of a camera target, from any iterable. @throws {@link GambolError} `argument/invalid` */
function targetOf(target: Iterable<number>): Vector {
  const [x, y, z] = (elementsOf(target) ?? []) as unknown as Vector;
  return [checkedNumber(x, 'target[0]'), checkedNumber(y, 'target[1]'), checkedNumber(z, 'target[2]')];
}
