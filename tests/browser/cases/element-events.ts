// Events of `<gambol-viewer>` about input, frames and pictures.

import type { GambolViewer } from 'gambol/element';
import { test } from '../page/api.ts';
import { details, heard, middle, shown } from './support/element.ts';

/** The square, seen head-on, with a margin of half a metre. */
const HEAD_ON = {
  'camera-orbit': '0deg 90deg 4m',
  'camera-target': '0.5m 0.5m 0m',
  'min-camera-orbit': 'auto 0deg 0m',
  'max-camera-orbit': 'auto 180deg 100m',
};

function angle(element: GambolViewer): number {
  return element.getCameraOrbit().theta;
}

test('interact-stopped: is sent once after a drag, after keys, and after the wheel', async (t) => {
  const element = await shown(t, { 'camera-controls': '', 'camera-orbit': '0deg 75deg 2m' });
  const stops = heard(element, 'interact-stopped');
  const { x, y } = middle(element);
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x - 60, y });
  await t.until(() => angle(element) > 0.3, 'it turns');
  const before = angle(element);
  await t.sleep(500);
  t.equal([stops.length, angle(element) >= before], [0, true], 'the button is held');
  await t.act({ type: 'up' });
  await t.until(() => stops.length === 1, 'after a drag');
  await t.act({ type: 'down' }, { type: 'up' });
  await t.sleep(500);
  t.equal(stops.length, 1, 'a click moves nothing');
  const { radius } = element.getCameraOrbit();
  for (let i = 0; i < 3; i++) await t.act({ type: 'wheel', x, y, deltaY: 60 });
  await t.until(() => stops.length === 2, 'after the wheel alone');
  t.ok(element.getCameraOrbit().radius > radius, 'which zooms');
  element.focus();
  await t.act({ type: 'key', key: 'ArrowRight' }, { type: 'key', key: 'ArrowRight' });
  await t.until(() => stops.length === 3, 'after keys');
  element.cameraOrbit = '90deg 75deg 2m';
  await t.until(() => angle(element) > 1.5, 'a script moves it');
  await t.sleep(500);
  t.equal(stops.length, 3, 'which is no hand');
});

test('joint-click: a click sends joint and position; a drag or a miss sends nothing', async (t) => {
  const element = await shown(t, { ...HEAD_ON, 'camera-controls': '' });
  element.jumpCameraToGoal();
  const clicks: { joint: string | null; x: number; z: number }[] = [];
  element.addEventListener('joint-click', ({ detail: { joint, position, normal } }) =>
    clicks.push({ joint, x: position.x, z: normal.z }),
  );
  const { x, y } = middle(element);
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'up' });
  await t.until(() => clicks.length === 1, 'a click');
  t.equal(clicks[0]?.joint, element.viewer?.joints[0]?.name);
  t.close([clicks[0]?.x ?? NaN, clicks[0]?.z ?? NaN], [0.5, 1], 1e-2, 'where, in the space of the model');
  await t.act({ type: 'move', x: x + 155, y }, { type: 'down' }, { type: 'up' });
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x + 20, y }, { type: 'up' });
  await t.frames(5);
  t.equal(clicks.length, 1);
});

test('before-render: changes are part of the frame', async (t) => {
  const element = await shown(t, HEAD_ON);
  element.jumpCameraToGoal();
  const order: string[] = [];
  const joint = t.some(element.viewer).joint(0);
  let at = 0;
  element.addEventListener('before-render', () => {
    order.push('before');
    at += 0.01;
    joint.override({ translation: [at, 0, 0] });
  });
  element.addEventListener('frame', () => {
    order.push('frame');
    t.close(joint.world[12] ?? NaN, at, 1e-6);
  });
  element.exposure = 1.1;
  await t.until(() => order.length >= 6, 'frames');
  t.equal(order.slice(0, 4), ['before', 'frame', 'before', 'frame']);
});

test('render-scale: is sent for the first size and for each change', async (t) => {
  const element = await shown(t);
  const sizes: number[][] = [];
  element.addEventListener('render-scale', ({ detail }) =>
    sizes.push([detail.pixelWidth, detail.pixelHeight, detail.renderedDpr, detail.reportedDpr]),
  );
  const ratio = devicePixelRatio;
  element.style.width = '200px';
  await t.until(() => sizes.length > 0, 'another size');
  t.equal(sizes[0], [200 * ratio, 240 * ratio, ratio, ratio]);
  element.exposure = 2;
  await t.frames(5);
  t.equal(sizes.length, 1, 'told once');
});

test('seeking: states and events', async (t) => {
  const element = await shown(t);
  const states: (boolean | null)[] = [];
  const seeking = (): boolean | null => {
    try {
      return element.matches(':state(seeking)');
    } catch {
      return null;
    }
  };
  const none = seeking();
  if (none === null) t.skip('this browser knows no states');
  for (const name of ['seeking', 'seeked'] as const) element.addEventListener(name, () => states.push(seeking()));
  const times = details<{ time: number }>(element, 'seeked');
  await element.seek(0.5);
  t.equal([none, states, times.map(({ time }) => time)], [false, [true, false], [0.5]]);
});

test('events: listeners that React left in its props when it hydrated the element are called once', async (t) => {
  const element = await shown(t);
  const calls: string[] = [];
  const hear =
    (name: string) =>
    (event: Event): void => {
      calls.push(`${name} ${event.type}`);
    };
  const first = { onpause: hear('first'), 'oncamera-change': hear('first'), onClick: hear('React'), onload: 'text' };
  Reflect.set(element, '__reactProps$abc', first);
  element.dispatchEvent(new CustomEvent('pause'));
  element.dispatchEvent(new CustomEvent('camera-change'));
  element.dispatchEvent(new MouseEvent('click'));
  t.equal(calls.splice(0), ['first pause', 'first camera-change']);

  // React adds a listener that has changed, and removes the one before.
  const second = { ...first, onpause: hear('second') };
  element.removeEventListener('pause', first.onpause);
  element.addEventListener('pause', second.onpause);
  Reflect.set(element, '__reactProps$abc', second);
  element.dispatchEvent(new CustomEvent('pause'));
  t.equal(calls.splice(0), ['second pause']);

  const child = document.createElement('gambol-actor');
  Reflect.set(child, '__reactProps$abc', { onload: hear('child') });
  element.append(child);
  await t.until(() => child.constructor !== HTMLElement, 'the script of children');
  child.dispatchEvent(new CustomEvent('load', { detail: { url: null } }));
  t.equal(calls, ['child load']);
});
