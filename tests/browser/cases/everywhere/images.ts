// Images of all formats that a texture may have: each shows its four colours.

import { createViewer, init, use, type GambolError, type Viewer, type ViewerOptions } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { details, placed } from '../support/element.ts';
import { jpegWith, pngWith, webpWith } from '../support/exif.ts';
import { AVIF, WEBP_ALPHA, WEBP_LOSSLESS, WEBP_LOSSY } from '../support/images.ts';
import { UASTC, vulkan } from '../support/ktx2.ts';
import { Scene, SIZE, through, seen, type Rgb } from '../support/scene.ts';

const COLOURS: readonly (readonly [x: number, y: number, colour: Rgb])[] = [
  [-0.5, 0.5, [255, 0, 0]],
  [0.5, 0.5, [0, 0, 255]],
  [-0.5, -0.5, [0, 255, 0]],
  [0.5, -0.5, [255, 255, 255]],
];

/** An unlit square with an image, by an extension or without one, and optionally a plain fallback image. */
function textured(image: Uint8Array, mimeType: string, extension?: string, plain?: Uint8Array): Scene {
  const scene = new Scene();
  const uri = (bytes: Uint8Array, type: string): string => `data:${type};base64,${btoa(String.fromCharCode(...bytes))}`;
  const source = scene.add('images', { uri: uri(image, mimeType) });
  const fallback = plain ? { source: scene.add('images', { uri: uri(plain, 'image/png') }) } : {};
  if (extension) scene.use(extension);
  const index = scene.add(
    'textures',
    extension ? { ...fallback, extensions: { [extension]: { source } } } : { source },
  );
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], { index })) });
  return scene;
}

async function showsColours(t: T, viewer: Viewer, tolerance: number): Promise<void> {
  const now = await seen(t, viewer);
  for (const [x, y, colour] of COLOURS) t.close(now.at(x, y), colour, tolerance, `at ${x}, ${y}`);
}

for (const [name, bytes] of [
  ['lossless', WEBP_LOSSLESS],
  ['lossy', WEBP_LOSSY],
  ['lossy with alpha', WEBP_ALPHA],
] as const) {
  test(`images: WebP shows its colours: ${name}`, async (t) => {
    await showsColours(t, await through(t, textured(bytes, 'image/webp', 'EXT_texture_webp')), 4);
  });
}

test('images: AVIF shows its colours', async (t) => {
  const known = await createImageBitmap(new Blob([AVIF], { type: 'image/avif' })).then(
    () => true,
    () => false,
  );
  if (!known) t.skip('this browser does not decode AVIF');
  await showsColours(t, await through(t, textured(AVIF, 'image/avif', 'EXT_texture_avif')), 4);
});

/** The four colours, by default as PNG. */
async function plain(type = 'image/png', width = 16, height = 16): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  const [w, h] = [width / 2, height / 2];
  COLOURS.forEach(([x, y, colour]) => {
    if (context) context.fillStyle = `rgb(${colour.join()})`;
    context?.fillRect(x > 0 ? w : 0, y > 0 ? 0 : h, w, h);
  });
  return new Uint8Array(await (await canvas.convertToBlob({ type, quality: 1 })).arrayBuffer());
}

for (const renderer of ['own', 'worker'] as const) {
  test(`images: a GLB is shown whole if the page transfers its bytes while they are parsed: ${renderer}`, async (t) => {
    const scene = new Scene();
    const source = scene.add('images', { bufferView: scene.view(await plain()), mimeType: 'image/png' });
    const texture = { index: scene.add('textures', { source }) };
    scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], texture)) });
    const glb = scene.glb();
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, renderer });
    await viewer.load(glb, {
      onProgress: ({ phase }) => {
        if (phase === 'parse' && glb.length > 0) structuredClone(glb.buffer, { transfer: [glb.buffer] });
      },
    });
    t.equal([glb.length, viewer.warnings], [0, []]);
    viewer.activeCamera = 0;
    await showsColours(t, viewer, 4);
  });
}

/** Shows a texture with each orientation of Exif; `make` adds the metadata. */
async function showsUpright(
  t: T,
  mimeType: string,
  make: (orientation: number) => Uint8Array,
  options: ViewerOptions = {},
): Promise<void> {
  const extension = mimeType === 'image/webp' ? 'EXT_texture_webp' : undefined;
  const viewer = await through(t, textured(make(1), mimeType, extension), options);
  for (let orientation = 1; orientation <= 8; orientation++) {
    await viewer.load(textured(make(orientation), mimeType, extension).file());
    t.equal(viewer.warnings, [], `orientation ${orientation}`);
    viewer.activeCamera = 0;
    const now = await seen(t, viewer);
    for (const [x, y, colour] of COLOURS) t.close(now.at(x, y), colour, 8, `orientation ${orientation} at ${x}, ${y}`);
  }
}

test('images: an orientation in the metadata of a JPEG has no effect, as glTF knows none', async (t) => {
  const image = await plain('image/jpeg', 64, 32);
  await showsUpright(t, 'image/jpeg', (orientation) => jpegWith(image, orientation));
  // After a comment with fill bytes, and twice.
  const comment = Uint8Array.of(0xff, 0xff, 0xfe, 0, 4, 0xff, 0xe1);
  await showsUpright(t, 'image/jpeg', (orientation) => jpegWith(jpegWith(image, orientation), orientation, comment));
});

test('images: an orientation in the metadata of a PNG has no effect, as glTF knows none', async (t) => {
  const image = await plain('image/png', 64, 32);
  for (const where of ['begin', 'end'] as const)
    await showsUpright(t, 'image/png', (orientation) => pngWith(image, orientation, where));
});

test('images: an orientation in the metadata of a WebP has no effect, as glTF knows none', async (t) => {
  await showsUpright(t, 'image/webp', (orientation) => webpWith(WEBP_LOSSLESS, orientation, 16, 16));
  await showsUpright(t, 'image/webp', (orientation) => webpWith(WEBP_LOSSY, orientation, 16, 16));
});

test('images: an orientation in the metadata has no effect in a worker', async (t) => {
  const [jpeg, png] = await Promise.all([plain('image/jpeg', 64, 32), plain('image/png', 64, 32)]);
  await showsUpright(t, 'image/jpeg', (orientation) => jpegWith(jpeg, orientation), { renderer: 'worker' });
  await showsUpright(t, 'image/png', (orientation) => pngWith(png, orientation, 'begin'), { renderer: 'worker' });
});

test('KTX2: an image without Basis Universal is a warning, and its fallback image is shown', async (t) => {
  for (const format of [37, 43] as const) {
    const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
    await viewer.load(textured(vulkan(format), 'image/ktx2', 'KHR_texture_basisu', await plain()).file());
    t.equal(
      viewer.warnings.map(({ code, pointer }) => [code, pointer]),
      [['image/unsupported', '/images/0']],
    );
    t.ok(viewer.warnings[0]?.message.includes(`format ${format}`), viewer.warnings[0]?.message);
    viewer.activeCamera = 0;
    await showsColours(t, viewer, 1);
    viewer.dispose();
  }
  const paths = (await t.requests()).map(({ path }) => path);
  t.ok(!paths.some((path) => path.endsWith('/basis.wasm')), 'no transcoder is asked for it');
});

test(
  'init: sets the URLs of all modules',
  async (t) => {
    const wasm = await (await fetch('/gambol/dist/gambol.wasm')).arrayBuffer();
    const features = { body: '/gambol/dist/gambol.body.wasm?elsewhere' };
    await init({
      wasm,
      features,
      basis: '/gambol/dist/basis.wasm?elsewhere',
      draco: await fetch('/gambol/dist/draco.wasm?elsewhere'),
    });
    const viewer = await through(t, textured(UASTC, 'image/ktx2', 'KHR_texture_basisu'));
    await showsColours(t, viewer, 16);
    const response = await fetch('/shared/assets/variants/Fox_draco.glb');
    if (response.ok) await viewer.load(await response.blob());
    await viewer.use('body', 'states');
    const modules = (await t.requests())
      .map(({ path }) => path.replace(/^.*\//, ''))
      .filter((name) => name.includes('.wasm'));
    t.equal(modules.sort(), [
      'basis.wasm?elsewhere',
      'draco.wasm?elsewhere',
      'gambol.body.wasm?elsewhere',
      ...(response.ok ? ['gambol.decoding.wasm'] : []),
      'gambol.humanoid.wasm',
      'gambol.states.wasm',
      'gambol.wasm',
    ]);
  },
  { fresh: 'it observes which modules are loaded' },
);

test(
  'init: sets the folder of all features',
  async (t) => {
    await init({ features: new URL('/gambol/dist', location.href) });
    await use('states', 'light');
    const modules = (await t.requests()).map(({ path }) => path).filter((path) => path.endsWith('.wasm'));
    t.equal(
      modules.sort(),
      ['light.', 'states.', ''].map((name) => `/gambol/dist/gambol.${name}wasm`),
    );
    await init({ features: '/nowhere/' });
    t.expectTrouble(/404|Failed to load/);
    const error = (await t.throws(() => use('picking'), 'load/chunk')) as GambolError;
    t.ok(error.message.includes('/nowhere/gambol.picking.wasm'), error.message);
  },
  { fresh: 'it observes which modules are loaded' },
);

test('init: accepts a compiled decoder', async (t) => {
  const basis = await WebAssembly.compile(await (await fetch('/gambol/dist/basis.wasm')).arrayBuffer());
  await init({ basis });
  await showsColours(t, await through(t, textured(UASTC, 'image/ktx2', 'KHR_texture_basisu')), 16);
});

/**
 * A scene of `count` squares side by side, each with its own image of `side` × `side` pixels; returns their colours.
 */
async function manyImages(count: number, side: number): Promise<{ scene: Scene; colours: Rgb[] }> {
  const scene = new Scene();
  const colours: Rgb[] = [];
  for (let i = 0; i < count; i++) {
    const colour: Rgb = [20 * i, 255 - 20 * i, (i * 97) % 256];
    colours.push(colour);
    const canvas = new OffscreenCanvas(side, side);
    const context = t2d(canvas);
    context.fillStyle = `rgb(${colour.join()})`;
    context.fillRect(0, 0, side, side);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    const source = scene.add('images', {
      uri: `data:image/png;base64,${btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''))}`,
    });
    const index = scene.add('textures', { source });
    scene.node({
      mesh: scene.square(scene.unlit([1, 1, 1], { index })),
      translation: [(2 * i + 1) / count - 1, 0, 0],
      scale: [1 / count, 1, 1],
    });
  }
  return { scene, colours };
}

function t2d(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  return canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
}

/** Counts bitmaps that are created and not closed; returns the maximum at any time. */
function countBitmaps(): () => number {
  const make = globalThis.createImageBitmap;
  const { close } = ImageBitmap.prototype;
  const alive = new Set<ImageBitmap>();
  let [begun, most] = [0, 0];
  globalThis.createImageBitmap = (async (...args: unknown[]) => {
    begun += 1;
    most = Math.max(most, begun + alive.size);
    try {
      const bitmap = await (make as (...args: unknown[]) => Promise<ImageBitmap>)(...args);
      alive.add(bitmap);
      return bitmap;
    } finally {
      begun -= 1;
    }
  }) as typeof createImageBitmap;
  ImageBitmap.prototype.close = function () {
    alive.delete(this);
    close.call(this);
  };
  return () => most;
}

/** The sizes of allocated textures. */
function textureSizes(): number[] {
  const sizes: number[] = [];
  const { prototype } = WebGL2RenderingContext;
  for (const name of ['texStorage2D', 'texImage2D'] as const) {
    const original = prototype[name] as (...args: unknown[]) => void;
    prototype[name] = function (this: WebGL2RenderingContext, ...args: unknown[]) {
      if (args.length > 4) sizes.push(Math.max(args[3] as number, args[4] as number));
      original.apply(this, args);
    } as never;
  }
  return sizes;
}

for (const renderer of ['own', 'worker'] as const) {
  test(`texture budget: images are reduced with a warning, and decoded a few at a time: ${renderer}`, async (t) => {
    const { scene, colours } = await manyImages(12, 512);
    const viewer = await createViewer(t.canvas(96, 96), {
      maxDpr: 1,
      background: [0, 0, 0, 1],
      renderer,
      textureBudget: 5 << 20,
    });
    await viewer.setEnvironment(null);
    const [bitmaps, sizes] = [countBitmaps(), textureSizes()];
    await viewer.load(scene.file());
    t.equal(
      viewer.warnings.map(({ code }) => code),
      Array(12).fill('image/downscaled'),
    );
    t.equal(viewer.warnings.map(({ pointer }) => pointer).sort(), colours.map((_, i) => `/images/${i}`).sort());
    t.ok(
      viewer.warnings.every(
        ({ message }) =>
          message.includes('512 × 512') && message.includes('256 × 256') && message.includes('textureBudget'),
      ),
      viewer.warnings[0]?.message,
    );
    if (renderer === 'own') t.ok(bitmaps() <= 4, `${bitmaps()} bitmaps at a time`);
    if (renderer === 'own')
      t.ok(Math.max(...sizes.filter((size) => size > 200 && size !== 1024)) <= 256, `textures of ${sizes.join()}`);
    viewer.activeCamera = 0;
    const { data, width } = await t.pixels(await createImageBitmap(await viewer.toBlob()));
    colours.forEach((colour, i) => {
      const at = 4 * (48 * width + 8 * i + 4);
      t.close([...data.slice(at, at + 3)], colour, 2, `square ${i}`);
    });
  });
}

test('texture budget: that of a load overrides that of the viewer, and images that fit are unchanged', async (t) => {
  const { scene } = await manyImages(3, 256);
  const viewer = await createViewer(t.canvas(32, 32), { maxDpr: 1, textureBudget: 1000 });
  await viewer.load(scene.file(), { textureBudget: Infinity });
  t.equal(viewer.warnings, []);
  await viewer.load(scene.file());
  t.equal(
    viewer.warnings.map(({ code }) => code),
    Array(3).fill('image/downscaled'),
  );
  await t.throws(() => viewer.load(scene.file(), { textureBudget: 0 }), 'argument/invalid');
  await t.throws(() => createViewer(t.canvas(8, 8), { textureBudget: NaN }), 'argument/invalid');
});

test('texture budget: the largest mipmap levels of KTX2 images are skipped', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, background: [0, 0, 0, 1] });
  await viewer.load(textured(UASTC, 'image/ktx2', 'KHR_texture_basisu').file(), { textureBudget: 100 });
  t.equal(
    viewer.warnings.map(({ code, pointer }) => [code, pointer]),
    [['image/downscaled', '/images/0']],
  );
  t.ok(viewer.warnings[0]?.message.includes('16 × 16'), viewer.warnings[0]?.message);
  viewer.activeCamera = 0;
  await showsColours(t, viewer, 8);
});

test('texture budget: the attribute is in MiB', async (t) => {
  const { scene } = await manyImages(2, 256);
  const src = URL.createObjectURL(scene.file());
  const element = placed({ src, 'environment-image': 'none', 'texture-budget': '0.1' });
  const warnings = details<{ code: string }>(element, 'warning');
  await t.until(() => element.modelIsVisible, 'the model');
  t.equal([element.textureBudget, warnings.map(({ code }) => code)], [0.1, ['image/downscaled', 'image/downscaled']]);
  for (const wrong of ['', '0', 'much']) {
    element.setAttribute('texture-budget', wrong);
    t.equal(element.textureBudget, null, wrong);
  }
});
