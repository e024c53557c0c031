// Chains, look-at through several joints, spring bones and feet: by scripts, by children, in a worker, after a lost context.

import { createViewer, type GroundFunction, type SpringCollider, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

type Vector = readonly [number, number, number];

const at = (viewer: Viewer, joint: string): Vector => {
  const { world } = viewer.joint(joint);
  return [world[12] ?? NaN, world[13] ?? NaN, world[14] ?? NaN];
};
const away = (a: Vector, b: Vector): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The sample character; only the test advances time. */
async function character(viewer: Viewer): Promise<Viewer> {
  viewer.timeline = 'manual';
  await viewer.load('/sample.glb');
  viewer.play('Idle');
  viewer.advance(0.1);
  return viewer;
}

const here = async (t: T): Promise<Viewer> => character(await createViewer(t.canvas(160, 120)));

/** Draws frames of 1/60 s. */
async function walked(t: T, viewer: Viewer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    viewer.advance(1 / 60);
    await t.frames(1);
  }
}

test('procedural: invalid arguments are errors without effect', async (t) => {
  const viewer = await here(t);
  const hash = viewer.poseHash();
  const tip = viewer.joint('Tail5');
  for (const chain of [0, -1, 1.5, NaN, 99, '2' as unknown as number])
    await t.throws(() => tip.ik([0, 0, 0], { chain }), 'argument/invalid');
  await t.throws(() => tip.ik([0, NaN, 0], { chain: 2 }), 'argument/invalid');
  await t.throws(() => tip.ik([0, 0, 0], { chain: 2, solver: 'x' as 'ccd' }), 'argument/invalid');
  await t.throws(() => tip.ik([0, 0, 0], { chain: 2, limits: -1 }), 'argument/invalid');
  await t.throws(
    () => tip.ik([0, 0, 0], { chain: 2, limits: [{ axis: [1, 0] as unknown as Vector }] }),
    'argument/invalid',
  );
  await t.throws(() => tip.ik([0, 0, 0], { chain: 2, limits: 'low' as unknown as number }), 'argument/invalid');
  const head = viewer.joint('Head');
  await t.throws(() => head.lookAt([0, 1, 1], { speed: -1 }), 'argument/invalid');
  await t.throws(() => head.lookAt([0, 1, 1], { joints: { Neck: 2 } }), 'argument/invalid');
  await t.throws(() => head.lookAt([0, 1, 1], { joints: { Nekc: 1 } }), /did you mean “Neck”/);
  const tail = viewer.joint('Tail1');
  await t.throws(() => tail.spring({ stiffness: -1 }), 'argument/invalid');
  await t.throws(() => tail.spring({ drag: 2 }), 'argument/invalid');
  await t.throws(() => tail.spring({ gravity: NaN }), 'argument/invalid');
  await t.throws(() => tail.spring({ center: 'Nobody' }), 'joint/not-found');
  await t.throws(() => tail.spring({ colliders: [{ joint: 'Head', radius: -1 }] }), 'argument/invalid');
  await t.throws(() => tail.spring({ colliders: [null as unknown as SpringCollider] }), 'argument/invalid');
  await t.throws(() => tail.spring({ colliders: 1 as unknown as SpringCollider[] }), 'argument/invalid');
  await t.throws(() => viewer.joint('Tuft').spring(), 'argument/invalid');
  await t.throws(() => viewer.feet({ weight: 2 }), 'argument/invalid');
  await t.throws(() => viewer.feet({ ground: 'hill' as 'flat' }), 'argument/invalid');
  await t.throws(() => viewer.feet({ ground: viewer }), 'argument/invalid');
  await t.throws(() => viewer.feet({ ground: () => 'low' as unknown as number }), 'argument/invalid');
  await t.throws(() => viewer.feet({ ground: () => ({ y: 1, normal: [0, NaN, 0] }) }), 'argument/invalid');
  await t.throws(() => viewer.feet({ joints: 2 as unknown as string[] }), 'argument/invalid');
  await t.throws(() => viewer.feet({ joints: ['Nobody'] }), 'joint/not-found');
  await t.throws(() => viewer.feet({ joints: ['Root'] }), 'joint/not-found');
  t.equal(viewer.poseHash(), hash);
});

test('procedural: a chain reaches its target by both solvers, and null ends it', async (t) => {
  const viewer = await here(t);
  const tip = viewer.joint('Tail5');
  const before = at(viewer, 'Tail5');
  const target: Vector = [before[0] + 0.1, before[1] + 0.05, before[2] + 0.05];
  for (const solver of ['fabrik', 'ccd'] as const) {
    tip.ik(target, { chain: 4, solver });
    t.ok(away(at(viewer, 'Tail5'), target) < 1e-3, solver);
  }
  tip.ik(target, { chain: 4, limits: 0.01 });
  t.ok(away(at(viewer, 'Tail5'), target) > 1e-2, 'limits hold it back');
  tip.ik(null);
  t.ok(away(at(viewer, 'Tail5'), before) < 1e-6);
});

test('procedural: springs swing, settle after a seek, and end', async (t) => {
  const viewer = await here(t);
  const still = at(viewer, 'Tail5');
  viewer.joint('Tail1').spring({ stiffness: 0, gravity: 1, drag: 0.1 });
  const settled = at(viewer, 'Tail5');
  t.ok(settled[1] < still[1] - 0.02, 'the tail hangs');
  await walked(t, viewer, 1);
  viewer.place = { position: [0.3, 0, 0] };
  const moved = at(viewer, 'Tail5');
  await walked(t, viewer, 3);
  const swung = at(viewer, 'Tail5');
  t.ok(away(swung, moved) > 0.01, 'it lags behind');
  viewer.joint('Tail1').spring(null);
  viewer.place = {};
  await viewer.seek(0.1);
  t.ok(away(at(viewer, 'Tail5'), still) < 1e-5);
});

test('procedural: several joints look at a target with a speed, and fade', async (t) => {
  const viewer = await here(t);
  const chest = viewer.joint('Chest').world.slice(8, 11);
  const head = viewer.joint('Head');
  head.lookAt([3, 1, 3], { joints: { Chest: 0.3 }, speed: 2 });
  await walked(t, viewer, 60);
  const turned = viewer.joint('Chest').world.slice(8, 11);
  t.ok((turned[0] ?? 0) > (chest[0] ?? 0) + 0.05, 'the chest turns, too');
  head.lookAt(null);
  await walked(t, viewer, 30);
  const back = viewer.joint('Chest').world.slice(8, 11);
  t.ok(Math.abs((back[0] ?? 0) - (chest[0] ?? 0)) < 0.05);
});

const step: GroundFunction = (x) => ({ y: x > 0 ? 0.06 : 0 });

/** The heights of both feet, the one on the left side of the model first. */
const heights = (viewer: Viewer): readonly [number, number] => [at(viewer, 'FootL')[1], at(viewer, 'FootR')[1]];

test('procedural: feet stand on the ground of a function', async (t) => {
  const viewer = await here(t);
  const before = heights(viewer);
  const side = at(viewer, 'FootL')[0] > 0 ? 0 : 1;
  viewer.feet({ ground: step });
  await walked(t, viewer, 30);
  const now = heights(viewer);
  t.close((now[side] ?? 0) - (before[side] ?? 0), 0.06, 5e-3);
  t.close((now[1 - side] ?? 0) - (before[1 - side] ?? 0), 0, 5e-3);
  viewer.feet(null);
  await walked(t, viewer, 20);
  t.close(heights(viewer)[side] ?? 0, before[side] ?? 0, 5e-3);
});

test('procedural: feet stand on an actor', async (t) => {
  const viewer = await here(t);
  const before = heights(viewer);
  // The surface of a scaled character from above is uneven, but not empty.
  const ground = await viewer.add('/sample.glb', { position: [0, -0.9, 0] });
  viewer.feet({ ground, weight: 1 });
  await walked(t, viewer, 30);
  t.ok(heights(viewer).every(Number.isFinite));
  ground.remove();
  await walked(t, viewer, 30);
  t.close(heights(viewer)[0], before[0], 5e-3);
});

test('procedural: a worker has the same poses', async (t) => {
  const hashes: string[][] = [];
  const pictures: ImageData[] = [];
  for (const viewer of [await createViewer(t.canvas(64, 64), { maxDpr: 1 }), await remote(t, {}, [64, 64])]) {
    await character(viewer);
    const before = heights(viewer);
    viewer.joint('Tail1').spring({ stiffness: 0.2, gravity: 0.5 });
    viewer.joint('Head').lookAt([2, 1, 2], { joints: { Neck: 0.5 }, speed: 3 });
    viewer.feet({ ground: () => 0.05 });
    const all: string[] = [];
    hashes.push(all);
    for (let i = 0; i < 20; i++) {
      await walked(t, viewer, 1);
      all.push(viewer.poseHash());
      // The worker answers no queries, so poses that the page computes for them must change nothing.
      if (i % 4 !== 2) continue;
      viewer.place = { position: [0.01 * i, 0, 0] };
      at(viewer, 'Tail5');
    }
    pictures.push(await picture(t, viewer));
    t.close(heights(viewer)[0] - before[0], 0.05, 5e-3);
    await viewer.renderAt(viewer.currentTime, { width: 8, height: 8 });
  }
  t.equal(hashes[1], hashes[0]);
  t.samePixels(t.some(pictures[1]), t.some(pictures[0]));
});

test('procedural: a lost context leaves springs and feet as they are', async (t) => {
  const viewer = await here(t);
  const before = heights(viewer);
  viewer.joint('Tail1').spring({ stiffness: 0, gravity: 1 });
  viewer.feet({ ground: () => 0.05 });
  await walked(t, viewer, 30);
  const tail = at(viewer, 'Tail5');
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  await t.until(() => !viewer.canvas.hidden && viewer.stats.frames > 0, 'the context');
  await t.frames(2);
  t.close(heights(viewer)[0] - before[0], 0.05, 5e-3);
  t.ok(away(at(viewer, 'Tail5'), tail) < 1e-4);
});

test('procedural: children make springs and chains', async (t) => {
  const make = (name: string, attributes: Readonly<Record<string, string>>): HTMLElement => {
    const child = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
    return child;
  };
  const spring = make('gambol-spring', { chain: 'Tail1/**', stiffness: '0', gravity: '1' });
  const wrong = make('gambol-spring', { chain: 'Tial1' });
  const element = placed({ 'environment-image': 'none', paused: '' }, spring, wrong);
  const warnings = details(element, 'warning');
  element.src = '/sample.glb';
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer);
  viewer.pause();
  t.equal(
    warnings.map(({ code }) => code),
    ['joint/not-found'],
  );
  const hanging = at(viewer, 'Tail5');
  spring.remove();
  await t.until(() => away(at(viewer, 'Tail5'), hanging) > 0.02, 'the end of the spring');
  const still = at(viewer, 'Tail5');
  const target = [still[0] + 0.05, still[1] + 0.05, still[2] + 0.05].join(' ');
  const chain = make('gambol-ik', { end: 'Tail5', chain: '4', solver: 'ccd', target });
  element.append(chain);
  await t.until(() => away(at(viewer, 'Tail5'), still) > 0.05, 'the chain');
  chain.remove();
  await t.until(() => away(at(viewer, 'Tail5'), still) < 1e-4, 'the end of the chain');
});
