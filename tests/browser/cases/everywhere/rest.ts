// The second module: features beyond the first frame are loaded after it, and every call that needs it is answered.

import { createViewer, loadAsset, type GambolError } from 'gambol';
import { OTHERS, longTests, freshPages, test, type T } from '../../page/api.ts';
import { details, placed, shown } from '../support/element.ts';
import { Scene } from '../support/scene.ts';
import { recorded } from '../support/watch.ts';

freshPages('they observe how the second module is loaded, which a page does once');

const REST = 'gambol.more.wasm';

/** The number of requests for the second module. */
async function askedForRest(t: T): Promise<number> {
  return (await t.requests()).filter(({ path }) => path.endsWith(REST)).length;
}

/** Blocks requests for the second module until the returned function is called. */
async function without(t: T): Promise<() => void> {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) =>
    /more\.wasm/.test(String(input)) ? Promise.reject(new TypeError('offline')) : fetch(input, options);
  await t.refuse('wasm-inline', 99);
  t.expectTrouble(/503|Failed to load|wasm-inline/);
  return () => {
    globalThis.fetch = fetch;
  };
}

test('second module: an element shows its model before, and sends `load` after it', async (t) => {
  const element = placed({ src: '/sample.glb', autoplay: '', controls: '' });
  const order: string[] = [];
  const given: Promise<number>[] = [];
  for (const name of ['firstframe', 'load'] as const) {
    element.addEventListener(name, () => {
      order.push(name);
      given.push(askedForRest(t));
    });
  }
  let hit: unknown;
  element.addEventListener('load', () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    hit = element.positionAndNormalFromPoint(left + width / 2, top + height / 2);
  });
  await t.until(() => element.loaded, 'the model');
  t.equal(order, ['firstframe', 'load']);
  t.ok(Boolean(hit), 'the model is hit');
  t.equal((await Promise.all(given))[1], 1);
  element.remove();
  await shown(t);
  t.equal(await askedForRest(t), 1);
});

test('second module: load() resolves after it, and earlier settings apply with it', async (t) => {
  const viewer = await createViewer(t.canvas());
  const events = recorded(viewer, ['firstframe', 'load', 'warning']);
  viewer.debug = 'skeleton';
  viewer.skinning = 'dual-quaternion';
  viewer.skybox = true;
  await viewer.load('/sample.glb');
  t.equal(events, ['firstframe', 'load']);
  t.equal(
    [viewer.poseHash().length > 0, viewer.layers.add(0).weight, viewer.skinning, viewer.debug],
    [true, 1, 'dual-quaternion', ['skeleton']],
  );
  t.equal(await askedForRest(t), 1);
});

longTests(OTHERS);

/** A file with bumpy squares, each with its own tangents or without. */
function bumpy(...tangents: readonly boolean[]): string {
  const scene = new Scene();
  delete scene.json.cameras;
  delete scene.json.nodes[0].camera;
  const normalTexture = { index: scene.texture() };
  for (const has of tangents) {
    const TANGENT = (): number =>
      scene.accessor(
        'VEC4',
        [0, 1, 2, 3].flatMap(() => [1, 0, 0, 1]),
      );
    scene.node({
      mesh: scene.square(scene.matt([0.5, 0.5, 0.5], { normalTexture }), has ? { TANGENT: TANGENT() } : {}),
    });
  }
  return URL.createObjectURL(scene.file());
}

for (const [what, tangents] of [
  ['has', [true]],
  ['lacks', [false]],
  ['lacks some of', [true, false]],
] as const) {
  test(`second module: a file that ${what} its tangents`, async (t) => {
    const element = await shown(t, { src: bumpy(...tangents) });
    t.equal(element.viewer?.warnings, []);
    t.equal(await askedForRest(t), 1);
  });
}

test('second module: samples assets', async (t) => {
  const asset = await loadAsset('/sample.glb');
  t.equal(asset.sample(null).hash.length > 0, true);
  t.equal(await askedForRest(t), 1);
});

test('second module: concurrent loads start it once', async (t) => {
  const { instantiate } = WebAssembly;
  let started = 0;
  WebAssembly.instantiate = ((...given: Parameters<typeof instantiate>) => {
    started += 1;
    return instantiate(...given);
  }) as typeof instantiate;
  const viewers = await Promise.all([createViewer(t.canvas()), createViewer(t.canvas())]);
  await Promise.all(viewers.map((viewer) => viewer.load('/sample.glb')));
  t.equal([started, ...viewers.map((viewer) => viewer.poseHash().length > 0)], [2, true, true]);
});

test('second module: no call blocks', async (t) => {
  globalThis.XMLHttpRequest = class {
    constructor() {
      throw new Error('The page stood still.');
    }
  } as unknown as typeof XMLHttpRequest;
  const element = await shown(t);
  t.ok(t.some(element.viewer).pick(50, 50) !== undefined, 'a call');
});

/** The rejections that no code has handled. */
function unhandled(): unknown[] {
  const seen: unknown[] = [];
  addEventListener('unhandledrejection', ({ reason }) => seen.push(reason));
  return seen;
}

test('second module: without it load() and add() reject, the model is on screen, and another load() works', async (t) => {
  const release = await without(t);
  const lost = unhandled();
  const viewer = await createViewer(t.canvas());
  const events = recorded(viewer, ['firstframe', 'load', 'error']);
  const failure = (await t.throws(() => viewer.load('/sample.glb'), 'load/chunk')) as GambolError;
  t.ok(failure.message.includes(REST), failure.message);
  t.equal(events, ['firstframe', 'error']);
  viewer.transition = 'crossfade';
  viewer.play();
  const { currentTime } = viewer;
  await t.until(() => viewer.currentTime !== currentTime, 'it plays');
  const { model } = viewer;
  await t.throws(() => viewer.add('/sample.glb'), 'load/chunk');
  t.ok(viewer.model === model, 'the model stays');
  release();
  await viewer.load('/sample.glb');
  t.equal([events.at(-1), viewer.poseHash().length > 0, viewer.layers.add(0).weight], ['load', true, 1]);
  await t.frames(2);
  t.equal(viewer.stats.actors, 1, 'nothing is left of the actor that could not be added');
  t.equal(lost, []);
});

test('second module: without it an element sends an error, and its keys and children warn', async (t) => {
  const release = await without(t);
  const lost = unhandled();
  const element = placed({ src: '/sample.glb', autoplay: '', controls: '' });
  const errors = details<GambolError>(element, 'error');
  const warnings = details<GambolError>(element, 'warning');
  await t.until(() => errors.length > 0, 'the error');
  t.equal([errors[0]?.code, element.loaded], ['load/chunk', false]);
  element.insertAdjacentHTML('beforeend', '<gambol-look joint="Head" target="0 1 4"></gambol-look>');
  for (const key of [' ', 'ArrowRight', 'f', 's', 'l', ',', '.']) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  }
  await t.until(() => warnings.some(({ code }) => code === 'load/chunk'), 'a warning');
  release();
  element.src = '/sample.glb?again';
  await t.until(() => element.loaded, 'the next load');
  t.equal(lost, []);
});

test('second module: without it a call throws and changes nothing, and the next one tries again', async (t) => {
  const release = await without(t);
  const element = placed({ src: '/sample.glb' });
  const errors = details<GambolError>(element, 'error');
  const warnings = details<GambolError>(element, 'warning');
  await t.until(() => errors.length > 0, 'the error of the load');
  const viewer = t.some(element.viewer);
  const calls: readonly (readonly [name: string, call: () => unknown])[] = [
    ['poseHash', () => viewer.poseHash()],
    ['pick', () => viewer.pick(50, 50)],
    ['occlusion', () => viewer.occlusion([0, 0, 0])],
    ['surface', () => viewer.surface([0, 0, 0, 1, 2, 1, 0, 0])],
    ['layers.add', () => viewer.layers.add(0)],
    ['transitionTo', () => viewer.transitionTo(0, { transitionDuration: 0.1 })],
    ['setMarkers', () => viewer.setMarkers(0, [{ name: 'a', time: 0 }])],
    ['setRootMotion', () => viewer.setRootMotion('in-place')],
    ['override', () => viewer.joint(0).override({ translation: [0, 1, 0] })],
    ['lookAt', () => viewer.joint(0).lookAt([0, 1, 0])],
  ];
  for (const [name, call] of calls) {
    const failure = (await t.throws(call, 'load/chunk')) as GambolError;
    t.ok(failure.message.includes(REST) && failure.url?.endsWith(REST), `${name}: ${failure.message}`);
  }
  await t.throws(() => viewer.addCrowd(t.some(viewer.model), { count: 2 }), 'load/chunk');
  await t.throws(() => viewer.toBlob({ width: 10 }), 'load/chunk');
  await t.throws(() => viewer.load(bumpy(false)), 'load/chunk');
  viewer.skybox = true;
  viewer.debug = 'skeleton';
  viewer.skinning = 'dual-quaternion';
  await t.until(() => warnings.length === 3, 'three warnings');
  t.equal(
    warnings.map(({ code }) => code),
    ['load/chunk', 'load/chunk', 'load/chunk'],
  );
  viewer.play();
  const { currentTime } = viewer;
  await t.until(() => viewer.currentTime !== currentTime, 'it plays on');
  t.equal(
    [errors.filter(({ code }) => code !== 'load/chunk').length, element.viewer === viewer, viewer.layers.size],
    [0, true, 0],
  );
  release();
  await viewer.load('/sample.glb');
  for (const [, call] of calls) call();
  t.equal(viewer.layers.size, 1);
});

test('second module: without the script of its classes they throw, and the next call tries again', async (t) => {
  await t.refuse('rest-classes');
  t.expectTrouble(/503|Failed to load|rest-classes/);
  const viewer = await createViewer(t.canvas());
  await t.throws(() => viewer.load('/sample.glb'), 'load/chunk');
  viewer.play();
  const { currentTime } = viewer;
  await t.until(() => viewer.currentTime !== currentTime, 'it plays');
  const calls: readonly (() => unknown)[] = [
    () => viewer.joint(0),
    () => viewer.layers.add(0),
    () => viewer.blendSpace({ clips: [[0, 0]] }),
  ];
  for (const call of calls) await t.throws(call, 'load/chunk');
  await t.until(() => {
    try {
      return Boolean(viewer.joint(0));
    } catch {
      return false;
    }
  }, 'the script is loaded again');
  for (const call of calls) call();
  t.equal((await viewer.add('/sample.glb')).joints.length, viewer.joints.length);
});

test('second module: errors of files do not need it', async (t) => {
  const release = await without(t);
  const viewer = await createViewer(t.canvas());
  for (const broken of [
    '{"asset":{"version":"2.0"},"scene":7,"scenes":[{"nodes":[3]}]}',
    '{"asset":{"version":"1.0"}}',
  ]) {
    await t.throws(() => viewer.load(new Blob([broken])), /import/);
  }
  release();
});

test('second module: the inline script is the fallback', async (t) => {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) =>
    String(input).endsWith(REST) ? Promise.resolve(new Response('', { status: 404 })) : fetch(input, options);
  const asset = await loadAsset('/sample.glb');
  t.ok(asset.sample(null).hash.length > 0, 'it samples');
  t.ok(
    (await t.requests()).some(({ path }) => path.endsWith('wasm-inline.js')),
    'from the script',
  );
});

test('second module: that of another build is refused', async (t) => {
  const module = await WebAssembly.compile(await (await fetch(`/gambol/dist/${REST}`)).arrayBuffer());
  const shared = WebAssembly.Module.imports(module)
    .filter(({ kind }) => kind === 'memory')
    .map(({ name }) => name);
  const first = await WebAssembly.compile(await (await fetch('/gambol/dist/gambol.wasm')).arrayBuffer());
  const exports = WebAssembly.Module.exports(first).map(({ name }) => name);
  t.ok(shared.length === 1 && exports.includes(shared[0] ?? '') && /[0-9a-f]{8}/.test(shared[0] ?? ''), String(shared));
});
