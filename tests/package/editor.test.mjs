// Data for editors: custom-elements.json and the custom data of VS Code, asked through VS Code's own language services.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import Ajv from 'ajv';
import * as css from 'css-tree';
import ts from '../../xtask/src/typescript.mjs';
import { manifest as npm, packed, read, root } from './support/files.mjs';

const require = createRequire(import.meta.url);
const htmlService = require('vscode-html-languageservice');
const cssService = require('vscode-css-languageservice');
const shipped = (name) => JSON.parse(readFileSync(join(packed, 'dist', name), 'utf8'));
const manifest = shipped('custom-elements.json');
const elements = new Map(manifest.modules[0].declarations.map((one) => [one.tagName, one]));
const viewer = elements.get('gambol-viewer');

/** Rows of the table of attributes in docs/element.md: names, and the cells of values and defaults. */
const documented = read('docs/element.md')
  .split('\n## Attributes\n')[1]
  .split('\n## ')[0]
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .flatMap((line) => {
    const [, cell, values, fallback] = line.split(/(?<!\\)\|/).map((text) => text.trim());
    return [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => ({ name, values, fallback }));
  });

function valid(schema, data) {
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  assert.ok(check(data), JSON.stringify(check.errors, null, 1));
}

test('manifest of elements: it is valid, and npm leads to it', () => {
  valid(require('custom-elements-manifest/schema.json'), manifest);
  assert.equal(npm.customElements, './dist/custom-elements.json');
  const children = read('docs/element.md').split('\n## Children\n')[1].split('\n## ')[0];
  const tags = [...children.matchAll(/^- `<([\w-]+)>`/gm)].map(([, tag]) => tag);
  assert.ok(tags.length > 15);
  assert.deepEqual([...elements.keys()].sort(), ['gambol-viewer', ...tags].sort());
});

test('manifest of elements: every attribute of the documentation is there, and no other', () => {
  assert.ok(documented.length > 60);
  assert.deepEqual(viewer.attributes.map(({ name }) => name).sort(), documented.map(({ name }) => name).sort());
});

test('manifest of elements: attributes have real types', () => {
  const type = (tagName, name) => elements.get(tagName).attributes.find((one) => one.name === name).type.text;
  assert.equal(type('gambol-viewer', 'loading'), "'auto' | 'lazy' | 'eager'");
  assert.equal(type('gambol-viewer', 'autoplay'), 'boolean');
  assert.equal(type('gambol-viewer', 'exposure'), 'number');
  assert.equal(type('gambol-viewer', 'src'), 'string');
  assert.equal(type('gambol-viewer', 'controls'), "boolean | 'minimal'");
  assert.equal(type('gambol-viewer', 'current-time'), 'number');
  assert.equal(type('gambol-viewer', 'transition'), "'inertial' | 'crossfade' | 'cut'");
  assert.equal(type('gambol-layer', 'reference'), "'rest' | 'first'");
  assert.equal(type('gambol-ik', 'weight'), 'number');
  for (const { tagName, attributes } of elements.values()) {
    for (const {
      name,
      type: { text },
    } of attributes)
      assert.match(
        text,
        /^(string|number|boolean|'[\w-]+')( \| (string|number|boolean|'[\w-]+'))*$/,
        `${tagName} ${name}`,
      );
  }
});

test('manifest of elements: defaults are those of the documentation', () => {
  const wrong = documented.flatMap(({ name, fallback }) => {
    const said = fallback.match(/^`([^`]*)`/)?.[1] ?? '';
    const { default: value = '' } = viewer.attributes.find((one) => one.name === name);
    const real = value.replace(/^'|'$/g, '');
    // The table leaves out that flags are off, and has words in the place of some defaults.
    const left = said === '' && (real === 'false' || fallback !== '');
    return left || said === real ? [] : [`${name}: documented as ${said || 'none'}, but ${real || 'none'}`];
  });
  assert.deepEqual(wrong, []);
});

test('manifest of elements: everything has a description', () => {
  const without = [...elements.values()].flatMap((element) =>
    ['attributes', 'members', 'events', 'slots', 'cssParts', 'cssProperties', 'cssStates'].flatMap((kind) =>
      (element[kind] ?? [])
        .filter(({ description }) => !description)
        .map(({ name }) => `${element.tagName} ${kind} ${name}`),
    ),
  );
  assert.deepEqual(without, []);
  for (const { tagName, description } of elements.values()) assert.ok(description, tagName);
});

test('manifest of elements: methods have parameters and results, events their details', () => {
  const method = (name) => viewer.members.find((one) => one.name === name);
  assert.deepEqual(method('seek'), {
    kind: 'method',
    name: 'seek',
    description: method('seek').description,
    parameters: [{ name: 'time', type: { text: 'number' } }],
    return: { type: { text: 'Promise<void>' } },
  });
  assert.equal(method('mapURLs').static, true);
  assert.equal(method('duration').readonly, true);
  assert.deepEqual([method('loading').attribute, method('loading').reflects], ['loading', true]);
  assert.ok(!viewer.members.some(({ name }) => /Callback$|^(session|busy|stand|send|say|warn)$/.test(name)));
  const types = createTypes();
  for (const { name, type } of viewer.events) {
    if (name === 'hotspot-visibility') continue;
    assert.equal(type.text, `CustomEvent<ElementEventDetails['${name}']>`);
    assert.ok(types.includes(name), name);
  }
});

test('VS Code: every element, attribute, custom property, part and state has a description', () => {
  // Below the description of an attribute are its default and its type.
  const withoutFacts = (text) => text.replace(/(\n\n|^)(Default: `[^`]*`\. ?)?(Type: `[^`]*`\.)?$/, '');
  const styles = shipped('vscode.css-custom-data.json');
  const described = [
    ...htmlData.tags,
    ...htmlData.tags.flatMap(({ name: tag, attributes }) =>
      attributes.map((one) => ({ ...one, name: `${tag} ${one.name}` })),
    ),
    ...styles.properties,
    ...styles.pseudoElements,
    ...styles.pseudoClasses,
  ];
  assert.ok(described.length > 140, `${described.length} descriptions`);
  assert.deepEqual(
    described.filter(({ description }) => !/\w\w/.test(withoutFacts(description.value))).map(({ name }) => name),
    [],
  );
});

/** The text of the declarations of events. */
const createTypes = () =>
  ['element/base/events.d.ts', 'values/events.d.ts']
    .map((name) => readFileSync(join(packed, 'dist', name), 'utf8'))
    .join('');

test('manifest of elements: slots, parts, properties and states are those of the code', () => {
  const folder = join(root, 'www/gambol/src');
  const sources = readdirSync(folder, { recursive: true }).filter(
    (name) => /\.(ts|css)$/.test(name) && !name.startsWith('pkg'),
  );
  const text = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const slots = [...text.matchAll(/\bmake\(\s*'slot',\s*\{ name: '([\w-]+)' \}/g), ...text.matchAll(/'(finger\d)'/g)];
  assert.deepEqual(
    viewer.slots.map(({ name }) => name).sort(),
    [...new Set(['', 'hotspot-…', ...slots.map(([, name]) => name)])].sort(),
  );
  const parts = new Set(
    [...text.matchAll(/\bpart: ['`]([^'`]+)['`]/g)]
      .flatMap(([, list]) => list.split(' '))
      .filter((name) => !name.includes('$')),
  );
  for (const { name } of viewer.cssParts)
    assert.ok(parts.has(name) || text.includes(`'${name}'`), `there is no part ${name}`);
  const known = new Set(viewer.cssParts.map(({ name }) => name));
  // `<model-viewer>` has this name for the same part.
  assert.deepEqual(
    [...parts].filter((name) => !known.has(name) && name !== 'default-progress-bar'),
    [],
  );

  const properties = new Map();
  for (const name of sources.filter((one) => one.endsWith('.css'))) {
    css.walk(css.parse(readFileSync(join(folder, name), 'utf8'), { parseCustomProperty: true }), (node) => {
      if (node.type !== 'Function' || node.name !== 'var') return;
      const [first, , ...rest] = node.children.toArray();
      if (!properties.has(first.name))
        properties.set(
          first.name,
          rest
            .map((one) => css.generate(one))
            .join('')
            .trim(),
        );
    });
  }
  for (const [, name] of text.matchAll(/var\((--[a-z][\w-]+), /g))
    if (!properties.has(name)) properties.set(name, undefined);
  const own = /^--(_|thumb$|at$|tick$)/;
  assert.deepEqual(
    [...properties.keys()].filter((name) => !own.test(name)).sort(),
    viewer.cssProperties
      .map(({ name }) => name)
      .filter((name) => name !== '--gambol-progress')
      .sort(),
  );
  for (const { name, default: fallback } of viewer.cssProperties) {
    const real = properties.get(name);
    if (real && /^[#\d]|^[a-z]+$/.test(real)) assert.equal(fallback, real, name);
  }
  for (const { name } of viewer.cssStates) assert.ok(new RegExp(`\\b${name}\\b`).test(text), name);
});

// ---- VS Code

const htmlData = shipped('vscode.html-custom-data.json');
const html = htmlService.getLanguageService({
  useDefaultDataProvider: false,
  customDataProviders: [htmlService.newHTMLDataProvider('gambol', htmlData)],
});

/** The labels that VS Code offers at `|`. */
function offered(text) {
  const at = text.indexOf('|');
  const document = htmlService.TextDocument.create('file:///a.html', 'html', 1, text.replace('|', ''));
  return html
    .doComplete(document, document.positionAt(at), html.parseHTMLDocument(document))
    .items.map(({ label }) => label);
}

test('VS Code: the data is valid', () => {
  const folder = dirname(require.resolve('vscode-html-languageservice/package.json'));
  valid(JSON.parse(readFileSync(join(folder, 'docs/customData.schema.json'), 'utf8')), htmlData);
});

test('VS Code: elements and every attribute of the documentation are offered', () => {
  assert.deepEqual(
    [...elements.keys()].filter((name) => !offered('<|').includes(name)),
    [],
  );
  const attributes = offered('<gambol-viewer |></gambol-viewer>');
  assert.deepEqual(
    documented.filter(({ name }) => !attributes.includes(name)),
    [],
  );
  assert.deepEqual(
    elements
      .get('gambol-look')
      .attributes.filter(({ name }) => !offered('<gambol-look |></gambol-look>').includes(name)),
    [],
  );
});

test('VS Code: the values of attributes are offered', () => {
  const values = (name, tag = 'gambol-viewer') => offered(`<${tag} ${name}="|"></${tag}>`);
  assert.deepEqual(values('loading').sort(), ['auto', 'eager', 'lazy']);
  assert.deepEqual(values('controls'), ['minimal']);
  assert.deepEqual(values('reference', 'gambol-layer').sort(), ['first', 'rest']);
  assert.deepEqual(values('autoplay'), []);
  assert.deepEqual(values('timeline').sort(), ['auto', 'css', 'manual', 'media', 'scroll', 'view']);
  assert.deepEqual(values('tone-mapping').sort(), ['aces', 'agx', 'auto', 'neutral', 'none']);
  assert.deepEqual(values('repetitions'), ['Infinity']);
  // Every word of the documentation's column of values, which may be several attributes' as well as words for people.
  for (const { name, values: cell } of documented) {
    const words = /^(`[\w*-]+`,? ?)+$/.test(cell) ? [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word) : [];
    assert.deepEqual(
      words.filter((word) => !values(name).includes(word)),
      [],
      name,
    );
  }
});

test('VS Code: hovering an attribute tells its meaning, its type and its default', () => {
  const text = '<gambol-viewer loading="lazy"></gambol-viewer>';
  const document = htmlService.TextDocument.create('file:///a.html', 'html', 1, text);
  const { contents } = html.doHover(
    document,
    document.positionAt(text.indexOf('loading') + 2),
    html.parseHTMLDocument(document),
  );
  assert.match(contents.value, /`eager`[^]*Default: `auto`[^]*'auto' \| 'lazy' \| 'eager'/);
});

test('VS Code: custom properties are offered in style sheets', () => {
  const data = shipped('vscode.css-custom-data.json');
  const service = cssService.getCSSLanguageService({ customDataProviders: [cssService.newCSSDataProvider(data)] });
  const text = 'gambol-viewer { --gambol- }';
  const document = cssService.TextDocument.create('file:///a.css', 'css', 1, text);
  const { items } = service.doComplete(
    document,
    document.positionAt(text.indexOf('- }') + 1),
    service.parseStylesheet(document),
  );
  const labels = items.map(({ label }) => label);
  assert.deepEqual(
    viewer.cssProperties
      .map(({ name }) => name)
      .filter((name) => name.startsWith('--gambol') && !labels.includes(name)),
    [],
  );
  assert.deepEqual(
    data.pseudoElements.map(({ name }) => name),
    viewer.cssParts.map(({ name }) => `::part(${name})`),
  );
});

// ---- frameworks

/** Declarations in place of those of the frameworks: the parts that `www/gambol/types` builds on. */
const FRAMEWORKS = {
  react: `export interface HTMLAttributes<T> { title?: string }
    export type DetailedHTMLProps<E, T> = E & { ref?: (element: T) => void };
    export namespace JSX { interface IntrinsicElements {} }`,
  'solid-js': `export namespace JSX { interface HTMLAttributes<T> { title?: string } interface IntrinsicElements {} }`,
  'svelte/elements': `export interface HTMLAttributes<T> { title?: string } export interface SvelteHTMLElements {}`,
  vue: `export interface HTMLAttributes { title?: string }
    export type DefineComponent<P> = new () => { $props: P };
    export interface GlobalComponents {}`,
};

test('types: pages find every element by its tag', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gambol-tags-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(packed, join(folder, 'node_modules/gambol'), 'junction');
    const file = join(folder, 'tags.ts');
    const lines = [...elements.values()].map(
      ({ tagName, name }) => `(one: HTMLElementTagNameMap['${tagName}']): element.${name} => one,`,
    );
    writeFileSync(
      file,
      `import type * as element from 'gambol/element';\nexport const tags = [\n${lines.join('\n')}\n];\n`,
    );
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: [],
      noEmit: true,
      preserveSymlinks: true,
      skipLibCheck: true,
    });
    assert.deepEqual(
      ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('frameworks: editors show a description for every attribute and event in JSX and templates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gambol-frameworks-'));
  try {
    for (const [name, text] of Object.entries(FRAMEWORKS)) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'index.d.ts'), text);
    }
    symlinkSync(packed, join(folder, 'node_modules/gambol'), 'junction');
    const file = join(folder, 'use.ts');
    writeFileSync(
      file,
      `import type {} from 'gambol/react'; import type {} from 'gambol/solid';
       import type {} from 'gambol/svelte'; import type {} from 'gambol/vue';
       import type { JSX as React } from 'react'; import type { JSX as Solid } from 'solid-js';
       import type { SvelteHTMLElements } from 'svelte/elements'; import type { GlobalComponents } from 'vue';
       type Vue = { [Tag in keyof GlobalComponents]: InstanceType<GlobalComponents[Tag]>['$props'] };
       export declare const react: React.IntrinsicElements;
       export declare const solid: Solid.IntrinsicElements;
       export declare const svelte: SvelteHTMLElements;
       export declare const vue: Vue;`,
    );
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: [],
      noEmit: true,
      preserveSymlinks: true,
      skipDefaultLibCheck: true,
    });
    const faults = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    assert.deepEqual(faults, []);
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    for (const framework of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
      const tags = checker.getTypeOfSymbolAtLocation(framework, source);
      for (const [tag, { attributes, events = [] }] of elements) {
        const props = checker.getTypeOfSymbolAtLocation(tags.getProperty(tag), source);
        const text = (name) => ts.displayPartsToString(props.getProperty(name)?.getDocumentationComment(checker));
        const where = `${framework.name} <${tag}>`;
        for (const { name, description } of attributes) assert.equal(text(name), description, `${where} ${name}`);
        for (const { name, type, description } of events) {
          if (type.text === 'CustomEvent') continue;
          const camel = name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
          const key = { vue: `on${camel}`, solid: `on:${name}` }[framework.name] ?? `on${name}`;
          assert.equal(text(key), description, `${where} ${key}`);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
