// Paths of the repository.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
/** The package as `npm publish` would send it. */
export const packed = join(root, 'dist/gambol');

export const read = (...path) => readFileSync(join(root, ...path), 'utf8');
export const json = (...path) => JSON.parse(read(...path));

/** `package.json` of the package. */
export const manifest = json('www/gambol/package.json');

/** The entries of the package that are scripts of its sources: the name that pages import, and the source. */
export const entries = Object.entries(manifest.exports).flatMap(([path, target]) => {
  const [, script] = /^\.\/dist\/([\w-]+)\.js$/.exec(target.default ?? '') ?? [];
  // The worker is exported by its file name, for bundlers.
  return script === undefined || path.endsWith('.js')
    ? []
    : [{ name: `gambol${path.slice(1)}`, source: `${script}.ts` }];
});
