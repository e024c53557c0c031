// Turns the model while nobody touches it.

import { reducedMotion } from '../../camera/motion.ts';
import type { ViewerAttributes } from '../base/attributes.ts';
import { parseValues } from '../base/css-values.ts';

/** What `auto` is: as <model-viewer> turns. */
const SPEED = { whole: 2 * Math.PI, auto: Math.PI / 32 };

export class Turntable {
  /** Radians. */
  angle = 0;
  readonly #wish: Readonly<ViewerAttributes>;
  readonly #turned: () => void;
  readonly #seen: () => boolean;
  #frame: number | undefined;
  #before = 0;
  /** When somebody touched it last. */
  #touched = -Infinity;

  /** `seen`: whether it is worth it. */
  constructor(wish: Readonly<ViewerAttributes>, seen: () => boolean, turned: () => void) {
    this.#wish = wish;
    this.#seen = seen;
    this.#turned = turned;
  }

  /** Begins or ends as the attributes say. */
  sync(): void {
    const on = this.#wish.autoRotate && !(reducedMotion() && this.#wish.reducedMotion === 'respect');
    if (!on) return this.stop();
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
