// Image-based light: its effect on surfaces, its sources, and errors while loading it.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, longTests, test, type T } from '../page/api.ts';
import { details, heard, shown } from './support/element.ts';
import { decoded, encoded } from './support/light.ts';
import { regained } from './support/loss.ts';
import { model } from './support/model.ts';
import { SIX, even, hdr, six } from './support/panorama.ts';
import { SIZE, Scene, places, seen, through, type Json, type Rgb } from './support/scene.ts';
import { material, mesh, sphere } from './support/shapes.ts';
import { picture } from './support/watch.ts';

longTests(OTHERS);

async function plain(viewer: Viewer, environment: ArrayBuffer): Promise<void> {
  viewer.toneMapping = 'none';
  await viewer.setEnvironment(environment);
}

/** Spheres that reflect all light are invisible in a uniform environment. */
async function furnace(t: T, materials: readonly object[]): Promise<void> {
  const scene = new Scene();
  materials.forEach((white, i) => {
    const extensions = (white as Json)['extensions'] ?? {};
    Object.keys(extensions).forEach((name) => scene.use(name));
    const translation = [((i % 3) - 1) * 0.66, (Math.floor(i / 3) - 1) * 0.66, 0];
    scene.node({ mesh: mesh(scene, sphere(), scene.add('materials', white)), translation, scale: [0.3, 0.3, 0.3] });
  });
  const background = encoded(0.5) / 255;
  const viewer = await through(t, scene, { background: [background, background, background, 1] });
  await plain(viewer, even(0.5));
  const now = await seen(t, viewer);
  let worst = 0;
  for (const at of places())
    for (const value of now.at(...at)) worst = Math.max(worst, Math.abs(decoded(value) / 0.5 - 1));
  // Half a step of an 8-bit pixel is 0.3 %.
  t.ok(worst < 0.01, `off by ${worst}`);
  viewer.dispose();
}

for (const metallicFactor of [0, 0.25, 0.5, 1]) {
  test(`environment: white furnace test, metallic ${metallicFactor}`, async (t) => {
    const roughnesses = [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1];
    await furnace(
      t,
      roughnesses.map((roughnessFactor) => ({ pbrMetallicRoughness: { metallicFactor, roughnessFactor } })),
    );
  });
}

test('environment: white furnace test, material layers', async (t) => {
  const layers: readonly (readonly [string, object])[] = [
    ['KHR_materials_clearcoat', { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.3 }],
    ['KHR_materials_clearcoat', { clearcoatFactor: 0.5 }],
    ['KHR_materials_clearcoat', {}],
    ['KHR_materials_sheen', { sheenColorFactor: [1, 1, 1], sheenRoughnessFactor: 0.5 }],
    ['KHR_materials_sheen', {}],
    ['KHR_materials_specular', { specularFactor: 0.5, specularColorFactor: [2, 2, 2] }],
    ['KHR_materials_ior', { ior: 1.8 }],
    ['KHR_materials_anisotropy', { anisotropyStrength: 0.7 }],
    ['KHR_materials_iridescence', {}],
  ];
  await furnace(
    t,
    layers.map(([name, value]) => ({
      pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.4 },
      extensions: { [name]: value },
    })),
  );
});

test('environment: white furnace test, diffuse transmission', async (t) => {
  const white = (factor: number, roughnessFactor: number, others: object = {}): object => ({
    pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor },
    extensions: { KHR_materials_diffuse_transmission: { diffuseTransmissionFactor: factor }, ...others },
  });
  await furnace(t, [
    white(0, 0.4),
    white(0.5, 0),
    white(0.5, 1),
    white(1, 0.4),
    white(1, 0.4, { KHR_materials_volume: { thicknessFactor: 1 } }),
    white(0.7, 0.4, { KHR_materials_clearcoat: { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.3 } }),
    white(0.7, 0.4, { KHR_materials_sheen: { sheenColorFactor: [1, 1, 1], sheenRoughnessFactor: 0.5 } }),
  ]);
});

test('environment: diffuse transmission shows the light behind a surface with cosine weights', async (t) => {
  const extensions = {
    KHR_materials_specular: { specularFactor: 0 },
    KHR_materials_diffuse_transmission: {
      diffuseTransmissionFactor: 0.75,
      diffuseTransmissionColorFactor: [0.5, 0.25, 0.75],
    },
  };
  const scene = new Scene();
  Object.keys(extensions).forEach((name) => scene.use(name));
  scene.node({ mesh: scene.square(scene.matt([0.4, 0.4, 0.4], { extensions })) });
  const viewer = await through(t, scene);
  // The mean of the cosine to +Z over the cosine-weighted hemisphere is 2/3, and −2/3 over that behind.
  await plain(
    viewer,
    hdr(64, 32, (_x, _y, z) => [0.4 + 0.4 * z, 0.4 - 0.4 * z, 0.4]),
  );
  const [front, behind] = [
    [0.4 * (5 / 3), 0.4 / 3, 0.4],
    [0.4 / 3, 0.4 * (5 / 3), 0.4],
  ] as const;
  const light = [0.5, 0.25, 0.75].map(
    (color, i) => 0.25 * 0.4 * (front[i] ?? 0) + 0.75 * color * (behind[i] ?? 0),
  ) as unknown as Rgb;
  t.close((await seen(t, viewer)).at(0, 0), pixel(light), 2);
});

/** Rotates +Z half way towards another direction, so that a mirror in the plane z = 0 reflects that direction. */
const TURNS: readonly (readonly [shows: string, rotation: readonly number[]])[] = [
  ['+Z', [0, 0, 0, 1]],
  ['+X', [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]],
  ['-X', [0, -Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]],
  ['+Y', [-Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]],
  ['-Y', [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]],
];

/** The pixel of a white metal mirror in the middle. */
async function mirrored(t: T, rotation: readonly number[], roughness: number, environmentRotation = 0): Promise<Rgb> {
  const scene = new Scene();
  scene.node({ mesh: scene.square(material(scene, [1, 1, 1], 1, roughness)), rotation });
  const viewer = await through(t, scene);
  await plain(viewer, six());
  viewer.environmentRotation = environmentRotation;
  const color = (await seen(t, viewer)).at(0, 0);
  viewer.dispose();
  return color;
}

const pixel = (light: Rgb | undefined): Rgb => (light ?? [0, 0, 0]).map(encoded) as unknown as Rgb;

for (const [shows, rotation] of TURNS) {
  test(`environment: a mirror reflects the direction ${shows}`, async (t) => {
    t.close(await mirrored(t, rotation, 0), pixel(SIX[shows]), 3);
    // A rougher mirror averages a larger area around the same direction.
    t.close(await mirrored(t, rotation, 0.25), pixel(SIX[shows]), 12, 'of roughness 0.25');
  });
}

test('environment: rotates counter-clockwise from above', async (t) => {
  t.close(await mirrored(t, [0, 0, 0, 1], 0, Math.PI / 2), pixel(SIX['-X']), 3, 'a quarter');
  t.close(await mirrored(t, [0, 0, 0, 1], 0, -Math.PI / 2), pixel(SIX['+X']), 3, 'a quarter back');
  t.close(await mirrored(t, [0, 0, 0, 1], 0, 7 * Math.PI), pixel(SIX['-Z']), 3, 'three turns and a half');
});

test('environment: a diffuse surface has cosine weights, scaled by the intensity', async (t) => {
  const scene = new Scene();
  // Without specular reflection: F0 and F90 are 0.
  scene.use('KHR_materials_specular');
  const specular = { KHR_materials_specular: { specularFactor: 0 } };
  scene.node({ mesh: scene.square(scene.matt([0.5, 0.5, 0.5], { extensions: specular })) });
  const viewer = await through(t, scene);
  // 1 + cosine to +Z: the mean over the cosine-weighted hemisphere is 1 + 2/3.
  await plain(
    viewer,
    hdr(64, 32, (_x, _y, z) => [0.4 + 0.4 * z, 0.4 - 0.4 * z, 0.4]),
  );
  const expected = (factor: number): Rgb =>
    pixel([0.2 * (1 + 2 / 3) * factor, 0.2 * (1 - 2 / 3) * factor, 0.2 * factor]);
  // A surface that ignores the extension reflects 4 % in addition.
  t.close((await seen(t, viewer)).at(0, 0), expected(1), 14);
  const before = (await seen(t, viewer)).at(0, 0).map(decoded);
  viewer.environmentIntensity = 2;
  const after = (await seen(t, viewer)).at(0, 0).map(decoded);
  t.close(
    after,
    before.map((value) => 2 * value),
    0.01,
    'twice the light',
  );
  viewer.environmentIntensity = 1;
  viewer.exposure = 0.5;
  t.close(
    (await seen(t, viewer)).at(0, 0).map(decoded),
    before.map((value) => value / 2),
    0.01,
    'half exposed',
  );
  viewer.environmentIntensity = 0;
  t.equal((await seen(t, viewer)).at(0, 0), [0, 0, 0], 'no light');
});

test('environment: without one, only emission is visible', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt([1, 1, 1], { emissiveFactor: [0, 0.25, 0] })) });
  const viewer = await through(t, scene);
  t.equal(viewer.environment, 'file');
  viewer.toneMapping = 'none';
  await viewer.setEnvironment(null);
  t.equal(viewer.environment, null);
  t.close((await seen(t, viewer)).at(0, 0), pixel([0, 0.25, 0]), 1);
  await viewer.setEnvironment('studio');
  t.ok(Math.min(...(await seen(t, viewer)).at(0, 0)) > 100, 'the studio is back');
});

test('skybox: shows the environment in the direction of the view', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([1, 0, 0])), scale: [0.5, 0.5, 0.5] });
  const viewer = await through(t, scene);
  await plain(viewer, six());
  t.equal((await seen(t, viewer)).at(0.9, 0.9), [0, 0, 0], 'not yet');
  viewer.skybox = true;
  const sharp = await seen(t, viewer);
  t.close(sharp.at(0.9, 0.9), pixel(SIX['-Z']), 1);
  t.equal(sharp.at(0, 0), [255, 0, 0], 'the model is in front');
  viewer.environmentRotation = Math.PI / 2;
  t.close((await seen(t, viewer)).at(0.9, 0.9), pixel(SIX['+X']), 1, 'turned');
  viewer.skyboxBlur = 1;
  const blurred = (await seen(t, viewer)).at(0.9, 0.9);
  t.ok(blurred[1] > sharp.at(0.9, 0.9)[1] + 10, `other colours come in: ${blurred.join()}`);
  viewer.skybox = false;
  t.equal((await seen(t, viewer)).at(0.9, 0.9), [0, 0, 0], 'the background again');
});

test(
  'skybox: perspective projection',
  async (t) => {
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
    await plain(viewer, six());
    viewer.skybox = true;
    const corner = async (azimuth: number, polar: number): Promise<Rgb> => {
      viewer.camera = { ...viewer.camera, azimuth, polar };
      return (await seen(t, viewer)).at(0, 0);
    };
    t.close(await corner(0, Math.PI / 2), pixel(SIX['-Z']), 1, 'from +Z');
    t.close(await corner(Math.PI / 2, Math.PI / 2), pixel(SIX['-X']), 1, 'from +X');
    t.close(await corner(0, 0.02), pixel(SIX['-Y']), 1, 'from above');
  },
  { all: false },
);

test('skybox: may be another image than the environment', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt([1, 1, 1])), scale: [0.5, 0.5, 0.5] });
  const viewer = await through(t, scene);
  await plain(viewer, even(0.5));
  viewer.skybox = true;
  const before = await seen(t, viewer);
  const other = even(0.25);
  await viewer.setSkyboxImage(other);
  t.equal([viewer.skyboxImage, viewer.environment === other], [other, false]);
  for (const blur of [0, 0.5]) {
    viewer.skyboxBlur = blur;
    const after = await seen(t, viewer);
    t.close(
      after.at(0.9, 0.9),
      [0, 1, 2].map(() => encoded(0.25)),
      1,
      `the sky, blurred by ${blur}`,
    );
    t.close(after.at(0, 0), before.at(0, 0), 1, 'the model is lit as it was');
  }
  await regained(t, viewer);
  t.close(
    (await seen(t, viewer)).at(0.9, 0.9),
    [0, 1, 2].map(() => encoded(0.25)),
    1,
    'after a loss',
  );
  await t.throws(() => viewer.setSkyboxImage(new Uint8Array(3)), 'image/unknown-format');
  t.equal(viewer.skyboxImage, other);
  await viewer.setSkyboxImage(null);
  t.close((await seen(t, viewer)).at(0.9, 0.9), before.at(0.9, 0.9), 1, 'the light again');
});

test('skybox: skyboxHeight projects it on the ground', async (t) => {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
  await viewer.load(model().glb);
  // Dark below, and bright above 45° below the horizon.
  await plain(
    viewer,
    hdr(512, 256, (_, y) => (y > -Math.SQRT1_2 ? [0.5, 0.5, 0.5] : [0.05, 0.05, 0.05])),
  );
  viewer.skybox = true;
  const { min, max } = t.some(viewer.bounds);
  const [x, y, z] = ([0, 1, 2] as const).map((i) => ((min[i] ?? 0) + (max[i] ?? 0)) / 2) as [number, number, number];
  const { distance, fovY } = viewer.camera;
  viewer.camera = { ...viewer.camera, polar: 0.01, target: [x, y, z] };
  const at = async (height: number): Promise<number> => {
    viewer.skyboxHeight = height;
    return (await seen(t, viewer)).at(0.02, -0.9)[0];
  };
  // The distance on the ground at which that pixel looks, from the middle.
  const reach = 0.9 * Math.tan(fovY / 2) * (distance + y - min[1]);
  t.close([await at(0), await at(0.9 * reach), await at(1.1 * reach)], [encoded(0.05), encoded(0.5), encoded(0.05)], 1);
});

const BAD: readonly (readonly [code: string, bytes: string])[] = [
  ['image/unknown-format', 'no picture'],
  ['image/unsupported', '#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1234'],
  ['image/too-large', '#?RADIANCE\n\n-Y 1 +X 20000\n1234'],
  ['image/truncated', '#?RADIANCE\n\n-Y 2 +X 8\n\u0002\u0002\u0000\u0008\u0088'],
  ['image/broken', '#?RADIANCE\n\n-Y 1 +X 8\n\u0002\u0002\u0000\u0009\u0000\u0000\u0000\u0000'],
];

test('environment: an invalid image is refused, and the current one stays', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt([1, 1, 1])) });
  const viewer = await through(t, scene);
  await plain(viewer, six());
  const before = await picture(t, viewer);
  for (const [code, text] of BAD) {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    await t.throws(() => viewer.setEnvironment(bytes), code);
  }
  await t.throws(() => viewer.setEnvironment('/nowhere.hdr?status=404'), /fetch\//);
  await t.throws(() => viewer.setEnvironment(7 as Json), 'argument/invalid');
  t.samePixels(await picture(t, viewer), before, { channel: 0 });

  const warnings: string[] = [];
  viewer.addEventListener('warning', (event) => warnings.push(event.detail.code));
  viewer.environment = new Uint8Array(3);
  await t.until(() => warnings.length > 0, 'a warning');
  t.equal(warnings, ['image/unknown-format']);
});

test(
  'environment: the last call wins, and a signal aborts it',
  async (t) => {
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
    const first = viewer.setEnvironment('/sample.glb?delay=300');
    const [error] = await Promise.all([t.throws(() => first, 'load/aborted'), viewer.setEnvironment(null)]);
    t.equal((error as Error).name, 'AbortError');
    t.equal(viewer.environment, null);
    const stop = new AbortController();
    const second = viewer.setEnvironment('/sample.glb?delay=300', { signal: stop.signal });
    stop.abort();
    await t.throws(() => second, 'load/aborted');
    const third = viewer.setEnvironment('/sample.glb?delay=100');
    viewer.dispose();
    await t.throws(() => third, /load\/aborted|viewer\/disposed/);
  },
  { all: false },
);

test('environment: the last attribute counts, also if it is the current one', async (t) => {
  const [a = '', b = ''] = [0.5, 2].map((light) => URL.createObjectURL(new Blob([even(light)])));
  const { fetch } = globalThis;
  globalThis.fetch = async (input, options) => {
    if (String(input) === b) await t.sleep(200);
    return fetch(input, options);
  };
  const element = await shown(t, { 'environment-image': a });
  const viewer = t.some(element.viewer);
  await t.until(() => viewer.environment === a, 'the first');
  await t.frames(2);
  const warnings = details(element, 'warning');
  const changes = heard(element, 'environment-change');
  element.environmentImage = b;
  await t.frames(1);
  element.environmentImage = a;
  await t.sleep(500);
  t.equal([viewer.environment, changes.length, warnings], [a, 1, []]);
  element.environmentImage = b;
  await t.until(() => viewer.environment === b, 'the second, when it was said last');
  // The sky independent of the light.
  element.skyboxImage = a;
  element.skyboxImage = null;
  await t.sleep(300);
  t.equal([viewer.environment, viewer.skyboxImage, viewer.skybox], [b, null, false]);
  // A failed image is requested again when an attribute changes.
  element.environmentImage = '/nowhere.hdr?status=404';
  await t.until(() => warnings.length === 1, 'a warning');
  element.skyboxImage = a;
  await t.until(
    () => warnings.length === 2 && viewer.skyboxImage === a,
    'another warning, and the sky, which could be had',
  );
  t.equal(viewer.environment, b);
});

test('environment: values out of range are refused', async (t) => {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
  const cases: readonly (readonly [keyof Viewer & string, readonly unknown[]])[] = [
    ['environmentRotation', [NaN, Infinity, '1']],
    ['environmentIntensity', [-1, NaN, 1e7]],
    ['exposure', [-0.1, Infinity]],
    ['toneMapping', ['filmic', undefined]],
    ['skyboxBlur', [-0.1, 1.1]],
    ['skyboxHeight', [-1, NaN]],
    ['shadowIntensity', [-1, 2]],
    ['shadowSoftness', [NaN, 1.5]],
  ];
  for (const [name, values] of cases) {
    for (const value of values) {
      const before = viewer[name];
      await t.throws(() => {
        (viewer as Json)[name] = value;
      }, 'argument/invalid');
      t.equal(viewer[name], before, name);
    }
  }
});

test('environment: a large image does not block the page', async (t) => {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
  const bytes = hdr(1024, 512, (x, y, z) => [1 + x, 1 + y, 1 + z]);
  let turns = 0;
  let going = true;
  const count = (): void => {
    turns += 1;
    if (going) setTimeout(count);
  };
  count();
  await viewer.setEnvironment(bytes);
  going = false;
  t.ok(turns > 1, `${turns} other tasks had their turn`);
});

test(
  'environment: looks the same without float render targets',
  async (t) => {
    const prototype = WebGL2RenderingContext.prototype;
    const supported = prototype.getSupportedExtensions;
    const get = prototype.getExtension as (this: WebGL2RenderingContext, name: string) => unknown;
    prototype.getSupportedExtensions = function () {
      return (supported.call(this) ?? []).filter((name) => !name.startsWith('EXT_color_buffer'));
    };
    (prototype as Json).getExtension = function (this: WebGL2RenderingContext, name: string) {
      return name.startsWith('EXT_color_buffer') ? null : get.call(this, name);
    };
    for (const [shows, rotation] of TURNS) t.close(await mirrored(t, rotation, 0), pixel(SIX[shows]), 4, shows);
  },
  { all: false },
);

test(
  'environment: looks the same after a context loss',
  async (t) => {
    const scene = new Scene();
    scene.node({ mesh: mesh(scene, sphere(), material(scene, [0.9, 0.8, 0.7], 1, 0.3)), scale: [0.8, 0.8, 0.8] });
    const viewer = await through(t, scene);
    await plain(viewer, six());
    viewer.skybox = true;
    viewer.shadowIntensity = 1;
    const before = await picture(t, viewer);
    const objects = viewer.liveObjects();
    await regained(t, viewer);
    t.samePixels(await picture(t, viewer), before, { channel: 1 });
    t.equal(viewer.liveObjects(), objects);
  },
  { all: false },
);
