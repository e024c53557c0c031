// The budget: the bytes of scripts and WebAssembly that a browser fetches for a page: those that it asks for until the first frame,
// until the model is loaded, and within 10 s after that and the rest of the page's script. The server compresses by brotli at its highest level. Models are not counted.
// Prints one JSON object per figure.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from './http.mjs';
import { launchChromium } from './drivers/chromium.ts';

const { values } = parseArgs({ options: { chromium: { type: 'string' } } });
if (!values.chromium) throw new Error('usage: budget --chromium=PROGRAM');

const root = process.cwd();
const packageFolder = join(root, 'dist/gambol/dist');

/** The time after the load, and after the rest of a page's script, in which requests count, in milliseconds. */
const AFTER = 10_000;

const element = (model: string): string => `
  <script type="module" src="/gambol/element.js"></script>
  <gambol-viewer src="${model}" autoplay loading="eager" style="width: 640px; height: 480px"></gambol-viewer>
  <script>
    const element = document.querySelector('gambol-viewer');
    element.addEventListener('firstframe', () => performance.mark('first-frame'));
    element.addEventListener('load', () => {
      performance.mark('load');
      performance.mark('end');
    });
  </script>`;

const script = (then: string): string => `
  <canvas style="width: 640px; height: 480px"></canvas>
  <script type="module">
    import { createViewer } from '/gambol/index.js';
    const viewer = await createViewer(document.querySelector('canvas'));
    viewer.addEventListener('firstframe', () => performance.mark('first-frame'));
    await viewer.load('/plain.glb');
    performance.mark('load');
    ${then}
    performance.mark('end');
  </script>`;

/** The pages, as a beginner writes them. */
const PAGES: Readonly<Record<string, string>> = {
  plain: element('/plain.glb'),
  materials: element('/materials.glb'),
  api: script(`
    viewer.play('Walk');
    setTimeout(() => viewer.play('Run', { transition: 'crossfade', transitionDuration: 0.3 }), 500);`),
  mixing: script(`
    viewer.play('Walk');
    viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0.2 });
    viewer.layers.add('Idle', { mode: 'additive', reference: 'first', weight: 0.4 });
    viewer.joint('Head').lookAt([0, 1.6, 4], { limit: 1 });
    viewer.joint('HandR').ik([0.4, 1.1, 0.3], { pole: [0, 0, -1] });`),
  colours: script(`
    await viewer.material('Fur').set({ baseColor: 'tomato' });`),
  crowd: script(`
    const positions = Array.from({ length: 100 }, (_, i) => [i % 10, 0, Math.floor(i / 10)]).flat();
    await viewer.addCrowd('/plain.glb', { count: 100, positions, clips: 'Walk' });`),
};

/** Untyped JSON. */
type Json = Record<string, any>;

/** The sample character with extensions of materials, a transform of its textures, a light and a camera. */
function withMaterials(glb: Buffer): Buffer {
  const end = 20 + glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, end).toString()) as Json;
  for (const material of json.materials as Json[]) {
    material.extensions = {
      ...(material.extensions as Json),
      KHR_materials_clearcoat: { clearcoatFactor: 0.5 },
      KHR_materials_specular: { specularFactor: 0.8 },
      KHR_materials_sheen: { sheenColorFactor: [0.1, 0.1, 0.1] },
    };
    const texture = material.pbrMetallicRoughness?.baseColorTexture as Json | undefined;
    if (texture) texture.extensions = { KHR_texture_transform: { offset: [0, 0.5] } };
  }
  json.cameras = [{ type: 'perspective', perspective: { yfov: 0.7, znear: 0.1 } }];
  json.extensions = {
    ...(json.extensions as Json),
    KHR_lights_punctual: { lights: [{ type: 'point', intensity: 10 }] },
  };
  json.nodes.push(
    { name: 'Camera', camera: 0, translation: [0, 1, 4] },
    { name: 'Light', translation: [1, 2, 2], extensions: { KHR_lights_punctual: { light: 0 } } },
  );
  json.scenes[json.scene ?? 0].nodes.push(json.nodes.length - 2, json.nodes.length - 1);
  const used = [
    'KHR_materials_clearcoat',
    'KHR_materials_specular',
    'KHR_materials_sheen',
    'KHR_texture_transform',
    'KHR_lights_punctual',
  ];
  json.extensionsUsed = [...new Set([...((json.extensionsUsed ?? []) as string[]), ...used])];
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + text.length + glb.length - end, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text, glb.subarray(end)]);
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  const name = path.slice(1);
  const page = PAGES[name.replace(/\.html$/, '')];
  if (page !== undefined)
    return Buffer.from(
      `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,"><body>${page}`,
    );
  const sample = join(root, 'dist/site/sample.glb');
  if (name === 'plain.glb') return readFile(sample);
  if (name === 'materials.glb') return withMaterials(await readFile(sample));
  const file = join(packageFolder, name.replace(/^gambol\//, ''));
  return existsSync(file) ? readFile(file) : undefined;
}

/** The path and the time of each request for a script or a module, in milliseconds since the navigation. */
type Requests = readonly (readonly [path: string, time: number])[];

/** Opens a page with an empty cache, and waits until `AFTER` milliseconds after the end of its script. */
async function open(name: string): Promise<{ firstFrame: number; load: number; requests: Requests }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  const failed = (error: unknown): never => {
    throw new Error([`the page ${name} does not load its model`, String(error), ...troubles].join('\n'));
  };
  await page.goto(`${server.origin}/${name}.html`);
  const marked = async (mark: string): Promise<number> => {
    const seen = await page
      .waitForFunction((name) => performance.getEntriesByName(name)[0]?.startTime, mark, { timeout: 60_000 })
      .catch(failed);
    return (await seen.jsonValue()) as number;
  };
  const [firstFrame, load] = [await marked('first-frame'), await marked('load')];
  await marked('end');
  await page.waitForTimeout(AFTER);
  if (troubles.length > 0) failed('errors of the page:');
  const requests = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name, startTime }) => [new URL(name).pathname, startTime] as const)
      .filter(([path]) => /\.(js|wasm)$/.test(path)),
  );
  await context.close();
  return { firstFrame, load, requests };
}

const server = await serve(bytesOf, { compressed: true });
const browser = await launchChromium(values.chromium);
try {
  // All at once, since each waits.
  const names = Object.keys(PAGES);
  const opened = await Promise.all(names.map(async (name) => ({ name, ...(await open(name)) })));
  const sizes = new Map(server.sent.map(({ path, bytes }) => [path, bytes]));
  for (const { name, firstFrame, load, requests } of opened) {
    const until = (end: number): number =>
      requests.filter(([, time]) => time <= end).reduce((sum, [path]) => sum + (sizes.get(path) ?? 0), 0);
    const figures = { 'first-frame': firstFrame, load, all: Infinity };
    for (const [what, end] of Object.entries(figures))
      console.log(JSON.stringify({ name: `${name}.${what}`, value: until(end), unit: 'B' }));
  }
} finally {
  await browser.close();
  await server.stop();
}
