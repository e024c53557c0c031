// Further characters in markup: `<gambol-actor>`, `<extra-model>` and `<gambol-crowd>`.

import type { GambolActor, GambolCrowd, GambolExtraModel, GambolViewer } from 'gambol/element';
import type { Performer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { address, details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { picture } from './support/watch.ts';

const SAMPLE = '/sample.glb';

function child<E extends HTMLElement>(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...within: Node[]
): E {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...within);
  return element as E;
}

const actorOf = (attributes: Readonly<Record<string, string>>, ...within: Node[]): GambolActor =>
  child('gambol-actor', { src: SAMPLE, ...attributes }, ...within);
const crowdOf = (attributes: Readonly<Record<string, string>>): GambolCrowd =>
  child('gambol-crowd', { src: SAMPLE, ...attributes });

/** The codes and messages of warnings on the page. */
function warningsOf(t: T): { code: string; message: string }[] {
  const list: { code: string; message: string }[] = [];
  const stop = new AbortController();
  document.addEventListener(
    'warning',
    (event) => {
      list.push((event as CustomEvent<{ code: string; message: string }>).detail);
      event.preventDefault();
    },
    { capture: true, signal: stop.signal },
  );
  t.after(() => stop.abort());
  return list;
}

async function sample(
  t: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Node[]
): Promise<GambolViewer> {
  const element = placed(
    { src: SAMPLE, 'environment-image': 'none', 'reduced-motion': 'ignore', ...attributes },
    ...children,
  );
  await t.until(() => element.modelIsVisible, 'the sample character');
  return element;
}

const actors = ({ viewer }: GambolViewer): number => viewer?.stats.actors ?? 0;

test('gambol-actor: is on stage at its place, plays its clip, changes and is removed', async (t) => {
  const second = actorOf({
    position: '1m 0 -50cm',
    orientation: '0 0 90deg',
    scale: '2 2 2',
    'animation-name': 'Wave',
  });
  const loads = details<{ url: string }>(second, 'load');
  const element = await sample(t, {}, second);
  await t.until(() => loads.length === 1, 'its load event');
  const actor = t.some(second.actor);
  t.equal([loads[0]?.url, actors(element)], [new URL(SAMPLE, location.href).href, 2]);
  const { position = [], rotation = [], scale } = actor.place;
  t.close([...position], [1, 0, -0.5], 1e-6);
  t.close([...rotation], [0, Math.SQRT1_2, 0, Math.SQRT1_2], 1e-6);
  t.equal([scale, actor.clip?.name, actor.paused], [[2, 2, 2], 'Wave', false]);

  second.position = '0 1 0';
  second.setAttribute('animation-name', 'Idle');
  await t.until(() => actor.place.position?.[1] === 1, 'the position');
  t.equal([actor.clip?.name, second.actor === actor], ['Idle', true]);
  second.animationName = null;
  await t.until(() => actor.paused, 'without a clip it pauses');

  second.setAttribute('src', address());
  await t.until(() => loads.length === 2, 'another model');
  t.equal([second.actor === actor, second.actor?.clips.map(({ name }) => name).includes('Slide')], [false, true]);
  second.remove();
  await t.until(() => second.actor === null && actors(element) === 1, 'gone');
  element.append(second);
  await t.until(() => loads.length === 3 && actors(element) === 2, 'and back');
});

test('gambol-actor: has layers, morphs, look-at and labels of its own', async (t) => {
  const wave = child('gambol-layer', { animation: 'Wave', mask: 'ShoulderR/**', fade: '0' });
  const look = child('gambol-look', { joint: 'Head', target: '5 1 0' });
  const second = actorOf(
    { id: 'second', position: '1 0 0' },
    wave,
    look,
    child('gambol-morph', { name: 'smile', weight: '1' }),
  );
  const plain = actorOf({ position: '1 0 0' });
  const label = child('button', { slot: 'hotspot-second', 'data-joint': '#second Head', 'data-offset': '0 0.2 0' });
  const nobody = child('button', { slot: 'hotspot-nobody', 'data-joint': '#nobody Head' });
  const warnings = warningsOf(t);
  const element = await sample(t, {}, second, plain, label, nobody);
  await t.until(() => second.actor !== null && plain.actor !== null, 'both');
  await t.frames(3);
  const viewer = t.some(element.viewer);
  const [actor, other] = [t.some(second.actor), t.some(plain.actor)];
  t.equal(
    [actor, other, viewer].map(({ layers }) => [...layers].map(({ name }) => name)),
    [['Wave'], [], []],
  );
  const turned = [...actor.joint('Head').world].map((value, i) =>
    Math.abs(value - (other.joint('Head').world[i] ?? 0)),
  );
  t.ok(Math.max(...turned) > 0.1, `the head turns: ${String(turned)}`);
  const [box, spot] = [element.getBoundingClientRect(), label.getBoundingClientRect()];
  const [x = 0, y = 0, z = 0] = actor.joint('Head').world.subarray(12, 15);
  const seen = t.some(viewer.project([x, y, z]));
  t.close(spot.left + spot.width / 2 - box.left, seen.x, 30, 'the label is at the head of the actor');
  t.ok(spot.top - box.top < seen.y, 'and above it');
  t.equal(getComputedStyle(nobody).visibility, 'hidden');
  t.ok(
    warnings.some(({ message }) => message.includes('#nobody Head')),
    'a warning for an actor that is not there',
  );
  wave.remove();
  look.remove();
  await t.until(() => [...actor.layers].length === 0, 'the layer is removed');
  second.remove();
  await t.until(() => getComputedStyle(label).visibility === 'hidden', 'the label is hidden without its actor');
});

test('gambol-actor: follows a joint of the viewer, or of another actor', async (t) => {
  const warnings = warningsOf(t);
  const sword = actorOf({ follow: '#second HandR', position: '0 0.1 0' });
  const second = actorOf({ id: 'second', position: '1 0 0' });
  const hat = actorOf({ follow: 'Head', scale: '0.2 0.2 0.2' });
  // The leader comes after its follower.
  const element = await sample(t, {}, sword, second, hat);
  await t.until(() => [sword, second, hat].every(({ actor }) => actor !== null), 'all three');
  await t.frames(2);
  const viewer = t.some(element.viewer);
  const root = ({ actor }: GambolActor): number[] => {
    const { joints } = t.some(t.some(actor).model);
    const top = joints.find(({ parent }) => parent === null);
    return [...t.some(actor).joint(t.some(top).index).world.subarray(12, 15)];
  };
  const far = (a: readonly number[], b: ArrayLike<number>): number =>
    Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
  const hand = (): Float32Array => t.some(second.actor).joint('HandR').world.subarray(12, 15);
  t.close(far(root(sword), hand()), 0.1, 0.02, 'the sword is in the hand');
  t.close(far(root(hat), viewer.joint('Head').world.subarray(12, 15)), 0, 0.02, 'the hat is on the head');

  hat.follow = 'HandL';
  await t.until(() => far(root(hat), viewer.joint('HandL').world.subarray(12, 15)) < 0.02, 'another joint');
  hat.follow = 'Tail7';
  await t.until(() => warnings.some(({ code }) => code === 'joint/not-found'), 'a warning');
  t.ok(hat.actor !== null, 'it stays');
  hat.follow = null;
  await t.until(() => far(root(hat), [0, 0, 0]) < 0.02, 'in world space');
  second.follow = '#third Head';
  await t.until(() => warnings.some(({ message }) => message.includes('#third')), 'no such actor');
  sword.id = 'third';
  await t.until(() => warnings.some(({ code }) => code === 'actor/cycle'), 'an actor cannot follow its follower');
  second.remove();
  await t.until(() => actors(element) === 3, 'the leader is gone');
});

test('gambol-actor: the pole of IK turns with the joint that the actor follows', async (t) => {
  const dot = child('i', { id: 'reached', style: 'position: fixed; left: 100px; top: 100px' });
  document.body.append(dot);
  t.after(() => dot.remove());
  const place = { follow: 'Head', orientation: '0 40deg 130deg', scale: '0.5 0.5 0.5' };
  const ik = child('gambol-ik', { end: 'HandR', target: '#reached', pole: '0.3 1 -0.2' });
  const [reaching, plain] = [actorOf(place, ik), actorOf(place)];
  const element = await sample(t, {}, reaching, plain);
  await t.until(() => reaching.actor !== null && plain.actor !== null, 'both');
  const viewer = t.some(element.viewer);
  // A followed joint that turns, too.
  viewer.joint('Head').override({ rotation: [0.3, 0.5, 0.2, 0.8] });
  await t.frames(2);
  // A target within reach, in the depth of the shoulder.
  const { left, top } = viewer.canvas.getBoundingClientRect();
  const [from, to] = ['UpperArmR', 'HandR'].map((name) => {
    const [x = 0, y = 0, z = 0] = t.some(plain.actor).joint(name).world.subarray(12, 15);
    return t.some(viewer.project([x, y, z]));
  });
  dot.style.left = `${left + 0.6 * t.some(to).x + 0.4 * t.some(from).x}px`;
  dot.style.top = `${top + 0.6 * t.some(to).y + 0.4 * t.some(from).y}px`;
  await t.frames(3);
  const world = (of: Performer, joint: string): DOMMatrix => new DOMMatrix(Array.from(of.joint(joint).world));
  const point = (joint: string): DOMPoint => world(t.some(reaching.actor), joint).transformPoint();
  // The second actor has the pose of the viewer's model, which stands at the origin of the world.
  const root = t.some(viewer.joints.find(({ parent }) => parent === null)).name;
  const fromModel = world(t.some(plain.actor), root).multiply(world(viewer, root).inverse());
  const pole = fromModel.transformPoint(new DOMPoint(0.3, 1, -0.2, 0));
  const [shoulder, elbow, hand] = [point('UpperArmR'), point('LowerArmR'), point('HandR')];
  const way = (to: DOMPoint): number[] => [to.x - shoulder.x, to.y - shoulder.y, to.z - shoulder.z];
  const dot3 = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, v, i) => sum + v * (b[i] ?? 0), 0);
  const scaled = (a: readonly number[], by: number): number[] => a.map((value) => value * by);
  const unit = (a: readonly number[]): number[] => scaled(a, 1 / Math.hypot(...a));
  const along = unit(way(hand));
  const aside = (a: readonly number[]): number[] => unit(a.map((value, i) => value - dot3(a, along) * (along[i] ?? 0)));
  t.close(aside(way(elbow)), aside([pole.x, pole.y, pole.z]), 1e-3, 'the elbow points to the pole');
});

test('gambol-crowd: its model is loaded again if the last actor of it leaves meanwhile', async (t) => {
  const src = address();
  const leaving = actorOf({ src });
  const crowd = crowdOf({ src, count: '3' });
  const errors = details(crowd, 'error');
  const element = await sample(t, {}, leaving);
  await t.until(() => leaving.actor !== null, 'the actor');
  element.append(crowd);
  // The observer has begun to add the crowd; the script for crowds is not there yet.
  await Promise.resolve();
  await Promise.resolve();
  leaving.remove();
  await t.until(() => crowd.crowd !== null || errors.length > 0, 'the crowd');
  t.equal([errors, crowd.crowd?.count], [[], 3]);
  await t.until(() => actors(element) === 4, 'the statistics');
});

test('gambol-actor and gambol-crowd: are on stage in the worker', async (t) => {
  const src = address({ node: 'Square' });
  const second = actorOf(
    { id: 'second', src, position: '1 0 0', 'animation-name': 'Slide' },
    child('gambol-look', { joint: 'Square', target: '5 1 0' }),
  );
  const follower = actorOf({ src, follow: '#second Square', position: '0 0.1 0' });
  const crowd = crowdOf({ src, count: '5', area: '3m' });
  const label = child('button', { slot: 'hotspot-second', 'data-joint': '#second Square' });
  const pictures: ImageData[] = [];
  for (const renderer of ['own', 'worker']) {
    const element = await sample(t, { src, renderer, timeline: 'manual' }, second, follower, crowd, label);
    await t.until(() => [second, follower].every(({ actor }) => actor !== null) && crowd.crowd !== null, renderer);
    const viewer = t.some(element.viewer);
    viewer.advance(0.5);
    await t.until(() => getComputedStyle(label).visibility === 'visible', `the label, ${renderer}`);
    await t.until(() => actors(element) === 8, `the statistics, ${renderer}`);
    pictures.push(await picture(t, viewer));
    element.remove();
    await t.until(() => second.actor === null && crowd.crowd === null, 'freed with the element');
  }
  const [own, worker] = pictures;
  t.equal(worker?.data, own?.data, 'the same picture');
});

test('gambol-actor and gambol-crowd: are the same after a loss of the context', async (t) => {
  const src = address({ node: 'Square' });
  const second = actorOf({ id: 'second', src, position: '1 0 0' });
  const follower = actorOf({ src, follow: '#second Square', position: '0 0.1 0' });
  const crowd = crowdOf({ src, count: '5', area: '3m' });
  const element = await sample(t, { src, renderer: 'own', timeline: 'manual' }, second, follower, crowd);
  await t.until(() => [second, follower].every(({ actor }) => actor !== null) && crowd.crowd !== null, 'all');
  const viewer = t.some(element.viewer);
  const before = await picture(t, viewer);
  const loss = new Loss(t, viewer.canvas);
  const restored = new Promise((found) => viewer.addEventListener('contextrestored', found, { once: true }));
  loss.take();
  await restored;
  t.equal((await picture(t, viewer)).data, before.data, 'the same picture');
  // Attributes that change while there is no context apply after it.
  loss.take();
  second.position = '-1 0 0';
  crowd.count = 7;
  const late = actorOf({ src, position: '0 1 0' });
  element.append(late);
  await t.until(() => late.actor !== null && crowd.crowd?.count === 7, 'an actor that was added meanwhile');
  t.equal([second.actor?.place.position?.[0], actors(element)], [-1, 11]);
});

test('gambol-actor: children before the model, invalid attributes and a failed load', async (t) => {
  t.expectTrouble(/404|nothing\.glb/);
  const warnings = warningsOf(t);
  const element = placed({ src: SAMPLE, 'environment-image': 'none' });
  const early = actorOf({ position: 'left', orientation: 'up', scale: '1 1 1', 'animation-name': 'Nothing' });
  const removed = actorOf({});
  const failing = actorOf({ src: '/nothing.glb' });
  const errors = details<{ code: string; url: string }>(failing, 'error');
  element.append(early, removed, failing);
  await t.frames(1);
  removed.remove();
  await t.until(() => early.actor !== null && errors.length === 1, 'the actor and the error');
  await t.until(() => warnings.some(({ code }) => code === 'fetch/http'), 'a warning of the viewer');
  t.equal([errors[0]?.code, failing.actor, removed.actor ?? null, actors(element)], ['fetch/http', null, null, 2]);
  t.equal([...(early.actor?.place.position ?? [])], [0, 0, 0]);
  for (const [code, text] of [
    ['argument/invalid', 'position="left"'],
    ['argument/invalid', 'orientation="up"'],
    ['clip/not-found', 'Nothing'],
  ])
    t.ok(
      warnings.some((one) => one.code === code && one.message.includes(text ?? '')),
      `${code} ${text}: ${JSON.stringify(warnings)}`,
    );
  failing.src = address();
  await t.until(() => failing.actor !== null, 'after a failure, another source is loaded');
  // Another model of the viewer: its actors stay.
  const before = early.actor;
  element.src = address();
  await t.until(() => element.loaded && element.availableAnimations.includes('Slide'), 'another model');
  t.equal([early.actor === before, actors(element)], [true, 3]);
  element.remove();
  await t.until(() => early.actor === null, 'freed with the element');
});

test('gambol-actor: elements with one src share a model, with either renderer', async (t) => {
  for (const renderer of ['own', 'shared']) {
    const src = address();
    let fetched = 0;
    const real = globalThis.fetch;
    globalThis.fetch = (...args) => {
      if (String(args[0] instanceof Request ? args[0].url : args[0]) === src) fetched += 1;
      return real(...args);
    };
    t.after(() => {
      globalThis.fetch = real;
    });
    const [a, b] = [actorOf({ src }), actorOf({ src, position: '1 0 0' })];
    const crowd = crowdOf({ src, count: '3' });
    const element = await sample(t, { src: address(), renderer }, a, b, crowd);
    await t.until(() => a.actor !== null && b.actor !== null && crowd.crowd !== null, renderer);
    // The statistics count members, too.
    t.equal([fetched, actors(element)], [1, 6], renderer);
    element.remove();
    globalThis.fetch = real;
  }
});

test('extra-model: is an actor by the attributes of model-viewer', async (t) => {
  const extra: GambolExtraModel = child('extra-model', { src: SAMPLE, offset: '1m 0m 20cm', scale: '0.5 0.5 0.5' });
  const element = await sample(t, {}, extra);
  await t.until(() => extra.actor !== null, 'its model');
  t.close([...(extra.actor?.place.position ?? [])], [1, 0, 0.2], 1e-6);
  extra.offset = '0 0 1';
  await t.until(() => extra.actor?.place.position?.[2] === 1, 'the offset');
  t.equal(actors(element), 2);
});

test('gambol-crowd: the seed determines the members, and attributes change them', async (t) => {
  const attributes = {
    src: address({
      clips: [
        ['Walk', 1.3],
        ['Run', 0.7],
      ],
    }),
    count: '12',
    seed: '7',
    area: '6m x 4m',
    position: '0 0 -3',
    'animation-name': 'Walk, Run',
    speed: '0.5 1.5',
  };
  const [one, two, other] = [crowdOf(attributes), crowdOf(attributes), crowdOf({ ...attributes, seed: '8' })];
  const warnings = warningsOf(t);
  const element = await sample(t, { src: address(), timeline: 'manual' }, one, two, other);
  await t.until(() => [one, two, other].every(({ crowd }) => crowd !== null), 'three crowds');
  const times = ({ crowd }: GambolCrowd): number[] => [...t.some(crowd).times()];
  const bounds = ({ crowd }: GambolCrowd): number[] => {
    const { min, max } = t.some(t.some(crowd).bounds);
    return [...min, ...max];
  };
  t.equal(
    [one, two, other].map(({ crowd }) => crowd?.count),
    [12, 12, 12],
  );
  t.equal([times(one), bounds(one)], [times(two), bounds(two)], 'one seed, one crowd');
  t.ok(String(times(one)) !== String(times(other)), 'another seed, another crowd');
  t.ok(new Set(times(one)).size === 12, 'each has its own time');
  // The bounds of a crowd hold all poses of the clips that its members play, at the places of the members.
  const viewer = t.some(element.viewer);
  const model = t.some(one.crowd).model;
  const sole = await viewer.addCrowd(model, { count: 2, clips: ['Walk', 'Run'] });
  const { min: least, max: most } = t.some(sole.bounds);
  sole.remove();
  const within = (centre: readonly number[], width: number, depth: number): void => {
    const [cx = 0, cz = 0] = centre;
    const [left = 0, , back = 0, right = 0, , front = 0] = bounds(one);
    const places = [left - least[0], right - most[0], back - least[2], front - most[2]];
    const area = [cx - width / 2, cx + width / 2, cz - depth / 2, cz + depth / 2];
    const [a = 0, b = 0, c = 0, d = 0] = places.map((side, i) => side - (area[i] ?? 0));
    const rounding = 1e-5;
    t.ok(a > -rounding && b < rounding && c > -rounding && d < rounding, `${String(places)} is within ${String(area)}`);
    t.ok(a < width / 4 && -b < width / 4, `${String(places)} fills the width of ${String(area)}`);
  };
  within([0, -3], 6, 4);

  element.viewer?.advance(0.25);
  const before = times(one);
  one.count = 20;
  await t.until(() => one.crowd?.count === 20, 'more members');
  t.equal(times(one).slice(0, 12), before, 'the first members stay');
  one.speed = '2';
  await t.frames(2);
  t.equal(times(one).slice(0, 12), before, 'a change of speed does not move the playheads');
  one.count = 5;
  await t.until(() => one.crowd?.count === 5, 'fewer members');
  one.position = '10 0 0';
  await t.until(() => (bounds(one)[0] ?? 0) > 5, 'another centre');
  within([10, 0], 6, 4);
  const broad = bounds(one);
  one.area = '1m';
  await t.until(() => String(bounds(one)) !== String(broad), 'a radius');
  within([10, 0], 2, 2);

  t.equal(warnings, []);
  for (const [name, value] of [
    ['count', 'many'],
    ['area', '3 by 4'],
    ['speed', 'fast'],
    ['scale', '-1'],
    ['animation-name', 'Walk, Nothing'],
  ] as const) {
    one.setAttribute(name, value);
    await t.until(() => warnings.some(({ message }) => message.includes(value.replace('Walk, ', ''))), name);
    one.removeAttribute(name);
  }
  t.ok(
    warnings.every(({ code }) => code === 'argument/invalid' || code === 'clip/not-found'),
    JSON.stringify(warnings),
  );
  const crowd = t.some(one.crowd);
  one.remove();
  await t.until(() => one.crowd === null, 'removed');
  await t.throws(() => crowd.times(), 'actor/removed');
});

test('gambol-actor and gambol-crowd: stand still with reduced motion, until playback begins', async (t) => {
  const real = globalThis.matchMedia;
  globalThis.matchMedia = (query) =>
    query.includes('reduced-motion') ? ({ ...real('all'), matches: true } as MediaQueryList) : real(query);
  t.after(() => {
    globalThis.matchMedia = real;
  });
  const second = actorOf({ 'animation-name': 'Walk' });
  const crowd = crowdOf({ count: '4' });
  const element = await sample(t, { 'reduced-motion': 'respect' }, second, crowd);
  await t.until(() => second.actor !== null && crowd.crowd !== null, 'both');
  t.equal([second.actor?.clip?.name, second.actor?.paused, crowd.crowd?.paused], ['Walk', true, true]);
  void element.play();
  await t.until(() => second.actor?.paused === false && !crowd.crowd?.paused, 'both play');
});
