// Layers and blend spaces. The square is at x = time / duration; the sample character has joints to mask.

import { createViewer, type Layer, type LayerOptions, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { byHand, slid } from './support/watch.ts';

const SAMPLE = '/sample.glb';

async function pip(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas());
  viewer.timeline = 'manual';
  await viewer.load(SAMPLE);
  return viewer;
}

function world(viewer: Viewer, joint: string): number[] {
  return [...viewer.joint(joint).world];
}

test('layers: add() with invalid arguments adds none', async (t) => {
  const viewer = await pip(t);
  const { layers } = viewer;
  const wrong: [string, LayerOptions | Record<string, unknown>, string][] = [
    ['Nothing', {}, 'clip/not-found'],
    ['Wave', { mask: 'Nobody' }, 'mask/no-such-joint'],
    ['Wave', { mask: [] }, 'argument/invalid'],
    ['Wave', { mask: { Head: 2 } }, 'argument/invalid'],
    ['Wave', { mask: 7 }, 'argument/invalid'],
    ['Wave', { weight: 1.5 }, 'argument/invalid'],
    ['Wave', { weight: Infinity, mode: 'additive' }, 'argument/invalid'],
    ['Wave', { mode: 'over' }, 'argument/invalid'],
    ['Wave', { mode: 'additive', reference: 'last' }, 'argument/invalid'],
    ['Wave', { mode: 'additive', reference: { clip: 'Nothing', time: 0 } }, 'clip/not-found'],
    ['Wave', { sync: 'step' }, 'argument/invalid'],
    ['Wave', { fade: -1 }, 'argument/invalid'],
    ['Wave', { repetitions: 0 }, 'argument/invalid'],
  ];
  for (const [clip, options, code] of wrong) await t.throws(() => layers.add(clip, options as LayerOptions), code);
  t.equal([layers.size, [...layers]], [0, []]);
  const empty = await createViewer(t.canvas());
  await t.throws(() => empty.layers.add(0), 'clip/not-found');
});

test('layers: a mask restricts a layer to its joints', async (t) => {
  const viewer = await pip(t);
  viewer.play('Walk');
  viewer.advance(0.4);
  const joints = ['Head', 'HandL', 'HandR', 'FootR'];
  const before = joints.map((joint) => world(viewer, joint));
  const hash = viewer.poseHash();
  const wave = viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0 });
  wave.currentTime = 0.5;
  const after = joints.map((joint) => world(viewer, joint));
  t.equal(
    after.map((matrix, i) => matrix.every((value, k) => value === before[i]?.[k])),
    [true, true, false, true],
  );
  wave.weight = 0;
  t.equal(viewer.poseHash(), hash);
  wave.weight = 1;
  t.equal(world(viewer, 'HandR'), after[2]);
});

test('layers: masks can be replaced, and invalid ones change nothing', async (t) => {
  const viewer = await pip(t);
  viewer.play('Walk');
  viewer.advance(0.4);
  viewer.transition = 'cut';
  const hash = viewer.poseHash();
  const wave = viewer.layers.add('Wave', { mask: ['ShoulderR/**', 'Head'] });
  const masked = viewer.poseHash();
  await t.throws(() => {
    wave.mask = 'Nobody';
  }, 'mask/no-such-joint');
  t.equal([wave.mask, viewer.poseHash()], [['ShoulderR/**', 'Head'], masked]);
  wave.mask = { 'ShoulderR/**': 0 };
  t.equal(viewer.poseHash(), hash);
  wave.mask = null;
  t.ok(viewer.poseHash() !== hash && viewer.poseHash() !== masked, 'all joints');
});

test('layers: additive layers add the difference to their reference pose', async (t) => {
  const viewer = await byHand(t);
  viewer.transition = 'cut';
  viewer.play('Slide');
  const layer = viewer.layers.add('Slide~2', { mode: 'additive' });
  viewer.advance(0.5);
  t.close(slid(viewer), 0.25 + 0.5, 1e-6);
  layer.weight = -0.5;
  t.close(slid(viewer), 0.25 - 0.25, 1e-6);
  layer.remove();
  const first = viewer.layers.add('Slide~2', { mode: 'additive', reference: 'first', weight: 2 });
  first.currentTime = 0.25;
  t.close(slid(viewer), 0.25 + 0.5, 1e-6);
  first.remove();
  const to = viewer.layers.add('Slide~2', { mode: 'additive', reference: { clip: 'Slide', time: 1 } });
  to.currentTime = 0.75;
  t.close(slid(viewer), 0.25 + 0.75 - 0.5, 1e-6);
});

test('layers: fades, names and removal', async (t) => {
  const viewer = await byHand(t);
  // A transition leads the whole body, layers included, to the new clip.
  viewer.transition = 'cut';
  viewer.play('Slide', { playbackRate: 0.001 });
  const { layers } = viewer;
  const a = layers.add('Slide~2', { fade: 0.5 });
  const b = layers.add('Slide~2', { name: 'up', weight: 0, playbackRate: 2, loopMode: 'once' });
  const c: Layer = layers.add('Slide~2', { weight: 0 });
  t.equal(
    [...layers].map(({ name }) => name),
    ['Slide~2', 'up', 'Slide~2~2'],
  );
  t.ok(layers.get('up') === b && layers.get('down') === undefined && layers.size === 3);
  await t.throws(() => layers.add('Short', { name: 'up' }), 'argument/invalid');
  t.equal(
    [b.playbackRate, b.loopMode, a.weight, c.clip?.id, c.blend, c.mode, c.sync],
    [2, 'once', 1, 'Slide~2', null, 'override', 'none'],
  );
  t.close(slid(viewer), 0, 1e-6);
  viewer.advance(0.25);
  t.close(slid(viewer), 0.5 * 0.25, 1e-4, 'half faded in');
  viewer.advance(0.25);
  t.close(slid(viewer), 0.5, 1e-4);
  a.fadeTo(0.5, 1);
  t.equal(a.weight, 0.5);
  a.pause();
  viewer.advance(1);
  t.close(slid(viewer), 0.25, 1e-3);
  a.remove({ fade: 0.5 });
  viewer.advance(0.25);
  t.close(slid(viewer), 0.125, 1e-3, 'fading out');
  viewer.advance(0.25);
  t.close(slid(viewer), 0, 1e-2);
  t.equal(layers.size, 2);
  for (const call of [
    () => a.play(),
    () => a.fadeTo(1, 1),
    () => {
      a.weight = 1;
    },
    () => a.seek(0),
  ])
    await t.throws(call, 'layer/removed');
  a.remove();
  t.equal([a.currentTime, a.paused], [0, true]);
  layers.clear();
  t.equal(layers.size, 0);
});

test('layers: have the playback controls and events of a viewer', async (t) => {
  const viewer = await byHand(t);
  viewer.play('Slide');
  const heard: string[] = [];
  for (const type of ['loop', 'finished', 'ended', 'marker'] as const) {
    viewer.addEventListener(type, ({ detail }) => heard.push(`${type} ${detail.layer ?? 'base'} ${detail.time}`));
  }
  viewer.setMarkers('Slide~2', [{ name: 'half', time: 0.5 }]);
  const layer = viewer.layers.add('Slide~2', { name: 'up', repetitions: 2 });
  const own: string[] = [];
  for (const type of ['pause', 'seeking', 'loop', 'finished', 'ended'] as const)
    layer.addEventListener(type, () => own.push(type));
  const { finished } = layer.play();
  viewer.advance(1.9);
  t.close([layer.currentTime, layer.progress, layer.duration, layer.iteration], [0.9, 0.9, 1, 1], 1e-9);
  viewer.advance(0.2);
  await finished;
  t.equal([layer.ended, layer.paused, layer.currentTime, viewer.paused], [true, true, 1, false]);
  t.equal(heard, ['marker up 0.5', 'loop up 1', 'marker up 0.5', 'loop base 2', 'finished up 1']);
  t.equal(own, ['loop', 'finished', 'ended']);
  const again = layer.play({ loopMode: 'repeat', repetitions: Infinity });
  layer.segment = [0.25, 0.5];
  layer.currentTime = 0.3;
  viewer.advance(0.3);
  t.close(layer.currentTime, 0.35, 1e-9);
  t.equal([layer.segment, viewer.segment], [[0.25, 0.5], null]);
  layer.pause();
  layer.remove();
  await t.throws(() => again.finished, 'play/aborted');
  t.equal(own.slice(3), ['seeking', 'loop', 'pause']);
  const last = viewer.layers.add('Short');
  const { finished: left } = last.play();
  viewer.unload();
  await t.throws(() => left, 'play/aborted');
  t.equal([viewer.layers.size, last.paused], [0, true]);
  await t.throws(() => last.play(), 'layer/removed');
});

test('layers: phase sync follows the phase of the clip below', async (t) => {
  const viewer = await byHand(t);
  viewer.play('Slide');
  viewer.transition = 'cut';
  const layer = viewer.layers.add('Slide~2', { sync: 'phase', mode: 'additive' });
  viewer.advance(0.5);
  t.close(slid(viewer), 0.25 + 0.25, 1e-6);
  viewer.playbackRate = 3;
  viewer.advance(0.25);
  t.close(slid(viewer), (2 * (0.5 + 0.75)) / 2, 1e-6);
  layer.remove();
});

test('blend spaces: invalid options are refused, and valid ones can be read', async (t) => {
  const viewer = await byHand(t);
  const make = (clips: unknown, sync?: string) => () => viewer.blendSpace({ clips, ...(sync && { sync }) } as never);
  await t.throws(make([]), 'argument/invalid');
  await t.throws(make([['Nothing', 0]]), 'clip/not-found');
  await t.throws(
    make([
      ['Slide', 0],
      ['Short', NaN],
    ]),
    'argument/invalid',
  );
  await t.throws(
    make([
      ['Slide', 0],
      ['Short', 0, 1],
    ]),
    'argument/invalid',
  );
  await t.throws(make([['Slide']]), 'argument/invalid');
  await t.throws(
    make([
      ['Slide', 1],
      ['Short', 1],
    ]),
    'blend-space/same-place',
  );
  await t.throws(
    make(
      [
        ['Slide', 0],
        ['Short', 1],
      ],
      'marker',
    ),
    'blend-space/markers',
  );
  await t.throws(
    make(
      [
        ['Slide', 0],
        ['Short', 1],
      ],
      'time',
    ),
    'argument/invalid',
  );

  viewer.transition = 'cut';
  const space = viewer.blendSpace({
    clips: [
      ['Slide', 0],
      [2, 1],
    ],
  });
  t.equal(
    [space.clips, space.sync, space.value, viewer.blend],
    [
      [
        ['Slide', 0],
        ['Slide~2', 1],
      ],
      'phase',
      0,
      null,
    ],
  );
  space.value = 0.5;
  viewer.play(space);
  t.ok(viewer.blend === space && viewer.clip === null && !viewer.paused);
  t.close(viewer.duration, 1.5, 1e-6);
  viewer.advance(0.75);
  t.close([viewer.currentTime, viewer.progress, slid(viewer)], [0.75, 0.5, 0.5], 1e-6);
  space.value = 1;
  t.close([viewer.duration, viewer.progress, slid(viewer)], [1, 0.5, 0.5], 1e-6, 'the phase stays');
  const playing = viewer.currentTime;
  viewer.play(space);
  t.equal(viewer.currentTime, playing, 'it is played already');
  space.moveTo(0, 0.5);
  t.close(viewer.duration, 2, 1e-6);
  for (const value of [NaN, [0, 1], '1'] as never[]) {
    await t.throws(() => {
      space.value = value;
    }, 'argument/invalid');
  }
  t.equal(space.value, 0);
  viewer.play('Short');
  t.equal([viewer.blend, viewer.clip?.id], [null, 'Short']);
});

test('blend spaces: two dimensions, layers and transitions', async (t) => {
  const viewer = await byHand(t);
  viewer.transition = 'cut';
  const plane = viewer.blendSpace({
    clips: [
      ['Slide', 0, 0],
      ['Slide~2', 1, 0],
      ['Short', 0, 1],
    ],
  });
  t.equal(plane.value, [0, 0]);
  plane.value = [0.5, 0];
  viewer.play('Slide');
  const layer = viewer.layers.add(plane, { mode: 'additive' });
  t.ok(layer.blend === plane && layer.clip === null);
  t.close(layer.duration, 1.5, 1e-6);
  viewer.advance(0.75);
  t.close(slid(viewer), 0.375 + 0.5, 1e-6);
  plane.value = [0, 1];
  t.close(layer.duration, 0.15, 1e-6);
  layer.remove();
  viewer.transitionTo(plane, { sync: 'phase' });
  t.close(viewer.progress, 0.375, 1e-5);
});

test('layers: the examples of the documentation run', async (t) => {
  const viewer = await pip(t);
  viewer.play('Walk');
  const once = viewer.play('Jump', { loopMode: 'once', transition: 'crossfade', transitionDuration: 0.2 });
  viewer.advance(10);
  await once.finished;
  viewer.transitionTo('Run', { transitionDuration: 0.5, sync: 'phase' });
  const gait = viewer.blendSpace({
    clips: [
      ['Walk', 0],
      ['Run', 1],
    ],
  });
  viewer.play(gait);
  gait.value = 0.4;
  viewer.setMarkers('Walk', [
    { name: 'left', time: 0.1 },
    { name: 'right', time: 0.6 },
  ]);
  viewer.addEventListener('marker', ({ detail }) => console.log(detail.name));
  const wave = viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0.2 });
  wave.fadeTo(0.5, 1);
  viewer.advance(1 / 60);
  t.ok(!viewer.paused && !wave.paused);
});
