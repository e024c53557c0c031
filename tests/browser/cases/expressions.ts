// Expressions of faces: those of VRM files, of ARKit's names and of the page; blinks and glances; `<gambol-expression>`.

import { createViewer, loadAsset, type ExpressionSetup, type Model, type Viewer } from 'gambol';
import type { GambolExpression } from 'gambol/element';
import { test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { Scene, SIZE, seen, type Json } from './support/scene.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

/**
 * A small square in the middle with morph targets of these names; each moves it by 0.1 to the right. A clip animates the first
 * target from 0 to 4 within a second; another one keeps it at 0.
 */
function face(names: readonly string[], extension?: readonly [name: string, value: Json]): Scene {
  const file = new Scene();
  const right = file.accessor('VEC3', [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
  const mesh = file.square(file.unlit([1, 1, 1]), {}, { targets: names.map(() => ({ POSITION: right })) });
  Object.assign(file.json.meshes[mesh], { name: 'Face', extras: { targetNames: names } });
  const node = file.node({ name: 'Face', mesh, scale: [0.1, 0.1, 1] });
  const still = names.slice(1).map(() => 0);
  file.add('animations', {
    name: 'Slide',
    samplers: [{ input: file.accessor('SCALAR', [0, 1]), output: file.accessor('SCALAR', [0, ...still, 4, ...still]) }],
    channels: [{ sampler: 0, target: { node, path: 'weights' } }],
  });
  file.add('animations', {
    name: 'Still',
    samplers: [{ input: file.accessor('SCALAR', [0, 1]), output: file.accessor('SCALAR', [0, ...still, 0, ...still]) }],
    channels: [{ sampler: 0, target: { node, path: 'weights' } }],
  });
  if (extension) {
    const [name, value] = extension;
    file.use(name);
    file.json.extensions = { [name]: value };
  }
  return file;
}

const FACE = ['smile', 'jawOpen', 'eyeBlinkLeft', 'eyeBlinkRight'] as const;

/** Shows it; only the test advances time. */
async function shown(viewer: Viewer, file = face(FACE)): Promise<Model> {
  viewer.timeline = 'manual';
  return loaded(viewer, file.file());
}

async function loaded(viewer: Viewer, from: Blob | string): Promise<Model> {
  await viewer.load(from);
  if (viewer.cameras.length > 0) viewer.activeCamera = 0;
  if (!viewer.model) throw new Error('no model');
  return viewer.model;
}

const here = (t: T): Promise<Viewer> => createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1] });

/** The weights of all morphs in the current pose. */
const weights = (viewer: Viewer, model: Model): number[] => model.morphs.map(({ name }) => viewer.morph(name).weight);

const named = (model: Model, kind: string): string[] =>
  model.expressions.filter((one) => one.kind === kind).map(({ name }) => name);

test('expressions: unknown names and invalid numbers are errors without effect', async (t) => {
  const viewer = await here(t);
  await t.throws(() => viewer.expression('happy'), 'actor/removed');
  await t.throws(() => viewer.blink(), /load/);
  const model = await shown(viewer);
  const hash = viewer.poseHash();
  await t.throws(() => viewer.expression('hapy'), /no expression “hapy”; did you mean “happy”\?/);
  for (const wrong of ['', 'Happy', 0, null, undefined, {}] as string[])
    await t.throws(() => viewer.expression(wrong), 'expression/not-found');
  const happy = viewer.expression('happy');
  for (const wrong of [NaN, Infinity, -Infinity, 1e39, '1', undefined, [1], true] as number[]) {
    await t.throws(() => happy.override(wrong), 'argument/invalid');
    await t.throws(() => (happy.weight = wrong), 'argument/invalid');
    if (wrong !== undefined) await t.throws(() => viewer.expression('happy', { weight: wrong }), 'argument/invalid');
  }
  for (const weight of [NaN, -0.1, 1.1, '1'] as number[])
    await t.throws(() => happy.override(1, { weight }), 'argument/invalid');
  for (const fade of [NaN, Infinity, -1, '1'] as number[]) {
    await t.throws(() => happy.override(1, { fade }), 'argument/invalid');
    await t.throws(() => viewer.expression('happy', { fade }), 'argument/invalid');
  }
  for (const options of [null, 1, 'fade'] as unknown as object[]) {
    await t.throws(() => happy.override(1, options), 'argument/invalid');
    await t.throws(() => viewer.expression('happy', options), 'argument/invalid');
  }
  for (const seed of [-1, 0.5, NaN, 2 ** 32, '1'] as number[]) {
    await t.throws(() => viewer.blink({ seed }), 'argument/invalid');
    await t.throws(() => viewer.glance({ seed }), 'argument/invalid');
  }
  for (const interval of [0, 0.29, NaN, Infinity, '4'] as number[])
    await t.throws(() => viewer.blink({ interval }), 'argument/invalid');
  for (const amount of [-0.1, 1.1, NaN]) await t.throws(() => viewer.glance({ amount }), 'argument/invalid');
  // The model can blink, but has no direction of its eyes.
  await t.throws(() => viewer.glance(), 'expression/not-found');
  await t.throws(() => viewer.glance({ joints: ['Face', 'Face'] }), 'expression/not-found');
  await t.throws(() => viewer.glance({ joints: ['Nose', 'Face'] }), 'joint/not-found');
  for (const joints of [[], ['Face'], ['Face', 'Face', 'Face'], 7])
    await t.throws(() => viewer.glance({ joints: joints as unknown as [string, string] }), 'argument/invalid');
  for (const [setup, code] of [
    [{ morphs: { smil: 1 } }, 'morph/not-found'],
    [{ morphs: { smile: NaN } }, 'argument/invalid'],
    [{ morphs: { smile: 1e39 } }, 'argument/invalid'],
    [{ morphs: { smile: '1' } }, 'argument/invalid'],
    [{ morphs: null }, 'argument/invalid'],
    [{}, 'argument/invalid'],
    [{ morphs: {}, kind: 'mood' }, 'argument/invalid'],
    [{ morphs: {}, binary: 1 }, 'argument/invalid'],
    [{ morphs: {}, overrideBlink: true }, 'argument/invalid'],
    [{ morphs: {}, name: 'other' }, 'argument/invalid'],
  ] as const)
    await t.throws(() => model.setExpression('happy', setup as never as ExpressionSetup), code);
  await t.throws(() => model.setExpression(7 as unknown as string, { morphs: {} }), 'argument/invalid');
  t.equal([happy.name, happy.weight, viewer.poseHash()], ['happy', 0, hash]);

  // Another model: the name decides.
  happy.weight = 0.5;
  await shown(viewer);
  t.equal(happy.weight, 0, 'another model begins without expressions');
  await shown(viewer, face(['unrelated']));
  t.equal(viewer.model?.expressions, []);
  await t.throws(() => happy.weight, 'expression/not-found');
  await t.throws(() => viewer.blink(), 'expression/not-found');
  viewer.unload();
  await t.throws(() => happy.weight, 'actor/removed');
  viewer.dispose();
  await t.throws(() => viewer.expression('happy'), 'viewer/disposed');
  await t.throws(() => viewer.blink(), 'viewer/disposed');
});

test('expressions: Fen has those of ARKit, and the mixes of its shapes', async (t) => {
  const asset = await loadAsset('/fen.glb');
  const { expressions } = asset;
  t.equal(named(asset, 'shape').length, 25);
  t.equal(named(asset, 'viseme').join(' '), 'PP FF TH DD kk CH SS nn RR aa ee ih oh ou');
  t.equal(named(asset, 'emotion').join(' '), 'happy angry sad relaxed surprised');
  t.equal(named(asset, 'blink').join(' '), 'blink blinkLeft blinkRight');
  t.equal(named(asset, 'look'), []);
  t.equal(new Set(expressions.map(({ name }) => name)).size, expressions.length);
  t.equal(
    expressions.find(({ name }) => name === 'blink'),
    {
      name: 'blink',
      kind: 'blink',
      morphs: { eyeBlinkLeft: 1, eyeBlinkRight: 1 },
      binary: false,
      overrideBlink: 'none',
      overrideLookAt: 'none',
      overrideMouth: 'none',
    },
  );
  t.ok(Object.isFrozen(expressions) && asset.expressions === expressions, 'one list');
  asset.dispose();

  // Each one moves the morphs that it names, by their weights.
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  const model = await loaded(viewer, '/fen.glb');
  for (const { name, morphs } of model.expressions) {
    t.ok(Object.keys(morphs).length > 0, name);
    const expression = viewer.expression(name, { weight: 0.5 });
    for (const [morph, weight] of Object.entries(morphs))
      t.close(viewer.morph(morph).weight, weight / 2, 1e-6, `${name}: ${morph}`);
    expression.override(null);
  }
});

test('expressions: those of VRM 0 and VRM 1 come first, with their rules', async (t) => {
  const bind = (index: number, weight = 1): object[] => [{ node: 1, index, weight }];
  const vrm1 = {
    specVersion: '1.0',
    humanoid: { humanBones: {} },
    expressions: {
      preset: {
        happy: { morphTargetBinds: bind(0), overrideBlink: 'blend' },
        aa: { morphTargetBinds: bind(1, 0.5) },
        blink: { morphTargetBinds: [...bind(2), ...bind(3)] },
      },
      custom: { Wow: { morphTargetBinds: bind(1), isBinary: true, overrideMouth: 'block' } },
    },
  };
  const group = (name: string, presetName: string, ...binds: readonly [index: number, weight: number][]): object => ({
    name,
    presetName,
    binds: binds.map(([index, weight]) => ({ mesh: 0, index, weight })),
  });
  const vrm0 = {
    humanoid: { humanBones: [] },
    blendShapeMaster: {
      blendShapeGroups: [
        group('Joy', 'joy', [0, 100]),
        group('A', 'a', [1, 50]),
        group('Blink', 'blink', [2, 100], [3, 100]),
        { ...group('Wow', 'unknown', [1, 100]), isBinary: true },
      ],
    },
  };
  const viewer = await here(t);
  const names = ['a', 'b', 'c', 'd'];
  for (const [extension, value] of [
    ['VRMC_vrm', vrm1],
    ['VRM', vrm0],
  ] as const) {
    const model = await shown(viewer, face(names, [extension, value]));
    t.equal(
      model.expressions.slice(0, 4).map(({ name, kind, morphs, binary }) => ({ name, kind, morphs, binary })),
      [
        { name: 'happy', kind: 'emotion', morphs: { a: 1 }, binary: false },
        { name: 'aa', kind: 'viseme', morphs: { b: 0.5 }, binary: false },
        { name: 'blink', kind: 'blink', morphs: { c: 1, d: 1 }, binary: false },
        { name: 'Wow', kind: 'custom', morphs: { b: 1 }, binary: true },
      ],
      extension,
    );
    viewer.expression('happy', { weight: 0.25 });
    viewer.expression('blink', { weight: 1 });
    viewer.expression('aa', { weight: 1 });
    const has = extension === 'VRMC_vrm';
    t.equal(weights(viewer, model), [0.25, 0.5, has ? 0.75 : 1, has ? 0.75 : 1], `${extension}: blend`);
    viewer.expression('Wow', { weight: 0.6 });
    t.equal(viewer.morph('b').weight, has ? 1 : 1.5, `${extension}: block`);
    viewer.expression('Wow', { weight: 0.5 });
    t.equal(viewer.morph('b').weight, 0.5, 'a binary expression is 0 up to a half');
  }
});

test('expressions: above clips, layers and transitions, and below morphs, to the bit', async (t) => {
  const viewer = await here(t);
  const model = await shown(viewer);
  viewer.play('Slide');
  await viewer.seek(0.5);
  t.equal(weights(viewer, model), [2, 0, 0, 0]);
  const happy = viewer.expression('happy', { weight: 3 });
  t.equal([happy.weight, viewer.morph('smile').weight], [3, 3], 'in place of the clip');
  t.ok((await seen(t, viewer)).covered(0.3, 0), 'the picture');
  happy.override(4, { weight: 0.25 });
  t.equal(viewer.morph('smile').weight, 2 * 0.75 + 4 * 0.25);
  const layer = viewer.layers.add('Slide', { mode: 'additive', reference: 'first', fade: 0 });
  layer.pause();
  layer.currentTime = 0.25;
  t.equal(viewer.morph('smile').weight, 3 * 0.75 + 4 * 0.25, 'the layer is below');
  layer.weight = 0;
  t.equal(viewer.morph('smile').weight, 2.5);
  const hash = viewer.poseHash();
  viewer.morph('smile').weight = 9;
  t.equal([viewer.morph('smile').weight, happy.weight], [9, 1], 'a morph is above');
  viewer.morph('smile').override(1, { weight: 0.5 });
  t.equal(viewer.morph('smile').weight, 2.5 / 2 + 0.5);
  viewer.morph('smile').override(null);
  t.equal(viewer.poseHash(), hash);

  // A transition goes on below it.
  happy.override(1, { weight: 0.5 });
  viewer.play('Still', { transition: 'crossfade', transitionDuration: 1 });
  // Slide is at 3 of 4 then, and would begin again at half of the transition.
  viewer.advance(0.25);
  const part = viewer.morph('smile').weight;
  t.ok(part > 0.5 && part < 2, `${part}`);
  viewer.advance(0.75);
  t.equal(viewer.morph('smile').weight, 0.5, 'its end');

  // Fades begin at the displayed amount.
  happy.override(1);
  happy.override(0, { fade: 2 });
  viewer.advance(1);
  t.equal([happy.weight, viewer.morph('smile').weight], [0.5, 0.5]);
  happy.override(null, { fade: 1 });
  t.equal(viewer.morph('smile').weight, 0.5);
  viewer.advance(0.5);
  t.equal(viewer.morph('smile').weight, 0.25);
  viewer.advance(0.5);
  t.equal([happy.weight, viewer.morph('smile').weight], [0, 0], 'the clip again');

  // Several add up.
  viewer.expression('DD', { weight: 1 });
  viewer.expression('aa', { weight: 0.5 });
  t.close(viewer.morph('jawOpen').weight, 0.15 + 0.3, 1e-6);
});

test('expressions: a page adds and replaces its own', async (t) => {
  const viewer = await here(t);
  const model = await shown(viewer);
  const other = await viewer.add(model);
  const before = model.expressions;
  const happy = viewer.expression('happy', { weight: 1 });
  model.setExpression('smirk', { morphs: { smile: 0.5, eyeBlinkLeft: 0.25 }, overrideBlink: 'block' });
  t.equal(model.expressions.slice(0, -1), before);
  t.equal(model.expressions.at(-1), {
    name: 'smirk',
    kind: 'custom',
    morphs: { smile: 0.5, eyeBlinkLeft: 0.25 },
    binary: false,
    overrideBlink: 'block',
    overrideLookAt: 'none',
    overrideMouth: 'none',
  });
  t.ok(model.expressions !== before && Object.isFrozen(model.expressions), 'another list');
  viewer.expression('blink', { weight: 1 });
  viewer.expression('smirk', { weight: 1 });
  t.equal(weights(viewer, model), [1.5, 0, 0.25, 0], 'no blink');
  other.expression('smirk', { weight: 1 });
  t.equal(other.morph('smile').weight, 0.5, 'another actor of the model');
  model.setExpression('happy', { morphs: { jawOpen: 2 }, kind: 'emotion' });
  t.equal(model.expressions.length, before.length + 1, 'replaced');
  happy.weight = 1;
  viewer.expression('smirk').override(null);
  viewer.expression('blink').override(null);
  t.equal(weights(viewer, model), [0, 2, 0, 0]);
});

test('expressions: each actor has its own, in stills and after a loss of the context', async (t) => {
  const viewer = await here(t);
  const model = await shown(viewer);
  const other = await viewer.add(model, { position: [0, 0.5, 0] });
  viewer.expression('happy', { weight: 5 });
  other.expression('happy', { weight: -5 });
  const now = await seen(t, viewer);
  t.equal([now.covered(0.5, 0), now.covered(-0.5, 0.5), now.covered(0, 0)], [true, true, false]);
  const still = t.pixels(await createImageBitmap(await viewer.renderAt(1, { width: SIZE, height: SIZE })));
  t.samePixels(still, await picture(t, viewer));
  const before = await picture(t, viewer);
  viewer.blink({ seed: 3 });
  const hash = viewer.poseHash();
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  other.expression('happy', { weight: 4 });
  await t.until(() => !viewer.canvas.hidden && viewer.stats.frames > 0, 'the context');
  t.ok((await seen(t, viewer)).covered(0.4, 0.5), 'set meanwhile');
  other.expression('happy', { weight: -5 });
  t.samePixels(await picture(t, viewer), before);
  t.equal(viewer.poseHash(), hash);
  other.remove();
  await t.throws(() => other.expression('happy'), 'actor/removed');
  await t.throws(() => other.blink(), 'actor/removed');
});

test('expressions: a worker shows the same', async (t) => {
  const [one, two] = [await here(t), await remote(t, { background: [0, 0, 0, 1] }, [SIZE, SIZE])];
  const hashes: string[][] = [];
  for (const viewer of [one, two]) {
    const model = await shown(viewer);
    const all: string[] = [];
    hashes.push(all);
    model.setExpression('smirk', { morphs: { smile: 3, jawOpen: -1 } });
    viewer.play('Slide');
    viewer.blink({ seed: 9, interval: 0.4 });
    await t.throws(() => viewer.glance(), 'expression/not-found');
    viewer.expression('smirk').override(-1, { weight: 0.6, fade: 0.4 });
    viewer.expression('aa', { weight: 0.5 });
    for (let step = 0; step < 8; step++) {
      viewer.advance(0.07);
      await t.frames(1);
      if (step === 4) viewer.expression('smirk').override(null, { fade: 0.3 });
      all.push(viewer.poseHash(), String(viewer.expression('smirk').weight), ...weights(viewer, model).map(String));
    }
    all.push(JSON.stringify(model.expressions));
  }
  t.equal(hashes[1], hashes[0]);
  t.samePixels(await picture(t, two), await picture(t, one));
});

test('blinks and glances: a seed and a time give the same bits, forwards and backwards', async (t) => {
  const looks = ['lookUp', 'lookDown', 'lookLeft', 'lookRight', 'blink'];
  const viewers = [await here(t), await here(t), await here(t)];
  // Exact numbers, so that steps forwards and backwards meet.
  const times = Array.from({ length: 384 }, (_, i) => i / 32);
  const runs: string[][] = [];
  for (const [i, viewer] of viewers.entries()) {
    const model = await shown(viewer, face(looks));
    viewer.pause();
    viewer.blink({ seed: i === 2 ? 8 : 7, interval: 2 });
    viewer.glance({ seed: 7, interval: 1, amount: 0.5 });
    const run = new Map<number, string>();
    for (const time of i === 1 ? times.toReversed() : times) {
      viewer.advance(time - viewer.now);
      run.set(time, weights(viewer, model).join());
    }
    runs.push(times.map((time) => run.get(time) ?? ''));
  }
  const [forwards = [], backwards = [], other = []] = runs;
  t.equal(backwards, forwards);
  t.ok(other.join() !== forwards.join(), 'another seed');
  const lids = forwards.map((all) => Number(all.split(',')[4]));
  // 12 seconds: six blinks, and open eyes between them.
  const begins = lids.filter((lid, i) => lid > 0 && (lids[i - 1] ?? 0) === 0);
  t.equal(begins.length, 6);
  t.ok(Math.max(...lids) > 0.9 && lids.filter((lid) => lid === 0).length > 200, 'closed and open');
  t.ok(
    forwards.every((all) =>
      all
        .split(',')
        .slice(0, 4)
        .every((amount) => Number(amount) >= 0 && Number(amount) <= 0.5),
    ),
    'amounts of glances',
  );
  t.ok(new Set(forwards.map((all) => all.split(',').slice(0, 4).join())).size > 8, 'several directions');

  // An expression of the page takes the place of the blink, and `null` ends it.
  const viewer = t.some(viewers[0]);
  viewer.advance((times[lids.findIndex((lid) => lid > 0.9)] ?? 0) - viewer.now);
  t.ok(viewer.morph('blink').weight > 0.9, 'closed');
  const blink = viewer.expression('blink', { weight: 0.25 });
  t.equal(viewer.morph('blink').weight, 0.25);
  blink.override(null);
  t.ok(viewer.morph('blink').weight > 0.9, 'closed again');
  viewer.blink(null);
  viewer.glance(null);
  t.equal(weights(viewer, t.some(viewer.model)), [0, 0, 0, 0, 0]);
});

test('blinks: draw frames until they end', async (t) => {
  const viewer = await here(t);
  await viewer.load(face(FACE).file());
  viewer.pause();
  viewer.blink({ interval: 0.3 });
  const lid = viewer.morph('eyeBlinkLeft');
  await t.until(() => lid.weight > 0.2, 'a blink');
  await t.until(() => lid.weight === 0, 'open eyes');
  viewer.blink(null);
  await t.frames(3);
  const { frames } = viewer.stats;
  await t.sleep(100);
  t.equal(viewer.stats.frames, frames, 'nothing changes');
});

test('expressions: members of a crowd take their morphs', async (t) => {
  const eye = new Scene();
  eye.node({ mesh: eye.square(eye.unlit([1, 1, 1])), translation: [0, 99, 0] });
  const viewer = await here(t);
  await shown(viewer, eye);
  const crowd = await viewer.addCrowd(face(FACE).file(), { positions: [-0.5, 0.5, 0, -0.5, -0.5, 0], rates: 0 });
  crowd.model.setExpression('wide', { morphs: { smile: 6, jawOpen: 2 } });
  const wide = t.some(crowd.model.expressions.find(({ name }) => name === 'wide'));
  crowd.set({ first: 1, morphs: wide.morphs });
  const now = await seen(t, viewer);
  t.equal([now.covered(-0.5, 0.5), now.covered(-0.5, -0.5), now.covered(0.3, -0.5)], [true, false, true]);
});

test('expressions: <gambol-expression> sets an amount, changes and is removed', async (t) => {
  const child = document.createElement('gambol-expression') as GambolExpression;
  t.equal([child.name, child.weight, child.fade], [null, 1, 0.2]);
  Object.assign(child, { name: 'happy', weight: 3, fade: 0 });
  t.equal(child.outerHTML, '<gambol-expression name="happy" weight="3" fade="0"></gambol-expression>');
  const wrong = document.createElement('gambol-expression') as GambolExpression;
  wrong.name = 'hapy';
  const element = placed({ 'environment-image': 'none', paused: '' }, child, wrong);
  const warnings = details(element, 'warning');
  element.src = URL.createObjectURL(face(FACE).file());
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer);
  viewer.pause();
  const [smile, lid] = [viewer.morph('smile'), viewer.morph('eyeBlinkRight')];
  t.equal(smile.weight, 3);
  t.equal(
    warnings.map(({ code }) => code),
    ['expression/not-found'],
  );
  t.ok(String(warnings[0]?.['message']).includes('did you mean “happy”?'), 'the nearest name');
  child.weight = -2;
  await t.until(() => smile.weight === -2, 'another weight');
  wrong.name = 'blink';
  await t.until(() => lid.weight === 1, 'another name, and a fade');
  child.name = 'blink';
  await t.until(() => smile.weight === 0, 'the clip again');
  t.equal(lid.weight, 1, 'the last child of a name applies');
  wrong.remove();
  await t.until(() => lid.weight === -2, 'now this one');
  child.remove();
  await t.until(() => lid.weight === 0, 'none');
  child.weight = 0.25;
  // The next model has it from its first picture on.
  child.fade = 1000;
  element.append(child);
  element.src = URL.createObjectURL(face(['smile', 'blink']).file());
  await t.until(() => viewer.model?.morphs.length === 2 && element.modelIsVisible, 'another model');
  await t.until(() => viewer.morph('blink').weight === 0.25, 'its weight');
  t.equal(warnings.length, 1);
});

test('glances turn joints of eyes, the same in a worker and after a lost context', async (t) => {
  const viewers = [await here(t), await remote(t, { background: [0, 0, 0, 1] }, [SIZE, SIZE])];
  const runs: string[][] = [];
  for (const viewer of viewers) {
    viewer.timeline = 'manual';
    await viewer.load('/sample.glb');
    // The third axes of the eyes in the space of the head.
    const directions = (): string[] => {
      const axis = (of: Float32Array, column: number): Float32Array => of.subarray(4 * column, 4 * column + 3);
      const dot = (one: Float32Array, other: Float32Array): number =>
        one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
      const head = viewer.joint('Head').world;
      return ['EyeL', 'EyeR'].map((name) => {
        const eye = axis(viewer.joint(name).world, 2);
        return [0, 1, 2].map((i) => dot(eye, axis(head, i)).toFixed(4)).join();
      });
    };
    viewer.pause();
    const still = directions();
    viewer.glance({ seed: 4, interval: 0.5, amount: 1 });
    const run: string[] = [];
    const several = new Set<string>();
    for (let step = 0; step < 40; step++) {
      viewer.advance(0.1);
      if (step === 20 && viewer === viewers[0]) {
        const loss = new Loss(t, viewer.canvas);
        loss.take();
        await t.until(() => loss.times === 1, 'the loss');
        await t.until(() => !viewer.canvas.hidden, 'the context');
      }
      run.push(viewer.poseHash());
      several.add(JSON.stringify(directions()));
    }
    t.ok(several.size > 5, 'several directions');
    runs.push(run);
    viewer.glance({ seed: 4, joints: ['EyeL', 'EyeR'] });
    viewer.glance(null);
    viewer.advance(0.1);
    t.equal(directions(), still);
  }
  t.equal(runs[1], runs[0]);
});
