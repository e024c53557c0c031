// docs/errors.md has each code of the sources once, and no other.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { read, root } from './support/files.mjs';

const CODE =
  /(['"`])((?:actor|argument|asset|bake|bvh|cli|clip|convert|export|expression|fbx|feature|fetch|image|import|interact|joint|layer|load|mask|material|morph|motion|play|record|render|scene|states|tools|track|usdz|viewer|wasm|x|xr)\/[a-z0-9]+(?:-[a-z0-9]+)*)\1/g;
/** Media types have the same form. */
const MEDIA = new Set(['apng', 'avif', 'gif', 'jpeg', 'ktx2', 'png', 'svg', 'webp'].map((format) => `image/${format}`));

test('docs/errors.md lists the codes of errors and warnings that the sources have', () => {
  const sources = [
    'src',
    'crates/animation/src',
    'crates/gltf/src',
    'crates/import/src',
    'crates/formats/src',
    'crates/tools/src',
    'www/gambol/src',
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(rs|ts)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((file) => !file.includes('/pkg/')),
  );
  const used = new Set(
    sources
      .flatMap((file) => [...read(file).matchAll(CODE)].map(([, , code]) => code))
      .filter((code) => !MEDIA.has(code)),
  );
  const listed = [...read('docs/errors.md').matchAll(/^\| `([a-z]+\/[a-z0-9-]+)` \| .+ \| .+ \|$/gm)].map(
    ([, code]) => code,
  );
  assert.ok(used.size > 80, `${used.size} codes are found in ${sources.length} files`);
  assert.deepEqual(listed.toSorted(), [...used].toSorted());
});
