// The module of the tools, and the files that they read, with the decoder of Draco.

import { GambolError, asGambolError, throwIfAborted } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { lazily } from '../base/lazily.ts';
import { yieldToPage } from '../base/scheduling.ts';
import type { DecodeDraco } from '../load/draco.ts';
import { dracoDecoder } from '../load/draco-decoder.ts';
import { openedGltf, type GltfFile } from '../load/gltf-file.ts';
import type { AssetSource } from '../load/source.ts';
import { compileBeside } from '../wasm/beside.ts';
import type { Tools } from './module.ts';
import type { ToolOptions } from './options.ts';

/** A file with the files that it names, by their URIs. */
export interface Input {
  /** The name of the file, without the ending. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly url: string | undefined;
  readonly others: ReadonlyMap<string, Uint8Array>;
  /** Files that were left out because `externalResources` forbids them, with the places that name them. */
  readonly refused: readonly { readonly pointer: string; readonly message: string }[];
  /** The decoder of Draco, if the file uses it. */
  readonly decoder: DecodeDraco | undefined;
}

/**
 * Reads a file, its buffers and its images. An image that cannot be read stays external.
 *
 * - `buffers`: `needed` if a missing buffer is an error; `optional` if it is left out.
 * @throws {@link GambolError} the errors of loading
 */
export async function readInput(
  from: AssetSource,
  options: ToolOptions,
  signal: AbortSignal,
  buffers: 'needed' | 'optional' = 'needed',
): Promise<Input> {
  return inputOf(await openedGltf(from, { ...options, signal }), signal, buffers, options.decoders);
}

/** The file with its buffers and images; see {@link readInput}. @throws {@link GambolError} the errors of loading */
export async function inputOf(
  file: GltfFile,
  signal: AbortSignal,
  buffers: 'needed' | 'optional' = 'needed',
  decoders: ToolOptions['decoders'] = 'auto',
): Promise<Input> {
  const others = new Map<string, Uint8Array>();
  const refused: { pointer: string; message: string }[] = [];
  for (const [list, needed] of [
    ['buffers', buffers === 'needed'],
    ['images', false],
  ] as const) {
    for (const [i, described] of (elementsOf(file.json[list]) ?? []).entries()) {
      const uri = (described as { readonly uri?: unknown } | null | undefined)?.uri;
      if (typeof uri !== 'string' || /^data:/i.test(uri) || others.has(uri)) continue;
      try {
        others.set(uri, await file.resource(uri));
      } catch (error) {
        throwIfAborted(signal);
        if (needed) throw error;
        const { code, message } = asGambolError(error, 'load/missing-resource');
        if (code === 'load/foreign-resource') refused.push({ pointer: `/${list}/${i}/uri`, message });
      }
    }
  }
  const decoder = decoders === 'auto' ? await dracoOf(file) : undefined;
  throwIfAborted(signal);
  return { name: file.name.replace(/\.\w+$/, ''), bytes: file.bytes, url: file.url, others, refused, decoder };
}

/** The decoder of Draco, if the file uses it. @throws {@link GambolError} `load/chunk` */
export async function dracoOf({ json }: GltfFile): Promise<DecodeDraco | undefined> {
  const isUsed = elementsOf(json['extensionsUsed'])?.includes('KHR_draco_mesh_compression');
  return isUsed ? dracoDecoder(compileBeside) : undefined;
}

/** Files for the module. */
export function filesOf(
  tools: Tools,
  { others, decoder }: Pick<Input, 'others' | 'decoder'>,
): InstanceType<Tools['Files']> {
  const files = new tools.Files();
  for (const [uri, bytes] of others) files.add(uri, bytes);
  if (decoder) files.setDecoder(decoder);
  return files;
}

/**
 * Runs a tool with an instance of the module of its own: its memory is freed afterwards, and a trap harms nothing else.
 * @throws {@link GambolError} `tools/panic`, `load/chunk`, `load/aborted`, and the errors of the tool
 */
export async function runTool<T>(
  url: string | undefined,
  signal: AbortSignal,
  work: (tools: Tools) => Promise<T> | T,
): Promise<T> {
  const script = await lazily('the tools', () => import('./module.ts'));
  try {
    const tools = await script.instance(compileBeside);
    throwIfAborted(signal);
    return await work(tools);
  } catch (cause) {
    throw toolError(cause, url);
  }
}

/** The error for what the module has thrown: its own error, or `tools/panic` for a trap. */
export function toolError(cause: unknown, url: string | undefined): GambolError {
  if ((cause as { code?: unknown } | undefined)?.code !== undefined) return asGambolError(cause, 'tools/panic', url);
  return new GambolError(
    'tools/panic',
    `The tools have stopped. This is a bug in gambol, or there is not enough memory (${String(cause)}); please report it.`,
    { cause, url },
  );
}

/** Lets the page work between two steps, and ends the work if it was aborted. */
export async function betweenSteps(ratio: number, { onProgress }: ToolOptions, signal: AbortSignal): Promise<void> {
  onProgress?.(ratio);
  await yieldToPage();
  throwIfAborted(signal);
}
