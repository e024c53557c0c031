// node bundle.mjs OPTIONS: bundles the npm package with esbuild. OPTIONS is JSON: `dist`, the folder of the scripts; `work`, the
// folder of the metafiles; `target`, the oldest browsers; `entries`, names of sources; `alias`, sources that replace imports; `one`,
// `true` for the single file of `dist/cdn` too; `later`, names of scripts of `pkg` that are not bundled: pages import them beside the
// script, when they are built.

import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

const { dist, work, target, entries, alias, one, later } = JSON.parse(process.argv[2]);
const source = (name) => join('www/gambol/src', name);

/** Imports of style sheets are their text, minified. */
const styles = {
  name: 'styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], minify: true, write: false, target });
      return { contents: outputFiles[0].text.trimEnd(), loader: 'text' };
    });
  },
};

/** A script of `later` imports the real one when it is called. */
const whenBuilt = {
  name: 'when-built',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/pkg\// }, ({ path }) =>
      later.includes(basename(path)) ? { path: basename(path), namespace: 'when-built' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'when-built' }, ({ path }) => ({
      contents: `export default async (module) =>
        (await import(new URL(${JSON.stringify(path)}, import.meta.url).href)).default(module);`,
    }));
  },
};

/** Imports of the sources `[path, to]` are not bundled: the script `to` has them. */
const apart = (scripts) => ({
  name: 'apart',
  setup({ onResolve }) {
    for (const [file, to] of scripts)
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
        join(resolveDir, path) === join(process.cwd(), file) ? { path: to, external: true } : undefined,
      );
  },
});

/** Runs esbuild with the options that all bundles of the package share, and writes its metafile to `work`. */
async function bundle(meta, entryPoints, plugins, options) {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    charset: 'utf8',
    logLevel: 'warning',
    format: 'esm',
    sourcemap: true,
    target,
    metafile: true,
    ...options,
    plugins: [styles, whenBuilt, ...plugins],
  });
  await writeFile(join(work, meta), JSON.stringify(metafile));
  return metafile;
}

/** Scripts that the single file of `dist/cdn` loads, too. They import nothing that a page has loaded, except errors. */
const OUTSIDE = [
  'load/draco.ts',
  'load/ktx2.ts',
  'formats/convert.ts',
  'formats/exr.ts',
  'api/crowd-levels.ts',
  'record/archive.ts',
  'record/gif.ts',
  'record/video.ts',
].map(source);

/**
 * Adds imports to each script that is loaded lazily: of the files that every page with the script has loaded before. esbuild puts
 * files that the same scripts import into one, so these files become few shared scripts instead of many small ones. `inputs`: of
 * esbuild's metafile.
 */
function shared(inputs, entryPoints) {
  const isStatic = (kind) => kind === 'import-statement';
  const reached = (from, follows) => {
    const found = new Set([from]);
    for (const path of found)
      for (const { path: to, kind } of inputs[path]?.imports ?? []) if (follows(kind)) found.add(to);
    return found;
  };
  const pages = entryPoints.map((entry) => ({
    loaded: reached(entry, isStatic),
    all: reached(entry, () => true),
  }));
  const lazy = Object.values(inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, kind }) => (kind === 'dynamic-import' && inputs[path] ? [path] : [])),
  );
  /**
   * The files that any lazy script imports. The others stay in the scripts of their entries, without which bundlers leave them out: all that a
   * lazy script imports is in the bundle of a page that names the script, even in code that the page never runs.
   */
  const needed = new Set(lazy.flatMap((script) => [...reached(script, isStatic)]));
  /** The files that every page with the script has loaded before, without entries, whose code must stay in their own scripts. */
  const before = (script) => {
    const [first, ...others] = pages.filter(({ all }) => all.has(script));
    return [...first.loaded].filter(
      (path) =>
        path.endsWith('.ts') &&
        needed.has(path) &&
        !entryPoints.includes(path) &&
        others.every(({ loaded }) => loaded.has(path)),
    );
  };
  const added = new Map(lazy.filter((path) => !OUTSIDE.includes(path)).map((path) => [path, before(path)]));
  return {
    name: 'shared',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const files = added.get(relative(process.cwd(), path));
        if (!files) return undefined;
        const imports = files.map((file) => `import ${JSON.stringify(`./${relative(dirname(path), file)}`)};`);
        return { contents: `${await readFile(path, 'utf8')}${imports.join(' ')}\n`, loader: 'ts' };
      });
    },
  };
}

// The decoders check for Node's `process`, for which some bundlers would add a polyfill.
const inPages = { alias, define: { process: 'undefined' } };

/** The entry that is bundled by itself, see below. */
const MODEL = 'model';
const sources = entries.filter((name) => name !== MODEL).map((name) => source(`${name}.ts`));
const options = {
  ...inPages,
  define: { ...inPages.define, ONE_FILE: 'false' },
  splitting: true,
  chunkNames: '[name]-[hash]',
  outdir: dist,
  logOverride: { 'ignored-bare-import': 'silent' },
};
const plain = [apart([[source('pkg/inline.js'), './wasm-inline.js']])];
const { inputs } = await bundle('package.json', sources, plain, { ...options, write: false });
const { outputs } = await bundle('package.json', sources, [...plain, shared(inputs, sources)], options);

// `gambol/model`, which imports `gambol` when a page has a model. The few small files that it shares with the other entries are copied into
// it, because they would split the scripts of all pages.
if (entries.includes(MODEL))
  await bundle('model.json', [source(`${MODEL}.ts`)], [apart([[source('index.ts'), './index.js']])], {
    ...inPages,
    outfile: join(dist, `${MODEL}.js`),
  });

// The worker that renders: a script without imports and `import.meta`, since some bundlers copy it as it is, and some emit worker
// scripts that cannot have any.
await bundle('worker.json', [source('worker/worker.ts')], [], {
  ...inPages,
  define: { ...inPages.define, 'import.meta.url': 'location.href' },
  outfile: join(dist, 'worker.js'),
});

// The command `gambol` for Node, and the script of the page that draws for it. Both import the entries by the name of the package.
for (const [name, file, platform] of [
  ['cli', 'cli.ts', 'node'],
  ['cli-render', 'browser/page.ts', 'browser'],
])
  await bundle(`${name}.json`, [source(join('cli', file))], [], {
    platform,
    external: ['gambol/*', 'gambol'],
    outfile: join(dist, `${name}.js`),
  });

// The package as one classic script, also for pages that are opened as files. Only decoders, converters and encoders stay outside: in
// a package they are one folder up, with the other scripts and modules.
if (one) {
  const scripts = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, path]],
  );
  const lazy = OUTSIDE.map((name) => {
    const [, path] = scripts.find(([entry]) => entry === name) ?? [];
    if (path === undefined) throw new Error(`the package has no script of ${name}`);
    return [name, `../${basename(path)}`];
  });
  await bundle('cdn.json', [source('cdn.ts')], [apart(lazy)], {
    ...inPages,
    define: { ...inPages.define, ONE_FILE: 'true', 'import.meta.url': 'gambolFolder' },
    format: 'iife',
    sourcemap: false,
    // A module has no `currentScript`, and a classic script must not contain `import.meta`.
    banner: {
      js: `var gambolFolder=new URL('../',(document.currentScript||document.querySelector('script[src*="gambol-viewer"]')||{}).src||document.baseURI).href;`,
    },
    outfile: join(dist, 'cdn/gambol-viewer.min.js'),
  });
}
