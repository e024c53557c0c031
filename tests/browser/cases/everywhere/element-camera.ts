// `<gambol-viewer>`: the camera by attributes, and by input within its limits.

import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../../page/api.ts';
import { details, heard, middle, part, shown } from '../support/element.ts';

const DEGREE = Math.PI / 180;

/** Waits until the camera is at rest. */
async function settled(t: T, element: GambolViewer): Promise<{ theta: number; phi: number; radius: number }> {
  let before = '';
  for (let still = 0; still < 6; ) {
    await t.frames();
    const now = String(element.getCameraOrbit());
    still = now === before ? still + 1 : 0;
    before = now;
  }
  return element.getCameraOrbit();
}

test('element camera: attributes set its state', async (t) => {
  const element = await shown(t, { 'camera-orbit': '30deg calc(60deg + 10deg) 105%', 'field-of-view': '40deg' });
  const start = element.getCameraOrbit();
  t.close([start.theta, start.phi, element.getFieldOfView()], [30 * DEGREE, 70 * DEGREE, 40], 1e-4);
  const { x, y, z } = element.getBoundingBoxCenter();
  t.ok([x, y, z].every(Number.isFinite) && start.radius > 0.5, 'the model is framed');
  t.equal(String(start), `${start.theta}rad ${start.phi}rad ${start.radius}m`);

  const changes = details<{ source: string }>(element, 'camera-change');
  element.cameraOrbit = '-30deg 70deg 210%';
  const half = element.getCameraOrbit();
  t.close([half.theta, half.radius], [start.theta, start.radius], 1e-4, 'it does not jump');
  const there = await settled(t, element);
  t.close(
    [there.theta, there.phi, there.radius],
    [-30 * DEGREE, 70 * DEGREE, 2 * start.radius],
    1e-2,
    'the short way round',
  );
  t.ok(changes.length > 2 && changes.every(({ source }) => source === 'none'), 'who moved it');

  element.cameraTarget = '1m 50cm auto';
  element.cameraOrbit = '0 90deg 2m';
  element.jumpCameraToGoal();
  const jumped = element.getCameraOrbit();
  t.close([jumped.theta, jumped.phi, jumped.radius], [0, 90 * DEGREE, 2], 1e-3, 'at once');
  t.close([element.getCameraTarget().x, element.getCameraTarget().y], [1, 0.5], 1e-4);
  element.cameraOrbit = 'nonsense';
  element.jumpCameraToGoal();
  t.close(element.getCameraOrbit().phi, 75 * DEGREE, 1e-3, 'nonsense is the default');
});

test('element camera: a double click resets it to the attributes', async (t) => {
  const element = await shown(t, {
    'camera-controls': '',
    'camera-orbit': '20deg 80deg 3m',
    'camera-target': '0.5m 0.25m 0m',
  });
  const before = element.getCameraOrbit();
  const { x, y } = middle(element);
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x - 60, y: y - 20 }, { type: 'up' });
  await t.until(() => element.getCameraOrbit().theta > before.theta + 0.3, 'it turns');
  await t.act({ type: 'down' }, { type: 'up' }, { type: 'down' }, { type: 'up' });
  await t.until(() => Math.abs(element.getCameraOrbit().theta - before.theta) < 1e-3, 'back');
  const { theta, phi, radius } = await settled(t, element);
  const { x: left, y: up } = element.getCameraTarget();
  t.close([theta, phi, radius, left, up], [before.theta, before.phi, before.radius, 0.5, 0.25], 1e-3);
});

test('element camera: user input needs camera-controls and obeys the limits', async (t) => {
  const element = await shown(t, {
    'camera-orbit': '0deg 75deg 2m',
    'min-camera-orbit': '-45deg 60deg 1m',
    'max-camera-orbit': '45deg 90deg 2.8m',
    'interpolation-decay': '0',
    'min-field-of-view': '20deg',
    'field-of-view': '30deg',
  });
  // A drag must stay in the window.
  element.style.margin = '150px 250px';
  await t.frames(2);
  const { x, y } = middle(element);
  const before = element.getCameraOrbit();
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x - 200, y: y - 100 }, { type: 'up' });
  t.equal(await settled(t, element), before, 'without camera-controls');
  element.cameraControls = true;
  await t.until(() => part(t, element, 'canvas').style.touchAction, 'the script of the controls');
  const events = heard(element, 'camera-change');
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x - 200, y: y - 100 }, { type: 'up' });
  await t.until(() => events.length > 0, 'a change');
  const turned = await settled(t, element);
  t.close([turned.theta, turned.phi], [45 * DEGREE, 90 * DEGREE], 1e-3, 'at the limits');
  for (let i = 0; i < 3; i++) await t.act({ type: 'wheel', x, y, deltaY: 240 });
  await t.until(() => element.getCameraOrbit().radius > 2.79, 'out');
  t.close((await settled(t, element)).radius, 2.8, 1e-3);
  element.focus();
  for (let i = 0; i < 12; i++) await t.act({ type: 'key', key: '+' });
  await t.until(() => element.getFieldOfView() < 29, 'in, and closer by the field of view');
  const near = await settled(t, element);
  t.ok(near.radius > 0.999 && element.getFieldOfView() >= 19.99, `${near.radius} ${element.getFieldOfView()}`);
  element.disableZoom = true;
  document.body.style.height = '5000px';
  await t.act({ type: 'wheel', x, y, deltaY: 300 });
  await t.until(() => scrollY > 0, 'the page scrolls');
  t.close((await settled(t, element)).radius, near.radius, 1e-4);
});

test('element camera: keys rotate it while it has focus, and the side is announced', async (t) => {
  const element = await shown(t, {
    'camera-controls': '',
    'interaction-prompt-threshold': '0',
    a11y: '{"right": "Her left hand is behind her."}',
  });
  const prompt = part(t, element, 'prompt');
  await t.until(() => !prompt.hidden, 'a hand shows that it can be turned');
  element.focus();
  t.equal(element.shadowRoot?.activeElement?.localName, 'canvas');
  for (let i = 0; i < 5; i++) await t.act({ type: 'key', key: 'ArrowRight' });
  await t.until(() => element.getCameraOrbit().theta > 1, 'it turns');
  await settled(t, element);
  t.equal(element.shadowRoot?.querySelector('[role=status]')?.textContent, 'Her left hand is behind her.');
  t.equal(prompt.hidden, true, 'somebody knows');
  await t.act({ type: 'key', key: 'h' });
  t.close((await settled(t, element)).theta, 0, 1e-3);
});

test('auto-rotate: rotates the model, not the camera, and pauses during user input', async (t) => {
  const element = await shown(t, { 'auto-rotate': '', 'auto-rotate-delay': '0', 'rotation-per-second': '90deg' });
  const { theta } = element.getCameraOrbit();
  await t.until(() => element.turntableRotation > 0.2, 'it turns');
  t.equal(element.getCameraOrbit().theta, theta);
  const [, , , w = 0] = element.viewer?.place.rotation ?? [];
  t.close(2 * Math.acos(w), element.turntableRotation, 1e-6);
  element.autoRotate = false;
  const at = element.turntableRotation;
  await t.frames(4);
  t.equal(element.turntableRotation, at);
  element.resetTurntableRotation();
  t.equal(element.turntableRotation, 0);
});

test('positionAndNormalFromPoint: hits the model in its current pose', async (t) => {
  // The square from 0 to 1, seen head-on.
  const element = await shown(t, {
    'camera-orbit': '0deg 90deg 4m',
    'camera-target': '0.5m 0.5m 0m',
    'min-camera-orbit': 'auto 0deg 0m',
    'max-camera-orbit': 'auto 180deg 100m',
  });
  element.jumpCameraToGoal();
  const { x, y } = middle(element);
  const hit = t.some(element.positionAndNormalFromPoint(x, y));
  t.close([hit.position.x, hit.position.y, hit.position.z], [0.5, 0.5, 0], 1e-3);
  t.close([hit.normal.x, hit.normal.y, hit.normal.z], [0, 0, 1], 1e-3);
  t.equal(element.positionAndNormalFromPoint(x + 155, y), null);
  // Half way through its clip the square is half a metre to the right.
  element.currentTime = 1;
  t.equal(element.positionAndNormalFromPoint(x - 20, y), null);
  element.orientation = '0 0 180deg';
  element.currentTime = 0;
  element.cameraTarget = '-0.5m 0.5m 0m';
  element.jumpCameraToGoal();
  const turned = t.some(element.positionAndNormalFromPoint(x, y));
  t.ok(turned.normal.z < -0.99, 'from behind, in the space of the model');
});
