// The turntable: rotates the model while there is no user input.

import { flag, number, words, type AttributeTable } from '../base/attributes.ts';
import { nextFrame } from '../../base/window.ts';
import { parseValues } from '../base/css-values.ts';

/** Attributes of the turntable. */
export interface TurntableAttributes {
  /** Rotates the model on a turntable. @category Camera */
  autoRotate: boolean;
  /** The time in milliseconds, at least 0, without user input until the turntable starts. @category Camera */
  autoRotateDelay: number;
  /** The speed of `autoRotate`: an angle per second; `auto` is 5.625°. @category Camera */
  rotationPerSecond: string;
}

/** @internal */
export const TURNTABLE: AttributeTable<TurntableAttributes, { readonly turntable: Turntable }> = {
  autoRotate: { ...flag, effect: ({ turntable }) => turntable.sync() },
  autoRotateDelay: number(3000, 0, 1e9),
  rotationPerSecond: words('auto'),
};

/** The speed of `auto`, and of 100 %, as in <model-viewer>. */
const SPEED = { whole: Math.PI / 32 };

/** @internal */
export class Turntable {
  /** The angle in radians. */
  angle = 0;
  readonly #wish: HTMLElement & Readonly<TurntableAttributes>;
  readonly #still: () => boolean;
  readonly #turned: () => void;
  readonly #seen: () => boolean;
  /** Cancels the next frame; undefined while it stands still. */
  #cancel: (() => void) | undefined;
  #before = 0;
  /** The time of the last user input. */
  #touched = -Infinity;

  /**
   * - `still`: returns `true` if the turntable must not move, because of reduced motion.
   * - `isVisible`: returns `true` if the model is visible.
   */
  constructor(
    wish: HTMLElement & Readonly<TurntableAttributes>,
    still: () => boolean,
    isVisible: () => boolean,
    turned: () => void,
  ) {
    this.#wish = wish;
    this.#still = still;
    this.#seen = isVisible;
    this.#turned = turned;
  }

  /** Starts or stops the turntable by the attributes. */
  sync(): void {
    if (!this.#wish.autoRotate || this.#still()) return this.stop();
    if (this.#cancel) return;
    this.#before = performance.now();
    if (this.#touched === -Infinity) this.touched();
    this.#ask();
  }

  /** Restarts the delay after user input. */
  touched(): void {
    this.#touched = performance.now();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #ask(): void {
    this.#cancel = nextFrame(this.#wish, (now) => {
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
