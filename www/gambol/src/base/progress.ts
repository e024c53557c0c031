/** How far a load is. */
export interface Progress {
  /** What is going on: bytes arrive, the model is read, images are decoded, all goes to the GPU. */
  readonly phase: 'fetch' | 'parse' | 'decode' | 'upload';
  /** Bytes (`fetch`) or images (`decode`) that are done. */
  readonly loaded: number;
  /** Out of how many; 0 while nobody knows. */
  readonly total: number;
  /** The whole load, `0..=1`; never falls, and is 1 only at its end. */
  readonly ratio: number;
}

/** The progress of one load, and of all loads that run at the same time. */
export interface ViewerProgress extends Progress {
  /** All loads of the viewer that run at the same time, `0..=1`: never falls while one runs, and is 1 when all have ended, also by an error. */
  readonly totalRatio: number;
}

/** Part of the bar that a step fills. */
type Span = readonly [from: number, to: number];

const FETCH_END = 0.8;
const SPANS = {
  /** A `.glb` is the whole transfer, a `.gltf` only says what else there is. */
  container: [0, FETCH_END],
  text: [0, 0.1],
  buffers: [0.1, FETCH_END],
  parse: [FETCH_END, 0.85],
  decode: [0.85, 0.97],
  upload: [0.97, 1],
} as const satisfies Record<string, Span>;

/** Turns what the steps of a load know into one number that never falls. */
export class ProgressMeter {
  #ratio = 0;
  readonly #report: (progress: Progress) => void;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  step(step: keyof typeof SPANS, loaded: number, total: number): void {
    const [from, to] = SPANS[step];
    const done = total > 0 ? Math.min(loaded / total, 1) : 0;
    this.#ratio = Math.max(this.#ratio, from + (to - from) * done);
    const phase = step === 'container' || step === 'text' || step === 'buffers' ? 'fetch' : step;
    this.#report({ phase, loaded, total: Math.max(total, 0), ratio: this.#ratio });
  }
}

/** Adds up loads that run at the same time. */
export class TotalProgress {
  /** The ratio of each load since the last time that none ran; 1 for those that have ended. */
  readonly #ratios = new Map<object, number>();
  #running = 0;
  #total = 0;

  begin(load: object): void {
    if (this.#running === 0) {
      this.#ratios.clear();
      this.#total = 0;
    }
    this.#running += 1;
    this.#ratios.set(load, 0);
  }

  /** Notes how far a load is; returns the total, which is 1 only when all have ended. */
  update(load: object, ratio: number): number {
    this.#ratios.set(load, ratio);
    let sum = 0;
    for (const each of this.#ratios.values()) sum += each;
    this.#total = Math.max(this.#total, Math.min(sum / this.#ratios.size, 0.99));
    return this.#total;
  }

  /** A load has ended, well or not; returns the total. */
  end(load: object): number {
    this.update(load, 1);
    this.#running -= 1;
    return this.#running === 0 ? 1 : this.#total;
  }
}
