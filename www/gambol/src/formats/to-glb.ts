// Converts files of other formats to GLB. The converters are a WebAssembly module of their own, loaded lazily.
//
// Each conversion has an instance of its own: its memory is freed afterwards, and a trap harms nothing else.

import { bytesOf } from '../base/bytes.ts';
import { GambolError, abortError, asGambolError, isTrap, type Warning } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { described, shown } from '../base/shown.ts';
import { compileBeside } from '../wasm/beside.ts';

/** Options of {@link toGlb}. */
export interface ConversionOptions {
  /**
   * Metres per unit of length. Default: of FBX, the unit that the file names; of BVH, the unit that fits the height of the figure;
   * of .x, 1.
   */
  readonly metresPerUnit?: number | undefined;
  /**
   * The upper limit of memory for the decoded content, in bytes. Default: 1 GiB, and 64 times the file if that is less but above
   * 64 MiB.
   */
  readonly decodedBytes?: number | undefined;
  /** Aborts the call before its conversion begins: the promise rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A file that was converted to GLB. */
export interface ConvertedFile {
  /** The bytes of the GLB. Textures that the file only names are images with a relative URI. */
  readonly glb: Uint8Array;
  /** The parts that were repaired or skipped. Their `pointer` is the place in the file. */
  readonly warnings: readonly Warning[];
  /** The format of the file. */
  readonly format: ForeignFormat;
}

/** A format that {@link toGlb} converts: Biovision hierarchy, DirectX .x, Autodesk FBX. */
export type ForeignFormat = 'bvh' | 'x' | 'fbx';

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Converts the bytes of an FBX, BVH or DirectX .x file to GLB. The first bytes decide the format, or else the extension of `name`.
 * The first call loads the converters.
 *
 * ```js
 * const { glb, warnings } = await toGlb(await readFile('walk.bvh'), 'walk.bvh');
 * ```
 *
 * @throws {@link GambolError} with a code of the format and the place of the fault as `pointer` (`line 3, column 5`, or `byte 96` and
 * the objects around it); `convert/unknown-format`, `convert/too-large`, `convert/no-fbx`, `convert/panic`, `load/chunk`,
 * `load/aborted`, `argument/invalid`
 */
export async function toGlb(
  bytes: ArrayBuffer | Uint8Array,
  name: string,
  options: ConversionOptions = {},
): Promise<ConvertedFile> {
  const refuse = (words: string): never => {
    throw new GambolError('argument/invalid', words);
  };
  if (!(bytes instanceof ArrayBuffer || bytes instanceof Uint8Array))
    refuse(`bytes must be an ArrayBuffer or a Uint8Array, not ${described(bytes)}.`);
  if (typeof name !== 'string') refuse(`name must be the name of the file, not ${shown(name)}.`);
  if (typeof options !== 'object' || options === null) refuse(`options must be an object, not ${shown(options)}.`);
  const { metresPerUnit, decodedBytes, signal } = options;
  for (const [key, value] of Object.entries({ metresPerUnit, decodedBytes }))
    if (value !== undefined && !(typeof value === 'number' && value > 0 && value < Infinity))
      refuse(`${key} must be a positive number, not ${shown(value)}.`);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    refuse(`signal must be an AbortSignal, not ${shown(signal)}.`);
  const abort = (): void => {
    if (signal?.aborted) throw abortError(signal.reason);
  };

  abort();
  const { instantiate, module } = await load();
  abort();
  try {
    const converters = await instantiate(module);
    abort();
    return converters.toGlb(bytesOf(bytes as Uint8Array<ArrayBuffer>), name, metresPerUnit, decodedBytes);
  } catch (error) {
    if (!isTrap(error)) throw asGambolError(error, 'convert/panic');
    throw new GambolError(
      'convert/panic',
      `The file ${name} stopped its converter. This is a bug in gambol, or there is not enough memory (${String(error)}); please report it.`,
      { cause: error },
    );
  }
}

/** Loads the script and the module of the converters. @throws {@link GambolError} `load/chunk`; the next call tries again. */
async function load() {
  const script = lazily('the converters of other formats', () => import('../pkg/formats-glue.js'));
  compiled ??= compileBeside('formats', new URL('./gambol.formats.wasm', import.meta.url)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  const [{ default: instantiate }, module] = await Promise.all([script, compiled]);
  return { instantiate, module };
}
