// `<gambol-viewer>` that moves to the document of a frame, as to a pop-up or a picture-in-picture window, and back.

import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../../page/api.ts';
import { details, heard, part, shown } from '../support/element.ts';

/** A frame with an empty document. */
async function frame(t: T): Promise<HTMLIFrameElement> {
  const made = document.createElement('iframe');
  made.style.cssText = 'position: fixed; left: 0; top: 0; width: 400px; height: 320px; border: 0';
  made.srcdoc = '<!doctype html><body></body>';
  const loaded = new Promise((resolve) => made.addEventListener('load', resolve, { once: true }));
  document.body.append(made);
  t.after(() => made.remove());
  await loaded;
  return made;
}

/** The computed styles of parts of the element, and the size of its canvas. */
function look(t: T, element: GambolViewer): Record<string, string> {
  const view = t.some(element.ownerDocument.defaultView);
  const of = (selector: string, property: string): string =>
    view.getComputedStyle(t.some(element.shadowRoot?.querySelector(selector), selector)).getPropertyValue(property);
  const { width, height } = t.some(element.viewer).canvas.getBoundingClientRect();
  return {
    canvas: `${width} × ${height}`,
    position: of('canvas', 'position'),
    display: view.getComputedStyle(element).display,
    bar: of('[part~=controls]', 'display'),
    tools: of('.tools', 'display'),
    button: of('[part~=play-button]', 'width'),
    hotspots: of('.hotspots', 'pointer-events'),
    dialog: of('dialog', 'padding'),
  };
}

test('element moves to another document: it keeps its styles, its viewer and its frames', async (t) => {
  const element = await shown(t, { src: '/sample.glb', controls: '', 'camera-controls': '', loading: 'eager' });
  const { viewer } = element;
  element.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true }));
  await t.until(() => element.shadowRoot?.querySelector('dialog'), 'the list of keys');
  const before = look(t, element);
  t.equal([before['position'], before['tools']], ['absolute', 'flex']);

  const other = await frame(t);
  const { contentDocument, contentWindow } = other;
  const problems = heard(element, 'error', 'warning');
  for (const place of [t.some(contentDocument).body, document.body, t.some(contentDocument).body]) {
    place.append(element);
    await t.until(() => part(t, element, 'controls').isConnected, 'the bar');
    t.equal(look(t, element), before, place === document.body ? 'back' : 'in the frame');
    t.equal(element.viewer, viewer, 'the viewer stays');
    const frames = details(element, 'frame');
    await element.play();
    await t.until(() => frames.length > 3, 'frames');
    // The bar of the other document works.
    part<HTMLButtonElement>(t, element, 'play-button').click();
    t.equal(element.paused, true);
    // A style sheet that is loaded later applies, too.
    element.style.width = element.style.width === '280px' ? '320px' : '280px';
    const width = element.style.width;
    await t.until(() => `${t.some(viewer).canvas.getBoundingClientRect().width}px` === width, 'the size');
    await t.until(
      () => t.some(viewer).canvas.width === Math.round(Number.parseInt(width, 10) * devicePixelRatio),
      'it is drawn in the new size',
    );
    element.style.width = '320px';
  }
  t.equal(problems, []);

  // A frame that is removed has no window any more.
  t.ok(contentWindow !== null);
  other.remove();
  document.body.append(element);
  await t.until(() => element.modelIsVisible && element.shadowRoot?.querySelector('[part~=controls]'), 'shown again');
  const { dialog: _, ...styles } = before;
  t.equal(
    Object.fromEntries(Object.keys(styles).map((name) => [name, lookWithoutDialog(t, element)[name]])),
    styles,
    'out of a removed frame',
  );
});

function lookWithoutDialog(t: T, element: GambolViewer): Record<string, string> {
  // The list of keys was closed with the frame, or is still there.
  if (!element.shadowRoot?.querySelector('dialog')) element.shadowRoot?.append(document.createElement('dialog'));
  return look(t, element);
}

test('element moves to another document: looks at the pointer there', async (t) => {
  const look = document.createElement('gambol-look');
  look.setAttribute('joint', 'Head');
  look.setAttribute('target', 'pointer');
  const element = await shown(t, { src: '/sample.glb', 'camera-orbit': '0deg 90deg 105%', loading: 'eager' }, look);
  const viewer = t.some(element.viewer);
  const other = await frame(t);
  t.some(other.contentDocument).body.append(element);
  const head = (): number[] => [...viewer.joint('Head').world];
  const rest = head();
  const { left, top } = element.getBoundingClientRect();
  const event = { clientX: left + 300, clientY: top + 20 };
  window.dispatchEvent(new PointerEvent('pointermove', event));
  await t.frames(3);
  t.close(head(), rest, 1e-6, 'not at the pointer of the window before');
  t.some(other.contentWindow).dispatchEvent(new PointerEvent('pointermove', event));
  await t.until(() => head().some((value, i) => Math.abs(value - (rest[i] ?? 0)) > 0.01), 'it looks');
});
