// Many elements and models that are added and removed: all resources are released.

import { init } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { browser, test, type T } from '../page/api.ts';
import { address, details, made, placed, shown } from './support/element.ts';
import { countGlObjects } from './support/watch.ts';

/** Leaks are visible in one browser; the others are slower. */
const TIMES = browser === 'chromium' ? 200 : 20;

/** Bytes of the module's memory. */
function memory(element: GambolViewer): number {
  return element.viewer?.stats.memoryBytes ?? NaN;
}

async function loaded(t: T, element: GambolViewer, src: string): Promise<void> {
  const loads = details(element, 'load');
  element.src = src;
  while (loads.length === 0) await t.frames();
}

test(
  'element: 200 models in sequence hold as many objects as one',
  async (t) => {
    const live = countGlObjects();
    const [one, other] = [address(), address({ clips: [['Other', 1]] })];
    const element = await shown(t, { src: one, autoplay: '' });
    element.style.cssText = 'width: 40px; height: 40px';
    await loaded(t, element, other);
    await loaded(t, element, one);
    const [objects, bytes] = [live(), memory(element)];
    for (let i = 0; i < TIMES; i += 2) {
      await loaded(t, element, other);
      await loaded(t, element, one);
    }
    t.equal(live(), objects);
    t.equal(memory(element), bytes, 'bytes of the module');
  },
  { timeout: 120_000, all: true },
);

test(
  'element: 200 removals and insertions hold as many objects as one',
  async (t) => {
    const live = countGlObjects();
    const element = await shown(t);
    element.style.cssText = 'width: 40px; height: 40px';
    const again = async (): Promise<void> => {
      element.remove();
      while (element.viewer) await t.sleep(0);
      document.body.append(element);
      while (!element.modelIsVisible) await t.frames();
    };
    await again();
    const [objects, bytes] = [live(), memory(element)];
    for (let i = 0; i < TIMES; i++) await again();
    t.equal(live(), objects);
    t.equal(memory(element), bytes, 'bytes of the module');
    t.equal(element.shadowRoot?.querySelectorAll('canvas').length, 1);
  },
  { timeout: 120_000, all: true },
);

test(
  'element: 40 elements on a page',
  async (t) => {
    await init();
    document.body.style.cssText = 'display: flex; flex-wrap: wrap';
    const src = address();
    const elements = Array.from({ length: 40 }, () => {
      const element = made({ src, 'environment-image': 'none', autoplay: '' });
      element.style.cssText = 'width: 100px; height: 90px';
      return element;
    });
    document.body.append(...elements);
    const losses = elements.flatMap((element) => [details(element, 'contextlost'), details(element, 'error')]);
    for (const element of elements)
      await t.until(() => element.modelIsVisible && element.currentTime > 0, 'each of them plays');
    t.ok(
      losses.every(({ length }) => length === 0),
      'none has lost its context',
    );
    elements.forEach((element) => element.remove());
  },
  { timeout: 120_000 },
);

test('element: a stopped module shows a message, and the next source works', async (t) => {
  const element = await shown(t, { autoplay: '', renderer: 'own' });
  const errors = details<{ code: string; message: string }>(element, 'error');
  // A panic of the module: a trap in the middle of a call.
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, unknown>;
  const names = ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];
  const real = names.map((name) => prototype[name]);
  for (const name of names)
    prototype[name] = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
  await t.until(() => errors.length === 1, 'the error');
  names.forEach((name, i) => (prototype[name] = real[i]));
  t.equal(
    [
      errors[0]?.code,
      element.viewer,
      element.shadowRoot?.querySelector('[part=error]')?.textContent?.includes(errors[0]?.message ?? '?'),
    ],
    ['wasm/panic', null, true],
  );
  element.src = address({ clips: [['Next', 1]] });
  await t.until(() => element.modelIsVisible && element.availableAnimations[0] === 'Next', 'the next one');
  t.equal([errors.length, element.paused], [1, false]);
});

test('element: works in a shadow root, in a dialog and with a framework', async (t) => {
  const host = document.createElement('div');
  document.body.append(host);
  const inner = made({ src: address(), 'environment-image': 'none' });
  host.attachShadow({ mode: 'open' }).append(inner);
  const dialog = document.createElement('dialog');
  const modal = made({ src: address(), 'environment-image': 'none' });
  dialog.append(modal);
  document.body.append(dialog);
  await t.until(() => inner.modelIsVisible, 'in a shadow root');
  t.equal(modal.viewer, null, 'what is not shown is not loaded');
  dialog.showModal();
  await t.until(() => modal.modelIsVisible, 'in a dialog');
  const cloned = placed({ src: address(), 'environment-image': 'none' }).cloneNode(true) as GambolViewer;
  document.body.append(cloned);
  await t.until(() => cloned.modelIsVisible, 'a clone');
});

// The browser would warn of too many contexts, and lose the oldest.
test('element: releases its own context when it is removed', async (t) => {
  if (browser === 'webkit') t.skip('WebKit counts contexts that are lost until they are collected');
  const kept = await shown(t, { renderer: 'own' });
  for (let i = 0; i < 24; i++) {
    const element = await shown(t, { renderer: 'own' });
    element.remove();
    await t.until(() => element.viewer === null, 'the end of its viewer');
  }
  t.ok(kept.viewer?.canvas.getContext('webgl2')?.isContextLost() === false, 'the first one has its own still');
});
