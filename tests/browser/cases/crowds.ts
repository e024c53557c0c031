// Crowds: the same picture as individual actors, in one draw call for each mesh.

import { createViewer, type Crowd, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { encoded } from './support/light.ts';
import { Loss } from './support/loss.ts';
import { model } from './support/model.ts';
import { Scene, SIZE, seen, through, type Rgb, type Seen } from './support/scene.ts';
import { countGlObjects, picture } from './support/watch.ts';

const SAMPLE = '/sample.glb';
const WHITE: Rgb = [1, 1, 1];

/** Six members: position, clip, and time in the clip. */
const SIX = [
  { clip: 'Walk', time: 0.31, position: [-1.5, 0, 0], turn: 0.3, scale: 1 },
  { clip: 'Dance', time: 1.25, position: [0, 0, 0], turn: 0, scale: 1.1 },
  { clip: 'Jump', time: 0.7, position: [1.5, 0, 0], turn: -0.7, scale: 0.8 },
  { clip: 'Run', time: 0.2, position: [-0.8, 0, -2], turn: 3, scale: 1 },
  { clip: 'Wave', time: 2, position: [0.8, 0, -2], turn: 1.5, scale: 1 },
  { clip: 'Idle', time: 3.9, position: [0, 0.3, 1.2], turn: -0.2, scale: 0.6 },
] as const;

const CAMERA = { target: [0, 0.8, -0.5], distance: 7, azimuth: 0.4, polar: 1.3 } as const;

const rotation = (turn: number): [number, number, number, number] => [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)];

/** An empty viewer; only the test advances time. */
async function empty(t: T, size: readonly [number, number] = [300, 200]): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(...size), { maxDpr: 1, background: [0.8, 0.8, 0.8, 1] });
  viewer.timeline = 'manual';
  return viewer;
}

/** The six as actors. */
async function actors(viewer: Viewer): Promise<void> {
  const [first, ...others] = SIX;
  const place = ({ position, turn, scale }: (typeof SIX)[number]) => ({ position, rotation: rotation(turn), scale });
  const actor = await viewer.add(SAMPLE, place(first));
  const all = [actor];
  for (const one of others) all.push(await viewer.add(actor.model ?? SAMPLE, place(one)));
  for (const [i, { clip, time }] of SIX.entries()) {
    const one = all[i];
    if (!one) continue;
    one.clip = clip;
    one.currentTime = time;
  }
  viewer.camera = CAMERA;
}

/** The six as a crowd. */
async function six(viewer: Viewer): Promise<Crowd> {
  const crowd = await viewer.addCrowd(SAMPLE, {
    positions: Float32Array.from(SIX.flatMap(({ position }) => [...position])),
    rotations: SIX.flatMap(({ turn }) => rotation(turn)),
    scales: Float32Array.from(SIX, ({ scale }) => scale),
    clips: SIX.map(({ clip }) => clip),
    times: Float64Array.from(SIX, ({ time }) => time),
    rates: 0,
    updateRate: 'full',
  });
  viewer.camera = CAMERA;
  return crowd;
}

test(
  'crowd: looks like the same number of actors',
  async (t) => {
    const [one, other] = [await empty(t), await empty(t)];
    await actors(one);
    const crowd = await six(other);
    t.equal([crowd.count, crowd.model.clips.length > 3, crowd.visibleCount], [6, true, 6]);
    await t.save('crowd.png', await picture(t, other));
    const tolerance = { channel: 2, outliers: 0.0005 };
    t.samePixels(await picture(t, other), await picture(t, one), tolerance);
    for (const viewer of [one, other]) viewer.shadowIntensity = 1;
    // The size of the shadow map depends on the bounds of all that a crowd may do.
    t.samePixels(await picture(t, other), await picture(t, one), { channel: 8, outliers: 0.01 });
    await t.save('crowd-shadows.png', await picture(t, other));
    const before = await picture(t, other);
    // Crowds use linear blend skinning, regardless of the actors' mode.
    other.skinning = 'dual-quaternion';
    t.samePixels(await picture(t, other), before, { channel: 1 });
    const beside = await other.add(crowd.model, { position: [0, 2, -1] });
    beside.clip = 'Dance';
    beside.currentTime = 1;
    const both = await picture(t, other);
    await t.throws(() => t.samePixels(both, before));
    beside.remove();
    t.samePixels(await picture(t, other), before, { channel: 1 });
  },
  { all: true },
);

test('crowd: picking finds the same member as with actors', async (t) => {
  const [one, other] = [await empty(t), await empty(t)];
  await actors(one);
  const crowd = await six(other);
  const far = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, i) => x - (b[i] ?? NaN)));
  const found = new Map<number, readonly [x: number, y: number]>();
  for (let x = 2; x < 300; x += 17) {
    for (let y = 2; y < 200; y += 19) {
      const [want, got] = [one.pick(x, y), crowd.pick(x, y)];
      t.equal(got === null, want === null, `${x}, ${y}`);
      if (!want || !got) continue;
      t.ok(
        far(want.position, got.position) < 1e-4 && far(want.normal, got.normal) < 1e-3,
        `${x}, ${y}: ${JSON.stringify([want, got])}`,
      );
      found.set(got.member, [x, y]);
    }
  }
  t.equal([...found.keys()].sort(), [0, 1, 2, 3, 4, 5]);
  for (const [member, [x, y]] of found) {
    const before = t.some(crowd.pick(x, y));
    t.equal(crowd.model.joints[before.joint.index], before.joint);
    // Without this member the ray hits another member, or none.
    crowd.set({ first: member, positions: [0, 100, 0] });
    t.ok(crowd.pick(x, y)?.member !== member, String(member));
    crowd.set({ first: member, positions: [...t.some(SIX[member]).position] });
    t.equal(crowd.pick(x, y), before);
  }
  const [x, y] = t.some(found.get(1));
  const { position } = t.some(crowd.pick(x, y));
  // The same member, half a metre nearer to the camera.
  const { target, distance, azimuth, polar } = CAMERA;
  const eye = [Math.sin(polar) * Math.sin(azimuth), Math.cos(polar), Math.sin(polar) * Math.cos(azimuth)].map(
    (part, i) => (target[i] ?? 0) + distance * part,
  );
  const nearer = eye.map((part, i) => (0.5 * (part - (position[i] ?? 0))) / far(eye, position)) as [
    number,
    number,
    number,
  ];
  const front = await other.add(crowd.model, { position: nearer, scale: SIX[1].scale });
  front.clip = SIX[1].clip;
  front.currentTime = SIX[1].time;
  t.equal(crowd.pick(x, y), null, 'somebody stands in front');
  t.ok(Math.abs(far(t.some(other.pick(x, y)).position, position) - 0.5) < 1e-3);
  front.remove();
  t.equal(t.some(other.pick(x, y)), {
    position,
    normal: t.some(crowd.pick(x, y)).normal,
    actor: null,
    joint: null,
    surface: null,
  });
  for (const bad of [NaN, Infinity, '1' as unknown as number])
    await t.throws(() => crowd.pick(bad, 0), 'argument/invalid');
  t.equal([crowd.pick(-5, 10), crowd.pick(1e6, 1e6)], [null, null]);
  crowd.remove();
  await t.throws(() => crowd.pick(x, y), 'actor/removed');
});

test('crowd: each mesh is one draw call for any number of members', async (t) => {
  const viewer = await empty(t);
  const actor = await viewer.add(SAMPLE);
  await picture(t, viewer);
  const { drawCalls, triangles } = viewer.stats;
  const crowd = await viewer.addCrowd(t.some(actor.model), { count: 40 });
  actor.remove();
  await picture(t, viewer);
  t.equal([viewer.stats.drawCalls, viewer.stats.triangles, viewer.stats.actors], [drawCalls, 40 * triangles, 40]);
  crowd.count = 0;
  await picture(t, viewer);
  t.equal([viewer.stats.drawCalls, crowd.visibleCount, crowd.bounds, crowd.times().length], [0, 0, null, 0]);
  crowd.count = 3;
  await picture(t, viewer);
  t.equal([viewer.stats.drawCalls, crowd.visibleCount, crowd.times()], [drawCalls, 3, new Float64Array(3)]);
});

/** A file with a square of a size. */
function square(material: (scene: Scene) => number, size = 0.4): Scene {
  const scene = new Scene();
  scene.node({ mesh: scene.square(material(scene)), scale: [size, size, 1] });
  return scene;
}

/** A camera that shows x and y from -1 to 1, and a crowd. */
async function before(t: T, scene: Scene, options: Parameters<Viewer['addCrowd']>[1]): Promise<[Viewer, Crowd]> {
  const eye = new Scene();
  eye.node({ mesh: eye.square(eye.unlit(WHITE)), translation: [0, 99, 0] });
  const viewer = await through(t, eye);
  viewer.timeline = 'manual';
  return [viewer, await viewer.addCrowd(scene.file(), options)];
}

const CORNERS = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [-0.5, 0.5],
  [0.5, 0.5],
] as const;
const POSITIONS = CORNERS.flatMap(([x, y]) => [x, y, 0]);

/** The pixel of a linear colour without lighting. */
function bytes(colour: Rgb): Rgb {
  const [red, green, blue] = colour;
  return [encoded(red), encoded(green), encoded(blue)];
}

function atCorners(now: Seen): Rgb[] {
  return CORNERS.map(([x, y]) => now.at(x, y));
}

for (const renderer of ['own', 'worker'] as const) {
  const title = `crowds: small members have meshes with fewer triangles, and the same picture (${renderer})`;
  test(
    title,
    async (t) => {
      const viewer = await createViewer(t.canvas(160, 107), { maxDpr: 1, background: [0.8, 0.8, 0.8, 1], renderer });
      viewer.timeline = 'manual';
      const count = 40;
      const positions = new Float32Array(3 * count);
      for (let i = 0; i < count; i++) positions.set([(i % 10) - 5, 0, -Math.floor(i / 10)], 3 * i);
      const times = Float64Array.from({ length: count }, (_, i) => (i % 7) / 10);
      const shown = async (updateRate: 'auto' | 'full'): Promise<readonly [triangles: number, pixels: ImageData]> => {
        const crowd = await viewer.addCrowd(SAMPLE, { count, positions, clips: 'Walk', times, rates: 0, updateRate });
        viewer.camera = { target: [0, 0.5, -6], distance: 24, azimuth: 0.2, polar: 1.1 };
        viewer.advance(0);
        await t.frames(2);
        const { triangles } = viewer.stats;
        const pixels = t.pixels(await viewer.renderAt(0, { width: 160, height: 107 }));
        crowd.remove();
        return [triangles, pixels];
      };
      const [full, expected] = await shown('full');
      const [fewer, pixels] = await shown('auto');
      t.ok(fewer < full / 2, `${renderer}: ${fewer} of ${full} triangles`);
      // Edges within half a pixel, and shading of coarser normals.
      const off = pixels.data.map((value, i) => Math.abs(value - (expected.data[i] ?? 0)));
      const mean = off.reduce((sum, value) => sum + value, 0) / off.length;
      const large = off.filter((value) => value > 48).length / off.length;
      t.ok(
        mean < 2 && large < 0.01,
        `${renderer}: mean ${mean.toFixed(2)}, ${(100 * large).toFixed(2)} % of the values`,
      );
      viewer.dispose();
    },
    { all: renderer === 'worker' },
  );
}

test('crowd: tints multiply the base colour', async (t) => {
  const [viewer, crowd] = await before(
    t,
    square((scene) => scene.unlit([0.5, 1, 1])),
    {
      positions: POSITIONS,
      tints: [1, 1, 1, 1, 0, 1, 0, 1, 1, 0.25, 0, 0.3, 2, 0, 0.5, 1],
    },
  );
  const wanted: Rgb[] = [
    [0.5, 1, 1],
    [0, 1, 0],
    [0.5, 0.25, 0],
    [1, 0, 0.5],
  ];
  for (const [i, colour] of atCorners(await seen(t, viewer)).entries())
    t.close(colour, bytes(t.some(wanted[i])), 2, `corner ${i}`);
  crowd.set({ first: 1, tints: [0, 0, 1, 1] });
  const [first, second] = atCorners(await seen(t, viewer));
  t.close([t.some(first), t.some(second)].flat(), [bytes([0.5, 1, 1]), bytes([0, 0, 1])].flat(), 2);
});

test('crowd: in an opaque material, the alpha of the base colour masks the tint, from a half on', async (t) => {
  const part = 191 / 255;
  const halves = (scene: Scene): number => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 2, height: 1 });
    const context = t.some(canvas.getContext('2d'));
    for (const [x, alpha] of [1, part].entries()) {
      context.fillStyle = `rgb(255 255 255 / ${alpha})`;
      context.fillRect(x, 0, 1, 1);
    }
    const source = scene.add('images', { uri: canvas.toDataURL() });
    const sampler = scene.add('samplers', { magFilter: 9728, minFilter: 9728 });
    return scene.unlit([1, 1, 1], { index: scene.add('textures', { source, sampler }) });
  };
  const factor =
    (alpha: number, mode: object) =>
    (scene: Scene): number => {
      scene.use('KHR_materials_unlit');
      return scene.add('materials', {
        pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, alpha] },
        extensions: { KHR_materials_unlit: {} },
        ...mode,
      });
    };
  const one = { positions: [0, 0, 0], tints: [0, 0.5, 2, 0.25] };
  const whole: Rgb = [0, 0.5, 2];
  const share = 2 * part - 1;
  const masked: Rgb = [1 - share, 1 - 0.5 * share, 1 + share];
  for (const [material, left, right] of [
    [halves, whole, masked],
    [factor(1, {}), whole, whole],
    [factor(part, {}), masked, masked],
    [factor(127 / 255, {}), [1, 1, 1], [1, 1, 1]],
    [factor(0, {}), [1, 1, 1], [1, 1, 1]],
    [factor(1, { alphaMode: 'MASK', alphaCutoff: 0.1 }), whole, whole],
  ] as const) {
    const [viewer] = await before(t, square(material), one);
    const now = await seen(t, viewer);
    t.close([now.at(-0.2, 0), now.at(0.2, 0)].flat(), [bytes(left), bytes(right)].flat(), 3);
    viewer.dispose();
  }
});

test('crowd: transparent members are drawn back to front', async (t) => {
  const glass = (scene: Scene): number =>
    scene.add('materials', {
      pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 0.5] },
      alphaMode: 'BLEND',
      extensions: { KHR_materials_unlit: {} },
    });
  const scene = square(glass);
  scene.use('KHR_materials_unlit');
  const nearFirst = [0, 0, 0.5, 0, 0, -0.5];
  for (const [positions, tints] of [
    [nearFirst, [1, 0, 0, 1, 0, 1, 0, 1]],
    [
      [0, 0, -0.5, 0, 0, 0.5],
      [0, 1, 0, 1, 1, 0, 0, 1],
    ],
  ] as const) {
    const [viewer] = await before(t, scene, { positions, tints });
    // Half of red over half of green over black.
    t.close((await seen(t, viewer)).at(0, 0), [127.5, 63.75, 0], 3);
    viewer.dispose();
  }
  const [viewer] = await before(t, scene, { positions: [0, 0, 0], tints: [1, 1, 1, 0.5] });
  t.close((await seen(t, viewer)).at(0, 0), [63.75, 63.75, 63.75], 3, 'alpha is tinted, too');
});

test('crowd: members morph independently', async (t) => {
  const scene = new Scene();
  const to = (x: number, y: number): number =>
    scene.accessor(
      'VEC3',
      [x, y, x, y, x, y, x, y].flatMap((value, i) => (i % 2 ? [value, 0] : [value])),
    );
  const mesh = scene.square(
    scene.unlit(WHITE),
    {},
    { targets: [{ POSITION: to(1, 0) }, { POSITION: to(0, 1) }, { POSITION: to(-1, 0) }] },
  );
  const node = scene.node({ mesh, scale: [0.1, 0.1, 1], weights: [0, 0, 0] });
  const input = scene.accessor('SCALAR', [0, 1, 2, 3]);
  const output = scene.accessor('SCALAR', [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 4, 4]);
  scene.add('animations', {
    samplers: [{ input, output }],
    channels: [{ sampler: 0, target: { node, path: 'weights' } }],
  });
  const [viewer, crowd] = await before(t, scene, { positions: POSITIONS, times: [0, 1, 2, 3], rates: 0 });
  // A tenth of four is 0.4.
  const places = [
    [-0.5, -0.5],
    [0.9, -0.5],
    [-0.5, 0.9],
    [0.1, 0.9],
  ] as const;
  for (let turn = 0; turn < 2; turn++) {
    const now = await seen(t, viewer);
    for (const [x, y] of places) t.ok(now.covered(x, y), `${x}, ${y}`);
    t.ok(!now.covered(0.5, 0.5) && !now.covered(0.5, -0.5), 'and nobody is where they were');
    crowd.set({ first: 1, times: [1, 2, 3] });
  }
});

test('crowd: KHR_node_visibility hides nodes by the time of each member', async (t) => {
  const scene = square((file) => file.unlit(WHITE));
  scene.use('KHR_node_visibility');
  scene.animate('/nodes/1/extensions/KHR_node_visibility/visible', 'SCALAR', [0, 1], [1, 0], true);
  const [viewer, crowd] = await before(t, scene, { positions: POSITIONS, times: [0.5, 1, 0.5, 1], rates: 0 });
  t.equal(
    atCorners(await seen(t, viewer)).map(([red]) => red),
    [255, 0, 255, 0],
  );
  crowd.set({ times: [1, 1, 1, 0] });
  t.equal(
    atCorners(await seen(t, viewer)).map(([red]) => red),
    [0, 0, 0, 255],
  );
});

test('crowd: frustum culling skips members, unless shadows are on', async (t) => {
  const viewer = await empty(t);
  const positions = Array.from({ length: 30 }, (_, i) => [3 * (i - 15), 0, 0]).flat();
  const crowd = await viewer.addCrowd(SAMPLE, { positions });
  viewer.camera = { target: [0, 0.8, 0], distance: 6, azimuth: 0, polar: 1.4 };
  const alone = await picture(t, viewer);
  const seenOf = crowd.visibleCount;
  t.ok(seenOf >= 1 && seenOf < 8, `${seenOf} are seen`);
  viewer.shadowIntensity = 1;
  await picture(t, viewer);
  t.equal(crowd.visibleCount, 30);
  viewer.shadowIntensity = 0;
  t.samePixels(await picture(t, viewer), alone, { channel: 1 });
  t.equal(crowd.visibleCount, seenOf);
  const { min, max } = t.some(crowd.bounds);
  t.ok(min[0] < -45 && max[0] > 42 && min[1] <= 0.05 && max[1] > 1, `${min} ${max}`);
  viewer.frame();
  await picture(t, viewer);
  t.equal(crowd.visibleCount, 30, 'all are framed');
});

test('crowd: members play on the timeline', async (t) => {
  const viewer = await empty(t);
  // Clips of 2 s, 0.15 s and 1 s.
  const crowd = await viewer.addCrowd(model().glb, {
    count: 4,
    clips: [0, 0, 2, 'Slide'],
    rates: [1, -1, 2, 0],
    times: [0, 1.5, 0, 1.25],
  });
  viewer.advance(0.5);
  t.close(crowd.times(), [0.5, 1, 0, 1.25], 1e-9);
  viewer.advance(1.75);
  t.close(crowd.times(), [0.25, 1.25, 0.5, 1.25], 1e-9);
  viewer.advance(-2.25);
  t.close(crowd.times(), [0, 1.5, 0, 1.25], 1e-9, 'back to where they were');
  crowd.pause();
  viewer.advance(1);
  t.close(crowd.times(), [0, 1.5, 0, 1.25], 1e-9);
  t.ok(crowd.paused);
  crowd.play();
  viewer.advance(0.5);
  t.close(crowd.times(), [0.5, 1, 0, 1.25], 1e-9);
  crowd.set({ starts: [viewer.now - 0.25, viewer.now, viewer.now + 0.3, 0] });
  t.close(crowd.times(), [0.25, 0, 0.4, 0], 1e-9, 'before its start a clip repeats, too');
  crowd.set({ times: [0, 0.5, 0, 1] });
  crowd.loopMode = 'once';
  viewer.advance(1000);
  t.equal(crowd.times(), Float64Array.of(2, 0, 1, 1));
  crowd.loopMode = 'pingpong';
  crowd.set({ times: 0, rates: 1 });
  viewer.advance(2.5);
  t.close(crowd.times(), [1.5, 1.5, 0.5, 1.5], 1e-9);
  crowd.set({ clips: 'Short' });
  t.equal(crowd.times(), Float64Array.of(0, 0, 0, 0), 'another clip begins');
  viewer.timeline = () => 77;
  await t.frames(2);
  t.equal([viewer.now, crowd.times()], [77, Float64Array.of(0, 0, 0, 0)], 'another clock moves nobody');
});

test('crowd: frames are drawn while members move, and allocate nothing', async (t) => {
  const live = countGlObjects();
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, antialias: false });
  const crowd = await viewer.addCrowd(SAMPLE, {
    count: 12,
    positions: Array.from({ length: 36 }, (_, i) => ((i * 7919) % 41) - 20),
  });
  await t.until(() => viewer.stats.frames > 12, 'it runs');
  const begun = { live: live(), memory: viewer.stats.memoryBytes };
  const from = viewer.stats.frames;
  await t.until(() => viewer.stats.frames > from + 20, 'frames');
  t.equal({ live: live(), memory: viewer.stats.memoryBytes }, begun);
  crowd.set({ rates: 0 });
  await t.frames(3);
  const { frames } = viewer.stats;
  await t.sleep(200);
  t.equal(viewer.stats.frames, frames, 'nobody moves');
  crowd.set({ first: 11, rates: [1] });
  await t.until(() => viewer.stats.frames > frames + 3, 'one moves');
  crowd.pause();
  await t.frames(3);
  const still = viewer.stats.frames;
  await t.sleep(200);
  t.equal(viewer.stats.frames, still);
});

test('crowd: a change of clip crossfades as with actors', async (t) => {
  const [one, other] = [await empty(t), await empty(t)];
  const actor = await one.add(SAMPLE);
  actor.clip = 'Walk';
  actor.play();
  const crowd = await other.addCrowd(SAMPLE, { count: 1, clips: 'Walk', transitionDuration: 0.5, updateRate: 'full' });
  t.equal(crowd.transitionDuration, 0.5);
  for (const viewer of [one, other]) viewer.advance(0.3);
  actor.play('Dance', { transition: 'crossfade', transitionDuration: 0.5 });
  crowd.set({ clips: 'Dance' });
  const pictures: Awaited<ReturnType<typeof picture>>[] = [];
  for (const seconds of [0, 0.25, 0.25]) {
    for (const viewer of [one, other]) {
      viewer.advance(seconds);
      viewer.camera = CAMERA;
    }
    const [member, like] = [await picture(t, other), await picture(t, one)];
    t.samePixels(member, like, { channel: 2, outliers: 0.0005 });
    pictures.push(member);
  }
  await t.throws(() => t.samePixels(t.some(pictures[0]), t.some(pictures[1])));
});

test('crowd: invalid values are refused and change nothing', async (t) => {
  const viewer = await empty(t);
  const add = (options: object): Promise<Crowd> => viewer.addCrowd(model().glb, options);
  // After the environment's light, which is created with the first model.
  (await add({ count: 1 })).remove();
  const live = viewer.liveObjects();
  for (const wrong of [
    { count: -1 },
    { count: 1.5 },
    { count: NaN },
    { count: 2, positions: [0, 0, 0, 0] },
    { count: 1, positions: new Float32Array(6) },
    { positions: [0, NaN, 0] },
    { positions: 3 },
    { positions: 'abc' },
    { rotations: [0, 0, 0, 0] },
    { scales: [1, -1] },
    { scales: [0] },
    { positions: new Float32Array(6), scales: [1] },
    { rates: [Infinity] },
    { times: [0], starts: [0] },
    { tints: [1, 1, 1] },
    { loopMode: 'twice' },
    { updateRate: 'never' },
    { transitionDuration: -1 },
    { transitionDuration: '1' },
    { transitionDuration: Infinity },
    { count: 2, first: 3 },
    { count: 2, first: -1 },
    { positions: [1e300, 0, 0] },
  ])
    await t.throws(() => add(wrong), 'argument/invalid');
  for (const wrong of [{ count: 1, clips: 'Nothing' }, { clips: [0, 3] }, { clips: [-1] }, { clips: [0.5] }])
    await t.throws(() => add(wrong), 'clip/not-found');
  await t.throws(() => viewer.addCrowd('nothing.glb'), /fetch/);
  // Single values for all members: no list is made before the limit is checked. 10⁹ numbers would be 8 GB.
  for (const count of [1e6, 1e9, 1e300])
    await t.throws(() => add({ count, rates: 1, scales: 2, clips: 0, times: 0 }), /room for \d+ members of this model/);
  await t.throws(() => add({ count: 1e9 }), 'render/too-large');
  const { programs: _, ...left } = viewer.liveObjects();
  const { programs: __, ...had } = live;
  t.equal(left, had, 'nothing of them is left');

  const crowd = await add({ count: 2, positions: [1, 0, 0, 2, 0, 0], times: [0.5, 1], rates: 0 });
  const bounds = crowd.bounds;
  for (const wrong of [
    { positions: new Float32Array(6), times: [NaN, 0] },
    { positions: new Float32Array(6), clips: ['Short', 'Nothing'] },
    { first: 1, positions: new Float32Array(6) },
    { times: [0, 0], rotations: [0, 0, 0, 1, 0, 0, 0, 0] },
    { times: 0, scales: 0 },
  ])
    await t.throws(() => crowd.set(wrong), /argument\/invalid|clip\/not-found/);
  await t.throws(() => {
    crowd.count = -1;
  }, 'argument/invalid');
  await t.throws(() => {
    crowd.count = 1e9;
  }, 'render/too-large');
  await t.throws(() => {
    crowd.loopMode = 'never' as 'once';
  }, 'argument/invalid');
  await t.throws(() => {
    crowd.updateRate = 'never' as 'full';
  }, 'argument/invalid');
  await t.throws(() => {
    crowd.transitionDuration = NaN;
  }, 'argument/invalid');
  t.equal(
    [crowd.count, crowd.bounds, crowd.times(), crowd.loopMode, crowd.updateRate, crowd.transitionDuration],
    [2, bounds, Float64Array.of(0.5, 1), 'repeat', 'auto', 0],
  );
  crowd.set({});
  crowd.remove();
  crowd.remove();
  for (const call of [
    () => crowd.set({}),
    () => crowd.times(),
    () => crowd.bounds,
    () => crowd.visibleCount,
    () => crowd.play(),
    () => {
      crowd.count = 1;
    },
  ]) {
    await t.throws(call, 'actor/removed');
  }
  const other = await add({ count: 1 });
  const adding = add({ count: 1 });
  viewer.dispose();
  await t.throws(() => adding, /load\/aborted|viewer\/disposed/);
  await t.throws(() => other.times(), 'viewer/disposed');
});

test(
  'crowd: the removal frees its model and leaves other actors unchanged',
  async (t) => {
    const viewer = await empty(t);
    await viewer.load(SAMPLE);
    const alone = viewer.liveObjects();
    const own = await viewer.addCrowd(t.some(viewer.model), { count: 5 });
    const other = await viewer.addCrowd(model().glb, { count: 3 });
    const same = await viewer.addCrowd(other.model, { count: 2, positions: [0, 3, 0, 1, 3, 0] });
    await picture(t, viewer);
    t.equal([own.visibleCount, other.visibleCount, same.visibleCount, viewer.stats.actors], [5, 3, 2, 11]);
    t.ok((viewer.liveObjects()['buffers'] ?? 0) > (alone['buffers'] ?? 0));
    other.remove();
    await picture(t, viewer);
    same.count = 4;
    await picture(t, viewer);
    t.equal([own.visibleCount, same.visibleCount], [5, 4]);
    own.remove();
    same.remove();
    await t.throws(() => viewer.addCrowd(same.model), 'argument/invalid');
    const { programs: after, ...left } = viewer.liveObjects();
    const { programs: had, ...before } = alone;
    t.equal(left, before);
    t.ok(Number(after) > Number(had), 'programs stay');
    viewer.unload();
    const crowd = await viewer.addCrowd(SAMPLE, { count: 2 });
    t.equal([viewer.model, crowd.visibleCount], [null, 2], 'without a model of the viewer');
  },
  { all: true },
);

test(
  'crowd: survives a context loss',
  async (t) => {
    const canvas = t.canvas(300, 200);
    const viewer = await createViewer(canvas, { maxDpr: 1, background: [0.8, 0.8, 0.8, 1] });
    viewer.timeline = 'manual';
    const crowd = await six(viewer);
    const first = await picture(t, viewer);
    const loss = new Loss(t, canvas);
    let restored = 0;
    viewer.addEventListener('contextrestored', () => (restored += 1));
    loss.take();
    await t.until(() => loss.times === 1, 'it is lost');
    crowd.set({ first: 5, scales: [0.6] });
    await t.until(() => restored === 1, 'it is back');
    t.samePixels(await picture(t, viewer), first, { channel: 1 });

    const late = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
    await late.load(model().glb);
    const next = new Loss(t, late.canvas);
    next.at('linkProgram');
    const made = await late.addCrowd(SAMPLE, { count: 3 });
    t.equal([next.times, made.count], [1, 3], 'and one while its programs are built');
    await picture(t, late);
    t.equal(made.visibleCount, 3);
  },
  { all: true },
);

test(
  'crowd: debug views do not change members',
  async (t) => {
    const viewer = await empty(t);
    await viewer.load(SAMPLE);
    await viewer.addCrowd(t.some(viewer.model), { count: 3, positions: [1, 0, 0, -1, 0, 0, 0, 0, -2] });
    for (const view of ['skeleton names bounds', 'wireframe normal-lines', 'normals', 'bind-pose grid', 'none']) {
      viewer.debug = view;
      const now = await picture(t, viewer);
      if (view === 'normals') await t.save('crowd-debug.png', now);
    }
    const { x, y } = t.some(viewer.project(t.some(viewer.boundingSphere).center));
    t.ok(viewer.pick(x, y) !== null);
  },
  { all: true },
);

test(
  'crowd: level of detail keeps small members smooth',
  async (t) => {
    const viewer = await empty(t, [SIZE * 4, SIZE * 3]);
    const count = 24;
    const crowd = await viewer.addCrowd(SAMPLE, {
      count,
      clips: Array.from({ length: count }, (_, i) => i % 5),
      times: Array.from({ length: count }, (_, i) => (i * 0.37) % 1.5),
      positions: Array.from({ length: count }, (_, i) => [(i % 12) * 2.5 - 15, 0, Math.floor(i / 12) * -3]).flat(),
    });
    viewer.camera = { target: [0, 1, -10], distance: 60, azimuth: 0, polar: 1.2 };
    for (let frame = 0; frame < 3; frame++) {
      viewer.advance(1 / 60);
      const mixed = await picture(t, viewer);
      crowd.updateRate = 'full';
      const exact = await picture(t, viewer);
      crowd.updateRate = 'auto';
      t.samePixels(mixed, exact, { channel: 60, outliers: 0.001 });
    }
  },
  { all: true },
);
