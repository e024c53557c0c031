// glTF files as they are, without an import.

import { bytesOf } from '../base/bytes.ts';
import { dataUrlBytes } from './data-url.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError, type Warning } from '../base/errors.ts';
import { glbChunks } from '../base/glb.ts';
import { isGlb } from '../base/glb-header.ts';
import { parsedJson, type ParsedJson } from './json-text.ts';
import { openModel } from './open-model.ts';
import type { AssetSource, Source, SourceOptions } from './source.ts';
import { checkedSource, SOURCE_OPTIONS } from './checked-source.ts';

/** Options of {@link readGltf}. @category glTF files */
export interface GltfOptions extends SourceOptions {
  /** Aborts the requests of this call and of the file: they reject with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A glTF file: its JSON and its buffers, as they are in the file. @category glTF files */
export interface GltfFile {
  /** The name of the file. */
  readonly name: string;
  /** The URL of the file, if it has one. */
  readonly url: string | undefined;
  /** The bytes of the `.glb` or `.gltf`; of another format, those of the GLB to which it was converted. */
  readonly bytes: Uint8Array;
  /** The text of the JSON; with the importer's repairs, if it is not JSON as it is. */
  readonly text: string;
  /** The top object of the JSON. It is parsed, but nothing in it is checked. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Warnings about archives, conversions, and repairs of a text that is not JSON. */
  readonly warnings: readonly Warning[];
  /**
   * The bytes of a buffer, by its index: of the GLB's binary chunk, of a data URI or of another file.
   *
   * Rejects with `import/buffer-missing` if the JSON has no such buffer or the buffer has no bytes, and with the errors of
   * {@link resource}.
   */
  buffer(index: number): Promise<Uint8Array>;
  /**
   * The bytes of a data URI or of a file that the JSON names, relative to this file.
   *
   * Rejects with `load/missing-resource`, `load/foreign-resource`, or the error of the request.
   */
  resource(uri: string): Promise<Uint8Array>;
}

/**
 * Reads the JSON of a glTF file without importing it, in pages, workers and Node. The source may be anything that a viewer loads:
 * the file is found in folders and archives, and other formats are converted.
 *
 * ```js
 * const file = await readGltf('hero.glb');
 * console.log(file.json.asset.generator);
 * ```
 *
 * @throws {@link GambolError} `import/unknown-format`, `import/glb-no-json`, `import/invalid-json`, and the errors of loading, for
 * example `fetch/http`
 * @category glTF files
 */
export async function readGltf(from: AssetSource, options: GltfOptions = {}): Promise<GltfFile> {
  checkedSource(options, 'readGltf()', SOURCE_OPTIONS);
  return openedGltf(from, options);
}

/** {@link readGltf} with options that were checked. @internal */
export async function openedGltf(from: AssetSource, options: GltfOptions): Promise<GltfFile> {
  const signal = options.signal ?? new AbortController().signal;
  const opened = await openModel(from, options, { signal });
  return gltfFile(opened.bytes, opened.source, signal);
}

/**
 * The JSON of a glTF file that was read from a source.
 * @throws {@link GambolError} `import/unknown-format`, `import/glb-no-json`, `import/invalid-json` @internal
 */
export function gltfFile(given: Uint8Array, source: Source, signal: AbortSignal): GltfFile {
  const bytes = bytesOf(given as Uint8Array<ArrayBuffer>);
  const { jsonBytes, binary } = parts(bytes, source.url);
  const { text, json, warnings } = parsed(jsonBytes, source.url);
  const resource = async (uri: string): Promise<Uint8Array> =>
    dataUrlBytes(uri)?.bytes ?? (await source.resource(uri, { signal }));
  const buffer = async (index: number): Promise<Uint8Array> => {
    const described = elementsOf(json['buffers'])?.[index] as { readonly uri?: unknown } | null | undefined;
    if (typeof described?.uri === 'string') return resource(described.uri);
    if (index === 0 && described && binary) return binary;
    throw new GambolError('import/buffer-missing', `The file has no bytes of buffer ${index}.`, {
      pointer: `/buffers/${index}`,
      url: source.url,
    });
  };
  const all = warnings.length > 0 ? [...source.warnings, ...warnings] : source.warnings;
  return { name: source.name, url: source.url, bytes, text, json, warnings: all, buffer, resource };
}

/** The JSON of a GLB or of a glTF file, and the binary chunk. */
function parts(
  bytes: Uint8Array<ArrayBuffer>,
  url: string | undefined,
): { readonly jsonBytes: Uint8Array; readonly binary: Uint8Array | undefined } {
  if (!isGlb(bytes)) return { jsonBytes: bytes, binary: undefined };
  const { json: jsonBytes, binary } = glbChunks(bytes);
  if (jsonBytes === undefined)
    throw new GambolError('import/glb-no-json', 'The GLB has no JSON chunk. Export it again.', { url });
  return { jsonBytes, binary };
}

function parsed(bytes: Uint8Array, url: string | undefined): Pick<GltfFile, 'text' | 'json' | 'warnings'> {
  let found: ParsedJson;
  try {
    found = parsedJson(bytes);
  } catch (cause) {
    if (!new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith('{'))
      throw new GambolError('import/unknown-format', 'The file is neither GLB nor glTF JSON.', { url, cause });
    throw new GambolError('import/invalid-json', `The JSON cannot be parsed: ${String(cause)}.`, { url, cause });
  }
  const { text, value, warnings } = found;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GambolError('import/unknown-format', 'The JSON of the file is not an object.', { url });
  return { text, json: value as GltfFile['json'], warnings };
}
