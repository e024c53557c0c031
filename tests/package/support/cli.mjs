// Runs the command `gambol` of the built package.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packed } from './files.mjs';

/** The reason to skip tests that take minutes, unless `cargo xtask test --all` runs them. */
export const short = !process.env.GAMBOL_ALL && 'only with --all';

export const program = join(packed, 'dist/cli.js');

/** A folder that is removed after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'gambol-cli-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts a command line; `ended` resolves with its exit code, its stdout as bytes, and its stderr. */
export function start(args, { cwd, env = {}, input } = {}) {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
  const out = [];
  let stderr = '';
  child.stdout.on('data', (bytes) => out.push(bytes));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, bytes: Buffer.concat(out), stdout: String(Buffer.concat(out)), stderr }),
    );
  });
  return { child, ended };
}

export const run = (args, options) => start(args, options).ended;

/** Runs a command line with `--json`; returns the document, whose exit code is that of the process. */
export async function runJson(args, options) {
  const { code, stdout, stderr } = await run([...args, '--json'], options);
  const document = JSON.parse(stdout);
  assert.equal(document.exit, code, stderr);
  return { ...document, stderr };
}

/** The names of the files of a folder. */
export const names = (path) => readdirSync(path).sort();

/** The JSON and the binary chunk of a GLB. */
export function glbParts(path) {
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(12);
  assert.equal(bytes.readUInt32LE(0), 0x46546c67, path);
  assert.equal(bytes.readUInt32LE(8), bytes.length, path);
  return { json: JSON.parse(String(bytes.subarray(20, 20 + length))), binary: bytes.subarray(28 + length) };
}
