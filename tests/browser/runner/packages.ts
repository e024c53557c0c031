// Builds the projects of tests/packages with the package as npm packs it, and opens each in Chromium. A character must
// be visible and play, without errors and without requests to other servers. Call it by `cargo xtask test --only
// packages`, which installs everything.

import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { codeBlocks } from '../../package/support/blocks.mjs';
import { launchChromium } from './drivers/chromium.ts';
import { unnamed } from './model-viewer.ts';
import { StaticServer } from './server.ts';

const { values } = parseArgs({
  options: {
    chromium: { type: 'string' },
    filter: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
  },
});
if (!values.chromium) throw new Error('usage: packages --chromium=PROGRAM [--filter=TEXT] [--all]');

const root = process.cwd();
const projects = join(root, 'tests/packages');
const gambol = join(projects, 'node_modules/gambol');
const sample = join(root, 'dist/site/sample.glb');
const output = join(root, 'tests/output/packages');

/** The time after which a build or a page counts as hanging, in milliseconds. */
const PATIENCE = 120_000;

/** The headers of a site that allows only its own files, and WebAssembly. */
const STRICT = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self' blob: data:; style-src 'self'",
};
/** The same, with Trusted Types of the package's policy only. */
const TRUSTED = {
  'Content-Security-Policy': `${STRICT['Content-Security-Policy']}; require-trusted-types-for 'script'; trusted-types gambol`,
};

interface Project {
  readonly name: string;
  /** `true` if it is built on each change, not only with `--all`. */
  readonly always?: boolean;
  /** The command that builds the project into a folder; it runs in the project's folder. */
  build?(out: string): readonly string[];
  /** Files of the project that are not built, copied to the output. */
  readonly files?: readonly string[];
  /** Other files to copy: names in the output and their sources. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The kind of file from which the page must load its module. */
  readonly module: 'file' | 'script';
  /** `true` if a request for the module's file fails first. */
  readonly lost?: boolean;
  /** `true` if the page records in `heard` the types of events that its handlers received. */
  readonly hears?: boolean;
  /** `true` if the script of `renderer: 'worker'` is found. */
  readonly worker?: boolean;
}

const vite = (out: string): string[] => ['vite', 'build', '--outDir', out, '--emptyOutDir', '--logLevel', 'warn'];
const rollup = (out: string): string[] => ['rollup', '-c', '--silent', '--dir', out, '--entryFileNames', 'bundle.js'];
const esbuild = (out: string): string[] => [
  'esbuild',
  'main.js',
  '--bundle',
  '--splitting',
  '--format=esm',
  '--minify',
  '--entry-names=bundle',
  '--log-level=warning',
  `--outdir=${out}`,
];

// The slowest builds are first, since two run at a time.
const PROJECTS: readonly Project[] = [
  { name: 'next', build: () => ['next', 'build'], module: 'file', hears: true, worker: true },
  {
    name: 'parcel',
    build: (out) => [
      'parcel',
      'build',
      'index.html',
      '--no-cache',
      '--no-autoinstall',
      '--cache-dir',
      join(output, 'parcel-cache'),
      '--no-source-maps',
      '--log-level',
      'warn',
      '--dist-dir',
      out,
    ],
    module: 'file',
    worker: true,
  },
  { name: 'webpack', build: (out) => ['node', 'build.mjs', out], files: ['index.html'], module: 'file', worker: true },
  { name: 'vite', always: true, build: vite, module: 'file', worker: true },
  { name: 'react', build: vite, module: 'file', hears: true },
  { name: 'vue', build: vite, module: 'file', hears: true },
  { name: 'svelte', build: vite, module: 'file', hears: true },
  { name: 'solid', build: vite, module: 'file', hears: true },
  // These two do not support `new URL()`: a script replaces the file, or the file is copied.
  { name: 'rollup', build: rollup, files: ['index.html'], module: 'script', lost: true },
  { name: 'esbuild', always: true, build: esbuild, files: ['index.html'], module: 'script', lost: true },
  {
    name: 'esbuild',
    always: true,
    build: esbuild,
    files: ['index.html'],
    beside: { 'gambol.wasm': join(gambol, 'dist/gambol.wasm') },
    module: 'file',
  },
  {
    name: 'static',
    always: true,
    files: ['index.html', 'style.css'],
    beside: { gambol },
    headers: TRUSTED,
    module: 'file',
    worker: true,
  },
  {
    name: 'cdn',
    always: true,
    files: ['index.html', 'main.js'],
    beside: { 'gambol-viewer.min.js': join(gambol, 'dist/cdn/gambol-viewer.min.js') },
    headers: STRICT,
    module: 'script',
  },
];

interface Seen {
  requests: number;
  bytes: number;
  module: string;
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const table: string[] = [];

/** Runs one test and prints its result. */
async function test(name: string, work: () => Promise<string>): Promise<void> {
  if (!name.includes(values.filter)) return;
  const started = performance.now();
  const took = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    const words = await work();
    counts.passed++;
    table.push(`ok       ${name.padEnd(24)} ${words} (${took()})`);
  } catch (error) {
    counts.failed++;
    table.push(
      `FAILED   ${name.padEnd(24)} (${took()})\n${String(error instanceof Error ? error.message : error).replace(/^/gm, '           ')}`,
    );
  }
  console.log(table.at(-1));
}

/** Runs a program of tests/packages/node_modules to its end; throws its output if it fails. */
async function program(folder: string, [name = '', ...rest]: readonly string[]): Promise<string> {
  const child = start(folder, [name, ...rest]);
  let text = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  child.stderr?.on('data', (chunk) => (text += String(chunk)));
  const timer = setTimeout(() => child.kill(), PATIENCE);
  const status = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  clearTimeout(timer);
  if (status !== 0) throw new Error(`${name} ${rest.join(' ')} ended with ${status}\n${text}`);
  return text;
}

function start(folder: string, [name = '', ...rest]: readonly string[]): ChildProcess {
  const file = name === 'node' ? process.execPath : join(projects, 'node_modules/.bin', name);
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PARCEL_WORKERS: '1',
    BROWSERSLIST_IGNORE_OLD_DATA: '1',
    NO_COLOR: '1',
  };
  return spawn(file, rest, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Opens a page until a character plays in it; throws all errors. */
async function look(
  browser: Browser,
  url: string,
  name: string,
  { module, lost = false, hears = false, worker = false }: Pick<Project, 'module' | 'lost' | 'hears' | 'worker'>,
): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 400, height: 320 } });
  const troubles: string[] = [];
  const seen: Seen = { requests: 0, bytes: 0, module: '' };
  page.on('pageerror', (error) => troubles.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      troubles.push(`${message.text()} (${message.location().url})`);
  });
  const answers: Promise<void>[] = [];
  page.on('response', (response) => {
    const { pathname, origin, protocol } = new URL(response.url());
    if (/^https?:$/.test(protocol) && origin !== new URL(url).origin)
      troubles.push(`a request left the origin: ${response.url()}`);
    if (!/^https?:$/.test(protocol) || pathname.startsWith('/__tests/')) return;
    seen.requests++;
    answers.push(
      response.body().then(
        (body) => {
          seen.bytes += body.length;
          if (body.subarray(0, 4).toString('latin1') === '\0asm') seen.module = pathname;
        },
        () => undefined,
      ),
    );
  });
  try {
    await page.goto(url);
    await playing(page).catch((error: unknown) => {
      throw new Error([`no character plays: ${String(error)}`, ...troubles].join('\n'));
    });
    // The element fades in.
    let colours = 0;
    for (let attempt = 0; attempt < 50 && colours < 50; attempt++) colours = coloursOf(await page.screenshot());
    if (colours < 50) troubles.push(`nothing is seen: ${colours} colours`);
    // Twice, because handlers of another render take the place of those before.
    if (hears) troubles.push(...(await unheard(page)), ...(await unheard(page)));
    if (worker) troubles.push(...(await withoutWorker(page)));
    await Promise.all(answers);
    const file = seen.module !== '';
    if (file !== (module === 'file'))
      troubles.push(file ? `the module came as ${seen.module}` : 'the module did not come as a file');
    const other = lost ? troubles.filter((words) => !/404.*gambol[\w.-]*\.wasm\)$/.test(words)) : troubles;
    if (lost && other.length + 1 !== troubles.length) other.push('the file of the module was not asked for');
    if (other.length > 0) throw new Error(other.join('\n'));
    return seen;
  } catch (error) {
    await writeFile(join(output, `${name}.png`), await page.screenshot());
    throw error;
  } finally {
    await page.close();
  }
}

/** Waits until all players of the page move. */
async function playing(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      interface Player {
        paused: boolean;
        currentTime: number;
      }
      const { document, viewer } = globalThis as unknown as {
        document: { querySelectorAll(name: string): Iterable<Player> };
        viewer?: Player;
      };
      const players = viewer ? [viewer] : [...document.querySelectorAll('gambol-viewer')];
      return players.length > 0 && players.every(({ paused, currentTime }) => !paused && currentTime > 0.05);
    },
    undefined,
    { timeout: 30_000 },
  );
}

/**
 * Dispatches all events of the element's manifest, except those of hotspots. Returns those that were not received by one handler
 * of the framework, once.
 */
async function unheard(page: Page): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(gambol, 'dist/custom-elements.json'), 'utf8')) as {
    modules: { declarations: { tagName?: string; events?: { name: string }[] }[] }[];
  };
  const viewer = manifest.modules
    .flatMap(({ declarations }) => declarations)
    .find(({ tagName }) => tagName === 'gambol-viewer');
  const names = (viewer?.events ?? []).map(({ name }) => name).filter((name) => !name.startsWith('hotspot-'));
  if (names.length < 20) return [`the manifest has ${names.length} events`];
  return page.evaluate((types) => {
    const page = globalThis as unknown as {
      heard?: string[];
      document: { querySelector(name: string): EventTarget | null };
    };
    page.heard?.splice(0);
    for (const type of types)
      page.document.querySelector('gambol-viewer')?.dispatchEvent(new CustomEvent(type, { detail: {} }));
    return types.flatMap((type) => {
      const calls = page.heard?.filter((other) => other === type).length ?? 0;
      return calls === 1 ? [] : [`${type} was handled ${calls} times`];
    });
  }, names);
}

/** Shows another character, which a worker draws; returns the fault if none does. Warnings are on the console. */
async function withoutWorker(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    interface Viewer {
      load(url: string): Promise<void>;
    }
    const { createViewer, document } = globalThis as unknown as {
      createViewer?: (canvas: object, options: object) => Promise<Viewer>;
      document: { createElement(name: string): { ready: Promise<void> }; body: { append(element: object): void } };
    };
    if (createViewer) {
      const canvas = document.createElement('canvas');
      document.body.append(canvas);
      const viewer = await createViewer(canvas, { renderer: 'worker' });
      await viewer.load('/sample.glb');
    } else {
      const element = document.createElement('gambol-viewer');
      document.body.append(Object.assign(element, { src: '/sample.glb', renderer: 'worker', loading: 'eager' }));
      await element.ready;
    }
  });
  return page.workers().length > 0 ? [] : ['no worker draws'];
}

function coloursOf(png: Buffer): number {
  const { data } = PNG.sync.read(png);
  const words = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  return new Set(words).size;
}

/** Builds a project; returns the folder to serve. */
async function built(project: Project): Promise<string> {
  const folder = join(projects, project.name);
  const out = join(output, `${project.name}${project.beside ? '-beside' : ''}`);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  if (project.build) await program(folder, project.build(out));
  // Next.js has a fixed output folder.
  if (project.name === 'next') await cp(join(folder, 'out'), out, { recursive: true });
  for (const file of project.files ?? []) await cp(join(folder, file), join(out, file));
  for (const [name, from] of Object.entries(project.beside ?? {})) await cp(from, join(out, name), { recursive: true });
  for (const name of ['sample.glb', 'hero.glb']) await cp(sample, join(out, name));
  return out;
}

async function open(browser: Browser, folder: string, project: Project): Promise<string> {
  const server = await StaticServer.start(
    [
      ['/__tests/', join(root, 'tests/browser/page')],
      ['/', folder],
    ],
    () => Promise.resolve(''),
    project.headers,
  );
  try {
    return shown(await look(browser, `${server.origin}/`, project.name, project));
  } finally {
    await server.stop();
  }
}

const shown = ({ requests, bytes, module }: Seen): string =>
  `${requests} requests, ${(bytes / 1e6).toFixed(2)} MB, module: ${module || 'in a script'}`;

/** Tests Vite's development server, which transforms packages in another way than its build. */
async function viteDev(browser: Browser): Promise<string> {
  await rm(join(projects, 'node_modules/.vite'), { recursive: true, force: true });
  const folder = join(projects, 'vite');
  const child = start(folder, [
    'vite',
    'dev',
    '--host',
    '127.0.0.1',
    '--port',
    String(20_000 + (process.pid % 20_000)),
    '--strictPort',
  ]);
  let text = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const hear = (chunk: unknown): void => {
        text += String(chunk);
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
        if (found) resolve(found[0]);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('close', () => reject(new Error(`vite dev ended\n${text}`)));
      setTimeout(() => reject(new Error(`vite dev says nothing\n${text}`)), PATIENCE).unref();
    });
    return shown(await look(browser, `${url}/`, 'vite-dev', { module: 'file' }));
  } finally {
    child.kill();
  }
}

/** Tests the single file, opened from the disk. */
async function fromDisk(browser: Browser): Promise<string> {
  const folder = join(output, 'disk');
  await rm(folder, { recursive: true, force: true });
  await cp(join(projects, 'cdn'), folder, { recursive: true });
  await cp(join(gambol, 'dist/cdn/gambol-viewer.min.js'), join(folder, 'gambol-viewer.min.js'));
  const model = `data:model/gltf-binary;base64,${(await readFile(sample)).toString('base64')}`;
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), html.replaceAll('/sample.glb', model));
  await look(browser, `file://${join(folder, 'index.html')}`, 'disk', { module: 'script' });
  return 'no request';
}

/**
 * Tests a page from the disk that requests a file beside it. Browsers refuse that; the error must say so and name a
 * solution.
 */
async function refusedFromDisk(browser: Browser): Promise<string> {
  const folder = join(output, 'disk-refused');
  await mkdir(folder, { recursive: true });
  await cp(sample, join(folder, 'sample.glb'));
  await cp(join(gambol, 'dist/cdn/gambol-viewer.min.js'), join(folder, 'gambol-viewer.min.js'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><script src="gambol-viewer.min.js"></script><canvas></canvas>',
  );
  const page = await browser.newPage();
  try {
    await page.goto(`file://${join(folder, 'index.html')}`);
    const error = await page.evaluate(async () => {
      interface Failure {
        code: string;
        message: string;
      }
      const { gambol, document } = globalThis as unknown as {
        gambol: { createViewer(canvas: unknown): Promise<{ load(url: string): Promise<unknown> }> };
        document: { querySelector(name: string): unknown };
      };
      const viewer = await gambol.createViewer(document.querySelector('canvas'));
      return viewer.load('sample.glb').then(
        () => null,
        ({ code, message }: Failure) => ({ code, message }),
      );
    });
    if (error?.code !== 'fetch/failed' || !/file:.*HTTP/.test(error.message))
      throw new Error(`it says ${JSON.stringify(error)}`);
    return error.message;
  } finally {
    await page.close();
  }
}

/** The file of each project that shows the example of its framework in the documents. */
const HEROES: Readonly<Record<string, string>> = {
  'gambol/react': 'react/hero.tsx',
  'gambol/solid': 'solid/hero.tsx',
  'gambol/svelte': 'svelte/Hero.svelte',
  'gambol/vue': 'vue/hero.vue',
};

/**
 * Writes the examples of frameworks in the documents into the projects, which show them beside their own character. Each
 * imports the types of its framework.
 */
async function writeHeroes(): Promise<string[]> {
  const examples = codeBlocks(root).filter(({ language }) => ['tsx', 'jsx', 'vue', 'svelte'].includes(language));
  const files = await Promise.all(
    examples.map(async ({ document, line, code }) => {
      const file = HEROES[/from '(gambol\/\w+)'/.exec(code)?.[1] ?? ''];
      if (file === undefined) throw new Error(`${document}, line ${line}: no project shows this example`);
      await writeFile(
        join(projects, file),
        file.startsWith('solid') ? `/** @jsxImportSource solid-js */\n${code}` : code,
      );
      return file;
    }),
  );
  if (new Set(files).size !== Object.keys(HEROES).length || files.length !== Object.keys(HEROES).length)
    throw new Error(`one example for each framework, not ${files.join(', ')}`);
  return files;
}

await mkdir(join(output, 'public'), { recursive: true });
await cp(sample, join(output, 'public/sample.glb'));
const browser = await launchChromium(values.chromium);

await test('node', async () => (await program(join(projects, 'node'), ['node', 'test.mjs', sample])).trim());

const heroes = writeHeroes();
// The projects need the files also if a filter leaves this test out.
await heroes.catch(() => undefined);
await test('examples of the frameworks', async () => (await heroes).join(', '));

await test('coming from model-viewer', async () => {
  const missing = await unnamed(root, join(projects, 'node_modules/@google/model-viewer'));
  if (missing.length > 0) throw new Error(`docs/from-model-viewer.md does not agree: ${missing.join(', ')}`);
  return 'every name of the package is on the page';
});

await test('types of the frameworks', async () => {
  const text = await program(projects, ['node', join(root, 'node_modules/typescript/bin/tsc'), '--project', projects]);
  return text.trim() || 'React, Solid, Svelte, Vue';
});

await test('types of the frameworks, oldest TypeScript', async () => {
  // Declarations of Solid and Svelte need a newer version; those of gambol and their users do not.
  const tsc = join(root, 'tests/package/node_modules/typescript/bin/tsc');
  const text = await program(projects, ['node', tsc, '--project', projects]).catch((error: unknown) => String(error));
  const errors = text.split('\n').filter((line) => /error TS/.test(line));
  const ours = errors.filter((line) => !/^node_modules\/(?!gambol\/)/.test(line));
  if (ours.length > 0 || (errors.length === 0 && text.trim() !== '')) throw new Error(ours.join('\n') || text);
  return `${errors.length} errors in declarations of others`;
});

// Two builds at a time; a page is opened while the next is built.
const queue = PROJECTS.filter(({ always = false }) => always || values.all);
const worker = async (): Promise<void> => {
  for (let project = queue.shift(); project; project = queue.shift()) {
    const one = project;
    const variant = one.beside && one.build ? ', file copied' : '';
    await test(one.name + variant, async () => open(browser, await built(one), one));
  }
};
await Promise.all([worker(), worker()]);
if (values.all) await test('vite dev', () => viteDev(browser));
await test('one file from disk', () => fromDisk(browser));
await test('a model from disk', () => refusedFromDisk(browser));
await browser.close();

console.log(`\n${table.join('\n')}`);
await writeFile(join(root, 'tests/output/packages.json'), `${JSON.stringify(counts)}\n`);
process.exit(counts.failed > 0 ? 1 : 0);
