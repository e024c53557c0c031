/** The progress of a load. @category Loading and models */
export interface Progress {
  /** The phase: bytes are fetched, the model is parsed, images are decoded, data is uploaded to the GPU. */
  readonly phase: 'fetch' | 'parse' | 'decode' | 'upload';
  /** The number of finished bytes (`fetch`) or images (`decode`). */
  readonly loaded: number;
  /** The total number of these bytes or images; 0 while it is unknown. */
  readonly total: number;
  /** The progress of the whole load, `0..=1`. It never decreases, and is 1 only at the end. */
  readonly ratio: number;
}

/** The progress of one load, and of all loads that run at the same time. @category Loading and models */
export interface ViewerProgress extends Progress {
  /**
   * The progress of all concurrent loads of the viewer, `0..=1`. It never decreases, and is 1 when all have ended, also by an
   * error.
   */
  readonly totalRatio: number;
}

/** The range of the progress of a step. */
type Span = readonly [from: number, to: number];

const FETCH_END = 0.8;
const SPANS = {
  /** A `.glb` is the whole transfer; a `.gltf` (`text`) is followed by its buffers. */
  container: [0, FETCH_END],
  text: [0, 0.1],
  buffers: [0.1, FETCH_END],
  parse: [FETCH_END, 0.85],
  decode: [0.85, 0.97],
  upload: [0.97, 1],
} as const satisfies Record<string, Span>;

/** Converts the progress of the steps of a load to one ratio, which never decreases. */
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

/** The total progress of concurrent loads. */
export class TotalProgress {
  /** The ratio of each load since the last time without a running load; 1 for loads that have ended. */
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

  /** Updates the ratio of a load; returns the total, which is 1 only when all loads have ended. */
  update(load: object, ratio: number): number {
    this.#ratios.set(load, ratio);
    let sum = 0;
    for (const each of this.#ratios.values()) sum += each;
    this.#total = Math.max(this.#total, Math.min(sum / this.#ratios.size, 0.99));
    return this.#total;
  }

  /** Ends a load, with or without success; returns the total. */
  end(load: object): number {
    this.update(load, 1);
    this.#running -= 1;
    return this.#running === 0 ? 1 : this.#total;
  }
}
