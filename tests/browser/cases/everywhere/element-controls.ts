// `<gambol-viewer controls>`: the bar, by mouse and by keys, and its appearance.

import { OTHERS, test, type T } from '../../page/api.ts';
import type { GambolViewer } from 'gambol/element';
import { faults } from '../support/axe.ts';
import { details, middle, part, placed, shown } from '../support/element.ts';
import { unpng } from '../support/recordings.ts';

async function click(t: T, element: Element): Promise<void> {
  await t.act({ type: 'move', ...middle(element) }, { type: 'down' }, { type: 'up' });
}

async function key(t: T, ...keys: string[]): Promise<void> {
  await t.act(...keys.map((name) => ({ type: 'key', key: name }) as const));
}

test('element controls: the bar plays, steps, and sets clip, speed and loop mode', async (t) => {
  const element = await shown(t, { controls: '', 'animation-crossfade-duration': '0' });
  element.style.cssText = 'width: 640px; height: 360px';
  await t.frames(2);
  const play = part(t, element, 'play-button');
  t.equal(play.getAttribute('aria-label'), 'Play');
  await click(t, play);
  await t.until(() => !element.paused, 'it plays');
  t.equal(play.getAttribute('aria-label'), 'Pause');
  await click(t, play);
  await t.until(() => element.paused, 'it pauses');

  const clips = part<HTMLSelectElement>(t, element, 'clip-select');
  t.equal(
    [...clips.options].map(({ text }) => text),
    ['Slide', 'Short', 'Slide~2'],
  );
  clips.value = 'Slide~2';
  clips.dispatchEvent(new Event('change'));
  t.equal([element.animationName, element.duration], ['Slide~2', 1]);
  const speed = part<HTMLSelectElement>(t, element, 'speed');
  speed.value = '0.5';
  speed.dispatchEvent(new Event('change'));
  t.equal([element.timeScale, element.viewer?.playbackRate], [0.5, 0.5]);
  element.timeScale = 0.3;
  t.equal(speed.selectedOptions[0]?.text, '0.3×', 'any speed is shown');
  const loop = part(t, element, 'loop-button');
  await click(t, loop);
  t.equal([element.loopMode, loop.getAttribute('aria-label')], ['pingpong', 'Loop: ping-pong']);
  element.currentTime = 0;
  await click(t, part(t, element, 'step-forward-button'));
  await t.until(() => element.currentTime > 0, 'one frame on');
  t.close(element.currentTime, 1 / (element.viewer?.clip?.fps ?? 0), 1e-6);
  t.equal(element.paused, true);

  // The bar is one tab stop, with arrow keys inside.
  play.focus();
  await key(t, 'ArrowRight', 'ArrowRight');
  t.equal(element.shadowRoot?.activeElement?.part.value, 'step-forward-button');
  t.equal([...(element.shadowRoot?.querySelectorAll('[role=toolbar] [tabindex="0"]') ?? [])].length, 1);
  await key(t, 'End', 'Home');
  t.equal(element.shadowRoot?.activeElement?.part.value, 'play-button');
});

test('element controls: the dialog for recordings makes a file, and can be cancelled', async (t) => {
  // The page of the tests has a copy of Mediabunny, too, which reads files.
  t.expectTrouble(/Mediabunny was loaded twice/);
  const element = await shown(t, { controls: '' });
  element.style.cssText = 'width: 700px; height: 360px';
  await t.frames(2);
  const root = t.some(element.shadowRoot);
  const dialog = (): HTMLDialogElement | null => root.querySelector('dialog[part="recorder"]');
  const button = part(t, element, 'record-button');
  t.equal([button.getAttribute('aria-label'), button.title], ['Record', 'Record']);
  await click(t, button);
  await t.until(dialog, 'the dialog opens');
  const [format, wide, high, fps, clear] = t.some(dialog()).querySelectorAll<HTMLInputElement>('input, select');
  if (!format || !wide || !high || !fps || !clear) return t.fail('no controls');
  t.equal(await faults(element), []);
  for (const [control, value] of [
    [format, 'apng'],
    [wide, '32'],
    [high, '24'],
    [fps, '5'],
  ] as const)
    control.value = value;
  clear.checked = true;
  const start = t.some(root.querySelector<HTMLButtonElement>('.recorder button[type=submit]'));
  start.click();
  t.equal([start.textContent, format.disabled], ['Cancel', true]);
  const link = (): HTMLAnchorElement | null => root.querySelector('[part="recording"]');
  await t.until(link, 'the file is there');
  t.ok(link()?.download.endsWith('.png') && link()?.href.startsWith('blob:'), link()?.outerHTML);
  const file = await (await fetch(t.some(link()).href)).blob();
  // Ten frames of two seconds.
  t.equal((await unpng(file)).frames.length, Math.round(5 * element.duration));
  t.equal([start.textContent, format.disabled], ['Record', false]);

  fps.value = '60';
  start.click();
  await t.until(() => (root.querySelector('progress')?.value ?? 0) > 0, 'progress');
  start.click();
  await t.until(() => root.querySelector('.recorder .words')?.textContent === 'Cancelled', 'cancelled');
  await key(t, 'Escape');
  await t.until(() => !dialog(), 'the dialog closes');
  button.click();
  await t.until(dialog, 'the dialog opens again');
  element.remove();
});

test('element controls: the slider scrubs during playback, by pointer and by keys', async (t) => {
  const element = await shown(t, { controls: 'minimal', autoplay: '' });
  // Independent of the page's `display` for the element.
  element.style.cssText = 'display: inline-block; width: 640px; height: 300px';
  await t.frames(2);
  t.equal(part(t, element, 'controls').getBoundingClientRect().bottom, 300);
  const slider = part<HTMLInputElement>(t, element, 'timeline');
  const { left, width, top, height } = slider.getBoundingClientRect();
  const at = (fraction: number): { x: number; y: number } => ({
    x: left + 8 + fraction * (width - 16),
    y: top + height / 2,
  });
  await t.act({ type: 'move', ...at(0.5) }, { type: 'down' });
  await t.until(() => element.paused, 'it stands still under the finger');
  await t.until(() => Math.abs(element.currentTime - 1) < 0.02, 'at the middle');
  t.equal(part(t, element, 'play-button').getAttribute('aria-label'), 'Pause', 'it will go on');
  await t.act({ type: 'move', ...at(0.25) });
  await t.until(() => Math.abs(element.currentTime - 0.5) < 0.02, 'at a quarter');
  await t.act({ type: 'up' });
  await t.until(() => !element.paused && element.currentTime > 0.5, 'it plays on');
  element.pause();
  slider.focus();
  await key(t, 'End');
  t.equal(element.currentTime, element.duration, 'the last frame');
  t.ok(
    slider.getAttribute('aria-valuetext')?.startsWith('2.00 of 2.00 seconds'),
    slider.getAttribute('aria-valuetext') ?? '',
  );
  await key(t, 'PageDown', 'ArrowLeft');
  t.ok(element.currentTime < 1, 'a second and a frame back');
  await key(t, 'Home');
  t.equal(element.currentTime, 0);
});

test('element controls: a removal during a step causes no unhandled rejection', async (t) => {
  const element = await shown(t, { controls: '' });
  const seeks = details(element, 'seeking');
  for (const key of ['.', ','])
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  part<HTMLButtonElement>(t, element, 'step-forward-button').click();
  part(t, element, 'timeline').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  t.ok(seeks.length > 0, 'it seeks');
  element.remove();
  await t.until(() => element.viewer === null, 'the end of the viewer');
});

test('element controls: keys', async (t) => {
  const element = await shown(t, { controls: '' });
  element.focus();
  await key(t, ' ');
  await t.until(() => !element.paused, 'it plays');
  await key(t, 'k', '5');
  t.equal([element.paused, element.currentTime], [true, 1]);
  await key(t, 'End', ',');
  t.ok(element.currentTime < 2 && element.currentTime > 1.9, 'a frame back');
  await key(t, ']', ']', '[', 'n', 'r', 'b');
  t.equal(
    [element.timeScale, element.animationName, element.loopMode, element.debug],
    [1.25, 'Short', 'pingpong', 'skeleton'],
  );
  await key(t, '\\', 'p', 'b');
  t.equal([element.timeScale, element.animationName, element.debug], [1, 'Slide', null]);
  element.keyboard = 'none';
  await key(t, ' ');
  await t.frames(3);
  t.equal(element.paused, true);
  element.keyboard = 'focus';
  // An input field of the page keeps its keys.
  const field = document.createElement('input');
  field.slot = 'hotspot-field';
  element.append(field);
  // Its position comes with the script for children.
  await t.until(() => {
    field.focus();
    // WebKit also focuses elements that are not shown yet, but sends them no keys.
    return document.activeElement === field && field.getClientRects().length > 0;
  }, 'the field has focus');
  await key(t, 'k', '5');
  t.equal([field.value, element.paused], ['k5', true]);
});

test('element controls: the list of keys', async (t) => {
  const element = await shown(t, { controls: '' });
  element.focus();
  const list = (): HTMLDialogElement | null => t.some(element.shadowRoot).querySelector('dialog');
  await key(t, '?');
  await t.until(() => list()?.open, 'the list');
  const words = t.some(list()?.textContent);
  // Each entry of the list is one key, from the table of docs/element.md.
  for (const name of ['Space', 'K', 'J', 'Home', '[', 'N', 'R', 'F', 'B', 'H']) t.ok(words.includes(name), name);
  t.equal(await faults(element), [], 'axe');
  await key(t, 'Escape');
  await t.until(() => !list(), 'gone');
  t.equal(element.shadowRoot?.activeElement?.localName, 'canvas', 'focus is where it was');
  await key(t, '?', '?');
  await t.frames(2);
  t.equal(list(), null);
  await key(t, '?');
  const { x, y } = middle(t.some(list()?.querySelector('button')));
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'up' });
  await t.until(() => !list(), 'closed by hand');
});

test(
  'element controls: controls that do not fit are hidden, light and dark',
  async (t) => {
    document.body.style.cssText =
      'display: grid; grid-template-columns: repeat(2, max-content); gap: 16px; padding: 16px; background: #ddd';
    const children = (): Node => {
      const marker = document.createElement('gambol-marker');
      marker.setAttribute('time', '0.4');
      marker.setAttribute('name', 'step');
      return marker;
    };
    const elements: GambolViewer[] = [];
    for (const scheme of ['light', 'dark']) {
      // The studio's light is slow in these browsers, so only one element has it, for a visual check.
      const wide = placed(
        { src: '/sample.glb', controls: '', alt: 'Pip', 'environment-image': scheme === 'light' ? 'neutral' : 'none' },
        children(),
      );
      wide.style.cssText = `width: 560px; height: 300px; color-scheme: ${scheme}; background: ${scheme === 'dark' ? '#333' : '#f1eee9'}; border-radius: 14px`;
      const narrow = placed({ src: '/sample.glb', controls: '', alt: 'Pip', 'environment-image': 'none' });
      narrow.style.cssText = `width: 250px; height: 300px; color-scheme: ${scheme}; background: ${scheme === 'dark' ? '#333' : '#f1eee9'}`;
      elements.push(wide, narrow);
    }
    const minimal = placed({ src: '/sample.glb', controls: 'minimal', alt: 'Pip', 'environment-image': 'none' });
    minimal.style.cssText = 'width: 560px; height: 160px; background: #f1eee9';
    const broken = placed({ src: '/missing/hero.glb', alt: 'Pip' });
    broken.style.cssText = 'width: 250px; height: 160px; background: #f1eee9';
    t.expectTrouble(/404|missing/);
    for (const element of [...elements, minimal]) await t.until(() => element.loaded, 'a model');
    for (const element of elements) element.currentTime = 0.9;
    await t.frames(3);
    await t.screenshot('element-bar');
    const [wide, narrow] = elements;
    if (!wide || !narrow) return;
    const seen = (element: GambolViewer): string[] =>
      [...(element.shadowRoot?.querySelectorAll<HTMLElement>('[role=toolbar] > [part]') ?? [])]
        .filter((tool) => tool.offsetParent !== null)
        .map((tool) => tool.part.value);
    t.ok(seen(wide).includes('picture-button') && seen(wide).includes('speed'), seen(wide).join());
    t.ok(
      !seen(narrow).includes('speed') && seen(narrow).includes('play-button') && seen(narrow).includes('clip-select'),
      seen(narrow).join(),
    );
    for (const element of elements) {
      const bar = part(t, element, 'controls');
      t.ok(bar.scrollWidth <= bar.clientWidth, 'nothing is cut off');
    }
    t.equal(wide.shadowRoot?.querySelectorAll('[part=timeline-marker]').length, 1);
  },
  { all: OTHERS },
);
