// Environments from the formats that browsers decode: JPEG, PNG, WebP and AVIF as linear light, and Ultra HDR.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, longTests, test, type T } from '../../page/api.ts';
import { heard, shown } from '../support/element.ts';
import { EXR_B44, EXR_DEPTH, EXR_PIZ, EXR_TILED, lightAt } from '../support/exr.ts';
import { AVIF, WEBP_LOSSLESS } from '../support/images.ts';
import { decoded, encoded } from '../support/light.ts';
import { six, sixAt } from '../support/panorama.ts';
import { Scene, seen, through, type Json, type Rgb } from '../support/scene.ts';
import { material, mesh, sphere } from '../support/shapes.ts';
import {
  NUMBERS,
  OTHER_NUMBERS,
  OTHER_WRITER,
  baseOf,
  ultraHdr,
  type GainNumbers,
  type Image,
} from '../support/ultra-hdr.ts';
import { picture } from '../support/watch.ts';
import { needsWorkers, remote } from '../support/workers.ts';

longTests(OTHERS);

/** An image of the browser, from colours in sRGB. */
async function painted(type: string, width: number, height: number, color: Image): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height);
  const data = new ImageData(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data.data.set([...color((x + 0.5) / width, (y + 0.5) / height).map(Math.round), 255], 4 * (y * width + x));
  canvas.getContext('2d')?.putImageData(data, 0, 0);
  const blob = await canvas.convertToBlob({ type, quality: 1 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** The direction at a place of a panorama. */
function direction(u: number, v: number): readonly [x: number, y: number, z: number] {
  const [theta, phi] = [v * Math.PI, (u - 0.5) * 2 * Math.PI];
  return [Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)];
}

const sixPainted: Image = (u, v) => sixAt(...direction(u, v)).map(encoded) as unknown as Rgb;

/** A metal sphere in front of the sky. */
function ball(): Scene {
  const scene = new Scene();
  scene.node({ mesh: mesh(scene, sphere(), material(scene, [1, 1, 1], 1, 0.2)), scale: [0.8, 0.8, 0.8] });
  return scene;
}

async function lit(viewer: Viewer, bytes: ArrayBuffer | Uint8Array): Promise<void> {
  viewer.toneMapping = 'none';
  viewer.skybox = true;
  await viewer.setEnvironment(bytes);
}

/** The light of the sky at a place of the middle row; the camera looks along −Z, a quarter from the left. */
async function skyAt(t: T, viewer: Viewer, u: number, exposure = 1): Promise<Rgb> {
  viewer.environmentRotation = (u - 0.25) * 2 * Math.PI;
  viewer.exposure = exposure;
  return (await seen(t, viewer)).at(0.95, 0.95).map((byte) => decoded(byte) / exposure) as unknown as Rgb;
}

for (const [type, tolerance] of [
  ['image/png', 1],
  ['image/webp', 8],
  ['image/jpeg', 4],
] as const) {
  for (const renderer of ['own', 'worker'] as const) {
    test(`panoramas: ${type} looks like the same light in Radiance, ${renderer}`, async (t) => {
      if (renderer === 'worker') await needsWorkers(t);
      const viewer = await through(t, ball(), { renderer });
      await lit(viewer, six());
      const expected = await picture(t, viewer);
      await viewer.setEnvironment(null);
      const bytes = await painted(type, 128, 64, sixPainted);
      // WebKit encodes PNG in place of what it does not encode.
      await lit(viewer, bytes);
      t.samePixels(await picture(t, viewer), expected, {
        channel: tolerance,
        outliers: type === 'image/png' ? 0 : 0.02,
      });
      t.equal(viewer.environment, bytes);
    });
  }
}

test('panoramas: other formats of the browser, without an address', async (t) => {
  const viewer = await through(t, ball());
  await lit(viewer, WEBP_LOSSLESS);
  t.close(await skyAt(t, viewer, 0.99), [0.5, 0.5, 0.5], 0.5);
  const known = await createImageBitmap(new Blob([AVIF], { type: 'image/avif' })).then(
    () => true,
    () => false,
  );
  if (known) await lit(viewer, AVIF);
  else await t.throws(() => viewer.setEnvironment(AVIF), 'image/broken');
});

test('panoramas: each value of 8 bits is the light of sRGB', async (t) => {
  const viewer = await through(t, ball());
  const colors: readonly Rgb[] = [
    [0, 1, 10],
    [11, 40, 90],
    [128, 188, 220],
    [250, 254, 255],
  ];
  await lit(viewer, await painted('image/png', 64, 32, (u) => colors[Math.floor(4 * u)] ?? [0, 0, 0]));
  for (const [i, color] of colors.entries()) {
    viewer.environmentRotation = ((i + 0.5) / 4 - 0.25) * 2 * Math.PI;
    viewer.exposure = 1;
    t.close((await seen(t, viewer)).at(0.95, 0.95), color, 1, `colour ${i}`);
  }
});

test('panoramas: the element lights and shows the model with one image', async (t) => {
  const url = URL.createObjectURL(new Blob([await painted('image/png', 64, 32, () => [200, 100, 50])]));
  t.after(() => URL.revokeObjectURL(url));
  const element = await shown(t, { 'environment-image': '', 'skybox-image': url, 'tone-mapping': 'none' });
  const viewer = t.some(element.viewer);
  await t.until(() => viewer.environment === url, 'the light');
  t.equal([viewer.skybox, viewer.skyboxImage], [true, null]);
  const changes = heard(element, 'environment-change');
  element.environmentImage = 'neutral';
  await t.until(() => changes.length === 1 && viewer.skyboxImage === url, 'the sky alone');
  t.equal(viewer.environment, 'studio');
});

/** The head of a PNG of a size. */
function pngHead(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  [0x89504e47, 0x0d0a1a0a, 13, 0x49484452, width, height].forEach((word, i) => view.setUint32(4 * i, word));
  return bytes;
}

test('panoramas: an invalid image is refused, and the current one stays', async (t) => {
  const viewer = await through(t, ball());
  await lit(viewer, six());
  const before = await picture(t, viewer);
  const good = await painted('image/png', 64, 32, sixPainted);
  const cases: readonly (readonly [code: string, bytes: Uint8Array])[] = [
    ['image/too-large', pngHead(16385, 1)],
    ['image/too-large', pngHead(16384, 16384)],
    ['image/too-large', pngHead(0, 4)],
    ['image/too-large', pngHead(0xffffffff, 0xffffffff)],
    ['image/broken', pngHead(64, 32)],
    ['image/broken', good.slice(0, 60)],
    ['image/unknown-format', new TextEncoder().encode('GIF89a and more')],
    ['image/unknown-format', new TextEncoder().encode('version https://git-lfs.github.com/spec/v1')],
    ['image/unknown-format', new Uint8Array()],
    ['image/unknown-format', good.slice(0, 20)],
  ];
  for (const [code, bytes] of cases) await t.throws(() => viewer.setEnvironment(bytes), code);
  await t.throws(() => viewer.setSkyboxImage(pngHead(64, 32)), 'image/broken');
  t.samePixels(await picture(t, viewer), before, { channel: 0 });
  t.equal(viewer.skyboxImage, null);
  // An abort while an image is decoded.
  const stop = new AbortController();
  const pending = viewer.setEnvironment(good, { signal: stop.signal });
  setTimeout(() => stop.abort());
  await pending.catch((error: { code: string }) => t.equal(error.code, 'load/aborted'));
});

/** Stripes of eight colours, brighter than white, with the same colour in each block of a JPEG. */
const STRIPES: readonly Rgb[] = [
  [0.02, 0.05, 0.1],
  [0.5, 0.5, 0.5],
  [1, 0.8, 0.2],
  [2, 1, 0.5],
  [4, 3, 2],
  [8, 6, 0.3],
  [12, 12, 12],
  [15, 1, 0.1],
];
const stripes: Image = (u) => STRIPES[Math.floor(8 * u)] ?? [0, 0, 0];

/** Compares the light of the stripes with the image from which the file was made; a value of 8 bits is 3 % of four stops at most. */
async function showsStripes(t: T, viewer: Viewer): Promise<void> {
  for (const [i, color] of STRIPES.entries()) {
    const exposure = 0.5 / Math.max(...color);
    const light = await skyAt(t, viewer, (i + 0.5) / 8, exposure);
    color.forEach((value, channel) => {
      const found = light[channel] ?? 0;
      const close = Math.abs(found - value) <= 0.04 * value + 0.004 / exposure;
      t.ok(close, `stripe ${i}, channel ${channel}: ${found} in place of ${value}`);
    });
  }
}

const CHANNELS: GainNumbers = {
  min: [-0.5, 0, -1],
  max: [4.2, 4, 3.8],
  gamma: [0.8, 1, 1.5],
  baseOffset: [0.02, 0.01, 0.03],
  offset: [0.01, 0.03, 0.02],
};

for (const [name, options] of [
  ['XMP', {}],
  ['XMP of each channel', { numbers: CHANNELS }],
  ['ISO 21496-1', { numbers: CHANNELS, metadata: 'iso' }],
  ['ISO 21496-1 with a common denominator', { numbers: CHANNELS, metadata: 'iso-common' }],
] as const) {
  test(`panoramas: Ultra HDR gives the light from which it was made: ${name}`, async (t) => {
    const viewer = await through(t, ball());
    await lit(viewer, await ultraHdr(256, 128, stripes, options));
    await showsStripes(t, viewer);
  });
}

test('panoramas: Ultra HDR of another writer', async (t) => {
  const viewer = await through(t, ball());
  await lit(viewer, OTHER_WRITER);
  const { min, max, gamma, baseOffset, offset } = OTHER_NUMBERS;
  const expected = [200, 100, 50].map((byte, i) => {
    const share = (([128, 60, 200][i] ?? 0) / 255) ** (1 / (gamma[i] ?? 1));
    const gain = (min[i] ?? 0) * (1 - share) + (max[i] ?? 0) * share;
    return (decoded(byte) + (baseOffset[i] ?? 0)) * 2 ** gain - (offset[i] ?? 0);
  });
  const light = await skyAt(t, viewer, 0.5, 0.5 / Math.max(...expected));
  light.forEach((value, i) => t.close(value / (expected[i] ?? 0), 1, 0.06, `channel ${i}`));
});

test('panoramas: Ultra HDR in a worker', async (t) => {
  const viewer = await remote(t);
  await viewer.load(ball().file());
  viewer.activeCamera = 0;
  await lit(viewer, await ultraHdr(256, 128, stripes));
  await showsStripes(t, viewer);
});

test('panoramas: a smaller gain map is interpolated', async (t) => {
  const viewer = await through(t, ball());
  // The base is white everywhere, so that the map alone has the light.
  const image: Image = (u) => {
    const light = 2 ** (2 + 1.5 * Math.cos(2 * Math.PI * u));
    return [light, light, light];
  };
  await lit(viewer, await ultraHdr(512, 256, image, { scale: 1 / 8 }));
  let before = Infinity;
  for (let i = 1; i < 16; i++) {
    const [expected] = image(i / 32, 0.5);
    const [light] = await skyAt(t, viewer, i / 32, 0.5 / expected);
    t.close(light / expected, 1, 0.03, `at ${i / 32}`);
    t.ok(light < before, 'it falls in each step');
    before = light;
  }
});

test('panoramas: Ultra HDR with the primaries of Display P3', async (t) => {
  const image: Image = () => [6, 3, 1.5];
  const file = await ultraHdr(64, 32, image, { colorSpace: 'display-p3' });
  const bytes = new TextDecoder('latin1').decode(file);
  if (!bytes.includes('ICC_PROFILE')) t.skip('this browser writes no profile');
  const viewer = await through(t, ball());
  await lit(viewer, file);
  // CSS Color 4: P3 to XYZ, XYZ to sRGB.
  const expected = [
    1.22494 * 6 - 0.22494 * 3,
    -0.042057 * 6 + 1.042057 * 3,
    -0.019638 * 6 - 0.078636 * 3 + 1.098274 * 1.5,
  ];
  const light = await skyAt(t, viewer, 0.5, 1 / 8);
  light.forEach((value, i) => t.close(value / (expected[i] ?? 0), 1, 0.03, `channel ${i}`));
});

test('panoramas: a JPEG whose gain map is missing is its base, and an invalid map is refused', async (t) => {
  const viewer = await through(t, ball());
  const file = await ultraHdr(64, 32, () => [4, 2, 0.5]);
  const base = baseOf([4, 2, 0.5]);
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  const xmp = (numbers: string): Uint8Array => text(`<rdf:Description hdrgm:Version="1.0" ${numbers}/>`);
  for (const [name, bytes] of [
    ['cut off', file.slice(0, file.length - 100)],
    ['no metadata', await ultraHdr(64, 32, () => [4, 2, 0.5], { replaced: text('<rdf:Description/>') })],
    [
      'the base is HDR',
      await ultraHdr(64, 32, () => [4, 2, 0.5], { replaced: xmp('hdrgm:BaseRenditionIsHDR="True"') }),
    ],
    ['version alone', await ultraHdr(64, 32, () => [4, 2, 0.5], { metadata: 'iso', replaced: new Uint8Array(4) })],
  ] as const) {
    await lit(viewer, bytes);
    viewer.exposure = 1;
    t.close((await seen(t, viewer)).at(0.95, 0.95), base, 2, name);
  }
  const before = await picture(t, viewer);
  for (const replaced of [
    xmp('hdrgm:GainMapMax="x"'),
    xmp(''),
    xmp('hdrgm:GainMapMax="2" hdrgm:Gamma="0"'),
    xmp('hdrgm:GainMapMax="2" hdrgm:Gamma="-1"'),
    xmp('hdrgm:GainMapMax="Infinity"'),
    xmp('hdrgm:GainMapMax="1" hdrgm:GainMapMin="2"'),
  ])
    await t.throws(async () => viewer.setEnvironment(await ultraHdr(64, 32, stripes, { replaced })), 'image/broken');
  for (const replaced of [new Uint8Array(5), new Uint8Array(20), Uint8Array.of(0, 9, 0, 0, 64), new Uint8Array(61)])
    await t.throws(
      async () => viewer.setEnvironment(await ultraHdr(64, 32, stripes, { metadata: 'iso', replaced })),
      'image/broken',
    );
  t.samePixels(await picture(t, viewer), before, { channel: 0 });
});

test('panoramas: damaged Ultra HDR files end in light or in an error', async (t) => {
  const viewer = await createViewer(t.canvas(16, 16), { maxDpr: 1 });
  const file = await ultraHdr(32, 16, stripes, { numbers: { ...NUMBERS, gamma: [1, 2, 3] }, metadata: 'iso' });
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let i = 0; i < 60; i++) {
    const bytes = file.slice(0, i % 3 === 0 ? random(file.length) : file.length);
    // The first kilobyte has the index of images, and the last ones the second image.
    for (let j = 0; j < 4; j++) bytes[random(2) ? random(200) : random(bytes.length)] = random(256);
    await viewer
      .setEnvironment(bytes)
      .catch((error: Json) => t.ok(/^image\//.test(error.code), `${error.code}: ${error.message}`));
  }
});

for (const [name, bytes, tolerance] of [
  ['PIZ', EXR_PIZ, 0.01],
  ['tiles', EXR_TILED, 0.01],
  ['B44', EXR_B44, 0.1],
] as const) {
  test(`panoramas: OpenEXR shows its light: ${name}`, async (t) => {
    const viewer = await through(t, ball());
    await lit(viewer, bytes);
    for (let x = 0; x < 24; x += 3) {
      // The middle is between two rows.
      const expected = [0, 1, 2].map((i) => ((lightAt(x, 5)[i] ?? 0) + (lightAt(x, 6)[i] ?? 0)) / 2);
      const most = Math.max(...expected);
      const light = await skyAt(t, viewer, (x + 0.5) / 24, 0.5 / most);
      light.forEach((value, i) =>
        t.close(value / most, (expected[i] ?? 0) / most, tolerance, `column ${x}, channel ${i}`),
      );
    }
  });
}

test('panoramas: OpenEXR in a worker, and an invalid file', async (t) => {
  const viewer = await remote(t);
  await viewer.load(ball().file());
  viewer.activeCamera = 0;
  await lit(viewer, EXR_PIZ);
  const light = await skyAt(t, viewer, 12.5 / 24, 0.5);
  t.close(light, [1, 6.5 / 8, (12 * 5.5) / 64 + 0.125], 0.02);
  await t.throws(() => viewer.setEnvironment(EXR_DEPTH), 'image/unsupported');
  await t.throws(() => viewer.setEnvironment(EXR_PIZ.slice(0, 1000)), /image\/(?:truncated|broken)/);
  await t.throws(() => viewer.setEnvironment(EXR_PIZ.slice(0, 4)), /image\/(?:truncated|broken)/);
  // The B44 decoder may stop by a trap, which ends its own instance alone.
  for (let at = 400; at < EXR_B44.length; at += 40) {
    const damaged = EXR_B44.slice();
    damaged.fill(0xff, at, at + 4);
    await viewer.setEnvironment(damaged).catch((error: Json) => t.ok(/^image\//.test(error.code), error.message));
  }
  await lit(viewer, EXR_TILED);
  t.close(await skyAt(t, viewer, 12.5 / 24, 0.5), light, 0.02);
});
