// Mouse, touch, pen, trackpad and keyboard → camera. Bindings are those of <model-viewer>.

/** What a control may do to the camera; see `CoreStage`. */
export interface CameraTarget {
  /** Radians. */
  orbit(azimuth: number, polar: number): void;
  /** Fractions of the canvas height. */
  pan(x: number, y: number): void;
  /** Factor on the distance. */
  zoom(factor: number): void;
  reset(): void;
  /** Asks for a frame, in which {@link CameraControls.update} is called. */
  request(): void;
}

/** A drag over the height of the canvas turns the camera this far. */
const ORBIT_PER_HEIGHT = Math.PI;
const KEY_ORBIT = Math.PI / 12;
const KEY_PAN = 0.06;
const KEY_ZOOM = 1.15;
const ZOOM_PER_PIXEL = 0.0016;
/** Most of a movement is done after this time; it takes the edge off a mouse's steps without lagging behind. */
const SMOOTHING_MS = 45;
/** A press that moves less than this is a click. */
const CLICK_PIXELS = 5;

interface Pointer {
  x: number;
  y: number;
}

interface Movement {
  azimuth: number;
  polar: number;
  x: number;
  y: number;
  /** Natural logarithm of the factor. */
  zoom: number;
}

export interface CameraControlOptions {
  /** What the browser keeps of touches, as in CSS `touch-action`. */
  readonly touchAction: string;
  readonly keyboard: boolean;
}

export class CameraControls {
  readonly #canvas: HTMLCanvasElement;
  readonly #target: CameraTarget;
  readonly #stop = new AbortController();
  readonly #pointers = new Map<number, Pointer>();
  readonly #styled: { touchAction: string; tabIndex: string | null };
  #panning = false;
  #lastTap = 0;
  #moved = 0;
  /** What has been asked for and is not done yet. */
  #pending: Movement = { azimuth: 0, polar: 0, x: 0, y: 0, zoom: 0 };
  #before = 0;

  constructor(canvas: HTMLCanvasElement, target: CameraTarget, options: CameraControlOptions) {
    this.#canvas = canvas;
    this.#target = target;
    this.#styled = { touchAction: canvas.style.touchAction, tabIndex: canvas.getAttribute('tabindex') };
    canvas.style.touchAction = options.touchAction;
    // Focusable, so that the keys have somewhere to go.
    if (options.keyboard && this.#styled.tabIndex === null) canvas.tabIndex = 0;

    const { signal } = this.#stop;
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(type, (event) => this.#up(event), { signal });
    }
    // The middle button would start the browser's own scrolling.
    canvas.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    // The right button pans.
    canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    if (options.keyboard) canvas.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  /** Moves the camera by what this frame's share is; says whether there is more to come. */
  update(now: number): boolean {
    const p = this.#pending;
    const left = Math.abs(p.azimuth) + Math.abs(p.polar) + Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.zoom);
    if (left === 0) {
      this.#before = 0;
      return false;
    }
    const dt = this.#before === 0 ? 1000 / 60 : Math.min(now - this.#before, 100);
    this.#before = now;
    const share = left < 1e-4 || reducedMotion() ? 1 : 1 - Math.exp(-dt / SMOOTHING_MS);
    if (p.azimuth !== 0 || p.polar !== 0) this.#target.orbit(p.azimuth * share, p.polar * share);
    if (p.x !== 0 || p.y !== 0) this.#target.pan(p.x * share, p.y * share);
    if (p.zoom !== 0) this.#target.zoom(Math.exp(p.zoom * share));
    const rest = 1 - share;
    this.#pending = { azimuth: p.azimuth * rest, polar: p.polar * rest, x: p.x * rest, y: p.y * rest, zoom: p.zoom * rest };
    return share < 1;
  }

  /** Forgets movements that are still to come, so that a new camera stays where it was put. */
  settle(): void {
    this.#pending = { azimuth: 0, polar: 0, x: 0, y: 0, zoom: 0 };
  }

  dispose(): void {
    this.#stop.abort();
    this.#canvas.style.touchAction = this.#styled.touchAction;
    if (this.#styled.tabIndex === null) this.#canvas.removeAttribute('tabindex');
  }

  #add(delta: Partial<Movement>): void {
    for (const key of Object.keys(delta) as (keyof Movement)[]) this.#pending[key] += delta[key] ?? 0;
    this.#target.request();
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button > 2) return;
    if (this.#pointers.size === 0) {
      this.#panning = event.button === 1 || event.button === 2 || event.shiftKey;
      this.#moved = 0;
    }
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    // A pointer that a script made up cannot be captured, and need not be.
    if (event.isTrusted) this.#canvas.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const height = this.#canvas.clientHeight || 1;
    const before = this.#spread();
    const dx = event.clientX - pointer.x;
    const dy = event.clientY - pointer.y;
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    this.#moved += Math.abs(dx) + Math.abs(dy);

    const count = this.#pointers.size;
    if (count === 1 && !this.#panning) {
      this.#add({ azimuth: (-dx / height) * ORBIT_PER_HEIGHT, polar: (-dy / height) * ORBIT_PER_HEIGHT });
      return;
    }
    // With two fingers each one moves the middle by half of its own way.
    const after = this.#spread();
    this.#add({
      x: dx / height / count,
      y: dy / height / count,
      zoom: before > 0 && after > 0 ? Math.log(before / after) : 0,
    });
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size > 0 || event.type !== 'pointerup') return;
    if (this.#moved > CLICK_PIXELS || event.button !== 0) return;
    // Twice in a row: back to where the whole model is in view.
    if (event.timeStamp - this.#lastTap < 350) {
      this.settle();
      this.#target.reset();
      this.#lastTap = 0;
    } else {
      this.#lastTap = event.timeStamp;
    }
  }

  /** Distance between the first two pointers in CSS pixels; 0 if there is only one. */
  #spread(): number {
    const [a, b] = this.#pointers.values();
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 32 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    // A pinch on a trackpad arrives as a wheel with Ctrl and small steps.
    const gain = event.ctrlKey ? 6 : 1;
    const pixels = Math.max(-240, Math.min(240, event.deltaY * unit * gain));
    this.#add({ zoom: pixels * ZOOM_PER_PIXEL });
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const arrow = ARROWS[key];
    if (arrow) {
      const [x, y] = arrow;
      this.#add(shiftKey ? { x: -x * KEY_PAN, y: -y * KEY_PAN } : { azimuth: x * KEY_ORBIT, polar: y * KEY_ORBIT });
    } else if (key === '+' || key === '=' || key === 'PageUp') {
      this.#add({ zoom: -Math.log(KEY_ZOOM) });
    } else if (key === '-' || key === '_' || key === 'PageDown') {
      this.#add({ zoom: Math.log(KEY_ZOOM) });
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** Where the camera goes. */
const ARROWS: Record<string, readonly [number, number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function reducedMotion(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}
