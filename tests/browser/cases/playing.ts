// The time contract in the public interface.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import { test, type T } from '../page/api.ts';
import { model } from './support/model.ts';
import { picture, recorded, redCentre } from './support/watch.ts';

async function loaded(t: T, options: ViewerOptions = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(), options);
  await viewer.load(model().glb);
  return viewer;
}

test('playing: a model begins paused at the start of its first clip', async (t) => {
  const viewer = await loaded(t);
  t.equal(
    viewer.clips.map(({ id, name, index, duration }) => [id, name, index, duration]),
    [
      ['Slide', 'Slide', 0, 2],
      ['Short', 'Short', 1, Math.fround(0.15)],
      ['Slide~2', 'Slide', 2, 1],
    ],
  );
  t.equal(
    [viewer.paused, viewer.currentTime, viewer.duration, viewer.clip?.id, viewer.ended],
    [true, 0, 2, 'Slide', false],
  );
  t.equal(viewer.info?.triangles, 2);
  t.ok(redCentre(await picture(t, viewer)) > 0, 'something red');
});

test('playing: play() starts, pause() stops, and the playback resolves', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer);
  await viewer.play();
  t.equal(viewer.paused, false);
  await t.until(() => viewer.currentTime > 0.05, 'time passes');
  viewer.pause();
  const { currentTime } = viewer;
  await t.sleep(80);
  t.equal(viewer.currentTime, currentTime);
  t.equal(seen, ['play', 'pause']);
});

test('playing: a clip is found by id, name, index and object', async (t) => {
  const viewer = await loaded(t);
  const ids = (['Slide~2', 'Slide', 1, viewer.clips[2]] as const).map((clip) => {
    viewer.play(clip);
    return viewer.clip?.id;
  });
  t.equal(ids, ['Slide~2', 'Slide', 'Short', 'Slide~2']);
  await t.throws(() => viewer.play('Nothing'), 'clip/not-found');
  t.equal(viewer.clip?.id, 'Slide~2');
});

test('playing: currentTime = duration shows the last key, in any loop mode, at any speed, before playing and after', async (t) => {
  const viewer = await loaded(t);
  const start = redCentre(await picture(t, viewer));
  await viewer.seek(2);
  const end = redCentre(await picture(t, viewer));
  t.ok(end > start + 0.1, 'the square has moved');
  for (const loopMode of ['repeat', 'once', 'pingpong'] as const) {
    for (const rate of [1, 0.5, -1, 0]) {
      viewer.loopMode = loopMode;
      viewer.playbackRate = rate;
      viewer.currentTime = 0.3;
      viewer.currentTime = viewer.duration;
      t.equal(viewer.currentTime, 2, `${loopMode} ${rate}`);
      t.close(redCentre(await picture(t, viewer)), end, 1e-3, `${loopMode} ${rate}`);
    }
  }
});

test('playing: a seek is clamped and independent of the speed', async (t) => {
  const viewer = await loaded(t);
  viewer.playbackRate = 0.5;
  for (const [to, at] of [
    [1, 1],
    [-3, 0],
    [99, 2],
    [0.5, 0.5],
  ] as const) {
    viewer.currentTime = to;
    t.equal(viewer.currentTime, at);
  }
  await t.throws(() => viewer.seek(NaN), 'argument/invalid');
});

test('playing: a change of speed does not move the playhead', async (t) => {
  const viewer = await loaded(t);
  viewer.play();
  for (const rate of [2, -1, 0, 0.25]) {
    await t.sleep(30);
    const before = viewer.currentTime;
    viewer.playbackRate = rate;
    t.equal([viewer.currentTime, viewer.timeScale], [before, rate]);
  }
});

test('playing: once sends finished and ended once for each play()', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer, ['finished', 'ended', 'loop']);
  for (let i = 1; i <= 8; i++) {
    const playback = viewer.play('Short', { loopMode: 'once' });
    await playback.finished;
    t.equal([viewer.currentTime, viewer.paused, viewer.ended], [Math.fround(0.15), true, true]);
    t.equal(seen.length, 2 * i);
  }
  await t.sleep(100);
  t.equal(new Set(seen), new Set(['finished', 'ended']));
  t.equal(seen.length, 16);
  await viewer.seek(0.05);
  t.equal([viewer.currentTime, viewer.ended], [0.05, false], 'a finished clip can be scrubbed');
});

test('playing: repetitions are counted, then playback finishes', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer, ['loop', 'finished', 'ended']);
  await viewer.play('Short', { loopMode: 'repeat', repetitions: 3 }).finished;
  t.equal(seen, ['loop', 'loop', 'finished', 'ended']);
  t.equal(viewer.currentTime, Math.fround(0.15));
});

test('playing: calls in one task apply in order', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer);
  viewer.clip = 'Short';
  viewer.currentTime = 0.1;
  const { finished } = viewer.play({ repetitions: 1 });
  t.equal([viewer.clip?.id, viewer.currentTime, viewer.paused], ['Short', 0.1, false]);
  await finished;
  t.equal(
    seen.filter((name) => name !== 'seeked'),
    ['clipchange', 'seeking', 'play', 'finished', 'ended'],
  );
});

test('playing: seeks coalesce to the last one, and all of them resolve', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer, ['seeked']);
  const seeks = Array.from({ length: 50 }, (_, i) => viewer.seek(i / 25));
  t.equal(seen, []);
  await Promise.all(seeks);
  t.equal(seen, ['seeked']);
  t.equal(viewer.currentTime, 49 / 25);
});

test('playing: a seek sends seeking, then seeked, then resolves', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer);
  const seek = viewer.seek(1).then(() => seen.push('promise'));
  t.equal(seen, ['seeking'], 'at once');
  await seek;
  t.equal(seen, ['seeking', 'seeked', 'promise']);
});

test('playing: another clip, stop() and dispose() settle the playback before', async (t) => {
  const viewer = await loaded(t);
  const first = viewer.play('Slide');
  viewer.play('Short');
  await t.throws(() => first.finished, 'play/aborted');
  const second = viewer.play('Slide');
  viewer.stop();
  await t.throws(() => second.finished, 'play/aborted');
  t.equal([viewer.paused, viewer.currentTime], [true, 0]);
  const third = viewer.play();
  viewer.pause();
  await t.throws(() => third.started, 'play/aborted');
  const fourth = viewer.play();
  viewer.dispose();
  await t.throws(() => fourth.finished, 'play/aborted');
});

test('playing: step() moves by frames and pauses', async (t) => {
  const viewer = await loaded(t);
  const frame = 1 / t.some(viewer.clip).fps;
  viewer.play();
  viewer.currentTime = 0;
  await viewer.step(3);
  t.close(viewer.currentTime, 3 * frame, 1e-9);
  await viewer.step(-1);
  t.close(viewer.currentTime, 2 * frame, 1e-9);
  t.equal(viewer.paused, true);
});

test('playing: listeners may call any method', async (t) => {
  const viewer = await loaded(t);
  const seen = recorded(viewer);
  viewer.addEventListener('seeking', (event) => event.detail.time === 1 && viewer.play('Short', { loopMode: 'once' }));
  viewer.addEventListener('finished', () => viewer.seek(0.05), { once: true });
  viewer.addEventListener('clipchange', () => {
    viewer.playbackRate = 2;
    viewer.orbit(0.1, 0);
  });
  viewer.currentTime = 1;
  t.equal(seen, ['seeking', 'clipchange', 'play', 'ratechange']);
  await t.until(() => seen.includes('ended') && viewer.currentTime === 0.05, 'the seek of the listener');
});

test('playing: settings and play() before the load apply to the model', async (t) => {
  const viewer = await createViewer(t.canvas());
  viewer.loop = false;
  viewer.playbackRate = 3;
  const playback = viewer.play('Short');
  t.equal(viewer.paused, false);
  const seen = recorded(viewer);
  await viewer.load(model().glb);
  await playback.finished;
  t.equal([viewer.clip?.id, viewer.loopMode, viewer.playbackRate], ['Short', 'once', 3]);
  t.equal(seen.filter((name) => name === 'finished').length, 1);
});

test('playing: no frame is requested while nothing moves', async (t) => {
  const viewer = await loaded(t);
  await t.frames(3);
  let frames = 0;
  const real = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => {
    frames += 1;
    return real(callback);
  };
  await t.sleep(120);
  t.equal(frames, 0, 'paused');
  viewer.play('Slide', { loopMode: 'once' });
  viewer.currentTime = 1.9;
  await t.until(() => viewer.ended, 'the end');
  await t.sleep(50);
  const after = frames;
  await t.sleep(120);
  t.equal(frames, after, 'ended');
  window.requestAnimationFrame = real;
});

test('playing: time stops out of view, and does not jump afterwards', async (t) => {
  const viewer = await loaded(t);
  viewer.play();
  await t.until(() => viewer.currentTime > 0, 'it plays');
  viewer.canvas.style.marginTop = '4000px';
  // The browser reports visibility in one of its next frames, which are long on a slow machine.
  let currentTime = -1;
  for (let tries = 0; tries < 20 && currentTime !== viewer.currentTime; tries++) {
    ({ currentTime } = viewer);
    await t.sleep(150);
  }
  await t.sleep(200);
  t.equal(viewer.currentTime, currentTime, 'out of sight');
  await viewer.seek(0.5);
  t.equal(viewer.currentTime, 0.5, 'a seek is answered all the same');
  viewer.canvas.style.marginTop = '0';
  await t.until(() => viewer.currentTime > 0.5, 'it plays on');
  t.ok(viewer.currentTime < 0.9, 'no jump');
});
