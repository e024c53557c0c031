// Several actors, joints, sockets.

import { createViewer, type Actor, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { model } from './support/model.ts';
import { picture, recorded, redCentre } from './support/watch.ts';

const SAMPLE = '/sample.glb';

async function loaded(t: T, source: string | Uint8Array<ArrayBuffer> = model().glb): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(400, 300));
  await viewer.load(source);
  return viewer;
}

/** The number of pixels that are neither empty nor the background. */
function covered({ data }: ImageData): number {
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 127) count += 1;
  return count;
}

/** The translation of a matrix. */
function at(matrix: Float32Array): number[] {
  return [...matrix.slice(12, 15)];
}

test('actors: share the model and play independently', async (t) => {
  const viewer = await loaded(t);
  const own = t.some(viewer.model);
  const before = viewer.liveObjects();
  const one = covered(await picture(t, viewer));
  const second = await viewer.add(own, { position: [0, 1.5, 0] });
  t.equal(viewer.liveObjects(), before, 'nothing new on the GPU');
  t.ok(second.model === own && second.paused, 'the same model, paused');
  viewer.camera = { target: [1, 1.25, 0], distance: 12 };
  t.ok(covered(await picture(t, viewer)) > 0 && one > 0);

  const heard: string[] = [];
  for (const [name, performer] of [
    ['viewer', viewer],
    ['second', second],
  ] as const) {
    for (const type of ['play', 'pause', 'clipchange', 'seeking', 'seeked'] as const) {
      performer.addEventListener(type, () => heard.push(`${name} ${type}`));
    }
  }
  second.play('Short', { loopMode: 'once' });
  await t.until(() => second.ended, 'the second has finished');
  t.equal([viewer.paused, viewer.currentTime, viewer.clip?.id], [true, 0, 'Slide']);
  t.equal([second.currentTime, second.clip?.id], [Math.fround(0.15), 'Short']);
  await viewer.seek(1);
  t.equal(second.currentTime, Math.fround(0.15));
  t.equal(heard, ['second clipchange', 'second play', 'viewer seeking', 'viewer seeked']);
  const { finished } = second.play('Short', { loopMode: 'once' });
  await finished;
});

test('actors: the removal of the last actor frees the model', async (t) => {
  const viewer = await loaded(t);
  const alone = viewer.liveObjects();
  const first = await viewer.add(model({ clips: [['Other', 3]] }).glb);
  const { model: shared } = first;
  const second = await viewer.add(t.some(shared));
  t.ok((viewer.liveObjects()['buffers'] ?? 0) > (alone['buffers'] ?? 0), 'the other model has buffers');
  const { finished } = first.play();
  first.remove();
  first.remove();
  await t.throws(() => finished, 'play/aborted');
  await t.throws(() => first.play(), 'actor/removed');
  await t.throws(() => first.joint(0), 'actor/removed');
  t.equal([first.currentTime, first.clips.length, first.model], [0, 0, null]);
  t.equal(
    second.clips.map(({ id }) => id),
    ['Other'],
  );
  second.remove();
  t.equal(viewer.liveObjects(), alone);
  await t.throws(() => viewer.add(t.some(shared)), 'argument/invalid');
  viewer.unload();
  t.equal(viewer.liveObjects()['buffers'], (await createViewer(t.canvas(8, 8))).liveObjects()['buffers']);
});

test('actors: add() with invalid arguments adds nothing', async (t) => {
  const viewer = await loaded(t);
  const own = t.some(viewer.model);
  await t.throws(() => viewer.add('nothing.glb'), /fetch/);
  await t.throws(() => viewer.add(own, { position: [0, NaN, 0] }), 'argument/invalid');
  await t.throws(() => viewer.add(own, { rotation: [0, 0, 0, 0] }), 'argument/invalid');
  for (const place of [undefined, null, 3])
    await t.throws(() => {
      (viewer as { place: unknown }).place = place;
    }, 'argument/invalid');
  await t.throws(() => viewer.add(own, { attachTo: { joint: 'Nobody' } }), 'joint/not-found');
  const stop = new AbortController();
  const aborted = viewer.add(SAMPLE, { signal: stop.signal });
  stop.abort();
  await t.throws(() => aborted, 'load/aborted');
  const adding = viewer.add(SAMPLE);
  viewer.dispose();
  await t.throws(() => adding, /load\/aborted|viewer\/disposed/);
});

test('joints: are found by name, read and overridden', async (t) => {
  const viewer = await loaded(t, SAMPLE);
  const { joints } = viewer;
  t.ok(joints.length > 10 && joints.some(({ skinned }) => skinned), 'it has joints');
  const named = t.some(joints.find(({ skinned, parent, name }) => skinned && parent !== null && /hand/i.test(name)));
  const hand = viewer.joint(named.name);
  t.equal([hand.index, viewer.joint(named.index).name], [named.index, named.name]);
  t.equal(viewer.joint(`rig:${named.name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`).index, named.index, 'tolerant');
  await t.throws(() => viewer.joint('Nobody'), 'joint/not-found');
  // Values that the glue takes for strings: without a length, or with a length that differs from their text.
  for (const ref of [
    undefined,
    null,
    {},
    [],
    ['Head'],
    new Date(NaN),
    new Uint8Array(5),
    { length: 3 },
    { length: 2 ** 30, charCodeAt: () => 65, slice: () => ({ length: 2 ** 30 }) },
    () => 1,
  ]) {
    await t.throws(() => viewer.joint(ref as unknown as string), 'argument/invalid');
  }
  t.equal(viewer.joint(named.name).index, named.index, 'the module goes on');
  await t.throws(() => viewer.joint(joints.length), 'joint/not-found');
  const parent = t.some(hand.parent);
  t.ok(
    parent.children.some(({ index }) => index === hand.index),
    'its parent knows it',
  );

  const before = at(hand.world);
  const hash = viewer.poseHash();
  parent.override({ translation: [0.5, 1, 2] }, { space: 'world' });
  t.close(at(parent.world), [0.5, 1, 2], 1e-6);
  const moved = at(hand.world);
  t.ok(Math.hypot(...moved.map((value, i) => value - (before[i] ?? 0))) > 0.01, 'the hand follows');
  parent.override({ translation: [0.5, 1, 2] }, { space: 'world', weight: 0 });
  t.equal(viewer.poseHash(), hash);
  hand.override({ rotation: [0, 0, 1, 0], scale: 2 });
  t.ok(viewer.poseHash() !== hash);
  await viewer.play(0);
  hand.override(null);
  parent.override(null);
  viewer.stop();
  t.equal(viewer.poseHash(), hash);
  await t.throws(() => hand.override({ rotation: [0, 0, 0, 0] }), 'argument/invalid');
  await t.throws(() => hand.override({ translation: [0, 0, 0] }, { weight: 2 }), 'argument/invalid');
  // The joint of that name would be in another model; this model has none.
  await viewer.load(model().glb);
  await t.throws(() => hand.world, 'joint/not-found');
});

test('attach: an actor follows a joint, but not itself', async (t) => {
  const viewer = await loaded(t, SAMPLE);
  const joint = t.some(viewer.joints.find(({ name }) => /hand/i.test(name))).name;
  const held = await viewer.add(model().glb, { scale: 0.1, attachTo: { joint, space: 'joint', offset: [0, 0.25, 0] } });
  const hand = viewer.joint(joint);
  viewer.play(1);
  for (const time of [0.1, 0.3, 0.45]) {
    await viewer.seek(time);
    const world = hand.world;
    const want = [0, 1, 2].map((i) => 0.25 * (world[4 + i] ?? 0) + (world[12 + i] ?? 0));
    t.close(at(held.joint(0).world), want, 1e-5);
  }
  const third = await viewer.add(t.some(held.model), { attachTo: { actor: held, joint: 0 } });
  await t.throws(() => third.joint(0).attach(held), 'actor/cycle');
  await t.throws(() => held.joint(0).attach(held), 'actor/cycle');

  // The model of the viewer changes: its followers keep their place until there is a joint of that name again.
  viewer.pause();
  const before = at(held.joint(0).world);
  await viewer.load(model().glb);
  t.close(at(held.joint(0).world), before, 1e-6);
  await viewer.load(SAMPLE);
  await viewer.seek(0.2);
  const { world } = viewer.joint(joint);
  t.close(
    at(held.joint(0).world),
    [0, 1, 2].map((i) => 0.25 * (world[4 + i] ?? 0) + (world[12 + i] ?? 0)),
    1e-5,
  );
  held.remove();
  third.remove();
});

test('attach: an element follows a joint, and is hidden behind the camera', async (t) => {
  const viewer = await loaded(t);
  // From a distance, since in perspective the middle of a near square is not the mean of its pixels.
  viewer.camera = { distance: 2 * viewer.camera.distance };
  const label = document.createElement('div');
  label.style.color = 'red';
  document.body.append(label);
  const detach = viewer.joint(0).attach(label, [0.5, 0.5, 0]);
  t.equal([label.hidden, label.style.position], [true, 'absolute']);
  const centre = async (time: number): Promise<[number, number]> => {
    await viewer.seek(time);
    const box = viewer.canvas.getBoundingClientRect();
    const seen = redCentre(await picture(t, viewer)) * box.width + box.left;
    return [label.getBoundingClientRect().left, seen];
  };
  for (const time of [0, 1, 2]) {
    const [is, seen] = await centre(time);
    // In perspective the middle of the square is not exactly the mean of its pixels.
    t.close(is, seen, 8, `at ${time}`);
    t.equal([label.hidden, label.hasAttribute('data-visible')], [false, true]);
  }
  viewer.camera = { target: [0, 0, 50], azimuth: Math.PI, distance: 1 };
  await t.frames(3);
  t.equal([label.hidden, label.hasAttribute('data-visible')], [true, false]);
  viewer.unload();
  await t.frames(2);
  t.equal(label.hidden, true);
  detach();
  detach();
  t.equal(
    [label.getAttribute('style'), label.hidden, label.hasAttribute('data-visible')],
    ['color: red;', false, false],
  );
});

test('framing: the camera frames the poses that the property selects', async (t) => {
  const viewer = await loaded(t);
  // The square slides from 0 to 1, so that the clip's bounds are wider than the pose's.
  t.equal(viewer.framing, 'clip');
  // Seen head-on, the nearer half is not larger, so the middle of the picture is the middle of the box.
  viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
  viewer.frame();
  t.close(viewer.camera.target, [1, 0.5, 0], 1e-5);
  viewer.framing = 'rest';
  t.close(viewer.camera.target, [0.5, 0.5, 0], 1e-5);
  await viewer.seek(2);
  viewer.framing = 'pose';
  t.close(viewer.camera.target, [1.5, 0.5, 0], 1e-5);
  t.close([...t.some(viewer.bounds).min, ...t.some(viewer.bounds).max], [1, 0, 0, 2, 1, 0], 1e-4);
  const { center, radius } = t.some(viewer.boundingSphere);
  t.close([...center, radius], [1.5, 0.5, 0, Math.SQRT1_2], 1e-4);
  // From behind the view is head-on, too.
  viewer.orbit(Math.PI, 0);
  const { azimuth } = viewer.camera;
  viewer.framing = 'all-clips';
  t.close(viewer.camera.target, [1.5, 0.5, 0], 1e-5, 'a camera that was moved stays');
  viewer.frame();
  t.close([...viewer.camera.target, viewer.camera.azimuth], [1, 0.5, 0, azimuth], 1e-5);
  viewer.resetCamera();
  t.close([viewer.camera.azimuth, viewer.camera.polar], [0.44, 1.36], 1e-6, 'from where it looked at first');
  viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
  viewer.frame();
  const second: Actor = await viewer.add(t.some(viewer.model), { position: [4, 0, 0] });
  t.close(viewer.camera.target, [3, 0.5, 0], 1e-5, 'it frames both');
  second.place = { position: [8, 0, 0] };
  t.close(t.some(second.bounds).min, [8, 0, 0], 1e-4);
  await t.throws(() => {
    (viewer as { framing: string }).framing = 'all';
  }, 'argument/invalid');
});

test('actors: a context loss restores all actors', async (t) => {
  const viewer = await loaded(t);
  const second = await viewer.add(t.some(viewer.model), { position: [0, 1.5, 0] });
  const other = await viewer.add(SAMPLE, { position: [-1, 0, 0], attachTo: { joint: 0 } });
  await viewer.seek(0.5);
  await second.seek(1.25);
  other.joint(3).override({ scale: 2 });
  await other.seek(0.3);
  const hashes = [viewer, second, other].map((one) => one.poseHash());
  const before = await picture(t, viewer);
  const seen = recorded(viewer);
  const loss = t.some(t.some(viewer.canvas.getContext('webgl2')).getExtension('WEBGL_lose_context'));
  loss.loseContext();
  await t.until(() => seen.includes('contextlost'), 'the loss');
  await t.sleep(50);
  loss.restoreContext();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  t.equal(
    [viewer, second, other].map((one) => one.poseHash()),
    hashes,
  );
  t.equal([viewer.currentTime, second.currentTime, other.currentTime], [0.5, 1.25, 0.3]);
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
  second.play();
  await t.until(() => second.currentTime > 1.25, 'it plays on');
});

test('attach: the model greenman carries hat, sword and shield', async (t) => {
  const assets = '/shared/assets/gltf';
  if (!(await fetch(`${assets}/greenman.glb`, { method: 'HEAD' })).ok) t.skip('there is no ../shared');
  const viewer = await createViewer(t.canvas(600, 600), { background: [0.8, 0.85, 0.9, 1] });
  await viewer.load(`${assets}/greenman.glb`);
  const bare = await picture(t, viewer);
  for (const [thing, joint] of [
    ['hat', 'socket_hat'],
    ['sword', 'socket_hand_R'],
    ['shield', 'socket_hand_L'],
  ] as const) {
    await viewer.add(`${assets}/greenman_${thing}.glb`, { attachTo: { joint } });
  }
  viewer.joint('socket_hand_R').parent?.override({ rotation: [-0.6, 0, 0, 0.8] }, { weight: 0.5 });
  viewer.framing = 'pose';
  await viewer.seek(0.4);
  const armed = await picture(t, viewer);
  t.ok(
    armed.data.some((value, i) => Math.abs(value - (bare.data[i] ?? 0)) > 40),
    'they are seen',
  );
  await t.save('greenman.png', armed);
});

test(
  'actors: the examples of the documentation run',
  async (t) => {
    document.body.innerHTML =
      '<div style="position: relative"><canvas style="width: 300px; height: 300px"></canvas><b id="label">Pip</b></div>';
    const viewer = await createViewer(t.some(document.querySelector('canvas')));
    await viewer.load(SAMPLE);
    const head = viewer.joint('Head');
    head.override({ rotation: [0, 0.3, 0, 0.95] });
    const label = t.some(document.querySelector<HTMLElement>('#label'));
    const detach = head.attach(label, [0, 0.2, 0]);
    const second = await viewer.add(t.some(viewer.model), { position: [1, 0, 0] });
    second.play('Wave');
    const hat = await viewer.add(model().glb, { attachTo: { joint: 'Head', offset: [0, 0.1, 0] } });
    await t.until(() => second.currentTime > 0.1, 'it waves');
    t.ok(label.hasAttribute('data-visible') && hat.bounds, 'both are seen');
    await t.screenshot('actors');
    detach();
  },
  { all: true },
);

/** A square, and a joint one metre above the ground whose root has a scale, as many exporters write it. */
function rig(root: number | readonly number[], joint = 1): Uint8Array<ArrayBuffer> {
  const scale = typeof root === 'number' ? [root, root, root] : root;
  const { json, bin } = model({ clips: [] });
  const { meshes, ...rest } = json as { meshes: object[] };
  const nodes = [
    { mesh: 0 },
    { name: 'Root', scale, children: [2] },
    {
      name: 'Joint',
      translation: scale.map((value, i) => ([0.2, 1, 0.3][i] ?? 0) / value),
      scale: [joint, joint, joint],
    },
  ];
  const whole = {
    ...rest,
    meshes,
    nodes,
    scenes: [{ nodes: [0, 1] }],
    buffers: [{ byteLength: bin.byteLength, uri: uri(bin) }],
  };
  return new TextEncoder().encode(JSON.stringify(whole));
}

function uri(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`;
}

for (const [root, joint] of [
  [0.01, 1],
  [100, 1],
  [0.01, 100],
  [[0.01, 2, 0.5], 1],
] as const) {
  test(`attach: offsets are metres, and an attached actor keeps its size: root ${String(root)}, joint ${joint}`, async (t) => {
    const viewer = await loaded(t, rig(root, joint));
    viewer.camera = { azimuth: 0.4, polar: 1.2, distance: 6, target: [0, 1, 0] };
    const above = t.some(viewer.project([0.2, 1.5, 0.3]));
    const screen = (at: { x: number; y: number } | null): number[] => [t.some(at).x, t.some(at).y];
    t.close(screen(viewer.project([0, 0.5, 0], 'Joint')), screen(above), 0.01);
    const raw = [...viewer.joint('Joint').world];
    const [x = 0, y = 0, z = 0] = [0, 1, 2].map((row) => (raw[12 + row] ?? 0) + 0.5 * (raw[4 + row] ?? 0));
    t.close(
      screen(viewer.project([0, 0.5, 0], 'Joint', { space: 'joint' })),
      screen(viewer.project([x, y, z])),
      0.5,
      'its own units',
    );
    await t.throws(() => viewer.project([0, 0, 0], 'Joint', { space: 'world' as 'joint' }), 'argument/invalid');

    const label = document.createElement('div');
    document.body.style.position = 'relative';
    viewer.canvas.after(label);
    viewer.joint('Joint').attach(label, [0, 0.5, 0]);
    const held = await viewer.add(model({ clips: [] }).glb, { attachTo: { joint: 'Joint', offset: [0, 0.5, 0] } });
    const { min, max } = t.some(held.bounds);
    t.close([...min, ...max], [0.2, 1.5, 0.3, 1.2, 2.5, 0.3], 1e-4, 'a square of one metre, half a metre above');
    const [left = 0, top = 0] = label.style.translate.split(' ').map(parseFloat);
    t.close([left - viewer.canvas.offsetLeft, top - viewer.canvas.offsetTop], screen(above), 0.02, 'the label');
    await t.throws(
      () => viewer.add(t.some(held.model), { attachTo: { joint: 'Joint', space: 'scaled' as 'joint' } }),
      'argument/invalid',
    );
    if (typeof root !== 'number') return;
    const own = await viewer.add(t.some(held.model), { attachTo: { joint: 'Joint', space: 'joint' } });
    const box = t.some(own.bounds);
    t.close(
      [box.max[0] - box.min[0]],
      [root * joint],
      1e-3 * root * joint,
      'scaled as the joint is, where that is asked for',
    );
  });
}
