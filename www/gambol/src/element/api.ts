// What scripts call on `<gambol-viewer>`: playing, camera, points, pictures; much of it as <model-viewer> has it.

import { GambolError } from '../base/errors.ts';
import type { CameraState } from '../values/events.ts';
import { checkedNumber, checkedObject } from '../values/options.ts';
import type { Layer } from '../api/layers.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import type { Transport } from '../api/transport.ts';
import type { Picked, Viewer } from '../api/viewer.ts';
import type { ElementEventDetails, Point, SurfacePoint } from './base/events.ts';
import type { HotspotState } from './children/hotspots.ts';
import type { Session } from './session.ts';
import type { ViewerAttributes } from './viewer-attributes.ts';
import { inModel, matrixOf, placeFrom, placeOf, vector, type ModelPlace } from './base/model-space.ts';

/** `HTMLElement`, where there is one: importing this on a server does nothing. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/** How to play; what is left out is as attributes say. */
export interface ElementPlayOptions {
  readonly repetitions?: number;
  /** Forwards and backwards in turn. */
  readonly pingpong?: boolean;
}

/** How another clip is played beside what plays. */
export interface AppendOptions {
  /** Its share beside the 1 of what plays, at least 0. */
  readonly weight?: number;
  readonly timeScale?: number;
  /** Seconds in which it fades in; or `animation-crossfade-duration`. */
  readonly fade?: boolean | number;
  /** Seconds, or 1.25, in which its speed becomes `timeScale`: from the speed that it had, or, not `relativeWarp`, from a standstill. */
  readonly warp?: boolean | number;
  readonly relativeWarp?: boolean;
  readonly time?: number | null;
  readonly repetitions?: number | null;
  readonly pingpong?: boolean;
}

/** A picture; what is left out is as on the canvas. */
export interface ElementPictureOptions {
  readonly mimeType?: string;
  /** `0..=1`, for the formats that lose detail. */
  readonly qualityArgument?: number;
  /** Cut to the shape in which the model fills it; see {@link ElementApi.getIdealAspect}. */
  readonly idealAspect?: boolean;
  /** Seconds of the clip. */
  readonly time?: number;
  /** Pixels; of one alone the other follows. */
  readonly width?: number;
  readonly height?: number;
  /** A CSS color; null is transparent. */
  readonly background?: string | null;
}

/** Seconds of a warp that says none, as in <model-viewer>. */
const WARP = 1.25;
/** The natural logarithm of a step of `zoom()`. */
const ZOOM = 0.04;

/** What is to be done when the model is there. */
interface Intent {
  readonly options: ElementPlayOptions;
  readonly started: Deferred;
}

export interface ElementApi extends ViewerAttributes {}

/** The methods and the live properties of {@link GambolViewer}. */
export abstract class ElementApi extends Base {
  #intent: Intent | undefined;
  #startTime: number | undefined;
  #stand: ModelPlace | null = null;
  /** The layers of {@link appendAnimation}. */
  readonly #appended = new WeakSet<Layer>();

  /** What there is while there is a viewer. @internal */
  protected abstract readonly session: Session | undefined;
  /** Whether a model is on its way. @internal */
  protected abstract readonly busy: boolean;

  /** The viewer, for all that has no attribute: joints, layers, more actors; null while there is none. */
  get viewer(): Viewer | null {
    return this.session?.viewer ?? null;
  }

  // ---- playing

  /** The clips by their ids, which are their names where those are unique. */
  get availableAnimations(): string[] {
    return (this.viewer?.clips ?? []).map(({ id }) => id);
  }

  /** The names of the clips that {@link appendAnimation} plays over the current one. */
  get appendedAnimations(): string[] {
    return [...(this.viewer?.layers ?? [])].map(({ name }) => name).filter((name) => !name.startsWith('*'));
  }

  /** Seconds of what plays; 0 without a model or a clip. */
  get duration(): number {
    return this.viewer?.duration ?? 0;
  }

  /** Seconds; setting it shows that very time, also before a model is there. */
  get currentTime(): number {
    return this.#startTime ?? this.viewer?.currentTime ?? 0;
  }

  set currentTime(time: number) {
    if (this.#waiting) {
      this.#startTime = time;
      return;
    }
    const { viewer, animation: { others } } = this.session as Session;
    for (const each of [viewer, ...others]) each.currentTime = time;
  }

  /** `true` while nothing plays. */
  get paused(): boolean {
    return this.#intent ? false : (this.viewer?.paused ?? true);
  }

  /** `true` after the last repetition, until something else happens. */
  get ended(): boolean {
    return this.viewer?.ended ?? false;
  }

  /** The same as `timeScale`, by the name that media elements have. */
  get playbackRate(): number {
    return this.timeScale;
  }

  set playbackRate(rate: number) {
    this.timeScale = rate;
  }

  /** `false` for the loop mode `once`, as media elements have it. */
  get loop(): boolean {
    return this.loopMode !== 'once';
  }

  set loop(on: boolean) {
    if (on !== this.loop) this.loopMode = on ? 'repeat' : 'once';
  }

  /** Plays: on from where it is, from the start once finished. Resolves when the first frame of it is on screen. */
  play(options: ElementPlayOptions = {}): Promise<void> {
    checkedObject(options, 'play()');
    if (this.#waiting) {
      const started = this.#intent?.started ?? deferred();
      this.#intent = { options, started };
      return started.promise;
    }
    return this.#play(options);
  }

  /** Stops where it is; {@link play} goes on from there. */
  pause(): void {
    this.dropIntent('Playing was paused before it began.');
    if (!this.session) return;
    for (const each of [this.session.viewer, ...this.#together]) each.pause();
  }

  /** Goes to a time; resolves when the frame that shows it is on screen. */
  async seek(time: number): Promise<void> {
    if (this.#waiting) {
      this.#startTime = time;
      return;
    }
    const { viewer, animation: { others } } = this.session as Session;
    for (const each of others) each.currentTime = time;
    await viewer.seek(time);
  }

  /** Pauses and moves by whole frames; negative is back. */
  async step(frames: number): Promise<void> {
    const { viewer } = this;
    if (!viewer || this.#waiting) return;
    const { fps } = this;
    if (fps === 'auto') return viewer.step(frames);
    this.pause();
    await this.seek(Math.min(this.duration, Math.max(0, (Math.round(this.currentTime * fps) + frames) / fps)));
  }

  /** Plays another clip beside what plays, averaged with it by weight; a paused element plays on by it. Does nothing without a model that has clips. */
  appendAnimation(name: string, options: AppendOptions = {}): void {
    checkedObject(options, 'appendAnimation()');
    const { viewer } = this;
    if (!viewer || viewer.clips.length === 0) return;
    const { weight = 1, timeScale = 1, fade = false, warp = false, relativeWarp = true, time, repetitions, pingpong } = options;
    const before = viewer.layers.get(name);
    before?.remove({ fade: 0 });
    const layer = viewer.layers.add(name, {
      name, weight, mode: 'average', fade: this.#fade(fade), playbackRate: timeScale, repetitions: repetitions ?? Infinity, loopMode: pingpong ? 'pingpong' : 'repeat',
    });
    if (typeof time === 'number') layer.currentTime = time;
    const seconds = typeof warp === 'number' ? warp : warp ? WARP : 0;
    if (seconds > 0) changeRate(viewer, layer, relativeWarp ? (before?.playbackRate ?? 1) : 0, seconds);
    this.#appended.add(layer);
    resume(viewer);
    this.#together.forEach(resume);
    this.send('append-animation', {});
  }

  /** Ends a clip that {@link appendAnimation} plays; `fade` in seconds, `true` is `animation-crossfade-duration`. */
  detachAnimation(name: string, options: { fade?: boolean | number } = {}): void {
    checkedObject(options, 'detachAnimation()');
    this.viewer?.layers.get(name)?.remove({ fade: this.#fade(options.fade ?? true) });
    this.send('detach-animation', {});
  }

  // ---- camera

  /** The angle around and the angle from above in radians, and the distance in metres. As text it is a value of `camera-orbit`, of the numbers that it has by then. */
  getCameraOrbit(): { theta: number; phi: number; radius: number } {
    const { azimuth: theta, polar: phi, distance: radius } = this.#camera;
    return spoken({ theta, phi, radius }, (orbit) => `${orbit.theta}rad ${orbit.phi}rad ${orbit.radius}m`);
  }

  /** The place that the camera looks at, in metres. As text it is a value of `camera-target`. */
  getCameraTarget(): Point {
    return vector(this.#camera.target);
  }

  /** Degrees, from top to bottom. */
  getFieldOfView(): number {
    return degrees(this.#camera.fovY);
  }

  /** Degrees; the least that zooming goes to. */
  getMinimumFieldOfView(): number {
    return degrees(this.viewer?.cameraLimits.fovY?.[0] ?? 0);
  }

  /** Degrees; the most that zooming goes to. */
  getMaximumFieldOfView(): number {
    return degrees(this.viewer?.cameraLimits.fovY?.[1] ?? 0);
  }

  /** Width by height of a picture that the model fills from every side. */
  getIdealAspect(): number {
    const { x, y, z } = this.getDimensions();
    return y > 0 ? Math.hypot(x, z) / y : 1;
  }

  /** Is at once where it goes. */
  jumpCameraToGoal(): void {
    const { viewer } = this;
    if (viewer) viewer.camera = viewer.cameraGoal;
  }

  /** Frames the model anew. */
  updateFraming(): Promise<void> {
    this.session?.camera.jump();
    return Promise.resolve();
  }

  /** Closer by so many steps of 30 pixels of the wheel; negative is farther. */
  zoom(steps: number): void {
    this.viewer?.hands.motion.add({ zoom: -ZOOM * checkedNumber(steps, 'steps') });
  }

  /** Radians that the turntable has turned. */
  get turntableRotation(): number {
    return this.session?.turntable.angle ?? 0;
  }

  /** Turns the turntable to an angle in radians. */
  resetTurntableRotation(theta = 0): void {
    if (!this.session) return;
    this.session.turntable.angle = checkedNumber(theta, 'theta');
    this.session.staging.put();
  }

  // ---- points

  /** The surface at a place of the page: in the model's own space, which hotspots use. Null for nothing. */
  positionAndNormalFromPoint(clientX: number, clientY: number): SurfacePoint | null {
    const hit = this.#pick(clientX, clientY);
    if (!hit) return null;
    const { position, normal } = inModel((this.session as Session).staging.place, hit);
    return { position: vector(position), normal: vector(normal), joint: hit.joint?.name ?? null };
  }

  /** The words for `data-surface` of a hotspot that stays at this place of the surface, however that moves; null for nothing. */
  surfaceFromPoint(clientX: number, clientY: number): string | null {
    const surface = this.#pick(clientX, clientY)?.surface;
    return surface?.map((value, i) => (i < 5 ? value : Number(value.toFixed(3)))).join(' ') ?? null;
  }

  /** Where a hotspot is, by the name of its slot; null if there is none. */
  queryHotspot(name: string): HotspotState | null {
    return this.session?.currentHotspots?.query(name) ?? null;
  }

  /** Moves a hotspot. */
  updateHotspot(hotspot: { name: string; position?: string; normal?: string; surface?: string }): void {
    checkedObject(hotspot, 'updateHotspot()');
    const { name, ...data } = hotspot;
    for (const child of this.children) {
      if (!(child instanceof HTMLElement) || child.slot !== name) continue;
      for (const [key, value] of Object.entries(data)) if (value !== undefined) child.dataset[key] = value;
    }
    void this.session?.currentHotspots;
  }

  // ---- pictures

  /** The picture as a file; see {@link Viewer.toBlob} for stills. */
  async toBlob(options: ElementPictureOptions = {}): Promise<Blob> {
    checkedObject(options, 'toBlob()');
    const { mimeType, qualityArgument, idealAspect, background, ...still } = options;
    return this.#shown.toBlob({
      ...still, ...(mimeType && { mimeType }), ...(qualityArgument !== undefined && { quality: qualityArgument }),
      ...(idealAspect && { aspect: this.getIdealAspect() || 1 }), background,
    });
  }

  /** A still of any time, as a bitmap; see {@link Viewer.renderAt}. */
  async renderAt(time: number, options: Pick<ElementPictureOptions, 'width' | 'height' | 'background'> = {}): Promise<ImageBitmap> {
    return this.#shown.renderAt(time, options);
  }

  /** The picture as a `data:` address; `data:,` while there is none. */
  toDataURL(type?: string, quality?: number): string {
    return this.viewer?.toDataURL({ ...(type && { mimeType: type }), ...(quality !== undefined && { quality }) }) ?? 'data:,';
  }

  // ---- what <model-viewer> has besides

  /** `false`: there is no AR. */
  get canActivateAR(): boolean {
    return false;
  }

  /** Resolves and does nothing: there is no AR. */
  activateAR(): Promise<void> {
    return Promise.resolve();
  }

  /** Width, height and depth in metres, of all vertices as they are posed now. */
  getDimensions(): Point {
    return middleAndSides(this.viewer)[1];
  }

  /** As W3C's `<model>` has it; see also {@link getDimensions}. */
  get boundingBoxCenter(): DOMPointReadOnly {
    return DOMPointReadOnly.fromPoint(this.getBoundingBoxCenter());
  }

  /**
   * From the model's space into that of the scene, without what the turntable turns. Setting it takes the place of `orientation` and
   * `scale`, until one of those is said anew.
   *
   * Throws `argument/invalid` for a matrix that shears or flattens.
   */
  get entityTransform(): DOMMatrixReadOnly {
    return matrixOf(this.stand);
  }

  set entityTransform(matrix: DOMMatrixReadOnly) {
    const stand = placeFrom(matrix);
    if (!stand) throw new GambolError('argument/invalid', 'entityTransform must turn, scale and move, and nothing else.');
    this.#stand = stand;
    this.session?.staging.put();
  }

  /** @internal */
  get stand(): ModelPlace {
    return this.#stand ?? placeOf(this.orientation, this.scale);
  }

  /** Width, height and depth in metres, as W3C's `<model>` has them. */
  get boundingBoxExtents(): DOMPointReadOnly {
    return DOMPointReadOnly.fromPoint(this.getDimensions());
  }

  /** The centre of the model in metres. */
  getBoundingBoxCenter(): Point {
    return middleAndSides(this.viewer)[0];
  }

  // ---- inside

  /** Does what was asked for before the model was there; false if that was not to play. @internal */
  protected keepIntent(): boolean {
    const [intent, time] = [this.#intent, this.#startTime];
    this.#intent = this.#startTime = undefined;
    if (intent && this.duration === 0) intent.started.reject(new GambolError('play/aborted', 'The model has no clip.'));
    else if (intent) this.#play(intent.options).then(intent.started.resolve, intent.started.reject);
    if (time !== undefined) this.currentTime = time;
    return intent !== undefined;
  }

  /** Attributes say where the model stands. @internal */
  protected standAsSaid(): void {
    this.#stand = null;
  }

  /** @internal */
  protected dropIntent(why: string): void {
    this.#intent?.started.reject(new GambolError('play/aborted', why));
    this.#intent = undefined;
  }

  /** @internal */
  protected send<Name extends keyof ElementEventDetails>(name: Name, detail: ElementEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Whether the model that things are said to is not there yet. */
  get #waiting(): boolean {
    return this.busy || !this.viewer?.model;
  }

  #pick(clientX: number, clientY: number): Picked | null {
    const { viewer } = this;
    if (!viewer) return null;
    const { left, top } = viewer.canvas.getBoundingClientRect();
    return viewer.pick(checkedNumber(clientX, 'clientX') - left, checkedNumber(clientY, 'clientY') - top);
  }

  get #shown(): Viewer {
    if (this.viewer) return this.viewer;
    throw new GambolError('viewer/no-picture', 'There is no picture yet.');
  }

  get #camera(): CameraState {
    return this.viewer?.camera ?? { azimuth: 0, polar: 0, distance: 0, target: [0, 0, 0], fovY: 0 };
  }

  #play({ repetitions, pingpong }: ElementPlayOptions): Promise<void> {
    const { viewer, animation: { others } } = this.session as Session;
    const options = { loopMode: pingpong ? 'pingpong' as const : this.loopMode, repetitions: repetitions ?? this.repetitions };
    for (const layer of others) layer.play(options);
    this.#together.forEach(resume);
    return viewer.play(options).started;
  }

  /** The layers that play and pause with the element. */
  get #together(): readonly Layer[] {
    const { viewer, animation: { others } } = this.session as Session;
    return [...others, ...[...viewer.layers].filter((layer) => this.#appended.has(layer))];
  }

  #fade(fade: boolean | number): number {
    return typeof fade === 'number' ? fade : fade ? this.animationCrossfadeDuration / 1000 : 0;
  }
}

/** Plays on what was paused, and not what has finished. */
function resume(each: Transport): void {
  if (each.paused && !each.ended) each.play();
}

/** Takes a layer evenly from a rate to its own. */
function changeRate(viewer: Viewer, layer: Layer, from: number, seconds: number): void {
  const [to, begin, stop] = [layer.playbackRate, performance.now(), new AbortController()];
  const step = (): void => {
    const part = Math.min(1, (performance.now() - begin) / 1000 / seconds);
    try {
      layer.playbackRate = from + part * (to - from);
    } catch {
      // It was removed.
      stop.abort();
    }
    if (part === 1) stop.abort();
  };
  viewer.addEventListener('before-render', step, { signal: stop.signal });
  step();
}

/** Plain data that turns into the words of an attribute: of the numbers that it has by then. */
function spoken<Data extends object>(data: Data, words: (data: Data) => string): Data {
  return Object.defineProperty(data, 'toString', { value: () => words(data) });
}

/** Rounded to what the conversion keeps, so that 30 is read as 30. */
function degrees(radians: number): number {
  return Number(((radians * 180) / Math.PI).toFixed(12));
}

/** The box around all vertices, as its middle and its sides. */
function middleAndSides(viewer: Viewer | null): readonly [middle: Point, sides: Point] {
  const { min: [a, b, c], max: [x, y, z] } = viewer?.measure() ?? { min: [0, 0, 0], max: [0, 0, 0] };
  return [vector([(a + x) / 2, (b + y) / 2, (c + z) / 2]), vector([x - a, y - b, z - c])];
}
