// Transitions between clips with a manual timeline: the square is at x = time / duration.

import { createViewer, type TransitionMode } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';
import { byHand, recorded, slid } from './support/watch.ts';

test('transitions: invalid options are refused', async (t) => {
  const viewer = await byHand(t);
  const wrong = (value: string): TransitionMode => value as TransitionMode;
  await t.throws(() => viewer.play('Short', { transition: wrong('smooth') }), 'argument/invalid');
  await t.throws(() => viewer.play('Short', { transitionDuration: -1 }), 'argument/invalid');
  await t.throws(() => viewer.transitionTo('Nothing'), 'clip/not-found');
  await t.throws(() => viewer.transitionTo('Short', { at: NaN }), 'argument/invalid');
  await t.throws(() => viewer.transitionTo('Short', { mode: wrong(''), sync: 'step' as 'phase' }), 'argument/invalid');
  await t.throws(() => {
    viewer.transition = wrong('none');
  }, 'argument/invalid');
  await t.throws(() => {
    viewer.transitionDuration = Infinity;
  }, 'argument/invalid');
  t.equal(
    [viewer.transition, viewer.transitionDuration, viewer.clip?.id, viewer.paused],
    ['inertial', 0.3, 'Slide', true],
  );
});

test('transitions: inertial keeps the displayed velocity', async (t) => {
  const viewer = await byHand(t);
  viewer.play('Slide');
  viewer.advance(1);
  t.close(slid(viewer), 0.5, 1e-5);
  viewer.play('Slide~2');
  t.close(slid(viewer), 0.5, 1e-4, 'no pop');
  let before = slid(viewer);
  for (let i = 0; i < 17; i++) {
    viewer.advance(1 / 60);
    // Interrupted during the transition, too.
    if (i === 8) viewer.play('Slide');
    const now = slid(viewer);
    t.ok(Math.abs(now - before) < 0.05, `frame ${i}: ${before} → ${now}`);
    before = now;
  }
  viewer.advance(0.4);
  t.close(slid(viewer), viewer.currentTime / 2, 1e-6, 'and then it is the new clip alone');
  viewer.transition = 'cut';
  viewer.play('Slide~2');
  t.close(slid(viewer), 0, 1e-6);
});

test('transitions: a crossfade blends and can be interrupted', async (t) => {
  const viewer = await byHand(t);
  [viewer.transition, viewer.transitionDuration] = ['crossfade', 0.5];
  viewer.play('Slide');
  viewer.advance(1);
  viewer.play('Slide~2');
  t.close(slid(viewer), 0.5, 1e-6);
  viewer.advance(0.25);
  t.close(slid(viewer), (1.25 / 2 + 0.25) / 2, 1e-6, 'half of each');
  const before = slid(viewer);
  viewer.play('Slide', { transitionDuration: 1 });
  t.close(slid(viewer), before, 1e-6);
  viewer.advance(1);
  t.close(slid(viewer), 0.5, 1e-6);
});

test('transitions: `at` sets the start time', async (t) => {
  const viewer = await byHand(t);
  viewer.transition = 'cut';
  viewer.play('Slide');
  viewer.advance(1.5);
  viewer.transitionTo('Slide~2', { sync: 'phase' });
  t.close(viewer.currentTime, 0.75, 1e-6);
  viewer.transitionTo('Slide~2', { at: 0.25, sync: 'phase' });
  t.close(viewer.currentTime, 0.25, 1e-9);
  viewer.transitionTo('Slide~2');
  t.equal(viewer.currentTime, 0, 'the same clip anew');
  viewer.transitionTo('Slide', { mode: 'crossfade', transitionDuration: 0.5 });
  viewer.advance(0.25);
  t.close(slid(viewer), (0.125 + 0.25) / 2, 1e-6);
  viewer.pause();
  viewer.clip = 'Slide~2';
  t.close(slid(viewer), 0, 1e-6, 'while all stands still it is a cut');
});

test('transitions: finished is sent once for each playback, as in model-viewer issue 3144', async (t) => {
  const viewer = await byHand(t);
  const heard: string[] = [];
  viewer.addEventListener('finished', ({ detail }) => heard.push(`${detail.time}`));
  const settled: string[] = [];
  for (let i = 0; i < 200; i++) {
    // The usual order in pages: in one task, with no await between.
    viewer.clip = i % 2 ? 'Short' : 'Slide~2';
    viewer.currentTime = 0;
    const { finished } = viewer.play({ repetitions: 1 });
    finished.then(
      () => settled.push(`${i}`),
      () => settled.push(`${i} aborted`),
    );
    for (let step = 0; step < 6; step++) viewer.advance(0.2);
    await finished;
  }
  viewer.advance(5);
  t.equal(
    settled,
    Array.from({ length: 200 }, (_, i) => `${i}`),
  );
  t.equal(heard.length, 200);
});

test('transitions: an interrupted playback is aborted once, by any cause', async (t) => {
  const viewer = await byHand(t);
  const outcomes: string[] = [];
  const watch = (name: string, { finished }: { finished: Promise<void> }): void => {
    finished.then(
      () => outcomes.push(`${name} finished`),
      ({ code }: { code: string }) => outcomes.push(`${name} ${code}`),
    );
  };
  for (let i = 0; i < 200; i++) {
    const seen: string[] = [];
    outcomes.length = 0;
    watch('a', viewer.play('Slide', { loopMode: 'once' }));
    watch('again', viewer.play());
    viewer.advance(0.5);
    watch('b', viewer.play('Short', { loopMode: 'once' }));
    viewer.advance(1);
    watch('c', viewer.transitionTo('Short'));
    viewer.clip = 'Slide';
    watch('d', viewer.play('Slide'));
    viewer.stop();
    await t.sleep(0);
    seen.push(...outcomes);
    t.equal(seen.sort(), ['a play/aborted', 'again play/aborted', 'b finished', 'c play/aborted', 'd play/aborted']);
  }
});

test('transitions: transitionTo() before the load applies to the model', async (t) => {
  const viewer = await createViewer(t.canvas());
  const seen = recorded(viewer, ['clipchange', 'play', 'finished']);
  viewer.transitionTo('Slide', { at: 1 });
  const { finished } = viewer.transitionTo('Short', { at: 0.1 });
  viewer.loopMode = 'once';
  await viewer.load(model().glb);
  await finished;
  t.equal([seen, viewer.clip?.id], [['clipchange', 'play', 'finished'], 'Short']);
});

test('playing: segment, progress and startTime', async (t) => {
  const viewer = await byHand(t);
  for (const segment of [[1], [1, 0], [0, NaN], [0, 1, 2]] as unknown as [number, number][]) {
    await t.throws(() => {
      viewer.segment = segment;
    }, 'argument/invalid');
  }
  t.equal([viewer.segment, viewer.startTime, viewer.progress], [null, null, 0]);
  viewer.segment = [0.5, 1.5];
  const seen = recorded(viewer, ['loop', 'seeking', 'finished']);
  viewer.currentTime = 0.5;
  viewer.play();
  viewer.advance(1.25);
  t.close([viewer.currentTime, viewer.progress, t.some(viewer.startTime)], [0.75, 0.25, 0], 1e-9);
  t.equal([viewer.segment, viewer.iteration, seen], [[0.5, 1.5], 1, ['seeking', 'loop']]);
  viewer.loopMode = 'pingpong';
  viewer.progress = 0.5;
  t.close(viewer.currentTime, 1, 1e-9);
  viewer.advance(0.75);
  t.close(viewer.currentTime, 1.25, 1e-9, 'it has turned');
  viewer.segment = [9, 12];
  t.equal(viewer.segment, [2, 2], 'clamped');
  viewer.segment = null;
  viewer.loopMode = 'repeat';
  viewer.startTime = viewer.now - 0.25;
  t.close(viewer.currentTime, 0.25, 1e-9);
  viewer.startTime = viewer.now + 1;
  viewer.advance(0.5);
  t.equal([viewer.currentTime, viewer.paused], [0, false], 'not yet');
  viewer.advance(0.75);
  t.close(viewer.currentTime, 0.25, 1e-9);
  viewer.startTime = null;
  t.equal(viewer.paused, true);
  t.equal(seen, ['seeking', 'loop', 'loop'], 'and neither progress nor startTime seeks');
});
