// Accessibility of `<gambol-viewer>`: checked by axe-core in typical states, and under a policy that forbids inline
// style.

import { OTHERS, browser, test, type T } from '../../page/api.ts';
import type { GambolViewer } from 'gambol/element';
import { faults } from '../support/axe.ts';
import { part, placed, shown } from '../support/element.ts';

async function judged(t: T, element: GambolViewer, state: string): Promise<void> {
  t.equal(await faults(element), [], state);
}

test(
  'accessibility: axe finds no violation',
  async (t) => {
    document.documentElement.lang = 'en';
    const label = document.createElement('button');
    label.slot = 'hotspot-a';
    label.textContent = 'A label';
    const element = placed(
      {
        'environment-image': 'none',
        alt: 'A red square',
        controls: '',
        'camera-controls': '',
        poster: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
      label,
    );
    element.style.cssText = 'width: 640px; height: 360px; background: #fff';
    await judged(t, element, 'empty');
    element.src = '/sample.glb';
    await t.until(() => element.modelIsVisible, 'the model');
    await t.sleep(400);
    await judged(t, element, 'paused');
    for (const scheme of ['dark', 'light']) {
      element.style.colorScheme = scheme;
      await judged(t, element, scheme);
    }
    element.setAttribute('controls', 'minimal');
    await judged(t, element, 'minimal');
    t.expectTrouble(/404|nowhere/);
    const broken = placed({ src: '/nowhere.glb', alt: 'Nothing' });
    await t.until(() => !part(t, broken, 'error').hidden, 'the words');
    await judged(t, broken, 'broken');
  },
  { all: OTHERS },
);

test('accessibility: each control has a name and is reachable by keyboard', async (t) => {
  const element = await shown(t, { controls: '', alt: 'A red square' });
  document.body.append(document.createElement('button'));
  const names = [...(element.shadowRoot?.querySelectorAll('button:not([hidden]), select, input, canvas') ?? [])]
    .filter((control) => control instanceof HTMLElement && control.offsetParent !== null)
    .map((control) => control.getAttribute('aria-label') ?? control.textContent);
  t.ok(
    names.every((name) => name),
    `each has a name: ${names.join()}`,
  );
  element.focus();
  await t.act({ type: 'key', key: 'Tab' });
  const focused = t.some(element.shadowRoot?.activeElement);
  t.equal(focused.getAttribute('aria-label'), 'Time');
  // With some drivers the window is not the active one.
  t.ok(!focused.matches(':focus-visible') || getComputedStyle(focused).outlineStyle === 'solid', 'a ring');
  await t.act({ type: 'key', key: 'Tab' });
  t.equal(element.shadowRoot?.activeElement?.getAttribute('aria-label'), 'Play');
  await t.act({ type: 'key', key: 'Tab' });
  t.equal(element.shadowRoot?.activeElement ?? null, null, 'two stops, and on');
});

test('accessibility: forced colours show the bar, the slider and the focus ring', async (t) => {
  if (browser !== 'chromium') t.skip('its driver forces no colours');
  await t.act({ type: 'force-colors', on: true });
  t.ok(matchMedia('(forced-colors: active)').matches);
  const element = await shown(t, { controls: '', 'camera-controls': '', alt: 'A red square' });
  element.style.cssText = 'width: 640px; height: 360px';
  const color = (name: string, pseudo = ''): string => {
    const probe = document.createElement('i');
    probe.style.color = name;
    document.body.append(probe);
    const found = getComputedStyle(probe, pseudo).color;
    probe.remove();
    return found;
  };
  const style = (name: string): CSSStyleDeclaration => getComputedStyle(part(t, element, name));
  t.equal(style('timeline-thumb').backgroundColor, color('Highlight'), 'the thumb is not the page');
  t.equal([style('controls').borderTopStyle, style('controls').borderTopColor], ['solid', color('CanvasText')]);
  t.equal([style('play-button').borderTopStyle, style('play-button').color], ['solid', color('ButtonText')]);
  // The canvas keeps its own colours.
  t.equal(await faults(element), []);
  element.focus();
  await t.act({ type: 'key', key: 'Tab' }, { type: 'key', key: 'Tab' });
  const focused = t.some(element.shadowRoot?.activeElement);
  t.equal([focused.getAttribute('aria-label'), getComputedStyle(focused).outlineStyle], ['Play', 'solid']);
});
