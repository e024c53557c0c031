// The cameras of a file: listed, activated, and updated while clips move them.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { SIZE, Scene, seen, through, type Json } from './support/scene.ts';
import { picture } from './support/watch.ts';

/** A white square from -0.5 to 0.5 in the plane z = 0. */
function square(scene: Scene): void {
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1])), scale: [0.5, 0.5, 1] });
}

/** The edges of the white area in clip space, -1 … 1 from left to right and from the bottom up. */
async function edges(t: T, viewer: Viewer): Promise<{ left: number; right: number; bottom: number; top: number }> {
  const { data, width, height } = await picture(t, viewer);
  // With antialiased edges, the sum of the pixels' white is the position of the edge.
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i] ?? 0) < 128) continue;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.max(top, height - y);
    bottom = Math.min(bottom, height - y - 1);
  }
  const clip = (at: number, size: number): number => (2 * at) / size - 1;
  return { left: clip(left, width), right: clip(right, width), bottom: clip(bottom, height), top: clip(top, height) };
}

/** The size of a pixel in clip space. */
const PIXEL = 2 / SIZE;

async function showsSquare(t: T, viewer: Viewer, x: number, y: number, half: number, message: string): Promise<void> {
  const { left, right, bottom, top } = await edges(t, viewer);
  t.close([left, right, bottom, top], [x - half, x + half, y - half, y + half], PIXEL, message);
}

/** Replaces the orthographic camera by a perspective one at z = 2. */
function perspective(scene: Scene, more: object = {}): void {
  scene.json.cameras[0] = { type: 'perspective', perspective: { yfov: Math.PI / 2, znear: 0.1, ...more } };
}

test('model cameras: are found by name and activated', async (t) => {
  const scene = new Scene();
  square(scene);
  scene.add('cameras', { name: 'Wide', type: 'perspective', perspective: { yfov: Math.PI / 2, znear: 0.1 } });
  scene.node({ camera: 1, translation: [0, 0, 1] });
  // A name that repeats, no name at all, and a camera that the scene does not contain.
  scene.node({ name: 'Eye', camera: 1, translation: [0.25, 0, 1] });
  scene.add('nodes', { name: 'Elsewhere', camera: 1 });
  const viewer = await through(t, scene);
  t.equal(viewer.cameras, ['Eye', 'Wide', 'Eye~2']);
  t.equal(viewer.activeCamera, 'Eye');
  await showsSquare(t, viewer, 0, 0, 0.5, 'in parallel');
  viewer.activeCamera = 'Wide';
  t.equal(viewer.activeCamera, 'Wide');
  await showsSquare(t, viewer, 0, 0, 0.5, 'half a metre, a metre away, at 45°');
  viewer.activeCamera = 2;
  t.equal(viewer.activeCamera, 'Eye~2');
  await showsSquare(t, viewer, -0.25, 0, 0.5, 'from a quarter of a metre to the right');
  for (const wrong of ['Elsewhere', 'nobody', 3, -1, 0.5, NaN])
    await t.throws(() => {
      viewer.activeCamera = wrong;
    }, 'argument/invalid');
  t.equal(viewer.activeCamera, 'Eye~2');
});

test('model cameras: input to the viewer camera activates it, and so does a new model', async (t) => {
  const scene = new Scene();
  square(scene);
  const viewer = await through(t, scene);
  const parallel = await picture(t, viewer);
  viewer.activeCamera = null;
  const own = await picture(t, viewer);
  t.ok(
    own.data.some((value, i) => value !== parallel.data[i]),
    'another view',
  );
  const moves: (() => void)[] = [
    () => viewer.orbit(0.1, 0),
    () => viewer.pan(0.1, 0),
    () => viewer.zoom(2),
    () => viewer.resetCamera(),
    () => (viewer.camera = { azimuth: 1 }),
  ];
  for (const move of moves) {
    viewer.activeCamera = 0;
    t.samePixels(await picture(t, viewer), parallel);
    move();
    t.equal(viewer.activeCamera, null);
  }
  viewer.activeCamera = 0;
  viewer.canvas.style.width = '80px';
  await t.until(() => viewer.canvas.width === 80, 'another size');
  t.equal(viewer.activeCamera, 'Eye', 'which moves nothing');
  await viewer.load(scene.file());
  t.equal(viewer.activeCamera, null);
  await viewer.load('/sample.glb');
  t.equal([viewer.cameras, viewer.activeCamera], [[], null]);
});

test('model cameras: a camera follows its node and the ancestors of the node', async (t) => {
  const scene = new Scene();
  square(scene);
  scene.json.scenes[0].nodes.shift();
  // The scale of a camera's parent does not affect the view.
  const rig = scene.node({ children: [0], scale: [3, 1, 1] });
  const input = scene.accessor('SCALAR', [0, 1]);
  const output = scene.accessor('VEC3', [0, 0, 0, 0.5, -0.25, 0]);
  scene.add('animations', {
    samplers: [{ input, output }],
    channels: [{ sampler: 0, target: { node: rig, path: 'translation' } }],
  });
  const viewer = await through(t, scene);
  await showsSquare(t, viewer, 0, 0, 0.5, 'at first');
  await viewer.seek(1);
  await showsSquare(t, viewer, -0.5, 0.25, 0.5, 'after a second');
  await viewer.seek(0.5);
  await showsSquare(t, viewer, -0.25, 0.125, 0.5, 'half-way');
  viewer.play();
  await t.until(() => viewer.currentTime > 0.6, 'it plays');
  viewer.pause();
  const { left } = await edges(t, viewer);
  t.close(left, -0.5 - 0.5 * viewer.currentTime, PIXEL, 'while it plays');
});

test('model cameras: an animated rotation turns the view', async (t) => {
  const scene = new Scene();
  square(scene);
  perspective(scene);
  const [sin, cos] = [Math.sin(0.1), Math.cos(0.1)];
  const input = scene.accessor('SCALAR', [0, 1]);
  const output = scene.accessor('VEC4', [0, 0, 0, 1, 0, sin, 0, cos]);
  scene.add('animations', {
    samplers: [{ input, output }],
    channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
  });
  const viewer = await through(t, scene);
  await showsSquare(t, viewer, 0, 0, 0.25, 'half a metre, two metres away');
  await viewer.seek(1);
  // The camera turns to the left by 0.2, so that points in front of it are to the right.
  const { left, right } = await edges(t, viewer);
  const at = (x: number): number => Math.tan(Math.atan2(x, 2) + 0.2);
  t.close([left, right], [at(-0.5), at(0.5)], PIXEL);
});

test('KHR_animation_pointer: animates perspective cameras', async (t) => {
  const scene = new Scene();
  square(scene);
  perspective(scene, { zfar: 10 });
  scene.animate('/cameras/0/perspective/yfov', 'SCALAR', [0, 1], [Math.PI / 2, 0.7]);
  scene.animate('/cameras/0/perspective/zfar', 'SCALAR', [0, 1, 1.001], [10, 10, 1.5]);
  const viewer = await through(t, scene);
  for (const [time, yfov] of [
    [0, Math.PI / 2],
    [1, 0.7],
    [0.5, Math.PI / 4 + 0.35],
  ] as const) {
    await viewer.seek(time);
    await showsSquare(t, viewer, 0, 0, 0.25 / Math.tan(yfov / 2), `at ${time} s`);
  }
  viewer.clip = 1;
  await viewer.seek(1);
  await showsSquare(t, viewer, 0, 0, 0.25, 'nearer than the far plane');
  await viewer.seek(2);
  t.ok(!(await seen(t, viewer)).covered(0, 0), 'beyond the far plane');
});

test('KHR_animation_pointer: animates orthographic cameras', async (t) => {
  const scene = new Scene();
  square(scene);
  scene.animate('/cameras/0/orthographic/ymag', 'SCALAR', [0, 1], [1, 2]);
  const viewer = await through(t, scene);
  await viewer.seek(0.5);
  await showsSquare(t, viewer, 0, 0, 0.5 / 1.5, 'all of a view that is 1.5 times as high, unstretched');
});

test('model cameras: another aspect ratio shows the whole view', async (t) => {
  for (const [aspectRatio, half] of [
    [undefined, 0.25],
    [0.5, 0.25],
    [2, 0.125],
  ] as const) {
    const scene = new Scene();
    square(scene);
    perspective(scene, { aspectRatio });
    const viewer = await through(t, scene);
    await showsSquare(t, viewer, 0, 0, half, `made for ${aspectRatio ?? 'any shape'}`);
    viewer.dispose();
  }
});

test('model cameras: the active camera survives a context loss', async (t) => {
  const scene = new Scene();
  square(scene);
  const viewer = await through(t, scene);
  const before = await picture(t, viewer);
  const loss = t.some(viewer.canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context'));
  let restored = false;
  viewer.addEventListener('contextrestored', () => (restored = true));
  loss.loseContext();
  await t.sleep(50);
  loss.restoreContext();
  await t.until(() => restored, 'the return');
  t.equal(viewer.activeCamera, 'Eye');
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
});

test('model cameras: an invalid projection activates the viewer camera', async (t) => {
  const scene = new Scene();
  square(scene);
  (scene.json as Json).nodes[0].name = 'Eye';
  perspective(scene);
  scene.animate('/cameras/0/perspective/yfov', 'SCALAR', [0, 1], [1, -1]);
  const viewer = await through(t, scene);
  await viewer.seek(1);
  const fallen = await picture(t, viewer);
  t.equal(viewer.activeCamera, 'Eye');
  viewer.activeCamera = null;
  t.samePixels(fallen, await picture(t, viewer));
});

test('arguments: targets, limits, backgrounds and segments may be typed arrays', async (t) => {
  const viewer = await createViewer(t.canvas());
  await viewer.load('/sample.glb');
  const list = (...numbers: number[]): [number, number, number] =>
    Float64Array.from(numbers) as unknown as [number, number, number];
  viewer.cameraLimits = {
    azimuth: list(-1, 1) as unknown as [number, number],
    target: { center: list(0, 0, 0), radius: 9 },
  };
  viewer.camera = { target: list(0.25, 0.5, 0) };
  t.equal(viewer.camera.target, [0.25, 0.5, 0]);
  viewer.moveCamera({ target: list(0, 0.5, 0) });
  t.equal(viewer.cameraGoal.target, [0, 0.5, 0]);
  viewer.background = list(1, 0, 0, 1) as unknown as [number, number, number, number];
  viewer.play('Walk');
  viewer.segment = list(0.25, 0.5) as unknown as [number, number];
  t.equal(viewer.segment, [0.25, 0.5]);
  for (const target of [null, 3, [0, 0], list(0, NaN, 0)] as unknown as [number, number, number][])
    await t.throws(() => {
      viewer.camera = { target };
    }, 'argument/invalid');
});
