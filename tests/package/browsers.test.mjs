// The package runs in the browsers that it names: `browserslist` in www/gambol/package.json.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { transform } from 'esbuild';
import { apiUse } from './support/api-use.mjs';
import { feature, lacking, oldest } from './support/compat.mjs';
import { cssUse } from './support/css-use.mjs';
import { packed, read, root } from './support/files.mjs';

/** Features that some of the oldest browsers lack, and the reason why the package may name them. */
const OPTIONAL = {
  'api.ResizeObserverEntry.devicePixelContentBoxSize': 'the size in CSS pixels, times the ratio, stands in',
  'api.Element.currentCSSZoom': 'pages that zoom by CSS need it; without it, others are the same',
  'javascript.builtins.Symbol.dispose': 'for `using`, which needs the symbol itself',
  'api.CSS.registerProperty_static': 'docs/element.md says from which Firefox on CSS animates a timeline',
  'api.ElementInternals.states': 'states for CSS: `:state()` is newer than the rest, and a page that uses it knows',
  'css.properties.text-wrap': 'lines of a message, balanced',
  'css.properties.text-wrap.balance': 'lines of a message, balanced',
  'css.properties.user-select': 'its prefixed name stands beside it',
  'css.selectors.-webkit-slider-thumb': 'its twin for Firefox stands beside it',
  'css.selectors.-moz-range-thumb': 'its twin for the others stands beside it',
  'css.properties.forced-color-adjust': 'Safari has no forced colours',
  'css.properties.forced-color-adjust.none': 'Safari has no forced colours',
  'api.HTMLVideoElement.requestVideoFrameCallback': 'each frame of the page reads the video where it is missing',
  'api.OffscreenCanvasRenderingContext2D.imageSmoothingQuality':
    'pictures are reduced by the browser’s own filter where it is missing',
  'css.properties.cursor.default': 'phones have no cursor',
  'css.properties.cursor.grab': 'phones have no cursor',
  'css.properties.cursor.grabbing': 'phones have no cursor',
  'css.properties.cursor.pointer': 'phones have no cursor',
};

// Videos of `gambol/record`.
for (const name of [
  'VideoFrame',
  'VideoFrame.close',
  'VideoEncoder',
  'VideoEncoder.isConfigSupported_static',
  'VideoEncoder.configure',
  'VideoEncoder.encode',
  'VideoEncoder.encodeQueueSize',
  'VideoEncoder.flush',
  'VideoEncoder.state',
  'VideoEncoder.close',
  'EncodedVideoChunk.timestamp',
  'EncodedVideoChunk.type',
  'EncodedVideoChunk.byteLength',
  'EncodedVideoChunk.copyTo',
])
  OPTIONAL[`api.${name}`] = 'WebCodecs, for recordings; `record/unsupported` where it is missing';

/** Fails for features that are lacking and not optional. */
function check(found, what) {
  const lines = [...found.values()].flatMap((one) => {
    const without = lacking(one);
    return without.length > 0 && !(one.path in OPTIONAL)
      ? [`${one.path} is not in ${without.join(', ')}: ${what} ${[...new Set(one.places)].slice(0, 4).join(' ')}`]
      : [];
  });
  assert.deepEqual(lines, []);
}

/** Optional features that are not used any more. */
const unused = (found, area) =>
  Object.keys(OPTIONAL).filter((path) => path.startsWith('css.') === (area === 'css') && !found.has(path));

test('browsers: interfaces that scripts call are in the oldest of them, or optional', () => {
  const found = apiUse('www/gambol/src');
  // The reader sees members of interfaces, of mixins and of instances, statics, constructors and globals.
  const known = [
    'javascript.builtins.Array.findLast',
    'api.HTMLElement.inert',
    'javascript.builtins.Object.hasOwn',
    'api.IntersectionObserver',
    'api.fetch',
    'webassembly.api.Module',
  ];
  assert.deepEqual(
    known.filter((path) => !found.has(path)),
    [],
  );
  check(found, 'named in');
  assert.deepEqual(unused(found, 'api'), []);
});

test('browsers: style sheets use what is in the oldest of them, or optional', () => {
  const sheets = readdirSync(`${root}/www/gambol/src/element`, { recursive: true }).filter((name) =>
    name.endsWith('.css'),
  );
  const found = new Map(sheets.flatMap((name) => [...cssUse(read('www/gambol/src/element', name))]));
  const known = [
    'css.types.color.color-mix',
    'css.properties.translate',
    'css.at-rules.container',
    'css.selectors.focus-visible',
  ];
  assert.deepEqual(
    known.filter((path) => !found.has(path)),
    [],
  );
  check(found, 'in line');
  assert.deepEqual(unused(found, 'css'), []);
});

test('browsers: a feature that one of them lacks is found', () => {
  assert.deepEqual(lacking(feature('css', 'selectors', 'has')), ['firefox 113']);
  assert.ok(cssUse('a:has(b) { translate: 0; }').has('css.selectors.has'));
  assert.ok(!cssUse('@supports selector(:has(b)) { a:has(b) { color: red; } }').has('css.selectors.has'));
});

test('browsers: scripts have no syntax that is newer', async () => {
  const target = ['es2022', ...oldest.map(([name, version]) => `${name === 'safari_ios' ? 'ios' : name}${version}`)];
  const scripts = readdirSync(join(packed, 'dist'), { recursive: true }).filter(
    (name) => name.endsWith('.js') && !name.includes('wasm-inline'),
  );
  assert.ok(scripts.includes('index.js') && scripts.includes('worker.js'));
  for (const name of scripts) {
    const text = readFileSync(join(packed, 'dist', name), 'utf8');
    const [lowered, kept] = await Promise.all(
      [target, 'esnext'].map((one) => transform(text, { target: one, minify: true, charset: 'utf8' })),
    );
    assert.ok(lowered.code === kept.code, `${name} has syntax that the oldest browsers do not know`);
  }
});

test('browsers: the module uses features of WebAssembly that are in the oldest of them', () => {
  const names = {
    simd128: 'fixed-width-SIMD',
    'bulk-memory': 'bulk-memory-operations',
    'nontrapping-fptoint': 'non-trapping-float-to-int-conversions',
    'sign-ext': 'sign-extension-operations',
    'reference-types': 'reference-types',
    multivalue: 'multi-value',
  };
  const [, list] = read('.cargo/config.toml').match(/target-feature=([^"]+)/);
  // Mutable globals are as old as WebAssembly in browsers, and not in the data.
  const used = list
    .split(',')
    .map((name) => name.slice(1))
    .filter((name) => name !== 'mutable-globals');
  assert.deepEqual(
    used.flatMap((name) => lacking(feature('webassembly', names[name])).map((browser) => `${name}: ${browser}`)),
    [],
  );
});

test('browsers: the texts name the oldest of them', () => {
  const version = (name) => oldest.find(([browser]) => browser === name)[1];
  assert.equal(version('edge'), version('chrome'));
  assert.equal(version('safari_ios'), version('safari'));
  const words = `Chrome and Edge ${version('chrome')}, Firefox ${version('firefox')}, Safari ${version('safari')} and later`;
  for (const file of ['README.md', 'www/gambol/README.md'])
    assert.ok(read(file).replaceAll('\n', ' ').includes(words), `${file} does not say “${words}”`);
  // Other versions that are named belong to single features.
  for (const file of [
    'README.md',
    'www/gambol/README.md',
    'docs/element.md',
    'www/demo/index.html',
    'www/demo/inspect.html',
  ]) {
    const others =
      read(file)
        .replaceAll(words, '')
        .match(/\b(?:Chrome|Chromium|Edge|Firefox|Safari) (?:from )?\d+(?:\.\d+)?/g) ?? [];
    assert.deepEqual(
      others.filter((one) => one !== 'Firefox from 128'),
      [],
      file,
    );
  }
});
