// The container GLB: the only reader and the only writer of the package. Spec: glTF 2.0 §4.4.

import { GambolError } from './errors.ts';
import { GLB_MAGIC, viewOf } from './glb-header.ts';
import { described } from './shown.ts';

const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
/** The limit of the format. */
const MOST_BYTES = 0xffffffff;

/** The first chunk of JSON and the first binary chunk of a GLB; undefined where there is none. */
export function glbChunks(bytes: Uint8Array): {
  readonly json: Uint8Array | undefined;
  readonly binary: Uint8Array | undefined;
} {
  const view = viewOf(bytes);
  let json: Uint8Array | undefined;
  let binary: Uint8Array | undefined;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const [length, type] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === JSON_CHUNK) json ??= chunk;
    else if (type === BINARY_CHUNK) binary ??= chunk;
    at += 8 + length;
  }
  return { json, binary };
}

/**
 * Writes a GLB file: the JSON as it is, and the bytes of its buffer 0, the binary chunk. Without bytes there is no such chunk.
 *
 * ```js
 * const glb = writeGlb({ ...file.json, extras: { licence: 'CC0' } }, await file.buffer(0));
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, or `tools/too-large` above 4 GiB
 * @category glTF files
 */
export function writeGlb(json: object, binary: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  if (!(binary instanceof Uint8Array))
    throw new GambolError(
      'argument/invalid',
      `The bytes of the buffer must be a Uint8Array, not ${described(binary)}.`,
    );
  const text = new TextEncoder().encode(textOf(json));
  const chunks = [
    { type: JSON_CHUNK, bytes: text, padding: 0x20 },
    ...(binary.byteLength > 0 ? [{ type: BINARY_CHUNK, bytes: binary, padding: 0 }] : []),
  ];
  const padded = (bytes: Uint8Array): number => Math.ceil(bytes.byteLength / 4) * 4;
  const total = chunks.reduce((sum, { bytes }) => sum + 8 + padded(bytes), 12);
  if (total > MOST_BYTES)
    throw new GambolError('tools/too-large', 'The file is larger than 4 GiB, the limit of GLB. Divide the file.');
  const glb = new Uint8Array(total);
  const view = viewOf(glb);
  const put = (at: number, ...words: readonly number[]): void =>
    words.forEach((word, i) => view.setUint32(at + 4 * i, word, true));
  put(0, GLB_MAGIC, 2, total);
  let at = 12;
  for (const { type, bytes, padding } of chunks) {
    const end = at + 8 + padded(bytes);
    put(at, end - at - 8, type);
    glb.fill(padding, at + 8, end).set(bytes, at + 8);
    at = end;
  }
  return glb;
}

function textOf(json: unknown): string {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new GambolError('argument/invalid', `The JSON of a glTF file must be an object, not ${described(json)}.`);
  try {
    return JSON.stringify(json);
  } catch (cause) {
    throw new GambolError('argument/invalid', `The object cannot be written as JSON: ${String(cause)}.`, { cause });
  }
}
