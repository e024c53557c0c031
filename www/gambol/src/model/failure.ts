// The errors of a `<model>` element are DOMExceptions with the names that browsers use.

import type { GambolError } from '../base/errors.ts';

/** Codes of errors of the network. */
const NETWORK = /^(fetch\/|load\/chunk$|wasm\/load$)/;

/** The name of the DOMException for an error. */
type Name = 'AbortError' | 'InvalidStateError' | 'NetworkError' | 'NotSupportedError';

/** A DOMException whose `cause` is the error, a `GambolError`. Safari has AbortError for a file that it cannot read, too. */
export function failureOf(error: unknown): DOMException {
  const { code = '', message = '' } = error as Partial<GambolError>;
  const name = NETWORK.test(code) ? 'NetworkError' : 'AbortError';
  return Object.defineProperty(failure(name, message), 'cause', { value: error, configurable: true });
}

export function failure(name: Name, message: string): DOMException {
  return new DOMException(message, name);
}
