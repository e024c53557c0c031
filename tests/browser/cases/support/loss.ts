// Loses contexts, and restores them.

import type { Viewer } from 'gambol';
import type { T } from '../../page/api.ts';

const functions = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;

/** Controls the loss of a canvas's context, which must exist already. */
export class Loss {
  readonly #extension: WEBGL_lose_context;
  readonly #canvas: HTMLCanvasElement;
  /** The number of losses. */
  times = 0;
  /** `true` if the context is restored automatically. */
  returns = true;

  constructor(t: T, canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#extension = t.some(t.some(canvas.getContext('webgl2')).getExtension('WEBGL_lose_context'));
    canvas.addEventListener('webglcontextlost', () => {
      this.times += 1;
      const back = this.returns ? setTimeout(() => this.giveBack(), 30) : undefined;
      t.after(() => clearTimeout(back));
    });
    t.after(() => (this.returns = false));
  }

  take(): void {
    this.#extension.loseContext();
  }

  giveBack(): void {
    this.#extension.restoreContext();
  }

  /** Loses the context at the nth call of a GL function from now on. */
  at(name: string, nth = 1): void {
    const original = functions[name];
    if (!original) throw new Error(`there is no ${name}`);
    const [canvas, take] = [this.#canvas, () => this.take()];
    let left = nth;
    functions[name] = function (this: WebGL2RenderingContext, ...args) {
      if (this.canvas === canvas && --left === 0) {
        functions[name] = original;
        take();
      }
      return original.apply(this, args);
    };
  }
}

/** Loses the context of a viewer, and resolves when the viewer has it back. */
export async function regained(t: T, viewer: Viewer): Promise<void> {
  const back = new Promise((resolve) => viewer.addEventListener('contextrestored', resolve, { once: true }));
  new Loss(t, viewer.canvas).take();
  await back;
}
