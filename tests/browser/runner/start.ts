// Measures the start of each page in benches/peers/start until a character is visible: requests, bytes, the longest
// task, time. `cargo xtask bench` runs it. Prints one JSON object per line.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { type Sent, serve } from './http.mjs';
import { launchChromium } from './drivers/chromium.ts';

const { values } = parseArgs({ options: { chromium: { type: 'string' } } });
if (!values.chromium) throw new Error('usage: start --chromium=PROGRAM');

const root = process.cwd();
const pages = join(root, 'benches/peers/start');
const output = join(root, 'tests/output/build/start');
const modules = ['tests/packages/node_modules', 'benches/peers/node_modules'].map((folder) => join(root, folder));

const PLAYERS = ['gambol', 'element', 'three', 'model-viewer', 'babylon-viewer'];
/** The players that load this project's module. */
const OURS = ['gambol', 'element'];
/** The number of times that each page is opened; the median counts. */
const ROUNDS = 5;

interface Network {
  readonly name: string;
  /** Megabits per second from the server; undefined for no limit. */
  readonly megabits?: number;
  /** Milliseconds that an answer takes at least. */
  readonly latency: number;
  /** The factor by which the CPU of the page is slower. */
  readonly slower: number;
}

/** The simulated networks: no limit, a good mobile connection, and a slow one with a slow phone. */
const NETWORKS: readonly Network[] = [
  { name: 'local', latency: 0, slower: 1 },
  { name: '10mbit', megabits: 10, latency: 40, slower: 1 },
  { name: 'slow', megabits: 1.6, latency: 150, slower: 4 },
];

async function bytesOf(path: string): Promise<Buffer | undefined> {
  const file = path === '/sample.glb' ? join(root, 'dist/site/sample.glb') : join(output, path);
  return existsSync(file) ? readFile(file) : undefined;
}

interface Facts {
  requests: number;
  bytes: number;
  /** The bytes of scripts and WebAssembly: all but the page itself and the model. */
  code: number;
  longest: number;
  time: number;
}

/** Opens a page with an empty cache. */
async function facts(
  browser: Browser,
  url: string,
  { megabits, latency, slower }: Network,
  log: () => readonly Sent[],
): Promise<Facts> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    const session = await context.newCDPSession(page);
    if (megabits !== undefined) {
      const throughput = (megabits * 1e6) / 8;
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency,
        downloadThroughput: throughput,
        uploadThroughput: throughput / 2,
      });
    }
    if (slower > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.addInitScript({
      content: `
      globalThis.tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
    `,
    });
    await page.goto(url);
    await page
      .waitForFunction(() => performance.getEntriesByName('first-frame').length > 0, undefined, { timeout: 120_000 })
      .catch((error: unknown) => {
        throw new Error([String(error), ...troubles].join('\n'));
      });
    const sizes = log();
    // Long tasks are reported with a delay.
    await page.waitForTimeout(200);
    const { time, longest } = await page.evaluate(() => {
      const time = performance.getEntriesByName('first-frame')[0]?.startTime ?? NaN;
      const { tasks } = globalThis as unknown as { tasks: { startTime: number; duration: number }[] };
      return {
        time,
        longest: Math.max(0, ...tasks.filter(({ startTime }) => startTime < time).map(({ duration }) => duration)),
      };
    });
    const code = sizes.filter(({ path }) => /\.(js|wasm)$/.test(path));
    return { requests: sizes.length, bytes: sum(sizes), code: sum(code), longest, time };
  } finally {
    await context.close();
  }
}

const sum = (sent: readonly Sent[]): number => sent.reduce((all, { bytes }) => all + bytes, 0);
const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

await rm(output, { recursive: true, force: true });
await mkdir(output, { recursive: true });
const players = PLAYERS.filter((name) => existsSync(join(pages, `${name}.ts`)));
for (const name of players) {
  // Each in its own folder, so that no page loads another's files.
  await build({
    entryPoints: [{ in: join(pages, `${name}.ts`), out: 'page' }],
    outdir: join(output, name),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    nodePaths: modules,
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  // As the documentation of each player recommends; the model at once in all of them.
  const links = ['<link rel="preload" as="fetch" crossorigin href="/sample.glb">'];
  if (OURS.includes(name))
    links.push('<link rel="preload" as="fetch" crossorigin type="application/wasm" href="gambol.wasm">');
  const wasm = (await readdir(join(root, 'dist/gambol/dist'))).filter((file) => /^gambol\.(\w+\.)?wasm$/.test(file));
  for (const file of wasm) await copyFile(join(root, 'dist/gambol/dist', file), join(output, name, file));
  await writeFile(
    join(output, name, 'index.html'),
    `<!doctype html><title>start</title><link rel="icon" href="data:,">${links.join('')}<body><script type="module" src="page.js"></script>`,
  );
}

const server = await serve(bytesOf, { compressed: true });
const browser = await launchChromium(values.chromium);
try {
  for (const network of NETWORKS) {
    const all = new Map<string, Facts[]>(players.map((name) => [name, []]));
    // In turns, so that other load affects all of them alike. The first round fills the server's cache.
    for (let round = -1; round < ROUNDS; round++) {
      for (const name of players) {
        server.forget();
        const one = await facts(browser, `${server.origin}/${name}/`, network, () => [...server.sent]);
        if (round >= 0) all.get(name)?.push(one);
      }
    }
    for (const [name, list] of all) {
      const report = (what: string, key: keyof Facts, unit: string): void => {
        console.log(
          JSON.stringify({
            name: `start.${network.name}.${name}.${what}`,
            value: median(list.map((one) => one[key])),
            unit,
          }),
        );
      };
      if (network.name === 'local') {
        report('requests', 'requests', '');
        report('bytes', 'bytes', 'B');
        report('code_bytes', 'code', 'B');
      }
      report('longest_task', 'longest', 'ms');
      report('first_frame', 'time', 'ms');
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
