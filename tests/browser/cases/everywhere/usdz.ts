// USDZ of viewers: the clip or the pose that is shown, the variant, and images that the page encodes.

import { createViewer, loadAsset, type Viewer } from 'gambol';
import { exportUsdz } from 'gambol/tools';
import { test, type T } from '../../page/api.ts';
import { AVIF, WEBP_LOSSLESS } from '../support/images.ts';
import { UASTC } from '../support/ktx2.ts';
import { model } from '../support/model.ts';
import { Scene } from '../support/scene.ts';

const SAMPLE = '/sample.glb';
const LONG = { timeout: 150_000 };

/** The files of an archive without compression, by the local headers. */
function unpacked(bytes: Uint8Array<ArrayBuffer>): { name: string; begin: number; bytes: Uint8Array<ArrayBuffer> }[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = [];
  for (let at = 0; data.getUint32(at, true) === 0x04034b50; ) {
    const [size, nameLength, extra] = [
      data.getUint32(at + 18, true),
      data.getUint16(at + 26, true),
      data.getUint16(at + 28, true),
    ];
    const name = new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + nameLength));
    const begin = at + 30 + nameLength + extra;
    files.push({ name, begin, bytes: bytes.subarray(begin, begin + size) });
    at = begin + size;
  }
  return files;
}

async function opened(
  t: T,
  viewer: Viewer,
  options?: object,
): Promise<{ text: string; images: ReturnType<typeof unpacked>; codes: string[] }> {
  const { blob, warnings } = await viewer.exportUsdz(options);
  t.equal(blob.type, 'model/vnd.usdz+zip');
  const files = unpacked(new Uint8Array(await blob.arrayBuffer()));
  t.ok(
    files.every(({ begin }) => begin % 64 === 0),
    'aligned',
  );
  const [layer, ...images] = files;
  t.equal(layer?.name, 'model.usda');
  return { text: new TextDecoder().decode(layer?.bytes), images, codes: warnings.map(({ code }) => code) };
}

test('usdz: wrong arguments, and sources that are gone', async (t) => {
  const viewer = await createViewer(t.canvas());
  await t.throws(() => viewer.exportUsdz(), 'actor/removed');
  const bytes = model().glb;
  await viewer.load(bytes);
  for (const options of [
    { clip: 0, pose: true },
    { pose: NaN },
    { clip: {} },
    { maxTextureSize: 0 },
    { maxTextureSize: 'small' },
    { clips: 'all' },
    null,
  ])
    await t.throws(() => viewer.exportUsdz(options as object), 'argument/invalid');
  await t.throws(() => viewer.exportUsdz({ clip: 'Fly' }), 'clip/not-found');
  await t.throws(() => viewer.exportUsdz({ signal: AbortSignal.abort() }), 'load/aborted');
  structuredClone(bytes, { transfer: [bytes.buffer] });
  await t.throws(() => viewer.exportUsdz({ pose: true }), 'export/no-source');
  viewer.dispose();
  await t.throws(() => viewer.exportUsdz(), 'viewer/disposed');
});

for (const renderer of ['own', 'worker'] as const) {
  test(
    `usdz: the clip that is shown plays, and a pose is still (${renderer})`,
    async (t) => {
      const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer });
      await viewer.load(SAMPLE);
      viewer.clip = 'Walk';
      viewer.currentTime = 0.4;
      const before = viewer.poseHash();
      const walk = t.some(viewer.clip);
      const own = await opened(t, viewer);
      t.ok(own.text.includes(`\n    endTimeCode = ${Math.round(walk.duration * walk.fps)}\n`), 'the shown clip');
      t.ok(own.text.includes('def SkelAnimation') && own.text.includes('rotations.timeSamples'), 'a skeleton');
      t.equal([own.codes.length, own.images.map(({ name }) => name.replace(/^.*\./, ''))], [0, ['png']]);
      const wave = t.some(viewer.clips.find(({ name }) => name === 'Wave'));
      const other = await opened(t, viewer, { clip: wave });
      t.ok(other.text.includes(`\n    endTimeCode = ${Math.round(wave.duration * wave.fps)}\n`), 'another clip');
      const still = await opened(t, viewer, { pose: true });
      t.ok(!still.text.includes('timeSamples') && !still.text.includes('def Skeleton'), 'a pose');
      t.equal([viewer.currentTime, viewer.poseHash()], [0.4, before]);
      // The points of the pose, in the order of the file.
      const { obj } = await viewer.exportObj();
      const first = t
        .some(/^v (.*)$/m.exec(obj)?.[1])
        .split(' ')
        .map(Number);
      const point = t
        .some(/point3f\[\] points = \[\(([^)]*)\)/.exec(still.text)?.[1])
        .split(', ')
        .map(Number);
      t.close(point, first, 1e-6);
    },
    LONG,
  );
}

test('usdz: materials are those of the shown variant', async (t) => {
  const scene = new Scene();
  scene.use('KHR_materials_variants');
  const [red, blue] = [scene.unlit([1, 0, 0]), scene.unlit([0, 0, 1])];
  const mappings = [{ material: blue, variants: [0] }];
  scene.node({ mesh: scene.square(red, {}, { extensions: { KHR_materials_variants: { mappings } } }) });
  scene.json.extensions = { KHR_materials_variants: { variants: [{ name: 'Winter' }] } };
  const viewer = await createViewer(t.canvas(), { maxDpr: 1 });
  await viewer.load(scene.file());
  const shown = async (): Promise<string | undefined> =>
    /inputs:emissiveColor = \(([^)]*)\)/.exec((await opened(t, viewer)).text)?.[1];
  t.equal(await shown(), '1, 0, 0');
  viewer.variant = 'Winter';
  t.equal(await shown(), '0, 0, 1');
});

/** The colours of the four quarters of an image. */
async function quarters(t: T, bytes: Uint8Array<ArrayBuffer>): Promise<{ width: number; colours: number[][] }> {
  const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none' });
  const { data, width, height } = t.pixels(bitmap);
  const at = (x: number, y: number): number[] => {
    const first = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
    return [...data.slice(first, first + 3)];
  };
  return { width, colours: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] };
}

for (const [name, image, mimeType, extension] of [
  ['WebP', WEBP_LOSSLESS, 'image/webp', 'EXT_texture_webp'],
  ['AVIF', AVIF, 'image/avif', 'EXT_texture_avif'],
  ['KTX2', UASTC, 'image/ktx2', 'KHR_texture_basisu'],
] as const) {
  test(`usdz: ${name} images become PNG, and large ones are reduced`, async (t) => {
    if (name === 'AVIF') {
      const known = createImageBitmap(new Blob([image], { type: mimeType }));
      if (
        await known.then(
          () => false,
          () => true,
        )
      )
        t.skip('this browser does not decode AVIF');
    }
    const scene = new Scene();
    scene.use(extension);
    const uri = `data:${mimeType};base64,${btoa(String.fromCharCode(...image))}`;
    const source = scene.add('images', { uri, name: 'Wall' });
    const index = scene.add('textures', { extensions: { [extension]: { source } } });
    scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], { index })) });
    const file = scene.file();
    for (const [maxTextureSize, width] of [
      [undefined, 16],
      [8, 8],
    ]) {
      const { bytes, warnings } = await exportUsdz(file, { maxTextureSize });
      t.equal([...new Set(warnings.map(({ code }) => code))].sort(), ['usdz/camera', 'usdz/unlit']);
      const [, png] = unpacked(bytes);
      t.equal(png?.name, 'textures/Wall.png');
      const seen = await quarters(t, t.some(png).bytes);
      t.equal(seen.width, width);
      for (const [i, colour] of [
        [255, 0, 0],
        [0, 0, 255],
        [0, 255, 0],
        [255, 255, 255],
      ].entries())
        t.close(t.some(seen.colours[i]), colour, 12, `${name}, quarter ${i}`);
    }
  });
}

test('usdz: an image that cannot be decoded is left out with a warning', async (t) => {
  const scene = new Scene();
  scene.use('EXT_texture_webp');
  // Not cut short: WebKit shows an image of which only the header is there as a transparent one.
  const broken = WEBP_LOSSLESS.map((byte, i) => (i < 12 ? byte : 0));
  const uri = `data:image/webp;base64,${btoa(String.fromCharCode(...broken))}`;
  const source = scene.add('images', { uri });
  const index = scene.add('textures', { extensions: { EXT_texture_webp: { source } } });
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], { index })) });
  const { bytes, warnings } = await exportUsdz(scene.file());
  t.ok(
    warnings.some(({ code, pointer }) => code === 'usdz/image' && pointer === '/images/0'),
    'a warning',
  );
  t.equal(
    unpacked(bytes).map(({ name }) => name),
    ['model.usda'],
  );
});

test('usdz: the file of the tools has the clip of the option', async (t) => {
  const asset = await loadAsset(SAMPLE);
  const walk = t.some(asset.clips.find(({ name }) => name === 'Walk'));
  asset.dispose();
  const ratios: number[] = [];
  const { bytes, warnings } = await exportUsdz(SAMPLE, {
    animation: 'Walk',
    onProgress: (ratio) => ratios.push(ratio),
  });
  t.equal([warnings.length, ratios], [0, [1]]);
  const text = new TextDecoder().decode(unpacked(bytes)[0]?.bytes);
  t.ok(text.includes(`\n    endTimeCode = ${Math.round(walk.duration * walk.fps)}\n`), 'the clip');
});
