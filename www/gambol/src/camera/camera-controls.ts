// Camera controls by mouse, touch, pen, trackpad and keyboard. Bindings and speeds are those of <model-viewer>.

import { canvasPoint, type PagePoint } from '../base/page-points.ts';
import type { CameraMotion, MotionSource, Movement } from './motion.ts';
import type { CameraControlSettings } from '../values/options.ts';
import type { Vector } from '../values/transforms.ts';

/** The rotation of the camera for a drag over the height of the canvas, in radians. */
const ORBIT_PER_HEIGHT = 2 * Math.PI;
const KEY_ORBIT = Math.PI / 12;
const KEY_PAN = 0.06;
/** The factor of a zoom step on the size in the picture. */
const KEY_ZOOM = 1.15;
const ZOOM_PER_PIXEL = 0.04 / 30;
/** The largest time in milliseconds between wheel steps that zoom around the same point. */
const WHEEL_PAUSE = 300;
/** The largest movement of a click in CSS pixels. */
const CLICK_PIXELS = 5;
/** The largest time in milliseconds and the largest distance in CSS pixels between the clicks of a double click. */
const TWICE = { time: 350, pixels: 30 };

interface Pointer {
  /** The position in CSS pixels of the canvas. */
  x: number;
  y: number;
  /** The position on the page, by which clicks are told from drags; undefined for a simulated finger. */
  readonly page: { x: number; y: number } | undefined;
}

/** A surface point in world space; null if there is no surface, `undefined` if it is not known yet. */
export type GrabbedPoint = Vector | null | undefined;

/** The point that a zoom keeps at its place in the picture; `isKnown` is `true` if the surface there is known. */
interface About {
  readonly movement: Movement;
  readonly isKnown: boolean;
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
  /** The last step of the wheel, and the point that it zoomed around. */
  #wheeled: { readonly time: number; readonly x: number; readonly y: number; readonly about: About } | undefined;
  /** The surface point in the middle of the picture when the second finger touched. */
  #pinched: GrabbedPoint;
  readonly #surfaceAt: (x: number, y: number) => GrabbedPoint;

  /** `surfaceAt`: returns the surface point at a point of the canvas, in CSS pixels. */
  constructor(
    canvas: HTMLCanvasElement,
    motion: CameraMotion,
    settings: CameraControlSettings,
    surfaceAt: (x: number, y: number) => GrabbedPoint,
  ) {
    this.#canvas = canvas;
    this.#motion = motion;
    this.#settings = settings;
    this.#surfaceAt = surfaceAt;
    const { keyboard = true, zoom = true, pan = true } = settings;
    this.#styled = { touchAction: canvas.style.touchAction, tabIndex: canvas.getAttribute('tabindex') };
    canvas.style.touchAction = settings.touchAction ?? 'none';
    // The canvas must be focusable to receive keys.
    if (keyboard && this.#styled.tabIndex === null) canvas.tabIndex = 0;

    const { signal } = this.#stop;
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(type, (event) => this.#up(event), { signal });
    }
    // Prevents the browser's autoscroll by the middle button.
    canvas.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
    // Without zoom, the wheel scrolls the page.
    if (zoom) canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    // The right button pans, so it must not open a context menu.
    if (pan) canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    if (keyboard) canvas.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  dispose(): void {
    this.#stop.abort();
    this.#canvas.style.touchAction = this.#styled.touchAction;
    if (this.#styled.tabIndex === null) this.#canvas.removeAttribute('tabindex');
  }

  #orbit(azimuth: number, polar: number, source?: MotionSource): void {
    const { orbitSensitivity = 1 } = this.#settings;
    this.#motion.add({ azimuth: orbitSensitivity * azimuth, polar: orbitSensitivity * polar }, source);
  }

  #pan(x: number, y: number, source?: MotionSource): void {
    const { pan = true, panSensitivity = 1 } = this.#settings;
    if (pan) this.#motion.add({ x: panSensitivity * x, y: panSensitivity * y }, source);
  }

  /** Zooms by `zoom` or `shrink` of a movement. */
  #zoom({ zoom = 0, shrink = 0, ...about }: Movement, source?: MotionSource): void {
    const { zoom: allowed = true, zoomSensitivity = 1 } = this.#settings;
    if (allowed) this.#motion.add({ zoom: zoomSensitivity * zoom, shrink: zoomSensitivity * shrink, ...about }, source);
  }

  /** The surface point in the middle of the picture. */
  get #ahead(): GrabbedPoint {
    const { clientWidth, clientHeight } = this.#canvas;
    return this.#surfaceAt(clientWidth / 2, clientHeight / 2);
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button > 2) return;
    const page = { x: event.clientX, y: event.clientY };
    const { x, y } = this.#pointAt(page);
    this.press(event.pointerId, x, y, event.button === 1 || event.button === 2 || event.shiftKey, page);
    // The pointer of a synthetic event cannot be captured.
    if (event.isTrusted) this.#canvas.setPointerCapture(event.pointerId);
  }

  #move({ pointerId, clientX, clientY }: PointerEvent): void {
    const pointer = this.#pointers.get(pointerId);
    if (!pointer?.page) return;
    const { page } = pointer;
    // Both by the layout of now, so that a canvas that moves below a resting pointer is no movement of the pointer.
    const [from, to] = [this.#pointAt(page), this.#pointAt({ x: clientX, y: clientY })];
    this.#moved += Math.abs(clientX - page.x) + Math.abs(clientY - page.y);
    [page.x, page.y] = [clientX, clientY];
    this.drag(pointerId, pointer.x + to.x - from.x, pointer.y + to.y - from.y);
  }

  /** A point of the page in CSS pixels of the canvas. */
  #pointAt(page: PagePoint): PagePoint {
    const { x, y } = canvasPoint(this.#canvas, page.x, page.y);
    // A canvas that is not shown has no points.
    return { x: Number.isFinite(x) ? x : 0, y: Number.isFinite(y) ? y : 0 };
  }

  /**
   * Presses a pointer, in CSS pixels of the canvas. A single pointer orbits, or pans if `pans`. `page`: its position on the page,
   * for a pointer of the page.
   */
  press(pointer: number, x: number, y: number, pans = false, page?: { x: number; y: number }): void {
    if (this.#pointers.size === 0) {
      this.#panning = pans;
      this.#moved = 0;
    }
    this.#pointers.set(pointer, { x, y, page });
    this.#pinched = this.#pointers.size === 2 ? this.#ahead : undefined;
  }

  /** Moves a pointer, in CSS pixels of the canvas; does nothing if it is not pressed. */
  drag(id: number, x: number, y: number, source?: MotionSource): void {
    const pointer = this.#pointers.get(id);
    if (!pointer) return;
    const height = this.#canvas.clientHeight || 1;
    const before = this.#spread();
    const [dx, dy] = [x - pointer.x, y - pointer.y];
    if (dx === 0 && dy === 0) return;
    [pointer.x, pointer.y] = [x, y];

    const count = this.#pointers.size;
    if (count === 1 && !this.#panning) {
      this.#orbit((-dx / height) * ORBIT_PER_HEIGHT, (-dy / height) * ORBIT_PER_HEIGHT, source);
      return;
    }
    // With two fingers, each moves their midpoint by half of its own movement.
    const after = this.#spread();
    this.#pan(dx / height / count, dy / height / count, source);
    if (before > 0 && after > 0 && before !== after) {
      const [around, surface] = [this.#between(), this.#pinched];
      this.#zoom({ shrink: Math.log(before / after), around, before: surface }, source);
    }
  }

  /** Releases a pointer; returns `false` if it was not pressed. */
  release(pointer: number): boolean {
    return this.#pointers.delete(pointer);
  }

  #up(event: PointerEvent): void {
    if (!this.release(event.pointerId) || this.#pointers.size > 0 || event.type !== 'pointerup') return;
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

  /** The distance between the first two pointers in CSS pixels; 0 with fewer than two. */
  #spread(): number {
    const [a, b] = this.#pointers.values();
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  /** The point in world space at the midpoint of the first two pointers, at the depth of the target. */
  #between(): Vector | undefined {
    const [a, b] = this.#pointers.values();
    if (!a || !b || this.#settings.pan === false) return undefined;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const [x, y] = [(a.x + b.x - width) / 2, (a.y + b.y - height) / 2];
    return height > 0 ? this.#motion.pointAt(x / height, y / height) : undefined;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    // A pinch on a trackpad is a wheel event with Ctrl and small steps.
    const gain = event.ctrlKey ? 6 : 1;
    const pixels = Math.max(-240, Math.min(240, event.deltaY * unit * gain));
    const { timeStamp: time, clientX: x, clientY: y } = event;
    const last = this.#wheeled;
    const goesOn = last && time - last.time < WHEEL_PAUSE && last.x === x && last.y === y;
    const about = goesOn && last.about.isKnown ? last.about : this.#wheelsAbout(x, y);
    this.#wheeled = { time, x, y, about };
    this.#zoom({ zoom: pixels * ZOOM_PER_PIXEL, ...about.movement });
  }

  /** The point that a wheel step zooms around. This moves the target, so it needs panning. */
  #wheelsAbout(clientX: number, clientY: number): About {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const { x, y } = canvasPoint(this.#canvas, clientX, clientY);
    // A synthetic wheel event may be outside the canvas.
    if (this.#settings.pan === false || !(x >= 0 && x <= width && y >= 0 && y <= height)) {
      const before = this.#ahead;
      return { movement: { before }, isKnown: before !== undefined };
    }
    const surface = this.#surfaceAt(x, y);
    const around = surface ?? this.#motion.pointAt((x - width / 2) / height, (y - height / 2) / height);
    return { movement: { around }, isKnown: surface !== undefined };
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const arrow = ARROWS[key];
    if (arrow) {
      const [x, y] = arrow;
      // With Shift the picture moves in the direction of the arrow.
      if (shiftKey) this.#pan(x * KEY_PAN, y * KEY_PAN);
      else this.#orbit(x * KEY_ORBIT, y * KEY_ORBIT);
    } else if (key === '+' || key === '=' || key === 'PageUp') {
      this.#zoom({ shrink: -Math.log(KEY_ZOOM), before: this.#ahead });
    } else if (key === '-' || key === '_' || key === 'PageDown') {
      this.#zoom({ shrink: Math.log(KEY_ZOOM) });
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** The directions of the arrow keys. */
const ARROWS: Record<string, readonly [number, number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
