// The script API of `<gambol-viewer>`: playback, camera, points and pictures; much of it is that of <model-viewer>.

import { GambolError, asGambolError } from '../base/errors.ts';
import type { CameraState } from '../values/events.ts';
import { checkedNumber, checkedOptions, optionNames } from '../values/options.ts';
import { canvasPoint } from '../base/page-points.ts';
import { shown } from '../base/shown.ts';
import type { Layer } from '../api/layer.ts';
import type { Performer } from '../api/performer.ts';
import { lazily } from '../base/lazily.ts';
import type { SceneExportOptions } from './export-scene.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import type { Transport } from '../api/transport.ts';
import type { Picked, Viewer } from '../api/viewer.ts';
import { degrees } from './base/css-values.ts';
import { isHtmlElement } from './base/dom.ts';
import type { ElementEventDetails, Point, SurfacePoint } from './base/events.ts';
import type { HotspotState } from './children/hotspots.ts';
import { changeRate } from './features/warp.ts';
import type { Session } from './session.ts';
import type { ViewerAttributes } from './viewer-attributes.ts';
import {
  inModel,
  matrixOf,
  middleAndSides,
  placeFrom,
  placeOf,
  vector,
  wholePlace,
  type ModelPlace,
} from './base/model-space.ts';

/** `HTMLElement`, or an empty class on a server, so that the module can be imported there. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/**
 * Options of {@link GambolViewer.play}; the defaults are the attributes.
 * @category Options and results of the element
 */
export interface ElementPlayOptions {
  /** The number of repetitions: a whole number of at least 1, or `Infinity`. */
  readonly repetitions?: number;
  /** `true` to play forwards and backwards in turn. */
  readonly pingpong?: boolean;
  /** The model: 0 is the element's own, and the `<extra-model>` children count from 1. Default: all models. */
  readonly modelIndex?: number | null;
}

/** Options of {@link GambolViewer.appendAnimation}. @category Options and results of the element */
export interface AppendOptions {
  /** The weight in the average, in which the current clip has weight 1; at least 0. Default: 1. */
  readonly weight?: number;
  /** The speed: 1 is the speed of the file, negative plays backwards. Default: 1. */
  readonly timeScale?: number;
  /** The duration of the fade-in in seconds, at least 0; `true` for `animation-crossfade-duration`. Default: `false`, no fade. */
  readonly fade?: boolean | number;
  /**
   * The time in seconds (`true`: 1.25) in which the speed changes linearly to `timeScale`: from the speed that the appended clip
   * had before, or 1. With `relativeWarp: false` it starts at 0. Default: `false`, no change of speed.
   */
  readonly warp?: boolean | number;
  /** `false` if the speed of `warp` starts at 0. Default: `true`. */
  readonly relativeWarp?: boolean;
  /** The start time in seconds of the clip; a time outside the clip is clamped. Default: its beginning. */
  readonly time?: number | null;
  /** The number of repetitions: a whole number of at least 1, or `Infinity`. Default: `Infinity`. */
  readonly repetitions?: number | null;
  /** `true` to play forwards and backwards in turn. Default: `false`. */
  readonly pingpong?: boolean;
  /** The model: 0 is the element's own, and the `<extra-model>` children count from 1. Default: all models with the clip. */
  readonly modelIndex?: number | null;
}

/** Options of a picture; the defaults are those of the canvas. @category Options and results of the element */
export interface ElementPictureOptions {
  /** The image format: `image/png` (the default), `image/jpeg`, `image/webp`. */
  readonly mimeType?: string;
  /** The quality of lossy formats, `0..=1`. */
  readonly qualityArgument?: number;
  /** `true` to crop to the aspect ratio that the model fills; see {@link GambolViewer.getIdealAspect}. */
  readonly idealAspect?: boolean;
  /** The time in seconds of the clip. */
  readonly time?: number;
  /** The width in pixels. Default: from `height` by the aspect ratio, else the width of the canvas. */
  readonly width?: number;
  /** The height in pixels. Default: from `width` by the aspect ratio, else the height of the canvas. */
  readonly height?: number;
  /** The background: a CSS colour; null is transparent. */
  readonly background?: string | null;
}

const APPEND = optionNames<AppendOptions>({
  weight: 0,
  timeScale: 0,
  fade: 0,
  warp: 0,
  relativeWarp: 0,
  time: 0,
  repetitions: 0,
  pingpong: 0,
  modelIndex: 0,
});
const PICTURE = optionNames<ElementPictureOptions>({
  mimeType: 0,
  qualityArgument: 0,
  idealAspect: 0,
  time: 0,
  width: 0,
  height: 0,
  background: 0,
});

/** The default duration of a warp in seconds, as in <model-viewer>. */
const WARP = 1.25;
/** The natural logarithm of the zoom factor of one step of `zoom()`. */
const ZOOM = 0.04;

/** A `play()` that is remembered until the model is loaded. */
interface Intent {
  readonly options: ElementPlayOptions;
  readonly started: Deferred;
}

export interface ElementApi extends ViewerAttributes {}

/** The methods and the live properties of {@link GambolViewer}. */
export abstract class ElementApi extends Base {
  #intent: Intent | undefined;
  #startTime: number | undefined;
  #entityPlace: ModelPlace | null = null;
  /** The layers of {@link appendAnimation}. */
  readonly #appended = new WeakSet<Layer>();

  /** The session of the viewer; undefined without a viewer. @internal */
  protected abstract readonly session: Session | undefined;
  /** `true` while a model is loading. @internal */
  protected abstract readonly busy: boolean;

  /**
   * The viewer, for features without an attribute: joints, layers, more actors; null before it is created.
   * @category Viewers and actors
   */
  get viewer(): Viewer | null {
    return this.session?.viewer ?? null;
  }

  // ---- playing

  /** The ids of the clips of all models; an id is the name of the clip if that is unique in its model. @category Playback */
  get availableAnimations(): string[] {
    return [...new Set(this.#models.flatMap(({ clips }) => clips.map(({ id }) => id)))];
  }

  /** The names of the clips that {@link appendAnimation} plays over the current one. @category Mixing */
  get appendedAnimations(): string[] {
    const names = this.#models.flatMap(({ layers }) => [...layers].map(({ name }) => name));
    return [...new Set(names)].filter((name) => !name.startsWith('*'));
  }

  /** The duration of the current clip in seconds, of the longest of all models; 0 without a model or a clip. @category Playback */
  get duration(): number {
    return Math.max(0, ...this.#models.map(({ duration }) => duration));
  }

  /**
   * The playhead in seconds. Setting it seeks; a time outside the clip is clamped. Before a model is loaded, it applies to that
   * model.
   * @category Playback
   */
  get currentTime(): number {
    return this.#startTime ?? Math.max(0, ...this.#models.map(({ currentTime }) => currentTime));
  }

  set currentTime(time: number) {
    checkedNumber(time, 'time');
    if (this.#waiting) {
      this.#startTime = time;
      return;
    }
    for (const each of [...this.#models, ...(this.session as Session).animation.others]) each.currentTime = time;
  }

  /** `true` while all models are paused, stopped or finished. @category Playback */
  get paused(): boolean {
    return this.#intent ? false : this.#models.every(({ paused }) => paused);
  }

  /** `true` after the last repetition has ended, until the next call that changes playback. @category Playback */
  get ended(): boolean {
    return this.viewer?.ended ?? false;
  }

  /** The same as `timeScale`, by its name in media elements. @category Playback */
  get playbackRate(): number {
    return this.timeScale;
  }

  set playbackRate(rate: number) {
    this.timeScale = rate;
  }

  /** `false` for the loop mode `once`; a property of media elements. @category Playback */
  get loop(): boolean {
    return this.loopMode !== 'once';
  }

  set loop(on: boolean) {
    if (on !== this.loop) this.loopMode = on ? 'repeat' : 'once';
  }

  /**
   * Resumes playback, or restarts it if it has finished. Resolves when its first frame is on screen; rejects with `play/aborted`
   * if it is paused before. Before a model is loaded, the call is remembered for that model.
   *
   * Throws `argument/invalid`, also if there is no model `modelIndex`.
   * @category Playback
   */
  play(options: ElementPlayOptions = {}): Promise<void> {
    checkedOptions(options, ['repetitions', 'pingpong', 'modelIndex'], 'play()');
    if (this.#waiting) {
      const started = this.#intent?.started ?? deferred();
      this.#intent = { options, started };
      return started.promise;
    }
    return this.#play(options);
  }

  /**
   * Pauses at the playhead; {@link play} resumes from there. `modelIndex` is that of {@link play}.
   *
   * Throws `argument/invalid` if there is no model `modelIndex`.
   * @category Playback
   */
  pause(options: Pick<ElementPlayOptions, 'modelIndex'> = {}): void {
    checkedOptions(options, ['modelIndex'], 'pause()');
    const { session } = this;
    const models = session ? this.#chosen(options.modelIndex) : [];
    this.dropIntent('Playback aborted: it was paused before its first frame.');
    if (!session) return;
    if (session.extras && isAll(options.modelIndex)) session.extras.playing = false;
    for (const each of [...models, ...this.#together(models)]) each.pause();
  }

  /**
   * Moves the playhead to a time in seconds, clamped to the clip; resolves when its frame is on screen.
   * @category Playback
   */
  async seek(time: number): Promise<void> {
    if (this.#waiting) {
      this.currentTime = time;
      return;
    }
    const { viewer, models, animation } = this.session as Session;
    for (const each of [...models, ...animation.others]) if (each !== viewer) each.currentTime = time;
    await viewer.seek(time);
  }

  /**
   * Pauses and moves the playhead by whole frames of `fps`; a negative number moves it back. It stops at the ends of the clip.
   * Resolves when the frame is on screen. It does nothing while there is no model.
   * @category Playback
   */
  async step(frames: number): Promise<void> {
    const { viewer } = this;
    if (!viewer || this.#waiting) return;
    const { fps } = this;
    if (fps === 'auto') return void (await Promise.all(this.#models.map((each) => each.step(frames))));
    this.pause();
    await this.seek(Math.min(this.duration, Math.max(0, (Math.round(this.currentTime * fps) + frames) / fps)));
  }

  /**
   * Plays another clip, averaged with the current one by weight, in all models that have it. It resumes a paused element. It does nothing
   * without clips.
   *
   * Throws `clip/not-found`, `argument/invalid`.
   *
   * @param name the id or the name of the clip
   * @category Mixing
   */
  appendAnimation(name: string, options: AppendOptions = {}): void {
    checkedOptions(options, APPEND, 'appendAnimation()');
    if (this.availableAnimations.length === 0) return;
    const models = this.#chosen(options.modelIndex);
    const having = models.filter(({ clips }) => clips.some((clip) => clip.id === name || clip.name === name));
    // Without one, the element's own model throws.
    for (const model of having.length > 0 ? having : models.slice(0, 1)) this.#append(model, name, options);
    models.forEach(resume);
    this.#together(models).forEach(resume);
    this.send('append-animation', {});
  }

  #append(model: Performer, name: string, options: AppendOptions): void {
    const {
      weight = 1,
      timeScale = 1,
      fade = false,
      warp = false,
      relativeWarp = true,
      time,
      repetitions,
      pingpong,
    } = options;
    const before = model.layers.get(name);
    before?.remove({ fade: 0 });
    const layer = model.layers.add(name, {
      name,
      weight,
      mode: 'average',
      fade: this.#fade(fade),
      playbackRate: timeScale,
      repetitions: repetitions ?? Infinity,
      loopMode: pingpong ? 'pingpong' : 'repeat',
    });
    if (typeof time === 'number') layer.currentTime = time;
    const seconds = typeof warp === 'number' ? warp : warp ? WARP : 0;
    if (seconds > 0) changeRate(this.#shown, layer, relativeWarp ? (before?.playbackRate ?? 1) : 0, seconds);
    this.#appended.add(layer);
  }

  /**
   * Removes a clip of {@link appendAnimation} with a fade-out in seconds; `true`, the default, for
   * `animation-crossfade-duration`.
   *
   * Throws `argument/invalid`, also if there is no model `modelIndex`.
   * @category Mixing
   */
  detachAnimation(name: string, options: Pick<AppendOptions, 'fade' | 'modelIndex'> = {}): void {
    checkedOptions(options, ['fade', 'modelIndex'], 'detachAnimation()');
    const fade = this.#fade(options.fade ?? true);
    for (const { layers } of this.session ? this.#chosen(options.modelIndex) : []) layers.get(name)?.remove({ fade });
    this.send('detach-animation', {});
  }

  // ---- camera

  /**
   * The azimuth and polar angle in radians, and the distance in metres. Its `toString()` is a value of `camera-orbit`.
   * @category Camera
   */
  getCameraOrbit(): {
    /** The azimuth in radians; 0 looks at the model's front. */
    theta: number;
    /** The angle from straight above in radians. */
    phi: number;
    /** The distance from the target in metres. */
    radius: number;
  } {
    const { azimuth: theta, polar: phi, distance: radius } = this.#camera;
    return spoken({ theta, phi, radius }, (orbit) => `${orbit.theta}rad ${orbit.phi}rad ${orbit.radius}m`);
  }

  /** The target of the camera in metres. Its `toString()` is a value of `camera-target`. @category Camera */
  getCameraTarget(): Point {
    return vector(this.#camera.target);
  }

  /** The vertical field of view in degrees. @category Camera */
  getFieldOfView(): number {
    return degrees(this.#camera.fovY);
  }

  /** The smallest field of view of zooming, in degrees. @category Camera */
  getMinimumFieldOfView(): number {
    return degrees(this.viewer?.cameraLimits.fovY?.[0] ?? 0);
  }

  /** The largest field of view of zooming, in degrees. @category Camera */
  getMaximumFieldOfView(): number {
    return degrees(this.viewer?.cameraLimits.fovY?.[1] ?? 0);
  }

  /** The aspect ratio (width / height) of a picture that the model fills from every side. @category Camera */
  getIdealAspect(): number {
    const { x, y, z } = this.getDimensions();
    return y > 0 ? Math.hypot(x, z) / y : 1;
  }

  /** Moves the camera to its goal without easing. */
  jumpCameraToGoal(): void {
    const { viewer } = this;
    if (viewer) viewer.camera = viewer.cameraGoal;
  }

  /** Frames the model again, by the camera attributes. @category Camera */
  updateFraming(): Promise<void> {
    this.session?.camera.jump();
    return Promise.resolve();
  }

  /** Zooms in by steps, each of which is 30 pixels of the mouse wheel; a negative number zooms out. @category Camera */
  zoom(steps: number): void {
    this.viewer?.cameraInput.motion.add({ zoom: -ZOOM * checkedNumber(steps, 'steps') });
  }

  /** The angle of the turntable in radians. @category Camera */
  get turntableRotation(): number {
    return this.session?.turntable.angle ?? 0;
  }

  /** Sets the angle of the turntable in radians. @category Camera */
  resetTurntableRotation(theta = 0): void {
    if (!this.session) return;
    this.session.turntable.angle = checkedNumber(theta, 'theta');
    this.session.staging.applyPlace(true);
  }

  // ---- points

  /**
   * Picks the surface at a point of the page, in model space, the space of hotspots. Null if there is no surface. Needs the feature
   * `picking`: throws `feature/not-used`.
   * @category Points on the surface
   */
  positionAndNormalFromPoint(clientX: number, clientY: number): SurfacePoint | null {
    const hit = this.#pick(clientX, clientY);
    return hit && this.pointInModel(hit, hit.joint?.name ?? null, this.#indexOf(hit));
  }

  /** A point on the surface, in model space. @internal */
  protected pointInModel(hit: Pick<Picked, 'position' | 'normal'>, joint: string | null, modelIndex = 0): SurfacePoint {
    const { staging, extras } = this.session as Session;
    const extra = extras?.at(modelIndex);
    const { position, normal } = inModel(extra ? wholePlace(extra.place) : staging.place, hit);
    return { position: vector(position), normal: vector(normal), joint, modelIndex };
  }

  /**
   * The value of `data-surface` for a hotspot that follows the surface at a point of the page; null if there is no surface.
   * Needs the feature `picking`: throws `feature/not-used`.
   * @category Points on the surface
   */
  surfaceFromPoint(clientX: number, clientY: number): string | null {
    const hit = this.#pick(clientX, clientY);
    const index = hit ? this.#indexOf(hit) : 0;
    if (!hit?.surface || (index === 0 && hit.actor !== this.viewer)) return null;
    const numbers = hit.surface.map((value, i) => (i < 5 ? value : Number(value.toFixed(3))));
    return (index > 0 ? [index, ...numbers] : numbers).join(' ');
  }

  /**
   * The state of a hotspot, by the name of its slot; null if there is none. The first hotspot that is added after the event `load`
   * has a state when its script is loaded.
   * @category Points on the surface
   */
  queryHotspot(name: string): HotspotState | null {
    return this.session?.currentHotspots?.query(name) ?? null;
  }

  /** Sets the position, normal, surface point or model of a hotspot. @category Points on the surface */
  updateHotspot(hotspot: {
    name: string;
    position?: string;
    normal?: string;
    surface?: string;
    modelIndex?: number | null;
  }): void {
    checkedOptions(hotspot, ['name', 'position', 'normal', 'surface', 'modelIndex'], 'updateHotspot()');
    const { name, ...data } = hotspot;
    for (const child of this.children) {
      if (!isHtmlElement(child) || child.slot !== name) continue;
      for (const [key, value] of Object.entries(data))
        if (value !== undefined && value !== null) child.dataset[key] = String(value);
    }
    void this.session?.currentHotspots;
  }

  // ---- pictures

  /** The picture as an image file; see {@link Viewer.toBlob} for stills. @category Pictures */
  async toBlob(options: ElementPictureOptions = {}): Promise<Blob> {
    checkedOptions(options, PICTURE, 'toBlob()');
    const { mimeType, qualityArgument, idealAspect, background, ...still } = options;
    return this.#shown.toBlob({
      ...still,
      ...(mimeType && { mimeType }),
      ...(qualityArgument !== undefined && { quality: qualityArgument }),
      ...(idealAspect && { aspect: this.getIdealAspect() || 1 }),
      background,
    });
  }

  /**
   * A file with the model as it is shown: materials, `orientation` and `scale`, and its clips; see {@link Viewer.exportGlb}.
   * @category Exports
   */
  async exportScene(options: SceneExportOptions = {}): Promise<Blob> {
    const viewer = this.#shown;
    const { exportScene } = await lazily('the script for exports', () => import('./export-scene.ts'));
    return exportScene(viewer, options);
  }

  /** A still of any time, as a bitmap; see {@link Viewer.renderAt}. @category Pictures */
  async renderAt(
    time: number,
    options: Pick<ElementPictureOptions, 'width' | 'height' | 'background'> = {},
  ): Promise<ImageBitmap> {
    return this.#shown.renderAt(time, options);
  }

  /** The picture as a data URL; `data:,` without a viewer. @category Pictures */
  toDataURL(type?: string, quality?: number): string {
    return (
      this.viewer?.toDataURL({ ...(type && { mimeType: type }), ...(quality !== undefined && { quality }) }) ?? 'data:,'
    );
  }

  // ---- what <model-viewer> has besides

  /**
   * Width, height and depth in metres of the box around all vertices of the current pose, of all models.
   * @category Loading and models
   */
  getDimensions(): Point {
    return middleAndSides(this.#models)[1];
  }

  /**
   * The centre of the box in metres, as in W3C's `<model>`; see also {@link getDimensions}.
   * @category Loading and models
   */
  get boundingBoxCenter(): DOMPointReadOnly {
    return DOMPointReadOnly.fromPoint(this.getBoundingBoxCenter());
  }

  /**
   * The matrix from model space to scene space, without the rotation of the turntable. Setting it overrides `orientation` and
   * `scale`, until one of these attributes is set again.
   *
   * Throws `argument/invalid` for a matrix with shear or with a scale of 0.
   * @category Viewers and actors
   */
  get entityTransform(): DOMMatrixReadOnly {
    return matrixOf(this.basePlace);
  }

  set entityTransform(matrix: DOMMatrixReadOnly) {
    const basePlace = (matrix as DOMMatrixReadOnly | null | undefined) ? placeFrom(matrix) : null;
    if (!basePlace)
      throw new GambolError(
        'argument/invalid',
        'entityTransform must be a matrix of translation, rotation and scale, without shear and without a scale of 0.',
      );
    this.#entityPlace = basePlace;
    this.session?.staging.applyPlace();
  }

  /** @internal */
  get basePlace(): ModelPlace {
    return this.#entityPlace ?? this.session?.extras?.leadPlace ?? placeOf(this.orientation, this.scale);
  }

  /** Width, height and depth in metres, as in W3C's `<model>`. @category Loading and models */
  get boundingBoxExtents(): DOMPointReadOnly {
    return DOMPointReadOnly.fromPoint(this.getDimensions());
  }

  /** The centre of that box in metres. @category Loading and models */
  getBoundingBoxCenter(): Point {
    return middleAndSides(this.#models)[0];
  }

  // ---- inside

  /** Applies a seek and a `play()` from before the model was loaded; returns `false` if there was no `play()`. @internal */
  protected keepIntent(): boolean {
    const [intent, time] = [this.#intent, this.#startTime];
    this.#intent = this.#startTime = undefined;
    if (intent && this.duration === 0 && !this.session?.extras?.size)
      intent.started.reject(new GambolError('play/aborted', 'Playback aborted: the model has no clips.'));
    else if (intent) this.#playLater(intent);
    if (time !== undefined) this.currentTime = time;
    return intent !== undefined;
  }

  /** Plays by a remembered call; an error rejects its promise. */
  #playLater(intent: Intent): void {
    const { options, started } = intent;
    const play = (): void => {
      // It may have been dropped while the children were loading.
      if (this.#intent !== intent) return;
      this.#intent = undefined;
      try {
        this.#play(options).then(started.resolve, started.reject);
      } catch (error) {
        started.reject(asGambolError(error, 'argument/invalid'));
      }
    };
    this.#intent = intent;
    // The children begin to load with the model.
    if (options.modelIndex && this.session?.extras) void this.session.extras.loaded().then(play);
    else play();
  }

  /** Removes the transform of {@link entityTransform}, so that `orientation` and `scale` apply again. @internal */
  protected resetEntityTransform(): void {
    this.#entityPlace = null;
  }

  /** @internal */
  protected dropIntent(reason: string): void {
    this.#intent?.started.reject(new GambolError('play/aborted', reason));
    this.#intent = undefined;
  }

  /** @internal */
  protected send<Name extends keyof ElementEventDetails>(name: Name, detail: ElementEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** The models that are loaded: the element's own, and those of `<extra-model>` children. */
  get #models(): readonly Performer[] {
    return this.session?.models ?? [];
  }

  /** The model of an index, or all. @throws `GambolError` `argument/invalid` if there is no such model. */
  #chosen(modelIndex: ModelIndex): readonly Performer[] {
    if (isAll(modelIndex)) return this.#models;
    const model = Number.isInteger(modelIndex) ? this.session?.modelAt(modelIndex) : undefined;
    if (model) return [model];
    throw new GambolError(
      'argument/invalid',
      `There is no model ${shown(modelIndex)}: modelIndex is 0 for the element's own model, and the <extra-model> children that are loaded count from 1.`,
    );
  }

  #indexOf({ actor }: Picked): number {
    return this.session?.extras?.indexOf(actor) ?? 0;
  }

  /** `true` if calls have to wait for a model. */
  get #waiting(): boolean {
    return this.busy || !this.viewer?.model;
  }

  #pick(clientX: number, clientY: number): Picked | null {
    const { viewer } = this;
    if (!viewer) return null;
    const { x, y } = canvasPoint(viewer.canvas, checkedNumber(clientX, 'clientX'), checkedNumber(clientY, 'clientY'));
    // An element that is not shown has no points.
    return Number.isFinite(x) && Number.isFinite(y) ? viewer.pick(x, y) : null;
  }

  get #shown(): Viewer {
    if (this.viewer) return this.viewer;
    throw new GambolError('viewer/no-picture', 'There is no frame to make a picture of yet. Wait for the event load.');
  }

  get #camera(): CameraState {
    return this.viewer?.camera ?? { azimuth: 0, polar: 0, distance: 0, target: [0, 0, 0], fovY: 0 };
  }

  #play({ repetitions, pingpong, modelIndex }: ElementPlayOptions): Promise<void> {
    const { viewer, animation, extras } = this.session as Session;
    const models = this.#chosen(modelIndex);
    const options = {
      loopMode: pingpong ? ('pingpong' as const) : this.loopMode,
      repetitions: repetitions ?? this.repetitions,
    };
    if (extras && isAll(modelIndex)) extras.playing = true;
    if (models.includes(viewer)) for (const layer of animation.others) layer.play(options);
    this.#together(models).forEach(resume);
    // A model without clips does not begin to play, but another one may.
    const moving = extras ? models.filter(({ clips }) => clips.length > 0) : models;
    const started = Promise.all(moving.map((model) => model.play(options).started)).then(() => undefined);
    // A caller may ignore the result.
    started.catch(() => undefined);
    return started;
  }

  /** The layers that play and pause with models. */
  #together(models: readonly Performer[]): readonly Layer[] {
    const { viewer, animation } = this.session as Session;
    const appended = models.flatMap(({ layers }) => [...layers].filter((layer) => this.#appended.has(layer)));
    return models.includes(viewer) ? [...animation.others, ...appended] : appended;
  }

  #fade(fade: boolean | number): number {
    return typeof fade === 'number' ? fade : fade ? this.animationCrossfadeDuration / 1000 : 0;
  }
}

/** The index of a model; null and undefined stand for all models. */
type ModelIndex = number | null | undefined;

function isAll(modelIndex: ModelIndex): modelIndex is null | undefined {
  return (modelIndex ?? null) === null;
}

/** Resumes a transport that is paused and has not finished. */
function resume(each: Transport): void {
  if (each.paused && !each.ended) each.play();
}

/** Plain data whose `toString()` returns the value of an attribute, from the current numbers. */
function spoken<Data extends object>(data: Data, words: (data: Data) => string): Data {
  return Object.defineProperty(data, 'toString', { value: () => words(data) });
}
