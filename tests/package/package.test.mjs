// The package as it is published: its manifest, its types, its notices, and the code that a bundler takes of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { build } from 'esbuild';
import ts from '../../xtask/src/typescript.mjs';
import { entries, json, manifest, packed, read, root } from './support/files.mjs';

const dist = join(packed, 'dist');

/** The files that `exports` names. */
const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets));

test('manifest: npm shows the home, the issues, the authors and the oldest Node', () => {
  for (const key of [
    'homepage',
    'bugs',
    'author',
    'engines',
    'license',
    'repository',
    'description',
    'keywords',
    'browserslist',
  ])
    assert.ok(manifest[key], key);
  for (const url of [manifest.homepage, manifest.bugs])
    assert.match(new URL(url).href, /^https:\/\/github\.com\/gambol-player\/gambol/);
});

test('manifest: the oldest Node has what the package calls, and the texts name it', () => {
  const [, oldest] = manifest.engines.node.match(/^>=(\d+\.\d+)$/);
  // `process.getBuiltinModule` came with Node 20.16 and 22.3.
  assert.equal(oldest, '20.16');
  assert.ok(read('www/gambol/README.md').includes(`Node: ${oldest} and later`));
});

test('manifest: every export is there, the script for workers and the data for editors too', () => {
  const missing = targets(manifest.exports).filter((path) => !existsSync(join(packed, path)));
  assert.deepEqual(missing, []);
  // Each script at the top of the sources is an entry; `cdn.ts` is that of the single file.
  const sources = readdirSync(join(root, 'www/gambol/src')).filter((name) => name.endsWith('.ts') && name !== 'cdn.ts');
  assert.deepEqual(entries.map(({ source }) => source).sort(), sources.sort());
  const resolved = createRequire(join(root, 'www/demo/inspect.ts')).resolve('gambol/worker.js');
  assert.match(readFileSync(resolved, 'utf8'), /onmessage|addEventListener/);
});

test('types: no member that is marked as internal is published', () => {
  const files = readdirSync(join(root, 'www/gambol/src'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  /** `Class.member` by file, for what `wanted` says. */
  const members = (path, wanted) => {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    return source.statements
      .filter(ts.isClassDeclaration)
      .flatMap(({ name, members: all }) =>
        all.filter(wanted).map((one) => `${name.text}.${one.name?.getText() ?? 'constructor'}`),
      );
  };
  const internal = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
  let seen = 0;
  for (const name of files) {
    const hidden = new Set(members(join(root, 'www/gambol/src', name), internal));
    const shipped = join(dist, name.replace(/\.ts$/, '.d.ts'));
    if (hidden.size === 0 || !existsSync(shipped)) continue;
    seen += hidden.size;
    const shown = members(shipped, (one) => !ts.isPrivateIdentifier(one.name ?? one));
    assert.deepEqual(
      shown.filter((one) => hidden.has(one)),
      [],
      name,
    );
  }
  assert.ok(seen > 30, `${seen} internal members`);
  assert.doesNotMatch(
    readdirSync(dist, { recursive: true })
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => readFileSync(join(dist, name), 'utf8'))
      .join('\n'),
    /@internal/,
  );
});

test('types: modules that no entry leads to have none', () => {
  for (const name of ['wasm/running', 'base/local-files', 'load/data-url', 'worker/worker', 'worker/remote', 'cdn']) {
    assert.ok(existsSync(join(root, `www/gambol/src/${name}.ts`)), name);
    assert.ok(!existsSync(join(dist, `${name}.d.ts`)), name);
  }
});

test('types: the oldest TypeScript reads all of them, without skipLibCheck, as each kind of project does', () => {
  const { version } = createRequire(import.meta.url)('typescript/package.json');
  const [oldest] = version.match(/^\d+\.\d+/);
  assert.ok(
    read('www/gambol/README.md').includes(`TypeScript: ${oldest} and later`),
    `the package's README does not name TypeScript ${oldest}`,
  );
  // Every other text names the same version.
  const others = [
    'README.md',
    'www/gambol/README.md',
    'docs/guides/embedding.md',
    'docs/guides/first-page.md',
    'www/gambol/reference.md',
  ]
    .flatMap((path) => [...read(path).matchAll(/TypeScript:? \(?(\d+\.\d+)/g)].map(([, found]) => `${path}: ${found}`))
    .filter((words) => !words.endsWith(`: ${oldest}`));
  assert.deepEqual(others, []);
  const tsc = join(root, 'tests/package/node_modules/typescript/bin/tsc');
  const folder = mkdtempSync(join(tmpdir(), 'gambol-types-'));
  writeFileSync(
    join(folder, 'use.ts'),
    [
      "import { createViewer, loadAsset, type Viewer } from 'gambol';",
      "import { loadAsset as same } from 'gambol/asset';",
      "import { toGlb } from 'gambol/formats';",
      "import { readGltf } from 'gambol/gltf';",
      "import { lips, type Lips } from 'gambol/lips';",
      "import { record, type RecordOptions, type Session } from 'gambol/record';",
      "import { GambolViewer } from 'gambol/element';",
      "import { observeModels } from 'gambol/model';",
      'export const use: (canvas: HTMLCanvasElement) => Promise<Viewer> = (canvas) => createViewer(canvas);',
      'export const element: GambolViewer = new GambolViewer();',
      "export const pose: Promise<Float32Array> = (loadAsset === same ? loadAsset : same)('a.glb').then((asset) => asset.sample(null).matrices);",
      'export const mouth = (viewer: Viewer, audio: HTMLAudioElement): Lips => lips(viewer, audio);',
      'export const film = (viewer: Viewer, session: Session): Promise<Blob> => record(viewer, { session } satisfies RecordOptions);',
      "export const json: Promise<object> = readGltf('a.glb').then((file) => file.json);",
      'export const shown = (model: HTMLModelElement): Promise<HTMLModelElement> => model.ready;',
      "export const size: DOMPointReadOnly = document.createElement('model').boundingBoxExtents;",
      'export const watch: (root: ShadowRoot) => void = observeModels;',
      "export const glb: Promise<Uint8Array> = toGlb(new ArrayBuffer(8), 'a.bvh').then((file) => file.glb);",
    ].join('\n'),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  execFileSync('ln', ['-s', root, join(folder, 'root')]);
  const projects = [
    { module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2022', 'DOM'] },
    { module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
    {
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ESNext', 'DOM', 'DOM.Iterable'],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
    },
  ];
  execFileSync('mkdir', ['-p', join(folder, 'node_modules')]);
  execFileSync('ln', ['-s', packed, join(folder, 'node_modules/gambol')]);
  for (const options of projects) {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { target: 'ES2022', strict: true, noEmit: true, skipLibCheck: false, types: [], ...options },
        include: ['use.ts', join(dist, '**/*.d.ts')],
        exclude: [join(dist, 'types')],
      }),
    );
    try {
      execFileSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
    } catch (error) {
      assert.fail(`${JSON.stringify(options)}\n${error.stdout}`);
    }
  }
});

/** The scripts that a page with this code loads at first, as a bundler makes them of the package. */
async function bundled(code) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: join(root, 'www/demo') },
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    logLevel: 'silent',
    tsconfigRaw: {}, // tsconfig.json leads to the sources
  });
  const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>');
  // With its static imports, and without what `import()` loads later.
  const scripts = new Set();
  const visit = (one) => {
    if (scripts.has(one)) return;
    scripts.add(one);
    for (const { kind, path: next } of metafile.outputs[one].imports) if (kind === 'import-statement') visit(next);
  };
  visit(path);
  const textOf = (one) => new TextDecoder().decode(outputFiles.find((file) => file.path.endsWith(one)).contents);
  return [...scripts].map(textOf).join('\n');
}

test('bundle: { loadAsset } alone leaves the viewer out', async () => {
  const [asset, viewer, error] = await Promise.all([
    bundled('import { loadAsset } from "gambol"; console.log(loadAsset);'),
    bundled('import { createViewer } from "gambol"; console.log(createViewer);'),
    bundled('import { GambolError } from "gambol"; console.log(GambolError);'),
  ]);
  for (const name of ['requestAnimationFrame', 'ResizeObserver', 'IntersectionObserver', 'camera-change']) {
    assert.ok(viewer.includes(name), `the viewer has no ${name}`);
    assert.ok(!asset.includes(name), `{ loadAsset } pulls ${name}`);
  }
  assert.ok(asset.length < 0.65 * viewer.length, `${asset.length} of ${viewer.length} bytes`);
  // But for the lengths of the names.
  assert.ok(error.length < asset.length + 100, `${error.length} of ${asset.length} bytes`);
});

/** The features of the player, whose modules have their names. */
const FEATURES = [
  'body',
  'crowds',
  'decoding',
  'extras',
  'faces',
  'light',
  'materials',
  'picking',
  'retargeting',
  'states',
];

test('bundle: an import without names keeps the entries that define elements', async () => {
  const words = { element: 'Load one copy only', 'model-viewer': 'createCanvasTexture', model: 'environmentMap' };
  for (const [entry, word] of Object.entries(words)) {
    const text = await bundled(`import "gambol/${entry}";`);
    assert.ok(text.includes(word), `gambol/${entry} is left out`);
  }
});

test('bundle: an entry names only the modules that it needs, because bundlers copy all that are named', () => {
  const { outputs } = json('target/web/package.json');
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [path.split('/').at(-1), output]));
  /** The files of `new URL('./NAME', import.meta.url)` in an entry and in all scripts that it imports, lazily too. */
  const named = (entry) => {
    const scripts = new Set();
    const visit = (name) => {
      if (scripts.has(name) || !byName.has(name)) return;
      scripts.add(name);
      for (const { path } of byName.get(name).imports) visit(path.split('/').at(-1));
    };
    visit(`${entry}.js`);
    const found = [...scripts].flatMap((name) =>
      [...readFileSync(join(dist, name), 'utf8').matchAll(/new URL\("\.\/([\w.]+\.wasm)",\s*import\.meta\.url\)/g)].map(
        ([, file]) => file,
      ),
    );
    return [...new Set(found)].sort();
  };
  const core = ['gambol.wasm', ...[...FEATURES, 'humanoid'].map((name) => `gambol.${name}.wasm`)];
  const decoders = ['basis.wasm', 'draco.wasm'];
  for (const [entry, ...files] of [
    ['formats', 'gambol.formats.wasm'],
    ['gltf', 'draco.wasm', 'gambol.formats.wasm', 'gambol.tools.wasm'],
    ['lips', 'gambol.formats.wasm'],
    ['tools', ...decoders, 'gambol.formats.wasm', 'gambol.tools.wasm'],
    ['asset', ...decoders, ...core, 'gambol.formats.wasm'],
    ['index', ...decoders, ...core, 'gambol.exr.wasm', 'gambol.formats.wasm', 'gambol.tools.wasm'],
  ])
    assert.deepEqual(named(entry), files.sort(), entry);
});

test('notices: every crate in the modules, and every package in the scripts, with its licence', () => {
  const notices = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8');
  const tree = execFileSync(
    'cargo',
    [
      'tree',
      '--package',
      'gambol-web',
      '--package',
      'gambol-formats-web',
      '--package',
      'gambol-exr-web',
      '--package',
      'gambol-tools-web',
      '--features',
      'gambol-web/split,gambol-formats/fbx',
      '--edges',
      'normal,no-proc-macro',
      '--target',
      'wasm32-unknown-unknown',
      '--prefix',
      'none',
      '--locked',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const crates = [
    ...new Set(
      tree
        .trim()
        .split(/\n+/)
        .map((line) =>
          line
            .match(/^(\S+) v(\S+)/)
            .slice(1, 3)
            .join(' '),
        ),
    ),
  ].filter((name) => !/^gambol[ -]/.test(name));
  assert.ok(crates.length > 10, `${crates.length} crates`);
  assert.deepEqual(
    crates.filter((name) => !notices.includes(`## ${name}, `)),
    [],
  );
  for (const part of notices.split('\n\n## ').slice(1))
    assert.match(part, /permission|Redistribution|redistribute|Distribution of Source Form/i, part.slice(0, 60));

  const { inputs } = json('target/web/package.json');
  const packages = new Set(
    Object.keys(inputs)
      .map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
      .filter(Boolean),
  );
  // The glue of decoders is copied before it is bundled: `target/web/draco.mjs`.
  for (const name of ['draco', 'basis'])
    assert.ok(
      Object.keys(inputs).some((path) => path.endsWith(`target/web/${name}.mjs`)),
      name,
    );
  assert.deepEqual(
    [...packages].filter((name) => !notices.includes(`npm package ${name} `)),
    [],
  );
  for (const name of ['draco3dgltf', 'three', 'Zstandard', 'standard library of Rust'])
    assert.ok(notices.includes(name), name);
});
