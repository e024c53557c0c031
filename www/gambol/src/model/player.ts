// The player of a `<model>` element: a viewer with the element's camera, transform and single animation.

import { lazily } from '../base/lazily.ts';
import { windowOf } from '../base/window.ts';
import { matrixOf, placeFrom } from '../element/base/model-space.ts';
import type { Viewer } from '../index.ts';
import { fetchEarly } from '../load/fetch.ts';
import { boxFit, cameraOf, identity, noModel, sphereFit, type ModelState, type Size } from './fit.ts';
import { Orbit } from './orbit.ts';

/** Codes of errors after which the viewer shows nothing any more. */
const FATAL = /^(wasm|render|viewer)\//;

/** `true` after the first viewer of the page. */
let isStarted = false;

/** Options of a load. */
export interface PlayerLoad {
  readonly credentials: RequestCredentials;
  readonly autoplay: boolean;
}

/**
 * Opens the player on a canvas. `failed`: called when the player has stopped after its model was shown.
 * @throws GambolError `wasm/…`, `render/…`, `load/chunk`
 */
export async function openPlayer(
  host: HTMLElement,
  canvas: HTMLCanvasElement,
  url: string,
  credentials: RequestCredentials,
  failed: (error: Error) => void,
): Promise<Player> {
  // Fetched beside the scripts and the module, for the load to come.
  const giveUp = isStarted ? () => undefined : fetchEarly(new URL(url), credentials);
  try {
    const { GambolError, createViewer } = await lazily('the player of <model>', () => import('../index.ts'));
    const viewer = await createViewer(canvas, { cameraControls: false, renderer: 'shared' });
    viewer.addEventListener('error', ({ detail: { code, message } }) => {
      if (FATAL.test(code)) failed(new GambolError(code, message));
    });
    isStarted = true;
    return new Player(host, viewer, giveUp);
  } catch (error) {
    giveUp();
    throw error;
  }
}

export class Player {
  readonly #host: HTMLElement;
  readonly #viewer: Viewer;
  readonly #giveUp: () => void;
  #state = noModel();
  /** The model that is loading. */
  #next: readonly [state: ModelState, options: PlayerLoad] | undefined;
  #isOrbit = false;
  #orbit: Orbit | undefined;
  /** `true` after the transform was fitted, or set by the page. */
  #fitted = false;
  #shape: ResizeObserver | undefined;

  /** `giveUp`: aborts the early request, unless the first load has used it. */
  constructor(host: HTMLElement, viewer: Viewer, giveUp: () => void) {
    this.#host = host;
    this.#viewer = viewer;
    this.#giveUp = giveUp;
    // The cheapest, because the camera does not follow the framed poses.
    viewer.framing = 'rest';
    viewer.addEventListener('modelchange', () => this.#begin());
    this.follow();
  }

  /** Observes the size of the canvas in the window that shows it. */
  follow(): void {
    const { engine, canvas } = this.#viewer;
    engine.follow();
    this.#shape?.disconnect();
    // Made after the viewer's own observer, which draws in the new size first.
    this.#shape = new (windowOf(canvas).ResizeObserver)(() => this.#resized());
    this.#shape.observe(canvas);
  }

  /**
   * Loads a model and shows it in place of the one before. `state` is that of the model from now on. If it is known, it is restored.
   * @throws GambolError
   */
  async load(url: string, state: ModelState, options: PlayerLoad): Promise<void> {
    this.#next = [state, options];
    await this.#viewer.load(url, { credentials: options.credentials }).finally(this.#giveUp);
  }

  /** Removes the model, and aborts a load. */
  unload(): void {
    this.#next = undefined;
    this.#orbit?.dispose();
    this.#orbit = undefined;
    this.#state = noModel();
    this.#viewer.unload();
  }

  /** Loads an environment map; without a URL, sets the default light. @throws GambolError */
  async light(url: string, credentials: RequestCredentials): Promise<void> {
    await this.#viewer.setEnvironment(url || 'file', { credentials });
  }

  // ---- the transform

  /** `false` if the matrix is no transform of translation, rotation and scale. */
  set(transform: DOMMatrixReadOnly): boolean {
    if (!this.#put(transform)) return false;
    this.#fitted = true;
    return true;
  }

  set orbit(isOrbit: boolean) {
    this.#isOrbit = isOrbit;
    if (isOrbit === (this.#orbit !== undefined) || !this.#state.known) return;
    if (isOrbit) this.#beginOrbit();
    else {
      this.#orbit?.dispose();
      this.#orbit = undefined;
    }
  }

  // ---- the animation

  get duration(): number {
    return this.#viewer.duration;
  }

  get currentTime(): number {
    return this.#viewer.currentTime;
  }

  set currentTime(time: number) {
    this.#viewer.currentTime = time;
  }

  get paused(): boolean {
    return this.#viewer.paused;
  }

  set playbackRate(rate: number) {
    this.#viewer.playbackRate = rate;
  }

  set loop(loop: boolean) {
    this.#viewer.loop = loop;
  }

  /** Resolves after the first frame; rejects with `play/aborted`. */
  async play(): Promise<void> {
    await this.#viewer.play();
  }

  pause(): void {
    this.#viewer.pause();
  }

  // ---- the end

  /** Frees everything; the state keeps the playhead. */
  dispose(): void {
    if (this.#state.known) {
      const { currentTime: time, paused } = this.#viewer;
      Object.assign(this.#state, { time, paused });
    }
    this.#next = undefined;
    this.#orbit?.dispose();
    this.#shape?.disconnect();
    this.#giveUp();
    this.#viewer.dispose();
  }

  // ---- inside

  /** Sets up a model that is on stage, before its first frame. */
  #begin(): void {
    const viewer = this.#viewer;
    if (!this.#next) return;
    const [state, { autoplay }] = this.#next;
    this.#next = undefined;
    this.#state = state;
    const restored = state.known;
    if (restored) {
      this.#fitted = true;
      viewer.currentTime = state.time;
      this.#put(state.transform, 'teleport');
    } else {
      this.#measure(state);
      this.#fitted = false;
      this.#fit();
    }
    if (this.#isOrbit) this.#beginOrbit();
    if (restored ? !state.paused : autoplay && !this.#isStill) void viewer.play();
  }

  /** Reads the box and the duration of the model, which do not change from then on. */
  #measure(state: ModelState): void {
    const viewer = this.#viewer;
    viewer.teleport({});
    const box = viewer.measure();
    if (box) {
      const {
        min: [a, b, c],
        max: [x, y, z],
      } = box;
      state.center = new DOMPointReadOnly((a + x) / 2, (b + y) / 2, (c + z) / 2);
      state.extents = new DOMPointReadOnly(x - a, y - b, z - c);
    }
    state.duration = viewer.duration;
    state.known = true;
  }

  #beginOrbit(): void {
    const place = placeFrom(this.#state.transform);
    const base = place ? matrixOf({ ...place, position: [0, 0, 0], scale: [1, 1, 1] }) : identity();
    this.#orbit = new Orbit(this.#host, base, () => this.#fit());
    this.#fit();
  }

  /** Fits the model into the element, if it has a size. */
  #fit(): void {
    const size = this.#size;
    if (!size) return;
    // Springs swing by a drag, but not by the first placement.
    const how = this.#fitted ? 'place' : 'teleport';
    this.#fitted = true;
    const transform = this.#orbit ? sphereFit(this.#state, size, this.#orbit.rotation) : boxFit(this.#state, size);
    this.#put(DOMMatrixReadOnly.fromMatrix(transform), how);
  }

  /** Places the model; `false` if the matrix is no transform of translation, rotation and scale. */
  #put(transform: DOMMatrixReadOnly, how: 'place' | 'teleport' = 'place'): boolean {
    const viewer = this.#viewer;
    const place = placeFrom(transform);
    if (!place) return false;
    if (how === 'place') viewer.place = place;
    else viewer.teleport(place);
    this.#state.transform = transform;
    this.#aim();
    return true;
  }

  #resized(): void {
    if (!this.#state.known) return;
    if (this.#orbit || !this.#fitted) this.#fit();
    else this.#aim();
  }

  #aim(): void {
    const viewer = this.#viewer;
    const size = this.#size;
    if (!size) return;
    // The size of the placed model is the base of the limits of the distance.
    viewer.frame();
    const isTurned = (viewer.model?.front[2] ?? 1) < 0;
    viewer.camera = { ...cameraOf(size), azimuth: isTurned ? Math.PI : 0 };
  }

  /** `true` if the system asks for reduced motion. */
  get #isStill(): boolean {
    return windowOf(this.#host).matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  get #size(): Size | undefined {
    const { clientWidth, clientHeight } = this.#viewer.canvas;
    return clientWidth > 0 && clientHeight > 0 ? [clientWidth, clientHeight] : undefined;
  }
}
