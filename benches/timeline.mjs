// Measures the drawing of the inspector's timeline: `node benches/timeline.mjs`, after `cargo xtask build`.
//
// A clip with 65 joints, 3 channels each, 300 keys each (58,500 keys) is drawn 1,400 px wide and 600 px high. Each line prints the
// median and the 95th percentile of a redraw in milliseconds: by script (`draw`), and with the pixels read back, so that
// the canvas has painted (`painted`).

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { serve } from '../tests/browser/runner/http.mjs';

const root = resolve(import.meta.dirname, '..');
const REDRAWS = 40;

const entry = `
  import { createViewer } from 'gambol';
  import { mountTimeline } from './www/demo/inspect/timeline/timeline.ts';
  import { keyed } from './tests/browser/cases/support/keyed.ts';
  const viewer = await createViewer(document.querySelector('canvas'), { autoplay: false });
  await viewer.load(keyed({ many: { nodes: 65, keys: 300 } }));
  viewer.clip = 'Many';
  viewer.pause();
  const timeline = mountTimeline(document.querySelector('section'), { viewer, overlay: document.querySelector('div') });
  timeline.setModel(viewer.model);
  timeline.setClip('Many');
  window.timeline = timeline;
`;

const { outputFiles } = await build({
  stdin: { contents: entry, resolveDir: root, loader: 'ts' },
  bundle: true,
  format: 'esm',
  target: 'es2022',
  external: ['gambol'],
  write: false,
});
const PAGE = `<!doctype html>
<link rel="stylesheet" href="/styles/base.css">
<link rel="stylesheet" href="/styles/timeline.css">
<canvas style="width: 64px; height: 64px"></canvas><div></div>
<section style="position: fixed; inset: 70px 0 auto; width: 1620px; height: 740px"></section>
<script type="importmap">{ "imports": { "gambol": "/gambol/dist/index.js" } }</script>
<script type="module">${outputFiles[0].text}</script>`;

const server = await serve((path) =>
  path === '/index.html' ? PAGE : readFile(join(root, 'dist/site', path)).catch(() => undefined),
);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-gpu-compositing',
  ],
});
const page = await browser.newPage({ viewport: { width: 1620, height: 820 } });
page.on('pageerror', (error) => console.error(error.message));
await page.goto(server.origin);
await page.waitForFunction(() => document.querySelectorAll('.tl-row').length > 10);

/** Prepares the panel in the page, and measures redraws while it pans. */
const measure = async (name, prepare) => {
  await page.evaluate(prepare);
  await page.waitForTimeout(400);
  const [draw, painted] = await page.evaluate(async (count) => {
    const { session, canvases } = window.timeline.parts;
    const canvas = document.querySelector('.tl-view canvas');
    const [draws, all] = [[], []];
    for (let i = 0; i < count; i++) {
      // Whole frames in between, as on a screen.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (session.axis.visible) session.axis.pan(i % 2 === 0 ? 7 : -7);
      const start = performance.now();
      canvases.draw();
      draws.push(performance.now() - start);
      canvas.getContext('2d').getImageData(0, 0, 1, 1);
      all.push(performance.now() - start);
    }
    return [draws, all].map((list) => {
      list.sort((a, b) => a - b);
      return [0.5, 0.95].map((part) => list[Math.floor(part * list.length)].toFixed(2));
    });
  }, REDRAWS);
  console.log(`${name.padEnd(42)} draw ${draw.join(' / ')} ms   painted ${painted.join(' / ')} ms`);
};

console.log('redraw, median / 95th percentile');
await measure('keys: joints, whole clip', () => undefined);
await measure('keys: all channels, whole clip', () => window.timeline.parts.session.openAll(true));
await measure('keys: all channels, a tenth of the clip', () => window.timeline.parts.canvases.zoom(10, 700));
await measure('curves: one joint, a tenth of the clip', () => window.timeline.parts.session.set('view', 'curves'));
await measure('curves: one joint, whole clip', () => window.timeline.parts.canvases.fit());
await browser.close();
await server.stop();
