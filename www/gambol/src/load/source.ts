// The sources of models: URLs, bytes, files and archives, behind one interface.

import { bytesOf } from '../base/bytes.ts';
import { dataUrlBytes } from './data-url.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError, abortError, asGambolError, throwIfAborted, type Warning } from '../base/errors.ts';
import { MAX_FILE_BYTES, fetchBytes, fetchEarly, nameOf, type FetchOptions } from './fetch.ts';
import { FileSet, MAX_FILES, fileMap, type FileMap } from './files.ts';
import { lazily } from '../base/lazily.ts';
import { disk, type Disk } from '../base/local-files.ts';
import { described, shown } from '../base/shown.ts';

/**
 * The source of a model: a URL, bytes, or a set of files (picked, or by path as from `filesFromDrop`). A `.zip` archive is a set
 * of files: its model, which may be in a folder, references only files of the archive. A `.gltf` as bytes references files
 * relative to `baseURL`. FBX, BVH and DirectX .x files are converted to glTF, see {@link gambol/formats!}.
 * @category Loading and models
 */
export type AssetSource = string | URL | ArrayBuffer | Uint8Array | Blob | readonly File[] | FileList | FileMap;

export interface SourceOptions {
  /** The base URL for relative URIs of a model that is passed as bytes. Default: none. */
  readonly baseURL?: string | URL | undefined;
  /** The credentials mode of requests, as in `fetch`. Default: `same-origin`. */
  readonly credentials?: RequestCredentials | undefined;
  /** Rewrites the URL of the model, and of each file that it references, before it is fetched. */
  mapURL?(url: string): string;
  /**
   * The files that a model may reference. Default: `any`.
   *
   * - `any`: all files and addresses. In Node, a model that is a local file may then reference any other local file.
   * - `same-origin`: those of the page's origin; in Node those of the model's origin, of a local file `same-folder`.
   * - `same-folder`: those in the model's folder and below it. Symbolic links that lead out of it are refused.
   */
  readonly externalResources?: 'any' | 'same-origin' | 'same-folder' | undefined;
  /**
   * The use of the package's decoders for Draco meshes and KTX2 images, which are fetched if a model needs them. Default: `auto`.
   * With `none`, such meshes are an error (`import/draco`), and such images are skipped with a warning (`image/unsupported`).
   */
  readonly decoders?: 'auto' | 'none' | undefined;
  /** The axis that points up in a BVH file. Default: Y, unless the figure stands along Z. Other formats name their axes. */
  readonly up?: 'y' | 'z' | undefined;
}

/** An opened source: it reads a model and the files that the model references. */
export interface Source {
  /** The name of the model for messages and titles. */
  readonly name: string;
  readonly url: string | undefined;
  readonly warnings: readonly Warning[];
  readonly decoders?: SourceOptions['decoders'];
  readonly up?: SourceOptions['up'];
  model(transfer: Transfer): Promise<Uint8Array>;
  /** Reads a referenced file. @throws {@link GambolError} `load/missing-resource`, and the errors of `fetchBytes`. */
  resource(uri: string, transfer: Transfer): Promise<Uint8Array>;
}

export type Transfer = Pick<FetchOptions, 'signal' | 'onBytes'>;

/** Opens the source of a model. @throws {@link GambolError} `argument/invalid`, `load/no-model`. */
export function openSource(source: AssetSource, options: SourceOptions): Source {
  if (typeof source === 'string' || source instanceof URL) return urlSource(parsedUrl(source), options);
  if (source instanceof ArrayBuffer || source instanceof Uint8Array)
    return bytesSource(bytesOf(source as ArrayBuffer | Uint8Array<ArrayBuffer>), options);
  if (source instanceof Blob) {
    const name = source instanceof File ? source.name : 'model.glb';
    return options.baseURL === undefined ? filesSource(new Map([[name, source]])) : blobSource(name, source, options);
  }
  if (source instanceof Map) {
    for (const [path, blob] of source as ReadonlyMap<unknown, unknown>) {
      if (typeof path !== 'string' || !(blob instanceof Blob))
        throw new GambolError('argument/invalid', 'A map of files must have paths as keys and Blobs as values.');
    }
    return filesSource(source as FileMap);
  }
  const files = ArrayBuffer.isView(source) ? undefined : elementsOf(source);
  if (files) return filesSource(fileMap(files));
  throw new GambolError(
    'argument/invalid',
    `The source of a model must be a URL, an ArrayBuffer, a Uint8Array, a Blob, or a list of Files, not ${described(source)}.`,
  );
}

/**
 * Starts to fetch a model with a URL that will be opened soon with the same options; returns a function that aborts the request.
 */
export function openEarly(source: AssetSource, options: SourceOptions): () => void {
  try {
    if (typeof source === 'string' || source instanceof URL)
      return fetchEarly(mapped(parsedUrl(source), options), options.credentials);
  } catch {
    // The error is reported when the source is opened.
  }
  return () => undefined;
}

/** The URL of a source; undefined for bytes, files and invalid URLs. */
export function addressOf(source: AssetSource): string | undefined {
  try {
    return typeof source === 'string' || source instanceof URL ? parsedUrl(source).href : undefined;
  } catch {
    // The error is reported when the source is opened.
    return undefined;
  }
}

function parsedUrl(source: string | URL): URL {
  try {
    return new URL(source, globalThis.document?.baseURI);
  } catch (error) {
    throw new GambolError('argument/invalid', `${shown(source)} is not a valid URL. Pass the URL of a model.`, {
      cause: error,
    });
  }
}

function urlSource(url: URL, options: SourceOptions): Source {
  const data = dataUrlBytes(url.href);
  if (data) return bytesSource(data.bytes, options);
  return {
    name: nameOf(url),
    url: url.href,
    warnings: [],
    model: (transfer) => fetchBytes(mapped(url, options), { ...transfer, credentials: options.credentials }),
    resource: remoteResource(options.baseURL === undefined ? url : parsedUrl(options.baseURL), options),
  };
}

function bytesSource(bytes: Uint8Array, options: SourceOptions): Source {
  return {
    name: 'model',
    url: undefined,
    warnings: [],
    model: async (transfer) => {
      throwIfAborted(transfer.signal);
      // A new view for each read, because the page may have transferred its buffer.
      return bytesOf(bytes as Uint8Array<ArrayBuffer>);
    },
    resource: options.baseURL === undefined ? missingResource : remoteResource(parsedUrl(options.baseURL), options),
  };
}

function blobSource(name: string, blob: Blob, options: SourceOptions): Source {
  return {
    ...bytesSource(new Uint8Array(), options),
    name,
    model: (transfer) => blobBytes(blob, name, transfer),
  };
}

function filesSource(files: FileMap): Source {
  const set = new FileSet(files);
  return {
    name: set.main.split('/').pop() ?? set.main,
    url: undefined,
    warnings: set.warnings,
    model: (transfer) => blobBytes(set.model() ?? new Blob(), set.main, transfer),
    resource: async (uri, transfer) => {
      const file = set.find(uri);
      return file ? blobBytes(file, uri, transfer) : missingResource(uri);
    },
  };
}

/** `true` if the bytes begin with the signature of a ZIP archive. */
export function isArchive(bytes: Uint8Array): boolean {
  // By indices, because the iterator of a detached array throws.
  const [p, k, a, b] = [bytes[0], bytes[1], bytes[2], bytes[3]];
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/**
 * The upper limit of an archive's expansion: a factor, or a number of bytes if that is more. Deflate reaches a factor of 1,032.
 */
const MAX_EXPANSION = 64;
const MIN_EXPANDED_BYTES = 64 * 2 ** 20;

/**
 * The source of the model in a ZIP archive, whose bytes were read from another source. Files are unpacked lazily.
 * @throws {@link GambolError} `load/archive-broken`, `load/archive-unsupported`, `load/too-large`, `load/no-model`
 */
export async function archiveSource(bytes: Uint8Array, { name, url, warnings, decoders }: Source): Promise<Source> {
  const { Archive } = await lazily('the script for ZIP archives', () => import('./zip.ts'));
  const limits = {
    files: MAX_FILES,
    bytes: Math.min(MAX_FILE_BYTES, Math.max(MIN_EXPANDED_BYTES, MAX_EXPANSION * bytes.byteLength)),
  };
  const archive = withCode(() => new Archive(bytes, name, limits), url);
  const set = new FileSet(archive.files, name);
  const read = async (
    file: ReturnType<typeof set.model>,
    path: string,
    { signal, onBytes }: Transfer,
  ): Promise<Uint8Array> => {
    throwIfAborted(signal);
    if (!file) return missingResource(path);
    const unpacked = await archive.read(file, signal).catch((error: unknown) => {
      throwIfAborted(signal);
      throw asGambolError(error, 'load/archive-broken', url);
    });
    onBytes?.(unpacked.byteLength, unpacked.byteLength, true);
    return unpacked;
  };
  const skipped: Warning[] =
    archive.outside.length === 0
      ? []
      : [
          {
            code: 'load/archive-path',
            message: `Files whose paths lead out of the archive ${name} are skipped (${archive.outside.length}): ${archive.outside.slice(0, 8).join(', ')}`,
            pointer: '',
          },
        ];
  return {
    name: set.main.split('/').pop() ?? set.main,
    url,
    decoders,
    warnings: [...warnings, ...skipped, ...set.warnings],
    model: (transfer) => read(set.model(), set.main, transfer),
    resource: (uri, transfer) => read(set.find(uri), uri, transfer),
  };
}

function withCode<T>(make: () => T, url: string | undefined): T {
  try {
    return make();
  } catch (error) {
    throw asGambolError(error, 'load/archive-broken', url);
  }
}

async function blobBytes(blob: Blob, name: string, transfer: Transfer): Promise<Uint8Array> {
  throwIfAborted(transfer.signal);
  if (blob.size > MAX_FILE_BYTES) {
    throw new GambolError(
      'load/too-large',
      `The file ${name} is larger than ${MAX_FILE_BYTES / 2 ** 20} MiB. Simplify the model.`,
      { url: name },
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw new GambolError('fetch/failed', `The file ${name} cannot be read. Choose it again.`, {
      url: name,
      cause: error,
    });
  }
  if (transfer.signal.aborted) throw abortError(transfer.signal.reason);
  transfer.onBytes?.(bytes.byteLength, bytes.byteLength, true);
  return bytes;
}

function remoteResource(base: URL, options: SourceOptions): Source['resource'] {
  const { credentials, externalResources = 'any', mapURL } = options;
  const check = (url: URL): void => {
    if (isAllowed(url, base, externalResources)) return;
    throw foreignResource(url.href, externalResources);
  };
  const isConfined = externalResources !== 'any';
  const own = base.protocol === 'file:' ? disk() : undefined;
  return async (uri, transfer) => {
    if (own && !mapURL && /^(?![a-z][a-z0-9+.-]*:)|^file:/i.test(uri))
      return localResource(own, uri, base, isConfined, transfer);
    let url: URL;
    try {
      url = mapped(new URL(uri, base), options);
    } catch (error) {
      throw new GambolError(
        'load/missing-resource',
        `The model references the file “${uri}”, which is not a valid URI. Export it again.`,
        { url: uri, cause: error },
      );
    }
    // A model from the network must not reference local files.
    if (url.protocol === 'file:' && base.protocol !== 'file:') return missingResource(uri);
    if (own && url.protocol === 'file:') return localResource(own, url.href, base, isConfined, transfer);
    check(url);
    // The page trusts its own server to redirect, but a model's folder may be on any server.
    const onRedirect = externalResources === 'same-folder' ? check : undefined;
    return fetchBytes(url, { ...transfer, credentials, onRedirect });
  };
}

/** A file of a local model, in Node. */
async function localResource(
  own: Disk,
  uri: string,
  base: URL,
  isConfined: boolean,
  transfer: Transfer,
): Promise<Uint8Array> {
  throwIfAborted(transfer.signal);
  const { readBeside } = await lazily('the script for local files', () => import('./local-folder.ts'));
  const found = await readBeside(own, uri, base, isConfined).catch((error: unknown) => {
    throw unreadable(uri, error);
  });
  throwIfAborted(transfer.signal);
  if (!('bytes' in found)) throw found.outside ? foreignResource(uri, 'same-folder') : unreadable(uri);
  transfer.onBytes?.(found.bytes.byteLength, found.bytes.byteLength, true);
  return found.bytes;
}

function unreadable(uri: string, cause?: unknown): GambolError {
  return new GambolError('fetch/failed', `The file ${uri} cannot be read. Check its path.`, { url: uri, cause });
}

function foreignResource(url: string, allowed: string): GambolError {
  const [where, there] =
    allowed === 'same-folder'
      ? ['outside its folder', 'into the folder']
      : ['of another origin', "on the page's server"];
  return new GambolError(
    'load/foreign-resource',
    `The model references a file ${where}, which \`externalResources\` forbids: ${url}. Put it ${there}, or set \`externalResources\` to \`any\`.`,
    { url },
  );
}

/** `true` if a model with the URL `base` may reference a URL. */
function isAllowed(url: URL, base: URL, allowed: NonNullable<SourceOptions['externalResources']>): boolean {
  if (allowed === 'any' || ['data:', 'blob:'].includes(url.protocol)) return true;
  if (allowed === 'same-origin') return url.origin === (globalThis.location?.origin ?? base.origin);
  const { pathname } = new URL('.', base);
  if (url.origin !== base.origin || !url.pathname.startsWith(pathname)) return false;
  // Servers may decode `%2F` before they look for `..`.
  const way = url.pathname
    .slice(pathname.length)
    .replace(/%(?:2f|5c)/gi, '/')
    .replace(/%2e/gi, '.');
  return !way.split('/').includes('..');
}

function mapped(url: URL, { mapURL }: SourceOptions): URL {
  return mapURL ? new URL(mapURL(url.href), url) : url;
}

function missingResource(uri: string): Promise<never> {
  return Promise.reject(
    new GambolError(
      'load/missing-resource',
      `The model references the file “${uri}”, which is missing. Open it together with the model, or open the whole folder.`,
      { url: uri },
    ),
  );
}
