// Parts of the package that are loaded lazily: each is a separate script, which is loaded once.

import { GambolError } from './errors.ts';
import { lazily } from './lazily.ts';

export class Part<T> {
  /** The description of the part for error messages. */
  readonly #description: string;
  readonly #import: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /** The loaded part; undefined before it is loaded. */
  loaded: T | undefined;

  constructor(description: string, load: () => Promise<T>) {
    this.#description = description;
    this.#import = load;
  }

  /** Loads the part. @throws `GambolError` `load/chunk`; the next call tries again. */
  load(): Promise<T> {
    this.#loading ??= lazily(this.#description, this.#import).then(
      (part) => (this.loaded = part),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  /** Preloads the part. A failure is ignored, because a later {@link load} reports it. */
  preload(): Promise<unknown> {
    return this.load().catch(() => undefined);
  }

  /** The loaded part. @throws `GambolError` `load/chunk` before it is loaded, which then begins. */
  get now(): T {
    if (this.loaded) return this.loaded;
    void this.preload();
    throw new GambolError('load/chunk', `${this.#description} is still loading. Wait for load() before this call.`);
  }
}
