// The places of results, and writing without overwriting by accident.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Call } from './command.ts';
import { EXIT, Failure, usage } from './failure.ts';
import { STREAM, checkReadable, exists, isAddress, isFolder, stem } from './files.ts';

/** The place of a result. */
export interface Target {
  readonly path: string;
  readonly overwrite: boolean;
}

/**
 * The path of the result of `input`.
 *
 * @param given the operand: a file, a folder, `-`, or undefined for a file beside the input
 * @param suffix of a file whose name follows from the input: `.glb`, `.optimized.glb`
 */
async function pathOf(input: string, given: string | undefined, suffix: string, several: boolean): Promise<string> {
  if (given === STREAM) {
    if (several) throw usage('Several files cannot be written to stdout. Name a folder.');
    return STREAM;
  }
  if (given === undefined) {
    if (input === STREAM) return STREAM;
    return join(isAddress(input) ? '.' : dirname(input), stem(input) + suffix);
  }
  if (await isFolder(given)) return join(given, stem(input === STREAM ? 'model' : input) + suffix);
  if (several)
    throw usage(
      `Several files need a folder for their results: “${given}${process.platform === 'win32' ? '\\' : '/'}”.`,
    );
  return given;
}

/** A text that is equal for two paths of one file, which need not exist. */
async function identity(path: string): Promise<string> {
  const folder = resolve(dirname(path));
  const place = join(await realpath(folder).catch(() => folder), basename(path));
  // File systems of these ignore the case.
  return ['win32', 'darwin'].includes(process.platform) ? place.normalize('NFC').toLowerCase() : place;
}

/**
 * Refuses several inputs before any work if their results would have one name, or if a result would replace another input.
 *
 * @throws {@link Failure} `cli/usage`, with the names of both inputs
 */
export async function checkDistinct(
  inputs: readonly string[],
  given: string | undefined,
  suffix: string,
): Promise<void> {
  if (inputs.length < 2) return;
  const made = new Map<string, string>();
  for (const input of inputs) {
    const path = await pathOf(input, given, suffix, true);
    if (path === STREAM) continue;
    const place = await identity(path);
    const other = made.get(place);
    if (other !== undefined)
      throw usage(
        `The results of ${other} and ${input} would both be ${path}. Rename one, or write them into different folders.`,
      );
    made.set(place, input);
  }
  for (const input of inputs) {
    const from = isAddress(input) || input === STREAM ? undefined : made.get(await identity(input));
    if (from !== undefined && from !== input)
      throw usage(
        `The result of ${from} would replace ${input}, which is an input, too. Write the results into another folder.`,
      );
  }
}

/**
 * The place of the result of `input`, which is checked before the work begins; see {@link pathOf}.
 *
 * @param alone `false` if the path is not itself the name of a result
 */
export async function target(
  input: string,
  given: string | undefined,
  suffix: string,
  { force, several, alone = true }: { readonly force: boolean; readonly several: boolean; readonly alone?: boolean },
): Promise<Target> {
  // A wrong name of the input is the more helpful error.
  if (input !== STREAM && !isAddress(input)) await checkReadable(input);
  const path = await pathOf(input, given, suffix, several);
  if (path === STREAM) return { path, overwrite: false };
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

/** Files that are being written. */
const parts = new Set<string>();
// For ends in the middle of a write.
process.on('exit', () => {
  for (const part of parts) rmSync(part, { force: true });
});

/** Writes a result: a file appears only when it is complete, and not after an interruption. */
export async function write(
  { path, overwrite }: Target,
  bytes: Uint8Array | string,
  { output, signal }: Pick<Call, 'output' | 'signal'>,
): Promise<void> {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  signal.throwIfAborted();
  if (path === STREAM) return output.bytes(data);
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  parts.add(part);
  try {
    await mkdir(dirname(resolve(path)), { recursive: true });
    await writeFile(part, data, { flag: 'wx', signal });
    if (!overwrite) await free(path, false);
    signal.throwIfAborted();
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, 'cli/not-writable', `${path} cannot be written: ${(error as Error).message}.`, {
      file: path,
      cause: error,
    });
  } finally {
    parts.delete(part);
  }
}
