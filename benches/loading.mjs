// Measures the longest tasks while models load: `node benches/loading.mjs [--tasks=N] [PART OF A NAME …]`, after `cargo
// xtask build`.
//
// For every model below ../shared/assets (or $GAMBOL_SHARED) a new page of Chromium is traced. Each line prints the
// load's time and the longest task of the page's main thread, in milliseconds. The task's time is by wall clock and by
// CPU time (which excludes waiting). The line also prints the numbers of tasks above 50 ms by each measure. `--tasks`
// adds the N longest tasks, with their calls into WebAssembly and WebGL that took more than a millisecond.

import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from '../tests/browser/runner/http.mjs';

const { values, positionals } = parseArgs({
  options: { tasks: { type: 'string', default: '0' } },
  allowPositionals: true,
});
const root = resolve(import.meta.dirname, '..');
const shared = resolve(process.env.GAMBOL_SHARED ?? join(root, '../shared'));
const FOLDERS = ['assets/gltf', 'assets/synthetic', 'assets/variants'];
const LONG = 50;

/** Instruments WebAssembly and WebGL; runs in the page before any other script. */
function watch() {
  const timed = (name, call) =>
    function (...args) {
      const start = performance.now();
      try {
        return call.apply(this, args);
      } finally {
        const end = performance.now();
        if (end - start > 1) performance.measure(name, { start, end });
      }
    };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const result = await instantiate(module, imports);
    const { exports } = result.instance ?? result;
    const entries = Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === 'function' && !name.startsWith('__') ? timed(name, value) : value,
    ]);
    const instance = Object.create(WebAssembly.Instance.prototype, { exports: { value: Object.fromEntries(entries) } });
    return result.instance ? { ...result, instance } : instance;
  };
  const gl = WebGL2RenderingContext.prototype;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(gl))) {
    if (typeof value === 'function') gl[name] = timed(`gl.${name}`, value);
  }
}

const PAGE = `<!doctype html>
<style>canvas { width: 512px; height: 512px }</style>
<canvas></canvas>
<script type="importmap">{ "imports": { "gambol": "/gambol/dist/index.js" } }</script>
<script type="module">
  (${watch})();
  const { createViewer } = await import('gambol');
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const viewer = await createViewer(document.querySelector('canvas'));
  await viewer.setEnvironment('studio');
  const url = new URL(new URLSearchParams(location.search).get('model'), location.href);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  await pause(300);
  performance.mark('load begins');
  const begin = performance.now();
  const failure = await viewer.load(bytes, { baseURL: url }).then(() => '', (error) => error.code);
  const took = performance.now() - begin;
  await pause(300);
  performance.mark('load ends');
  window.result = { took, failure };
</script>`;

const server = await serve((path) => {
  if (path === '/index.html') return PAGE;
  const file = path.startsWith('/gambol/') ? join(root, 'dist', path) : join(shared, path.replace(/^\/shared\//, ''));
  return readFile(file).catch(() => undefined);
});

async function* models(folder) {
  const entries = await readdir(join(shared, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* models(path);
    else if (
      /\.(glb|gltf)$/.test(path) &&
      (positionals.length === 0 || positionals.some((part) => path.includes(part)))
    )
      yield path;
  }
}

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata'];

/** The tasks of the page's main thread during the load, with their calls; times in milliseconds. */
async function traced(browser, model) {
  const page = await browser.newPage();
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(`${server.origin}/?model=/shared/${model}`);
  await page.waitForFunction('window.result', undefined, { timeout: 120_000, polling: 500 });
  const result = await page.evaluate('window.result');
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await page.close();
  const timing = traceEvents.filter(({ cat }) => cat === 'blink.user_timing');
  const [begin, end] = ['load begins', 'load ends'].map((name) => timing.find((event) => event.name === name));
  const [calls, open] = [[], new Map()];
  for (const event of timing) {
    // The ids of spans are reused.
    const id = event.id2?.local ?? event.id;
    if (event.ph === 'b') open.set(id, event);
    else if (event.ph === 'e' && open.has(id)) calls.push({ ...open.get(id), dur: event.ts - open.get(id).ts });
  }
  const tasks = traceEvents
    .filter(
      (event) =>
        event.name === 'RunTask' &&
        event.pid === begin.pid &&
        event.tid === begin.tid &&
        event.ts + event.dur >= begin.ts &&
        event.ts <= end.ts,
    )
    .map(({ ts, dur, tdur }) => ({
      at: (ts - begin.ts) / 1000,
      clock: dur / 1000,
      processor: tdur / 1000,
      calls: calls
        .filter((call) => call.ts >= ts - 200 && call.ts + call.dur <= ts + dur + 200)
        .map((call) => `${call.name} ${(call.dur / 1000).toFixed(0)}`),
    }));
  return { ...result, tasks };
}

const browser = await chromium.launch({
  executablePath: process.env.GAMBOL_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
console.log('model'.padEnd(60), 'load'.padStart(7), 'clock'.padStart(7), 'processor'.padStart(10), 'long'.padStart(9));
for (const folder of FOLDERS) {
  for await (const model of models(folder)) {
    const { took, failure, tasks } = await traced(browser, model);
    const most = (which) => Math.max(...tasks.map((task) => task[which])).toFixed(0);
    const long = (which) => tasks.filter((task) => task[which] > LONG).length;
    console.log(
      model.slice(7).padEnd(60),
      took.toFixed(0).padStart(7),
      most('clock').padStart(7),
      most('processor').padStart(10),
      `${long('clock')}, ${long('processor')}`.padStart(9),
      failure,
    );
    for (const task of tasks.sort((a, b) => b.clock - a.clock).slice(0, Number(values.tasks))) {
      console.log(
        `  ${task.clock.toFixed(0)} (${task.processor.toFixed(0)}) at ${task.at.toFixed(0)}: ${task.calls.join(', ')}`,
      );
    }
  }
}
await browser.close();
await server.stop();
