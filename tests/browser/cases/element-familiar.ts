// `<gambol-viewer>`: behaviour on which pages for `<model-viewer>` depend.

import { createViewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../page/api.ts';
import { address, details, heard, made, middle, part, placed, shown } from './support/element.ts';

const DEGREE = Math.PI / 180;
const HEAD_ON = {
  'camera-orbit': '0deg 90deg 4m',
  'camera-target': '0.5m 0.5m 0m',
  'camera-controls': '',
  'interpolation-decay': '0',
};

/** Waits until the camera is at rest. */
async function settled(t: T, element: GambolViewer): Promise<{ theta: number; phi: number; radius: number }> {
  let before = '';
  for (let still = 0; still < 6; ) {
    await t.frames();
    const now = `${element.getCameraOrbit()} ${element.getCameraTarget()} ${element.getFieldOfView()}`;
    still = now === before ? still + 1 : 0;
    before = now;
  }
  return element.getCameraOrbit();
}

test('getters: camera and dimensions have the values that were set, and text for the current ones', async (t) => {
  const element = await shown(t);
  element.fieldOfView = '20deg';
  for (const orbit of ['0.5rad 1.5rad 2.2m', '-2rad 1rad 2.3m']) {
    element.cameraOrbit = orbit;
    element.jumpCameraToGoal();
    t.equal([String(element.getCameraOrbit()), element.getFieldOfView()], [orbit, 20]);
  }
  element.cameraTarget = '0.1m 0.2m 0.3m';
  element.cameraOrbit = '0.7rad 1.1rad 2.4m';
  await settled(t, element);
  t.equal(
    [String(element.getCameraOrbit()), String(element.getCameraTarget())],
    ['0.7rad 1.1rad 2.4m', '0.1m 0.2m 0.3m'],
    'also by a glide',
  );
  const [orbit, target] = [element.getCameraOrbit(), element.getCameraTarget() as { x: number }];
  orbit.theta += 1;
  target.x = 3;
  t.equal([String(orbit), String(target)], ['1.7rad 1.1rad 2.4m', '3m 0.2m 0.3m']);
  t.equal(String(element.getDimensions()), '1m 1m 0m');
  t.equal(String(element.getBoundingBoxCenter()), '0.5m 0.5m 0m');
});

test('camera limits: the limits of the field of view apply from the start', async (t) => {
  const element = placed({
    src: address(),
    'environment-image': 'none',
    'min-field-of-view': '90deg',
    'max-field-of-view': '100deg',
  });
  await t.until(() => element.loaded, 'the model');
  t.close(
    [element.getFieldOfView(), element.getMinimumFieldOfView(), element.getMaximumFieldOfView()],
    [90, 90, 100],
    1e-9,
  );
});

test('camera limits: percentages are of the automatic values', async (t) => {
  const element = await shown(t, { 'camera-orbit': '0deg 100% auto', 'environment-image': 'none' });
  t.close(element.getCameraOrbit().phi, 75 * DEGREE, 1e-9);
  const limits = (): readonly number[] => {
    const { distance = [NaN, NaN], fovY = [NaN, NaN] } = t.some(element.viewer).cameraLimits;
    return [...distance, ...fovY];
  };
  const auto = limits();
  Object.assign(element, {
    minCameraOrbit: 'auto auto 50%',
    maxCameraOrbit: 'auto auto 200%',
    minFieldOfView: '50%',
    maxFieldOfView: '200%',
  });
  t.close(
    limits(),
    auto.map((limit, i) => limit * (i % 2 === 0 ? 0.5 : 2)),
    1e-9,
  );
});

test('camera limits: a camera outside of new limits jumps to them', async (t) => {
  const element = await shown(t, { 'camera-orbit': '0deg 90deg 2.5m' });
  element.maxCameraOrbit = '-2rad 1rad 2m';
  t.equal(String(element.getCameraOrbit()), '-2rad 1rad 2m');
  element.maxCameraOrbit = 'auto';
  element.minCameraOrbit = '2rad 2rad 3m';
  t.equal(String(element.getCameraOrbit()), '2rad 2rad 3m');
  element.minFieldOfView = '60deg';
  t.equal(element.getFieldOfView(), 60);
});

test('camera speed: a drag over a third of the height rotates by 120°, and a wheel notch scales the distance by 0.93', async (t) => {
  const element = await shown(t, { ...HEAD_ON, 'camera-orbit': '0deg 90deg auto', 'camera-target': 'auto auto auto' });
  const { x, y } = middle(element);
  await t.act({ type: 'move', x: x + 40, y }, { type: 'down' }, { type: 'move', x: x - 40, y }, { type: 'up' });
  await t.until(() => element.getCameraOrbit().theta !== 0, 'it turns');
  t.close((await settled(t, element)).theta, 120 * DEGREE, 1e-6);
  const before = element.getCameraOrbit().radius;
  await t.act({ type: 'wheel', x, y, deltaY: -100 });
  await t.until(() => element.getCameraOrbit().radius < before, 'it comes nearer');
  const ratio = (await settled(t, element)).radius / before;
  t.ok(ratio > 0.91 && ratio < 0.95, String(ratio));
  t.close(element.getFieldOfView(), 30 * Math.exp((-100 * 0.04) / 30), 1e-6);
  await t.act({ type: 'wheel', x, y, deltaY: 100 });
  await t.until(() => element.getFieldOfView() > 29.9, 'back');
  t.close((await settled(t, element)).radius, before, 1e-6, 'the same way back');
});

test('zoom: keeps the point under the pointer, ends with the whole model in view, and keeps the target with disable-pan', async (t) => {
  const element = await shown(t, HEAD_ON);
  const { x, y } = middle(element);
  const home = String(element.getCameraTarget());
  const under = (): number[] => {
    const { position } = t.some(element.positionAndNormalFromPoint(x + 20, y - 15));
    return [position.x, position.y, position.z];
  };
  const point = under();
  for (let i = 0; i < 4; i++) {
    await t.act({ type: 'wheel', x: x + 20, y: y - 15, deltaY: -120 });
    await t.frames(3);
  }
  await settled(t, element);
  t.ok(element.getFieldOfView() < 24 && element.getCameraOrbit().radius < 4, 'closer');
  t.close(under(), point, 2e-3);
  for (let i = 0; i < 8; i++) await t.act({ type: 'wheel', x: x - 60, y: y + 50, deltaY: 240 });
  await t.until(() => element.getFieldOfView() > 29.999, 'out');
  await settled(t, element);
  t.equal(String(element.getCameraTarget()), home);
  element.disablePan = true;
  await t.act({ type: 'wheel', x: x + 20, y: y - 15, deltaY: -120 });
  await t.until(() => element.getFieldOfView() < 29, 'closer');
  await settled(t, element);
  t.equal(String(element.getCameraTarget()), home);
});

test(
  'zoom: never enters the mesh, for any limits and any input',
  async (t) => {
    const element = await shown(t, {
      ...HEAD_ON,
      'camera-target': '0.5m 0.5m -1m',
      'min-camera-orbit': 'auto auto 0%',
      'max-field-of-view': '30deg',
      'min-field-of-view': '30deg',
    });
    const { x, y } = middle(element);
    const isBefore = (): boolean => {
      const { radius } = element.getCameraOrbit();
      return element.getCameraTarget().z + radius > 0;
    };
    for (const pan of [true, false]) {
      element.cameraTarget = '0.5m 0.5m -1m';
      element.jumpCameraToGoal();
      element.disablePan = !pan;
      element.focus();
      for (let i = 0; i < 30; i++) {
        await t.act({ type: 'wheel', x, y, deltaY: -240 });
        if (i % 3 === 0) await t.act({ type: 'key', key: '+' });
      }
      await settled(t, element);
      t.ok(isBefore(), `${element.getCameraOrbit()} ${element.getCameraTarget()}`);
      t.ok(element.getCameraTarget().z + element.getCameraOrbit().radius < 1, 'near');
    }
  },
  { all: true },
);

test('camera keys: Shift and an arrow pan in the direction of the arrow', async (t) => {
  const element = await shown(t, HEAD_ON);
  const press = (key: string): unknown =>
    part(t, element, 'canvas').dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true }));
  press('ArrowLeft');
  await t.until(() => element.getCameraTarget().x > 0.5, 'the model goes to the left');
  press('ArrowUp');
  await t.until(() => element.getCameraTarget().y < 0.5, 'the model goes up');
});

const there = (
  value: number,
  aside: number,
): { initialValue: number; keyframes: { frames: number; value: number }[] } => ({
  initialValue: value,
  keyframes: [
    { frames: 1, value: aside },
    { frames: 1, value },
  ],
});

test('interact: moves the camera like fingers, sends events, and ends on other camera input', async (t) => {
  const dot = Object.assign(document.createElement('b'), { slot: 'finger0', textContent: '●' });
  const element = await shown(t, HEAD_ON, dot);
  await t.throws(() => element.interact(-1, { x: there(0.5, 0.6), y: there(0.5, 0.5) }), 'argument/invalid');
  await t.throws(() => element.interact(10, { x: there(NaN, 0.6), y: there(0.5, 0.5) }), 'argument/invalid');
  const before = element.getCameraOrbit();
  const sources = details<{ source: string }>(element, 'camera-change');
  const stopped = details<{ source: string }>(element, 'interact-stopped');
  const finger = { x: there(0.5, 0.75), y: there(0.5, 0.5) };
  element.interact(300, finger);
  let widest = 0;
  while (stopped.length === 0) {
    widest = Math.max(widest, Math.abs(element.getCameraOrbit().theta));
    await t.frames();
  }
  t.ok(widest > 0.3, `it turned by ${widest}`);
  const { theta, phi, radius } = await settled(t, element);
  t.close([theta, phi, radius], [before.theta, before.phi, before.radius], 1e-6, 'and back');
  t.equal([stopped[0]?.source, [...new Set(sources.map(({ source }) => source))]], ['automatic', ['automatic']]);

  element.interact(5000, finger, { x: there(0.4, 0.2), y: there(0.5, 0.5) });
  await t.frames(2);
  element.cameraOrbit = '10deg 90deg 4m';
  t.equal(stopped[1]?.source, 'none');
  element.interact(5000, finger);
  await t.frames(2);
  await t.act({ type: 'wheel', ...middle(element), deltaY: 10 });
  await t.until(() => stopped.length === 3, 'a hand');
  t.equal(stopped[2]?.source, 'user-interaction');
  element.interact(5000, finger);
  element.remove();
  t.equal(stopped.at(-1)?.source, 'automatic', 'taken from the page');
});

test('environment-change: is sent once for the default environment', async (t) => {
  const element = made({ src: address() });
  const changes = heard(element, 'environment-change');
  document.body.append(element);
  await t.until(() => element.modelIsVisible, 'the model');
  await t.frames(3);
  t.equal(changes.length, 1);
});

test('generate-schema: describes the model for search engines', (t) => {
  const element = placed({
    src: '/models/pip.gltf?v=1',
    alt: 'Pip "waves" </script>',
    loading: 'lazy',
    reveal: 'manual',
  });
  const schema = (): HTMLScriptElement | null => document.head.querySelector('script[type="application/ld+json"]');
  t.equal(schema(), null);
  element.generateSchema = true;
  t.equal(JSON.parse(t.some(schema()).textContent ?? ''), {
    '@context': 'https://schema.org/',
    '@type': '3DModel',
    name: 'Pip "waves" </script>',
    encoding: [{ '@type': 'MediaObject', contentUrl: '/models/pip.gltf?v=1', encodingFormat: 'model/gltf+json' }],
  });
  element.poster = '/pip.webp';
  element.src = '/models/pip.glb';
  const changed = JSON.parse(t.some(schema()).textContent ?? '') as {
    image: string;
    encoding: { encodingFormat: string }[];
  };
  t.equal([changed.image, changed.encoding[0]?.encodingFormat], ['/pip.webp', 'model/gltf-binary']);
  element.generateSchema = false;
  t.equal(schema(), null);
});

test('accessible name: includes the prompt, and the side of the view is announced', async (t) => {
  const element = await shown(t, { ...HEAD_ON, alt: 'A square.' });
  const name = (): string | null | undefined => part(t, element, 'canvas').getAttribute('aria-label');
  t.equal(name(), 'A square. Use mouse, touch or arrow keys to move.');
  element.a11y = JSON.stringify({ 'interaction-prompt': 'Turn it.' });
  t.equal(name(), 'A square. Turn it.');
  element.focus();
  const said = (): string | null | undefined => element.shadowRoot?.querySelector('[role=status]')?.textContent;
  for (const [orbit, words] of [
    ['-90deg 90deg 4m', 'left'],
    ['90deg 90deg 4m', 'right'],
    ['-180deg 90deg 4m', 'back'],
    ['0deg 10deg 4m', 'upper-front'],
  ] as const) {
    element.cameraOrbit = orbit;
    element.jumpCameraToGoal();
    t.equal(said(), `View from stage ${words}`);
  }
});

test('progress: the part default-progress-bar grows', async (t) => {
  const element = await shown(t);
  t.ok(/^[\d.]+ 1$/.test(part(t, element, 'default-progress-bar').style.scale));
});

test('interaction prompt: is shown again after a reset, also while the camera moves', async (t) => {
  const element = await shown(t, { ...HEAD_ON, 'interaction-prompt-threshold': '0', 'interpolation-decay': '200' });
  const prompt = part(t, element, 'prompt');
  await t.until(() => !prompt.hidden, 'the prompt');
  const { x, y } = middle(element);
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x + 40, y }, { type: 'up' });
  await t.until(() => prompt.hidden, 'somebody has turned it');
  element.resetInteractionPrompt();
  await t.until(() => !prompt.hidden, 'the prompt again');
  await settled(t, element);
  t.equal(prompt.hidden, false);
});

test('hotspots: can be queried at once after the first, and have an opacity property each', async (t) => {
  const element = await shown(t, HEAD_ON);
  element.append(Object.assign(document.createElement('i'), { slot: 'hotspot-first' }));
  await t.until(() => element.queryHotspot('hotspot-first'), 'their script');
  const hotspot = (slot: string, normal: string): HTMLElement => {
    const made = Object.assign(document.createElement('button'), { slot, textContent: slot });
    Object.assign(made.dataset, { position: '1m 1m 0m', normal });
    made.style.cssText = '--min-hotspot-opacity: 0.5; transition: none';
    return made;
  };
  const away = hotspot('hotspot-away', '0 0 -1');
  element.append(away, hotspot('hotspot-near', '0 0 1'));
  const { position, normal, canvasPosition, facingCamera } = t.some(element.queryHotspot('hotspot-near'));
  t.equal([String(position), String(normal), facingCamera], ['1m 1m 0m', '0m 0m 1m', true]);
  t.close(canvasPosition.z, 4, 1e-5);
  t.equal(element.queryHotspot('hotspot-away')?.facingCamera, false);
  await t.frames(2);
  t.equal(getComputedStyle(away).opacity, '0.5');
  away.focus();
  // A window that is not active has no focused element; another session's window may be the active one.
  if (document.hasFocus()) t.equal(getComputedStyle(away).opacity, '1', 'with focus it is seen');
  element.updateHotspot({ name: 'hotspot-away', position: '0 1m 2m' });
  t.equal(String(element.queryHotspot('hotspot-away')?.position), '0m 1m 2m');
});

test('hotspots: are occluded by the model in its current pose', async (t) => {
  const hotspot = Object.assign(document.createElement('button'), { slot: 'hotspot-a', textContent: 'a' });
  hotspot.dataset['position'] = '0.2m 0.5m -0.5m';
  const element = await shown(t, HEAD_ON, hotspot);
  const changes = details<{ visible: boolean }>(hotspot, 'hotspot-visibility');
  await t.until(() => element.queryHotspot('hotspot-a')?.facingCamera === false, 'behind the square');
  element.currentTime = 1;
  await t.until(() => element.queryHotspot('hotspot-a')?.facingCamera === true, 'the square has slid away');
  await t.until(() => changes.at(-1)?.visible === true, 'the event');
});

test('animation-name: digits that are not a name are the index of a clip', async (t) => {
  const element = await shown(t);
  const { clips = [] } = element.viewer ?? {};
  element.animationName = '1';
  t.equal(element.viewer?.clip, clips[1]);
});

test('poster: is a button with reveal="manual", and the focus moves to the canvas', async (t) => {
  const element = placed({
    src: address(),
    reveal: 'manual',
    loading: 'eager',
    alt: 'A square',
    'environment-image': 'none',
    'camera-controls': '',
  });
  await t.until(() => element.loaded, 'the model');
  const poster = part(t, element, 'poster');
  t.equal([poster.getAttribute('role'), poster.getAttribute('aria-label')], ['button', 'A square']);
  poster.focus();
  t.equal(element.shadowRoot?.activeElement, poster);
  await t.act({ type: 'key', key: 'Enter' });
  await t.until(() => element.modelIsVisible, 'the model is seen');
  t.equal([element.shadowRoot?.activeElement?.localName, poster.getAttribute('role')], ['canvas', null]);
});

test('model-visibility: an element that only touches the viewport is not visible', async (t) => {
  document.body.style.margin = '0';
  const element = await shown(t);
  element.style.height = '100vh';
  document.body.append(Object.assign(document.createElement('div'), { style: 'height: 3000px' }));
  scrollTo(0, innerHeight);
  await t.until(() => !element.modelIsVisible, 'right above the viewport');
});

test('background: accepts any CSS colour and can be read back', async (t) => {
  const canvas = t.canvas(32, 32);
  const viewer = await createViewer(canvas, { background: '#ff8000' });
  const close = (wanted: readonly number[]): void => t.close(viewer.background ?? [], wanted, 1e-6);
  close([1, 128 / 255, 0, 1]);
  await t.throws(() => (viewer.background = 'no colour'), 'argument/invalid');
  await t.throws(() => (viewer.background = [0, 0, 2, 1]), 'argument/invalid');
  viewer.background = 'rgb(0 0 255 / 50%)';
  t.close(viewer.background ?? [], [0, 0, 1, 0.5], 3e-3);
  viewer.background = 'transparent';
  close([0, 0, 0, 0]);
  viewer.background = [0, 1, 0, 1];
  close([0, 1, 0, 1]);
  await viewer.load(address());
  const { data } = t.pixels(await createImageBitmap(await viewer.toBlob()));
  t.equal([...data.subarray(0, 4)], [0, 255, 0, 255]);
  viewer.background = null;
  t.equal([viewer.background, viewer.maxFps], [null, Infinity]);
  viewer.maxFps = 30;
  t.equal(viewer.maxFps, 30);
  viewer.dispose();
});
