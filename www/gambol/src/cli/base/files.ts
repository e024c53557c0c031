// Files of the command line: patterns, stdin and stdout, and writing without overwriting by accident.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isDynamicPattern, glob } from 'tinyglobby';
import { nearest } from '../../base/suggestions.ts';
import { EXIT, Failure, usage } from './failure.ts';
import type { Output } from './output.ts';

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
 * characters in their names are found first. The result is sorted within each pattern, without duplicates.
 */
export async function expand(operands: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const operand of operands) {
    if (operand === STREAM || isAddress(operand) || (await exists(operand)) || !isDynamicPattern(operand)) {
      found.add(operand);
      continue;
    }
    const pattern = process.platform === 'win32' ? operand.replaceAll('\\', '/') : operand;
    const files = await glob(pattern, { onlyFiles: true, expandDirectories: false });
    if (files.length === 0)
      throw new Failure(EXIT.input, 'cli/no-such-file', `No file matches the pattern “${operand}”.`, { file: operand });
    for (const file of files.sort()) found.add(file);
  }
  if ([...found].filter((one) => one === STREAM).length > 1) throw usage('Stdin can be read only once.');
  return [...found];
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

async function isFolder(path: string): Promise<boolean> {
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

/** The place of a result. */
export interface Target {
  readonly path: string;
  readonly overwrite: boolean;
}

/**
 * The place of the result of `input`, which is checked before the work begins.
 *
 * @param given the operand: a file, a folder, `-`, or undefined for a file beside the input
 * @param alone `false` if the path is not itself the name of a result
 * @param suffix of a file whose name follows from the input: `.glb`, `.optimized.glb`
 */
export async function target(
  input: string,
  given: string | undefined,
  suffix: string,
  { force, several, alone = true }: { readonly force: boolean; readonly several: boolean; readonly alone?: boolean },
): Promise<Target> {
  // A wrong name of the input is the more helpful error.
  if (input !== STREAM && !isAddress(input)) await checkReadable(input);
  if (given === STREAM) {
    if (several) throw usage('Several files cannot be written to stdout. Name a folder.');
    return { path: STREAM, overwrite: false };
  }
  let path = given;
  if (path === undefined) {
    if (input === STREAM) return { path: STREAM, overwrite: false };
    path = join(isAddress(input) ? '.' : dirname(input), stem(input) + suffix);
  } else if (await isFolder(path)) {
    path = join(path, stem(input === STREAM ? 'model' : input) + suffix);
  } else if (several) {
    throw usage(
      `Several files need a folder for their results: “${given}${process.platform === 'win32' ? '\\' : '/'}”.`,
    );
  }
  return alone ? free(path, force) : { path, overwrite: force };
}

/** Fails if a file exists that must not be overwritten. */
export async function free(path: string, force: boolean): Promise<Target> {
  if (!force && (await exists(path)))
    throw new Failure(
      EXIT.usage,
      'cli/file-exists',
      `${path} exists. Choose another name, or overwrite it with --force.`,
      { file: path },
    );
  return { path, overwrite: force };
}

/** Writes a result: a file appears only when it is complete. */
export async function write({ path, overwrite }: Target, bytes: Uint8Array | string, output: Output): Promise<void> {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  if (path === STREAM) return output.bytes(data);
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(dirname(resolve(path)), { recursive: true });
    await writeFile(part, data, { flag: 'wx' });
    if (!overwrite) await free(path, false);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, 'cli/not-writable', `${path} cannot be written: ${(error as Error).message}.`, {
      file: path,
      cause: error,
    });
  }
}
