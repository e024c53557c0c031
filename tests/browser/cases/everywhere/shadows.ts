// Shadows: on the ground, on other objects, and moving with the pose.

import type { Viewer } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { Scene, seen, through, places, type Seen } from '../support/scene.ts';
import { countGlObjects, picture } from '../support/watch.ts';

const LYING = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/**
 * A view from above, so that up in the picture is -Z: a red square at a height, and specks in two corners of the
 * ground.
 */
function above(height: number): { scene: Scene; square: number } {
  const scene = new Scene();
  Object.assign(scene.json.nodes[0], { rotation: LYING, translation: [0, 3, 0] });
  const speck = scene.square(scene.unlit([0, 1, 0]));
  for (const at of [-0.97, 0.97])
    scene.node({ mesh: speck, rotation: LYING, scale: [0.02, 0.02, 0.02], translation: [at, 0, at] });
  const square = scene.node({
    mesh: scene.square(scene.unlit([1, 0, 0])),
    rotation: LYING,
    scale: [0.2, 0.2, 0.2],
    translation: [-0.4, height, 0],
  });
  return { scene, square };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The total darkness of the grey pixels, and its centroid; the background is white. */
function darkness(now: Seen): { sum: number; x: number; y: number } {
  let [sum, x, y] = [0, 0, 0];
  for (const at of places()) {
    const [red, green, blue] = now.at(...at);
    // Skips pixels that are red or green rather than grey.
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 12) continue;
    const dark = 1 - red / 255;
    sum += dark;
    x += dark * at[0];
    y += dark * at[1];
  }
  return { sum, x: x / sum, y: y / sum };
}

const WHITE = { background: [1, 1, 1, 1] as const };

async function dark(t: T, viewer: Viewer): Promise<{ sum: number; x: number; y: number }> {
  return darkness(await seen(t, viewer));
}

test('shadows: fall on the ground, away from the key light, and follow the pose', async (t) => {
  const { scene, square } = above(0.5);
  const times = scene.accessor('SCALAR', [0, 1]);
  const places = scene.accessor('VEC3', [-0.4, 0.5, 0, 0.3, 0.5, 0]);
  scene.add('animations', {
    name: 'Slide',
    samplers: [{ input: times, output: places }],
    channels: [{ sampler: 0, target: { node: square, path: 'translation' } }],
  });
  const viewer = await through(t, scene, WHITE);
  t.close((await dark(t, viewer)).sum, 0, 1e-6, 'no shadow to begin with');
  viewer.shadowIntensity = 1;
  await viewer.seek(0);
  const first = await dark(t, viewer);
  await t.save('shadow-first.png', (await seen(t, viewer)).image);
  t.ok(first.sum > 20, `it is dark: ${first.sum}`);
  await viewer.seek(1);
  const last = await dark(t, viewer);
  t.close(last.x - first.x, 0.7, 0.12, 'it moves as the square does');
  // The studio's key light is at (-0.449, 0.719, 0.529): half a metre of height moves the shadow by 0.31 and 0.37.
  t.close([first.x, first.y], [-0.4 + 0.31, 0.37], 0.12, 'away from the light');

  viewer.environmentRotation = Math.PI;
  await viewer.seek(0);
  const turned = await dark(t, viewer);
  t.close(turned.y, -0.37, 0.15, 'the light turned with the environment');
  viewer.environmentRotation = 0;
  viewer.shadowIntensity = 0.5;
  t.close((await dark(t, viewer)).sum / first.sum, 0.5, 0.06, 'half as dark');
  viewer.shadowIntensity = 0;
  t.equal((await dark(t, viewer)).sum, 0);
});

test('shadows: contact shadows are dark in any light', async (t) => {
  const sums: number[] = [];
  for (const height of [0.02, 0.9]) {
    const { scene } = above(height);
    const viewer = await through(t, scene, WHITE);
    await viewer.setEnvironment(null);
    viewer.shadowIntensity = 1;
    sums.push((await dark(t, viewer)).sum);
    viewer.dispose();
  }
  const [near = 0, far = 0] = sums;
  t.ok(near > 3 && far < 0.2 * near, `${near} near the ground, ${far} high above`);
});

test('shadows: softness widens the edges', async (t) => {
  const between: number[] = [];
  for (const softness of [0, 1]) {
    const { scene } = above(0.5);
    const viewer = await through(t, scene, WHITE);
    Object.assign(viewer, { shadowIntensity: 1, shadowSoftness: softness });
    const now = await seen(t, viewer);
    const greys = [...places()]
      .map((at) => now.at(...at))
      .filter(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) < 12)
      .map(([r]) => r);
    const darkest = Math.min(...greys);
    between.push(greys.filter((grey) => grey > darkest + 20 && grey < 235).length);
    viewer.dispose();
  }
  t.ok((between[1] ?? 0) > (between[0] ?? 0) + 10, between.join(', '));
});

test('shadows: are sharp near the caster, and soft far from it', async (t) => {
  const widths: number[] = [];
  for (const height of [0.15, 0.9]) {
    const scene = new Scene();
    Object.assign(scene.json.nodes[0], { rotation: LYING, translation: [0, 3, 0] });
    const speck = scene.square(scene.unlit([0, 1, 0]));
    // The same bounding box at every height.
    for (const [at, up] of [
      [-0.97, 0],
      [0.97, 0],
      [-0.97, 1],
    ] as const) {
      scene.node({ mesh: speck, rotation: LYING, scale: [0.02, 0.02, 0.02], translation: [at, up, at] });
    }
    const square = scene.square(scene.unlit([1, 0, 0]));
    // The studio's key light is at (-0.449, 0.719, 0.529): the shadow is in the middle of the picture.
    scene.node({
      mesh: square,
      rotation: LYING,
      scale: [0.3, 0.3, 0.3],
      translation: [-0.624 * height, height, 0.736 * height],
    });
    const viewer = await through(t, scene, WHITE);
    Object.assign(viewer, { shadowIntensity: 1, shadowSoftness: 1 });
    const now = await seen(t, viewer);
    await t.save(`shadow-edge-${height}.png`, now.image);
    // Without a key light there is only ambient occlusion near the ground.
    await viewer.setEnvironment(null);
    const contact = await seen(t, viewer);
    // From the shadow to the right, where the square hides nothing: the pixels between light and dark. The mean of
    // eight rows, since noise rotates the taps of each pixel.
    const share = (x: number, y: number): number => now.at(x, y)[0] / contact.at(x, y)[0];
    const line = Array.from({ length: 12 }, (_, i) =>
      mean(Array.from({ length: 8 }, (_, row) => share(0.23 + i / 32, -0.2 + row / 32))),
    );
    const [darkest, lightest] = [Math.min(...line), Math.max(...line)];
    t.ok(darkest < 0.8 && lightest > 0.95, `from shadow to light: ${line}`);
    widths.push(line.filter((share) => share > darkest + 0.04 && share < lightest - 0.04).length);
    viewer.dispose();
  }
  const [near = 0, far = 0] = widths;
  t.ok(near <= 2 && far >= 5, `${near} and ${far} pixels between light and shadow`);
});

test('shadows: keep their resolution in a large scene', async (t) => {
  const pictures: ImageData[] = [];
  for (const far of [0.97, 150]) {
    const { scene } = above(0.5);
    const { nodes } = scene.json;
    nodes[1].translation = [-far, 0, -far];
    nodes[2].translation = [far, 0, far];
    nodes[2].scale = nodes[1].scale = [1e-3, 1e-3, 1e-3];
    const viewer = await through(t, scene, WHITE);
    viewer.shadowIntensity = 1;
    pictures.push((await seen(t, viewer)).image);
    viewer.dispose();
  }
  const [small, large] = pictures;
  if (small && large) {
    await t.save('shadow-large.png', large);
    // Shadow map texels of another size end elsewhere.
    t.samePixels(large, small, { channel: 24, outliers: 0.01 });
  }
});

test('shadows: an object is shadowed by others, not by itself', async (t) => {
  const { scene } = above(0.5);
  scene.node({
    mesh: scene.square(scene.matt([0.3, 0.3, 0.3])),
    rotation: LYING,
    scale: [0.95, 0.95, 0.95],
    translation: [0, 0.01, 0],
  });
  const viewer = await through(t, scene, WHITE);
  const before = await seen(t, viewer);
  viewer.shadowIntensity = 1;
  const after = await seen(t, viewer);
  await t.save('shadow-on-thing.png', after.image);
  t.ok(
    after.at(-0.09, 0.37)[0] < 0.8 * before.at(-0.09, 0.37)[0],
    `${after.at(-0.09, 0.37)} was ${before.at(-0.09, 0.37)}`,
  );
  for (const [x, y] of [
    [0.7, -0.7],
    [-0.7, -0.7],
    [0.7, 0.7],
  ] as const)
    t.close(after.at(x, y), before.at(x, y), 2, `${x}, ${y}`);
});

test('shadows: alpha masks and glass let light through', async (t) => {
  const sums: number[] = [];
  for (const [alphaMode, alpha] of [
    ['OPAQUE', 0.2],
    ['MASK', 0.2],
    ['BLEND', 0.2],
    ['BLEND', 0.5],
    ['BLEND', 0.8],
    ['BLEND', 1],
  ] as const) {
    const { scene } = above(0.5);
    const material = scene.json.materials[1];
    material.pbrMetallicRoughness.baseColorFactor[3] = alpha;
    material.alphaMode = alphaMode;
    const viewer = await through(t, scene, WHITE);
    viewer.shadowIntensity = 1;
    sums.push((await dark(t, viewer)).sum);
    viewer.dispose();
  }
  const [opaque = 0, mask = 0, ...glasses] = sums;
  t.ok(opaque > 20 && mask < 0.02 * opaque, sums.join(', '));
  t.close(
    glasses.map((sum) => sum / opaque),
    [0.2, 0.5, 0.8, 1],
    0.04,
    'what blends casts by its alpha',
  );
});

test('shadows: are transparent black on a transparent canvas', async (t) => {
  const { scene } = above(0.5);
  const viewer = await through(t, scene, { background: null });
  viewer.shadowIntensity = 1;
  const { data } = await picture(t, viewer);
  let half = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(i, i + 4);
    if (alpha > 20 && alpha < 235 && Math.max(red, green, blue) < 20) half += 1;
  }
  t.ok(half > 50, `${half} pixels`);
});

test('shadows: a steady frame with shadows and skybox creates no object', async (t) => {
  const count = countGlObjects();
  const { scene } = above(0.5);
  const viewer = await through(t, scene);
  Object.assign(viewer, { shadowIntensity: 1, skybox: true, skyboxBlur: 0.5 });
  await picture(t, viewer);
  const before = count();
  const held = viewer.liveObjects();
  for (let i = 0; i < 5; i++) {
    viewer.orbit(0.1, 0);
    viewer.shadowSoftness = i / 5;
    await picture(t, viewer);
  }
  t.equal(count(), before);
  t.equal(viewer.liveObjects(), held);
  t.ok((held['framebuffers'] ?? 0) > 0, 'framebuffers are counted');
  viewer.dispose();
  t.ok(
    Object.values(count()).every((left) => left === 0),
    JSON.stringify(count()),
  );
});
