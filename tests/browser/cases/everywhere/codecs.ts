// Files with compressed meshes and images: they look like the uncompressed one, and load their decoder lazily.

import { createViewer, type GambolError, type Viewer } from 'gambol';
import { longTests, OTHERS, test, type T } from '../../page/api.ts';
import { model, png } from '../support/model.ts';
import { picture } from '../support/watch.ts';
import { ETC1S, UASTC } from '../support/ktx2.ts';

const ASSETS = '/shared/assets';
/** The lazily loaded files, by their paths on the server. */
const DECODER = /\/(draco|ktx2|basis)[^/]*\.(js|wasm)/;

async function viewerOf(t: T): Promise<Viewer> {
  return createViewer(t.canvas(320, 320), { maxDpr: 1, background: [1, 1, 1, 1] });
}

async function bytesOf(t: T, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${ASSETS}/${path}`);
  if (!response.ok) t.skip('there is no ../shared');
  return new Uint8Array(await response.arrayBuffer());
}

async function decoders(t: T): Promise<string[]> {
  const paths = (await t.requests()).map(({ path }) => path);
  return paths
    .filter((path) => DECODER.test(path))
    .map((path) => path.replace(/^.*\//, '').replace(/-[A-Z0-9]{8}\./, '.'))
    .sort();
}

longTests(OTHERS);

for (const [name, variant, needed, outliers] of [
  ['Fox', 'meshopt', [], 0.01],
  ['Fox', 'meshopt_filter', [], 0.01],
  ['Fox', 'meshopt_khr', [], 0.01],
  ['Fox', 'draco', ['draco.js', 'draco.wasm'], 0.01],
  ['CesiumMan', 'draco', ['draco.js', 'draco.wasm'], 0.01],
  ['Fox', 'webp', [], 0.02],
] as const) {
  test(
    `codecs: ${name}_${variant} looks like ${name}`,
    async (t) => {
      const plain = await viewerOf(t);
      await plain.load(await bytesOf(t, `gltf/${name}.glb`));
      const encoded = await viewerOf(t);
      t.equal(await decoders(t), [], 'no decoder so far');
      await encoded.load(await bytesOf(t, `variants/${name}_${variant}.glb`));
      t.equal(
        encoded.warnings.map(({ code }) => code),
        [],
      );
      t.equal(await decoders(t), [...needed]);
      encoded.camera = plain.camera;
      for (const fraction of [0, 0.3, 0.777]) {
        for (const viewer of [plain, encoded]) await viewer.seek(fraction * viewer.duration);
        // Quantised positions move edges by a fraction of a pixel.
        t.samePixels(await picture(t, encoded), await picture(t, plain), { channel: 16, outliers });
      }
      plain.dispose();
      encoded.dispose();
    },
    {
      fresh: 'it observes which decoders are loaded',
      all: variant.startsWith('meshopt_') || name === 'CesiumMan' ? OTHERS : false,
    },
  );
}

/** A GLB with its JSON or its binary chunk changed. */
function edited(glb: Uint8Array, change: (json: Json, bin: Uint8Array) => void): Uint8Array<ArrayBuffer> {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as Json;
  const bin = glb.slice(28 + length);
  change(json, bin);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(28 + padded + bin.length).fill(0x20);
  const header = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded, 0x4e4f534a].forEach((value, i) => header.setUint32(i * 4, value, true));
  out.set(text, 20);
  header.setUint32(20 + padded, bin.length, true);
  header.setUint32(24 + padded, 0x004e4942, true);
  out.set(bin, 28 + padded);
  return out;
}

/** Untyped JSON, for changes. */
type Json = any;

test('meshopt: damaged streams fail with a code and a pointer', async (t) => {
  const viewer = await viewerOf(t);
  const glb = await bytesOf(t, 'variants/Fox_meshopt_khr.glb');
  const extension = (json: Json, view: number): Json => json.bufferViews[view].extensions.KHR_meshopt_compression;
  const positions = (json: Json): number => json.accessors[json.meshes[0].primitives[0].attributes.POSITION].bufferView;
  let pointer = '';
  for (const change of [
    (e: Json) => (e.byteLength -= 5),
    (e: Json) => (e.byteLength = 1),
    (e: Json) => (e.byteOffset += 3),
    (e: Json) => (e.count += 1),
    (e: Json) => (e.mode = 'TRIANGLES'),
  ]) {
    const broken = edited(glb, (json) => {
      const view = positions(json);
      pointer = `/bufferViews/${view}/extensions/KHR_meshopt_compression`;
      change(extension(json, view));
    });
    const error = (await t.throws(() => viewer.load(broken), 'import/meshopt')) as GambolError;
    t.equal(error.pointer, pointer);
  }
});

test('meshopt: damaged streams use the uncompressed fallback buffer', async (t) => {
  const { gltf, json, bin } = model();
  const plain = await viewerOf(t);
  await plain.load(gltf);
  // The positions, which come first, are in a separate buffer; the compressed stream is invalid.
  const length = 72;
  const broken: Json = structuredClone(json);
  broken.buffers = [
    { uri: 'all.bin', byteLength: bin.length },
    { uri: 'plain.bin', byteLength: length },
  ];
  const extension = { buffer: 0, byteLength: 50, mode: 'ATTRIBUTES', byteStride: 12, count: length / 12 };
  broken.bufferViews[0] = { buffer: 1, byteLength: length, extensions: { EXT_meshopt_compression: extension } };
  const files = [
    new File([JSON.stringify(broken)], 'model.gltf'),
    new File([bin], 'all.bin'),
    new File([bin.slice(0, length)], 'plain.bin'),
  ];
  const viewer = await viewerOf(t);
  const error = (await t.throws(() => viewer.load(files.slice(0, 2)), 'import/meshopt')) as GambolError;
  t.equal(error.pointer, '/bufferViews/0/extensions/EXT_meshopt_compression');
  await viewer.load(files);
  t.equal(
    viewer.warnings.map(({ code }) => code),
    ['import/meshopt'],
  );
  viewer.camera = plain.camera;
  t.samePixels(await picture(t, viewer), await picture(t, plain), {});
});

test('Draco: damaged meshes fail with a code and a pointer', async (t) => {
  const viewer = await viewerOf(t);
  const glb = await bytesOf(t, 'variants/Fox_draco.glb');
  const pointer = '/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression';
  const viewOf = (json: Json): Json =>
    json.bufferViews[json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView];
  for (const length of [0, 1, 10, 11, 50, 500, 2000]) {
    const error = (await t.throws(
      () => viewer.load(edited(glb, (json) => (viewOf(json).byteLength = length))),
      'import/draco',
    )) as GambolError;
    t.equal(error.pointer, pointer, String(length));
  }
  const missing = edited(
    glb,
    (json) => (json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.attributes.POSITION = 77),
  );
  await t.throws(() => viewer.load(missing), 'import/draco');
  // Random bytes: either the model is visible or there is an error, and the decoder keeps working.
  let seed = 7;
  const random = (end: number): number => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % end;
  for (let i = 0; i < 40; i++) {
    const broken = edited(glb, (json, bin) => {
      const { byteOffset = 0, byteLength } = viewOf(json);
      for (let k = 0; k < 3; k++) bin[byteOffset + random(i % 2 ? byteLength : 64)] = random(256);
    });
    await viewer.load(broken).catch((error: GambolError) => t.ok(/^import\//.test(error.code), error.code));
  }
  await viewer.load(glb);
  t.equal(viewer.clips.length, 3);
});

test(
  'Draco: a missing decoder is an error that names it, and the next load tries again',
  async (t) => {
    const viewer = await viewerOf(t);
    const glb = await bytesOf(t, 'variants/Fox_draco.glb');
    const { fetch } = window;
    window.fetch = (input, init) =>
      String(input).endsWith('/draco.wasm') ? Promise.resolve(new Response(null, { status: 404 })) : fetch(input, init);
    const error = (await t.throws(() => viewer.load(glb), 'load/chunk')) as GambolError;
    t.ok(error.message.includes('draco.wasm'), error.message);
    window.fetch = fetch;
    await viewer.load(glb);
    t.equal(viewer.clips.length, 3);
  },
  { fresh: 'the decoder must not be there before' },
);

/** The four colours of the KTX2 files. */
async function colours(): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(16, 16);
  const context = canvas.getContext('2d');
  for (const [x, y, colour] of [
    [0, 0, '#f00'],
    [8, 0, '#00f'],
    [0, 8, '#0f0'],
    [8, 8, '#fff'],
  ] as const) {
    if (context) context.fillStyle = colour;
    context?.fillRect(x, y, 8, 8);
  }
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

/** A square with a texture: its own image, and optionally a fallback image. */
function textured(
  image: Uint8Array<ArrayBuffer>,
  extension: string | undefined,
  plain?: Uint8Array<ArrayBuffer>,
): Map<string, Blob> {
  const json = structuredClone(model({ imageUri: 'image' }).json) as Json;
  json.materials[0] = {
    doubleSided: true,
    extensions: { KHR_materials_unlit: {} },
    pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 },
  };
  json.images = [{ uri: 'image' }, ...(plain ? [{ uri: 'plain' }] : [])];
  json.textures = [
    {
      ...(extension ? { extensions: { [extension]: { source: 0 } } } : { source: 0 }),
      ...(plain ? { source: 1 } : {}),
    },
  ];
  if (extension) json.extensionsUsed = [extension];
  return new Map([
    ['a.gltf', new Blob([JSON.stringify(json)])],
    ['image', new Blob([image])],
    ...(plain ? [['plain', new Blob([plain])] as const] : []),
  ]);
}

for (const [name, bytes] of [
  ['UASTC', UASTC],
  ['ETC1S', ETC1S],
] as const) {
  test(
    `KTX2: an image of ${name} shows its colours`,
    async (t) => {
      const plain = await viewerOf(t);
      await plain.load(textured(await colours(), undefined));
      t.equal(await decoders(t), []);
      const packed = await viewerOf(t);
      await packed.load(textured(bytes, 'KHR_texture_basisu'));
      t.equal(
        packed.warnings.map(({ code, message }) => `${code}: ${message}`).filter((text) => /^image/.test(text)),
        [],
      );
      t.equal(await decoders(t), ['basis.wasm', 'ktx2.js']);
      packed.camera = plain.camera;
      t.samePixels(await picture(t, packed), await picture(t, plain), { channel: 24, outliers: 0.02 });
      await t.screenshot(`ktx2-${name}`);
    },
    { fresh: 'it observes which decoders are loaded' },
  );
}

test('KTX2: a damaged image is a warning, and the fallback image is shown', async (t) => {
  const viewer = await viewerOf(t);
  for (const broken of [
    UASTC.slice(0, 200),
    ETC1S.slice(0, 400),
    UASTC.slice(0, 40),
    UASTC.map((byte, i) => (i >= 48 && i < 80 ? 0xff : byte)),
  ]) {
    await viewer.load(textured(broken, 'KHR_texture_basisu', await colours()));
    const codes = viewer.warnings.map(({ code }) => code).filter((code) => /^image/.test(code));
    t.ok(codes.length === 1 && codes[0] === 'image/broken', codes.join());
    const plain = await viewerOf(t);
    await plain.load(textured(await colours(), undefined));
    t.samePixels(await picture(t, viewer), await picture(t, plain), { channel: 2 });
    plain.dispose();
  }
  await viewer.load(textured(UASTC, 'KHR_texture_basisu'));
  t.equal(
    viewer.warnings.filter(({ code }) => /^image/.test(code)),
    [],
  );
});

test('textures: the fallback image is fetched only if the image of the extension is damaged', async (t) => {
  const viewer = await viewerOf(t);
  const good = new Uint8Array(await (await png(4, '#0f0')).arrayBuffer());
  await viewer.load(textured(good, 'EXT_texture_webp', good.slice(0, 3)));
  t.equal(
    viewer.warnings.filter(({ code }) => /^image/.test(code)),
    [],
    'the plain image is not looked at',
  );
  await viewer.load(textured(good.slice(0, 20), 'EXT_texture_webp', good));
  const pixels = (await picture(t, viewer)).data;
  t.ok(
    pixels.some((_, i) => i % 4 === 0 && (pixels[i] ?? 255) < 60 && (pixels[i + 1] ?? 0) > 100),
    'green is seen',
  );
});

test(
  'KTX2: all compressed formats of this GPU and uncompressed pixels look the same',
  async (t) => {
    const plain = await viewerOf(t);
    await plain.load(textured(await colours(), undefined));
    const supported = t.some(document.createElement('canvas').getContext('webgl2')?.getSupportedExtensions());
    const families = [/^$/, /_astc$/, /_bptc$/, /_etc$/, /_s3tc/].filter(
      (family, i) => i === 0 || supported.some((name) => family.test(name)),
    );
    for (const family of families) {
      for (const bytes of [UASTC, ETC1S]) {
        const viewer = await viewerOf(t);
        // The renderer has enabled its extensions already; the override only affects the package's query.
        const { getSupportedExtensions } = WebGL2RenderingContext.prototype;
        WebGL2RenderingContext.prototype.getSupportedExtensions = () => supported.filter((name) => family.test(name));
        try {
          await viewer.load(textured(bytes, 'KHR_texture_basisu'));
        } finally {
          WebGL2RenderingContext.prototype.getSupportedExtensions = getSupportedExtensions;
        }
        viewer.camera = plain.camera;
        t.samePixels(await picture(t, viewer), await picture(t, plain), { channel: 32, outliers: 0.02 });
        viewer.dispose();
      }
    }
  },
  { all: false },
);

test('codecs: files without compressed data load no decoder', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load('/sample.glb');
  await viewer.load(model().glb);
  t.equal(await decoders(t), []);
});

test('codecs: with decoders none, no decoder is fetched', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load(textured(UASTC, 'KHR_texture_basisu', await colours()), { decoders: 'none' });
  t.equal(
    viewer.warnings.map(({ code }) => code).filter((code) => code.startsWith('image')),
    ['image/unsupported'],
  );
  const plain = await viewerOf(t);
  await plain.load(textured(await colours(), undefined));
  t.samePixels(await picture(t, viewer), await picture(t, plain), { channel: 2 });
  const scene = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_draco_mesh_compression'],
    extensionsRequired: ['KHR_draco_mesh_compression'],
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    buffers: [{ uri: 'data:;base64,AAAA', byteLength: 3 }],
    bufferViews: [{ buffer: 0, byteLength: 3 }],
    accessors: [{ componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
          },
        ],
      },
    ],
  };
  const error = (await t.throws(
    () => viewer.load(new TextEncoder().encode(JSON.stringify(scene)), { decoders: 'none' }),
    'import/draco',
  )) as GambolError;
  t.equal(error.pointer, '/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression');
  t.equal(await decoders(t), []);
});
