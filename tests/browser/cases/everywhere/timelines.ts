// Timelines: the page's clock, scrolling, and others; and playback while the viewer is not visible.

import { createViewer, type Timeline, type Viewer, type Visibility } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { model } from '../support/model.ts';
import { silentAudio, sound } from '../support/sound.ts';
import { byHand, slid } from '../support/watch.ts';

async function loaded(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas());
  await viewer.load(model().glb);
  return viewer;
}

test('timelines: invalid clocks are refused', async (t) => {
  const viewer = await loaded(t);
  for (const wrong of ['scroll', null, 3, {}, document.body] as unknown as Timeline[]) {
    await t.throws(() => {
      viewer.timeline = wrong;
    }, 'argument/invalid');
  }
  await t.throws(() => {
    viewer.visibility = 'hide' as Visibility;
  }, 'argument/invalid');
  await t.throws(() => viewer.advance(NaN), 'argument/invalid');
  t.equal([viewer.timeline, viewer.visibility], ['auto', 'pause']);
  viewer.timeline = () => 0;
  await t.throws(() => viewer.advance(1), 'argument/invalid');
});

test('timelines: manual moves only by advance()', async (t) => {
  const viewer = await byHand(t);
  viewer.play();
  await t.frames(5);
  t.equal([viewer.currentTime, viewer.now], [0, 0]);
  viewer.advance(1.5);
  await t.frames(2);
  t.close([viewer.currentTime, slid(viewer), viewer.now], [1.5, 0.75, 1.5], 1e-6);
  viewer.advance(-0.5);
  t.close(viewer.currentTime, 1, 1e-9);
  const { now } = viewer;
  viewer.timeline = 'auto';
  t.equal([viewer.now, viewer.currentTime], [now, 1], 'a change moves nobody');
  await t.until(() => viewer.currentTime > 1.05, 'it plays on');
});

test('timelines: a function sets the time', async (t) => {
  const viewer = await loaded(t);
  const second = await viewer.add(t.some(viewer.model));
  viewer.play();
  await t.until(() => viewer.currentTime > 0.1, 'it plays');
  let time = 100;
  viewer.timeline = 'manual';
  const { currentTime } = viewer;
  viewer.timeline = () => time;
  t.close([viewer.currentTime, viewer.now], [currentTime, 100], 1e-12, 'another clock moves nobody');
  second.play();
  time = 100.5;
  await t.frames(2);
  t.close([viewer.currentTime, second.currentTime], [currentTime + 0.5, 0.5], 1e-9);
  time = 105.5;
  await t.frames(2);
  t.close(second.currentTime, 1.5, 1e-9, 'it may jump');
  time = 100.25;
  await t.frames(2);
  t.close(second.currentTime, 0.25, 1e-9, 'and go back');
  time = NaN;
  await t.frames(2);
  t.close(second.currentTime, 0.25, 1e-9);

  t.expectTrouble(/the clock is broken/);
  viewer.timeline = () => {
    throw new Error('the clock is broken');
  };
  t.equal(viewer.timeline, 'manual');
  viewer.advance(0.5);
  t.close(second.currentTime, 0.75, 1e-9);
});

test('timelines: the timeline of the document', async (t) => {
  const viewer = await loaded(t);
  viewer.timeline = document.timeline;
  t.close(viewer.now, Number(document.timeline.currentTime) / 1000, 0.05);
  viewer.play();
  const start = t.some(viewer.startTime);
  await t.until(() => viewer.currentTime > 0.2, 'it plays');
  await t.frames();
  t.close(viewer.currentTime, viewer.now - start, 1e-9);
});

test('timelines: the scroll position sets the progress', async (t) => {
  type Scrolling = new (options: { source?: Element; subject?: Element; axis?: string }) => AnimationTimeline;
  const { ScrollTimeline, ViewTimeline } = window as unknown as {
    ScrollTimeline?: Scrolling;
    ViewTimeline?: Scrolling;
  };
  if (!ScrollTimeline || !ViewTimeline) return t.skip('this browser has no ScrollTimeline');
  const viewer = await loaded(t);
  const box = document.createElement('div');
  box.style.cssText = 'height: 100px; overflow: scroll; width: 100px';
  box.innerHTML =
    '<div style="height: 400px"></div><p style="height: 50px; margin: 0">here</p><div style="height: 450px"></div>';
  document.body.append(box);
  const room = box.scrollHeight - box.clientHeight;
  viewer.setMarkers(0, [{ name: 'half', time: 1 }]);
  let passed = 0;
  viewer.addEventListener('marker', () => passed++);
  viewer.timeline = new ScrollTimeline({ source: box });
  viewer.segment = [0.5, 1.5];
  viewer.play();
  for (const progress of [0.25, 0.75, 1, 0]) {
    box.scrollTop = progress * room;
    await t.until(() => Math.abs(viewer.progress - progress) < 2 / room, `progress ${progress}`);
    await t.frames(2);
    t.close(viewer.currentTime, 0.5 + progress, 2 / room);
    t.close(slid(viewer), viewer.currentTime / 2, 1e-6);
  }
  t.equal(passed, 2, 'there and back');
  // Another clip starts at the page's scroll position.
  box.scrollTop = 0.5 * room;
  viewer.play('Slide~2');
  await t.until(() => Math.abs(viewer.currentTime - 0.5) < 2 / room, 'half of it');
  const subject = t.some(box.querySelector('p'));
  viewer.timeline = new ViewTimeline({ subject });
  box.scrollTop = 400 - 50 + 25;
  await t.until(() => Math.abs(viewer.progress - 0.5) < 0.05, 'the middle of its way through the box');
  // A view timeline without its scroller has no time.
  box.remove();
  await t.frames(3);
  const { currentTime } = viewer;
  viewer.timeline = 'auto';
  viewer.play();
  await t.until(() => viewer.currentTime !== currentTime, 'it plays by itself again');
});

test('timelines: an audio element sets the time', async (t) => {
  const viewer = await loaded(t);
  const audio = await silentAudio(t);
  viewer.play();
  await t.until(() => viewer.currentTime > 0.1, 'it plays by itself');
  viewer.timeline = audio;
  t.equal([viewer.currentTime, viewer.startTime, viewer.now], [0, 0, 0], 'it is where the sound is');
  await t.frames(5);
  t.equal(viewer.currentTime, 0, 'which is paused');
  await sound(t, audio);
  const drifts: number[] = [];
  viewer.addEventListener('frame', ({ detail }) =>
    drifts.push(Math.abs(detail.time - (audio.currentTime % viewer.duration))),
  );
  await t.until(() => audio.currentTime > 0.5, 'the sound goes on');
  audio.pause();
  await t.frames(3);
  t.close(viewer.currentTime, audio.currentTime % viewer.duration, 1e-6);
  t.ok(drifts.length > 5, 'frames were drawn');
  drifts.sort((a, b) => a - b);
  // The sound advances between the clock's reading and the event, by less than a frame.
  t.ok(
    (drifts[Math.floor(drifts.length / 2)] ?? 1) <= 1 / 60,
    `half of the frames are closer than a frame: ${drifts.join(' ')}`,
  );
  audio.currentTime = 3.5;
  await t.until(() => Math.abs(viewer.currentTime - 1.5) < 0.01, 'a seek of the sound');
  audio.currentTime = 0.25;
  await t.until(() => Math.abs(viewer.currentTime - 0.25) < 0.01, 'and back');
  viewer.timeline = 'auto';
  await t.until(() => viewer.currentTime > 0.4, 'alone again');
});

/** Scrolls the canvas out of view, or back. */
async function show(t: T, viewer: Viewer, on: boolean): Promise<void> {
  viewer.canvas.style.marginTop = on ? '0' : '4000px';
  await t.sleep(150);
}

/** Simulates that the page is hidden, or visible again. */
async function reveal(t: T, _: Viewer, on: boolean): Promise<void> {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (on ? 'visible' : 'hidden') });
  document.dispatchEvent(new Event('visibilitychange'));
  await t.sleep(50);
}

for (const [place, see] of [
  ['out of view', show],
  ['on a hidden page', reveal],
] as const)
  test(`visibility: catch-up makes up for the gap, ${place}`, async (t) => {
    const viewer = await loaded(t);
    viewer.visibility = 'catch-up';
    viewer.setMarkers('Short', [{ name: 'x', time: 0.05 }]);
    const heard: { skipped?: number }[] = [];
    for (const type of ['marker', 'loop'] as const) viewer.addEventListener(type, ({ detail }) => heard.push(detail));
    viewer.play('Short', { playbackRate: 20 });
    await t.until(() => heard.length > 0, 'it plays');
    const begun = performance.now();
    const start = viewer.now;
    await see(t, viewer, false);
    heard.length = 0;
    await t.sleep(600);
    t.equal(heard.length, 0, 'nothing is heard');
    await see(t, viewer, true);
    await t.until(() => heard.length > 0, 'it is seen again');
    t.ok((heard[0]?.skipped ?? 0) > 0, 'some are left out');
    t.ok(heard.length >= 64, 'the last 64 come');
    t.close(viewer.now - start, (performance.now() - begun) / 1000, 0.15);
  });

test('visibility: with catch-up, a call out of view applies at the current time', async (t) => {
  const viewer = await loaded(t);
  viewer.visibility = 'catch-up';
  viewer.play('Slide', { playbackRate: 0.01 });
  await t.until(() => viewer.currentTime > 0, 'it plays');
  await show(t, viewer, false);
  const { now } = viewer;
  await t.sleep(300);
  viewer.playbackRate = 0.02;
  t.ok(viewer.now - now >= 0.25, `${viewer.now - now} s have passed`);
});

test('visibility: run continues out of view', async (t) => {
  const viewer = await loaded(t);
  viewer.visibility = 'run';
  await show(t, viewer, false);
  let drawn = 0;
  viewer.addEventListener('frame', () => drawn++);
  const { finished } = viewer.play('Slide~2', { repetitions: 1 });
  const before = drawn;
  await finished;
  t.equal([viewer.ended, drawn], [true, before], 'it has finished, and nothing was drawn');
  viewer.visibility = 'pause';
  viewer.play();
  await t.sleep(200);
  t.equal(viewer.currentTime, 0, 'and no more');
  await show(t, viewer, true);
  await t.until(() => viewer.currentTime > 0, 'it plays on');
});

test('timelines: the examples of the documentation run', async (t) => {
  const viewer = await byHand(t);
  viewer.play();
  viewer.advance(1 / 60);
  t.close(viewer.currentTime, 1 / 60, 1e-9);
  const context = { currentTime: 1 };
  viewer.timeline = () => context.currentTime;
  document.body.append(document.createElement('audio'));
  viewer.timeline = t.some(document.querySelector('audio'));
  const made = (window as unknown as { ScrollTimeline?: new (options: { source: Element }) => AnimationTimeline })
    .ScrollTimeline;
  if (made) viewer.timeline = new made({ source: document.documentElement });
  t.ok(!viewer.paused);
});
