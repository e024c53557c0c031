// Images of all kinds that a texture may have: each shows its four colours.

import { createViewer, init, type Viewer } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { AVIF, WEBP_ALPHA, WEBP_LOSSLESS, WEBP_LOSSY } from '../support/images.ts';
import { UASTC, vulkan } from '../support/ktx2.ts';
import { Scene, through, seen, type Rgb } from '../support/scene.ts';

const COLOURS: readonly (readonly [x: number, y: number, colour: Rgb])[] = [
  [-0.5, 0.5, [255, 0, 0]], [0.5, 0.5, [0, 0, 255]], [-0.5, -0.5, [0, 255, 0]], [0.5, -0.5, [255, 255, 255]],
];

/** An unlit square with an image, by an extension or without one, and perhaps a plain image besides. */
function textured(image: Uint8Array, mimeType: string, extension?: string, plain?: Uint8Array): Scene {
  const scene = new Scene();
  const uri = (bytes: Uint8Array, type: string): string => `data:${type};base64,${btoa(String.fromCharCode(...bytes))}`;
  const source = scene.add('images', { uri: uri(image, mimeType) });
  const fallback = plain ? { source: scene.add('images', { uri: uri(plain, 'image/png') }) } : {};
  if (extension) scene.use(extension);
  const index = scene.add('textures', extension ? { ...fallback, extensions: { [extension]: { source } } } : { source });
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], { index })) });
  return scene;
}

async function showsColours(t: T, viewer: Viewer, tolerance: number): Promise<void> {
  const now = await seen(t, viewer);
  for (const [x, y, colour] of COLOURS) t.close(now.at(x, y), colour, tolerance, `at ${x}, ${y}`);
}

for (const [name, bytes] of [['lossless', WEBP_LOSSLESS], ['lossy', WEBP_LOSSY], ['lossy with alpha', WEBP_ALPHA]] as const) {
  test(`a WebP image shows its colours: ${name}`, async (t) => {
    await showsColours(t, await through(t, textured(bytes, 'image/webp', 'EXT_texture_webp')), 4);
  });
}

test('an AVIF image shows its colours', async (t) => {
  const known = await createImageBitmap(new Blob([AVIF], { type: 'image/avif' })).then(() => true, () => false);
  if (!known) t.skip('this browser does not decode AVIF');
  await showsColours(t, await through(t, textured(AVIF, 'image/avif', 'EXT_texture_avif')), 4);
});

/** The four colours as PNG, for what falls back. */
async function plain(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(16, 16);
  const context = canvas.getContext('2d');
  COLOURS.forEach(([x, y, colour]) => {
    if (context) context.fillStyle = `rgb(${colour.join()})`;
    context?.fillRect(x > 0 ? 8 : 0, y > 0 ? 0 : 8, 8, 8);
  });
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

test('a KTX2 image without Basis Universal is a warning that says so, and its plain image is shown', async (t) => {
  for (const format of [37, 43] as const) {
    const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
    await viewer.load(textured(vulkan(format), 'image/ktx2', 'KHR_texture_basisu', await plain()).file());
    t.equal(viewer.warnings.map(({ code, pointer }) => [code, pointer]), [['image/unsupported', '/images/0']]);
    t.ok(viewer.warnings[0]?.message.includes(`format ${format}`), viewer.warnings[0]?.message);
    viewer.activeCamera = 0;
    await showsColours(t, viewer, 1);
    viewer.dispose();
  }
  const paths = (await t.requests()).map(({ path }) => path);
  t.ok(!paths.some((path) => path.endsWith('/basis.wasm')), 'no transcoder is asked for it');
});

test('the page says where the modules lie', async (t) => {
  const wasm = await (await fetch('/gambol/dist/gambol.wasm')).arrayBuffer();
  const more = '/gambol/dist/gambol.more.wasm?elsewhere';
  await init({ wasm, more, basis: '/gambol/dist/basis.wasm?elsewhere', draco: await fetch('/gambol/dist/draco.wasm?elsewhere') });
  const viewer = await through(t, textured(UASTC, 'image/ktx2', 'KHR_texture_basisu'));
  await showsColours(t, viewer, 16);
  const response = await fetch('/shared/assets/variants/Fox_draco.glb');
  if (response.ok) await viewer.load(await response.blob());
  const modules = (await t.requests()).map(({ path }) => path.replace(/^.*\//, '')).filter((name) => name.includes('.wasm'));
  t.equal(modules.sort(), ['basis.wasm?elsewhere', 'draco.wasm?elsewhere', 'gambol.more.wasm?elsewhere', 'gambol.wasm']);
});

test('a module can be handed over compiled', async (t) => {
  const basis = await WebAssembly.compile(await (await fetch('/gambol/dist/basis.wasm')).arrayBuffer());
  await init({ basis });
  await showsColours(t, await through(t, textured(UASTC, 'image/ktx2', 'KHR_texture_basisu')), 16);
});
