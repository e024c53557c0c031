// The pages of www/examples: each has a title and a description, is in the list, and is opened by a test.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { read, root } from './support/files.mjs';

const pages = readdirSync(join(root, 'www/examples')).filter((name) => name.endsWith('.html') && name !== 'index.html');
const index = read('www/examples/index.html');

test('examples: every page is in the list, by its title', () => {
  assert.deepEqual([...index.matchAll(/<dt><a href="([^"]+)">/g)].map(([, name]) => name).sort(), pages.toSorted());
  for (const name of pages) {
    const text = read('www/examples', name);
    const [, title] = text.match(/<title>(.+) – gambol<\/title>/);
    assert.ok(text.includes(`<h1>${title}</h1>\n<p>`), name);
    assert.ok(index.includes(`<a href="${name}">${title}</a>`), name);
    assert.equal(text.match(/<main>/g)?.length, 1, `${name} has one main part`);
  }
});

test('examples: every page is opened by a browser test', () => {
  const cases = ['tests/browser/cases/example-pages.ts', 'tests/browser/cases/everywhere/examples.ts'].map((path) =>
    read(path),
  );
  assert.deepEqual(
    pages.filter((name) => !cases.some((text) => text.includes(`opened(t, '${name.replace('.html', '')}')`))),
    [],
  );
});

test('examples: they name only the package, the sample and files beside them', () => {
  const addresses = pages.flatMap((name) =>
    [...read('www/examples', name).matchAll(/(["'])(\.{1,2}\/[^"']*|[\w-]+\.[a-z]\w*)\1/g)].map(
      ([, , address]) => address,
    ),
  );
  assert.deepEqual([...new Set(addresses)].sort(), [
    '../favicon.svg',
    '../gambol/dist/element.js',
    '../gambol/dist/index.js',
    '../sample.glb',
    './',
    'pip.png',
    'squat.bvh',
    'sword.gltf',
  ]);
});
