// Shadows on the uneven ground of feet(), compared with rays to the key light.

import type { GroundFunction, Viewer, ViewerOptions } from 'gambol';
import { createViewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { places, Scene, seen, through, type Seen } from './support/scene.ts';
import { remote } from './support/workers.ts';

const LYING = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
/** Towards the key light of the studio. */
const LIGHT = [-0.449, 0.719, 0.529] as const;
const WHITE = { background: [1, 1, 1, 1] as const };
/** The square that casts the shadow: its centre, and half of its edge. */
const CASTER = [-0.4, 0.5, 0] as const;
const HALF = 0.25;

/** A view from above, so that up in the picture is -Z: a red square, specks in two corners, and two legs without a mesh. */
function above(height: number = CASTER[1], x: number = CASTER[0]): Scene {
  const scene = new Scene();
  Object.assign(scene.json.nodes[0], { rotation: LYING, translation: [0, 3, 0] });
  const speck = scene.square(scene.unlit([0, 1, 0]));
  for (const at of [-0.97, 0.97])
    scene.node({ mesh: speck, rotation: LYING, scale: [0.02, 0.02, 0.02], translation: [at, 0, at] });
  const mesh = scene.square(scene.unlit([1, 0, 0]));
  scene.node({ mesh, rotation: LYING, scale: [HALF, HALF, HALF], translation: [x, height, CASTER[2]] });
  const upper = ['Left', 'Right'].map((side, i) => {
    const foot = scene.add('nodes', { name: `Foot${side}`, translation: [0, -0.2, 0] });
    const lower = scene.add('nodes', { children: [foot], translation: [0, -0.2, 0] });
    return scene.add('nodes', { children: [lower], translation: [0.1 - 0.2 * i, 0, 0] });
  });
  scene.node({ name: 'Hips', children: upper, translation: [0, 0.4, 0] });
  return scene;
}

/** The feet stay where they are, so that only the shadow changes. */
const feet = (ground: GroundFunction | object): object => ({
  ground,
  weight: 0,
  joints: ['FootLeft', 'FootRight'],
});

/** `true` if the square, with another size, is between a point and the light. */
function isBehind(x: number, y: number, z: number, size: number, centre: readonly number[] = CASTER): boolean {
  const way = ((centre[1] ?? 0) - y) / LIGHT[1];
  const off = [x + way * LIGHT[0] - (centre[0] ?? 0), z + way * LIGHT[2] - (centre[2] ?? 0)];
  return way > 0 && off.every((one) => Math.abs(one) < size * HALF);
}

/** The darkness of a pixel on the ground; undefined where the ground is covered. */
function shade(now: Seen, x: number, y: number): number | undefined {
  const rgb = now.at(x, y);
  return Math.max(...rgb) - Math.min(...rgb) > 12 ? undefined : 1 - rgb[0] / 255;
}

/** `true` if a speck, which casts a small shadow of its own, is near a point or near its ray to the light. */
function isAtSpeck(x: number, y: number, z: number): boolean {
  const way = Math.max(-y / LIGHT[1], 0);
  return [0, way].some((t) =>
    [-0.97, 0.97].some((at) => Math.hypot(x + t * LIGHT[0] - at, z + t * LIGHT[2] - at) < 0.2),
  );
}

/**
 * Compares the shadow of the square with rays from a ground. `moved` is the place of the model, and of its camera.
 */
function compare(
  t: T,
  now: Seen,
  ground: (x: number, z: number) => number,
  moved: readonly [x: number, z: number] = [0, 0],
): void {
  let [dark, light] = [0, 0];
  for (const [right, up] of places()) {
    const found = shade(now, right, up);
    const [x, z] = [right + moved[0], -up + moved[1]];
    const height = ground(x, z);
    // Near an edge of the shadow or of a step, the pixel may be either.
    const around = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => ground(x + i / 32, z + j / 32)));
    if (found === undefined || around.some((near) => Math.abs(near - height) > 0.1)) continue;
    const centre = [CASTER[0] + moved[0], CASTER[1], CASTER[2] + moved[1]];
    const what = `${x.toFixed(3)}, ${height.toFixed(3)}, ${z.toFixed(3)}: ${found.toFixed(3)}`;
    if (isBehind(x, height, z, 0.75, centre)) {
      dark += 1;
      t.ok(found > 0.2, `not dark at ${what}`);
    } else if (!isBehind(x, height, z, 1.3, centre) && !isAtSpeck(x - moved[0], height, z - moved[1])) {
      light += 1;
      t.ok(found < 0.04, `not light at ${what}`);
    }
  }
  t.ok(dark > 40 && light > 1500, `${dark} dark and ${light} light pixels`);
}

async function shown(t: T, viewer: Viewer): Promise<Seen> {
  await t.frames(3);
  return seen(t, viewer);
}

async function shadowed(t: T, scene: Scene, options: ViewerOptions = {}): Promise<Viewer> {
  const viewer = await through(t, scene, { ...WHITE, ...options });
  Object.assign(viewer, { shadowIntensity: 1, shadowSoftness: 0 });
  return viewer;
}

const GROUNDS: Readonly<Record<string, (x: number, z: number) => number>> = {
  slope: (x) => -0.5 - 0.6 * x,
  stairs: (_, z) => -0.25 - 0.2 * Math.floor((z + 0.02) / 0.3),
  step: (x) => (x < 0.35 ? -0.6 : 0.1),
};

for (const [name, ground] of Object.entries(GROUNDS)) {
  test(`ground shadows: lie on the ground of feet(), a ${name}`, async (t) => {
    const viewer = await shadowed(t, above());
    compare(t, await shown(t, viewer), () => 0);
    const plane = await seen(t, viewer);
    viewer.feet(feet(ground));
    const now = await shown(t, viewer);
    await t.save(`ground-shadow-${name}.png`, now.image);
    compare(t, now, ground);
    viewer.feet(null);
    t.samePixels((await shown(t, viewer)).image, plane.image);
  });
}

test('ground shadows: follow a model that moves, and a ground that changes', async (t) => {
  const viewer = await shadowed(t, above());
  let level = -0.5;
  viewer.feet(feet((x: number) => level + 0.2 * x));
  compare(t, await shown(t, viewer), (x) => -0.5 + 0.2 * x);
  viewer.place = { position: [0.3, 0, 0.2] };
  await t.frames(3);
  compare(t, await shown(t, viewer), (x) => -0.5 + 0.2 * x, [0.3, 0.2]);
  viewer.place = {};
  level = -0.2;
  // A ground is compared row by row.
  for (let i = 0; i < 4; i++) {
    viewer.place = { position: [0.0001 * i, 0, 0] };
    await t.frames(2);
  }
  compare(t, await shown(t, viewer), (x) => -0.2 + 0.2 * x);
});

test('ground shadows: a hole has no shadow, and bad heights far from the feet are holes', async (t) => {
  const plain = await shadowed(t, above());
  plain.feet(feet(() => -0.1));
  const whole = await shown(t, plain);
  const viewer = await shadowed(t, above());
  const bad: GroundFunction = (x, z) => {
    if (z < -0.5) return null;
    if (x > 0.9) throw new Error('too far');
    if (z > 0.8) return NaN;
    if (x < -0.9) return 1e30;
    return z > 0.7 ? -Infinity : -0.1;
  };
  viewer.feet(feet(bad));
  const now = await shown(t, viewer);
  let [lost, kept] = [0, 0];
  for (const [x, y] of places()) {
    const [before, after] = [shade(whole, x, y) ?? 0, shade(now, x, y) ?? 0];
    if (-y < -0.6) t.ok(after < 0.02, `a hole at ${x}, ${-y}: ${after}`);
    if (-y < -0.6 && before > 0.2) lost += 1;
    if (-y < -0.4 || before <= 0.2 || isAtSpeck(x, -0.1, -y)) continue;
    kept += 1;
    t.ok(after > 0.2, `no hole at ${x}, ${-y}: ${after}`);
  }
  t.ok(lost > 20 && kept > 20, `${lost} and ${kept} pixels`);
});

test('ground shadows: contact shadows are where the ground is, not at the plane', async (t) => {
  const darkness = async (height: number): Promise<number> => {
    const viewer = await shadowed(t, above(height, 0));
    await viewer.setEnvironment(null);
    viewer.feet(feet((x: number) => 0.45 + 0.1 * x));
    const now = await shown(t, viewer);
    viewer.dispose();
    return [...places()].reduce((sum, at) => sum + (shade(now, ...at) ?? 0), 0);
  };
  const [near, far] = [await darkness(0.5), await darkness(1.4)];
  t.ok(near > 3 && far < 0.2 * near, `${near} near the ground, ${far} above it`);
});

test('ground shadows: an actor as the ground has them on its own surface', async (t) => {
  const viewer = await shadowed(t, above());
  const scene = new Scene();
  // Beside the picture, except for an edge.
  scene.node({ mesh: scene.square(scene.matt([0.8, 0.8, 0.8])), rotation: LYING, translation: [1.7, -0.2, 0] });
  const floor = await viewer.add(scene.file());
  viewer.feet(feet(floor));
  const now = await shown(t, viewer);
  for (const [x, y] of places())
    if (x < 0.65) t.ok((shade(now, x, y) ?? 0) < 0.02, `nothing at ${x}, ${-y}: ${now.at(x, y).join()}`);
  // Its removal takes the ground with it.
  floor.remove();
  viewer.feet(null);
  compare(t, await shown(t, viewer), () => 0);
});

test('ground shadows: a worker, and viewers that share a context, draw them', async (t) => {
  const begin = async (viewer: Viewer, ground: GroundFunction): Promise<Viewer> => {
    await viewer.load(above().file());
    viewer.activeCamera = 0;
    Object.assign(viewer, { shadowIntensity: 1, shadowSoftness: 0 });
    viewer.feet(feet(ground));
    return viewer;
  };
  const { slope = () => 0 } = GROUNDS;
  const level = (): number => -0.9;
  compare(t, await shown(t, await begin(await remote(t, WHITE, [64, 64]), slope)), slope);
  const shared = { maxDpr: 1, renderer: 'shared', ...WHITE } as const;
  const first = await begin(await createViewer(t.canvas(64, 64), shared), slope);
  const second = await begin(await createViewer(t.canvas(64, 64), shared), level);
  compare(t, await shown(t, first), slope);
  compare(t, await shown(t, second), level);
  compare(t, await shown(t, first), slope);
});
