import { deferred, type Deferred } from '../base/deferred.ts';
import { GambolError } from '../base/errors.ts';

/**
 * What `play()` gives back; awaiting it waits for {@link Playback.started}.
 *
 * Nobody has to handle these promises: one that rejects unheard is not reported by the browser.
 */
export interface Playback extends PromiseLike<void> {
  /** Resolves when the first frame of it was presented; rejects with `play/aborted` if it was paused before that. */
  readonly started: Promise<void>;
  /**
   * Resolves when the last repetition ended; rejects with `play/aborted` when another clip, `stop()`, `load()`, `remove()`
   * or `dispose()` came first. Settles once; while paused it waits. A clip that repeats for ever never resolves it.
   */
  readonly finished: Promise<void>;
}

interface Entry {
  /** The core's number of it; undefined while it waits for a model. */
  id: number | undefined;
  starting: boolean;
  readonly started: Deferred;
  readonly finished: Deferred;
}

/** All playbacks of one track that still wait for something. */
export class Playbacks {
  readonly #entries = new Set<Entry>();
  /** Whether any may be starting: asked each frame, in which the iterator of a set would be garbage. */
  #starting = false;

  /** Without an id it is for later; see {@link Playbacks.begin}. */
  add(id?: number): Playback {
    const started = deferred();
    const finished = deferred();
    this.#entries.add({ id, starting: true, started, finished });
    this.#starting = true;
    return {
      started: started.promise,
      finished: finished.promise,
      // oxlint-disable-next-line no-thenable -- `await viewer.play()` is how media elements are used
      then: (fulfilled, rejected) => started.promise.then(fulfilled, rejected),
    };
  }

  /** Playback `id` is what plays now: those that waited for a model are it, those before it are over. */
  begin(id: number, why = 'Something else is played.'): void {
    for (const entry of this.#entries) {
      entry.id ??= id;
      if (entry.id !== id) this.#reject(entry, new GambolError('play/aborted', why));
    }
  }

  /** Adds those whose first frame is drawn now to `waiting`: the caller resolves them once it is presented. */
  takeStarting(waiting: Deferred[]): void {
    if (!this.#starting) return;
    this.#starting = false;
    for (const entry of this.#entries) {
      if (!entry.starting) continue;
      if (entry.id === undefined) {
        this.#starting = true;
      } else {
        entry.starting = false;
        waiting.push(entry.started);
      }
    }
  }

  finish(id: number): void {
    for (const entry of this.#entries) {
      if (entry.id !== id) continue;
      this.#entries.delete(entry);
      entry.started.resolve();
      entry.finished.resolve();
    }
  }

  /** `pause()`: what has not begun will not, what runs only waits. */
  pause(): void {
    const error = new GambolError('play/aborted', 'Playing was paused before it began.');
    for (const entry of this.#entries) {
      if (entry.starting) entry.started.reject(error);
      entry.starting = false;
    }
  }

  abort(error: GambolError): void {
    for (const entry of this.#entries) this.#reject(entry, error);
  }

  #reject(entry: Entry, error: GambolError): void {
    this.#entries.delete(entry);
    entry.started.reject(error);
    entry.finished.reject(error);
  }
}
