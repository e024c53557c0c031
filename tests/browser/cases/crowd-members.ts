// Look-at of the nearest members of a crowd, and events of the members that a page asks for.

import { createViewer, type Actor, type Crowd, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { model } from './support/model.ts';
import { picture } from './support/watch.ts';

type Renderer = 'own' | 'worker';

const SAMPLE = '/sample.glb';
const POSITIONS = [-1.2, 0, 0, 0, 0, 0, 1.2, 0, 0];
const CAMERA = { target: [0, 0.7, 0], distance: 5, azimuth: 0.2, polar: 1.4 } as const;

async function empty(t: T, renderer: Renderer = 'own'): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(160, 100), {
    maxDpr: 1,
    background: [0.8, 0.8, 0.8, 1],
    renderer,
  });
  viewer.timeline = 'manual';
  return viewer;
}

async function threeActors(viewer: Viewer): Promise<Actor[]> {
  const all: Actor[] = [];
  for (let i = 0; i < 9; i += 3) {
    const position = [POSITIONS[i] ?? 0, 0, 0] as const;
    all.push(await viewer.add(all[0]?.model ?? SAMPLE, { position }));
  }
  for (const actor of all) actor.clip = 'Idle';
  viewer.camera = CAMERA;
  return all;
}

async function threeMembers(viewer: Viewer): Promise<Crowd> {
  const crowd = await viewer.addCrowd(SAMPLE, { positions: POSITIONS, clips: 'Idle', rates: 0, updateRate: 'full' });
  viewer.camera = CAMERA;
  return crowd;
}

test('crowd: the nearest members look at a point as actors do', async (t) => {
  const [one, other] = [await empty(t), await empty(t)];
  const all = await threeActors(one);
  const crowd = await threeMembers(other);
  const point = [1.2, 1.4, 3] as const;
  const how = { joints: { Spine: 0.3 }, limit: 1.2 };
  const before = await picture(t, other);
  for (const actor of all.slice(1)) actor.joint('Head').lookAt(point, how);
  crowd.lookAt(point, { joint: 'Head', nearest: 2, ...how });
  const looking = await picture(t, other);
  t.equal(looking.data, (await picture(t, one)).data, 'the picture of actors');
  t.ok(
    looking.data.some((value, i) => value !== before.data[i]),
    'members have turned',
  );
  crowd.lookAt(null);
  t.equal((await picture(t, other)).data, before.data, 'back to the animation');
});

test('crowd: the look-at in a worker has the same picture', async (t) => {
  const pictures: ImageData[] = [];
  for (const renderer of ['own', 'worker'] as const) {
    const viewer = await empty(t, renderer);
    const crowd = await threeMembers(viewer);
    crowd.set({ rates: 1 });
    crowd.lookAt([1.2, 1.4, 3], { joint: 'Head', nearest: 2, speed: 1 });
    for (let i = 0; i < 8; i++) viewer.advance(1 / 16);
    pictures.push(await picture(t, viewer));
    viewer.dispose();
  }
  t.equal(pictures[1]?.data, pictures[0]?.data);
});

test('crowd: invalid arguments of look-at and events change nothing', async (t) => {
  const viewer = await empty(t);
  const crowd = await viewer.addCrowd(model({ node: 'Square' }).glb, { count: 3 });
  const look = (target: unknown, options: unknown): void =>
    crowd.lookAt(target as readonly [number, number, number], options as { joint: string });
  await t.throws(() => look([0, 1, 0], undefined), 'argument/invalid');
  await t.throws(() => look([0, 1], { joint: 'Square' }), 'argument/invalid');
  await t.throws(() => look([0, 1, 0], { joint: 'Head' }), 'joint/not-found');
  for (const options of [{ nearest: -1 }, { nearest: 1.5 }, { speed: -1 }, { limit: NaN }, { axis: [0, 0] }])
    await t.throws(() => look([0, 1, 0], { joint: 'Square', ...options }), 'argument/invalid');
  for (const members of [3, -1, 0.5, [0, 7], 'all', null, {}])
    await t.throws(() => crowd.events(members as number), 'argument/invalid');
  await t.throws(() => crowd.setMarkers('Nothing', []), 'clip/not-found');
  await t.throws(() => crowd.setMarkers(0, [{ name: 'a', time: NaN }]), 'argument/invalid');
  crowd.remove();
  await t.throws(() => crowd.events(0), 'actor/removed');
  await t.throws(() => look(null, undefined), 'actor/removed');
});

for (const renderer of ['own', 'worker'] as const) {
  test(`crowd: members that were asked for have the events of an actor, ${renderer}`, async (t) => {
    const viewer = await empty(t, renderer);
    const clips: [string, number][] = [
      ['Slide', 2],
      ['Short', 0.5],
    ];
    await viewer.load(model({ clips, node: 'Square' }).glb);
    const markers = [
      { name: 'first', time: 0.1 },
      { name: 'second', time: 0.3 },
    ];
    viewer.setMarkers('Short', markers);
    const crowd = await viewer.addCrowd(t.some(viewer.model), { count: 4, clips: 'Short' });
    crowd.setMarkers('Short', markers);
    type Row = readonly [type: string, member: number, time: number, more: unknown];
    const rows: Row[] = [];
    const own: Row[] = [];
    const events = crowd.events([2, 0, 2]);
    t.equal(events.members, [0, 2]);
    events.addEventListener('marker', ({ detail: { member, time, name, clip } }) =>
      rows.push(['marker', member, time, [name, clip]]),
    );
    events.addEventListener('loop', ({ detail: { member, time, iteration } }) =>
      rows.push(['loop', member, time, iteration]),
    );
    viewer.addEventListener('marker', ({ detail: { time, name, clip } }) =>
      own.push(['marker', 0, time, [name, clip]]),
    );
    viewer.addEventListener('loop', ({ detail: { time, iteration } }) => own.push(['loop', 0, time, iteration]));
    viewer.play('Short', { transition: 'cut' });
    crowd.set({ times: 0 });
    for (let i = 0; i < 10; i++) viewer.advance(0.125);
    const of = (member: number): Row[] =>
      rows.filter((row) => row[1] === member).map(([type, , time, more]) => [type, 0, time, more]);
    t.ok(own.length === 7, JSON.stringify(own));
    t.equal([of(0), of(2), rows.length], [own, own, 2 * own.length]);
    const count = rows.length;
    events.stop();
    const sole = crowd.events(3);
    let finished = 0;
    sole.addEventListener('finished', ({ detail }) => (finished += detail.member));
    crowd.loopMode = 'once';
    crowd.set({ times: 0.25 });
    viewer.advance(1);
    t.equal([rows.length, finished], [count, 3], 'none after the end');
    // Another clock takes over all actors that play. A crowd has no transport.
    viewer.timeline = () => 1;
    await t.frames(2);
    crowd.remove();
  });
}
