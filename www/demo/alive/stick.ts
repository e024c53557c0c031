// The stick: a disc for fingers and the mouse, or the arrow keys and W, A, S, D.

const KEYS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  KeyW: [0, 1],
  KeyS: [0, -1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
};
/** The share of the largest speed by keys, without the Shift key. */
const WALK = 0.45;

export class Stick {
  /** To the right of the picture and into it; the length is at most 1. */
  direction: readonly [right: number, up: number] = [0, 0];
  readonly #disc: HTMLElement;
  readonly #held = new Set<string>();
  #fast = false;

  constructor(disc: HTMLElement) {
    this.#disc = disc;
    disc.addEventListener('pointerdown', (event) => {
      disc.setPointerCapture(event.pointerId);
      this.#drag(event);
      event.preventDefault();
    });
    disc.addEventListener('pointermove', (event) => {
      if (disc.hasPointerCapture(event.pointerId)) this.#drag(event);
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'])
      disc.addEventListener(type, () => this.#point(0, 0));
    addEventListener('keydown', (event) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, dialog *');
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      this.#fast = event.shiftKey;
      if (!(event.code in KEYS)) return;
      this.#held.add(event.code);
      this.#keys();
      event.preventDefault();
    });
    addEventListener('keyup', (event) => {
      this.#fast = event.shiftKey;
      if (this.#held.delete(event.code) || this.#held.size > 0) this.#keys();
    });
    // The keys that are released outside of the page send nothing.
    addEventListener('blur', () => {
      this.#held.clear();
      this.#point(0, 0);
    });
  }

  #drag({ clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = this.#disc.getBoundingClientRect();
    const reach = width * 0.36;
    this.#point((clientX - left - width / 2) / reach, (top + height / 2 - clientY) / reach);
  }

  #keys(): void {
    let [right, up] = [0, 0];
    for (const code of this.#held) {
      const [x, y] = KEYS[code] ?? [0, 0];
      right += x;
      up += y;
    }
    const factor = (this.#fast ? 1 : WALK) / Math.max(1, Math.hypot(right, up));
    this.#point(right * factor, up * factor);
  }

  #point(right: number, up: number): void {
    const factor = 1 / Math.max(1, Math.hypot(right, up));
    this.direction = [right * factor, up * factor];
    this.#disc.style.setProperty('--x', String(right * factor));
    this.#disc.style.setProperty('--y', String(-up * factor));
  }
}
