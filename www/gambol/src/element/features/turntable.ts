// Turns the model while nobody touches it.

import { flag, number, words, type AttributeTable } from '../base/attributes.ts';
import { parseValues } from '../base/css-values.ts';

/** Attributes about the turntable. */
export interface TurntableAttributes {
  /** The model turns by itself. */
  autoRotate: boolean;
  /** Milliseconds without input until it turns. */
  autoRotateDelay: number;
  /** Speed of `autoRotate`: an angle. */
  rotationPerSecond: string;
}

/** @internal */
export const TURNTABLE: AttributeTable<TurntableAttributes, { readonly turntable: Turntable }> = {
  autoRotate: { ...flag, effect: ({ turntable }) => turntable.sync() },
  autoRotateDelay: number(3000, 0, 1e9),
  rotationPerSecond: words('auto'),
};

/** What `auto` is: as <model-viewer> turns. */
const SPEED = { whole: 2 * Math.PI, auto: Math.PI / 32 };

/** @internal */
export class Turntable {
  /** Radians. */
  angle = 0;
  readonly #wish: Readonly<TurntableAttributes>;
  readonly #still: () => boolean;
  readonly #turned: () => void;
  readonly #seen: () => boolean;
  #frame: number | undefined;
  #before = 0;
  /** When somebody touched it last. */
  #touched = -Infinity;

  /**
   * - `still`: whether nothing shall move by itself.
   * - `seen`: whether it is worth it.
   */
  constructor(wish: Readonly<TurntableAttributes>, still: () => boolean, seen: () => boolean, turned: () => void) {
    this.#wish = wish;
    this.#still = still;
    this.#seen = seen;
    this.#turned = turned;
  }

  /** Begins or ends as the attributes say. */
  sync(): void {
    if (!this.#wish.autoRotate || this.#still()) return this.stop();
    if (this.#frame !== undefined) return;
    this.#before = performance.now();
    if (this.#touched === -Infinity) this.touched();
    this.#ask();
  }

  /** Waits again. */
  touched(): void {
    this.#touched = performance.now();
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #ask(): void {
    this.#frame = requestAnimationFrame((now) => {
      const passed = Math.min(100, Math.max(0, now - this.#before)) / 1000;
      this.#before = now;
      if (this.#seen() && now - this.#touched >= this.#wish.autoRotateDelay) {
        const [speed = 0] = parseValues(this.#wish.rotationPerSecond, [SPEED]);
        this.angle = (this.angle + speed * passed) % (2 * Math.PI);
        this.#turned();
      }
      this.#ask();
    });
  }
}
