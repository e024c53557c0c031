// Morph targets by name: weights that a page sets on viewers, actors and members of crowds, and by `<gambol-morph>`.

import { createViewer, type Viewer } from 'gambol';
import type { GambolMorph } from 'gambol/element';
import { test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { Scene, SIZE, seen } from './support/scene.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

/** A small square in the middle, which `right` and `up` move by 0.1 each; with `both`, another one below has `right`, too. */
function scene({ both = false, keys = [0, 0, 4, 0] }: { both?: boolean; keys?: readonly number[] } = {}): Scene {
  const file = new Scene();
  const to = (x: number, y: number): number => file.accessor('VEC3', [x, y, 0, x, y, 0, x, y, 0, x, y, 0]);
  const square = (name: string, targets: Readonly<Record<string, number>>): number => {
    const mesh = file.square(
      file.unlit([1, 1, 1]),
      {},
      { targets: Object.values(targets).map((POSITION) => ({ POSITION })) },
    );
    Object.assign(file.json.meshes[mesh], { name, extras: { targetNames: Object.keys(targets) } });
    return mesh;
  };
  const node = file.node({
    name: 'Square',
    mesh: square('Face', { right: to(1, 0), up: to(0, 1) }),
    scale: [0.1, 0.1, 1],
  });
  if (both)
    file.node({
      mesh: square('Teeth', { right: to(1, 0), '': to(0, 1) }),
      scale: [0.1, 0.1, 1],
      translation: [0, -0.5, 0],
    });
  file.add('animations', {
    name: 'Slide',
    samplers: [{ input: file.accessor('SCALAR', [0, 1]), output: file.accessor('SCALAR', keys) }],
    channels: [{ sampler: 0, target: { node, path: 'weights' } }],
  });
  return file;
}

/** Shows it; only the test advances time. */
async function shown(viewer: Viewer, file = scene()): Promise<Viewer> {
  viewer.timeline = 'manual';
  await viewer.load(file.file());
  viewer.activeCamera = 0;
  return viewer;
}

const here = (t: T): Promise<Viewer> => createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1] });

/** Checks the middles of squares, and that nothing is where they are at rest. */
async function at(t: T, viewer: Viewer, ...places: readonly (readonly [x: number, y: number])[]): Promise<void> {
  const now = await seen(t, viewer);
  for (const [x, y] of places) t.ok(now.covered(x, y), `${x}, ${y}`);
  t.equal(
    now.covered(0, 0),
    places.some(([x, y]) => Math.hypot(x, y) < 0.1),
    'in the middle',
  );
}

test('morphs: unknown names and invalid numbers are errors without effect', async (t) => {
  const viewer = await here(t);
  await t.throws(() => viewer.morph('right'), 'actor/removed');
  await t.throws(() => viewer.morph('right'), /Wait for load/);
  await shown(viewer);
  await t.throws(() => viewer.morph('rigth'), /no morph target “rigth”; did you mean “right”\? It has “right”, “up”/);
  for (const wrong of ['', 'Right', 0, null, undefined, {}] as string[])
    await t.throws(() => viewer.morph(wrong), 'morph/not-found');
  const right = viewer.morph('right');
  for (const wrong of [NaN, Infinity, -Infinity, 1e39, '1', undefined, [1], true] as number[]) {
    await t.throws(() => right.override(wrong), 'argument/invalid');
    await t.throws(() => (right.weight = wrong), 'argument/invalid');
  }
  for (const weight of [NaN, -0.1, 1.1, '1'] as number[])
    await t.throws(() => right.override(1, { weight }), 'argument/invalid');
  for (const fade of [NaN, Infinity, -1, '1'] as number[])
    await t.throws(() => right.override(1, { fade }), 'argument/invalid');
  for (const options of [null, 1, 'fade'] as unknown as object[])
    await t.throws(() => right.override(1, options), 'argument/invalid');
  t.equal([right.name, right.weight], ['right', 0]);
  await at(t, viewer, [0, 0]);
  // Another model: the name decides.
  await shown(viewer, scene({ keys: [0.5, 0, 0.5, 0] }));
  t.equal(right.weight, 0.5);
  const other = scene();
  other.json.meshes[0].extras = { targetNames: 'right' };
  await shown(viewer, other);
  await t.throws(() => right.weight, 'morph/not-found');
  t.equal(
    viewer.model?.morphs.map(({ name }) => name),
    ['Face[0]', 'Face[1]'],
  );
  viewer.unload();
  await t.throws(() => right.weight, 'actor/removed');
  viewer.dispose();
  await t.throws(() => viewer.morph('right'), 'viewer/disposed');
});

test('morphs: a model has names, meshes and ranges, which added clips enlarge', async (t) => {
  const viewer = await shown(await here(t), scene({ both: true, keys: [0, -0.5, 4, 1] }));
  const model = t.some(viewer.model);
  t.equal(model.morphs, [
    { name: 'right', meshes: ['Face', 'Teeth'], range: [0, 4] },
    { name: 'up', meshes: ['Face'], range: [-0.5, 1] },
    { name: 'Teeth[1]', meshes: ['Teeth'], range: [0, 1] },
  ]);
  const before = model.morphs;
  t.ok(Object.isFrozen(before) && model.morphs === before, 'one list');
  await model.addClips(scene({ keys: [9, 0, 0, 0] }).file());
  t.equal(model.morphs[0]?.range, [0, 9]);
  t.ok(model.morphs !== before, 'another list');
  await model.removeClip(model.clips.at(-1)?.id ?? '');
  t.equal(model.morphs[0]?.range, [0, 4]);
});

test('morphs: overrides of all meshes of a name, above the clip, to the bit', async (t) => {
  const viewer = await shown(await here(t), scene({ both: true }));
  const [right, up] = [viewer.morph('right'), viewer.morph('up')];
  right.weight = 6;
  t.equal(right.weight, 6, 'at once');
  await at(t, viewer, [0.6, 0], [0.6, -0.5]);
  up.override(8, { weight: 0.5 });
  await at(t, viewer, [0.6, 0.4]);
  // The clip goes on below it; a transition and a layer, too.
  await viewer.seek(0.5);
  t.equal([right.weight, up.weight], [6, 4]);
  right.override(null);
  t.equal(right.weight, 2);
  const layer = viewer.layers.add('Slide', { mode: 'additive', reference: 'first', fade: 0 });
  layer.pause();
  layer.currentTime = 0.25;
  t.equal(right.weight, 3);
  right.override(1, { weight: 0.25 });
  t.equal(right.weight, 2.5);
  const hash = viewer.poseHash();
  right.override(1);
  t.ok(viewer.poseHash() !== hash, 'another pose');
  right.override(1, { weight: 0.25 });
  t.equal(viewer.poseHash(), hash);

  // A fade starts from the displayed weight, also while nothing plays.
  const smooth = (s: number): number => s * s * (3 - 2 * s);
  right.override(0.7, { fade: 0.5 });
  let [kept, added] = [0.75, 0.25];
  t.equal(right.weight, 2.5);
  viewer.advance(0.2);
  const s = smooth(0.2 / 0.5);
  [kept, added] = [kept + (0 - kept) * s, added + (Math.fround(0.7) - added) * s];
  t.equal(right.weight, Math.fround(3 * kept + added));
  viewer.advance(0.3);
  t.equal(right.weight, Math.fround(0.7));
  right.override(null, { fade: 1 });
  viewer.advance(0.5);
  t.close(right.weight, 0.5 * 3 + 0.5 * 0.7, 1e-6);
  viewer.advance(0.5);
  t.equal(right.weight, 3);
});

test('morphs: a fade draws frames until its end', async (t) => {
  const viewer = await here(t);
  await viewer.load(scene().file());
  const right = viewer.morph('right');
  right.override(1, { fade: 0.1 });
  await t.until(() => right.weight === 1, 'the end of the fade');
  await t.frames(3);
  const { frames } = viewer.stats;
  await t.sleep(100);
  t.equal(viewer.stats.frames, frames, 'nothing changes');
  viewer.timeline = 'manual';
  right.override(0.5, { fade: 1 });
  viewer.advance(0.5);
  t.equal(right.weight, 0.75);
});

test('morphs: each actor has its own, in stills and after a loss of the context', async (t) => {
  const viewer = await shown(await here(t));
  const model = t.some(viewer.model);
  const other = await viewer.add(model, { position: [0, 0.5, 0] });
  viewer.morph('right').weight = 5;
  other.morph('right').weight = -5;
  const places = [
    [0.5, 0],
    [-0.5, 0.5],
  ] as const;
  await at(t, viewer, ...places);
  const still = t.pixels(await createImageBitmap(await viewer.renderAt(1, { width: SIZE, height: SIZE })));
  t.samePixels(still, await picture(t, viewer));
  const before = await picture(t, viewer);
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  other.morph('up').weight = 2;
  await t.until(() => !viewer.canvas.hidden && viewer.stats.frames > 0, 'the context');
  await at(t, viewer, [0.5, 0], [-0.5, 0.7]);
  other.morph('up').override(null);
  t.samePixels(await picture(t, viewer), before);
  other.remove();
  await t.throws(() => other.morph('right'), 'actor/removed');
});

test('morphs: a worker shows the same', async (t) => {
  const [one, two] = [await here(t), await remote(t, { background: [0, 0, 0, 1] }, [SIZE, SIZE])];
  const hashes: string[][] = [];
  for (const viewer of [one, two]) {
    await shown(viewer);
    const all: string[] = [];
    hashes.push(all);
    const [right, up] = [viewer.morph('right'), viewer.morph('up')];
    viewer.play('Slide');
    right.override(-3, { weight: 0.6, fade: 0.4 });
    up.weight = 5;
    for (let step = 0; step < 8; step++) {
      viewer.advance(0.07);
      await t.frames(1);
      if (step === 4) right.override(null, { fade: 0.3 });
      all.push(viewer.poseHash(), String(right.weight), String(up.weight));
    }
  }
  t.equal(hashes[1], hashes[0]);
  t.samePixels(await picture(t, two), await picture(t, one));
});

test('morphs: members of a crowd have their own', async (t) => {
  const eye = new Scene();
  eye.node({ mesh: eye.square(eye.unlit([1, 1, 1])), translation: [0, 99, 0] });
  const viewer = await shown(await here(t), eye);
  const positions = [-0.5, -0.5, 0, 0.5, -0.5, 0, -0.5, 0.5, 0];
  const crowd = await viewer.addCrowd(scene().file(), { positions, rates: 0, morphs: { up: 2 } });
  const covered = async (): Promise<boolean[]> => {
    const now = await seen(t, viewer);
    return [
      [-0.5, -0.3],
      [0.5, -0.3],
      [-0.5, 0.7],
      [-0.2, -0.3],
      [0.9, -0.5],
    ].map(([x = 0, y = 0]) => now.covered(x, y));
  };
  t.equal(await covered(), [true, true, true, false, false]);
  for (const [morphs, code] of [
    [{ down: 1 }, 'morph/not-found'],
    [{ right: NaN }, 'argument/invalid'],
    [{ right: [0, Infinity, 0] }, 'argument/invalid'],
    [{ right: [0, 1e39, 0] }, 'argument/invalid'],
    [{ right: '1' }, 'argument/invalid'],
    [{ right: [1, 2], up: [1, 2, 3] }, 'argument/invalid'],
    [{ right: [1, 2, 3, 4] }, 'argument/invalid'],
    [{ right: [1, undefined, 2] }, 'argument/invalid'],
    [7, 'argument/invalid'],
    [null, 'argument/invalid'],
  ] as const)
    await t.throws(() => crowd.set({ morphs } as never), code);
  t.equal(await covered(), [true, true, true, false, false], 'nothing has changed');
  crowd.set({ morphs: { right: new Float32Array([3, 0, 0]) } });
  t.equal(await covered(), [false, true, true, true, false]);
  crowd.set({ first: 1, morphs: { right: [4, null], up: [null, 2] } });
  t.equal(await covered(), [false, false, true, true, true]);
  t.equal(crowd.pick(SIZE * 0.95, SIZE * 0.75)?.member, 1);
  crowd.set({ morphs: { right: null, up: 2 } });
  t.equal(await covered(), [true, true, true, false, false]);
  const { max } = t.some(crowd.bounds);
  crowd.set({ first: 0, morphs: { right: [50, 0, 0] } });
  t.ok((crowd.bounds?.max[0] ?? 0) > max[0] + 1, 'the bounds hold it');
  await t.throws(() => viewer.addCrowd(crowd.model, { count: 1, morphs: { smile: 1 } }), 'morph/not-found');
});

test('morphs: <gambol-morph> sets a weight, changes and is removed', async (t) => {
  const child = document.createElement('gambol-morph') as GambolMorph;
  t.equal([child.name, child.weight, child.fade], [null, 1, 0.2]);
  Object.assign(child, { name: 'right', weight: 3, fade: 0 });
  t.equal(child.outerHTML, '<gambol-morph name="right" weight="3" fade="0"></gambol-morph>');
  const wrong = document.createElement('gambol-morph') as GambolMorph;
  wrong.name = 'righ';
  const src = URL.createObjectURL(scene().file());
  const element = placed({ 'environment-image': 'none', paused: '' }, child, wrong);
  const warnings = details(element, 'warning');
  element.src = src;
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer);
  viewer.pause();
  const [right, up] = [viewer.morph('right'), viewer.morph('up')];
  t.equal(right.weight, 3);
  t.equal(
    warnings.map(({ code }) => code),
    ['morph/not-found'],
  );
  child.weight = -2;
  await t.until(() => right.weight === -2, 'another weight');
  wrong.name = 'up';
  await t.until(() => up.weight === 1, 'another name, and a fade');
  child.name = 'up';
  await t.until(() => right.weight === 0, 'the clip again');
  t.equal(up.weight, 1, 'the last child of a name applies');
  wrong.remove();
  await t.until(() => up.weight === -2, 'now this one');
  child.setAttribute('weight', 'Infinity');
  await t.until(() => warnings.length === 2, 'a warning');
  t.equal(warnings[1]?.['code'], 'argument/invalid');
  child.remove();
  await t.until(() => up.weight === 0, 'none');
  element.append(child);
  child.weight = 0.25;
  await t.until(() => up.weight === 0.25, 'again');
  // The next model has it from its first picture on.
  child.fade = 1000;
  element.src = URL.createObjectURL(scene({ keys: [0, 0.5, 0, 0.5] }).file());
  await t.until(() => viewer.model?.morphs[1]?.range[1] === 1 && element.modelIsVisible, 'another model');
  await t.until(() => viewer.morph('up').weight === 0.25, 'its weight');
  t.equal(warnings.length, 2);
});
