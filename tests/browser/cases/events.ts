// Events of playback: markers, loops and ends, each with its exact clip time.

import type { Performer } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';
import { byHand } from './support/watch.ts';

/** `type name time` of all events, with `…n` before an event for skipped ones. */
function heardBy(performer: Performer): string[] {
  const heard: string[] = [];
  performer.addEventListener('marker', ({ detail: { name, time, clip, layer, skipped } }) => {
    heard.push(`${skipped ? `…${skipped} ` : ''}${name} ${clip ?? 'blend'} ${layer ? `${layer} ` : ''}${time}`);
  });
  for (const type of ['loop', 'finished'] as const) {
    performer.addEventListener(type, ({ detail: { time, skipped } }) =>
      heard.push(`${skipped ? `…${skipped} ` : ''}${type} ${time}`),
    );
  }
  return heard;
}

test('markers: invalid ones are refused', async (t) => {
  const viewer = await byHand(t);
  await t.throws(() => viewer.setMarkers('Nothing', []), 'clip/not-found');
  await t.throws(() => viewer.setMarkers('Slide', [{ name: 'a', time: NaN }]), 'argument/invalid');
  await t.throws(() => viewer.setMarkers('Slide', [{ name: 7 as never, time: 0 }]), 'argument/invalid');
  for (const none of [undefined, null, 5, [null], [0], {}])
    await t.throws(() => viewer.setMarkers('Slide', none as never), 'argument/invalid');
  t.equal(
    viewer.clips.map(({ markers }) => markers),
    [[], [], []],
  );
});

test('markers: the page replaces those of the file', async (t) => {
  const viewer = await byHand(t, {
    extras: { markers: [{ name: 'late', time: 1.5 }, { name: 'early', time: 0.5 }, { name: 1 }] },
  });
  t.equal(viewer.clips[0]?.markers, [
    { name: 'early', time: 0.5 },
    { name: 'late', time: 1.5 },
  ]);
  t.equal(viewer.warnings.length, 1, 'the bad one is told of');
  const heard = heardBy(viewer);
  viewer.play();
  viewer.advance(1.75);
  viewer.advance(1);
  t.equal(heard, ['early Slide 0.5', 'late Slide 1.5', 'loop 2', 'early Slide 0.5']);
  heard.length = 0;
  viewer.setMarkers('Slide', [
    { name: 'end', time: 2 },
    { name: 'start', time: 0 },
    { name: 'outside', time: 9 },
  ]);
  t.equal(
    viewer.clip?.markers.map(({ name }) => name),
    ['start', 'end', 'outside'],
  );
  viewer.advance(2);
  t.equal(heard, ['end Slide 2', 'loop 2', 'start Slide 0']);
  const second = await viewer.add(t.some(viewer.model));
  t.equal(second.clips[0]?.markers.length, 2, 'others keep the file’s');
  await viewer.load(model().glb);
  t.equal(viewer.clips[0]?.markers, []);
});

test('markers: are sent once per pass, in reverse and ping-pong', async (t) => {
  const viewer = await byHand(t);
  viewer.setMarkers(0, [
    { name: 'a', time: 0.5 },
    { name: 'b', time: 1.5 },
  ]);
  const heard = heardBy(viewer);
  viewer.playbackRate = -1;
  viewer.currentTime = 2;
  viewer.play({ repetitions: 2, loopMode: 'pingpong' });
  viewer.advance(1);
  viewer.advance(9);
  t.equal(heard, ['b Slide 1.5', 'a Slide 0.5', 'loop 0', 'a Slide 0.5', 'b Slide 1.5', 'finished 2']);
  heard.length = 0;
  viewer.progress = 0.5;
  viewer.progress = 0;
  t.equal(heard, ['b Slide 1.5', 'a Slide 0.5']);
  viewer.currentTime = 2;
  t.equal(heard.length, 2, 'a seek passes nothing');
});

test('events: after a long gap the last 64 are sent, and the first counts the skipped ones', async (t) => {
  const viewer = await byHand(t);
  viewer.setMarkers(0, [
    { name: 'a', time: 0.5 },
    { name: 'b', time: 1.5 },
  ]);
  const heard = heardBy(viewer);
  viewer.play();
  viewer.advance(2000.25);
  // 1,000 passes of three events each.
  t.equal(heard.length, 64);
  t.equal([heard[0], ...heard.slice(-3)], ['…2936 loop 2', 'a Slide 0.5', 'b Slide 1.5', 'loop 2']);
  heard.length = 0;
  viewer.advance(0.5);
  t.equal(heard, ['a Slide 0.5']);
});

test('events: a listener that plays another clip affects only later events', async (t) => {
  const viewer = await byHand(t);
  viewer.setMarkers(0, [
    { name: 'a', time: 0.5 },
    { name: 'b', time: 1.5 },
  ]);
  const heard = heardBy(viewer);
  viewer.addEventListener('marker', () => viewer.play('Slide~2', { loopMode: 'once' }), { once: true });
  viewer.play();
  viewer.advance(1.75);
  t.equal(heard, ['a Slide 0.5', 'b Slide 1.5']);
  viewer.advance(2);
  t.equal(heard.slice(2), ['finished 1']);
});

test('events: actors and layers send their own', async (t) => {
  const viewer = await byHand(t);
  const second = await viewer.add(t.some(viewer.model));
  viewer.setMarkers(2, [{ name: 'x', time: 0.25 }]);
  second.setMarkers('Slide', [{ name: 'y', time: 0.25 }]);
  const [heard, other] = [heardBy(viewer), heardBy(second)];
  viewer.layers.add('Slide~2', { name: 'up' });
  second.play();
  viewer.advance(0.5);
  t.equal([heard, other], [['x Slide~2 up 0.25'], ['y Slide 0.25']]);
  const space = viewer.blendSpace({
    clips: [
      ['Slide~2', 0],
      ['Slide', 1],
    ],
  });
  viewer.layers.clear();
  viewer.play(space);
  viewer.advance(0.5);
  t.equal(heard.slice(1), ['x blend 0.25']);
});
