// A promise with its resolve and reject functions.

import type { GambolError } from './errors.ts';

export interface Deferred<Value = void, Failure extends Error = GambolError> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Failure) => void;
}

export function deferred<Value = void, Failure extends Error = GambolError>(): Deferred<Value, Failure> {
  let resolve!: (value: Value) => void;
  let reject!: (error: Failure) => void;
  const promise = new Promise<Value>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  // Marked as handled, so that a caller may ignore the result.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
