// Clips of other files: retargeting to other skeletons, clips that come and go at run time.

import { createViewer, loadAsset, type Asset, type RetargetReport } from 'gambol';
import { OTHERS, longTests, test, type T } from '../page/api.ts';
import { boneIndices, humanoid } from './support/humanoid.ts';
import { shown } from './support/element.ts';
import { model } from './support/model.ts';
import { recorded } from './support/watch.ts';

longTests(OTHERS);

const LIMBS = [
  ['leftUpperArm', 'leftLowerArm'],
  ['leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm'],
  ['rightUpperLeg', 'rightLowerLeg'],
  ['leftLowerLeg', 'leftFoot'],
] as const;

/** The largest angle between limbs of two humanoids at some times of a clip, in radians. */
function difference(source: Asset, clip: number, target: Asset, own: number): number {
  const indices = boneIndices();
  const direction = (matrices: Float32Array, [from, to]: readonly [string, string]): number[] => {
    const [a, b] = [indices[from] ?? 0, indices[to] ?? 0].map((i) => matrices.subarray(16 * i + 12, 16 * i + 15));
    const way = [0, 1, 2].map((i) => (b?.[i] ?? 0) - (a?.[i] ?? 0));
    return way.map((part) => part / Math.hypot(...way));
  };
  let largest = 0;
  for (const time of [0, 0.2, 0.5, 0.9, 1, 1.7, 2]) {
    const [there, here] = [source.sample(clip, time).matrices, target.sample(own, time).matrices];
    for (const limb of LIMBS) {
      const [a, b] = [direction(there, limb), direction(here, limb)];
      largest = Math.max(largest, 2 * Math.asin(Math.hypot(...a.map((part, i) => part - (b[i] ?? 0))) / 2));
    }
  }
  return largest;
}

const SOURCE = { names: 'mixamo', clip: 'Wave' } as const;
const TARGET = { names: 'vrm', scale: 1.4, arms: 0.7, turned: true } as const;
const DEGREE = Math.PI / 180;

function near(t: T, got: number, limit: number, text: string): void {
  t.ok(got <= limit, `${text}: ${got}`);
}

test('retarget: limbs of other humanoids have the directions of the source at every time', async (t) => {
  const source = await loadAsset(humanoid(SOURCE));
  const target = await loadAsset(humanoid(TARGET), { animations: [humanoid(SOURCE)] });
  t.equal([target.clips.map(({ id }) => id), target.warnings.map(({ code }) => code)], [['Wave'], []]);
  const [report] = target.retargets as [RetargetReport];
  t.equal(report.conventions, ['Mixamo', 'VRM 1']);
  t.equal([report.mapped.length, report.missing, report.ambiguous, report.skipped], [21, [], [], 0]);
  t.equal(report.mapped[0], { bone: 'hips', source: 'mixamorig:Hips', target: 'J_0' });
  near(t, Math.abs(report.scale - 1.4), 1e-3, 'the ratio of leg lengths');
  near(t, difference(source, 0, target, 0), 0.01 * DEGREE, 'directions');
  // The same clip at run time gives the same bits.
  const late = await loadAsset(humanoid(TARGET));
  const added = await late.addClips(humanoid(SOURCE));
  t.equal(late.sample('Wave', 0.7).hash, target.sample('Wave', 0.7).hash);
  t.equal(added, { ...report, clips: late.clips });
  for (const asset of [source, target, late]) asset.dispose();
});

test('retarget: the human bones of a model', async (t) => {
  const [source, target, square] = await Promise.all([
    loadAsset(humanoid(SOURCE)),
    loadAsset(humanoid(TARGET)),
    loadAsset(model().glb),
  ]);
  const indices = boneIndices();
  t.equal(source.humanoid?.convention, 'Mixamo');
  for (const asset of [source, target]) {
    const bones: Record<string, number> = asset.humanoid?.bones ?? {};
    for (const [bone, index] of Object.entries(bones)) t.equal(index, indices[bone], bone);
    t.equal(Object.keys(bones).length, 21);
    t.equal(asset.humanoid?.spine, [indices['spine'], indices['chest']]);
  }
  t.equal(square.humanoid, null);
  for (const asset of [source, target, square]) asset.dispose();
});

test('joints: names of human bones find the joints of an avatar, and names of the file go first', async (t) => {
  const viewer = await createViewer(t.canvas());
  const bones = boneIndices();
  for (const names of ['vrm', 'mixamo'] as const) {
    await viewer.load(humanoid({ names }));
    const found = ['head', 'Head', 'leftUpperArm', 'neck'].map((name) => viewer.joint(name).index);
    t.equal(found, [bones['head'], bones['head'], bones['leftUpperArm'], bones['neck']], names);
    for (const name of ['jaw', 'constructor', '__proto__', ''])
      await t.throws(() => viewer.joint(name), 'joint/not-found');
  }
  viewer.joint('head').lookAt([0, 1.6, 4], { joints: { neck: 0.4 }, limit: 1 });
  await viewer.load('/sample.glb');
  t.equal(viewer.joint('HandR').name, 'HandR');
});

test('retarget: options name bones, keep the hips, and lock the feet', async (t) => {
  const target = await loadAsset(humanoid(TARGET));
  const hips = (id: string): number => target.sample(id, 0.5).matrices[13] ?? 0;
  const rest = target.sample(null).matrices[13] ?? 0;
  await target.addClips(humanoid(SOURCE));
  await target.addClips(humanoid(SOURCE), { retarget: { hips: 'kept' } });
  near(t, Math.abs(hips('Wave') - rest - 0.14), 1e-3, 'the scaled hips');
  // The hip joints are as high above the ankles as those of the source: 1.05 − 0.08 m.
  near(t, Math.abs(hips('Wave~2') - 0.05 * 1.4 - (0.97 + 0.08 * 1.4)), 1e-3, 'the kept hips');
  const locked = await target.addClips(humanoid(SOURCE), { retarget: { footLock: true } });
  t.equal(
    locked.clips.map(({ id, index }) => [id, index]),
    [['Wave~3', 2]],
  );
  const without = await target.addClips(humanoid(SOURCE), { retarget: { source: { leftHand: null } } });
  t.equal([without.mapped.some(({ bone }) => bone === 'leftHand'), without.missing], [false, ['leftHand']]);
  const swapped = await target.addClips(humanoid(SOURCE), {
    retarget: { target: { leftLowerArm: 'J_16', rightLowerArm: 'J_8' } },
  });
  t.equal(swapped.mapped.find(({ bone }) => bone === 'leftLowerArm')?.target, 'J_16');
  target.dispose();
});

test('retarget: rotations relative to the rest pose keep the difference of the rest poses', async (t) => {
  const [source, target] = await Promise.all([loadAsset(humanoid(SOURCE)), loadAsset(humanoid(TARGET))]);
  await target.addClips(humanoid(SOURCE), { retarget: { rotations: 'directions' } });
  await target.addClips(humanoid(SOURCE), { retarget: { rotations: 'relative' } });
  near(t, difference(source, 0, target, 0), 0.01 * DEGREE, 'directions');
  // The arms of the target hang by 0.7 radians at rest.
  near(t, Math.abs(difference(source, 0, target, 1) - 0.7), 0.01, 'relative');
  for (const asset of [source, target]) asset.dispose();
});

test('retarget: a clip without a counterpart, and wrong options, are refused and change nothing', async (t) => {
  const target = await loadAsset(humanoid(TARGET));
  const tail = model({ node: 'Tail', clips: [['Wag', 1]] }).glb;
  const error = (await t.throws(() => target.addClips(tail), 'clip/no-match')) as Error;
  t.ok(error.message.includes('“Tail”'), error.message);
  await t.throws(() => target.addClips(humanoid(SOURCE), { retarget: 'names' }), 'clip/no-match');
  await t.throws(() => target.addClips(humanoid(TARGET)), 'clip/not-found');
  await t.throws(() => target.addClips(humanoid(SOURCE), { clips: ['Dance'] }), 'clip/not-found');
  await t.throws(() => target.addClips(humanoid(SOURCE), { clips: [] }), 'argument/invalid');
  const wrong: readonly object[] = [
    { retarget: 'all' },
    { retarget: 3 },
    { retarget: null },
    { retarget: { hips: 'high' } },
    { retarget: { footLock: 1 } },
    { retarget: { rotations: 'absolute' } },
    { retarget: { source: 'hips' } },
    { retarget: { target: { hips: 3 } } },
    { clips: 'Wave' },
    { signal: 1 },
  ];
  for (const options of wrong)
    await t.throws(() => target.addClips(humanoid(SOURCE), options as object), 'argument/invalid');
  const bone = { tail: 'J_1' } as object;
  await t.throws(() => target.addClips(humanoid(SOURCE), { retarget: { target: bone } }), 'argument/invalid');
  const misspelt = { target: { hips: 'J_99' } };
  const unknown = (await t.throws(
    () => target.addClips(humanoid(SOURCE), { retarget: misspelt }),
    'joint/not-found',
  )) as Error;
  t.ok(unknown.message.includes('J_9'), unknown.message);
  await t.throws(() => target.addClips(new Uint8Array([1, 2, 3])), 'import/unknown-format');
  // A list whose buffer the page transfers during the load.
  const indices = new Uint8Array(1);
  const list = target.addClips(humanoid(SOURCE), { clips: indices as unknown as number[] });
  structuredClone(indices.buffer, { transfer: [indices.buffer] });
  t.equal(
    (await list).clips.map(({ id }) => id),
    ['Wave'],
  );
  await target.removeClip('Wave');
  const abort = new AbortController();
  const adding = target.addClips(humanoid(SOURCE), { signal: abort.signal });
  abort.abort();
  await t.throws(() => adding, 'load/aborted');
  await t.throws(() => target.removeClip('Wave'), 'clip/not-found');
  t.equal(target.clips, []);
  const late = target.addClips(humanoid(SOURCE));
  target.dispose();
  await t.throws(() => late, 'argument/invalid');
});

test(
  'retarget: clips come and go while a viewer and its actors play',
  async (t) => {
    const viewer = await createViewer(t.canvas());
    await viewer.load('/sample.glb');
    const second = await viewer.add(viewer.model ?? '/sample.glb');
    const crowd = await viewer.addCrowd(viewer.model ?? '/sample.glb', { count: 9 });
    const heard = recorded(viewer, ['clipschange', 'clipchange', 'pause']);
    const names = viewer.clips.map(({ id }) => id);
    viewer.play('Walk');
    const before = viewer.model?.clips[1];
    const { clips } = (await viewer.model?.addClips('/sample.glb', { clips: ['Wave', 'Run'] })) ?? { clips: [] };
    for (const each of [viewer, second, crowd.model])
      t.equal(
        each.clips.map(({ id }) => id),
        [...names, 'Wave~2', 'Run~2'],
      );
    t.equal([viewer.paused, viewer.clip?.id, viewer.model?.clips[1]], [false, 'Walk', before]);
    second.clip = 'Wave~2';
    await second.seek(0.4);
    const hash = second.poseHash();
    second.clip = 'Wave';
    await second.seek(0.4);
    t.equal(second.poseHash(), hash, 'the added clip is the same');
    crowd.set({ clips: clips[1] ?? 0 });
    viewer.layers.add('Wave~2', { name: 'wave' });
    const [walk, wave] = [viewer.play('Walk'), viewer.clips.find(({ id }) => id === 'Wave~2')];
    await viewer.model?.removeClip('Walk');
    await viewer.model?.removeClip('Wave~2');
    t.equal([viewer.clip, viewer.paused, viewer.layers.size, second.clip?.id], [null, true, 0, 'Wave']);
    await t.throws(() => walk.finished, 'play/aborted');
    await t.throws(() => viewer.play('Walk'), 'clip/not-found');
    if (wave) await t.throws(() => viewer.play(wave), 'clip/not-found');
    viewer.play('Run~2');
    t.equal(viewer.clip?.id, 'Run~2');
    const third = await viewer.add(viewer.model ?? '/sample.glb');
    t.equal(third.clip?.id, viewer.clips[0]?.id);
    t.ok(heard.length > 0, 'events');
    crowd.set({ clips: 0 });
    viewer.dispose();
  },
  { all: true },
);

test('retarget: the element pairs joints by the attribute `retarget`', async (t) => {
  const [source, target] = [humanoid(SOURCE), humanoid(TARGET)].map((blob) => URL.createObjectURL(blob));
  const element = await shown(t, { src: target ?? '', 'animation-src': source ?? '' });
  t.equal([element.availableAnimations, element.retarget], [['Wave'], 'auto']);
  element.retarget = 'names';
  await t.until(() => element.availableAnimations.length === 0, 'no clip fits by name');
  t.equal([element.getAttribute('retarget'), element.availableAnimations], ['names', []]);
  element.setAttribute('retarget', '{"hips": "kept"}');
  await t.until(() => element.availableAnimations.length === 1, 'it fits as a humanoid');
  t.equal([element.retarget, element.availableAnimations], [{ hips: 'kept' }, ['Wave']]);
  element.setAttribute('retarget', '{"hips": 3}');
  t.equal(element.retarget, 'auto');
  element.remove();
});
