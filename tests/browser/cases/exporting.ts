// Exports of a viewer: poses, clips and recordings as files; crowds of morph caches.

import { createViewer, loadAsset, type Asset, type ExportOptions, type Viewer } from 'gambol';
import { readGltf } from 'gambol/gltf';
import { bake } from 'gambol/tools';
import { OTHERS, longTests, test, type T } from '../page/api.ts';
import { humanoid } from './support/humanoid.ts';
import { model } from './support/model.ts';
import { Scene } from './support/scene.ts';

longTests(OTHERS);

const SAMPLE = '/sample.glb';
/** Several modules and pictures, on a machine that may draw with its CPU. */
const LONG = { timeout: 150_000 };

async function opened(t: T, renderer: 'own' | 'worker'): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer });
  await viewer.load(SAMPLE);
  return viewer;
}

/** The largest difference of two lists of numbers. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  return Array.from(a).reduce((worst, value, i) => Math.max(worst, Math.abs(value - (b[i] ?? NaN))), 0);
}

/** The matrices of the joints of a viewer, in world space. */
function worlds(viewer: Viewer, asset: Asset): number[] {
  return asset.joints.flatMap(({ index }) => [...viewer.joint(index).world]);
}

for (const renderer of ['own', 'worker'] as const) {
  test(
    `exporting: the pose of the moment (${renderer})`,
    async (t) => {
      const viewer = await opened(t, renderer);
      viewer.clip = 'Walk';
      viewer.currentTime = 0.4;
      const blob = await viewer.exportGlb({ pose: true });
      t.equal(blob.type, 'model/gltf-binary');
      const [source, still] = await Promise.all([loadAsset(SAMPLE), loadAsset(blob)]);
      t.equal([still.clips.length, still.info.morphTargets, still.warnings.length], [0, 0, 0]);
      // The meshes with joints are at new roots, after the nodes of the file.
      const count = source.joints.length * 16;
      const poses = [source.sample('Walk', 0.4), still.sample(null)] as const;
      t.ok(difference(poses[0].matrices, poses[1].matrices.slice(0, count)) < 1e-6, 'nodes');
      const box = t.some(viewer.measure());
      await viewer.load(blob);
      const again = t.some(viewer.measure());
      t.ok(difference([...box.min, ...box.max], [...again.min, ...again.max]) < 1e-6, 'vertices');
      for (const asset of [source, still]) asset.dispose();
    },
    LONG,
  );

  test(
    `exporting: a pose at a time changes nothing on stage (${renderer})`,
    async (t) => {
      const viewer = await opened(t, renderer);
      viewer.clip = 'Walk';
      viewer.currentTime = 0.1;
      const before = viewer.poseHash();
      const [blob, { obj, mtl }] = await Promise.all([
        viewer.exportGlb({ pose: 0.5 }),
        viewer.exportObj({ time: 0.5, name: 'pip' }),
      ]);
      t.equal([viewer.currentTime, viewer.poseHash()], [0.1, before]);
      const [source, still] = await Promise.all([loadAsset(SAMPLE), loadAsset(blob)]);
      const poses = [source.sample('Walk', 0.5), still.sample(null)] as const;
      t.ok(difference(poses[0].matrices, poses[1].matrices.slice(0, source.joints.length * 16)) < 1e-6, 'nodes');
      const lines = obj.split('\n');
      const rows = (word: string): number[][] =>
        lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ').slice(1).map(Number));
      t.ok(lines.includes('mtllib pip.mtl') && mtl.includes('\nKd '), 'materials');
      t.equal(rows('v').length, source.info.vertices);
      t.equal(lines.filter((line) => line.startsWith('f ')).length, source.info.triangles);
      // The vertices of the OBJ are those of the stage.
      viewer.currentTime = 0.5;
      const box = t.some(viewer.measure());
      const axis = (i: number): number[] => rows('v').map((row) => row[i] ?? NaN);
      const [min, max] = [Math.min, Math.max].map((most) => [0, 1, 2].map((i) => axis(i).reduce((a, b) => most(a, b))));
      t.ok(difference([...(min ?? []), ...(max ?? [])], [...box.min, ...box.max]) < 1e-6, 'vertices');
      for (const asset of [source, still]) asset.dispose();
    },
    LONG,
  );

  test(
    `exporting: what an actor does is recorded, and it stands still meanwhile (${renderer})`,
    async (t) => {
      const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer });
      // No joint has a scale, so none gets shear.
      await viewer.load(humanoid({ names: 'mixamo', clip: 'Wave' }));
      viewer.timeline = 'manual';
      viewer.play('Wave');
      viewer.advance(0.3);
      viewer.layers.add('Wave', { weight: 0.6 }).currentTime = 1.1;
      viewer.joint('mixamorig:Head').lookAt([1, 1, 1], { speed: 3, limit: 1 });
      const before = [viewer.now, viewer.currentTime, viewer.poseHash()];
      const blob = await viewer.exportGlb({ record: { to: viewer.now + 1, fps: 10, name: 'Take' }, clips: ['Wave'] });
      t.equal([viewer.now, viewer.currentTime, viewer.poseHash()], before);
      const take = await loadAsset(blob);
      t.equal(
        take.clips.map(({ name }) => name),
        ['Wave', 'Take'],
      );
      t.close(take.clips[1]?.duration ?? 0, 1);
      for (let frame = 0; frame <= 10; frame += 1) {
        const { matrices } = take.sample('Take', frame / 10);
        const worst = difference(matrices, worlds(viewer, take));
        t.ok(worst < 2e-5, `frame ${frame}: ${worst}`);
        viewer.advance(0.1);
      }
      take.dispose();
    },
    LONG,
  );
}

test('exporting: clips of the file stay to the bit, and added clips have their keys', async (t) => {
  const viewer = await createViewer(t.canvas());
  const file = humanoid({ names: 'vrm', scale: 1.4, clip: 'Nod' });
  await viewer.load(file);
  await viewer.model?.addClips(humanoid({ names: 'mixamo', clip: 'Wave' }));
  const all = await loadAsset(await viewer.exportGlb());
  const ids = viewer.clips.map(({ id }) => id);
  t.equal(
    all.clips.map(({ id }) => id),
    ids,
  );
  const own = await loadAsset(file);
  const added = await own.addClips(humanoid({ names: 'mixamo', clip: 'Wave' }));
  t.equal(added.clips.at(-1)?.id, ids.at(-1));
  for (const id of ids) {
    for (const time of [0, 0.3, 0.71, 1.4]) {
      const [got, want] = [all.sample(id, time), own.sample(id, time)];
      if (id === ids[0]) t.equal(got.hash, want.hash, `${id} at ${time}`);
      t.ok(difference(got.matrices, want.matrices) < 1e-6, `${id} at ${time}`);
    }
  }
  const [first] = viewer.clips;
  const one = await loadAsset(await viewer.exportGlb({ clips: [t.some(first)] }));
  t.equal(
    one.clips.map(({ id }) => id),
    [first?.id],
  );
  for (const asset of [all, own, one]) asset.dispose();
});

test('exporting: a pose leaves meshes out that are hidden at its time, or keeps them hidden', async (t) => {
  const scene = new Scene();
  const mesh = scene.square(scene.unlit([1, 1, 1]));
  const hidden = { KHR_node_visibility: { visible: false } };
  scene.use('KHR_node_visibility');
  scene.node({ name: 'always', mesh });
  scene.node({ name: 'never', mesh, extensions: hidden });
  const blinking = scene.node({ name: 'later', mesh, extensions: hidden });
  scene.animate(`/nodes/${blinking}/extensions/KHR_node_visibility/visible`, 'SCALAR', [0, 1], [0, 1], true);
  const viewer = await createViewer(t.canvas(), { maxDpr: 1 });
  await viewer.load(scene.file());
  const shown = async (options: ExportOptions): Promise<[string[], boolean]> => {
    const { json } = await readGltf(await viewer.exportGlb(options));
    const { nodes, extensionsUsed = [] } = json as {
      nodes: { name: string; mesh?: number }[];
      extensionsUsed?: string[];
    };
    const names = nodes.filter((node) => node.mesh !== undefined).map(({ name }) => name);
    return [names, extensionsUsed.includes('KHR_node_visibility')];
  };
  t.equal(await shown({ pose: 0 }), [['always'], false]);
  t.equal(await shown({ pose: 1 }), [['always', 'later'], false]);
  t.equal(await shown({ pose: 0, hidden: 'leave-out' }), [['always'], false]);
  t.equal(await shown({ pose: 0, hidden: 'keep' }), [['always', 'never', 'later'], true]);

  // By hand: over the file, and over the clip.
  viewer.node('always').visible = false;
  viewer.node('never').visible = viewer.node('later').visible = true;
  t.equal(await shown({ pose: 0 }), [['never', 'later'], false]);
  const kept = await readGltf(await viewer.exportGlb({ pose: 0, hidden: 'keep' }));
  const flags = (json: unknown) =>
    ['always', 'never', 'later'].map((name) => {
      const { nodes } = json as { nodes: { name?: string; extensions?: Record<string, { visible: boolean }> }[] };
      return t.some(nodes.find((node) => node.name === name)).extensions?.['KHR_node_visibility']?.visible ?? true;
    });
  t.equal(flags(kept.json), [false, true, true]);
  // The whole file: the clip would play over the hand, so it is gone.
  const { json } = await readGltf(await viewer.exportGlb());
  t.equal(flags(json), [false, true, true]);
  t.equal((json as { animations?: unknown[] }).animations, undefined);
  viewer.node('always').visible = viewer.node('never').visible = viewer.node('later').visible = null;
  t.equal(flags((await readGltf(await viewer.exportGlb())).json), [true, false, false]);
});

test('exporting: wrong arguments, and sources that are gone', async (t) => {
  const viewer = await createViewer(t.canvas());
  await t.throws(() => viewer.exportGlb(), 'actor/removed');
  const bytes = model().glb;
  await viewer.load(bytes);
  for (const options of [
    { pose: true, clips: 'all' },
    { pose: NaN },
    { clips: 'some' },
    { clips: 3 },
    { record: {} },
    { record: { to: -1 } },
    { record: { to: 1e9 } },
    { record: { to: 1, fps: 0 } },
    { record: { to: 1, frames: 3 } },
    { poses: true },
    { pose: true, hidden: true },
    { hidden: 'keep' },
    null,
  ])
    await t.throws(() => viewer.exportGlb(options as object), 'argument/invalid');
  await t.throws(() => viewer.exportGlb({ clips: ['Fly'] }), 'clip/not-found');
  await t.throws(() => viewer.exportObj({ time: Infinity }), 'argument/invalid');
  await t.throws(() => viewer.exportGlb({ signal: AbortSignal.abort() }), 'load/aborted');
  // The bytes are transferred, so the file cannot be read again.
  const copy = bytes.slice();
  structuredClone(bytes, { transfer: [bytes.buffer] });
  await t.throws(() => viewer.exportGlb({ pose: true }), 'export/no-source');
  await t.throws(() => viewer.exportGlb({ pose: true, source: humanoid({ names: 'vrm' }) }), 'export/other-file');
  const blob = await viewer.exportGlb({ pose: true, source: copy });
  t.ok(blob.size > 0);
  const url = URL.createObjectURL(new Blob([copy]));
  await viewer.load(url);
  URL.revokeObjectURL(url);
  t.expectTrouble(/blob:|Failed to load/);
  await t.throws(() => viewer.exportGlb(), 'export/no-source');
  viewer.dispose();
  await t.throws(() => viewer.exportGlb(), 'viewer/disposed');
});

test(
  'exporting: a morph cache plays as the skinned model does',
  async (t) => {
    const { bytes, report } = await bake(SAMPLE, { clips: 'Walk', fps: 15 });
    t.ok(t.some(report).targets > 8, 'targets');
    const viewer = await createViewer(t.canvas(128, 128), { maxDpr: 1 });
    const pictures = async (source: string | Blob): Promise<ImageData[]> => {
      await viewer.load(source);
      viewer.clip = 'Walk';
      viewer.camera = { azimuth: 0.5, polar: 1.3, distance: 4, target: [0, 0.5, 0] };
      const all: ImageData[] = [];
      for (const frame of [0, 5]) all.push(t.pixels(await viewer.renderAt(frame / 15)));
      return all;
    };
    const [joints, cached] = [await pictures(SAMPLE), await pictures(new Blob([bytes]))];
    for (const [i, picture] of cached.entries())
      t.samePixels(picture, t.some(joints[i]), { channel: 4, outliers: 0.002 });
    // The playhead obeys rates and loops as with joints.
    viewer.timeline = 'manual';
    viewer.play('Walk', { playbackRate: 2 });
    viewer.advance(0.25);
    t.close(viewer.currentTime, 0.5);
    viewer.advance(t.some(viewer.clip).duration);
    t.close(viewer.currentTime, 0.5);
  },
  LONG,
);

test(
  'exporting: a crowd of a morph cache shows the same picture as one of joints',
  async (t) => {
    const picture = async (cache: boolean): Promise<ImageData> => {
      const canvas = t.canvas(128, 96);
      const viewer = await createViewer(canvas, { maxDpr: 1 });
      viewer.timeline = 'manual';
      await viewer.addCrowd(SAMPLE, {
        count: 6,
        clips: 'Walk',
        positions: Float32Array.from(
          { length: 18 },
          (_, i) => (i % 3 === 1 ? 0 : Math.floor(i / 3) % 4) * (i % 3 ? -1 : 1),
        ),
        starts: Float64Array.from({ length: 6 }, (_, i) => -i / 15),
        ...(cache && { cache: { clips: 'Walk', fps: 15 } }),
      });
      viewer.advance(1 / 15);
      // The boxes of morph targets are wider than those of joints, so an automatic camera would be farther away.
      viewer.camera = { azimuth: 0.4, polar: 1.2, distance: 6, target: [1.5, 0.5, -0.5] };
      const bitmap = await createImageBitmap(await viewer.toBlob());
      viewer.dispose();
      return t.pixels(bitmap);
    };
    const [joints, cached] = [await picture(false), await picture(true)];
    t.samePixels(cached, joints, { channel: 4, outliers: 0.002 });
  },
  LONG,
);

test(
  'exporting: crowds refuse caches of models and unknown clips',
  async (t) => {
    const viewer = await opened(t, 'own');
    const cached = (cache: unknown): Promise<unknown> => viewer.addCrowd(SAMPLE, { cache } as object);
    for (const cache of ['all', 3, { rate: 1 }, { clips: [] }, { fps: 0 }])
      await t.throws(() => cached(cache), 'argument/invalid');
    await t.throws(() => cached({ clips: 'Fly' }), 'clip/not-found');
    await t.throws(() => viewer.addCrowd(t.some(viewer.model), { cache: 'vertices' }), 'argument/invalid');
  },
  LONG,
);

test(
  'exporting: a recording begins at the time of the call',
  async (t) => {
    const viewer = await opened(t, 'own');
    viewer.timeline = 'manual';
    viewer.play('Wave');
    const { now } = viewer;
    const pending = viewer.exportGlb({ record: { to: now + 1, fps: 10 }, clips: [] });
    // While scripts are loading, the timeline goes on, beyond the end of the recording.
    viewer.advance(3);
    const asset = await loadAsset(await pending);
    t.close(t.some(asset.clips.find(({ name }) => name === 'Recording')).duration, 1, 1e-6);
    asset.dispose();
  },
  LONG,
);
