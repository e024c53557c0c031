// Undo and redo: a list of earlier views.

import type { View } from './view.ts';

interface Step {
  readonly view: View;
  /** The setting that the step changed; changes of the same setting within a second are one step, such as those of a slider. */
  readonly setting: string;
  readonly time: number;
}

/** The number of steps that are kept. */
const MOST = 200;
/** The pause in ms after which a further change of the same setting is another step. */
const PAUSE = 1000;

export class History {
  #before: Step[] = [];
  #after: Step[] = [];

  /** Records the view before a change. */
  record(view: View, setting: string, time = performance.now()): void {
    const last = this.#before.at(-1);
    this.#after = [];
    if (last?.setting === setting && time - last.time < PAUSE) {
      this.#before[this.#before.length - 1] = { ...last, time };
      return;
    }
    this.#before.push({ view, setting, time });
    if (this.#before.length > MOST) this.#before.shift();
  }

  /** The view before the last change; undefined without any. `now` is the present view. */
  undo(now: View): { readonly view: View; readonly setting: string } | undefined {
    return move(this.#before, this.#after, now);
  }

  /** The view that the last `undo` left. */
  redo(now: View): { readonly view: View; readonly setting: string } | undefined {
    return move(this.#after, this.#before, now);
  }

  clear(): void {
    this.#before = [];
    this.#after = [];
  }
}

function move(from: Step[], to: Step[], now: View): { readonly view: View; readonly setting: string } | undefined {
  const step = from.pop();
  if (!step) return undefined;
  to.push({ view: now, setting: step.setting, time: -Infinity });
  return step;
}
