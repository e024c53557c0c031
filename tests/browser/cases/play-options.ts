// Options of a playback: they apply until it ends, and the properties of the same names are the defaults.

import { createViewer, type PerformOptions, type Viewer } from 'gambol';
import { recordSession } from 'gambol/record';
import { test, type T } from '../page/api.ts';
import { model } from './support/model.ts';
import { recorded } from './support/watch.ts';

async function loaded(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  await viewer.load(model().glb);
  return viewer;
}

test('play options: they end with their playback', async (t) => {
  const viewer = await loaded(t);
  viewer.play('Slide', { repetitions: 2, transition: 'cut' });
  viewer.advance(4.5);
  t.equal(viewer.ended, true, 'two times two seconds');
  viewer.play('Short');
  viewer.advance(30);
  t.equal([viewer.ended, viewer.paused], [false, false], 'the next clip repeats as the properties say');
  t.equal([viewer.repetitions, viewer.loopMode, viewer.playbackRate], [Infinity, 'repeat', 1]);

  viewer.play('Slide', { loopMode: 'once', playbackRate: 2 });
  viewer.advance(1.5);
  t.equal(viewer.ended, true);
  viewer.transitionTo('Short');
  viewer.advance(30.05);
  t.equal([viewer.ended, viewer.paused], [false, false]);
  viewer.play('Slide', { loopMode: 'once' });
  viewer.advance(3);
  t.equal(viewer.ended, true);
  viewer.play();
  t.equal(viewer.currentTime, 0, 'from the beginning');
  viewer.advance(3);
  t.equal([viewer.ended, viewer.currentTime], [false, 1], 'by the defaults');
});

test('play options: a resumed playback keeps them, and setting a property replaces them', async (t) => {
  const viewer = await loaded(t);
  viewer.play('Slide', { loopMode: 'once' });
  viewer.advance(0.5);
  viewer.pause();
  viewer.play();
  viewer.advance(5);
  t.equal([viewer.ended, viewer.currentTime], [true, 2]);
  viewer.play('Slide', { loopMode: 'once', playbackRate: 4 });
  viewer.loopMode = 'repeat';
  viewer.advance(1.25);
  t.equal([viewer.ended, viewer.currentTime], [false, 1]);
  viewer.play('Slide', { loopMode: 'once' });
  viewer.clip = 'Short';
  viewer.advance(10);
  t.equal(viewer.ended, false, 'another clip is another playback');
  viewer.play('Slide', { repetitions: 1 });
  viewer.stop();
  viewer.play();
  viewer.advance(10);
  t.equal(viewer.ended, false, 'so is one after a stop');
});

test('play options: those of a call that waits for a model apply to its playback only', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  const loading = viewer.load(model().glb);
  const { finished } = viewer.play('Short', { repetitions: 3 });
  await loading;
  viewer.advance(1);
  await finished;
  viewer.play('Slide');
  viewer.advance(9);
  t.equal(viewer.ended, false);
});

test('play options: layers have them', async (t) => {
  const viewer = await loaded(t);
  viewer.play();
  const layer = viewer.layers.add('Slide', { loopMode: 'once', fade: 0 });
  t.equal(layer.loopMode, 'once', 'those of add() are the layer’s own');
  viewer.advance(3);
  t.equal(layer.ended, true);
  layer.play({ loopMode: 'repeat' });
  viewer.advance(3);
  t.equal([layer.ended, layer.loopMode], [false, 'once']);
});

test('play options: a playback and its options are two calls of the core', async (t) => {
  const viewer = await loaded(t);
  const recording = await recordSession(viewer);
  viewer.play('Short', { playbackRate: 2, loopMode: 'once', repetitions: 3 });
  viewer.play('Slide');
  viewer.loopMode = 'pingpong';
  const calls = recording.stop().calls.slice(-5);
  t.equal(
    calls.map(({ name }) => name),
    ['configure', 'transitionTo', 'configure', 'transitionTo', 'configure'],
  );
});

test('play options: mode is an alias of transition', async (t) => {
  const viewer = await loaded(t);
  for (const options of [
    { transition: 'crossfade', transitionDuration: 1 },
    { mode: 'crossfade', transitionDuration: 1 },
  ] as const) {
    const poses = [viewer.play, viewer.transitionTo].map((start) => {
      viewer.play('Slide', { transition: 'cut' });
      viewer.currentTime = 1.5;
      start.call(viewer, 'Short', options);
      viewer.advance(0.05);
      return viewer.poseHash();
    });
    t.equal(poses[0], poses[1]);
    viewer.play('Slide', { transition: 'cut' });
    viewer.currentTime = 1.5;
    viewer.play('Short', { transition: 'cut' });
    viewer.advance(0.05);
    t.ok(viewer.poseHash() !== poses[0], 'it is a crossfade');
  }
});

test('play options: unknown ones are refused with the list of known ones', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer);
  const calls: (() => unknown)[] = [
    () => viewer.play('Slide', { reps: 2 } as PerformOptions),
    () => viewer.play({ loop: true } as PerformOptions),
    () => viewer.play('Slide', { duration: 1 } as PerformOptions),
    () => viewer.transitionTo('Slide', { fade: 1 } as PerformOptions),
    () => viewer.layers.add('Slide', { weigth: 1 } as object),
  ];
  for (const call of calls) await t.throws(call, 'argument/invalid');
  let message = '';
  try {
    viewer.play('Slide', { reps: 2 } as PerformOptions);
  } catch (error) {
    message = (error as Error).message;
  }
  t.ok(/reps/.test(message) && /repetitions/.test(message), message);
  t.equal([seen, viewer.layers.size], [[], 0], 'nothing has happened');
});

test('play options: equal ones move no playhead, send no event and draw no frame', async (t) => {
  const viewer = await loaded(t);
  const events = recorded(viewer, ['ratechange', 'seeking', 'seeked', 'play', 'pause', 'loop', 'finished']);
  viewer.play('Slide', { loopMode: 'pingpong', playbackRate: 0.7, repetitions: 9 });
  viewer.segment = [0.3, 1.9];
  const layer = viewer.layers.add('Short', { fade: 0, loopMode: 'repeat' });
  for (let i = 0; i < 40; i++) {
    // No binary fraction, so that a playhead that is computed anew would be rounded.
    viewer.advance(0.1);
    const before = [viewer.currentTime, viewer.iteration, layer.currentTime, viewer.poseHash()];
    const sent = events.length;
    viewer.play('Slide', { loopMode: 'pingpong', playbackRate: 0.7, repetitions: 9 });
    layer.play({ loopMode: 'repeat' });
    viewer.segment = [0.3, 1.9];
    t.equal([viewer.currentTime, viewer.iteration, layer.currentTime, viewer.poseHash()], before, `step ${i}`);
    t.equal(events.slice(sent), []);
  }
  viewer.pause();
  viewer.playbackRate = 0.7;
  viewer.loopMode = 'once';
  await t.frames(3);
  const { frames } = viewer.stats;
  viewer.playbackRate = 0.7;
  viewer.loopMode = 'once';
  viewer.segment = [0.3, 1.9];
  await t.frames(3);
  t.equal(viewer.stats.frames, frames);
});
