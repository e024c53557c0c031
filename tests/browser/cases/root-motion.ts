// Root motion: movement and turn for pages that move the model themselves, and their sum in the place.

import { createViewer, type Travel } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';

/** A triangle that goes two metres along Z in a second, and turns a quarter to the left. */
function turning(): Blob {
  const half = Math.SQRT1_2;
  const numbers = [...[0, 0, 0, 1, 0, 0, 0, 1, 0], ...[0, 1], ...[0, 0, 0, 0, 0, 2], ...[0, 0, 0, 1, 0, half, 0, half]];
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  const accessor = (byteOffset: number, count: number, type: string, bounds = {}): object => ({
    bufferView: 0,
    byteOffset,
    componentType: 5126,
    count,
    type,
    ...bounds,
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'Root', mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    animations: [
      {
        name: 'Turn',
        channels: [
          { sampler: 0, target: { node: 0, path: 'translation' } },
          { sampler: 1, target: { node: 0, path: 'rotation' } },
        ],
        samplers: [
          { input: 1, output: 2 },
          { input: 1, output: 3 },
        ],
      },
    ],
    accessors: [
      accessor(0, 3, 'VEC3', { min: [0, 0, 0], max: [1, 1, 0] }),
      accessor(36, 2, 'SCALAR', { min: [0], max: [1] }),
      accessor(44, 2, 'VEC3'),
      accessor(68, 2, 'VEC4'),
    ],
    bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [
      { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` },
    ],
  };
  return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
}

for (const renderer of ['own', 'worker'] as const) {
  test(`root motion: a page moves the model by travel, ${renderer}`, async (t) => {
    const viewer = await createViewer(t.canvas(160, 120), { renderer });
    viewer.timeline = 'manual';
    t.equal(viewer.travel, null, 'without a model');
    await viewer.load(model({ clips: [['Slide', 2]], node: 'Square' }).glb);
    const x = (): number => viewer.joint('Square').world[12] ?? NaN;
    t.equal(viewer.travel, null, 'kept');
    viewer.setRootMotion('extract');
    viewer.play();
    let sum = 0;
    for (const seconds of [0.5, 1, 1]) {
      viewer.advance(seconds);
      const { position, rotation, yaw } = t.some(viewer.travel);
      t.close([...position, ...rotation, yaw], [seconds / 2, 0, 0, 0, 0, 0, 1, 0], 1e-6);
      sum += position[0];
      t.close([t.some(viewer.travel).total.position[0]], [sum], 1e-6);
      t.close([x()], [0], 1e-6, 'the page moves it');
      // The next movement is that of another frame.
      await t.frames(2);
    }
    const { velocity, turnRate } = t.some(viewer.travel);
    t.close([...velocity, turnRate], [0.5, 0, 0, 0], 1e-4);
    t.equal([viewer.rootMotion, viewer.rootMotionDelta, viewer.place], ['extract', [0, 0, 0], {}]);
    viewer.place = { position: [3, 0, 0] };
    await viewer.seek(0.2);
    t.close(t.some(viewer.travel).total.position, [sum, 0, 0], 1e-6, 'neither the place nor a seek is a movement');
    viewer.setRootMotion('extract');
    t.equal(t.some(viewer.travel).total.position, [0, 0, 0], 'the sum begins anew');
    viewer.setRootMotion('keep');
    t.equal(viewer.travel, null);
    viewer.dispose();
  });

  test(`root motion: turns lead the model on, ${renderer}`, async (t) => {
    const viewer = await createViewer(t.canvas(160, 120), { renderer });
    viewer.timeline = 'manual';
    await viewer.load(turning());
    viewer.setRootMotion('accumulate');
    viewer.play();
    const places = [1, 1, 1, 1].map((seconds) => {
      viewer.advance(seconds);
      return [...t.some(viewer.place.position)];
    });
    // Each pass goes ahead by two metres, then the next one begins to the left: a square.
    t.close(places.flat(), [0, 0, 2, 2, 0, 2, 2, 0, 0, 0, 0, 0], 1e-5);
    viewer.advance(1);
    const { total } = t.some(viewer.travel);
    t.close([total.yaw], [Math.PI / 2], 1e-5);
    t.close([...t.some(viewer.place.rotation)], [0, Math.SQRT1_2, 0, Math.SQRT1_2], 1e-5);
    const origin = viewer.joint('Root').world;
    t.close([...origin.subarray(12, 15)], [0, 0, 2], 1e-5, 'it stands there');
    t.close([...origin.subarray(8, 11)], [1, 0, 0], 1e-5, 'and looks to the left');
    // Setting the value that was read has no effect.
    viewer.place = viewer.place;
    t.close([...viewer.joint('Root').world], [...origin], 1e-5);
    viewer.place = {};
    viewer.setRootMotion('accumulate', { rotation: 'none' });
    viewer.advance(1.5);
    t.close([...viewer.joint('Root').world.subarray(12, 15)], [0, 0, 3], 1e-4, 'without the turn');
    viewer.dispose();
  });
}

test('root motion: travel in each frame adds up to the sum', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(model({ clips: [['Slide', 2]], node: 'Square' }).glb);
  viewer.setRootMotion('extract');
  const seen: Travel[] = [];
  viewer.addEventListener('frame', () => seen.push(t.some(viewer.travel)));
  viewer.play();
  await t.until(() => seen.length > 8);
  const sum = seen.reduce((all, { position }) => all + position[0], 0);
  t.close([sum], [t.some(seen.at(-1)).total.position[0]], 1e-9);
  viewer.dispose();
});

test('root motion: the speed of clips, and invalid arguments', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.setRootMotion('extract');
  t.equal(viewer.rootMotion, 'keep', 'without a model');
  await t.throws(() => viewer.clipTravel('Slide'), 'actor/removed');
  await viewer.load(turning());
  const { position, yaw, velocity, turnRate } = viewer.clipTravel('Turn', 0.5);
  t.close([...position, yaw], [0, 0, 2, Math.PI / 2], 1e-5);
  // Half way it has turned by an eighth, so the way ahead is to its right.
  t.close([...velocity, turnRate], [-Math.SQRT2, 0, Math.SQRT2, Math.PI / 2], 1e-3);
  viewer.setRootMotion('extract', { rotation: 'none' });
  t.close([viewer.clipTravel('Turn').yaw], [0], 0, 'as it is extracted');
  await t.throws(() => viewer.clipTravel('Trun'), 'clip/not-found');
  await t.throws(() => viewer.clipTravel('Turn', NaN), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('walk' as 'keep'), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('extract', { rotation: 'pitch' as 'yaw' }), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('extract', { vertical: 1 as unknown as boolean }), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('extract', { height: true } as object), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('extract', { contact: ['Rot'] }), 'joint/not-found');
  await t.throws(() => viewer.setRootMotion('extract', { contact: 'Root' as unknown as boolean }), 'argument/invalid');
  t.equal([viewer.rootMotion, viewer.clipTravel('Turn').yaw], ['extract', 0], 'nothing has changed');
  viewer.dispose();
});
