// Measures the start of each page in benches/peers/start until a character is visible: requests, bytes, the longest
// task, time. `cargo xtask bench` runs it. Prints one JSON object per line.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
const modules = join(root, 'tests/packages/node_modules');

const PLAYERS = ['gambol', 'element', 'three', 'model-viewer'];
/** The number of times that each page is opened; the median counts. */
const ROUNDS = 5;
/** The simulated networks: no limit, and a good mobile connection. */
const NETWORKS = [
  { name: 'local', conditions: undefined },
  {
    name: '10mbit',
    conditions: { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 5e6 / 8 },
  },
] as const;

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
  conditions: (typeof NETWORKS)[number]['conditions'],
  log: () => readonly Sent[],
): Promise<Facts> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    if (conditions) {
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', conditions);
    }
    await page.addInitScript({
      content: `
      globalThis.tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
    `,
    });
    await page.goto(url);
    await page
      .waitForFunction(() => performance.getEntriesByName('first-frame').length > 0, undefined, { timeout: 60_000 })
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
    nodePaths: [modules],
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  for (const wasm of ['gambol.wasm', 'gambol.more.wasm'])
    await copyFile(join(root, 'dist/gambol/dist', wasm), join(output, name, wasm));
  await writeFile(
    join(output, name, 'index.html'),
    '<!doctype html><title>start</title><link rel="icon" href="data:,"><body><script type="module" src="page.js"></script>',
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
        const one = await facts(browser, `${server.origin}/${name}/`, network.conditions, () => [...server.sent]);
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
