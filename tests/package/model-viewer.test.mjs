// docs/from-model-viewer.md is true of the element. `runner/packages.ts` compares it with the package of <model-viewer>.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { packed, root } from './support/files.mjs';
import { comparisons } from './support/model-viewer.mjs';

const manifest = JSON.parse(readFileSync(join(packed, 'dist/custom-elements.json'), 'utf8'));
const viewer = manifest.modules[0].declarations.find(({ tagName }) => tagName === 'gambol-viewer');
const rows = comparisons(root);
const names = (list) => list.map(({ name }) => name);
const sources = readdirSync(join(root, 'www/gambol/src/element'), { recursive: true })
  .filter((name) => /\.(ts|css)$/.test(name))
  .map((name) => readFileSync(join(root, 'www/gambol/src/element', name), 'utf8'))
  .join('\n');

/** The members that `gambol/model-viewer` adds. */
const extension = readFileSync(join(root, 'www/gambol/src/scene-graph/extend.ts'), 'utf8');

/** The names that the element has, by the kind of row. */
const ELEMENT = {
  attribute: names(viewer.attributes),
  'property or method': names(viewer.members),
  static: names(viewer.members.filter((member) => member.static)),
  element: names(manifest.modules[0].declarations.map(({ tagName: name }) => ({ name }))),
  event: names(viewer.events),
  slot: names(viewer.slots).concat('children without a slot'),
  'CSS property': names(viewer.cssProperties),
  part: names(viewer.cssParts).concat('default-progress-bar'),
};

test('coming from model-viewer: what is the same or other exists in the element, what is missing does not', () => {
  const wrong = [];
  for (const { kind, names, here } of rows) {
    for (const name of names) {
      const exists =
        kind === 'data of hotspots'
          ? new RegExp(`\\bdata-${name.slice(5)}\\b|\\['${camel(name)}'\\]|'${camel(name)}'`).test(sources)
          : ELEMENT[kind].includes(name);
      const added = new RegExp(`\\b${name}\\b`).test(extension);
      if (here === 'entry') {
        if (exists || !added) wrong.push(`${kind} ${name}: entry, but ${exists ? 'there without it' : 'not there'}`);
        continue;
      }
      if (exists !== (here !== 'missing'))
        wrong.push(`${kind} ${name}: ${here}, but ${exists ? 'there' : 'not there'}`);
    }
  }
  assert.ok(rows.length > 80, `${rows.length} rows`);
  assert.deepEqual(wrong, []);
});

/** `data-visibility-attribute` → `visibilityAttribute`, the key of `dataset`. */
const camel = (name) => name.slice(5).replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

test('coming from model-viewer: no name is twice in a table, and each difference is explained', () => {
  const all = rows.flatMap(({ kind, names }) => names.map((name) => `${kind} ${name}`));
  assert.deepEqual(
    all.filter((name, i) => all.indexOf(name) !== i),
    [],
  );
  for (const { names, here, difference } of rows) {
    if (here === 'same') assert.equal(difference, '', names.join(' '));
    if (here === 'other' || here === 'entry') assert.ok(difference.length > 10, names.join(' '));
  }
});
