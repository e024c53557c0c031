// Clips from numbers: invalid ones first, then clips compared with those of files.

import { createViewer, loadAsset, type ClipSetup, type ClipTrack, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { Scene, lit, through } from './support/scene.ts';
import { byHand, picture, slid } from './support/watch.ts';

const SLIDE: ClipTrack = { node: 0, path: 'translation', times: [0, 2], values: [0, 0, 0, 1, 0, 0] };

async function refused(t: T, call: () => unknown, code: string, place?: string): Promise<void> {
  const { message, pointer } = (await t.throws(call, code)) as GambolError;
  if (place === undefined) return;
  t.equal(pointer, place, message);
  t.ok(message.includes(place), message);
}

test('made clips: invalid clips are errors with their place, and the model stays as it is', async (t) => {
  const viewer = await byHand(t, { node: 'Square' });
  const shown = t.some(viewer.model);
  const before = shown.clips;
  const setup = (tracks: unknown, more: object = {}): ClipSetup => ({ name: 'New', tracks, ...more }) as ClipSetup;
  const track = (more: object): ClipSetup => setup([SLIDE, { ...SLIDE, path: 'scale', ...more }]);
  const other = (more: object): ClipSetup => setup([{ times: [0], values: [0], ...more }]);
  const cases: readonly (readonly [setup: unknown, code: string, place?: string])[] = [
    [undefined, 'argument/invalid'],
    [null, 'argument/invalid'],
    ['Walk', 'argument/invalid'],
    [{ tracks: [] }, 'argument/invalid'],
    [{ name: 3, tracks: [] }, 'argument/invalid'],
    [setup(undefined), 'argument/invalid', 'tracks'],
    [setup('all'), 'argument/invalid', 'tracks'],
    [setup(new Set([SLIDE])), 'argument/invalid', 'tracks'],
    [setup([SLIDE], { loop: true }), 'argument/invalid'],
    [setup([SLIDE], { markers: [{ name: 'late', time: 3 }] }), 'import/marker-ignored', 'markers[0]'],
    [setup([SLIDE], { markers: [{ time: 1 }] }), 'argument/invalid'],
    [setup([SLIDE], { markers: [{ name: 'a', time: '1' }] }), 'argument/invalid', 'markers[0].time'],
    [setup([null]), 'argument/invalid'],
    [setup([SLIDE, SLIDE]), 'import/channel-duplicate', 'tracks[1]'],
    [setup([{ ...SLIDE, tangents: [] }]), 'argument/invalid'],
    [setup([() => SLIDE]), 'argument/invalid'],
    [track({ node: undefined }), 'argument/invalid'],
    [track({ node: 'Circle' }), 'joint/not-found', 'tracks[1].node'],
    [track({ node: { name: 'Circle' } }), 'joint/not-found', 'tracks[1].node'],
    [track({ node: { index: 0 } }), 'argument/invalid', 'tracks[1].node'],
    [track({ node: 9 }), 'joint/not-found', 'tracks[1].node'],
    [track({ node: -1 }), 'joint/not-found', 'tracks[1].node'],
    [track({ path: 'matrix' }), 'argument/invalid'],
    [track({ path: undefined }), 'argument/invalid'],
    [track({ path: 'weights', values: [1, 1] }), 'import/channel-ignored', 'tracks[1].path'],
    [track({ interpolation: 'linear' }), 'argument/invalid'],
    [track({ morph: 'smile' }), 'argument/invalid', 'tracks[1]'],
    [other({ morph: 'smile' }), 'morph/not-found', 'tracks[0].morph'],
    [other({ morph: 7 }), 'argument/invalid'],
    [other({ pointer: '/materials/8/emissiveFactor' }), 'import/channel-ignored', 'tracks[0].pointer'],
    [other({ pointer: '' }), 'import/channel-ignored', 'tracks[0].pointer'],
    [other({ pointer: 3 }), 'argument/invalid'],
    [other({ pointer: '/nodes/0/scale', path: 'scale' }), 'argument/invalid', 'tracks[0].path'],
    [track({ times: undefined }), 'argument/invalid', 'tracks[1].times'],
    [track({ times: 2 }), 'argument/invalid', 'tracks[1].times'],
    [track({ times: [] }), 'import/no-keys', 'tracks[1].times'],
    [track({ times: [0, '1'] }), 'argument/invalid', 'tracks[1].times[1]'],
    [track({ times: new Array(4e9) }), 'import/too-large', 'tracks[1]'],
    [track({ times: new Float32Array(9_000_000), values: new Uint8Array(9_000_000) }), 'import/too-large', 'tracks[1]'],
    [track({ times: new BigInt64Array(2) }), 'argument/invalid', 'tracks[1].times[0]'],
    [track({ times: new DataView(new ArrayBuffer(8)) }), 'argument/invalid', 'tracks[1].times'],
    [track({ times: [0, NaN] }), 'import/key-time-not-finite', 'tracks[1].times[1]'],
    [track({ times: [0, 1e39] }), 'import/key-time-not-finite', 'tracks[1].times[1]'],
    [track({ times: [1, 0] }), 'import/key-times-unsorted', 'tracks[1].times[1]'],
    // Equal in single precision.
    [track({ times: [1, 1 + 1e-12] }), 'import/key-times-unsorted', 'tracks[1].times[1]'],
    [track({ values: [1, 1, 1, 1, 1] }), 'import/output-too-short', 'tracks[1].values'],
    [track({ values: [1, 1, 1, 1, 1, 1, 1] }), 'import/output-too-long', 'tracks[1].values'],
    [track({ values: [1, 1, 1, 1, Infinity, 1] }), 'import/key-value-not-finite', 'tracks[1].values[4]'],
    [track({ interpolation: 'CUBICSPLINE' }), 'import/output-too-short', 'tracks[1].values'],
    [
      track({ path: 'rotation', values: [0, 0, 0, 1, 0, 0, 0, 2] }),
      'import/rotation-normalized',
      'tracks[1].values[4]',
    ],
  ];
  for (const [bad, code, place] of cases) await refused(t, () => shown.createClip(bad as ClipSetup), code, place);
  t.equal(shown.clips === before, true, 'the list of clips');
  t.equal(viewer.poseHash(), (await byHand(t, { node: 'Square' })).poseHash());
  viewer.unload();
  await t.throws(() => shown.createClip(setup([SLIDE])), 'argument/invalid');
});

test('made clips: a clip plays as that of a file with the same numbers, in each use', async (t) => {
  const viewer = await byHand(t, { node: 'Square', clips: [['Slide', 2]] });
  const shown = t.some(viewer.model);
  const changes = details(viewer, 'clipschange');
  const times = Float64Array.of(0, 2);
  const pending = shown.createClip({
    name: 'Slide',
    tracks: [{ node: { name: 'square' }, path: 'translation', times, values: [0, 0, 0, 1, 0, 0] }],
    markers: [{ name: 'middle', time: 1 }],
  });
  // The numbers are those of the call.
  times.fill(7);
  const made = await pending;
  t.equal([made.id, made.name, made.index, made.duration, made.channels], ['Slide~2', 'Slide', 1, 2, 1]);
  t.equal(made.markers, [{ name: 'middle', time: 1 }]);
  t.equal(changes, [{ added: ['Slide~2'], removed: [], edited: [] }]);
  t.equal([shown.clips.at(-1) === made, viewer.clips.at(-1) === made], [true, true]);
  const [of, own] = [shown.clipData('Slide'), shown.clipData(made)];
  t.equal([own.tracks, own.name, of.name], [of.tracks, 'Slide', 'Slide']);

  const hashes = async (clip: string): Promise<string[]> => {
    viewer.clip = clip;
    const list: string[] = [];
    for (const time of [0, 0.31, 1, 1.999, 2]) {
      await viewer.seek(time);
      list.push(viewer.poseHash());
    }
    return list;
  };
  t.equal(await hashes('Slide~2'), await hashes('Slide'));

  const marks = details(viewer, 'marker');
  viewer.play(made, { transition: 'cut' });
  viewer.advance(1.5);
  t.close(slid(viewer), 0.75);
  t.equal(
    marks.map(({ name }) => name),
    ['middle'],
  );
  viewer.pause();
  const layer = viewer.layers.add(made, { fade: 0 });
  layer.currentTime = 0.5;
  t.close(slid(viewer), 0.25);
  layer.remove();

  // Another viewer that shares the model has it, and a crowd plays it.
  const crowd = await viewer.addCrowd(shown, { count: 3 });
  crowd.set({ clips: made });
  await viewer.seek(0.5);
  t.ok(await viewer.toBlob(), 'a picture with a crowd');
  crowd.remove();

  viewer.play(made, { transition: 'cut' });
  await shown.removeClip(made);
  t.equal([viewer.clip, viewer.clips.length], [null, 1]);
  await t.throws(() => viewer.play('Slide~2'), 'clip/not-found');
});

test('made clips: empty clips, morphs and names of several meshes', async (t) => {
  const scene = new Scene();
  const targets = [0, 1].map(() => ({
    POSITION: scene.accessor('VEC3', [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]),
  }));
  const material = scene.unlit([1, 1, 1]);
  for (const targetNames of [
    ['open', 'shut'],
    ['shut', 'wide'],
  ]) {
    const mesh = scene.square(material, {}, { targets });
    Object.assign(scene.json.meshes[mesh], { extras: { targetNames } });
    scene.node({ mesh });
  }
  const asset = await loadAsset(scene.file());
  const empty = await asset.createClip({ name: '', tracks: [] });
  t.equal([empty.id, empty.duration, empty.channels], ['Clip 1', 0, 0]);
  const keys = { times: [0, 1], values: [0, 0.5] };
  await asset.createClip({ name: 'Shut', tracks: [{ morph: 'shut', ...keys }] });
  t.close(asset.sample('Shut', 0.5).weights, [0, 0.25, 0.25, 0]);
  t.equal(
    asset.clipData('Shut').tracks.map(({ pointer }) => pointer),
    ['/nodes/1/weights/1', '/nodes/2/weights/0'],
  );
  await asset.createClip({ name: 'All', tracks: [{ node: 2, path: 'weights', times: [0], values: [0.25, 0.75] }] });
  t.close(asset.sample('All').weights, [0, 0, 0.25, 0.75]);
  // Two tracks of one weight.
  const twice = {
    name: 'Twice',
    tracks: [
      { morph: 'shut', ...keys },
      { pointer: '/nodes/1/weights/1', ...keys },
    ],
  };
  await refused(t, () => asset.createClip(twice), 'import/channel-duplicate', 'tracks[1]');
  asset.dispose();
});

/**
 * A square that a light of the file shines on, and one with a texture; with a clip that animates properties, or without clips. Two of
 * them need another shader: a layer that is 0 without the clip, and a texture that moves.
 */
function propertyScene(animated: boolean): Scene {
  const scene = new Scene();
  scene.use('KHR_materials_clearcoat');
  const coat = { extensions: { KHR_materials_clearcoat: { clearcoatFactor: 0 } } };
  scene.node({ mesh: scene.square(scene.matt([1, 1, 1], coat)), scale: [0.5, 0.5, 0.5] });
  const textured = scene.unlit([1, 1, 1], { index: scene.texture() });
  scene.node({ mesh: scene.square(textured), scale: [0.2, 0.2, 0.2], translation: [0.7, 0.7, 0.1] });
  scene.node({ extensions: lit(scene.light({ type: 'point', intensity: 5 })), translation: [0, 0, 2] });
  if (!animated) return scene;
  const kinds = ['', 'SCALAR', 'VEC2', 'VEC3', 'VEC4'];
  for (const { pointer, times, values } of PROPERTIES)
    scene.animate(pointer ?? '', kinds[values.length / times.length] ?? '', Array.from(times), Array.from(values));
  return scene;
}

const PROPERTIES: readonly ClipTrack[] = [
  {
    pointer: '/materials/0/pbrMetallicRoughness/baseColorFactor',
    times: [0, 1],
    values: [1, 0, 0, 1, 0, 0.5, 1, 1],
  },
  { pointer: '/materials/1/pbrMetallicRoughness/baseColorFactor', times: [0, 1], values: [1, 1, 1, 1, 0, 1, 0, 1] },
  { pointer: '/extensions/KHR_lights_punctual/lights/0/intensity', times: [0, 1], values: [5, 1] },
  { pointer: '/cameras/0/orthographic/xmag', times: [0, 1], values: [1, 1.5] },
  { pointer: '/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor', times: [0, 1], values: [0, 1] },
  {
    pointer: '/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset',
    times: [0, 1],
    values: [0, 0, 0.25, 0.5],
  },
];

async function propertiesOf(t: T, viewer: Viewer): Promise<ImageData[]> {
  const list: ImageData[] = [];
  for (const time of [0, 0.5, 1]) {
    await viewer.seek(time);
    list.push(await picture(t, viewer));
  }
  return list;
}

test('made clips: properties that no clip of the file animates look as those of a file that does', async (t) => {
  const [file, other] = [propertyScene(true), propertyScene(false)];
  // One clip with all channels, in place of one each.
  const { animations } = file.json;
  file.json.animations = [
    {
      name: 'Change',
      samplers: animations.flatMap(({ samplers }: { samplers: object[] }) => samplers),
      channels: animations.map(({ channels: [channel] }: { channels: object[] }, sampler: number) => ({
        ...channel,
        sampler,
      })),
    },
  ];
  const [wanted, viewer] = [await through(t, file), await through(t, other)];
  const plain = await picture(t, viewer);
  await t.some(viewer.model).createClip({ name: 'Change', tracks: PROPERTIES });
  t.equal((await picture(t, viewer)).data, plain.data, 'nothing changes before it plays');
  viewer.clip = 'Change';
  const want = await propertiesOf(t, wanted);
  t.ok(want[0]?.data.join() !== want[1]?.data.join(), 'it changes the picture');
  t.equal(
    (await propertiesOf(t, viewer)).map(({ data }) => data),
    want.map(({ data }) => data),
  );
  // An actor that is added later, and after a loss of the context.
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1 && viewer.stats.actors === 1, 'a new context');
  await t.until(async () => {
    const list = await propertiesOf(t, viewer).catch(() => []);
    return list.map(({ data }) => data.join()).join() === want.map(({ data }) => data.join()).join();
  }, 'the pictures after the loss');
  await t.some(viewer.model).removeClip('Change');
});

test('made clips: exported files have their keys, to the bit', async (t) => {
  const viewer = await createViewer(t.canvas());
  await viewer.load('/sample.glb');
  const shown = t.some(viewer.model);
  const walk = shown.clipData('Walk');
  const made = await shown.createClip({
    ...walk,
    name: 'Copy',
    markers: [{ name: 'half', time: walk.tracks.length / 1e3 }],
  });
  const asset = await loadAsset(await viewer.exportGlb({ clips: ['Walk', made] }));
  t.equal(
    asset.clips.map(({ name }) => name),
    ['Walk', 'Copy'],
  );
  t.equal(asset.clips[1]?.markers, made.markers);
  const own = new Map(asset.clipData('Walk').tracks.map((track) => [`${track.node} ${track.path}`, track]));
  for (const track of asset.clipData('Copy').tracks) t.equal(track, own.get(`${track.node} ${track.path}`));
  for (const time of [0, 0.3, 0.77]) t.equal(asset.sample('Copy', time).hash, asset.sample('Walk', time).hash);
  asset.dispose();
});

test('made clips: model.createClip() of a model that several viewers share', async (t) => {
  const viewers = await Promise.all([0, 1].map(() => createViewer(t.canvas(), { renderer: 'shared', maxDpr: 1 })));
  await Promise.all(viewers.map((viewer) => viewer.load('/sample.glb')));
  const [one, two] = viewers;
  await t
    .some(one?.model)
    .createClip({ name: 'Turn', tracks: [{ node: 'Head', path: 'rotation', times: [0], values: [0, 1, 0, 0] }] });
  t.equal(two?.clips.at(-1)?.id, 'Turn');
  two?.play('Turn', { transition: 'cut' });
  const { world } = t.some(two).joint('Head');
  t.ok(world, 'it plays');
});

test('edited clips: those that play stay at their times, for all viewers and crowds, and are exported', async (t) => {
  const viewers = await Promise.all([0, 1].map(() => createViewer(t.canvas(), { renderer: 'shared', maxDpr: 1 })));
  await Promise.all(viewers.map((each) => each.load('/sample.glb')));
  const [viewer, other] = viewers as [Viewer, Viewer];
  const shown = t.some(viewer.model);
  const changes = details(other, 'clipschange');
  for (const each of viewers) {
    each.timeline = 'manual';
    each.play('Walk', { transition: 'cut' });
    each.advance(0.3);
  }
  const crowd = await viewer.addCrowd(shown, { count: 9, clips: 'Walk' });
  const before = shown.clipData('Walk');
  const [edited] = await shown.editClip('Walk', { speed: 0.5 });
  t.equal([edited?.index, edited?.id], [1, 'Walk']);
  t.close(edited?.duration ?? 0, 1.6);
  t.equal(changes, [{ added: [], removed: [], edited: ['Walk'] }]);
  for (const each of viewers) {
    t.equal([each.clip === edited, each.paused, each.clips[1] === edited], [true, false, true]);
    t.close(each.currentTime, 0.3);
    t.close(each.duration, 1.6);
  }
  // The pose is that of the slower clip at this time.
  const asset = await loadAsset('/sample.glb');
  t.equal(viewer.poseHash(), other.poseHash());
  await viewer.seek(0.6);
  t.equal(viewer.poseHash(), asset.sample('Walk', 0.3).hash);
  t.ok(await viewer.toBlob(), 'a picture with a crowd');
  crowd.remove();

  const file = await loadAsset(await viewer.exportGlb());
  t.equal(
    file.clips.map(({ id }) => id),
    asset.clips.map(({ id }) => id),
  );
  t.close(file.clips[1]?.duration ?? 0, 1.6);
  for (const id of ['Idle', 'Run']) t.equal(file.sample(id, 0.2).hash, asset.sample(id, 0.2).hash);

  await shown.editClip('Walk', { replace: before });
  await viewer.seek(0.3);
  t.equal(viewer.poseHash(), asset.sample('Walk', 0.3).hash);

  // Another name is another id; the clip that plays is the same.
  viewer.play('Walk');
  const [renamed, rest] = await shown.editClip('Walk', [{ rename: 'Stroll' }, { split: { at: 0.4 } }]);
  t.equal([renamed?.id, rest?.id, viewer.clip?.id], ['Stroll', 'Stroll~2', 'Stroll']);
  await t.throws(() => viewer.play('Walk'), 'clip/not-found');
  t.close(viewer.duration, 0.4);
  for (const each of [asset, file]) each.dispose();
});
