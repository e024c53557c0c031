// Inverse kinematics and look-at, by scripts and by children; root motion; the ground; frame rates.

import { createViewer, loadAsset, type Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../page/api.ts';
import { details, middle, placed, shown } from './support/element.ts';
import { model } from './support/model.ts';
import { picture } from './support/watch.ts';

type Vector = readonly [number, number, number];

const at = (world: Float32Array): Vector => [world[12] ?? 0, world[13] ?? 0, world[14] ?? 0];
const away = (a: Vector, b: Vector): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const unit = (v: Vector): Vector => {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
};

/** A position that the right hand can reach: in front of the body. */
function within(viewer: Viewer): Vector {
  const [shoulder, elbow, hand] = ['UpperArmR', 'LowerArmR', 'HandR'].map((name) =>
    at(viewer.joint(name).world),
  ) as unknown as readonly [Vector, Vector, Vector];
  const reach = away(shoulder, elbow) + away(elbow, hand);
  return [shoulder[0], shoulder[1] - 0.6 * reach, shoulder[2] + 0.4 * reach];
}

async function character(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(160, 120));
  await viewer.load('/sample.glb');
  return viewer;
}

test('look-at and IK: invalid arguments change nothing', async (t) => {
  const viewer = await character(t);
  const hash = viewer.poseHash();
  const hand = viewer.joint('HandR');
  await t.throws(() => hand.ik([0, NaN, 0]), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { weight: 2 }), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { space: 'here' as 'world' }), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { pole: [0, 1] as unknown as Vector }), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { middle: 'HandL' }), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { middle: 'UpperArmR', root: 'LowerArmR' }), 'argument/invalid');
  await t.throws(() => hand.ik([0, 1, 0], { middle: 'Nobody' }), 'joint/not-found');
  await t.throws(
    () => viewer.joint(t.some(viewer.joints.find(({ parent }) => parent === null)).index).ik([0, 1, 0]),
    'argument/invalid',
  );
  await t.throws(() => hand.lookAt([0, 1] as unknown as Vector), 'argument/invalid');
  await t.throws(() => hand.lookAt([0, 1, 0], { limit: NaN }), 'argument/invalid');
  await t.throws(() => hand.lookAt([0, 1, 0], { axis: [0, 0, NaN] }), 'argument/invalid');
  await t.throws(() => viewer.setRootMotion('walk' as 'keep'), 'argument/invalid');
  for (const fps of [0, 14, NaN, -1]) await t.throws(() => (viewer.maxFps = fps), 'argument/invalid');
  await t.throws(() => viewer.seekFrame(NaN), 'argument/invalid');
  t.equal(viewer.poseHash(), hash);
  viewer.dispose();
});

test('look-at and IK: a hand reaches a point, a head looks at it, and both end', async (t) => {
  const viewer = await character(t);
  const hash = viewer.poseHash();
  const [hand, arm, head] = [viewer.joint('HandR'), viewer.joint('UpperArmR'), viewer.joint('Head')];
  const shoulder = at(arm.world);
  const reach =
    away(shoulder, at(viewer.joint('LowerArmR').world)) + away(at(viewer.joint('LowerArmR').world), at(hand.world));
  const near = within(viewer);
  hand.ik(near, { pole: [0, 0, -1] });
  t.close(at(hand.world), near, 1e-5, 'in reach');
  t.close(at(arm.world), shoulder, 1e-6);
  t.ok(at(viewer.joint('LowerArmR').world)[2] < (shoulder[2] + near[2]) / 2, 'the elbow points back');
  hand.ik([shoulder[0], shoulder[1], shoulder[2] + 9]);
  t.close(at(hand.world), [shoulder[0], shoulder[1], shoulder[2] + reach], 1e-5, 'too far');
  // The model's place does not affect goals in its own space.
  viewer.place = { position: [3, 1, -2], rotation: [0, 1, 0, 0], scale: 2 };
  hand.ik(near, { space: 'model', pole: [0, 0, -1] });
  t.close(at(hand.world), [3 - 2 * near[0], 1 + 2 * near[1], -2 - 2 * near[2]], 1e-5);
  viewer.place = {};
  viewer.play();
  const target: Vector = [2, 1, 4];
  head.lookAt(target);
  for (let i = 0; i < 5; i++) {
    await t.frames(2);
    const { world } = head;
    const [from, way] = [
      at(world),
      (v: Vector): Vector => [v[0] - at(world)[0], v[1] - at(world)[1], v[2] - at(world)[2]],
    ];
    // In the sample's rest pose the joints face +Z along their own Z axes.
    t.close(
      unit([world[8] ?? 0, world[9] ?? 0, world[10] ?? 0]),
      unit(way(target)),
      1e-4,
      `while it plays, from ${from.join()}`,
    );
  }
  viewer.stop();
  hand.ik(null);
  head.lookAt(null);
  t.equal(viewer.poseHash(), hash, 'nothing is left');
  viewer.dispose();
});

test('root motion: in-place and accumulate', async (t) => {
  const viewer = await createViewer(t.canvas(160, 120));
  // Moves from x = 0 to 1 in two seconds.
  await viewer.load(model({ clips: [['Slide', 2]], node: 'Square' }).glb);
  const x = (): number => viewer.joint('Square').world[12] ?? NaN;
  viewer.timeline = 'manual';
  viewer.play();
  const places = (): number[] =>
    [0, 0.5, 1, 1].map((seconds) => {
      viewer.advance(seconds);
      return x();
    });
  t.close(places(), [0, 0.25, 0.75, 0.25], 1e-5, 'kept: it begins anew');
  viewer.stop();
  viewer.setRootMotion('in-place');
  viewer.play();
  t.close(places(), [0, 0, 0, 0], 1e-5);
  viewer.stop();
  viewer.setRootMotion('accumulate');
  viewer.place = { position: [0, 0, 0] };
  viewer.play();
  t.close(places(), [0, 0.25, 0.75, 1.25], 1e-5);
  t.equal(viewer.rootMotion, 'accumulate');
  t.close(
    [...viewer.rootMotionDelta, ...t.some(viewer.place.position)],
    [1.25, 0, 0, 1.25, 0, 0],
    1e-5,
    'the way is in the place',
  );
  viewer.setRootMotion('keep');
  t.close([x()], [0.25], 1e-5);
  t.equal([viewer.rootMotion, viewer.rootMotionDelta, viewer.place], ['keep', [0, 0, 0], { position: [0, 0, 0] }]);
  await viewer.seekFrame(0);
  t.equal(viewer.currentTime, 0);
  const { fps } = t.some(viewer.clip);
  await viewer.seekFrame(5);
  t.close([viewer.currentTime], [5 / fps], 1e-9);
  viewer.dispose();
});

for (const renderer of ['own', 'worker'] as const) {
  test(`root motion: the place includes the accumulated movement, ${renderer}`, async (t) => {
    const viewer = await createViewer(t.canvas(160, 120), { renderer });
    viewer.timeline = 'manual';
    t.equal([viewer.rootMotion, viewer.rootMotionDelta], ['keep', [0, 0, 0]], 'without a model');
    await viewer.load(model({ clips: [['Slide', 2]], node: 'Square' }).glb);
    const origin = (): number[] => [...viewer.joint('Square').world.subarray(12, 15)];
    // A quarter turn about Y takes the model's X to the world's −Z; the scale is two.
    const put = { position: [1, 2, 3], rotation: [0, 1, 0, 1], scale: 2 } as const;
    viewer.setRootMotion('accumulate');
    viewer.place = put;
    viewer.play();
    viewer.advance(3);
    t.close(viewer.rootMotionDelta, [1.5, 0, 0], 1e-5);
    t.close(t.some(viewer.place.position), [1, 2, 0], 1e-5);
    t.close(origin(), [1, 2, 0], 1e-5, 'it stands there');
    t.equal([viewer.place.rotation, viewer.place.scale], [put.rotation, put.scale]);
    // Setting the value that was read has no effect.
    viewer.place = viewer.place;
    t.close(origin(), [1, 2, 0], 1e-5);
    t.equal(viewer.rootMotionDelta, [0, 0, 0], 'the way begins there');
    viewer.advance(1);
    t.close([...origin(), ...viewer.rootMotionDelta], [1, 2, -1, 0.5, 0, 0], 1e-5);
    viewer.advance(1);
    viewer.place = put;
    t.close(origin(), [1, 2, 3], 1e-5, 'the way before the call counts for nothing, also where no frame has shown it');
    // The root motion of an actor that follows a joint is relative to the joint.
    const second = await viewer.add(t.some(viewer.model), { position: [0, 1, 0], attachTo: { joint: 'Square' } });
    second.setRootMotion('accumulate');
    second.play();
    viewer.pause();
    viewer.advance(1);
    t.close(t.some(second.place.position), [0.5, 1, 0], 1e-5);
    await viewer.load(model({ clips: [['Slide', 2]], node: 'Square' }).glb);
    t.equal([viewer.rootMotion, viewer.place], ['keep', put], 'another model begins where the place was set');
  });
}

test('maxFps: limits the frame rate, not the time', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(model({ clips: [['Slide', 60]] }).glb);
  viewer.maxFps = 20;
  const seen: number[] = [];
  viewer.addEventListener('frame', () => seen.push(performance.now()));
  viewer.play();
  await t.until(() => seen.length > 8, 'frames');
  // Late frames may be followed by early ones, but never by more than one in 50 ms.
  const [first = 0, last = 0] = [seen[2], seen.at(-1)];
  t.ok(last - first >= (seen.length - 4) * 50 - 40, `${seen.length - 3} frames in ${last - first} ms`);
  viewer.dispose();
});

test('sampleMany: samples many poses', async (t) => {
  const asset = await loadAsset('/sample.glb');
  const clip = t.some(asset.clips[0]);
  const times = [0, 0.1, 0.5];
  for (const what of ['transforms', 'matrices', 'weights'] as const) {
    t.equal(
      [...asset.sampleMany(clip.id, times, what)],
      times.flatMap((time) => [...asset.sample(clip.id, time)[what]]),
    );
  }
  t.equal(asset.sampleMany(clip.id, [], 'matrices').length, 0);
  await t.throws(() => asset.sampleMany(clip.id, times, 'palette' as 'weights'), 'argument/invalid');
  await t.throws(() => asset.sampleMany(clip.id, [0, NaN], 'weights'), 'argument/invalid');
  for (const none of [undefined, null, 5, { length: 1 }])
    await t.throws(() => asset.sampleMany(clip.id, none as never, 'weights'), 'argument/invalid');
  asset.dispose();
});

function child(name: string, attributes: Readonly<Record<string, string>>): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

async function sample(t: T, attributes: Readonly<Record<string, string>>, ...children: Node[]): Promise<GambolViewer> {
  const element = placed(
    { src: '/sample.glb', 'environment-image': 'none', 'animation-name': 'Idle', ...attributes },
    ...children,
  );
  await t.until(() => element.modelIsVisible, 'the sample character');
  return element;
}

test('element children: invalid goals warn once', async (t) => {
  const codes: string[] = [];
  document.addEventListener(
    'warning',
    (event) => codes.push((event as CustomEvent<{ code: string }>).detail.code),
    true,
  );
  const element = await sample(
    t,
    { 'root-motion': 'walk', 'max-fps': '3' },
    child('gambol-ik', { end: 'Tail7', target: '0 1 0' }),
    child('gambol-ik', { end: 'HandR', target: '#nobody' }),
    child('gambol-ik', { end: 'HandR', target: '][' }),
    child('gambol-ik', { end: 'HandR', target: '0 1 0', pole: 'up' }),
    child('gambol-look', { joint: 'Head', target: '0 1 0', weight: '3' }),
    child('gambol-look', { joint: 'Head', target: '0 1 0', limit: 'some' }),
    child('gambol-look', { joint: 'Head' }),
    child('gambol-ik', {}),
  );
  const hash = t.some(element.viewer).poseHash();
  await t.frames(3);
  t.equal(codes.filter((code) => code === 'joint/not-found').length, 1);
  t.equal(codes.filter((code) => code === 'argument/invalid').length, 7);
  element.rootMotion = 'keep';
  element.maxFps = 30;
  await t.frames(2);
  t.equal([codes.length, t.some(element.viewer).poseHash()], [8, hash]);
});

test('element children: goals are positions, elements of the page, or the pointer', async (t) => {
  const ik = child('gambol-ik', { end: 'HandR', pole: '0 0 -1' });
  const look = child('gambol-look', { joint: 'Head', target: 'pointer' });
  const element = await sample(t, {}, ik);
  const viewer = t.some(element.viewer);
  const place = within(viewer);
  ik.setAttribute('target', place.join(' '));
  await t.frames(2);
  t.close(at(viewer.joint('HandR').world), place, 1e-4, 'a place');
  const still = viewer.poseHash();

  // An element of the page: the hand is drawn at its position, or the arm points there.
  const box = element.getBoundingClientRect();
  const cup = document.createElement('i');
  cup.id = 'cup';
  const to = t.some(viewer.project(at(viewer.joint('HandR').world)));
  cup.style.cssText = `position: absolute; left: ${box.left + scrollX + to.x + 5}px; top: ${box.top + scrollY + to.y + 4}px; width: 2px; height: 2px`;
  document.body.append(cup);
  ik.setAttribute('target', '#cup');
  await t.until(() => viewer.poseHash() !== still, 'it reaches elsewhere');
  const seen = (): readonly number[] => {
    const { x, y } = t.some(viewer.project(at(viewer.joint('HandR').world)));
    return [x, y];
  };
  t.close(seen(), [to.x + 6, to.y + 5], 0.6, 'the middle of the element');
  cup.style.marginTop = '-12px';
  await t.until(() => Math.abs((seen()[1] ?? 0) - to.y + 7) < 0.6, 'the element has moved');
  ik.remove();
  await t.frames(2);

  element.append(look);
  await t.frames(2);
  const facing = (): number => viewer.joint('Head').world[8] ?? 0;
  const { x, y } = middle(element);
  await t.act({ type: 'move', x: x - 120, y });
  await t.until(() => facing() < -0.15, 'to the left of who watches');
  await t.act({ type: 'move', x: x + 120, y });
  await t.until(() => facing() > 0.15, 'to the right');
  look.setAttribute('limit', '5deg');
  await t.act({ type: 'move', x: x + 118, y });
  await t.until(() => Math.abs(facing()) < 0.15, 'no further than the limit');
  look.remove();
  await t.until(() => Math.abs(facing()) < 0.05, 'ahead again');
});

test('element children: target elements are measured only while the viewer is visible', async (t) => {
  const cup = document.createElement('i');
  cup.id = 'cup';
  cup.style.cssText = 'position: fixed; left: 100px; top: 90px; width: 2px; height: 2px';
  let asked = 0;
  cup.getBoundingClientRect = () => {
    asked += 1;
    return Element.prototype.getBoundingClientRect.call(cup);
  };
  const space = document.createElement('div');
  document.body.append(cup, space);
  const look = child('gambol-look', { joint: 'Head', target: '#cup' });
  const element = await sample(t, {}, look);
  const viewer = t.some(element.viewer);
  const looked = async (): Promise<boolean> => {
    const before = asked;
    await t.frames(5);
    return asked > before;
  };
  t.ok(await looked(), 'it is looked at');
  space.style.height = '3000px';
  for (let i = 0; await looked(); i++) if (i > 50) t.fail('it looks on, out of sight');
  const hash = viewer.poseHash();
  cup.style.left = '300px';
  t.equal([await looked(), viewer.poseHash()], [false, hash]);
  space.style.height = '0';
  await t.until(() => viewer.poseHash() !== hash, 'it is in sight again');
  t.ok(await looked(), 'and looks');
  look.remove();
  await t.frames(3);
  t.equal(await looked(), false, 'removed');
});

test('element children: goals apply to the next model', async (t) => {
  const ik = child('gambol-ik', { end: 'HandR', pole: '0 0 -1' });
  const element = await sample(t, { 'root-motion': 'in-place' }, ik);
  const place = within(t.some(element.viewer));
  ik.setAttribute('target', place.join(' '));
  element.srcObject = '/sample.glb';
  await t.until(() => element.loaded && element.viewer?.model !== null, 'again');
  await element.ready;
  t.close(at(t.some(element.viewer).joint('HandR').world), place, 1e-4);
});

test('element: root-motion, max-fps and the keys for debug views', async (t) => {
  const element = await shown(t, { 'root-motion': 'in-place', 'max-fps': '30', 'camera-controls': '' });
  const viewer = t.some(element.viewer);
  element.currentTime = 1;
  t.close([viewer.joint(0).world[12] ?? NaN], [0], 1e-5, 'on the spot');
  element.rootMotion = 'keep';
  t.close([viewer.joint(0).world[12] ?? NaN], [0.5], 1e-5);
  t.equal([element.getAttribute('root-motion'), element.maxFps], ['keep', 30]);
  viewer.canvas.focus();
  await t.act({ type: 'key', key: 'g' });
  await t.until(() => element.debug === 'grid', 'the ground');
  await t.act({ type: 'key', key: 'b' });
  await t.until(() => element.debug === 'grid skeleton', 'and the skeleton');
  await t.act({ type: 'key', key: 'g' });
  await t.until(() => element.debug === 'skeleton', 'the skeleton alone');
  const { x, y, z } = element.boundingBoxExtents;
  t.close([x, y, z], [1, 1, 0], 1e-5);
  t.close([element.boundingBoxCenter.y], [0.5], 1e-5);
  t.equal(details(element, 'error').length, 0);
});

test('debug views: the grid is at the ground of the model', async (t) => {
  const viewer = await createViewer(t.canvas(200, 200), { maxDpr: 1, background: [0, 0, 0, 1] });
  await viewer.load(model({ clips: [] }).glb);
  // From above, where the square is a line; the squares of the ground have sides of 0.1.
  viewer.camera = { azimuth: 0, polar: 1e-4, distance: 2, target: [0, 0, 0] };
  const lit = async (): Promise<[number, number]> => {
    const image = await picture(t, viewer);
    const at = (x: number, z: number): number => {
      const { x: px, y: py } = t.some(viewer.project([x, 0, z]));
      return image.data[4 * (Math.floor(py) * image.width + Math.floor(px)) + 1] ?? NaN;
    };
    return [at(0.3, 0.45), at(0.35, 0.45)];
  };
  t.equal(await lit(), [0, 0]);
  viewer.debug = 'grid';
  const [on, beside] = await lit();
  t.ok(on > 60, `${on}: a line`);
  t.equal(beside, 0, 'between lines');
  viewer.dispose();
});
