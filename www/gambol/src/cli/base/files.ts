// Files of the command line: patterns, stdin and stdout.

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isDynamicPattern, glob } from 'tinyglobby';
import { nearest } from '../../base/suggestions.ts';
import { EXIT, Failure, usage } from './failure.ts';

/** The operand that stands for stdin or stdout. */
export const STREAM = '-';

/** The largest input from stdin: that of a file that gambol reads. */
const MAX_BYTES = 2 ** 31 - 1;

/** `true` for an `http:` or `https:` address. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/**
 * The files that operands name. Patterns (`*`, `**`, `?`, `[ab]`, `{a,b}`) are expanded here if the shell did not; files with such
 * characters in their names are found first. The result is sorted within each pattern; two paths of one file count once.
 */
export async function expand(operands: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    const place = path === STREAM || isAddress(path) ? path : resolve(path);
    if (!found.has(place)) found.set(place, path);
  };
  for (const operand of operands) {
    if (operand === STREAM || isAddress(operand) || (await exists(operand)) || !isDynamicPattern(operand)) {
      add(operand);
      continue;
    }
    const pattern = process.platform === 'win32' ? operand.replaceAll('\\', '/') : operand;
    const files = await glob(pattern, { onlyFiles: true, expandDirectories: false });
    if (files.length === 0)
      throw new Failure(EXIT.input, 'cli/no-such-file', `No file matches the pattern “${operand}”.`, { file: operand });
    for (const file of files.sort()) add(file);
  }
  return [...found.values()];
}

/** Fails if the path is no file that can be read. */
export async function checkReadable(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (!(found instanceof Error)) {
    if (!found.isDirectory()) return;
    throw new Failure(
      EXIT.input,
      'cli/not-a-file',
      `${path} is a folder. Name a file, or a pattern such as “${join(path, '*.glb')}”.`,
      { file: path },
    );
  }
  if (found.code !== 'ENOENT' && found.code !== 'ENOTDIR')
    throw new Failure(EXIT.input, 'cli/not-readable', `${path} cannot be read: ${found.message}.`, { file: path });
  const names = await readdir(dirname(path)).catch(() => []);
  const [near] = nearest(basename(path), names);
  const hint = near === undefined ? '' : ` Did you mean ${join(dirname(path), near)}?`;
  throw new Failure(EXIT.input, 'cli/no-such-file', `There is no file ${path}.${hint}`, { file: path });
}

/** All bytes of stdin. */
export async function readStdin(signal: AbortSignal): Promise<Uint8Array> {
  if (process.stdin.isTTY)
    throw usage('“-” reads a file from stdin, which is a terminal. Send a file: gambol … - < hero.glb');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    signal.throwIfAborted();
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).byteLength;
    if (length > MAX_BYTES) throw new Failure(EXIT.input, 'load/too-large', 'Stdin has more bytes than gambol reads.');
  }
  return new Uint8Array(Buffer.concat(chunks));
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** `true` for a folder that exists, and for a path that ends like one. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The name of a file without its folder and its ending. */
export function stem(path: string): string {
  const name = isAddress(path) ? basename(new URL(path).pathname) : basename(path);
  return name.slice(0, name.length - extname(name).length) || 'model';
}

/** The ending of a path in lower case, without the dot. */
export function ending(path: string): string {
  return extname(path).slice(1).toLowerCase();
}
