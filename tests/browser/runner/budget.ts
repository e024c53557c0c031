// The budget: the bytes of scripts and WebAssembly that a browser fetches until the first frame, for three pages. The
// server compresses by brotli at its highest level. Models are not counted. Prints one JSON object per line.

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

const element = (model: string): string => `
  <script type="module" src="/gambol/element.js"></script>
  <gambol-viewer src="${model}" autoplay loading="eager" style="width: 640px; height: 480px"></gambol-viewer>
  <script>document.querySelector('gambol-viewer').addEventListener('firstframe', () => performance.mark('first-frame'));</script>`;

/** The pages, as a beginner writes them. */
const PAGES: Readonly<Record<string, string>> = {
  plain: element('/plain.glb'),
  materials: element('/materials.glb'),
  api: `
  <canvas style="width: 640px; height: 480px"></canvas>
  <script type="module">
    import { createViewer } from '/gambol/index.js';
    const viewer = await createViewer(document.querySelector('canvas'));
    viewer.addEventListener('firstframe', () => performance.mark('first-frame'));
    await viewer.load('/plain.glb');
    viewer.play();
  </script>`,
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

const server = await serve(bytesOf, { compressed: true });
const browser = await launchChromium(values.chromium);
try {
  for (const name of Object.keys(PAGES)) {
    server.forget();
    const context = await browser.newContext();
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    await page.goto(`${server.origin}/${name}.html`);
    const seen = await page
      .waitForFunction(() => performance.getEntriesByName('first-frame')[0]?.startTime, undefined, { timeout: 60_000 })
      .catch((error: unknown) => {
        throw new Error([`the page ${name} shows nothing`, String(error), ...troubles].join('\n'));
      });
    const time = (await seen.jsonValue()) as number;
    // The requests before the first frame; later ones do not delay it.
    const asked = new Set(
      await page.evaluate(
        (end) =>
          performance
            .getEntriesByType('resource')
            .filter(({ startTime }) => startTime <= end)
            .map(({ name }) => new URL(name).pathname),
        time,
      ),
    );
    const before = server.sent.filter(({ path }) => asked.has(path) && /\.(js|wasm)$/.test(path));
    console.log(
      JSON.stringify({
        name,
        unit: 'B',
        value: before.reduce((sum, { bytes }) => sum + bytes, 0),
        files: before.map(({ path, bytes }) => `${path.split('/').at(-1)} ${bytes}`),
      }),
    );
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
