// `<gambol-viewer>`: its states and events of loading, visibility and failures.

import { test } from '../page/api.ts';
import { address, details, heard, part, placed, shown } from './support/element.ts';

const loadingBar = (t: Parameters<typeof part>[0], element: Parameters<typeof part>[1]): boolean =>
  !t.some(part(t, element, 'progress-bar').parentElement, 'the slot').classList.contains('gone');

test('progress: the bar is hidden when all loads have ended, also by error, and the total never decreases', async (t) => {
  const element = await shown(t, { src: '/sample.glb' });
  const totals = details<{ totalProgress: number }>(element, 'progress');
  t.equal(loadingBar(t, element), false);
  const attached = document.createElement('gambol-attach');
  attached.setAttribute('joint', 'HandR');
  attached.setAttribute('src', address());
  element.append(attached);
  const { viewer } = element;
  if (!viewer) throw new Error('no viewer');
  await Promise.allSettled([viewer.add(address()), viewer.add('/nothing.glb'), viewer.add(new Uint8Array(4))]);
  t.expectTrouble(/404|nothing\.glb/);
  await t.until(() => totals.at(-1)?.totalProgress === 1, 'all have ended');
  t.equal(loadingBar(t, element), false);
  const batches = totals.map(({ totalProgress }) => totalProgress);
  t.ok(
    batches.every((total, i) => total >= (batches[i - 1] ?? 0) || batches[i - 1] === 1),
    String(batches),
  );
});

test('model-visibility: the event and modelIsVisible follow scrolling', async (t) => {
  const element = await shown(t);
  const visible = details<{ visible: boolean }>(element, 'model-visibility');
  const space = Object.assign(document.createElement('div'), { style: 'height: 5000px' });
  document.body.append(space);
  scrollTo(0, 3000);
  await t.until(() => !element.modelIsVisible, 'out of the viewport');
  scrollTo(0, 0);
  await t.until(() => element.modelIsVisible, 'back');
  t.equal(
    visible.map((each) => each.visible),
    [false, true],
  );
  element.showPoster();
  t.equal(element.modelIsVisible, false);
});

test('ready: rejects if the load fails, and is a new promise for each source', async (t) => {
  const element = placed({ src: '/missing.glb', 'environment-image': 'none' });
  t.expectTrouble(/404|missing\.glb/);
  let code: unknown;
  const first = element.ready;
  await first.catch((error: { code?: string }) => {
    code = error.code;
  });
  t.equal(code, 'fetch/http');
  element.src = address();
  t.ok(element.ready !== first, 'another promise');
  await element.ready;
  t.equal(element.loaded, true);
});

test('variant-applied: is sent after the setter has returned', async (t) => {
  const element = await shown(t);
  const order = heard(element, 'variant-applied');
  element.variantName = 'default';
  order.push('returned');
  await t.until(() => order.length > 1, 'the event');
  t.equal(order.slice(-2), ['returned', 'variant-applied']);
});

test('autoplay: starts playback if it is set after the load', async (t) => {
  const element = await shown(t);
  t.equal(element.paused, true);
  element.autoplay = true;
  t.equal(element.paused, false);
  element.pause();
  element.autoplay = false;
  t.equal(element.paused, true, 'taking it away changes nothing');
});

test('timeupdate: is sent while a scroller or CSS moves the time', async (t) => {
  const element = await shown(t, { timeline: 'css' });
  const times = details<{ time: number }>(element, 'timeupdate');
  element.style.setProperty('--gambol-progress', '0.5');
  await t.until(() => times.at(-1)?.time === 1, 'the time by CSS');
  element.timeline = 'scroll';
  document.body.append(Object.assign(document.createElement('div'), { style: 'height: 3000px' }));
  const page = document.documentElement;
  scrollTo(0, (page.scrollHeight - innerHeight) / 4);
  await t.until(() => Math.abs((times.at(-1)?.time ?? 0) - 0.5) < 0.01, 'the time by scrolling');
});

test('element children: without a slot they lie over the picture and can be clicked', async (t) => {
  const button = Object.assign(document.createElement('button'), {
    textContent: 'Buy',
    style: 'position: absolute; left: 10px; top: 10px',
  });
  const fallback = Object.assign(document.createElement('p'), { textContent: 'No WebGL', slot: 'fallback' });
  const element = await shown(t, {}, button, fallback);
  const { left, top } = button.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  t.equal([left - box.left, top - box.top], [10, 10]);
  t.equal(document.elementFromPoint(left + 3, top + 3), button);
  t.equal(fallback.getClientRects().length, 0, 'the fallback is not needed');
});

test('interaction prompt: is hidden when an attribute forbids it', async (t) => {
  const element = await shown(t, { 'camera-controls': '', 'interaction-prompt-threshold': '0' });
  const prompt = part(t, element, 'prompt');
  await t.until(() => !prompt.hidden, 'the prompt');
  element.setAttribute('interaction-prompt', 'none');
  t.equal(prompt.hidden, true);
  element.setAttribute('interaction-prompt', 'auto');
  await t.until(() => !prompt.hidden, 'the prompt again');
  element.removeAttribute('camera-controls');
  t.equal(prompt.hidden, true);
});

test('alt: the accessible name is set before the model and stays', async (t) => {
  const element = placed({ alt: 'A hero', loading: 'lazy', reveal: 'manual', src: address() });
  const named = (): (string | null | undefined)[] => {
    const canvas = element.shadowRoot?.querySelector('canvas');
    return [canvas?.getAttribute('aria-label'), canvas?.getAttribute('role')];
  };
  t.equal(named(), ['A hero', 'img']);
  element.alt = 'A heroine';
  t.equal(named(), ['A heroine', 'img']);
  element.dismissPoster();
  await t.until(() => element.loaded, 'the model');
  t.equal(named(), ['A heroine', 'img']);
});

test('poster: a child keeps its size, and a click on the default poster loads the model', async (t) => {
  const poster = Object.assign(document.createElement('button'), {
    textContent: 'Load',
    slot: 'poster',
    style: 'width: 80px; height: 30px',
  });
  const element = placed({ src: address(), reveal: 'manual', 'environment-image': 'none' }, poster);
  await t.frames(2);
  const { width, height } = poster.getBoundingClientRect();
  t.equal([width, height], [80, 30]);
  element.remove();

  const second = placed({ src: address(), reveal: 'manual', 'environment-image': 'none' });
  await t.frames(2);
  const box = second.getBoundingClientRect();
  await t.act({ type: 'move', x: box.left + 100, y: box.top + 100 }, { type: 'down' }, { type: 'up' });
  await t.until(() => second.modelIsVisible, 'the model');
});
