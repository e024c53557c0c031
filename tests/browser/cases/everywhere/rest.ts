// The rest of the module: what playing a character does not call comes when it is called, or before.

import { createViewer, loadAsset, type GambolError } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { address, details, placed, shown } from '../support/element.ts';
import { Scene } from '../support/scene.ts';

const REST = 'gambol.more.wasm';

/** How often the page asked for the rest. */
async function askedForRest(t: T): Promise<number> {
  return (await t.requests()).filter(({ path }) => path.endsWith(REST)).length;
}

/** Until the page has nothing else to do. */
const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

test('an element that plays, with a bar and in hands, does without', async (t) => {
  const element = placed({ src: '/sample.glb', autoplay: '', controls: '', 'camera-controls': '', 'shadow-intensity': '1' });
  await t.until(() => element.modelIsVisible, 'the model');
  const [, second] = element.availableAnimations;
  element.animationName = second ?? null;
  element.cameraOrbit = '40deg 80deg auto';
  await t.frames(20);
  element.pause();
  element.currentTime = 0.3;
  element.timeScale = -1;
  element.play();
  await t.frames(20);
  element.src = address();
  await t.until(() => element.loaded, 'the next model');
  element.remove();
  await idle();
  t.equal(await askedForRest(t), 0);
});

test('it is there at the first call of it', async (t) => {
  const element = await shown(t);
  t.equal(await askedForRest(t), 0);
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = element.positionAndNormalFromPoint(x, y);
  t.ok(hit !== null, 'the model is hit');
  t.equal(await askedForRest(t), 1);
  t.equal(element.positionAndNormalFromPoint(x, y), hit);
  t.equal(await askedForRest(t), 1);
});

test('where it can be foreseen it is there before: nobody stands still', async (t) => {
  XMLHttpRequest.prototype.send = () => {
    throw new Error('The page stood still.');
  };
  const viewer = await createViewer(t.canvas());
  await viewer.load('/sample.glb');
  await t.until(() => askedForRest(t).then((count) => count > 0), 'the rest');
  await idle();
  t.ok(viewer.poseHash().length > 0, 'a viewer of a script, when its model is seen');

  const spot = document.createElement('button');
  spot.slot = 'hotspot-1';
  spot.dataset['position'] = '0 0 0';
  const element = await shown(t, {}, spot);
  t.ok(element.queryHotspot('hotspot-1')?.canvasPosition, 'an element with hotspots');
  t.equal(await askedForRest(t), 1);
});

/** A file with bumpy squares, each with tangents of its own or without. */
function bumpy(...tangents: readonly boolean[]): string {
  const scene = new Scene();
  delete scene.json.cameras;
  delete scene.json.nodes[0].camera;
  const normalTexture = { index: scene.texture() };
  for (const has of tangents) {
    const TANGENT = (): number => scene.accessor('VEC4', [0, 1, 2, 3].flatMap(() => [1, 0, 0, 1]));
    scene.node({ mesh: scene.square(scene.matt([0.5, 0.5, 0.5], { normalTexture }), has ? { TANGENT: TANGENT() } : {}) });
  }
  return URL.createObjectURL(scene.file());
}

for (const [what, tangents, times] of [['has', [true], 0], ['lacks', [false], 1], ['lacks some of', [true, false], 1]] as const) {
  test(`a file that ${what} its tangents: the rest is asked for ${times} times, and nobody stands still`, async (t) => {
    XMLHttpRequest.prototype.send = () => {
      throw new Error('The page stood still.');
    };
    const element = await shown(t, { src: bumpy(...tangents) });
    t.equal(element.viewer?.warnings, []);
    await idle();
    t.equal(await askedForRest(t), times);
  });
}

test('assets are sampled by it', async (t) => {
  XMLHttpRequest.prototype.send = () => {
    throw new Error('The page stood still.');
  };
  const asset = await loadAsset('/sample.glb');
  t.equal(asset.sample(null).hash.length > 0, true);
  t.equal(await askedForRest(t), 1);
});

test('a call that needs it in vain throws, changes nothing and ends no viewer; the next one has it', async (t) => {
  const { send } = XMLHttpRequest.prototype;
  const element = await shown(t);
  const errors = details<GambolError>(element, 'error');
  const viewer = t.some(element.viewer);
  XMLHttpRequest.prototype.send = () => {
    throw new Error('offline');
  };
  const calls: readonly (readonly [name: string, call: () => unknown])[] = [
    ['poseHash', () => viewer.poseHash()],
    ['pick', () => viewer.pick(50, 50)],
    ['occlusion', () => viewer.occlusion([0, 0, 0])],
    ['project', () => viewer.project([0, 0, 0])],
    ['surface', () => viewer.surface([0, 0, 0, 1, 2, 1, 0, 0])],
    ['layers.add', () => viewer.layers.add(0)],
    ['transitionTo', () => viewer.transitionTo(0, { duration: 0.1 })],
    ['setMarkers', () => viewer.setMarkers(0, [{ name: 'a', time: 0 }])],
    ['setRootMotion', () => viewer.setRootMotion('in-place')],
    ['override', () => viewer.joint(0).override({ translation: [0, 1, 0] })],
    ['lookAt', () => viewer.joint(0).lookAt([0, 1, 0])],
    ['skinning', () => (viewer.skinning = 'dual-quaternion')],
    ['skybox', () => (viewer.skybox = true)],
    ['debug', () => (viewer.debug = 'skeleton')],
    ['stats', () => viewer.stats],
  ];
  for (const [name, call] of calls) {
    const failure = (await t.throws(call, 'load/chunk')) as GambolError;
    t.ok(failure.message.includes(REST) && failure.url?.endsWith(REST), `${name}: ${failure.message}`);
  }
  viewer.play();
  const { currentTime } = viewer;
  await t.until(() => viewer.currentTime !== currentTime, 'it plays on');
  t.equal([errors.length, element.viewer === viewer, viewer.skinning, viewer.layers.size], [0, true, 'linear', 0]);
  XMLHttpRequest.prototype.send = send;
  for (const [, call] of calls) call();
  await t.frames(3);
  t.equal([errors.length, viewer.skinning, viewer.layers.size], [0, 'dual-quaternion', 1]);
});

test('a model that needs it in vain is an error of that load; what is shown plays on, and the next load has it', async (t) => {
  const element = await shown(t);
  const viewer = t.some(element.viewer);
  const { fetch } = globalThis;
  const { send } = XMLHttpRequest.prototype;
  globalThis.fetch = (input, options) => (/more\.wasm/.test(String(input)) ? Promise.reject(new TypeError('offline')) : fetch(input, options));
  XMLHttpRequest.prototype.send = () => {
    throw new Error('offline');
  };
  await t.refuse('wasm-inline', 99);
  const cameras = '{"asset":{"version":"2.0"},"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}]}';
  t.expectTrouble(/503|Failed to load|wasm-inline/);
  for (const broken of [cameras, '{"asset":{"version":"2.0"},"scene":7,"scenes":[{"nodes":[3]}]}', '{"asset":{"version":"1.0"}}']) {
    await t.throws(() => viewer.load(new Blob([broken])), 'load/chunk');
  }
  const { currentTime } = viewer;
  viewer.play();
  await t.until(() => viewer.currentTime !== currentTime, 'it plays on');
  globalThis.fetch = fetch;
  XMLHttpRequest.prototype.send = send;
  await t.throws(() => viewer.load(new Blob(['{"asset":{"version":"1.0"}}'])), /import/);
  await viewer.load('/sample.glb');
  t.ok(viewer.clips.length > 1, 'the next one is read');
});

test('where only its file is lost, it comes out of a script', async (t) => {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) => (String(input).endsWith(REST) ? Promise.resolve(new Response('', { status: 404 })) : fetch(input, options));
  const asset = await loadAsset('/sample.glb');
  t.ok(asset.sample(null).hash.length > 0, 'it samples');
  t.ok((await t.requests()).some(({ path }) => path.endsWith('wasm-inline.js')), 'from the script');
});

test('the rest of another build is refused', async (t) => {
  const module = await WebAssembly.compile(await (await fetch(`/gambol/dist/${REST}`)).arrayBuffer());
  const shared = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'memory').map(({ name }) => name);
  const first = await WebAssembly.compile(await (await fetch('/gambol/dist/gambol.wasm')).arrayBuffer());
  const exports = WebAssembly.Module.exports(first).map(({ name }) => name);
  t.ok(shared.length === 1 && exports.includes(shared[0] ?? '') && /[0-9a-f]{8}/.test(shared[0] ?? ''), String(shared));
});
