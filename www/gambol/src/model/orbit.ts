// The stage mode `orbit`: drags and arrow keys rotate the model around its centre.

import { windowOf } from '../base/window.ts';
import { identity } from './fit.ts';

/** The rotation of one press of an arrow key, in degrees. */
const STEP = 15;
/** The largest pitch, in degrees. */
const MAX_PITCH = 90;
const KEYS: Readonly<Record<string, readonly [yaw: number, pitch: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export class Orbit {
  readonly #host: HTMLElement;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  /** Ends the listeners of a drag. */
  #drag = new AbortController();
  /** The rotation at the beginning of the mode. */
  readonly #base: DOMMatrixReadOnly;
  /** Degrees. */
  #yaw = 0;
  #pitch = 0;
  #pointer: number | undefined;
  /** The events at the beginning of a drag: the page prevents the drag by `preventDefault()` of one of them. */
  #downs: Event[] = [];
  #at: readonly [x: number, y: number] = [0, 0];

  /** `base`: a rotation, which the model keeps until the first input. */
  constructor(host: HTMLElement, base: DOMMatrixReadOnly, changed: () => void) {
    this.#host = host;
    this.#base = base;
    this.#changed = changed;
    const { signal } = this.#stop;
    host.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    for (const type of ['mousedown', 'touchstart'] as const)
      host.addEventListener(type, (event) => this.#pointer !== undefined && this.#downs.push(event), {
        signal,
        passive: true,
      });
    host.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  get rotation(): DOMMatrix {
    return identity()
      .rotateAxisAngleSelf(1, 0, 0, this.#pitch)
      .rotateAxisAngleSelf(0, 1, 0, this.#yaw)
      .multiplySelf(this.#base);
  }

  dispose(): void {
    this.#end();
    this.#stop.abort();
  }

  #turn(yaw: number, pitch: number): void {
    this.#yaw = (this.#yaw + yaw) % 360;
    this.#pitch = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, this.#pitch + pitch));
    this.#changed();
  }

  #down(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
    this.#pointer = event.pointerId;
    this.#downs = [event];
    this.#at = [event.clientX, event.clientY];
    this.#drag.abort();
    this.#drag = new AbortController();
    const { signal } = this.#drag;
    // The pointer may have left the element before the first move, which captures it.
    const view = windowOf(this.#host);
    view.addEventListener('pointermove', (moved) => this.#move(moved), { signal });
    for (const type of ['pointerup', 'pointercancel'] as const)
      view.addEventListener(type, (ended) => ended.pointerId === this.#pointer && this.#end(), { signal });
  }

  #end(): void {
    this.#pointer = undefined;
    this.#drag.abort();
  }

  #move(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer) return;
    // Read now, because listeners of the page may run after those here.
    if (this.#downs.some(({ defaultPrevented }) => defaultPrevented)) return this.#end();
    const host = this.#host;
    // The pointer of a synthetic event cannot be captured.
    if (event.isTrusted && !host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    const [x, y] = this.#at;
    this.#at = [event.clientX, event.clientY];
    const angle = 360 / Math.max(1, host.clientHeight);
    this.#turn((event.clientX - x) * angle, (event.clientY - y) * angle);
  }

  #key(event: KeyboardEvent): void {
    const turn = KEYS[event.key];
    if (!turn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#turn(...turn);
  }
}
