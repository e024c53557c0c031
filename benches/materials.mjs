// Changes of materials, in gambol, model-viewer and three.js: `node benches/materials.mjs CHROMIUM`, after `cargo xtask build`. Prints one
// JSON object per line; README.md says what the names mean. model-viewer is the one of tests/packages.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../tests/browser/runner/http.mjs';

const ROUNDS = 5;
const CHANGES = 20;
const SECONDS = 4;

const root = join(import.meta.dirname, '..');
const FOLDERS = {
  '/gambol/': 'dist/gambol/dist',
  '/site/': 'dist/site',
  '/three/': 'node_modules/three',
  '/model-viewer/': 'tests/packages/node_modules/@google/model-viewer/dist',
};
const PAGE = `<!doctype html><link rel="icon" href="data:,"><body style="margin: 0">
<script type="importmap">{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }</script>`;

/** Scripts that show the sample and return a function that sets its base colour. `size` is in CSS pixels, `twelve` for small pages. */
const PLAYERS = {
  gambol: `async (size) => {
    const { createViewer } = await import('/gambol/index.js');
    const canvas = document.body.appendChild(document.createElement('canvas'));
    canvas.style.cssText = 'width: ' + size + 'px; height: ' + size + 'px';
    const viewer = await createViewer(canvas, { renderer: size < 200 ? 'shared' : 'own' });
    await viewer.load('/site/sample.glb');
    const material = viewer.material('Fur');
    await material.set({ baseColor: 'red' });
    return (color) => void material.set({ baseColor: color });
  }`,
  element: `async (size) => {
    await import('/gambol/element.js');
    document.body.insertAdjacentHTML('beforeend', '<gambol-viewer src="/site/sample.glb" loading="eager" style="width: ' + size + 'px; height: ' + size +
      'px"' + (size < 200 ? ' renderer="shared"' : '') + '><gambol-material name="Fur" base-color="red"></gambol-material></gambol-viewer>');
    const element = document.body.lastElementChild;
    await new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
    const material = element.firstElementChild;
    return ([r, g, b]) => material.setAttribute('base-color', 'rgb(' + 255 * r + ' ' + 255 * g + ' ' + 255 * b + ')');
  }`,
  'model-viewer': `async (size) => {
    await import('/model-viewer/model-viewer.min.js');
    const element = document.createElement('model-viewer');
    element.style.cssText = 'display: block; width: ' + size + 'px; height: ' + size + 'px';
    element.loading = 'eager';
    element.src = '/site/sample.glb';
    const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
    document.body.append(element);
    await loaded;
    const { pbrMetallicRoughness } = element.model.materials.find(({ name }) => name === 'Fur');
    return (color) => pbrMetallicRoughness.setBaseColorFactor(color);
  }`,
  three: `async (size) => {
    const THREE = await import('three');
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    renderer.setSize(size, size);
    document.body.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8d8d8d, 3));
    const camera = new THREE.PerspectiveCamera(45, 1, 0.01, 100);
    camera.position.set(0, 1, 4);
    const gltf = await new GLTFLoader().loadAsync('/site/sample.glb');
    scene.add(gltf.scene);
    let material;
    gltf.scene.traverse((object) => { if (object.material?.name === 'Fur') material = object.material; });
    renderer.render(scene, camera);
    let waits = false;
    // A frame for each change, as a page does that draws on demand.
    return ([r, g, b]) => {
      material.color.setRGB(r, g, b);
      if (!waits) requestAnimationFrame(() => { waits = false; renderer.render(scene, camera); });
      waits = true;
    };
  }`,
};

/** Milliseconds from each of `CHANGES` changes to the next draw call. */
const colour = (player) => `(async () => {
  const set = await (${PLAYERS[player]})(512);
  let drawn = 0;
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) { drawn ||= performance.now(); draw.apply(this, args); };
  }
  const times = [];
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (let i = 0; i < ${CHANGES}; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    drawn = 0;
    const begin = performance.now();
    set([i / ${CHANGES}, 0.5, 0.5, 1]);
    while (!drawn && performance.now() < begin + 2000) await new Promise(requestAnimationFrame);
    if (drawn) times.push(drawn - begin);
  }
  return times;
})()`;

/** 1,000 changes by each way, in milliseconds, many times. */
const THOUSAND = `(async () => {
  const { createViewer } = await import('/gambol/index.js');
  const canvas = document.body.appendChild(document.createElement('canvas'));
  const out = {};
  const of = async (file, changes) => {
    const viewer = await createViewer(canvas, { renderer: 'shared' });
    await viewer.load(file);
    for (const [way, change] of Object.entries(await changes(viewer))) {
      const times = [];
      for (let round = 0; round < 60; round++) {
        const begin = performance.now();
        for (let i = 0; i < 1000; i++) change(i);
        times.push(performance.now() - begin);
        if (round % 5 === 0) await new Promise(requestAnimationFrame);
      }
      out[way] = times.slice(20);
    }
    viewer.dispose();
  };
  const color = [0.1, 0.2, 0.3, 1];
  const css = Array.from({ length: 100 }, (_, i) => 'rgb(' + i + ' ' + 2 * i + ' 30)');
  await of('/site/sample.glb', async (viewer) => {
    const material = viewer.material('Fur');
    await material.set({ baseColor: 'red' });
    return {
      numbers: (i) => { color[0] = i / 1000; material.set({ baseColor: color }); },
      css: (i) => material.set({ baseColor: css[i % 100] }),
    };
  });
  await of('/many.glb', async (viewer) => {
    const materials = Array.from({ length: 100 }, (_, i) => viewer.material('Many' + i));
    for (const material of materials) await material.set({ baseColor: 'red' });
    return { many: (i) => { color[0] = i / 1000; materials[i % 100].set({ baseColor: color }); } };
  });
  return out;
})()`;

/** The growth of memory by 100 textures, after 20. */
const SWAPS = `(async () => {
  const { createViewer } = await import('/gambol/index.js');
  const canvas = document.body.appendChild(document.createElement('canvas'));
  const viewer = await createViewer(canvas);
  await viewer.load('/site/sample.glb');
  const material = viewer.material('Fur');
  const swap = async (i) => {
    const source = new OffscreenCanvas(256, 256);
    const context = source.getContext('2d');
    context.fillStyle = 'rgb(' + i + ' 0 0)';
    context.fillRect(0, 0, 256, 256);
    await material.set({ baseColorTexture: source });
    await new Promise(requestAnimationFrame);
  };
  const memory = () => {
    gc();
    const objects = Object.values(viewer.liveObjects()).reduce((sum, count) => sum + count, 0);
    return { gl_objects: objects, wasm_bytes: viewer.stats.memoryBytes, heap_bytes: performance.memory.usedJSHeapSize };
  };
  for (let i = 0; i < 20; i++) await swap(i);
  const before = memory();
  for (let i = 20; i < 120; i++) await swap(i);
  const after = memory();
  return Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
})()`;

/** Shows 12 viewers whose colours change in each frame, and counts the frames. */
const twelve = (player) => `(async () => {
  document.body.style.cssText = 'margin: 0; display: flex; flex-wrap: wrap';
  const sets = [];
  for (let i = 0; i < 12; i++) sets.push(await (${PLAYERS[player]})(160));
  globalThis.frameCount = 0;
  const step = () => {
    const at = (frameCount++ % 100) / 100;
    for (const set of sets) set([at, 0.5, 0.5, 1]);
    requestAnimationFrame(step);
  };
  step();
})()`;

/** Copies the sample with 100 materials more, each with a primitive. */
function withMaterials(glb) {
  const end = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, end));
  const [primitive] = json.meshes[0].primitives;
  for (let i = 0; i < 100; i++) {
    const material = json.materials.push({ name: `Many${i}`, pbrMetallicRoughness: {} }) - 1;
    json.meshes[0].primitives.push({ ...primitive, material });
  }
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + padded.length + glb.length - end, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(end)]);
}

async function bytesOf(path) {
  if (path === '/index.html') return PAGE;
  if (path === '/many.glb') return withMaterials(await readFile(join(root, 'dist/site/sample.glb')));
  const folder = Object.keys(FOLDERS).find((prefix) => path.startsWith(prefix));
  if (!folder) return undefined;
  return readFile(join(root, FOLDERS[folder], path.slice(folder.length))).catch(() => undefined);
}

const server = await serve(bytesOf);
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--enable-precise-memory-info',
    '--js-flags=--expose-gc',
  ],
});

/** Runs `use` with a page of its own. */
async function opened(use) {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.log(String(error)));
    await page.goto(server.origin);
    return await use(page, context);
  } finally {
    await context.close();
  }
}

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const print = (name, value, unit) => console.log(JSON.stringify({ name: `materials.${name}`, value, unit }));

/** CPU milliseconds of the main thread per frame: of scripts, and of all tasks. */
const perFrame = (player) =>
  opened(async (page, context) => {
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const now = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name) => 1000 * metrics.find((metric) => metric.name === name).value;
      return [await page.evaluate('frameCount'), of('ScriptDuration'), of('TaskDuration')];
    };
    await page.evaluate(twelve(player));
    await page.waitForTimeout(1000);
    const before = await now();
    await page.waitForTimeout(1000 * SECONDS);
    const [frames, script, all] = (await now()).map((value, i) => value - before[i]);
    return { script: script / frames, all: all / frames };
  });

try {
  const [times, costs] = [new Map(), new Map()];
  for (let round = 0; round < ROUNDS; round++) {
    for (const player of Object.keys(PLAYERS)) {
      const list = await opened((page) => page.evaluate(colour(player)));
      times.set(player, [...(times.get(player) ?? []), ...list]);
      if (player === 'three' || round >= 3) continue;
      costs.set(player, [...(costs.get(player) ?? []), await perFrame(player)]);
    }
  }
  for (const [player, list] of times) print(`${player}.colour_ms`, median(list), 'ms');
  for (const [player, list] of costs) {
    print(`${player}.twelve.script_ms`, median(list.map(({ script }) => script)), 'ms');
    print(`${player}.twelve.all_ms`, median(list.map(({ all }) => all)), 'ms');
  }
  const thousand = await opened((page) => page.evaluate(THOUSAND));
  for (const [way, list] of Object.entries(thousand)) print(`gambol.thousand.${way}_ms`, median(list), 'ms');
  const swaps = await opened((page) => page.evaluate(SWAPS));
  for (const [what, growth] of Object.entries(swaps)) print(`gambol.swaps.${what}`, growth, '');
} finally {
  await browser.close();
  await server.stop();
}
