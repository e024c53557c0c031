// The cost of frames for the page's main thread, drawn by a worker and drawn there: `node benches/worker.mjs
// [CHROMIUM]`, after `cargo xtask build`. It measures CPU time, so that other load does not count: of scripts, and of
// the whole thread. The cost of a page that only requests frames is subtracted. Draw calls are disabled, since without
// a GPU rasterising would take nearly all of the time. The cost of a message alone is printed beside it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../tests/browser/runner/http.mjs';

const SECONDS = 5;
const CASES = [
  ['no viewer', undefined, 0],
  ['one message a frame', 'message', 0],
  ['one character, worker', 'worker', 0],
  ['one character, own', 'own', 0],
  ['1,000 characters, worker', 'worker', 1000],
  ['1,000 characters, own', 'own', 1000],
];

const root = process.cwd();
const QUIET = `for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced', 'clear']) {
  WebGL2RenderingContext.prototype[name] = () => undefined;
}`;
const PAGE = `<!doctype html><canvas style="width: 160px; height: 100px"></canvas><script type="module">
${QUIET}
globalThis.frameCount = 0;
const count = () => { frameCount += 1; requestAnimationFrame(count); };
globalThis.start = async (renderer, crowd) => {
  if (renderer === 'message') {
    const worker = new Worker('/silent.js');
    const post = (now) => { worker.postMessage(now); requestAnimationFrame(post); };
    requestAnimationFrame(post);
  } else if (renderer) {
    const { createViewer, init } = await import('/gambol/dist/index.js');
    await init({ worker: '/quiet.js' });
    const viewer = await createViewer(document.querySelector('canvas'), { renderer, maxDpr: 1, antialias: false });
    await viewer.load('/site/sample.glb');
    viewer.play('Walk');
    const positions = Float32Array.from({ length: 3 * crowd }, (_, i) => (i % 3 === 1 ? 0 : (i * 7919) % 61 - 30));
    if (crowd > 0) await viewer.addCrowd(viewer.model, { count: crowd, positions, clips: 'Run' });
  }
  count();
};
</script>`;

const SCRIPTS = {
  '/index.html': PAGE,
  '/silent.js': 'onmessage = () => undefined;',
  '/quiet.js': `import '/gambol/dist/worker.js';\n${QUIET}`,
};

const server = await serve((path) => SCRIPTS[path] ?? readFile(join(root, 'dist', path)).catch(() => undefined));
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

/** CPU milliseconds per frame. */
async function measure(renderer, crowd) {
  const page = await browser.newPage();
  await page.goto(server.origin);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name) => 1000 * metrics.find((metric) => metric.name === name).value;
    return [await page.evaluate('frameCount'), of('ScriptDuration'), of('TaskDuration')];
  };
  await page.evaluate(([renderer, crowd]) => globalThis.start(renderer, crowd), [renderer, crowd]);
  await page.waitForTimeout(1000);
  const before = await now();
  await page.waitForTimeout(1000 * SECONDS);
  const after = await now();
  await page.close();
  const [frames, ...spent] = after.map((value, i) => value - before[i]);
  return [frames, ...spent.map((milliseconds) => milliseconds / frames)];
}

let idle = [0, 0, 0];
for (const [name, renderer, crowd] of CASES) {
  const [frames, script, all] = await measure(renderer, crowd);
  if (renderer === undefined) idle = [frames, script, all];
  console.log(
    `${name.padEnd(26)} ${String(frames).padStart(4)} frames  scripts ${(script - (renderer ? idle[1] : 0)).toFixed(3)} ms  all ${(all - (renderer ? idle[2] : 0)).toFixed(3)} ms`,
  );
}
await browser.close();
await server.stop();
