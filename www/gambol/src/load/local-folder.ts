// The files of a model on this machine, in Node. A separate script, which pages do not load. It imports nothing of the main script,
// because bundling would move shared code to a third script that every page must load.

import type { Disk } from '../base/local-files.ts';

/** The answer to a request for a file. */
export type Found =
  | { readonly bytes: Uint8Array }
  /** The file is outside the folder, and must not be read. */
  | { readonly outside: true }
  | { readonly outside: false };

/**
 * Reads a file that a model names, relative to the folder of `base`. A name is looked up by the rules of `FileSet`: exactly as it is
 * spelled, percent-decoded, without regard to case, by its last part in the folder of the model.
 *
 * @param uri a relative URI or a `file:` URL
 * @param isConfined `true` if the file must be in the folder or below it; symbolic links are followed before this is checked
 */
export async function readBeside(disk: Disk, uri: string, base: URL, isConfined: boolean): Promise<Found> {
  const { files, paths } = disk;
  const folder = disk.pathOf(new URL('.', base).href);
  // Another computer.
  if (isConfined && /^[/\\]{2}/.test(uri)) return { outside: true };
  const isBelow = (from: string, path: string): boolean => {
    const way = paths.relative(from, path);
    return !paths.isAbsolute(way) && !/^\.\.(?:$|[/\\])/.test(way);
  };
  const realFolder = await files.realpath(folder).catch(() => folder);
  let outside = false;
  for await (const path of candidates(disk, uri, folder, base)) {
    // Nothing is asked about other folders, not even if a file exists.
    const real = isConfined && !isBelow(folder, path) ? undefined : await files.realpath(path).catch(() => undefined);
    outside ||= isConfined && !isBelow(folder, path);
    if (real === undefined) continue;
    if (isConfined && !isBelow(realFolder, real)) outside = true;
    else if ((await files.stat(real)).isFile()) return { bytes: await files.readFile(real) };
  }
  return { outside };
}

/** The paths at which a file may be, the most exact one first. */
async function* candidates(disk: Disk, uri: string, folder: string, base: URL): AsyncGenerator<string> {
  if (/^(?:file:|[/\\])/i.test(uri)) {
    const path = absolute(disk, uri, base);
    if (path !== undefined) yield path;
  } else {
    const decoded = percentDecoded(uri);
    // Windows writes backslashes, which other systems allow in names.
    const spellings = [uri, uri.replaceAll('\\', '/'), decoded, decoded.replaceAll('\\', '/')];
    for (const spelling of new Set(spellings)) yield disk.paths.join(folder, spelling);
  }
  const parts = percentDecoded(uri)
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.');
  for (const names of [parts, parts.slice(-1)]) {
    const path = names.includes('..') ? undefined : await withoutCase(disk, folder, names);
    if (path !== undefined) yield path;
  }
}

function absolute({ pathOf }: Disk, uri: string, base: URL): string | undefined {
  try {
    return pathOf(new URL(uri, base).href.replace(/[?#].*$/, ''));
  } catch {
    // A host, or an escaped separator.
    return undefined;
  }
}

/** The path of a file below a folder, with any case; undefined if there is none, or several. */
async function withoutCase(
  { files, paths }: Disk,
  folder: string,
  parts: readonly string[],
): Promise<string | undefined> {
  let path = folder;
  for (const part of parts) {
    const names = await files.readdir(path).catch((): string[] => []);
    const same = names.filter((name) => name.toLowerCase() === part.toLowerCase());
    const [name] = same;
    if (name === undefined || same.length > 1) return undefined;
    path = paths.join(path, name);
  }
  return path;
}

function percentDecoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
