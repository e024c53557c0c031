// The image-based light of a file (EXT_lights_image_based): its reflections, its diffuse light, and when it is used.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, longTests, test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { addFileLight, evenIrradiance, jpegFace, type FileLightOptions, type Light } from './support/file-light.ts';
import { decoded, encoded } from './support/light.ts';
import { regained } from './support/loss.ts';
import { SIX, even, sixAt } from './support/panorama.ts';
import { SIZE, Scene, places, seen, through, type Rgb } from './support/scene.ts';
import { material, mesh, sphere } from './support/shapes.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

longTests(OTHERS);

const pixel = (light: readonly number[] | undefined): Rgb => (light ?? [0, 0, 0]).map(encoded) as unknown as Rgb;
const scaled = (light: Rgb | undefined, factor: number): Rgb =>
  (light ?? [0, 0, 0]).map((value) => value * factor) as unknown as Rgb;

/** Half the light at roughness 1. */
const sixByLevel: Light = (x, y, z, level) => scaled(sixAt(x, y, z), 1 / (level + 1));

/** A metal mirror in the plane z = 0, rotated. */
async function mirror(
  light: Light,
  {
    rotation = [0, 0, 0, 1],
    roughness = 0,
    ...options
  }: FileLightOptions & { rotation?: readonly number[]; roughness?: number } = {},
): Promise<Scene> {
  const scene = new Scene();
  scene.node({ mesh: scene.square(material(scene, [1, 1, 1], 1, roughness)), rotation });
  await addFileLight(scene, light, options);
  return scene;
}

async function shownBy(t: T, scene: Scene): Promise<Viewer> {
  const viewer = await through(t, scene);
  viewer.toneMapping = 'none';
  return viewer;
}

async function middle(t: T, viewer: Viewer): Promise<Rgb> {
  return (await seen(t, viewer)).at(0, 0);
}

/** Rotates +Z half way towards another direction. */
const TURNS: readonly (readonly [shows: string, rotation: readonly number[]])[] = [
  ['+Z', [0, 0, 0, 1]],
  ['+X', [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]],
  ['-X', [0, -Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]],
  ['+Y', [-Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]],
  ['-Y', [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]],
];

for (const [shows, rotation] of TURNS) {
  test(`file light: a mirror reflects the direction ${shows}, by the level of its roughness`, async (t) => {
    const viewer = await shownBy(t, await mirror(sixByLevel, { rotation }));
    t.equal([viewer.environment, viewer.warnings], ['file', []]);
    t.close(await middle(t, viewer), pixel(SIX[shows]), 3, 'smooth');
    viewer.dispose();
    // Without diffuse light there are no interreflections, so a rough metal reflects a part of the light of its level.
    const light = { irradianceCoefficients: evenIrradiance([0, 0, 0]) };
    const rough = await shownBy(t, await mirror(sixByLevel, { rotation, roughness: 1, light }));
    (await middle(t, rough)).map(decoded).forEach((value, i) => {
      const whole = SIX[shows]?.[i] ?? 0;
      t.ok(value < 0.51 * whole && value > 0.1 * whole, `channel ${i}: ${value} of ${whole}`);
    });
  });
}

test('file light: JPEG images are light of sRGB', async (t) => {
  const viewer = await shownBy(t, await mirror(sixByLevel, { encode: jpegFace }));
  t.close(await middle(t, viewer), pixel(SIX['+Z']), 4);
});

test('file light: RGBD has light above 1', async (t) => {
  const viewer = await shownBy(t, await mirror(() => [6, 3, 0.5]));
  viewer.exposure = 1 / 8;
  t.close((await middle(t, viewer)).map(decoded), [6 / 8, 3 / 8, 0.5 / 8], 0.02);
});

test('file light: has an intensity and a rotation, beside those of the viewer', async (t) => {
  const turned = { light: { intensity: 0.5, rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] } };
  const viewer = await shownBy(t, await mirror(sixByLevel, turned));
  // A quarter counter-clockwise from above moves −X to +Z.
  t.close(await middle(t, viewer), pixel(scaled(SIX['-X'], 0.5)), 3);
  viewer.environmentRotation = Math.PI / 2;
  t.close(await middle(t, viewer), pixel(scaled(SIX['-Z'], 0.5)), 3, 'turned once more');
  viewer.environmentIntensity = 2;
  t.close(await middle(t, viewer), pixel(SIX['-Z']), 3, 'as strong as it was');
});

test('file light: white furnace test', async (t) => {
  const scene = new Scene();
  [0, 0.5, 1].forEach((metallicFactor, row) =>
    [0, 0.4, 1].forEach((roughnessFactor, column) => {
      const white = scene.add('materials', { pbrMetallicRoughness: { metallicFactor, roughnessFactor } });
      const translation = [(column - 1) * 0.66, (row - 1) * 0.66, 0];
      scene.node({ mesh: mesh(scene, sphere(), white), translation, scale: [0.3, 0.3, 0.3] });
    }),
  );
  await addFileLight(scene, () => [0.5, 0.5, 0.5], { levels: 3 });
  const gray = encoded(0.5) / 255;
  const viewer = await through(t, scene, { background: [gray, gray, gray, 1] });
  viewer.toneMapping = 'none';
  const now = await seen(t, viewer);
  let worst = 0;
  for (const at of places())
    for (const value of now.at(...at)) worst = Math.max(worst, Math.abs(decoded(value) / 0.5 - 1));
  t.ok(worst < 0.015, `off by ${worst}`);
});

test('file light: the harmonics light diffuse surfaces', async (t) => {
  const scene = new Scene();
  scene.use('KHR_materials_specular');
  const extensions = { KHR_materials_specular: { specularFactor: 0 } };
  scene.node({ mesh: scene.square(scene.matt([0.8, 0.8, 0.8], { extensions })) });
  const irradianceCoefficients = evenIrradiance([0.3, 0.3, 0.3]);
  // Red from +Z: l10 is the factor of 0.4886 z.
  irradianceCoefficients[2] = [(0.2 * Math.PI) / 0.488603, 0, (-0.2 * Math.PI) / 0.488603];
  await addFileLight(scene, () => [0.3, 0.3, 0.3], { light: { irradianceCoefficients } });
  const viewer = await shownBy(t, scene);
  t.close(await middle(t, viewer), pixel([0.8 * 0.5, 0.8 * 0.3, 0.8 * 0.1]), 2);
});

test('file light: it is the sky, sharp and blurred', async (t) => {
  const scene = await mirror(sixByLevel, { size: 64 });
  scene.json.nodes[1].scale = [0.5, 0.5, 0.5];
  const viewer = await shownBy(t, scene);
  viewer.skybox = true;
  t.close((await seen(t, viewer)).at(0.9, 0.9), pixel(SIX['-Z']), 2);
  await t.throws(() => viewer.setSkyboxImage('file'), 'argument/invalid');
  viewer.skyboxBlur = 1;
  t.close((await seen(t, viewer)).at(0.9, 0.9), pixel(scaled(SIX['-Z'], 0.5)), 2, 'the last level');
});

test('file light: another environment of the page is used in its place, and `file` brings it back', async (t) => {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1] });
  viewer.toneMapping = 'none';
  await viewer.setEnvironment(even(0.25));
  const scene = await mirror(sixByLevel);
  await viewer.load(scene.file());
  viewer.activeCamera = 0;
  t.close(await middle(t, viewer), pixel([0.25, 0.25, 0.25]), 2, 'that of the page');
  await viewer.setEnvironment('file');
  t.equal(viewer.environment, 'file');
  t.close(await middle(t, viewer), pixel(SIX['+Z']), 3, 'that of the file');
  // A model without a light has the studio, and the next one its own again.
  const plain = new Scene();
  plain.node({ mesh: plain.square(material(plain, [1, 1, 1], 1, 0)) });
  await viewer.load(plain.file());
  viewer.activeCamera = 0;
  const studio = await middle(t, viewer);
  await viewer.setEnvironment('studio');
  t.close(await middle(t, viewer), studio, 0, 'the studio');
  await viewer.load(scene.file());
  viewer.activeCamera = 0;
  t.close(await middle(t, viewer), studio, 0, 'the page has chosen the studio');
  await viewer.setEnvironment('file');
  await viewer.setEnvironment(null);
  t.equal(await middle(t, viewer), [0, 0, 0], 'no light');
});

test('file light: is the same after a context loss, and frees what it made', async (t) => {
  const viewer = await shownBy(t, await mirror(sixByLevel));
  viewer.skybox = true;
  const before = await picture(t, viewer);
  const objects = viewer.liveObjects();
  await regained(t, viewer);
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
  t.equal(viewer.liveObjects(), objects);
});

test('file light: in a worker', async (t) => {
  const viewer = await remote(t, { background: [0, 0, 0, 1] }, [SIZE, SIZE]);
  await viewer.load((await mirror(sixByLevel)).file());
  viewer.activeCamera = 0;
  viewer.toneMapping = 'none';
  t.close(await middle(t, viewer), pixel(SIX['+Z']), 3);
});

test('file light: a missing or wrong image is a warning, and the studio shines', async (t) => {
  const plain = new Scene();
  plain.node({ mesh: plain.square(material(plain, [1, 1, 1], 1, 0)) });
  const without = await through(t, plain);
  const studio = await middle(t, without);
  const scenes: [code: string, scene: Scene][] = [];
  for (const [code, image] of [
    ['image/missing', { uri: '/nowhere.png?status=404' }],
    ['image/unsupported', { uri: 'data:image/png;base64,AAAA' }],
    ['image/broken', undefined],
  ] as const) {
    const scene = await mirror(sixByLevel);
    // The last case: a face of another level.
    scene.json.images[0] = image ?? scene.json.images[6];
    scenes.push([code, scene]);
  }
  for (const [code, scene] of scenes) {
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1] });
    const warnings = details<{ code: string }>(viewer, 'warning');
    await viewer.load(scene.file());
    viewer.activeCamera = 0;
    t.equal(
      warnings.map((warning) => warning.code),
      [code],
    );
    t.close(await middle(t, viewer), studio, 0, code);
    await t.throws(() => viewer.setEnvironment('file'), code);
    viewer.dispose();
  }
});

test('file light: the element uses it unless it has an environment', async (t) => {
  const file = new Blob([(await mirror(sixByLevel)).file() as BlobPart]);
  const src = URL.createObjectURL(file);
  t.after(() => URL.revokeObjectURL(src));
  const element = placed({ src });
  await t.until(() => element.modelIsVisible, 'the model');
  t.equal(t.some(element.viewer).environment, 'file');
  element.environmentImage = 'neutral';
  await t.until(() => element.viewer?.environment === 'studio', 'the studio');
  element.environmentImage = null;
  await t.until(() => element.viewer?.environment === 'file', 'the file');
});
