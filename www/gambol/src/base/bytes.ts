// Bytes that a page passes.

import { GambolError } from './errors.ts';

/**
 * A new view of the same bytes. Its length is that of the buffer, even if a page has overridden `length` on its array.
 * @throws {@link GambolError} `argument/invalid` if the buffer was transferred, to a worker for example
 */
export function bytesOf(source: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    return source instanceof ArrayBuffer
      ? new Uint8Array(source)
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  } catch (cause) {
    throw new GambolError(
      'argument/invalid',
      'The buffer of these bytes is detached: it was transferred. Pass a copy.',
      { cause },
    );
  }
}
