// Parts of the element that not every page needs, each a script of its own that is loaded once.

import { lazily } from '../../base/lazily.ts';

export class Part<T> {
  readonly #what: string;
  readonly #import: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /** It, once it is there. */
  now: T | undefined;

  constructor(what: string, load: () => Promise<T>) {
    this.#what = what;
    this.#import = load;
  }

  /** @throws `GambolError` `load/chunk`; the next call tries again. */
  load(): Promise<T> {
    this.#loading ??= lazily(this.#what, this.#import).then((part) => (this.now = part), (error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Loads it ahead; who needs it then hears of failures. */
  soon(): Promise<unknown> {
    return this.load().catch(() => undefined);
  }
}
