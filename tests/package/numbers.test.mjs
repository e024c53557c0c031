// Figures, names and paths in README, CHANGELOG and docs are those of the code, of tests and of benchmarks.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import ts from '../../xtask/src/typescript.mjs';
import { json, packed, read, root } from './support/files.mjs';

const GUIDES = readdirSync(join(root, 'docs/guides'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`);
const TEXTS = [
  'README.md',
  'www/gambol/README.md',
  'CHANGELOG.md',
  'docs/element.md',
  'docs/extensions.md',
  'docs/from-model-viewer.md',
  'docs/glossary.md',
  ...GUIDES,
];
const readme = read('README.md').replaceAll(/\n +/g, ' ');
/** The limits of the bytes of a plain page, in kB: until its first frame, and in all. */
const limits = read('xtask/src/sizes.rs')
  .match(/\("plain", \[(\d+)_000, \d+_000, (\d+)_000\]\)/)
  .slice(1);

/** `10⁻⁶` and `2·10⁻⁶` as numbers. */
function written(text) {
  const [, factor = '1', digits] = text.match(/^(?:([\d.]+)·)?10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/);
  return Number(`${factor}e-${[...digits].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join('')}`);
}

test('README: the precision is the bound of the test', () => {
  const source = read('tests/native/oracle/expected.rs');
  const [, strict] = source.match(/^const STRICT: f64 = ([\d.e-]+);/m);
  const [, long] = source.match(/^const LONG_CHAIN: f64 = ([\d.e-]+);/m);
  const [, usual, chain] = readme.match(/Within (\S+) of a model's size .*?, (\S+) for a chain of 300 joints/);
  assert.deepEqual([written(usual), written(chain)], [Number(strict), Number(long)]);
});

test('README: the number of files is that of the oracle', (t) => {
  const folder = join(process.env.GAMBOL_SHARED ?? join(root, '../shared'), 'oracle/expected');
  if (!existsSync(folder)) return t.skip(`${folder} is not there`);
  const [, count] = readme.match(/on (\d+) public and synthetic files/);
  assert.equal(Number(count), readdirSync(folder).length);
});

test('README: the time of a crowd is the published one', () => {
  const [, time, name] = readme.match(/thousand characters of 20 joints takes ([\d.]+) ms .*?`(peers\.[\w.]+)`/);
  const { value, unit } = json('www/demo/bench.json').results.find((one) => one.name === name);
  assert.equal(unit, 'µs');
  assert.equal(Number(time), Number((value / 1000).toPrecision(2)));
  const [, date] = readme.match(/measured on (\d{4}-\d\d-\d\d); \[bench\.json\]/);
  assert.equal(date, json('www/demo/bench.json').about.date);
});

test('front page: its figures are those of README, of the budget and of the benchmarks', () => {
  const page = read('www/demo/index.html');
  const [, bound] = readme.match(/Within (\S+) of a model's size/);
  const [, files] = readme.match(/on (\d+) public and synthetic files/);
  assert.ok(page.includes(`<strong>${bound}</strong>`) && page.includes(`on ${files} files`));
  const [first, all] = limits;
  assert.ok(
    page.includes(
      `<strong>${all}&nbsp;kB</strong> of scripts and wasm at most for a plain page, ${first}&nbsp;kB until`,
    ),
  );
  const update = (player) =>
    json('www/demo/bench.json').results.find((one) => one.name === `peers.${player}.cesium_man.1000.update_us`).value;
  const [, ratio] = read('dist/site/index.html').match(/<strong>(\d+) ×<\/strong>/);
  assert.equal(Number(ratio), Math.floor(update('three') / update('gambol')));
});

test('texts: sizes of builds are printed, not told; README has limits', () => {
  for (const name of TEXTS) {
    const told = read(name).match(/\b\d+(?:\.\d+)? kB\b/g) ?? [];
    assert.deepEqual(told, name === 'README.md' ? limits.map((limit) => `${limit} kB`) : [], name);
  }
});

test('texts: files that are named are there', () => {
  const links = TEXTS.flatMap((name) =>
    [...read(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => [name, path]),
  );
  assert.ok(links.length > 10);
  assert.deepEqual(
    links.filter(([name, path]) => !existsSync(join(root, name, '..', path))),
    [],
  );
  // `gambol/…` is in the package's folder.
  const scripts = TEXTS.flatMap((name) =>
    [...read(name).matchAll(/src="(?:[^"]*\/npm\/)?gambol\/([^"]+)"/g)].map(([, path]) => [name, path]),
  );
  assert.ok(scripts.length > 3);
  assert.deepEqual(
    scripts.filter(([, path]) => !existsSync(join(packed, path))),
    [],
  );
});

test('texts: codes of errors and warnings are those of the code', () => {
  const files = (folder, pattern) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => pattern.test(name) && !name.startsWith('pkg'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8'));
  const sources = [
    ...files('www/gambol/src', /\.ts$/),
    ...files('src', /\.rs$/),
    ...files('crates/animation/src', /\.rs$/),
    ...files('crates/gltf/src', /\.rs$/),
    ...files('crates/import/src', /\.rs$/),
  ].join('\n');
  const codes = [...TEXTS, 'docs/faults.md'].flatMap((name) =>
    [
      ...read(name).matchAll(
        /\b(?:import|load|feature|fetch|wasm|render|viewer|argument|image|clip|joint|mask|layer|actor|asset|play|motion)\/[a-z][a-z0-9-]+(?![\w./-])/g,
      ),
    ].map(([code]) => [name, code]),
  );
  assert.ok(codes.length > 20);
  assert.deepEqual(
    codes.filter(
      ([, code]) =>
        !sources.includes(code) &&
        !['src', 'crates/animation/src'].some((folder) => existsSync(join(root, folder, code))),
    ),
    [],
  );
});

test('texts: members that are named exist', () => {
  const entries = ['index', 'element'].map((name) => join(packed, `dist/${name}.d.ts`));
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  const checker = program.getTypeChecker();
  const exported = new Map(
    entries
      .flatMap((entry) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry))))
      .map((one) => [one.name, one]),
  );
  const members = (name) => {
    const symbol = exported.get(name);
    const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const sides = [
      checker.getDeclaredTypeOfSymbol(real),
      ...(real.valueDeclaration ? [checker.getTypeOfSymbol(real)] : []),
    ];
    return new Set(sides.flatMap((type) => checker.getPropertiesOfType(type).map((one) => one.name)));
  };
  const types = {
    viewer: 'Viewer',
    crowd: 'Crowd',
    asset: 'Asset',
    actor: 'Actor',
    joint: 'Joint',
    head: 'Joint',
    wave: 'Layer',
    gait: 'BlendSpace',
    second: 'Actor',
  };
  const wrong = [];
  let seen = 0;
  for (const [word, type] of Object.entries(types)) {
    const known = members(type);
    for (const name of TEXTS) {
      for (const [all, member] of read(name).matchAll(
        new RegExp(`(?<![\\w./-])${word}\\.([a-zA-Z]\\w*)(?!\\.(?:html|js|ts|hdr|glb|png))`, 'g'),
      )) {
        if (['glb', 'gltf', 'hdr', 'png', 'html', 'ts', 'js'].includes(member)) continue;
        seen++;
        if (!known.has(member)) wrong.push(`${name}: ${all}`);
      }
    }
  }
  // `Viewer.debug`: members by the name of their class.
  for (const name of TEXTS) {
    for (const [, type, member] of read(name).matchAll(/`([A-Z]\w+)\.(\w+)/g)) {
      if (!exported.has(type) || !members(type).has(member)) wrong.push(`${name}: ${type}.${member}`);
    }
  }
  assert.ok(seen > 80, `${seen} members`);
  assert.deepEqual(wrong, []);
});

test('texts: attributes in examples are those of the elements', () => {
  const manifest = JSON.parse(readFileSync(join(packed, 'dist/custom-elements.json'), 'utf8'));
  const known = new Map(
    manifest.modules[0].declarations.map(({ tagName, attributes }) => [
      tagName,
      new Set(attributes.map(({ name }) => name)),
    ]),
  );
  const global = /^(id|class|style|slot|title|hidden|aria-[\w]+|data-[\w-]+)$/;
  const wrong = [];
  for (const name of TEXTS) {
    for (const [, tag, text] of read(name).matchAll(/<(gambol-[a-z]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)) {
      for (const [, attribute] of text.matchAll(/([\w-]+)(?:="[^"]*")?/g))
        if (!known.get(tag)?.has(attribute) && !global.test(attribute)) wrong.push(`${name}: ${tag} ${attribute}`);
    }
  }
  assert.deepEqual(wrong, []);
});
