// `timeline`: the clock of `<gambol-viewer>`, set in HTML and CSS alone, and the segments that it plays.

import { test } from '../page/api.ts';
import { details, shown } from './support/element.ts';
import { silentAudio, sound } from './support/sound.ts';

test('element timeline: the page, a scroller, the viewport and CSS move the time', async (t) => {
  const above = document.createElement('div');
  above.style.height = '700px';
  const below = document.createElement('div');
  below.style.height = '3000px';
  const element = await shown(t, { timeline: 'scroll' });
  document.body.append(above, below);
  const page = document.documentElement;
  t.equal(element.currentTime, 0);
  scrollTo(0, (page.scrollHeight - innerHeight) / 2);
  await t.until(() => Math.abs(element.currentTime - 1) < 0.01, 'half way down, half way through');
  scrollTo(0, 0);
  await t.until(() => element.currentTime === 0, 'back');

  const scroller = document.createElement('div');
  scroller.id = 'scroller';
  scroller.style.cssText = 'height: 100px; overflow: auto';
  scroller.append(Object.assign(document.createElement('div'), { style: 'height: 300px' }));
  element.after(scroller);
  element.timelineSource = '#scroller';
  scroller.scrollTop = 50;
  await t.until(() => Math.abs(element.currentTime - 0.5) < 0.02, 'a quarter of the scroller');

  element.timelineSource = null;
  element.timeline = 'view';
  const { top, height } = element.getBoundingClientRect();
  await t.until(
    () => Math.abs(element.currentTime - (2 * (innerHeight - top)) / (innerHeight + height)) < 0.02,
    'where it is in the window',
  );

  element.timeline = 'css';
  element.style.setProperty('--gambol-progress', '0.75');
  await t.until(() => Math.abs(element.currentTime - 1.5) < 1e-3, 'three quarters by CSS');

  element.timeline = 'manual';
  void element.play();
  await t.frames(3);
  t.close(element.currentTime, 1.5, 1e-3, 'nobody moves it');
  element.viewer?.advance(0.25);
  t.close(element.currentTime, 1.75, 1e-3);
  element.timeline = 'auto';
  await t.until(() => element.currentTime !== 1.75, 'the clock');
});

test('element timeline: an audio element moves the time', async (t) => {
  const audio = await silentAudio(t);
  audio.id = 'song';
  const element = await shown(t, { timeline: 'media', 'timeline-source': '#song' });
  await element.play();
  await t.frames(3);
  t.equal([element.currentTime, element.paused], [0, false], 'which is paused');
  audio.currentTime = 1.25;
  await t.until(() => element.currentTime === 1.25, 'where the sound is');
  await sound(t, audio);
  await t.until(() => audio.currentTime > 1.4, 'the sound goes on');
  audio.pause();
  await t.until(() => Math.abs(element.currentTime - audio.currentTime) < 1e-6, 'and the model with it');
  // If there is no such media element, the clock advances the time.
  element.timelineSource = '#nothing';
  const { currentTime } = element;
  await t.until(() => element.currentTime !== currentTime, 'the clock');
});

test('element events: loop, finished and ended with segments and speeds', async (t) => {
  const element = await shown(t, { segment: '0.5 0.7', 'loop-mode': 'once', 'time-scale': '1', timeline: 'manual' });
  const loops = details<{ count: number; name: string }>(element, 'loop');
  const ends = [details<{ time: number }>(element, 'finished'), details<{ time: number }>(element, 'ended')];
  element.currentTime = 0.5;
  void element.play();
  element.viewer?.advance(10);
  t.close(element.currentTime, 0.7, 1e-6, 'its end');
  t.equal([ends.map(({ length }) => length), loops.length, element.ended, element.paused], [[1, 1], 0, true, true]);
  element.loopMode = 'repeat';
  element.segment = null;
  element.currentTime = 0;
  void element.play({ repetitions: 3 });
  element.viewer?.advance(6.5);
  t.equal([loops.map(({ count }) => count), loops[0]?.name, ends[0]?.length], [[1, 2], 'Slide', 2]);
  element.timeScale = -2;
  t.close(element.currentTime, 2, 1e-6, 'a speed moves nothing');
});
