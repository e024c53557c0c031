// Features are modules and scripts of their own. The core is whole without them, and only calls that need one fetch it.

import { createViewer, loadAsset, use, type GambolError, type Viewer } from 'gambol';
import { OTHERS, freshPages, longTests, test, type T } from '../../page/api.ts';
import { details, made, placed, shown } from '../support/element.ts';
import { blocked, FEATURES, fetched, namesFiles, nothingFetched } from '../support/features.ts';
import { picture, recorded } from '../support/watch.ts';
import { needsWorkers, remote } from '../support/workers.ts';

freshPages('they observe which features a page loads');

/** The seconds of a step of time. */
const STEP = 1 / 30;

/** A performance that needs the core alone: the hash of the pose and the matrices of two joints, for each frame. */
async function performed(t: T, meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<string[]> {
  const viewer = await createViewer(t.canvas(64, 64));
  const warnings = recorded(viewer, ['warning', 'error']);
  viewer.timeline = 'manual';
  await viewer.load('/sample.glb');
  const frames: string[] = [];
  const steps = (count: number): void => {
    for (let i = 0; i < count; i++) {
      viewer.advance(STEP);
      const joints = ['Head', 'HandR'].map((name) => Array.from(viewer.joint(name).world).join());
      frames.push([viewer.poseHash(), ...joints].join(' '));
    }
  };
  viewer.play('Walk');
  steps(4);
  viewer.play('Run', { transition: 'crossfade', transitionDuration: 0.4 });
  steps(4);
  // Interrupts the crossfade.
  viewer.play('Idle', { transition: 'inertial', transitionDuration: 0.4 });
  steps(4);
  await meanwhile();
  steps(4);
  viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0.2 });
  viewer.layers.add('Idle', { mode: 'additive', reference: 'first', weight: 0.4 });
  steps(4);
  viewer.joint('Head').lookAt([1, 1.2, 2], { limit: 1 });
  steps(4);
  viewer.joint('HandR').ik([0.4, 1.1, 0.3], { pole: [0, 0, -1] });
  steps(4);
  viewer.joint('Tail1').override({ rotation: [0, 0.3, 0, 0.95] });
  const gait = viewer.blendSpace({
    clips: [
      ['Walk', 0],
      ['Run', 1],
    ],
  });
  gait.value = 0.4;
  viewer.play(gait);
  steps(4);
  t.equal(warnings, []);
  t.equal(new Set(frames).size, frames.length, 'the pose changes in each frame');
  viewer.dispose();
  return frames;
}

test('features: without their modules poses have the same bits', async (t) => {
  const block = await blocked(t);
  const without = await performed(t);
  t.equal(block.asked(), [], 'nothing is asked for');
  await block.release();
  // They arrive in the middle of a transition.
  const during = await performed(t, () => use());
  t.equal(await fetched(t), [...FEATURES]);
  t.equal(during, without);
  t.equal(await performed(t), without);
});

/** The positions of all joints of a viewer. */
function positions(viewer: Viewer): Float32Array {
  return Float32Array.from(viewer.joints.flatMap((_, i) => [...viewer.joint(i).world.slice(12, 15)]));
}

/** The largest distance between two positions of a joint. */
function distance(a: Float32Array, b: Float32Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i += 3) {
    const moved = [i, i + 1, i + 2].map((at) => (a[at] ?? NaN) - (b[at] ?? NaN));
    most = Math.max(most, Math.hypot(...moved));
  }
  return most;
}

test('features: without their modules no frame jumps when clips change', async (t) => {
  const block = await blocked(t);
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  await viewer.load('/sample.glb');
  /** The largest movement of a joint in the frame of a change, divided by that in the frames around it. */
  const jump = (change: () => void): number => {
    let before = positions(viewer);
    const moved = Array.from({ length: 24 }, (_, frame) => {
      if (frame === 12) change();
      viewer.advance(1 / 240);
      const now = positions(viewer);
      const most = distance(now, before);
      before = now;
      return most;
    });
    const [own = NaN] = moved.splice(12, 1);
    return own / Math.max(...moved);
  };
  viewer.play('Walk');
  viewer.advance(0.3);
  const changes: [name: string, change: () => void][] = [
    ['crossfade', () => viewer.play('Run', { transition: 'crossfade', transitionDuration: 0.3 })],
    ['inertial', () => viewer.play('Walk', { transition: 'inertial', transitionDuration: 0.3 })],
    ['interrupted', () => viewer.play('Wave', { transition: 'crossfade', transitionDuration: 0.3 })],
    ['layer', () => viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0.2 })],
    ['transitionTo', () => viewer.transitionTo('Run', { sync: 'phase' })],
  ];
  for (const [name, change] of changes) {
    const ratio = jump(change);
    t.ok(ratio < 2, `${name}: ${ratio}`);
  }
  viewer.advance(1);
  // The same measure finds a jump.
  const cut = jump(() => viewer.play('Jump', { transition: 'cut' }));
  t.ok(cut > 2, `cut: ${cut}`);
  t.equal(block.asked(), []);
});

test('features: a page without calls that need one requests nothing after load()', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  const events = recorded(viewer, ['firstframe', 'load', 'warning']);
  await viewer.load('/sample.glb');
  viewer.play('Walk');
  viewer.layers.add('Wave', { mask: 'ShoulderR/**' });
  t.equal(events, ['firstframe', 'load']);
  const { length } = await t.requests();
  await t.sleep(3000);
  t.equal((await t.requests()).slice(length), []);
  t.equal(
    FEATURES.map((name) => viewer.uses(name)),
    FEATURES.map(() => false),
  );
  await nothingFetched(t);
});

test('features: an element without markup that needs one requests nothing after `load`', async (t) => {
  const element = placed({ src: '/sample.glb', autoplay: '', controls: '', 'camera-controls': '' });
  const order: string[] = [];
  for (const name of ['firstframe', 'load'] as const) element.addEventListener(name, () => order.push(name));
  await t.until(() => element.loaded, 'the model');
  t.equal(order, ['firstframe', 'load']);
  const { length } = await t.requests();
  await t.sleep(3000);
  t.equal((await t.requests()).slice(length), []);
  await nothingFetched(t);
});

longTests(OTHERS);

for (const name of FEATURES) {
  test(`features: use('${name}') requests its module alone, once`, async (t) => {
    const viewer = await createViewer(t.canvas(32, 32));
    await Promise.all([viewer.use(name), viewer.use(name), use(name)]);
    t.equal([await fetched(t), viewer.uses(name)], [[name], true]);
    const { length } = await t.requests();
    await viewer.use(name);
    t.equal((await t.requests()).slice(length), []);
    const modules = (await t.requests()).map(({ path }) => path).filter((path) => path.endsWith('.wasm'));
    t.equal(new Set(modules).size, modules.length, 'each module once');
  });
}

test('features: concurrent calls start a feature once', async (t) => {
  const { instantiate, Instance } = WebAssembly;
  const seen: WebAssembly.Module[] = [];
  WebAssembly.instantiate = ((source: WebAssembly.Module, imports?: WebAssembly.Imports) => {
    seen.push(source);
    return instantiate(source, imports);
  }) as typeof instantiate;
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      seen.push(module);
    }
  };
  const viewers = await Promise.all([createViewer(t.canvas(32, 32)), createViewer(t.canvas(32, 32))]);
  const calls = viewers.map((viewer) => viewer.use('retargeting', 'faces', 'body'));
  await Promise.all([...calls, use('body', 'retargeting'), ...viewers.map((viewer) => viewer.load('/sample.glb'))]);
  t.equal(await fetched(t), ['body', 'faces', 'retargeting']);
  t.equal(new Set(seen).size, seen.length, 'no module has two instances');
  t.equal(seen.length, 5, 'the core, three features, and the module that they share');
});

test('features: no request is synchronous', async (t) => {
  globalThis.XMLHttpRequest = class {
    constructor() {
      throw new Error('The page stood still.');
    }
  } as unknown as typeof XMLHttpRequest;
  const element = await shown(t, { features: 'picking' });
  const viewer = t.some(element.viewer);
  viewer.pick(50, 50);
  await t.throws(() => viewer.setRootMotion('in-place'), 'feature/not-used');
  await viewer.use();
  viewer.setRootMotion('in-place');
  await viewer.toBlob({ width: 8 });
});

test('features: use() refuses names of other things, and unknown words of the attribute are warnings', async (t) => {
  const viewer = await createViewer(t.canvas(32, 32));
  const error = (await t.throws(() => viewer.use('springs' as 'body'), 'argument/invalid')) as GambolError;
  t.ok(error.message.includes('springs') && error.message.includes('body'), error.message);
  await t.throws(() => use('more' as 'body'), 'argument/invalid');
  viewer.dispose();
  await t.throws(() => viewer.use('body'), 'viewer/disposed');
  await nothingFetched(t);
  const element = made({ src: '/sample.glb' });
  const warnings = details<GambolError>(element, 'warning');
  element.features = 'picking springs states';
  document.body.append(element);
  await t.until(() => element.loaded, 'the model');
  t.equal(
    warnings.map(({ code, message }) => [code, message.includes('springs')]),
    [['argument/invalid', true]],
  );
  t.equal([element.features, await fetched(t)], ['picking springs states', ['picking', 'states']]);
});

test('features: element.use() and the attribute work before there is a viewer, and later', async (t) => {
  const element = placed({ loading: 'lazy', features: 'picking' });
  const using = element.use('body');
  element.src = '/sample.glb';
  await t.until(() => element.loaded, 'the model');
  await using;
  const viewer = t.some(element.viewer);
  t.equal([viewer.uses('picking'), viewer.uses('body'), viewer.uses('states')], [true, true, false]);
  element.features = 'picking states';
  await t.until(() => viewer.uses('states'), 'the next word');
  t.equal(await fetched(t), ['body', 'picking', 'states']);
  element.features = 'all';
  await t.until(() => FEATURES.every((name) => viewer.uses(name)), 'all');
});

test('features: one that is lost rejects use(), the others run, and the next call tries again', async (t) => {
  const viewer = await createViewer(t.canvas(32, 32));
  await viewer.load('/sample.glb');
  const block = await blocked(t);
  const hash = viewer.poseHash();
  const error = (await t.throws(() => viewer.use('states'), 'load/chunk')) as GambolError;
  namesFiles(t, error.message, ['states']);
  t.ok(error.url?.endsWith('gambol.states.wasm'), error.url);
  t.equal([viewer.uses('states'), viewer.poseHash()], [false, hash]);
  await t.throws(() => viewer.use('states'), 'load/chunk');
  await block.release();
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) =>
    String(input).includes('gambol.light.wasm') ? Promise.reject(new TypeError('offline')) : fetch(input, options);
  await t.refuse('wasm-inline', 9999);
  const { message } = (await t.throws(() => viewer.use('states', 'light'), 'load/chunk')) as GambolError;
  namesFiles(t, message, ['light']);
  t.equal([viewer.uses('states'), viewer.uses('light')], [true, false]);
  globalThis.fetch = fetch;
  await viewer.use('light');
  t.ok(viewer.uses('light'));
});

test('features: one whose script is lost rejects use(), and its calls work after the next one', async (t) => {
  t.expectTrouble(/503|Failed to load|[Mm]odule|MIME/);
  const viewer = await createViewer(t.canvas(32, 32));
  await viewer.load('/sample.glb');
  const tail = viewer.joint('Tail1');
  await t.refuse('/body-script-', 99);
  const error = (await t.throws(() => viewer.use('body', 'states'), 'load/chunk')) as GambolError;
  t.ok(error.message.includes('body'), error.message);
  t.equal([viewer.uses('body'), viewer.uses('states')], [false, true]);
  await t.throws(() => tail.spring(), 'feature/not-used');
  await t.throws(() => viewer.setRootMotion('in-place'), 'feature/not-used');
  await t.refuse('/body-script-', 0);
  await viewer.use('body');
  tail.spring();
  viewer.setRootMotion('in-place');
});

test('features: the script with the same bytes is the fallback for a file that the server loses', async (t) => {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) =>
    /gambol\.\w+\.wasm/.test(String(input))
      ? Promise.resolve(new Response('', { status: 404 }))
      : fetch(input, options);
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load('/sample.glb');
  await viewer.use();
  t.equal(
    FEATURES.map((name) => viewer.uses(name)),
    FEATURES.map(() => true),
  );
  t.ok(viewer.pick(32, 32), 'it picks');
  t.ok(
    (await t.requests()).some(({ path }) => path.endsWith('wasm-inline.js')),
    'from the script',
  );
});

test('features: those of another build are refused', async (t) => {
  const module = async (file: string): Promise<WebAssembly.Module> =>
    WebAssembly.compile(await (await fetch(`/gambol/dist/${file}`)).arrayBuffer());
  const exports = WebAssembly.Module.exports(await module('gambol.wasm')).map(({ name }) => name);
  for (const name of ['humanoid', ...FEATURES]) {
    const shared = WebAssembly.Module.imports(await module(`gambol.${name}.wasm`))
      .filter(({ kind }) => kind === 'memory')
      .map(({ name }) => name);
    const [memory = ''] = shared;
    t.ok(shared.length === 1 && exports.includes(memory) && /[0-9a-f]{8}/.test(memory), `${name}: ${String(shared)}`);
  }
});

test('features: the first frame has the settings that were made before load()', async (t) => {
  // A shared context leaves the picture in the canvas.
  const viewer = await createViewer(t.canvas(64, 64), { renderer: 'shared', maxDpr: 1 });
  const events = recorded(viewer, ['firstframe', 'load', 'warning']);
  let first: ImageData | undefined;
  viewer.addEventListener('firstframe', () => (first = t.pixels(viewer.canvas)));
  viewer.skybox = true;
  viewer.debug = 'skeleton';
  viewer.skinning = 'dual-quaternion';
  await viewer.load('/sample.glb');
  t.equal(events, ['firstframe', 'load']);
  t.equal([viewer.skinning, viewer.debug, await fetched(t)], ['dual-quaternion', ['skeleton'], ['extras', 'light']]);
  const pixels = t.some(first);
  t.equal(
    pixels.data.findIndex((value, i) => i % 4 === 3 && value < 255),
    -1,
    'a sky everywhere',
  );
  await t.frames(3);
  t.samePixels(pixels, t.pixels(viewer.canvas));
  viewer.debug = 'none';
  await t.frames(3);
  const without = t.pixels(viewer.canvas);
  t.ok(
    pixels.data.some((value, i) => value !== without.data[i]),
    'the skeleton was there',
  );
});

test('features: a setting whose feature is lost is a warning, and load() resolves without it', async (t) => {
  const block = await blocked(t);
  const viewer = await createViewer(t.canvas(64, 64));
  const warnings = details<GambolError>(viewer, 'warning');
  viewer.shadowIntensity = 0.5;
  viewer.debug = 'skeleton';
  await viewer.load('/sample.glb');
  t.equal(
    warnings.map(({ code }) => code),
    ['load/chunk', 'load/chunk'],
  );
  t.equal(block.asked(), ['extras', 'light']);
  const before = viewer.toDataURL();
  await block.release();
  viewer.debug = 'wireframe';
  await t.until(() => viewer.toDataURL() !== before, 'the next setting tries again');
  t.equal([warnings.length, await fetched(t)], [2, ['extras']]);
});

test('features: in a worker, a call directly after use() has its place among the others', async (t) => {
  await needsWorkers(t);
  const options = { maxDpr: 1, background: [0.9, 0.9, 0.9, 1] } as const;
  const there = await remote(t, options, [128, 128]);
  const here = await createViewer(t.canvas(128, 128), options);
  t.equal(await fetched(t), ['extras']);
  for (const viewer of [there, here]) {
    viewer.timeline = 'manual';
    await viewer.load('/sample.glb');
    viewer.play('Walk');
    viewer.advance(0.1);
    const using = viewer.use('body', 'faces');
    viewer.layers.add('Wave', { mask: 'ShoulderR/**' });
    viewer.advance(0.1);
    await using;
    viewer.joint('Tail1').spring({ stiffness: 0.4, gravity: 0.5 });
    viewer.setRootMotion('in-place');
    for (let i = 0; i < 10; i++) viewer.advance(STEP);
  }
  t.equal(there.poseHash(), here.poseHash());
  t.samePixels(await picture(t, there), await picture(t, here), { channel: 1 });
});

test('features: those that were used are there again after a panic', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load('/sample.glb');
  await viewer.use('picking', 'body');
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, unknown>;
  const calls = ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];
  const before = calls.map((name) => prototype[name]);
  for (const name of calls) {
    prototype[name] = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
  }
  const { finished } = viewer.play('Walk');
  await t.throws(() => finished, 'wasm/panic');
  calls.forEach((name, i) => (prototype[name] = before[i]));
  const next = await createViewer(t.canvas(64, 64));
  await next.load('/sample.glb');
  t.equal([next.uses('picking'), next.uses('body'), next.uses('light')], [true, true, false]);
  t.ok(next.pick(32, 32), 'it picks');
  next.setRootMotion('in-place');
  const modules = (await t.requests()).map(({ path }) => path).filter((path) => path.endsWith('.wasm'));
  t.equal(new Set(modules).size, modules.length, 'each module is fetched once');
});

test('features: errors of files need none', async (t) => {
  const block = await blocked(t);
  const viewer = await createViewer(t.canvas(32, 32));
  for (const broken of [
    '{"asset":{"version":"2.0"},"scene":7,"scenes":[{"nodes":[3]}]}',
    '{"asset":{"version":"1.0"}}',
  ]) {
    await t.throws(() => viewer.load(new Blob([broken])), /import/);
  }
  t.equal(block.asked(), []);
});

test('features: an asset samples without any', async (t) => {
  const asset = await loadAsset('/sample.glb');
  t.ok(asset.sample('Walk', 0.5).hash.length > 0, 'a hash');
  t.equal(await fetched(t), []);
});
