// Mouse, touch, pen, trackpad and keyboard → camera. Bindings are those of <model-viewer>.

import type { CameraMotion } from './camera-motion.ts';
import type { CameraControlSettings } from './options.ts';

/** A drag over the height of the canvas turns the camera this far. */
const ORBIT_PER_HEIGHT = Math.PI;
const KEY_ORBIT = Math.PI / 12;
const KEY_PAN = 0.06;
const KEY_ZOOM = 1.15;
const ZOOM_PER_PIXEL = 0.0016;
/** A press that moves less than this is a click. */
const CLICK_PIXELS = 5;
/** Two clicks within this time, in milliseconds, and this far from each other belong together. */
const TWICE = { time: 350, pixels: 30 };

interface Pointer {
  x: number;
  y: number;
}

export class CameraControls {
  readonly #canvas: HTMLCanvasElement;
  readonly #motion: CameraMotion;
  readonly #settings: CameraControlSettings;
  readonly #stop = new AbortController();
  readonly #pointers = new Map<number, Pointer>();
  readonly #styled: { touchAction: string; tabIndex: string | null };
  #panning = false;
  #last: { time: number; x: number; y: number } | undefined;
  #moved = 0;

  constructor(canvas: HTMLCanvasElement, motion: CameraMotion, settings: CameraControlSettings) {
    this.#canvas = canvas;
    this.#motion = motion;
    this.#settings = settings;
    const { keyboard = true, zoom = true, pan = true } = settings;
    this.#styled = { touchAction: canvas.style.touchAction, tabIndex: canvas.getAttribute('tabindex') };
    canvas.style.touchAction = settings.touchAction ?? 'none';
    // Focusable, so that the keys have somewhere to go.
    if (keyboard && this.#styled.tabIndex === null) canvas.tabIndex = 0;

    const { signal } = this.#stop;
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(type, (event) => this.#up(event), { signal });
    }
    // The middle button would start the browser's own scrolling.
    canvas.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
    // Without it the page scrolls.
    if (zoom) canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    // The right button pans.
    if (pan) canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    if (keyboard) canvas.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  dispose(): void {
    this.#stop.abort();
    this.#canvas.style.touchAction = this.#styled.touchAction;
    if (this.#styled.tabIndex === null) this.#canvas.removeAttribute('tabindex');
  }

  #orbit(azimuth: number, polar: number): void {
    const { orbitSensitivity = 1 } = this.#settings;
    this.#motion.add({ azimuth: orbitSensitivity * azimuth, polar: orbitSensitivity * polar });
  }

  #pan(x: number, y: number): void {
    const { pan = true, panSensitivity = 1 } = this.#settings;
    if (pan) this.#motion.add({ x: panSensitivity * x, y: panSensitivity * y });
  }

  /** By the natural logarithm of a factor. */
  #zoom(zoom: number): void {
    const { zoom: allowed = true, zoomSensitivity = 1 } = this.#settings;
    if (allowed) this.#motion.add({ zoom: zoomSensitivity * zoom });
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
      this.#orbit((-dx / height) * ORBIT_PER_HEIGHT, (-dy / height) * ORBIT_PER_HEIGHT);
      return;
    }
    // With two fingers each one moves the middle by half of its own way.
    const after = this.#spread();
    this.#pan(dx / height / count, dy / height / count);
    if (before > 0 && after > 0) this.#zoom(Math.log(before / after));
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size > 0 || event.type !== 'pointerup') return;
    if (this.#moved > CLICK_PIXELS || event.button !== 0) return;
    const { tap = true } = this.#settings;
    if (tap === false) return;
    const last = this.#last;
    const { timeStamp: time, clientX: x, clientY: y } = event;
    if (!last || time - last.time >= TWICE.time || Math.hypot(x - last.x, y - last.y) > TWICE.pixels) {
      this.#last = { time, x, y };
      return;
    }
    this.#last = undefined;
    if (tap === true) this.#motion.reset();
    else tap();
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
    this.#zoom(pixels * ZOOM_PER_PIXEL);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const arrow = ARROWS[key];
    if (arrow) {
      const [x, y] = arrow;
      if (shiftKey) this.#pan(-x * KEY_PAN, -y * KEY_PAN);
      else this.#orbit(x * KEY_ORBIT, y * KEY_ORBIT);
    } else if (key === '+' || key === '=' || key === 'PageUp') {
      this.#zoom(-Math.log(KEY_ZOOM));
    } else if (key === '-' || key === '_' || key === 'PageDown') {
      this.#zoom(Math.log(KEY_ZOOM));
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
