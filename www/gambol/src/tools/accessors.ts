// The numbers of accessors, which the module of the tools reads.

import { bytesOf } from '../base/bytes.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError, throwIfAborted } from '../base/errors.ts';
import { described, shown } from '../base/shown.ts';
import { checkedSource } from '../load/checked-source.ts';
import type { GltfFile } from '../load/gltf-file.ts';
import type { Tools } from './module.ts';
import { dracoOf, filesOf, runTool, toolError } from './run.ts';

/** Options of {@link readAccessor}. @category glTF files */
export interface AccessorOptions {
  /** Aborts the call: it rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** The numbers of an accessor. @category glTF files */
export interface GltfAccessor {
  /** The shape of an element. */
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT2' | 'MAT3' | 'MAT4';
  /**
   * The type of the numbers in the file: 5120 for signed bytes, 5121 for unsigned bytes, 5122 for signed and 5123 for unsigned integers
   * of 16 bits, 5125 for unsigned integers of 32 bits, 5126 for floats.
   */
  readonly componentType: 5120 | 5121 | 5122 | 5123 | 5125 | 5126;
  /** `true` if integers stand for −1 … 1 or 0 … 1. */
  readonly normalized: boolean;
  /** The number of elements. */
  readonly count: number;
  /**
   * The numbers, element by element; matrices column by column. Floats and normalized integers are a `Float32Array`; other integers are
   * an array of their type, such as a `Uint16Array`.
   */
  readonly values:
    | Float32Array<ArrayBuffer>
    | Int8Array<ArrayBuffer>
    | Uint8Array<ArrayBuffer>
    | Int16Array<ArrayBuffer>
    | Uint16Array<ArrayBuffer>
    | Uint32Array<ArrayBuffer>;
}

/** The reader of a file in the memory of a module. */
type Reader = InstanceType<Tools['Accessors']>;

/** The readers of files; a file that is no longer used frees its own. */
const readers = new WeakMap<GltfFile, Promise<Reader>>();

/**
 * Reads the numbers of an accessor: from interleaved views, from views that meshopt compressed and from meshes that Draco compressed, with
 * sparse elements replaced. Without a buffer view, the numbers are zeros.
 *
 * The first call for a file reads its buffers and loads the module of the tools, which keeps a copy of them as long as the page keeps the
 * file.
 *
 * ```js
 * const file = await readGltf('hero.glb');
 * const { POSITION } = file.json.meshes[0].primitives[0].attributes;
 * const { values, count } = await readAccessor(file, POSITION);
 * ```
 *
 * @param file - The result of {@link readGltf}.
 * @param index - The index in `accessors` of the JSON.
 * @throws {@link GambolError} `argument/invalid`, `import/index-out-of-range`, `import/accessor-out-of-range` and other codes of imports,
 * `tools/panic`, `load/aborted`, and the errors of loading
 * @category glTF files
 */
export async function readAccessor(
  file: GltfFile,
  index: number,
  options: AccessorOptions = {},
): Promise<GltfAccessor> {
  checkedSource(options, 'readAccessor()', ['signal']);
  const { signal = new AbortController().signal } = options;
  const given = file as Partial<GltfFile> | null | undefined;
  if (typeof given?.resource !== 'function' || !(given.bytes instanceof Uint8Array))
    throw new GambolError('argument/invalid', `file must be the result of readGltf(), not ${described(file)}.`);
  if (!(Number.isInteger(index) && index >= 0 && index <= 0xffffffff))
    throw new GambolError('argument/invalid', `index must be the index of an accessor, not ${shown(index)}.`);
  throwIfAborted(signal);
  let reading = readers.get(file);
  if (!reading) {
    reading = readerOf(file);
    readers.set(file, reading);
  }
  try {
    const reader = await reading;
    throwIfAborted(signal);
    return reader.read(index);
  } catch (cause) {
    throwIfAborted(signal);
    const error = toolError(cause, file.url);
    // After a trap the module is of no use, and a file that could not be read may be there later.
    if (!error.code.startsWith('import/') && readers.get(file) === reading) readers.delete(file);
    throw error;
  }
}

async function readerOf(file: GltfFile): Promise<Reader> {
  const others = new Map<string, Uint8Array>();
  for (const described of elementsOf(file.json['buffers']) ?? []) {
    const uri = (described as { readonly uri?: unknown } | null | undefined)?.uri;
    if (typeof uri === 'string' && !/^data:/i.test(uri)) others.set(uri, await file.resource(uri));
  }
  const decoder = await dracoOf(file);
  const bytes = bytesOf(file.bytes as Uint8Array<ArrayBuffer>);
  return runTool(
    file.url,
    new AbortController().signal,
    (tools) => new tools.Accessors(bytes, filesOf(tools, { others, decoder })),
  );
}
