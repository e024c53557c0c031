// Calls into the WebAssembly module.

import { asGambolError } from '../base/errors.ts';

/** Runs a call into the module with up to two arguments, and converts thrown values to `GambolError`. */
export function guarded<T>(call: () => T): T;
export function guarded<T, A>(call: (about: A) => T, about: A): T;
export function guarded<T, A, B>(call: (about: A, more: B) => T, about: A, more: B): T;
export function guarded<T, A, B>(call: (about: A, more: B) => T, about?: A, more?: B): T {
  try {
    return call(about as A, more as B);
  } catch (error) {
    throw asGambolError(error, 'viewer/failed');
  }
}
