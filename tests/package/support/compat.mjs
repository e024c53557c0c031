// Asks @mdn/browser-compat-data for what the oldest browsers lack. `browserslist` in www/gambol/package.json names those.

import { createRequire } from 'node:module';
import { manifest } from './files.mjs';

export const compat = createRequire(import.meta.url)('@mdn/browser-compat-data');

const NAMES = { ios_saf: 'safari_ios' };
/** The oldest browsers, `[name, version]`. */
export const oldest = manifest.browserslist.map((query) => {
  const [name, version] = query.split(' >= ');
  return [NAMES[name] ?? name, version];
});

const parts = (version) => version.replace('≤', '').split('.').map(Number);
function atMost(one, other) {
  const [a, b] = [parts(one), parts(other)];
  for (let i = 0; i < Math.max(a.length, b.length); i++)
    if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) < (b[i] ?? 0);
  return true;
}

/** The node of the data at a path of keys, if it tells of browsers. */
export function feature(...path) {
  let node = compat;
  for (const key of path) {
    if (!Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node.__compat && { path: path.join('.'), support: node.__compat.support };
}

/** The oldest browsers that lack a feature, by its unprefixed name and without flags, `[]` if none does. */
export function lacking({ support }) {
  return oldest
    .filter(([browser, version]) => {
      const statements = [support[browser] ?? []].flat();
      return !statements.some(
        (one) =>
          typeof one.version_added === 'string' &&
          one.version_added !== 'preview' &&
          !one.version_removed &&
          !one.flags &&
          !one.prefix &&
          !one.alternative_name &&
          atMost(one.version_added, version),
      );
    })
    .map((browser) => browser.join(' '));
}
