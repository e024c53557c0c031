/// <reference lib="esnext.disposable" preserve="true" />
import { Actor } from './actor.ts';
import type { CameraControls } from '../camera/controls.ts';
import { reducedMotion, type CameraMotion } from '../camera/motion.ts';
import type { Timeline } from '../stage/clock.ts';
import { checkedRgba, type Rgba } from '../values/color.ts';
import type { Screen } from '../stage/graphics-context.ts';
import { type CoreStage, NOTHING, type Core } from '../wasm/core.ts';
import type { Crowd, CrowdOptions } from './crowd.ts';
import { checkDebugJoint, debugSettings, type DebugView } from './debug-views.ts';
import { Engine } from '../stage/engine.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { errorDetail, type CameraLimits, type CameraState } from '../values/events.ts';
import { Joint } from './joint.ts';
import { LitPerformer } from './lighting.ts';
import type { LoadOptions } from '../load/import-model.ts';
import { ModelLoads } from './model-loads.ts';
import { Model, type JointInfo, type JointRef } from '../load/model.ts';
import { checkedControls, checkedEncoding, checkedFraming, checkedNumber, checkedObject, checkedSeconds, checkedSkinning, checkedStill, type CameraControlSettings, type PictureOptions, type PlainStill, type StillOptions, type ViewerOptions, type Visibility } from '../values/options.ts';
import { Performer } from './performer.ts';
import { inOwnUnits, numbers as vectorNumbers, placeAndNormal, placeNumbers, type JointSpaceOptions, type Place, type Vector } from '../values/transforms.ts';
import type { AssetSource } from '../load/source.ts';
import { NO_STATS, type Stats } from '../values/stats.ts';
import { lazily } from '../base/lazily.ts';
import type { Framing, Skinning } from '../values/words.ts';
import { shown } from '../base/shown.ts';

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** Options of {@link Viewer.add}. */
export interface AddOptions extends Place, LoadOptions {
  /** The joint that the actor follows, and where it stands there; see {@link Joint.attach}. */
  readonly attachTo?: JointSpaceOptions & {
    /** Default: the viewer's own model. */
    readonly actor?: Performer;
    readonly joint: JointRef | Joint;
    readonly offset?: Vector | Place;
  };
}

/** What {@link Viewer.pick} finds. */
export interface Picked {
  /** Metres of the world. */
  readonly position: Vector;
  /** Of length 1, towards the camera. */
  readonly normal: Vector;
  /** The node of the viewer's own model that moves the place most; null for those of others. */
  readonly joint: JointInfo | null;
  /** Where it is in the meshes of the viewer's own model, for {@link Viewer.surface}; null for those of others. */
  readonly surface: Surface | null;
}

/** A place in a triangle: mesh and primitive in the file, three vertices, and how much each of those counts; the sum is 1. */
export type Surface = readonly [mesh: number, primitive: number, a: number, b: number, c: number, ofA: number, ofB: number, ofC: number];

/**
 * A canvas that plays characters. Made by {@link createViewer}.
 *
 * It has one model of its own, which {@link Viewer.load} replaces and which the viewer's transport plays, and any number
 * of further actors ({@link Viewer.add}). After {@link Viewer.dispose} every call throws `viewer/disposed`.
 */
export class Viewer extends LitPerformer {
  /** The canvas this viewer draws to. */
  readonly canvas: HTMLCanvasElement;
  readonly #options: ViewerOptions;
  readonly #loader: ModelLoads;
  #debug = debugSettings('none');
  #skinning: Skinning = 'linear';

  /** @internal */
  constructor(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions, screen?: Screen) {
    super(new Engine(core, canvas, options, screen));
    this.engine.listen({
      frameBegins: () => this.eachFrame('before-render'),
      cameraMoved: (source) => this.send('camera-change', { ...this.camera, source }),
      contextLost: () => this.send('contextlost', {}),
      contextRestored: () => this.send('contextrestored', {}),
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
      show: (model) => this.#show(model),
      intends: () => this.intends,
      seen: ({ name, url }) => this.send('firstframe', { name, url }),
    });
  }

  // ---- the model

  /**
   * Loads a model and shows it in place of the one before, which stays on screen and playable until then.
   * Resolves when the new one is on screen. A load that is still under way is given up: the last one wins.
   *
   * Viewers with `renderer: 'shared'` that load the same address with the same options share one request, one import and the GPU's copy
   * of the model, until the last of them lets it go. What the viewer shows already is loaded anew.
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`; the model before stays. A missing or broken image is
   * only a warning.
   */
  async load(source: AssetSource, options: LoadOptions = {}): Promise<void> {
    this.engine.check();
    // What was to be played of a model that never came is not meant for this one.
    if (this.#loader.busy) this.dropIntent('Another model is loaded.');
    try {
      const model = await this.#loader.load(source, options);
      this.send('load', { name: model.name, url: model.url });
    } catch (thrown) {
      const error = asGambolError(thrown, 'load/failed');
      // While another load is under way the intent is for that one.
      if (!this.#loader.busy) this.dropIntent('The model could not be loaded.');
      // A panic and the end of the viewer have been told already.
      if (!['load/aborted', 'wasm/panic', 'viewer/disposed'].includes(error.code)) this.send('error', errorDetail(error));
      throw error;
    }
  }

  /** Takes the model off the stage and frees it. */
  unload(): void {
    this.engine.check();
    this.#loader.cancel();
    this.abortPlaying('The model was taken away.');
    this.dropIntent('The model was taken away.');
    this.leave('The model was taken away.');
    this.engine.call(() => undefined);
  }

  // ---- more actors

  /**
   * Puts another actor on stage, paused at the beginning of its first clip: from a source, or of a model that is on
   * stage already, which they share. Resolves when it is on screen.
   *
   * ```js
   * const second = await viewer.add(viewer.model, { position: [1, 0, 0] });
   * second.play('Wave');
   * const hat = await viewer.add('hat.glb', { attachTo: { joint: 'Head', offset: [0, 0.1, 0] } });
   * ```
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`, `joint/not-found`, `actor/cycle`, `argument/invalid`
   */
  async add(from: AssetSource | Model, options: AddOptions = {}): Promise<Actor> {
    this.engine.check();
    const place = placeNumbers(options);
    const joint = this.#jointOf(options);
    const { space = 'metres' } = options.attachTo ?? {};
    inOwnUnits({ space });
    if (joint) await this.engine.core.loadRest();
    const actor = await this.#withModel(from, options, (model) => new Actor(this.engine, model, options, place));
    if (joint) {
      try {
        joint.attach(actor, options.attachTo?.offset, { space });
      } catch (error) {
        actor.remove();
        throw error;
      }
    }
    await this.engine.presented();
    await this.engine.core.loadRest().catch(() => undefined);
    return actor;
  }

  /**
   * Puts many members of one model on stage, from a source, or of a model that is on stage already: in one draw for each of its
   * meshes, and set from typed arrays. Resolves when they are on screen. What does it is loaded with the first crowd.
   *
   * ```js
   * const crowd = await viewer.addCrowd('runner.glb', { count: 1000, clips: 'Run' });
   * crowd.set({ positions, starts: Float64Array.from({ length: 1000 }, () => viewer.now - Math.random()) });
   * ```
   *
   * @throws {@link GambolError} `fetch/…`, `import/…`, `load/…`, `clip/not-found`, `argument/invalid`, `render/too-large`
   */
  async addCrowd(from: AssetSource | Model, options: CrowdOptions = {}): Promise<Crowd> {
    this.engine.check();
    const [{ Crowd: Made }] = await Promise.all([lazily('what does crowds', () => import('./crowd.ts')), this.engine.core.loadRest()]);
    Made.check(options);
    const crowd = await this.#withModel(from, options, (model) => new Made(this.engine, model));
    await crowd.fill(options);
    return crowd;
  }

  /** Uses a model that is on stage, or one that is loaded for it, at once when it is there. */
  async #withModel<T>(from: AssetSource | Model, options: LoadOptions, use: (model: Model) => T): Promise<T> {
    const { host } = this.engine;
    if (from instanceof Model && !host.shows(from)) throw new GambolError('argument/invalid', 'The model is not on this stage: it was freed with the last actor that showed it, or was never here.');
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
    const { actor = this, joint } = attachTo;
    if (!((actor as unknown) instanceof Performer)) throw new GambolError('argument/invalid', `The actor of attachTo must be a viewer or an actor, not ${shown(actor)}.`);
    return joint instanceof Joint ? joint : actor.joint(joint);
  }

  // ---- the timeline

  /**
   * What moves the timeline that everybody plays on. Default: `auto`. A change moves nobody.
   *
   * ```js
   * viewer.timeline = document.querySelector('audio');
   * viewer.timeline = new ScrollTimeline({ source: document.documentElement });
   * viewer.timeline = () => context.currentTime;
   * ```
   *
   * Throws `argument/invalid` for anything else.
   */
  get timeline(): Timeline {
    return this.engine.clock.timeline;
  }

  set timeline(timeline: Timeline) {
    this.engine.check();
    this.engine.clock.timeline = timeline;
    this.engine.call(() => undefined);
  }

  /** The timeline's time in seconds. */
  get now(): number {
    return this.engine.read(({ query }) => query.time(), 0);
  }

  /**
   * Moves the timeline by so many seconds, back if negative; everything happens that lies on the way forwards. For a
   * {@link timeline} that is `manual`; also by `auto`.
   *
   * ```js
   * viewer.timeline = 'manual';
   * viewer.advance(1 / 60);
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if another clock moves the timeline
   */
  advance(seconds: number): void {
    checkedNumber(seconds, 'The time');
    if (typeof this.timeline !== 'string') throw new GambolError('argument/invalid', 'Another clock moves the timeline.');
    this.engine.elapse(seconds);
  }

  /**
   * What happens while nobody sees the canvas, because the page is hidden or it is out of view: nothing, and time stands still
   * (`pause`, the default); nothing, but when it is seen again the time that has passed is made up for (`catch-up`), with the
   * last 64 events at most, of which the first says how many were `skipped`; or time goes on with all its events, and only the
   * drawing rests (`run`). With `pause`, of a frame that hung for more than 100 ms those count ({@link Stats.skippedTime}); with the
   * others the page makes up for that, too. Frames that stay slow always move on by the time that passes.
   */
  get visibility(): Visibility {
    return this.engine.clock.visibility;
  }

  set visibility(visibility: Visibility) {
    this.engine.check();
    this.engine.clock.visibility = visibility;
  }

  // ---- camera and picture

  /** Where the viewer's own camera is; a copy. Setting it moves the camera there, what is left out stays. */
  get camera(): CameraState {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.engine.cameraState();
    return { azimuth, polar, distance, target: [x, y, z], fovY };
  }

  set camera(camera: Partial<CameraState>) {
    const { azimuth, polar, distance, target, fovY } = { ...this.camera, ...camera };
    const [x, y, z] = targetOf(target);
    for (const value of [azimuth, polar, distance, fovY]) checkedNumber(value, 'The camera');
    this.engine.moveCamera((stage) => stage.camera.set(azimuth, polar, distance, x, y, z, fovY));
  }

  /**
   * Takes the camera there smoothly, the short way round and within {@link cameraLimits}; what is left out stays as it was
   * meant. `viewer.camera = viewer.cameraGoal` is there at once.
   */
  moveCamera(to: Partial<CameraState>): void {
    this.engine.check();
    checkedObject(to, 'moveCamera()');
    if (to.target !== undefined) targetOf(to.target);
    for (const value of [to.azimuth, to.polar, to.distance, to.fovY]) {
      if (value !== undefined) checkedNumber(value, 'The camera');
    }
    this.engine.motion.moveTo(to);
  }

  /** Where the camera is on its way to; where it is, while nothing moves it. */
  get cameraGoal(): CameraState {
    return this.engine.motion.goal;
  }

  /** Where hands and {@link moveCamera} may take it. Default: no further than the poles. */
  get cameraLimits(): CameraLimits {
    return this.engine.motion.limits;
  }

  set cameraLimits(limits: CameraLimits) {
    this.engine.check();
    checkedObject(limits, 'cameraLimits');
    const { target, ...ranges } = limits;
    for (const range of Object.values(ranges) as (CameraLimits['azimuth'])[]) {
      const [least, most] = (elementsOf(range) ?? [NaN, NaN]) as [number, number];
      if (range !== undefined && !(least <= most)) throw new GambolError('argument/invalid', 'A limit of the camera is a least and a most value.');
    }
    if (target) {
      targetOf(target.center);
      checkedNumber(target.radius, 'The radius of the target');
    }
    this.engine.motion.limits = { ...limits };
  }

  /** Seconds in which the camera does most of a movement; 0 is at once. Default: 0.045. */
  get cameraSmoothing(): number {
    return this.engine.motion.smoothing;
  }

  set cameraSmoothing(seconds: number) {
    this.engine.motion.smoothing = checkedSeconds(seconds, 'cameraSmoothing');
  }

  /** How mouse, touch, pen and keys move the camera; null if they do not. Setting it replaces all of it. */
  get cameraControls(): CameraControlSettings | null {
    return this.engine.controls;
  }

  set cameraControls(settings: CameraControlSettings | null) {
    this.engine.check();
    if (settings !== null) checkedControls(settings);
    this.engine.controls = settings && { ...settings };
  }

  /** Turns the camera around its target, in radians. */
  orbit(azimuth: number, polar: number): void {
    this.engine.moveCamera((stage) => stage.camera.orbit(checkedNumber(azimuth, 'azimuth'), checkedNumber(polar, 'polar')));
  }

  /** Moves camera and target sideways, in fractions of the canvas height. */
  pan(x: number, y: number): void {
    this.engine.moveCamera((stage) => stage.camera.pan(checkedNumber(x, 'x'), checkedNumber(y, 'y')));
  }

  /** Multiplies the distance to the target: less than 1 is closer. */
  zoom(factor: number): void {
    this.engine.moveCamera((stage) => stage.camera.zoom(checkedNumber(factor, 'factor')));
  }

  /** Puts the camera where everybody is in view, and looks from where it did at first. */
  resetCamera(): void {
    this.engine.moveCamera((stage) => stage.camera.reset());
  }

  /**
   * The poses that the automatic camera frames, until it is moved: those of the clips that play, layers included (`clip`, the default),
   * `all-clips`, the `pose` of the moment, or the pose of the file at `rest`. Actors that follow a joint count with `pose` only.
   *
   * With `clip` the camera glides out in 0.5 s of the timeline when a larger clip begins to play; it cuts if the clip is paused, or if the
   * system asks for less motion. It stays for a smaller clip, until a model is loaded or an actor added, or until {@link frame} or
   * {@link resetCamera} is called.
   */
  get framing(): Framing {
    return this.engine.read(({ query }) => query.framing(), 'clip');
  }

  set framing(framing: Framing) {
    checkedFraming(framing);
    this.engine.call((stage) => stage.camera.setFraming(framing));
  }

  /**
   * Distance and target of the automatic camera where it is, or where it glides to; null if it was moved.
   *
   * @internal
   */
  get framedCamera(): Pick<CameraState, 'distance' | 'target'> | null {
    const [distance, x = 0, y = 0, z = 0] = this.engine.read(({ query }) => query.framedCamera(), undefined) ?? NOTHING;
    return distance === undefined ? null : { distance, target: [x, y, z] };
  }

  /** Moves the camera, without turning it, to where everybody is in view. */
  frame(): void {
    this.engine.moveCamera((stage) => stage.camera.frame());
  }

  /**
   * How the joints of everybody are blended, in the picture, in {@link bounds} and in {@link pick}. Default: `linear`, as glTF has it;
   * `dual-quaternion` keeps the volume of what bends and twists. A change waits for the programs of the other.
   *
   * ```js
   * viewer.skinning = 'dual-quaternion';
   * ```
   *
   * Throws `argument/invalid` for another word.
   */
  get skinning(): Skinning {
    return this.#skinning;
  }

  set skinning(skinning: Skinning) {
    checkedSkinning(skinning);
    this.engine.check();
    // The linear one that there is to begin with needs nothing of the rest.
    if (skinning === this.#skinning) return;
    this.#skinning = skinning;
    this.whenComplete((stage) => stage.setSkinning(this.#skinning));
  }

  /**
   * The colour behind the model, or null for transparent. May be set to a CSS colour; is read as red, green, blue and alpha, each
   * `0..=1`, sRGB. Throws `argument/invalid` for anything else.
   */
  get background(): Rgba | null {
    return this.engine.background ?? null;
  }

  set background(color: Rgba | string | null) {
    const rgba = checkedRgba(color);
    this.engine.call(() => (this.engine.background = rgba));
  }

  /**
   * The canvas as a picture, at its size in device pixels or at another; or a still, of any time, that is seen nowhere else: the same file
   * with the same clip at the same time and size gives the same pixels. A camera that nobody has moved frames the present clip for that
   * size, also while the canvas still shows where a larger clip was; another keeps its height. What is played goes on as if nothing had
   * been. While the context is lost it waits for another.
   *
   * ```js
   * const poster = await viewer.toBlob({ time: 1.5, width: 1200, height: 630, background: [1, 1, 1, 1] });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `viewer/picture-too-large`, `viewer/no-picture`
   */
  async toBlob(options: PictureOptions = {}): Promise<Blob> {
    checkedObject(options, 'toBlob()');
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
   * A still of any time, as {@link toBlob} makes it, as a bitmap.
   *
   * @throws {@link GambolError} as {@link toBlob}
   */
  async renderAt(time: number, options: Omit<StillOptions, 'time'> = {}): Promise<ImageBitmap> {
    checkedObject(options, 'renderAt()');
    return createImageBitmap(await this.#still({ ...checkedStill(options), time: checkedNumber(time, 'The time') })).catch(noPicture);
  }

  /** What draws stills is a script of its own, and in the rest of the module. */
  async #still(still: PlainStill): Promise<HTMLCanvasElement> {
    this.engine.check();
    const { screen } = this.engine.host;
    const [{ drawStill }] = await Promise.all([screen.stills ?? lazily('what draws stills', () => import('../stage/still.ts')), this.engine.core.loadRest()]);
    await this.#usable();
    const actor = this.peek<number | undefined>((_, number) => number, undefined);
    return drawStill(still, {
      actor, seen: this.canvas, drawn: screen.context.canvas,
      draw: (width, height, time, rgba) => this.engine.look((stage) => stage.drawStill(width, height, actor, time, rgba)),
    });
  }

  /** `true` if the canvas is framed as a still is. */
  get #framesAsStill(): boolean {
    return this.engine.read(({ query }) => query.framesAsStill(), true);
  }

  /** Waits for the context, should it be lost. */
  async #usable(): Promise<void> {
    this.engine.check();
    if (this.engine.host.lost) await this.engine.host.usable;
  }

  /**
   * The place of a point of the world, or of an offset at a joint ({@link JointSpace}), on the canvas: CSS pixels from the left and the top, and metres
   * in front of the camera, 0 or less behind it, where `x` and `y` mean nothing. Null without a model.
   *
   * @throws {@link GambolError} `joint/not-found`, `argument/invalid`
   */
  project(point: Vector, joint?: JointRef | Joint, options: JointSpaceOptions = {}): { readonly x: number; readonly y: number; readonly depth: number } | null {
    const at = vectorNumbers(point, 3, 'point');
    const [px = 0, py = 0, pz = 0] = at;
    const index = joint === undefined ? undefined : (joint instanceof Joint ? joint : this.joint(joint)).index;
    const ownUnits = inOwnUnits(options);
    const [x, y, depth] = this.peek<ArrayLike<number> & Iterable<number>>(({ query }, actor) => (
      index === undefined ? query.projectPoint(px, py, pz) : query.projectJoint(actor, index, ownUnits, px, py, pz)
    ), NOTHING);
    return x === undefined || y === undefined || depth === undefined ? null : { x, y, depth };
  }

  /**
   * What is seen at a place of the canvas, in CSS pixels from the left and the top: the point and the direction of the surface
   * there, in the world, as it is posed now, and whose joint moves it most. Null for nothing.
   */
  pick(x: number, y: number): Picked | null {
    checkedNumber(x, 'x');
    checkedNumber(y, 'y');
    const picked = this.engine.pick(x, y);
    if (!picked) return null;
    const { hit, ...place } = picked;
    const own = this.peek((_, number) => number, -1) === hit.actor;
    return {
      ...place, joint: own ? (this.joints[hit.joint] ?? null) : null,
      surface: own ? ([...hit.surface] as unknown as Surface) : null,
    };
  }

  /**
   * Where a place of the model's surface is now, in the world, and the direction of the surface there: skinned, morphed and moved.
   * Null if the model has no such place.
   */
  surface(at: Surface): { readonly position: Vector; readonly normal: Vector } | null {
    const numbers = Float64Array.from(vectorNumbers(at, 8, 'surface'));
    return placeAndNormal(this.peek(({ query }, actor) => query.surface(actor, numbers), undefined) ?? NOTHING);
  }

  /**
   * Depth of a point of the world behind the visible surface: the distance in metres from the first surface on the line from the
   * camera to the point, as all actors and crowds are posed now, to the point. 0 if no surface is before it, and 0 for a point
   * behind the camera. Transparent materials count as surfaces. Cheap enough for some dozens of points in each frame.
   *
   * @throws {@link GambolError} `argument/invalid`
   */
  occlusion(point: Vector): number {
    const [x = 0, y = 0, z = 0] = vectorNumbers(point, 3, 'point');
    return this.engine.read(({ query }) => query.occlusion(x, y, z), 0);
  }

  /** The same as an address, at once; empty while the context is lost. What a worker draws is the picture that came last, as it is seen. */
  toDataURL(options: PictureOptions = {}): string {
    checkedObject(options, 'toDataURL()');
    const encoding = checkedEncoding(options);
    const isStill = !this.engine.host.screen.stills && !this.#framesAsStill;
    if (isStill) this.engine.drawStill();
    else this.engine.call(() => this.engine.draw());
    const url = this.canvas.toDataURL(...encoding);
    // The picture that is seen, in the same task.
    if (isStill) this.engine.draw();
    return url;
  }

  /**
   * The most frames that are drawn a second, at least 15, to spare batteries; time goes on as ever. Default: Infinity, as many as the
   * display shows. Throws `argument/invalid`.
   */
  get maxFps(): number {
    return this.engine.maxFps;
  }

  set maxFps(fps: number) {
    if (!(typeof fps === 'number' && fps >= 15)) throw new GambolError('argument/invalid', `maxFps must be a number of at least 15, not ${shown(fps)}.`);
    this.engine.maxFps = fps;
  }

  // ---- looking inside

  /**
   * What is shown to find out what is wrong with a model: any overlays, and one thing in place of materials; see
   * {@link DebugOverlay} and {@link DebugSurface}. Default: none. A joint is that of the viewer's own model, and of the same name in
   * other models.
   *
   * ```js
   * viewer.debug = 'skeleton names';
   * viewer.debug = ['weights:Left Arm', 'wireframe'];
   * viewer.debug = 'none';
   * ```
   *
   * Throws `argument/invalid` for a word that is no view, and for two that are of the surface; `joint/not-found` if the model
   * has no such joint. If a later model has none, that is a `warning`, and its weights are nothing.
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
      stage.setDebug(
        surface, joint, has('skeleton'), has('bounds'), has('wireframe'), has('normal-lines'), has('tangent-lines'), has('bind-pose'), has('grid'),
      );
    };
    if (this.isComplete || !isPlain) this.whenComplete(show);
  }

  /**
   * Costs of frames (calls, changes of state, bytes, milliseconds) and objects that are held. A copy of now; in a worker, of its last
   * frame; zeros until {@link load} has resolved.
   */
  get stats(): Stats {
    if (!this.isComplete) return NO_STATS;
    return this.engine.read(({ query }) => query.stats(), NO_STATS);
  }

  /** `true` once the rest of the module is there. @internal */
  get isComplete(): boolean {
    return this.engine.core.isComplete();
  }

  /** What moves the camera on behalf of hands. @internal */
  get hands(): { readonly motion: CameraMotion; readonly controls: CameraControls | undefined } {
    return { motion: this.engine.motion, controls: this.engine.hands };
  }

  /** How many GL objects of each kind this viewer holds. */
  liveObjects(): Record<string, number> {
    return { ...this.stats.live };
  }

  // ---- the end

  /** Gives everything back: GL objects, memory, listeners, observers. Calling it again does nothing. */
  dispose(): void {
    this.#loader.dispose();
    this.stopLighting();
    // Also where nothing is on stage yet.
    this.abort(new GambolError('play/aborted', 'The viewer was disposed of.'));
    this.engine.dispose();
    this.leave('The viewer was disposed of.');
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  /** @internal */
  protected override get waiting(): boolean {
    return this.#loader.busy;
  }

  #show(model: Model): void {
    // The old one goes first: memory may be tight.
    this.leave('Another model took its place.');
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

  /** Plays what was asked for, or by itself. */
  #start(): void {
    if (this.keepIntent() || this.#options.autoplay !== true || this.clips.length === 0) return;
    if (reducedMotion() && this.#options.reducedMotion !== 'ignore') {
      this.warn({ code: 'motion/reduced', message: 'Not played by itself: your system asks for less motion.', pointer: '' });
    } else {
      this.change(({ playback }, actor) => playback.play(actor, 0));
    }
  }
}

/** Browsers answer with null, or throw, for want of memory or with a lost context. */
function noPicture(cause: unknown): never {
  throw new GambolError('viewer/no-picture', 'The browser could not make a picture of the canvas.', { cause });
}

/** The coordinates of a target, which may be any list. @throws {@link GambolError} `argument/invalid` */
function targetOf(target: Iterable<number>): Vector {
  const [x, y, z] = (elementsOf(target) ?? []) as unknown as Vector;
  return [checkedNumber(x, 'The target'), checkedNumber(y, 'The target'), checkedNumber(z, 'The target')];
}
