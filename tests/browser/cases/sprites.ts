// Flip-books, billboards and sprites: by scripts, by the keys of a file, by children, in a worker, after a lost context.

import { createViewer, type FlipbookOptions, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { png } from './support/model.ts';
import { SIZE, Scene, Seen, seen, texel, through, type Json, type Rgb } from './support/scene.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

const SHEET: FlipbookOptions = { columns: 4, rows: 4, fps: 10 };

/** A square in the colours of 16 texels, without light; its clip moves a node that is not seen. */
function sheet(more: (scene: Scene) => void = () => undefined): Scene {
  const scene = new Scene();
  const material = scene.unlit([1, 1, 1], { index: scene.texture() });
  scene.json.materials[material].name = 'Sheet';
  scene.node({ name: 'Square', mesh: scene.square(material) });
  const other = scene.node({ name: 'Other' });
  scene.add('animations', {
    name: 'Move',
    samplers: [{ input: scene.accessor('SCALAR', [0, 2]), output: scene.accessor('VEC3', [0, 0, 0, 0, 0, 0]) }],
    channels: [{ sampler: 0, target: { node: other, path: 'translation' } }],
  });
  more(scene);
  return scene;
}

/** A viewer whose timeline only the test moves. */
async function byHand(t: T, scene: Scene = sheet()): Promise<Viewer> {
  const viewer = await through(t, scene);
  viewer.timeline = 'manual';
  viewer.advance(0);
  return viewer;
}

/** The colours at four places of the square. */
async function colours(t: T, viewer: Viewer): Promise<Rgb[]> {
  return corners(await seen(t, viewer));
}

function corners(now: Seen): Rgb[] {
  const places = [
    [-0.7, 0.7],
    [0.7, 0.7],
    [-0.7, -0.7],
    [0.7, -0.7],
  ] as const;
  return places.map(([x, y]) => now.texel(x, y));
}

/** The colours if one cell covers the square. */
const cell = (index: number): Rgb[] => Array.from({ length: 4 }, () => texel(index % 4, index >> 2));

test('sprites: invalid arguments are errors without effect', async (t) => {
  const viewer = await byHand(t);
  const before = await picture(t, viewer);
  const material = viewer.material('Sheet');
  t.equal([material.name, material.index, material.cell, viewer.model?.materials], ['Sheet', 0, null, ['Sheet']]);
  for (const wrong of [
    { columns: 0, rows: 4 },
    { columns: -1, rows: 4 },
    { columns: 1.5, rows: 4 },
    { columns: 4, rows: NaN },
    { columns: 4 },
    { ...SHEET, frames: 17 },
    { ...SHEET, frames: 0 },
    { ...SHEET, start: 16 },
    { ...SHEET, start: 10, frames: 7 },
    { ...SHEET, fps: NaN },
    { ...SHEET, fps: Infinity },
    { ...SHEET, fps: '12' },
    { ...SHEET, loopMode: 'twice' },
    { ...SHEET, clock: 'page' },
    { ...SHEET, speed: 2 },
    'sheet',
  ])
    await t.throws(() => material.flipbook(wrong as FlipbookOptions), 'argument/invalid');
  await t.throws(() => viewer.material('Shete'), /did you mean “Sheet”/);
  await t.throws(() => viewer.material('Shete'), 'material/not-found');
  await t.throws(() => viewer.material(1), 'material/not-found');
  await t.throws(() => viewer.material({} as string), 'material/not-found');
  await t.throws(() => viewer.joint('Squaer'), 'joint/not-found');
  await t.throws(() => viewer.joint('Square').billboard('round' as 'full'), 'argument/invalid');
  for (const size of [0, -1, NaN, [1], [1, 0], 'big'])
    await t.throws(() => viewer.addSprite('/none.png', { size: size as number }), 'argument/invalid');
  await t.throws(() => viewer.addSprite('/none.png', { flipbook: { columns: 0, rows: 1 } }), 'argument/invalid');
  await t.throws(() => viewer.addSprite('/none.png', { billboard: 'round' as 'full' }), 'argument/invalid');
  await t.throws(() => viewer.addSprite('/none.png'), 'fetch/http');
  await t.throws(() => viewer.addSprite(new Blob(['no image'])), 'image/unsupported');
  await t.throws(() => viewer.addSprite({} as Blob), 'argument/invalid');
  await t.throws(async () => viewer.addSprite(await png(), { attachTo: { joint: 'Squaer' } }), 'joint/not-found');
  t.equal(viewer.stats.actors, 1);
  t.samePixels(await picture(t, viewer), before);
  viewer.unload();
  await t.throws(() => viewer.material('Sheet'), 'actor/removed');
  await t.throws(() => material.cell, 'actor/removed');
});

test('flip-book: the cell is that of the time, forwards, backwards and by jumps', async (t) => {
  const viewer = await byHand(t);
  const whole = await picture(t, viewer);
  t.equal(corners(new Seen(whole)), [texel(0, 0), texel(3, 0), texel(0, 3), texel(3, 3)], 'the whole texture');
  const material = viewer.material('Sheet');
  material.flipbook(SHEET);
  let time = 0;
  const at = async (to: number): Promise<number | null> => {
    viewer.advance(to - time);
    time = to;
    const { cell: index } = material;
    t.equal(await colours(t, viewer), cell(t.some(index)), `at ${to}`);
    return index;
  };
  t.equal([await at(0), await at(0.05), await at(0.1), await at(0.75), await at(1.61)], [0, 0, 1, 7, 0]);
  t.equal([await at(0.35), await at(-0.05)], [3, 15]);
  material.flipbook({ ...SHEET, fps: -10 });
  t.equal([await at(-0.05), await at(0.1)], [15, 14], 'it begins at its last cell, with the call');
  material.flipbook({ ...SHEET, start: 5, frames: 3, loopMode: 'pingpong' });
  const begin = time;
  const turn: (number | null)[] = [];
  for (let i = 0; i < 6; i++) turn.push(await at(begin + i / 10 + 0.01));
  t.equal(turn, [5, 6, 7, 6, 5, 6]);
  material.flipbook({ ...SHEET, start: 2, frames: 2, loopMode: 'once' });
  t.equal([await at(time + 5), await at(time - 4.99), await at(time - 3)], [3, 2, 2]);
  material.flipbook(null);
  t.equal(material.cell, null);
  t.samePixels(await picture(t, viewer), whole);
});

test('flip-book: it applies after the texture transform of the file, and to one actor alone', async (t) => {
  const scene = sheet();
  scene.use('KHR_texture_transform');
  // The left half of the texture, so that a cell shows its own left half.
  scene.json.materials[0].pbrMetallicRoughness.baseColorTexture.extensions = {
    KHR_texture_transform: { scale: [0.5, 1] },
  };
  scene.json.nodes[1].scale = [0.5, 1, 1];
  scene.json.nodes[1].translation = [-0.5, 0, 0];
  const viewer = await byHand(t, scene);
  const second = await viewer.add(t.some(viewer.model), { position: [1, 0, 0] });
  viewer.activeCamera = 0;
  viewer.material('Sheet').flipbook({ columns: 2, rows: 2, fps: 10 });
  viewer.advance(0.1);
  const rows = async (x: number): Promise<Rgb[]> => {
    const now = await seen(t, viewer);
    return [now.texel(x - 0.3, 0.6), now.texel(x + 0.3, 0.6), now.texel(x - 0.3, -0.6)];
  };
  t.equal(await rows(-0.5), [texel(2, 0), texel(2, 0), texel(2, 1)], 'the left half of the second cell');
  t.equal(await rows(0.5), [texel(0, 0), texel(1, 0), texel(0, 3)], 'the other actor');
  second.material(0).flipbook({ columns: 4, rows: 4, start: 9, fps: 0 });
  t.equal(await rows(0.5), [texel(1, 2), texel(1, 2), texel(1, 2)], 'a cell of its own');
  t.equal(await rows(-0.5), [texel(2, 0), texel(2, 0), texel(2, 1)]);
});

test('flip-book: with the clock of the clip it pauses, seeks and turns back with the clip', async (t) => {
  const viewer = await byHand(t);
  const material = viewer.material('Sheet');
  material.flipbook({ ...SHEET, clock: 'clip' });
  viewer.play('Move');
  viewer.advance(0.52);
  t.equal([material.cell, await colours(t, viewer)], [5, cell(5)]);
  viewer.playbackRate = -1;
  viewer.advance(0.3);
  t.equal([material.cell, await colours(t, viewer)], [2, cell(2)]);
  viewer.pause();
  viewer.advance(7);
  t.equal(material.cell, 2);
  await viewer.seek(1.25);
  t.equal([material.cell, await colours(t, viewer)], [12, cell(12)]);
});

test('flip-book: stills have the cell of their time, and recordings that of the timeline', async (t) => {
  const viewer = await byHand(t);
  viewer.material('Sheet').flipbook(SHEET);
  viewer.advance(0.2);
  const still = async (time: number): Promise<Rgb[]> =>
    corners(new Seen(t.pixels(await viewer.renderAt(time, { width: SIZE, height: SIZE }))));
  t.equal([await still(0.55), await still(1.2), await still(0)], [cell(5), cell(12), cell(0)]);
  t.equal(await colours(t, viewer), cell(2), 'the picture goes on');
  const frames: Rgb[][] = [];
  for (let i = 0; i < 4; i++) {
    viewer.advance(1 / 20);
    frames.push(await colours(t, viewer));
  }
  t.equal(frames, [cell(2), cell(3), cell(3), cell(4)]);
});

test('flip-book: it plays while everything else rests, and a rebased timeline does not move it', async (t) => {
  const viewer = await through(t, sheet());
  viewer.pause();
  const material = viewer.material('Sheet');
  material.flipbook({ ...SHEET, fps: 30 });
  await t.until(() => material.cell !== 0, 'the next cell');
  let now = 1000;
  viewer.timeline = () => now;
  await t.frames(2);
  const before = material.cell;
  await t.frames(2);
  t.equal(material.cell, before, 'the new clock stands still');
  now += 1 / 30;
  await t.frames(3);
  t.equal(material.cell, (t.some(before) + 1) % 16);
});

test('flip-book: STEP keys of KHR_animation_pointer show one cell at each time', async (t) => {
  const scene = new Scene();
  scene.use('KHR_texture_transform');
  const material = scene.unlit([1, 1, 1], {
    index: scene.texture(),
    extensions: { KHR_texture_transform: { scale: [0.25, 0.25] } },
  });
  scene.node({ mesh: scene.square(material) });
  const times = Array.from({ length: 16 }, (_, i) => i / 8);
  const offsets = times.flatMap((_, i) => [(i % 4) / 4, (i >> 2) / 4]);
  const path = 'pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset';
  scene.animate(`/materials/0/${path}`, 'VEC2', times, offsets);
  scene.json.animations[0].samplers[0].interpolation = 'STEP';
  const viewer = await through(t, scene);
  viewer.pause();
  for (const [time, index] of [
    [0, 0],
    [0.1, 0],
    [0.125, 1],
    [0.999, 7],
    [1, 8],
    [1.8, 14],
    [1.875, 15],
  ] as const) {
    await viewer.seek(time);
    t.equal(await colours(t, viewer), cell(index), `at ${time}`);
  }
  viewer.playbackRate = -1;
  viewer.timeline = 'manual';
  await viewer.seek(0.4);
  viewer.play();
  viewer.advance(0.1);
  t.equal(await colours(t, viewer), cell(2), 'backwards');
});

/** A square of four colours that is turned away, seen by the viewer's own camera. */
async function turned(
  t: T,
  make = (): Promise<Viewer> => createViewer(t.canvas(96, 96), { maxDpr: 1 }),
): Promise<Viewer> {
  const viewer = await make();
  const scene = sheet((made) => {
    made.json.nodes[1].rotation = [0.3, 0.5, 0.2, Math.sqrt(1 - 0.38)];
    made.json.nodes[1].scale = [0.5, 0.5, 0.5];
  });
  viewer.background = [0, 0, 0, 1];
  viewer.timeline = 'manual';
  await viewer.load(scene.file());
  viewer.camera = { azimuth: 0, polar: Math.PI / 2, distance: 3, target: [0, 0, 0], fovY: 0.6 };
  return viewer;
}

test('billboard: full has the same picture from everywhere, axis from around', async (t) => {
  const viewer = await turned(t);
  const flat = await picture(t, viewer);
  const square = viewer.joint('Square');
  const { world } = square;
  square.billboard('full');
  const front = await picture(t, viewer);
  t.ok(
    corners(new Seen(front)).every((color) => Math.max(...color) < 20),
    'the square is in the middle',
  );
  t.equal(
    [new Seen(front).texel(-0.45, 0.45), new Seen(front).texel(0.45, -0.45)],
    [texel(0, 0), texel(3, 3)],
    'it is upright',
  );
  for (const [azimuth, polar] of [
    [1.2, 0.8],
    [3.1, 2.2],
    [-2, 0.3],
  ] as const) {
    viewer.camera = { azimuth, polar };
    t.samePixels(await picture(t, viewer), front, { channel: 8, outliers: 0.02 });
  }
  t.equal([...square.world], [...world], 'the joint does not turn');
  // Upright first, so that the axis is vertical.
  square.override({ rotation: [0, 0.3, 0, 1] });
  square.billboard('axis');
  viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
  t.samePixels(await picture(t, viewer), front, { channel: 8, outliers: 0.02 });
  viewer.camera = { azimuth: 2.5 };
  t.samePixels(await picture(t, viewer), front, { channel: 8, outliers: 0.02 });
  viewer.camera = { polar: 0.7 };
  const above = await picture(t, viewer);
  t.ok(
    new Seen(above).at(0, 0.4).every((value) => value < 20),
    'seen from above it is lower',
  );
  square.override(null);
  square.billboard(null);
  viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
  t.samePixels(await picture(t, viewer), flat);
});

test('billboard: picking, bounds and hashes', async (t) => {
  const viewer = await turned(t);
  const hash = viewer.poseHash();
  viewer.joint('Square').billboard('full');
  viewer.camera = { azimuth: Math.PI / 2, polar: Math.PI / 2 };
  const { normal, position } = t.some(viewer.pick(48 + 20, 48 - 20), 'a surface');
  t.close(normal, [1, 0, 0], 1e-4);
  t.close(position[0], 0, 1e-4);
  t.close(t.some(viewer.bounds).max, [0, 0.5, 0.5], 1e-3);
  t.close(t.some(viewer.measure()).min, [0, -0.5, -0.5], 1e-3);
  await picture(t, viewer);
  t.equal(viewer.poseHash(), hash, 'the pose does not depend on the camera');
  viewer.camera = { azimuth: 0 };
  t.close(t.some(viewer.bounds).max, [0.5, 0.5, 0], 1e-3);
});

test('billboard: the shadow is that of the turned geometry', async (t) => {
  const viewer = await turned(t);
  viewer.joint('Square').billboard('full');
  viewer.camera = { azimuth: 0, polar: 0.9, distance: 5 };
  viewer.background = [1, 1, 1, 1];
  const without = await picture(t, viewer);
  viewer.shadowIntensity = 1;
  viewer.shadowSoftness = 0;
  const front = await picture(t, viewer);
  const differs = (a: ImageData, b: ImageData): number =>
    a.data.filter((value, i) => Math.abs(value - (b.data[i] ?? 0)) > 8).length;
  t.ok(differs(front, without) > 100, 'there is a shadow');
  const off = viewer.joint('Square');
  off.billboard(null);
  viewer.camera = { azimuth: 0 };
  const flat = await picture(t, viewer);
  t.ok(differs(front, flat) > 100, 'it is another one without the billboard');
});

test('sprite: it follows a joint, faces the camera and never shows the whole sheet', async (t) => {
  const viewer = await turned(t);
  const sheetImage = document.createElement('canvas');
  Object.assign(sheetImage, { width: 64, height: 32 });
  const context = t.some(sheetImage.getContext('2d'));
  for (const [x, color] of [
    [0, '#f00'],
    [32, '#00f'],
  ] as const) {
    context.fillStyle = color;
    context.fillRect(x, 0, 32, 32);
  }
  const blues: number[] = [];
  viewer.addEventListener('frame', () => {
    const { data } = t.pixels(viewer.canvas);
    blues.push(data.filter((value, i) => i % 4 === 2 && value > 200 && (data[i - 2] ?? 0) < 50).length);
  });
  viewer.joint('Square').override({ scale: 1e-3 });
  const sprite = await viewer.addSprite(sheetImage, {
    size: 0.5,
    flipbook: { columns: 2, rows: 1, fps: 10 },
    attachTo: { joint: 'Other', offset: [0, 0.2, 0] },
  });
  t.equal([sprite.joints.map(({ name }) => name), sprite.material('Sprite').cell], [['Sprite'], 0]);
  const size = async (): Promise<readonly [red: number, blue: number]> => {
    const { data } = await picture(t, viewer);
    const count = (channel: number): number => data.filter((value, i) => i % 4 === channel && value > 200).length;
    return [count(0), count(2)];
  };
  const [red, blue] = await size();
  t.equal(blue, 0, 'no bleeding from the other cell');
  // A square of 0.5 m; the canvas shows 2 · 3 · tan(0.3) m.
  const side = (0.5 * 96) / (6 * Math.tan(0.3));
  t.close(Math.sqrt(red), side, 1.5);
  viewer.camera = { azimuth: 2, polar: 1 };
  t.close(Math.sqrt((await size())[0]), side, 1.5, 'from another side');
  viewer.advance(0.1);
  t.equal((await size())[0], 0, 'the second cell');
  const here = sprite.joint(0).world.slice(12, 15);
  viewer.joint('Other').override({ translation: [0.1, 0, 0] });
  t.close(sprite.joint(0).world.slice(12, 15), [(here[0] ?? 0) + 0.1, here[1] ?? 0, here[2] ?? 0], 1e-6);
  t.ok(
    blues.slice(0, -1).every((count) => count === 0),
    blues.join(),
  );
  sprite.remove();
  t.equal(await size(), [0, 0]);
  t.equal(viewer.stats.actors, 1);
});

test('sprite: sources, sizes and formats', async (t) => {
  const viewer = await turned(t);
  const url = URL.createObjectURL(await png(8, '#0f0'));
  const bitmap = await createImageBitmap(await png(8, '#0f0'));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 20, height: 10 });
  canvas.getContext('2d')?.fillRect(0, 0, 20, 10);
  const jpeg = t.some(await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg')));
  const webp = t.some(await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp')));
  for (const [image, size, expected] of [
    [url, 0.5, [0.5, 0.5]],
    [new URL(url), 1, [1, 1]],
    [bitmap, [0.4, 0.2], [0.4, 0.2]],
    [jpeg, 0.5, [1, 0.5]],
    [webp, 0.5, [1, 0.5]],
    [canvas, 0.5, [1, 0.5]],
  ] as const) {
    const sprite = await viewer.addSprite(image, { size, billboard: null, position: [0, 2, 0] });
    const { min, max } = t.some(sprite.bounds);
    t.close([max[0] - min[0], max[1] - min[1]], expected, 1e-3);
    t.equal(sprite.warnings, []);
    sprite.remove();
  }
  const stop = new AbortController();
  stop.abort();
  await t.throws(() => viewer.addSprite(url, { signal: stop.signal }), 'load/aborted');
});

/** A scene with a flip-book, both kinds of billboards and a sprite. */
async function mixed(t: T, make: () => Promise<Viewer>): Promise<Viewer> {
  const viewer = await turned(t, make);
  viewer.material('Sheet').flipbook({ columns: 2, rows: 2, fps: 10 });
  viewer.joint('Square').billboard('axis');
  await viewer.addSprite(await png(8, '#f80'), { size: 0.4, attachTo: { joint: 'Square', offset: [0, 0.6, 0] } });
  viewer.camera = { azimuth: 0.7, polar: 1, distance: 4 };
  viewer.advance(0.25);
  return viewer;
}

test('sprites: a worker has the same pictures', async (t) => {
  const pictures: ImageData[] = [];
  for (const make of [() => createViewer(t.canvas(96, 96), { maxDpr: 1 }), () => remote(t, {}, [96, 96])]) {
    const viewer = await mixed(t, make);
    t.equal(viewer.material(0).cell, 2);
    t.ok(viewer.pick(48, 48), 'the page answers');
    pictures.push(await picture(t, viewer));
    viewer.camera = { azimuth: -1 };
    viewer.advance(0.1);
    pictures.push(await picture(t, viewer));
    pictures.push(t.pixels(await viewer.renderAt(0.1, { width: 96, height: 96 })));
  }
  for (let i = 0; i < 3; i++) t.samePixels(t.some(pictures[i + 3]), t.some(pictures[i]));
});

test('sprites: a lost context leaves them as they are', async (t) => {
  const viewer = await mixed(t, () => createViewer(t.canvas(96, 96), { maxDpr: 1 }));
  const before = await picture(t, viewer);
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  let back = false;
  viewer.addEventListener('contextrestored', () => (back = true));
  await t.until(() => back, 'the context');
  await t.frames(2);
  t.samePixels(await picture(t, viewer), before);
});

test('sprites: dual quaternions and the CPU have the same pictures', async (t) => {
  const pictures: ImageData[] = [];
  for (const [skinOn, skinning] of [
    ['gpu', 'linear'],
    ['gpu', 'dual-quaternion'],
    ['cpu', 'linear'],
  ] as const) {
    const viewer = await mixed(t, () => createViewer(t.canvas(96, 96), { maxDpr: 1, skinOn }));
    viewer.skinning = skinning;
    await t.frames(2);
    pictures.push(await picture(t, viewer));
  }
  for (const other of pictures.slice(1)) t.samePixels(other, t.some(pictures[0]), { channel: 2 });
});

test('sprites: children make flip-books, billboards and sprites', async (t) => {
  const make = (name: string, attributes: Readonly<Record<string, string>>): HTMLElement => {
    const child = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
    return child;
  };
  const book = make('gambol-flipbook', { material: 'Sheet', columns: '4', rows: '4', start: '6', fps: '0' });
  const board = make('gambol-billboard', { joint: 'Square' });
  const spark = make('gambol-sprite', {
    src: URL.createObjectURL(await png(8, '#0f0')),
    joint: 'Other',
    size: '0.4 0.2',
    offset: '0 1 0',
  });
  const wrong = [
    make('gambol-flipbook', { material: 'Shete', columns: '4' }),
    make('gambol-flipbook', { material: 'Sheet', columns: '0' }),
    make('gambol-billboard', { joint: 'Squaer' }),
    make('gambol-sprite', { src: '/none.png' }),
  ];
  const element = placed({ 'environment-image': 'none' }, book, board, spark, ...wrong);
  const warnings = details<{ code: string }>(element, 'warning');
  element.src = URL.createObjectURL(sheet().file());
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer);
  await t.until(() => viewer.stats.actors === 2 && warnings.length >= 4, 'the sprite, and the warnings');
  t.equal(warnings.map(({ code }) => code).sort(), [
    'argument/invalid',
    'fetch/http',
    'joint/not-found',
    'material/not-found',
  ]);
  const material = viewer.material('Sheet');
  t.equal(material.cell, 6, 'an invalid flip-book changes nothing');
  for (const child of wrong) child.remove();
  book.setAttribute('start', '7');
  await t.until(() => material.cell === 7, 'another cell');
  viewer.camera = { azimuth: 1 };
  const turnedBy = (): number => t.some(viewer.bounds).max[2];
  t.ok(turnedBy() > 0.5, 'it faces the camera');
  board.remove();
  await t.until(() => turnedBy() < 1e-3, 'the end of the billboard');
  book.remove();
  await t.until(() => material.cell === null, 'the end of the flip-book');
  spark.remove();
  await t.until(() => viewer.stats.actors === 1, 'the end of the sprite');
  element.append(make('gambol-billboard', { joint: 'Square', mode: 'axis' }));
  await t.until(() => turnedBy() > 0.5, 'a new billboard');
});

test('sprites: golden picture', async (t) => {
  const scene = new Scene();
  const material = scene.unlit([1, 1, 1], { index: scene.texture() });
  const mesh = scene.square(material);
  const half = { mesh, scale: [0.28, 0.28, 1] };
  // As in the file, full, and about the axis, which is inclined.
  scene.node({ ...half, name: 'Plain', translation: [-0.66, 0.25, 0], rotation: [0, 0.5, 0, 0.866] });
  scene.node({ ...half, name: 'Full', translation: [0, 0.25, 0], rotation: [0, 0.5, 0, 0.866] });
  scene.node({ ...half, name: 'Axis', translation: [0.66, 0.25, 0], rotation: [0.1, 0.49, 0.1, 0.86] });
  const floor = scene.matt([0.25, 0.27, 0.3]);
  scene.node({
    mesh: scene.square(floor),
    rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    translation: [0, -0.4, 0],
    scale: [1.3, 1, 1],
  });
  const eye = scene.json.nodes[0] as Json;
  scene.json.cameras[0] = { type: 'perspective', perspective: { yfov: 0.5, aspectRatio: 1, znear: 0.1, zfar: 50 } };
  Object.assign(eye, { translation: [0, 2.1, 3.4], rotation: [-Math.sin(0.28), 0, 0, Math.cos(0.28)] });
  const viewer = await createViewer(t.canvas(160, 160), { maxDpr: 1, background: [0.22, 0.23, 0.25, 1] });
  viewer.timeline = 'manual';
  await viewer.load(scene.file());
  viewer.activeCamera = 0;
  viewer.shadowIntensity = 1;
  viewer.joint('Full').billboard('full');
  viewer.joint('Axis').billboard('axis');
  const dot = document.createElement('canvas');
  Object.assign(dot, { width: 96, height: 32 });
  const context = t.some(dot.getContext('2d'));
  ['#fc3', '#f63', '#c3f'].forEach((color, i) => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(16 + 32 * i, 16, 14, 0, 7);
    context.fill();
  });
  for (const [i, joint] of ['Plain', 'Full', 'Axis'].entries())
    await viewer.addSprite(dot, {
      size: 0.3,
      flipbook: { columns: 3, rows: 1, start: i, fps: 0 },
      attachTo: { joint, offset: [0, 0.5, 0] },
    });
  await t.golden('sprites', await picture(t, viewer), { channel: 8, outliers: 0.02 });
});
