// Pictures of the model at other times, for the bubble over the ruler and for the onion skin.

import type { StillOptions } from 'gambol';
import type { Session } from './session.ts';

/**
 * Draws stills one after the other, and keeps them. A still blocks the page for the time of a frame, so none is drawn while the
 * clip plays, and a request that waits is replaced by the next one.
 */
export class Stills {
  readonly #cache = new Map<string, ImageBitmap>();
  #busy = false;
  #next: (() => Promise<void>) | null = null;
  #epoch = 0;

  /** `most`: the number of pictures that are kept. */
  constructor(
    readonly session: Session,
    readonly most: number,
  ) {}

  /** Forgets all pictures: the model, the camera or the light has changed. */
  clear(): void {
    this.#epoch++;
    for (const picture of this.#cache.values()) picture.close();
    this.#cache.clear();
  }

  /** Drops the request that waits. */
  cancel(): void {
    this.#next = null;
  }

  /** Draws the times in order and calls `ready` for each, in a later task. Replaces the request that waits. */
  request(
    times: readonly number[],
    options: Omit<StillOptions, 'time'>,
    ready: (time: number, picture: ImageBitmap) => void,
  ): void {
    const run = async (): Promise<void> => {
      const epoch = this.#epoch;
      for (const time of times) {
        const picture = await this.#still(time, options);
        // Another request has come meanwhile, the pictures were closed, or the clip plays.
        if (!picture || this.#next || epoch !== this.#epoch) return;
        ready(time, picture);
      }
    };
    this.#next = run;
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      for (let run = this.#next; run; run = this.#next) {
        this.#next = null;
        await run();
      }
    } finally {
      this.#busy = false;
    }
  }

  async #still(time: number, options: Omit<StillOptions, 'time'>): Promise<ImageBitmap | null> {
    const { viewer, clip, fps } = this.session;
    if (!clip) return null;
    const key = [clip.index, time.toFixed(4), fps, options.width, options.height].join(' ');
    const known = this.#cache.get(key);
    if (known) {
      // The picture was used last, so it is dropped last.
      this.#cache.delete(key);
      this.#cache.set(key, known);
      return known;
    }
    if (!viewer.paused) return null;
    const epoch = this.#epoch;
    // A lost context or a disposed viewer: there is no picture, and no message about it.
    const picture = await viewer.renderAt(time, options).catch(() => null);
    if (!picture || epoch !== this.#epoch) {
      picture?.close();
      return null;
    }
    this.#cache.set(key, picture);
    if (this.#cache.size > this.most) {
      const [oldest, old] = this.#cache.entries().next().value as [string, ImageBitmap];
      old.close();
      this.#cache.delete(oldest);
    }
    // Gives the page a frame between two stills.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return picture;
  }
}
