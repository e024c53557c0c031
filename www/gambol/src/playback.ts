import { GambolError } from './errors.ts';

/**
 * What `play()` gives back; awaiting it waits for {@link Playback.started}.
 *
 * Nobody has to handle these promises: one that rejects unheard is not reported by the browser.
 */
export interface Playback extends PromiseLike<void> {
  /** Resolves when the first frame of it was presented; rejects with `play/aborted` if it was paused before that. */
  readonly started: Promise<void>;
  /**
   * Resolves when the last repetition ended; rejects with `play/aborted` when another clip, `stop()`, `load()` or
   * `dispose()` came first. Settles once; while paused it waits. A clip that repeats for ever never resolves it.
   */
  readonly finished: Promise<void>;
}

/** All playbacks that still wait for something. */
export class Playbacks {
  readonly #starting = new Set<Deferred>();
  readonly #running = new Set<Deferred>();

  add(): Playback {
    const started = deferred();
    const finished = deferred();
    this.#starting.add(started);
    this.#running.add(finished);
    return {
      started: started.promise,
      finished: finished.promise,
      // oxlint-disable-next-line no-thenable -- `await viewer.play()` is how media elements are used
      then: (fulfilled, rejected) => started.promise.then(fulfilled, rejected),
    };
  }

  /** Those whose first frame is drawn now; the caller resolves them once it is presented. */
  takeStarting(): readonly Deferred[] {
    const taken = [...this.#starting];
    this.#starting.clear();
    return taken;
  }

  finish(): void {
    for (const { resolve } of [...this.#starting, ...this.#running]) resolve();
    this.#clear();
  }

  /** `pause()`: what has not begun will not, what runs only waits. */
  pause(): void {
    const error = new GambolError('play/aborted', 'Playing was paused before it began.');
    for (const { reject } of this.#starting) reject(error);
    this.#starting.clear();
  }

  abort(error: GambolError): void {
    for (const { reject } of [...this.#starting, ...this.#running]) reject(error);
    this.#clear();
  }

  #clear(): void {
    this.#starting.clear();
    this.#running.clear();
  }
}

export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: GambolError) => void;
}

export function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: GambolError) => void;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  // Marked as handled: who does not care about the outcome need not say so.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
