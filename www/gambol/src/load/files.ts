// Sets of files: picked or dropped, possibly as folders.

import { GambolError, type Warning } from '../base/errors.ts';

/** Endings of common models and motions that gambol does not read. */
const OTHER_FORMATS = /\.(dae|usd[acz]?|obj|md5mesh|stl|ply|blend|ma|mb|max|c4d|3ds|abc|pm[dx]|vmd|smd)$/i;

/**
 * Files by their paths, relative to the picked or dropped folder, with `/` as separator.
 * @category Loading and models
 */
export type FileMap = ReadonlyMap<string, Blob>;

/**
 * Finds the model in a set of files, and the files that it references; without a model, a `.zip` archive that may contain it.
 *
 * A URI is looked up relative to the model's folder, in this order, and the first hit counts:
 * 1. exactly as the file spells it;
 * 2. percent-decoded (`my%20skin.png` → `my skin.png`);
 * 3. without regard to upper and lower case, as file systems of Windows and macOS would;
 * 4. by the last part of its path, if exactly one file has this name: for files that are dropped without their folder.
 */
export class FileSet<F = Blob> {
  /** The path of the model, or of a `.zip` archive that may contain it. */
  readonly main: string;
  readonly warnings: readonly Warning[];
  readonly #files: Map<string, F>;
  readonly #base: string;
  /** The files by their paths in lower case, and by the last parts of these; made for the first URI that is not spelled like a path. */
  #lower: { readonly byPath: Map<string, F>; readonly byName: Map<string, F | undefined> } | undefined;

  /** `archive`: the name of the archive that holds the files, for messages. */
  constructor(files: ReadonlyMap<string, F>, archive?: string) {
    this.#files = new Map([...files].map(([path, file]) => [normalised(path), file]));
    const pathsWith = (end: RegExp): string[] =>
      [...this.#files.keys()].filter((path) => end.test(path)).sort(byDepthThenName);
    // Of a model in several formats, glTF needs no conversion; `.vrma` has clips only.
    const models = [...pathsWith(/\.(glb|gltf|vrm)$/i), ...pathsWith(/\.(fbx|bvh|x|vrma)$/i)];
    const [zip] = archive === undefined ? pathsWith(/\.zip$/i) : [];
    // A single file may have any name.
    const single = archive === undefined && this.#files.size === 1 ? [...this.#files.keys()][0] : undefined;
    // Files that are not read are opened for the message that names their format.
    const [other] = pathsWith(OTHER_FORMATS);
    const main = models[0] ?? zip ?? other ?? single;
    if (main === undefined) throw new GambolError('load/no-model', noModel(this.#files.size, archive));
    this.main = main;
    this.#base = main.slice(0, main.lastIndexOf('/') + 1);
    this.warnings =
      models.length > 1
        ? [
            {
              code: 'load/several-models',
              message: `There are ${models.length} models among the files; ${baseName(main)} is shown. Pass one model.`,
              pointer: '',
            },
          ]
        : [];
  }

  /** The model itself. */
  model(): F | undefined {
    return this.#files.get(this.main);
  }

  /** The file for a URI of the model, or undefined. */
  find(uri: string): F | undefined {
    // A URI with a scheme is not in the set, and must not be fetched: a local file must not cause a request to a server.
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.startsWith('//')) return undefined;
    const decoded = percentDecoded(uri);
    for (const path of [this.#base + uri, this.#base + decoded]) {
      const found = this.#files.get(normalised(path));
      if (found) return found;
    }
    const { byPath, byName } = (this.#lower ??= this.#inLowerCase());
    const wanted = normalised(this.#base + decoded).toLowerCase();
    return byPath.get(wanted) ?? byName.get(baseName(wanted));
  }

  #inLowerCase(): { byPath: Map<string, F>; byName: Map<string, F | undefined> } {
    const [byPath, byName] = [new Map<string, F>(), new Map<string, F | undefined>()];
    for (const [path, file] of this.#files) {
      const lower = path.toLowerCase();
      if (!byPath.has(lower)) byPath.set(lower, file);
      const name = baseName(lower);
      // Of several files with this name, none is meant.
      byName.set(name, byName.has(name) ? undefined : file);
    }
    return { byPath, byName };
  }
}

function noModel(files: number, archive: string | undefined): string {
  const known = 'a model (.glb, .gltf, .vrm, .fbx, .bvh, .x)';
  if (archive !== undefined) return `In the archive ${archive} no file is ${known}.`;
  if (files === 0) return 'The list of files is empty. Choose a .glb, a .gltf with its files, or a .zip of them.';
  return `None of these files is ${known}, or a .zip of it.`;
}

/**
 * `File`s by their paths: files of a folder have a relative path, others have only a name.
 * @throws {@link GambolError} `argument/invalid` if an element is not a file
 */
export function fileMap(files: readonly unknown[]): FileMap {
  return new Map(
    files.map((file, i) => {
      if (file instanceof File) return [file.webkitRelativePath || file.name, file] as const;
      throw new GambolError(
        'argument/invalid',
        `Entry ${i} of the list is not a File. Pass the files of an input or of a drop, or one URL, Blob or Uint8Array.`,
      );
    }),
  );
}

/**
 * The dropped files by their paths, including those in folders, for `viewer.load()`.
 *
 * Call it in the task of the `drop` event, because the browser clears the items afterwards.
 * @category Loading and models
 */
export async function filesFromDrop(transfer: DataTransfer): Promise<FileMap> {
  const folders: FileSystemEntry[] = [];
  const loose: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    // The file itself rather than its entry, because WebKit cannot read entries of files that a script made.
    const entry = item.webkitGetAsEntry();
    const file = entry?.isDirectory ? null : item.getAsFile();
    if (entry?.isDirectory) folders.push(entry);
    else if (file) loose.push(file);
  }
  const found = new Map<string, File>(loose.map((file) => [file.name, file]));
  await Promise.all(folders.map((folder) => collect(folder, found)));
  return found;
}

/** The upper limit of files, against a disk that is dropped by mistake. */
export const MAX_FILES = 20_000;

async function collect(entry: FileSystemEntry, found: Map<string, File>): Promise<void> {
  if (found.size >= MAX_FILES) return;
  const path = entry.fullPath.replace(/^\/+/, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.set(path, file);
  } else if (entry.isDirectory) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // The reader returns batches of about a hundred entries, and an empty list at the end.
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const child of some) await collect(child, found);
    }
  }
}

/** The path without `.`, `..`, empty parts and backslashes. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function percentDecoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function byDepthThenName(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || a.localeCompare(b, 'en');
}
