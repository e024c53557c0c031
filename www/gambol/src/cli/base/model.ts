// Input files → one GLB that names no other file.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GltfFile } from 'gambol/gltf';
import type { ConversionOptions } from 'gambol/formats';
import type { Warning } from '../../base/errors.ts';
import type { Call } from './command.ts';
import { pack } from './container.ts';
import { EXIT, Failure, failureOf } from './failure.ts';
import { STREAM, checkReadable, isAddress, readStdin } from './files.ts';
import { resourcesOf, withHint } from './outside.ts';

/** An input file. */
export interface Opened {
  /** The path of the command line. */
  readonly path: string;
  readonly file: GltfFile;
  readonly glb: Uint8Array;
  /** Repairs of archives and conversions, and images that stay outside. */
  readonly warnings: readonly Warning[];
}

export interface OpenOptions {
  /** Metres per unit of length of a file of another format. */
  readonly metresPerUnit?: number | undefined;
  /** The axis that points up in a BVH file. */
  readonly up?: 'y' | 'z' | undefined;
  readonly keepImages?: boolean;
}

/** The URL of a file or an address. */
export function urlOf(path: string): URL {
  return isAddress(path) ? new URL(path) : pathToFileURL(resolve(path));
}

/** Reads a file of any format that gambol knows. @throws {@link Failure} */
export async function open(path: string, call: Call, options: OpenOptions = {}): Promise<Opened> {
  const { values, signal } = call;
  const name = values.text('name');
  const { metresPerUnit, up, keepImages = false } = options;
  const how = { signal, up, ...resourcesOf(call) };
  try {
    if (path !== STREAM && !isAddress(path)) await checkReadable(path);
    const { readGltf } = await import('gambol/gltf');
    let file: GltfFile;
    let warnings: readonly Warning[] = [];
    if (path === STREAM || metresPerUnit !== undefined) {
      const bytes = path === STREAM ? await readStdin(signal) : await bytesOf(path, signal);
      const baseURL = path === STREAM ? pathToFileURL(`${resolve('.')}/`) : urlOf(path);
      const named = baseName(name ?? (path === STREAM ? 'stdin' : path));
      const converted = await foreign(bytes, named, { metresPerUnit, up, signal });
      const source = converted?.glb ?? new File([bytes as Uint8Array<ArrayBuffer>], named);
      file = await readGltf(source, { baseURL, ...how });
      warnings = [...(converted?.warnings ?? []), ...file.warnings];
    } else {
      file = await readGltf(urlOf(path), how);
      warnings = file.warnings;
    }
    const { glb, kept } = await pack(file, keepImages);
    return { path, file, glb, warnings: [...warnings, ...kept] };
  } catch (error) {
    const failure = failureOf(error, path);
    if (failure.code !== 'load/foreign-resource') throw failure;
    throw new Failure(EXIT.input, failure.code, withHint(failure.headline), { file: path, pointer: failure.pointer });
  }
}

const baseName = (path: string): string => path.split(/[/\\]/).pop() ?? path;

async function bytesOf(path: string, signal: AbortSignal): Promise<Uint8Array> {
  if (!isAddress(path)) {
    const { readFile } = await import('node:fs/promises');
    return new Uint8Array(await readFile(path, { signal }));
  }
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw Object.assign(new Error(`The server answered with ${answer.status}.`), { code: 'fetch/http' });
  return new Uint8Array(await answer.arrayBuffer());
}

/** Bytes of another format as GLB; undefined for glTF and for archives. */
async function foreign(
  bytes: Uint8Array,
  name: string,
  options: ConversionOptions,
): Promise<{ readonly glb: Uint8Array; readonly warnings: readonly Warning[] } | undefined> {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (/^(glTF|PK|\s*\{)/.test(head)) return undefined;
  const { toGlb } = await import('gambol/formats');
  try {
    return await toGlb(bytes, name, options);
  } catch (error) {
    // The reader of glTF names other formats.
    if ((error as { code?: unknown }).code === 'convert/unknown-format') return undefined;
    throw error;
  }
}
