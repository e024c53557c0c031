// A promise with its resolve and reject functions.

import type { GambolError } from './errors.ts';

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
  // Marked as handled, so that a caller may ignore the result.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
