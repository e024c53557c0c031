// The tarball that `npm publish` would send: its files, its source maps, its README, and the linters of packages.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { manifest, packed, read } from './support/files.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gambol-packed-'));
after(() => rmSync(folder, { recursive: true }));
const [{ filename, files }] = JSON.parse(
  execFileSync('npm', ['pack', packed, '--pack-destination', folder, '--json', '--loglevel=error'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }),
);
const paths = files.map(({ path }) => path);
const text = (path) => readFileSync(join(packed, path), 'utf8');

test('publint (strict) has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: packed, strict: true, pack: false });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});

test('arethetypeswrong: types resolve in Node and in bundlers', async () => {
  const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(join(folder, filename))));
  // Entries without types: files that a page names by address.
  const excludeEntrypoints = [/\.(wasm|json|glb)$/];
  const { problems, entrypoints } = await checkPackage(tarball, { excludeEntrypoints });
  // The package is for pages and is a module throughout, so two of the ways to resolve it are none of its own:
  // `moduleResolution: node10` does not read `exports`, and `require()` of a module needs Node 20.19 or 22.12.
  const concerns = problems.filter(
    ({ kind, resolutionKind }) =>
      resolutionKind !== 'node10' && !(kind === 'CJSResolvesToESM' && resolutionKind === 'node16-cjs'),
  );
  assert.deepEqual(concerns, []);
  const typed = Object.entries(manifest.exports).filter(([, { types }]) => types !== undefined);
  assert.ok(typed.length > 10, `${typed.length} entries with types`);
  for (const [entry] of typed) {
    const { resolutions } = entrypoints[entry];
    for (const kind of ['node16-esm', 'bundler'])
      assert.ok(resolutions[kind].resolution?.isTypeScript, `${entry} ${kind}`);
  }
});

test('packed files: licences, README, notices, and no sources or tests', () => {
  for (const path of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'package.json', 'dist/THIRD-PARTY.txt'])
    assert.ok(paths.includes(path), path);
  assert.match(text('LICENSE-MIT'), /MIT License/i);
  assert.match(text('LICENSE-APACHE'), /Apache License\s+Version 2\.0/);
  assert.equal(manifest.license, 'MIT OR Apache-2.0');
  assert.deepEqual(
    paths.filter((path) => !/^(README\.md|LICENSE-\w+|package\.json|dist\/.+)$/.test(path)),
    [],
  );
  assert.deepEqual(
    paths.filter((path) => /(?<!\.d)\.ts$|node_modules|\.test\./.test(path)),
    [],
  );
});

test('packed files: every source map has its own sources and none of others, and every script that names a map has it', () => {
  const maps = paths.filter((path) => path.endsWith('.map'));
  const scripts = paths.filter((path) => path.endsWith('.js'));
  assert.ok(maps.length > 5, `${maps.length} source maps`);
  for (const script of scripts) {
    const [, map] = text(script).match(/\n\/\/# sourceMappingURL=(\S+)\s*$/) ?? [];
    if (map === undefined) continue;
    assert.ok(paths.includes(posix.join(posix.dirname(script), map)), `${script} names ${map}`);
  }
  for (const map of maps) {
    assert.ok(paths.includes(map.replace(/\.map$/, '')), `${map} belongs to no file`);
    const { version, sources, sourcesContent = [], sourceRoot = '', mappings, ignoreList } = JSON.parse(text(map));
    assert.equal(version, 3, map);
    // `asset.js` has nothing but imports and exports, which have no mappings.
    assert.ok(
      (mappings.length > 0 && sources.length > 0) ||
        /^(import|export)[^;]*;(\s*(import|export)[^;]*;)*\s*\/\/#/.test(text(map.replace(/\.map$/, ''))),
      map,
    );
    const isOther = (source) => /node_modules\/|target\/web\//.test(source);
    const missing = sources.filter(
      (source, i) =>
        !isOther(source) &&
        typeof sourcesContent[i] !== 'string' &&
        !paths.includes(posix.join(posix.dirname(map), sourceRoot, source)),
    );
    assert.deepEqual(missing, [], map);
    // Those of npm packages are published elsewhere; debuggers step over them.
    const others = [...sources.keys()].filter((i) => isOther(sources[i]));
    assert.deepEqual([others.filter((i) => sourcesContent[i] !== null), ignoreList ?? []], [[], others], map);
  }
});

test('packed files: there is a model to try, small and without faults', async () => {
  const pip = paths.find((path) => path === 'dist/pip.glb');
  const { size } = files.find(({ path }) => path === pip);
  assert.ok(size > 50_000 && size < 350_000, `${size} bytes`);
  const [{ loadAsset }, { inspect }] = await Promise.all(
    ['asset', 'tools'].map((name) => import(pathToFileURL(join(packed, `dist/${name}.js`)))),
  );
  const asset = await loadAsset(pathToFileURL(join(packed, pip)));
  const names = asset.clips.map(({ name }) => name);
  assert.ok(names.length > 10 && names.includes('Idle') && names.includes('Walk'), names.join());
  const { findings } = await inspect(pathToFileURL(join(packed, pip)));
  assert.deepEqual(
    findings.filter(({ severity }) => severity !== 'info'),
    [],
  );
  assert.ok(text('README.md').includes('gambol/dist/pip.glb'));
});

test("the package's README reads well on npm: every link is absolute", () => {
  const readme = text('README.md');
  assert.equal(readme, read('www/gambol/README.md'));
  const links = [
    ...[...readme.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, url]) => url),
    ...[...readme.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map(([, url]) => url),
    ...[...readme.replace(/```[^]*?```|`[^`\n]*`/g, '').matchAll(/\s(?:src|href)="([^"]+)"/g)].map(([, url]) => url),
  ];
  assert.ok(links.length > 3, `${links.length} links`);
  assert.deepEqual(
    links.filter((url) => !/^https:\/\//.test(url)),
    [],
  );
  for (const url of links.filter((one) => one.startsWith('https://github.com/gambol-player/gambol/blob/main/'))) {
    const [path, heading] = url.slice('https://github.com/gambol-player/gambol/blob/main/'.length).split('#');
    const slugs = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    );
    assert.ok(heading === undefined || slugs.includes(heading), url);
  }
});
