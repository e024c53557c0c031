// Undo and redo: a list of steps.

export interface Step {
  /** The change in words; changes of the same name within a second are one step, such as those of a slider. */
  readonly name: string;
  undo(): void;
  redo(): void;
}

/** The number of steps that are kept. */
const MOST = 200;
/** The pause in ms after which a further change of the same name is another step. */
const PAUSE = 1000;

export class History {
  readonly #before: Step[] = [];
  #after: Step[] = [];
  /** The time of the last step; changes after an undo are steps of their own. */
  #time = -Infinity;

  record(step: Step, time = performance.now()): void {
    const last = this.#before.at(-1);
    if (last?.name === step.name && time - this.#time < PAUSE) {
      this.#before[this.#before.length - 1] = { ...step, undo: last.undo };
    } else {
      this.#before.push(step);
      if (this.#before.length > MOST) this.#before.shift();
    }
    this.#after = [];
    this.#time = time;
  }

  /** Undoes the last step, and returns its name; undefined without any. */
  undo(): string | undefined {
    const step = this.#before.pop();
    if (!step) return undefined;
    this.#after.push(step);
    this.#time = -Infinity;
    step.undo();
    return step.name;
  }

  /** Does the step again that was last undone. */
  redo(): string | undefined {
    const step = this.#after.pop();
    if (!step) return undefined;
    this.#before.push(step);
    this.#time = -Infinity;
    step.redo();
    return step.name;
  }

  clear(): void {
    this.#before.length = 0;
    this.#after = [];
  }
}
