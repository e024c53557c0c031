// Converts files of other formats to GLB, by a WebAssembly module of its own. A separate script, loaded lazily.
//
// It imports nothing of the core, because the single file of `dist/cdn` loads this script, too, and would get a second copy. So its
// errors are plain `Error`s with a `code`.

import instantiate from '../pkg/formats-glue.js';
import type { Warning } from '../base/errors.ts';
import type { compileBeside } from '../wasm/beside.ts';

/** Options of {@link toGlb}. @category Files of other formats */
export interface ConversionOptions {
  /**
   * Metres per unit of length. Default: of FBX, the unit that the file names; of BVH, the unit that fits the height of the figure;
   * of .x, 1.
   */
  readonly metresPerUnit?: number | undefined;
  /** The axis that points up in a BVH file. Default: Y, unless the figure stands along Z. Other formats name their axes. */
  readonly up?: 'y' | 'z' | undefined;
  /**
   * The upper limit of memory for the decoded content, in bytes. Default: 1 GiB, and 64 times the file if that is less but above
   * 64 MiB.
   */
  readonly decodedBytes?: number | undefined;
  /** Aborts the call before its conversion begins: the promise rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A file that was converted to GLB. @category Files of other formats */
export interface ConvertedFile {
  /** The bytes of the GLB. Textures that the file only names are images with a relative URI. */
  readonly glb: Uint8Array;
  /** The parts that were repaired or skipped. Their `pointer` is the place in the file. */
  readonly warnings: readonly Warning[];
  /** The format of the file. */
  readonly format: ForeignFormat;
}

/**
 * A format that {@link toGlb} converts: Biovision hierarchy, DirectX .x, Autodesk FBX.
 * @category Files of other formats
 */
export type ForeignFormat = 'bvh' | 'x' | 'fbx';

let compiled: Promise<WebAssembly.Module> | undefined;

/** See `toGlb`. `compile` finds and compiles the module, once; after a failure the next call tries again. */
export async function convert(
  bytes: ArrayBuffer | Uint8Array,
  name: string,
  options: ConversionOptions,
  compile: typeof compileBeside,
): Promise<ConvertedFile> {
  const view = viewOf(bytes);
  if (typeof name !== 'string') refuse('name must be the name of the file, a string.');
  if (typeof options !== 'object' || options === null) refuse('options must be an object.');
  const { metresPerUnit, up, decodedBytes, signal } = options;
  for (const [key, value] of Object.entries({ metresPerUnit, decodedBytes }))
    if (value !== undefined && !(typeof value === 'number' && value > 0 && value < Infinity))
      refuse(`${key} must be a positive number.`);
  if (up !== undefined && up !== 'y' && up !== 'z') refuse("up must be 'y' or 'z'.");
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse('signal must be an AbortSignal.');

  throwIfAborted(signal);
  const beside = new URL('./gambol.formats.wasm', import.meta.url);
  compiled ??= compile('formats', beside, 'gambol.formats.wasm', 'the converters').catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  const module = await compiled;
  throwIfAborted(signal);
  try {
    // An instance for each conversion: its memory is freed afterwards, and a trap harms nothing else.
    const { toGlb } = await instantiate(module);
    throwIfAborted(signal);
    return toGlb(view, name, { metresPerUnit, up, decodedBytes });
  } catch (cause) {
    if ((cause as { code?: unknown } | undefined)?.code !== undefined) throw cause;
    throw coded(
      'convert/panic',
      `The file ${name} stopped its converter. This is a bug in gambol, or there is not enough memory (${String(cause)}); please report it.`,
      cause,
    );
  }
}

/** A new view of the bytes, whose length is that of the buffer, even if a page has overridden `length` on its array. */
function viewOf(bytes: ArrayBuffer | Uint8Array): Uint8Array {
  try {
    if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
    if (bytes instanceof Uint8Array) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    // The buffer is detached: it was transferred.
  }
  return refuse('bytes must be an ArrayBuffer or a Uint8Array whose buffer was not transferred.');
}

function refuse(message: string): never {
  throw coded('argument/invalid', message);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw coded('load/aborted', 'The conversion was aborted by its signal.', signal.reason);
}

function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
