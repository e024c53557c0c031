#!/usr/bin/env node
// The command `gambol` of the npm package.

import { readFile } from 'node:fs/promises';
import { EXIT } from './base/failure.ts';
import { COMMANDS } from './commands/all.ts';
import { main } from './main.ts';

// A closed pipe (`gambol … | head`) is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 5));

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const exit = await main(process.argv.slice(2), COMMANDS, version, {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
process.exitCode = exit;
// Work that was interrupted may not have ended; the output is written first.
if (exit === EXIT.interrupted) process.stdout.write('', () => process.stderr.write('', () => process.exit(exit)));
