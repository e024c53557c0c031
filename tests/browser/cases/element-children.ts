// Children of `<gambol-viewer>` without a script: layers, markers, attachments, hotspots.

import { test, type T } from '../page/api.ts';
import type { GambolViewer } from 'gambol/element';
import { address, details, heard, placed, shown } from './support/element.ts';

function child(name: string, attributes: Readonly<Record<string, string>>): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** The centre of a slotted element, in CSS pixels of the viewer. */
function at(element: GambolViewer, spot: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  const { left, top, width, height } = spot.getBoundingClientRect();
  return { x: left + width / 2 - box.left, y: top + height / 2 - box.top };
}

async function sample(t: T, ...children: Node[]): Promise<GambolViewer> {
  const element = placed({ src: '/sample.glb', 'environment-image': 'none', 'animation-name': 'Idle' }, ...children);
  await t.until(() => element.modelIsVisible, 'the sample character');
  return element;
}

test('element children: layers and markers', async (t) => {
  const wave = child('gambol-layer', { animation: 'Wave', mask: 'ShoulderR/**', weight: '0.5', fade: '0' });
  const element = await sample(
    t,
    wave,
    child('gambol-marker', { animation: 'Idle', time: '0.05', name: 'begin' }),
    child('gambol-layer', { animation: 'Nothing' }),
  );
  const { viewer } = element;
  const names = (): string[] => [...(viewer?.layers ?? [])].map(({ name, weight }) => `${name} ${weight}`);
  t.equal(names(), ['Wave 0.5']);
  const markers = details<{ name: string; animation: string }>(element, 'marker');
  void element.play();
  await t.until(() => markers.length > 0, 'the marker');
  t.equal([markers[0]?.name, markers[0]?.animation], ['begin', 'Idle']);
  wave.setAttribute('weight', '1');
  await t.until(() => names()[0] === 'Wave 1', 'the weight');
  wave.setAttribute('mode', 'additive');
  await t.until(() => [...(viewer?.layers ?? [])][0]?.mode === 'additive', 'another mode');
  wave.remove();
  await t.until(() => names().length === 0, 'none');
  // All clips together, and layers that scripts append.
  element.animationName = '*';
  t.equal(viewer?.layers.size, element.availableAnimations.length - 1);
  element.pause();
  t.ok(
    [...(viewer?.layers ?? [])].every(({ paused }) => paused),
    'all pause',
  );
  element.animationName = 'Idle';
  element.appendAnimation('Wave', { weight: 0.3, time: 0.5 });
  t.equal([element.appendedAnimations, viewer?.layers.get('Wave')?.currentTime], [['Wave'], 0.5]);
  element.detachAnimation('Wave', { fade: false });
  t.equal(element.appendedAnimations, []);
});

test('element children: labels and attachments follow a joint, change and are removed', async (t) => {
  const held = child('gambol-attach', { joint: 'HandR', src: address(), offset: '0 0.1 0' });
  const missing = child('gambol-attach', { joint: 'Tail7', src: address() });
  const warnings: Record<string, unknown>[] = [];
  document.addEventListener('warning', (event) => warnings.push((event as CustomEvent).detail), true);
  const label = child('button', { slot: 'hotspot-hand', 'data-joint': 'hand_r', 'data-offset': '0 10cm 0' });
  const nobody = child('button', { slot: 'hotspot-nobody', 'data-joint': 'Tail7' });
  const element = await sample(t, held, missing, label, nobody);
  const { x, y } = t.some(element.viewer?.project([0, 0.1, 0], 'HandR'));
  t.close([at(element, label).x, at(element, label).y], [x, y], 0.6, 'a label stands at the joint');
  t.equal(getComputedStyle(nobody).visibility, 'hidden', 'a label of a joint that is not there is not shown');
  const actors = (): number => element.viewer?.stats.actors ?? 0;
  await t.until(() => actors() === 2, 'it is there');
  await t.until(
    () => warnings.some(({ code }) => code === 'joint/not-found'),
    'a warning for a joint that is not there',
  );
  held.setAttribute('offset', '0 0.2 0');
  await t.frames(2);
  await t.until(() => actors() === 2, 'moved');
  held.remove();
  await t.until(() => actors() === 1, 'gone');
});

test('hotspots: follow the model, and report when it occludes them', async (t) => {
  const front = child('button', {
    slot: 'hotspot-front',
    'data-position': '0.5 0.5 0',
    'data-normal': '0 0 1',
    'data-visibility-attribute': 'visible',
  });
  const changes = details<{ visible: boolean }>(front, 'hotspot-visibility');
  const element = await shown(
    t,
    { 'camera-orbit': '0deg 90deg 4m', 'camera-target': '0.5m 0.5m 0m', 'animation-crossfade-duration': '0' },
    front,
  );
  t.close([at(element, front).x, at(element, front).y], [160, 120], 0.6, 'in the middle');
  t.equal([front.hasAttribute('data-visible'), changes[0]?.visible], [true, true]);
  const spot = t.some(element.queryHotspot('hotspot-front'));
  const { canvasPosition: seen, position: at3 } = spot;
  t.close([seen.x, seen.y, seen.z, at3.x, at3.y, at3.z], [160, 120, 4, 0.5, 0.5, 0], 0.6);
  t.equal([String(at3), String(spot.normal)], ['0.5m 0.5m 0m', '0m 0m 1m']);

  element.cameraOrbit = '180deg 90deg 4m';
  element.jumpCameraToGoal();
  await t.until(() => changes.length === 2, 'from behind');
  t.equal(
    [front.hasAttribute('data-visible'), changes[1]?.visible, element.queryHotspot('hotspot-front')?.facingCamera],
    [false, false, false],
  );

  element.updateHotspot({ name: 'hotspot-front', position: '0 0 0', normal: '0 0 -1' });
  await t.until(() => changes.length === 3, 'turned to the camera');
  front.slot = '';
  await t.until(() => element.queryHotspot('hotspot-front') === null, 'none any more');
});

test('hotspots: data-surface stays on a moving surface', async (t) => {
  // The expected position: barycentric weights of a quarter for each lower corner, a half for the upper one.
  const label = child('button', { slot: 'hotspot-a', 'data-surface': '0 0 0 1 2 0.25 0.25 0.5' });
  const nowhere = child('button', { slot: 'hotspot-b', 'data-surface': '9 0 0 1 2 0.25 0.25 0.5' });
  const element = await shown(
    t,
    { 'camera-orbit': '0deg 90deg 4m', 'min-camera-orbit': 'auto 0deg 0m' },
    label,
    nowhere,
  );
  element.jumpCameraToGoal();
  await t.frames(2);
  const at = (): [readonly number[], boolean] => {
    const { position, facingCamera } = t.some(element.queryHotspot('hotspot-a'));
    return [[position.x, position.y, position.z], facingCamera];
  };
  const [start, facing] = at();
  t.close(start, [0.75, 0.5, 0], 1e-5);
  t.equal([facing, element.queryHotspot('hotspot-b'), getComputedStyle(nowhere).visibility], [true, null, 'hidden']);
  element.currentTime = 1;
  element.orientation = '0 0 180deg';
  await t.frames(2);
  const [slid, away] = at();
  t.close(slid, [1.25, 0.5, 0], 1e-5, 'in the space of the model, half a clip later');
  t.equal(away, false, 'seen from behind');
  element.updateHotspot({ name: 'hotspot-a', surface: '0 0 99 1 2 1 0 0' });
  await t.until(() => element.queryHotspot('hotspot-a') === null, 'no such vertex');
});

test('hotspots: a clicked surface point is found in another pose', async (t) => {
  const element = await sample(t);
  element.style.cssText = 'width: 500px; height: 400px';
  await t.frames(3);
  const viewer = t.some(element.viewer);
  const { x, y } = element.getBoundingClientRect();
  let found = 0;
  for (let i = 1; i < 20; i++) {
    const [px, py] = [100 + 15 * i, 60 + ((i * 83) % 280)];
    element.currentTime = 0;
    const words = element.surfaceFromPoint(x + px, y + py);
    const hit = viewer.pick(px, py);
    t.equal(words === null, hit === null);
    if (!hit?.surface || words === null) continue;
    t.equal(words.split(' ').slice(0, 5), hit.surface.slice(0, 5).map(String));
    t.close(t.some(viewer.surface(hit.surface)).position, hit.position, 1e-4, 'where it was clicked on');
    element.currentTime = 1.3;
    const then = t.some(viewer.surface(hit.surface));
    const seen = t.some(viewer.project(then.position));
    const again = viewer.pick(seen.x, seen.y);
    // Skips hits that another surface now covers.
    if (String(again?.surface?.slice(0, 5)) !== String(hit.surface.slice(0, 5))) continue;
    found += 1;
    t.close(t.some(again).position, then.position, 1e-3, 'where it is seen');
    t.close(t.some(again).normal.map(Math.abs), then.normal.map(Math.abs), 1e-3);
  }
  t.ok(found >= 3, `${found} places`);
});

test('appendAnimation: plays on a paused element, then pauses and plays with it', async (t) => {
  const element = await shown(t, { 'animation-name': 'Slide' });
  const viewer = t.some(element.viewer);
  viewer.timeline = 'manual';
  const events = heard(element, 'play', 'pause');
  t.equal([element.paused, element.currentTime], [true, 0]);
  element.appendAnimation('Slide~2', { weight: 0.5 });
  const layer = t.some(viewer.layers.get('Slide~2'));
  t.equal([element.paused, layer.paused, events], [false, false, ['play']]);
  viewer.advance(0.25);
  t.equal([element.currentTime, layer.currentTime], [0.25, 0.25]);
  element.pause();
  viewer.advance(0.25);
  t.equal([element.paused, layer.paused, element.currentTime, layer.currentTime], [true, true, 0.25, 0.25]);
  void element.play();
  viewer.advance(0.25);
  t.equal([element.currentTime, layer.currentTime], [0.5, 0.5]);
  // A layer does not restart a finished clip.
  void element.play({ repetitions: 1 });
  viewer.advance(5);
  t.equal(element.ended, true);
  element.appendAnimation('Short');
  t.equal([element.ended, element.currentTime], [true, 2]);
  t.equal(events, ['play', 'pause', 'play', 'pause'].slice(0, events.length), 'no others');

  const still = await shown(t, { src: address({ clips: [] }) });
  const appended = heard(still, 'append-animation');
  still.appendAnimation('Slide');
  t.equal([still.appendedAnimations, appended], [[], []], 'a model without clips has none to append');
});

test('appendAnimation: all clips and appended ones are averaged by weight', async (t) => {
  const element = await shown(t, { 'animation-name': '*', autoplay: '' });
  const viewer = t.some(element.viewer);
  viewer.timeline = 'manual';
  element.currentTime = 0;
  viewer.advance(0.1);
  // The square moves from 0 to 1 in 2, 0.15 and 1 seconds.
  const [slide, short, other] = [0.1 / 2, 0.1 / 0.15, 0.1];
  const x = (): number => viewer.joint(0).world[12] ?? NaN;
  t.close(x(), (slide + short + other) / 3, 1e-5, 'each counts a third');
  const layers = [...viewer.layers];
  t.equal(
    layers.map(({ mode, weight }) => [mode, weight]),
    [
      ['average', 1],
      ['average', 1],
    ],
  );
  t.some(layers[0]).weight = 3;
  t.some(layers[1]).weight = 0.5;
  t.close(x(), (slide + 3 * short + 0.5 * other) / 4.5, 1e-5);

  element.animationName = 'Slide';
  viewer.transition = 'cut';
  void element.play();
  element.currentTime = 0.5;
  element.appendAnimation('Slide~2', { weight: 0.25 });
  t.some(viewer.layers.get('Slide~2')).currentTime = 0.9;
  t.close(x(), (0.25 + 0.25 * 0.9) / 1.25, 1e-5, 'beside the 1 of what plays');
  t.some(viewer.layers.get('Slide~2')).weight = 0;
  t.close(x(), 0.25, 1e-5);
  await t.throws(() => element.appendAnimation('Short', { weight: -1 }), 'argument/invalid');
  t.equal(element.appendedAnimations, ['Slide~2'], 'nothing has happened');
});

test('animationName: is the current clip, also if a script has set it', async (t) => {
  const element = await shown(t);
  const viewer = t.some(element.viewer);
  t.equal(element.animationName, 'Slide', 'the first, of which nothing was said');
  viewer.play('Short');
  t.equal([element.animationName, element.getAttribute('animation-name')], ['Short', null]);
  viewer.play('Slide');
  t.equal(element.animationName, 'Slide');
  viewer.play(2);
  t.equal(element.animationName, 'Slide~2', 'its id');
  element.animationName = 'Short';
  t.equal([element.animationName, viewer.clip?.id], ['Short', 'Short']);
  viewer.transitionTo('Slide~2');
  t.equal([element.animationName, element.getAttribute('animation-name')], ['Slide~2', 'Short']);
  element.animationName = 'Short';
  t.equal([element.animationName, viewer.clip?.id], ['Short', 'Short'], 'the same words again choose it again');
  element.animationName = '*';
  t.equal(element.animationName, '*');
  element.animationName = null;
  t.equal([element.animationName, viewer.clip?.id], ['Slide', 'Slide'], 'the first of all');
});

test('appendAnimation: warp changes the speed evenly, from 0 or from the current speed', async (t) => {
  const element = await shown(t, { autoplay: '' });
  const viewer = t.some(element.viewer);
  const rate = (): number => viewer.layers.get('Short')?.playbackRate ?? NaN;
  const reaches = (goal: number): Promise<void> => t.until(() => rate() === goal, `speed ${goal}`);
  for (const warp of [NaN, -1, 0, false]) {
    element.appendAnimation('Short', { warp, timeScale: 3 });
    t.equal(rate(), 3, `no warp: ${warp}`);
  }
  const rates: number[] = [];
  viewer.addEventListener('frame', () => rates.push(rate()));
  element.appendAnimation('Short', { warp: 1, relativeWarp: false, timeScale: 2 });
  t.ok(rate() < 0.5, 'from a standstill');
  await reaches(2);
  t.ok(
    rates.some((value) => value > 0 && value < 2) && rates.every((value, i) => i === 0 || value >= (rates[i - 1] ?? 0)),
    String(rates),
  );
  element.appendAnimation('Short', { warp: 0.2, timeScale: -1 });
  t.ok(rate() > 1, 'from the speed that it had');
  await reaches(-1);
  element.appendAnimation('Short', { warp: true });
  t.ok(rate() < 0, 'slowly');
  element.detachAnimation('Short', { fade: false });
  await t.frames(5);
  t.equal(element.appendedAnimations, []);
});
