import { deferred, type Deferred } from '../base/deferred.ts';
import { GambolError } from '../base/errors.ts';

/**
 * The result of `play()`. Awaiting it waits for {@link Playback.started}.
 *
 * These promises need no handler: the browser does not report an unhandled rejection of them.
 * @category Playback
 */
export interface Playback extends PromiseLike<void> {
  /** Resolves after its first frame was presented; rejects with `play/aborted` if it was paused before that. */
  readonly started: Promise<void>;
  /**
   * Resolves when the last repetition has ended. Rejects with `play/aborted` if another clip, `stop()`, `load()`, `remove()` or
   * `dispose()` ends the playback before. It stays pending while playback is paused, and for ever if `repetitions` is infinite.
   */
  readonly finished: Promise<void>;
}

interface Entry {
  /** The playback id of the core; undefined while the playback waits for a model. */
  id: number | undefined;
  starting: boolean;
  readonly started: Deferred;
  readonly finished: Deferred;
}

/** The pending playbacks of one track. */
export class Playbacks {
  readonly #entries = new Set<Entry>();
  /** `true` if an entry may be starting. Read each frame instead of the set, because a set's iterator is garbage. */
  #starting = false;

  /** Adds a playback. Without an id it waits for {@link Playbacks.begin}. */
  add(id?: number): Playback {
    const started = deferred();
    const finished = deferred();
    this.#entries.add({ id, starting: true, started, finished });
    this.#starting = true;
    return {
      started: started.promise,
      finished: finished.promise,
      // biome-ignore lint/suspicious/noThenProperty: `await viewer.play()` is the use of media elements
      then: (fulfilled, rejected) => started.promise.then(fulfilled, rejected),
    };
  }

  /** Makes `id` the current playback: entries without an id get it, entries with another id are rejected. */
  begin(id: number, reason = 'Playback aborted: another playback started.'): void {
    for (const entry of this.#entries) {
      entry.id ??= id;
      if (entry.id !== id) this.#reject(entry, new GambolError('play/aborted', reason));
    }
  }

  /** Adds the playbacks whose first frame is drawn now to `waiting`. The caller resolves them after the frame is presented. */
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

  /** Rejects `started` of playbacks whose first frame was not drawn yet. Running playbacks stay pending. */
  pause(): void {
    const error = new GambolError('play/aborted', 'Playback aborted: it was paused before its first frame.');
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
