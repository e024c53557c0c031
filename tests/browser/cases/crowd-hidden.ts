// Nodes that are hidden for single members of a crowd. The oracle is actors whose nodes are hidden, or the place of each mesh.

import { createViewer, type Crowd, type CrowdOptions, type Viewer, type ViewerOptions } from 'gambol';
import { recordSession, replaySession, type Session } from 'gambol/record';
import { test, type T } from '../page/api.ts';
import { regained } from './support/loss.ts';
import { SIZE, Scene, seen, through } from './support/scene.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

/** A square of 2 × 2 m: on the left the body and above on the right the helmet, which share a skin; below it a shield without a skin. */
function doll(unlit = true): Scene {
  const scene = new Scene();
  const material = unlit ? scene.unlit([1, 1, 1]) : scene.matt([0.8, 0.6, 0.4], { doubleSided: true });
  const part = (x: number, y: number, height: number, isSkinned: boolean): number => {
    const corners = [0, 0, 1, 0, 1, height, 0, height].map((at, i) => at + (i % 2 ? y : x));
    const positions = [0, 1, 2, 3].flatMap((i) => [corners[2 * i] ?? 0, corners[2 * i + 1] ?? 0, 0]);
    const skinned = {
      JOINTS_0: scene.accessor('VEC4', Array(16).fill(0) as number[], true),
      WEIGHTS_0: scene.accessor(
        'VEC4',
        [0, 1, 2, 3].flatMap(() => [1, 0, 0, 0]),
      ),
    };
    return scene.square(material, { POSITION: scene.accessor('VEC3', positions), ...(isSkinned ? skinned : {}) });
  };
  const skin = scene.add('skins', { joints: [scene.node({ name: 'Bone' })] });
  scene.node({ name: 'Body', mesh: part(-1, -1, 2, true), skin });
  scene.node({ name: 'Helmet', mesh: part(0, 0, 1, true), skin });
  const shield = scene.add('nodes', { name: 'Shield', mesh: part(0, -1, 1, false) });
  scene.node({ name: 'Gear', children: [shield] });
  // A clip, by which members can have cached poses.
  scene.add('animations', {
    name: 'Rest',
    samplers: [
      {
        input: scene.accessor('SCALAR', [0, 1]),
        output: scene.accessor('VEC3', [0, 0, 0, 0, 0, 0]),
      },
    ],
    channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
  });
  return scene;
}

const PLACES = [-0.5, 0.5, 0, 0.5, 0.5, 0, -0.5, -0.5, 0, 0.5, -0.5, 0] as const;
const OPTIONS: CrowdOptions = { positions: PLACES, scales: 0.4 };

/** The scene's own camera shows the members; its meshes are out of sight. */
function empty(): Scene {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1])), translation: [9, 0, 0] });
  return scene;
}

/** A letter for each part that is seen, for each member. */
async function partsOf(t: T, viewer: Viewer): Promise<string[]> {
  const now = await seen(t, viewer);
  return [0, 1, 2, 3].map((member) => {
    const [x, y] = [PLACES[3 * member] ?? 0, PLACES[3 * member + 1] ?? 0];
    const parts = { B: [-0.2, 0], H: [0.2, 0.2], S: [0.2, -0.2] } as const;
    return Object.entries(parts)
      .filter(([, [right, up]]) => now.covered(x + right, y + up))
      .map(([letter]) => letter)
      .join('');
  });
}

test('crowd: wrong arguments of hidden nodes change nothing', async (t) => {
  const viewer = await through(t, empty());
  const crowd = await viewer.addCrowd(doll().file(), OPTIONS);
  for (const [hidden, code] of [
    [{ Hemlet: true }, 'joint/not-found'],
    [{ Helmet: 1 }, 'argument/invalid'],
    [{ Helmet: null }, 'argument/invalid'],
    [{ Helmet: 'true' }, 'argument/invalid'],
    [{ Helmet: [true, false], Gear: [true] }, 'argument/invalid'],
    [{ Helmet: [true, false, true, true, true] }, 'argument/invalid'],
    [{ Helmet: [true, 1, true, true] }, 'argument/invalid'],
    [{ Helmet: true, Hemlet: true }, 'joint/not-found'],
    [7, 'argument/invalid'],
    [null, 'argument/invalid'],
  ] as const)
    await t.throws(() => crowd.set({ hidden } as never), code);
  await t.throws(() => crowd.set({ hidden: { Hemlet: true } }), /did you mean “Helmet”/);
  await t.throws(() => crowd.set({ first: 3, hidden: { Helmet: [true, true] } }), 'argument/invalid');
  await t.throws(() => viewer.addCrowd(crowd.model, { count: 1, hidden: { Hat: true } }), 'joint/not-found');
  t.equal(await partsOf(t, viewer), ['BHS', 'BHS', 'BHS', 'BHS']);
});

for (const baked of [false, true]) {
  test(`crowd: members hide nodes, with a shared skin and with nodes below${baked ? ', baked' : ''}`, async (t) => {
    const viewer = await through(t, empty());
    const hidden = { Helmet: [true, false, false, true], Gear: [false, true, false, true] };
    const crowd = await viewer.addCrowd(doll().file(), { ...OPTIONS, baked, hidden });
    t.equal(await partsOf(t, viewer), ['BS', 'BH', 'BHS', 'B']);
    crowd.set({ first: 1, hidden: { Shield: true, Body: [true, false, false] } });
    t.equal(await partsOf(t, viewer), ['BS', 'H', 'BH', 'B']);
    crowd.set({ hidden: { Gear: false } });
    t.equal(await partsOf(t, viewer), ['BS', 'H', 'BH', 'B'], 'the node below is still hidden');
    crowd.set({ hidden: { Helmet: false, Shield: false, Body: false } });
    t.equal(await partsOf(t, viewer), ['BHS', 'BHS', 'BHS', 'BHS']);
    crowd.set({ first: 2, hidden: { Helmet: true } });
    crowd.count = 3;
    crowd.count = 4;
    crowd.set({ first: 3, positions: PLACES.slice(9), scales: 0.4 });
    t.equal(await partsOf(t, viewer), ['BHS', 'BHS', 'BS', 'BHS'], 'a new member hides nothing');
  });
}

test('crowd: hidden nodes are not picked', async (t) => {
  const viewer = await through(t, empty());
  await viewer.use('picking');
  const crowd = await viewer.addCrowd(doll().file(), OPTIONS);
  const picked = (x: number, y: number): number | undefined =>
    crowd.pick(((1 + x) / 2) * SIZE, ((1 - y) / 2) * SIZE)?.member;
  const all = (): (number | undefined)[] => [picked(-0.3, 0.7), picked(0.7, 0.7), picked(0.7, 0.3), picked(0.3, 0.3)];
  t.equal(all(), [0, 1, 1, 1]);
  crowd.set({ first: 1, hidden: { Helmet: [true, false, false], Gear: [true, false, false] } });
  t.equal(all(), [0, undefined, undefined, 1]);
});

async function withShadows(t: T, options: ViewerOptions): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(160, 100), { maxDpr: 1, background: [0.8, 0.8, 0.8, 1], ...options });
  viewer.timeline = 'manual';
  viewer.shadowIntensity = 1;
  return viewer;
}
const CAMERA = { target: [0, 0, 0], distance: 4, azimuth: 0.6, polar: 1.1 } as const;

for (const renderer of ['own', 'worker'] as const) {
  test(`crowd: hidden nodes cast no shadow, like those of actors, ${renderer}`, async (t) => {
    const options = { renderer };
    const one = renderer === 'worker' ? await remote(t, { background: [0.8, 0.8, 0.8, 1] }, [160, 100]) : null;
    const viewer = one ?? (await withShadows(t, options));
    viewer.timeline = 'manual';
    viewer.shadowIntensity = 1;
    const crowd = await viewer.addCrowd(doll(false).file(), { ...OPTIONS, updateRate: 'full' });
    viewer.camera = CAMERA;
    const before = [...(await picture(t, viewer)).data];
    crowd.set({ hidden: { Body: [false, true, false, true], Gear: [true, false, true, true] } });
    const after = [...(await picture(t, viewer)).data];
    const other = await withShadows(t, {});
    for (let i = 0; i < 4; i++) {
      const position = [PLACES[3 * i] ?? 0, PLACES[3 * i + 1] ?? 0, 0] as const;
      const actor = await other.add(doll(false).file(), { position, scale: 0.4 });
      if (i % 2 === 1) actor.node('Body').visible = false;
      if (i !== 1) actor.node('Gear').visible = false;
    }
    other.camera = CAMERA;
    const wanted = [...(await picture(t, other)).data];
    // The bounds of a crowd keep hidden parts, so the softness of shadows differs a little. A shadow of a hidden part is more.
    const apart = (one: readonly number[]): number =>
      one.reduce((sum, value, i) => sum + Math.abs(value - (wanted[i] ?? 0)), 0);
    t.ok(5 * apart(after) < apart(before), `${apart(after)} of ${apart(before)} before`);
  });
}

test('crowd: a lost context and a session keep hidden nodes', async (t) => {
  const canvas = t.canvas(SIZE, SIZE);
  const viewer = await createViewer(canvas, { maxDpr: 1, background: [0, 0, 0, 1] });
  await viewer.load(empty().file());
  viewer.activeCamera = 0;
  const crowd: Crowd = await viewer.addCrowd(doll().file(), OPTIONS);
  const recording = await recordSession(viewer);
  crowd.set({ hidden: { Helmet: [true, false, false, false] } });
  crowd.set({ first: 3, hidden: { Gear: true } });
  const session = JSON.parse(JSON.stringify(recording.stop())) as Session;
  const wanted = ['BS', 'BHS', 'BHS', 'BH'];
  t.equal(await partsOf(t, viewer), wanted);
  await regained(t, viewer);
  t.equal(await partsOf(t, viewer), wanted, 'after a loss');
  crowd.set({ hidden: { Helmet: false, Gear: false } });
  t.equal(await partsOf(t, viewer), ['BHS', 'BHS', 'BHS', 'BHS']);
  await replaySession(viewer, session);
  t.equal(await partsOf(t, viewer), wanted, 'replayed');
});
