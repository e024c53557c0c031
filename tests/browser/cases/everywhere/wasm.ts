// Sources of the module, and failures to load it.

import { createViewer, init, loadAsset, support, version, type GambolError } from 'gambol';
import { freshPages, test, type T } from '../../page/api.ts';

freshPages('they observe how the module is loaded, which a page does once');

const MODULE = '/gambol/dist/gambol.wasm';

/** Checks that the module works. */
const works = async (t: T): Promise<void> => t.ok(/^\d+\.\d+\.\d+/.test(await version()), 'a version');

/** The page's requests for the module, by the last part of their addresses. */
async function asked(t: T): Promise<string[]> {
  const paths = (await t.requests())
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/gambol/'))
    .map((path) => path.split('/').pop() ?? '');
  return paths.filter((path) => path.includes('wasm'));
}

/** Answers further requests for the module by `answer`. */
function instead(answer: () => Promise<Response>): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, options) => (String(input).endsWith('gambol.wasm') ? answer() : fetch(input, options));
}

test('init: accepts a URL', async (t) => {
  await init({ wasm: new URL(MODULE, location.href) });
  await works(t);
  t.equal(await asked(t), ['gambol.wasm']);
});

test('init: accepts a pending response', async (t) => {
  await init({ wasm: fetch(MODULE) });
  await works(t);
});

test('init: accepts bytes', async (t) => {
  await init({ wasm: await (await fetch(MODULE)).arrayBuffer() });
  await works(t);
});

test('init: accepts a compiled module', async (t) => {
  await init({ wasm: await WebAssembly.compile(await (await fetch(MODULE)).arrayBuffer()) });
  await works(t);
});

test('init: another MIME type works', async (t) => {
  await init({ wasm: `${MODULE}?type=text/plain` });
  await works(t);
});

test('init: without streaming compilation the bytes are compiled', async (t) => {
  WebAssembly.compileStreaming = () => Promise.reject(new TypeError('no streaming here'));
  await works(t);
  t.equal(await asked(t), ['gambol.wasm']);
});

test('init: the inline script is the fallback for an HTML answer', async (t) => {
  instead(() => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })));
  await works(t);
  t.equal(await asked(t), ['wasm-inline.js']);
  const viewer = await createViewer(t.canvas());
  await viewer.load('/sample.glb');
  t.ok(viewer.clips.length > 1, 'it reads models');
});

test('init: the inline script is the fallback for a missing file', async (t) => {
  instead(() => Promise.resolve(new Response('', { status: 404 })));
  await works(t);
  t.equal(await asked(t), ['wasm-inline.js']);
});

test('init: the inline script is the fallback without a network', async (t) => {
  instead(() => Promise.reject(new TypeError('offline')));
  await works(t);
});

test('init: a URL of the page has no fallback, and a failure can be retried', async (t) => {
  const missing = (await t.throws(() => init({ wasm: `${MODULE}?status=503` }), 'wasm/load')) as GambolError;
  t.ok(missing.message.includes('503') && missing.url?.includes('gambol.wasm'), missing.message);
  const page = (await t.throws(() => init({ wasm: '/sample.glb' }), 'wasm/load')) as GambolError;
  t.ok(page.message.includes('not WebAssembly'), page.message);
  t.expectTrouble(/503|Failed to load/);
  await works(t);
});

test('init: a page without WebAssembly is an error', async (t) => {
  Object.assign(globalThis, { WebAssembly: undefined });
  t.equal(support().wasm, false);
  await t.throws(() => version(), 'wasm/unsupported');
});

test('init: a page whose WebAssembly has no SIMD is an error that says so', async (t) => {
  WebAssembly.validate = () => false;
  t.equal(support().wasm, false);
  const error = (await t.throws(() => version(), 'wasm/unsupported')) as GambolError;
  t.ok(error.message.includes('SIMD'), error.message);
});

test('init: a content security policy without WebAssembly has its own error', async (t) => {
  WebAssembly.compileStreaming = WebAssembly.compile = () =>
    Promise.reject(
      new WebAssembly.CompileError(
        "Refused to compile or instantiate WebAssembly module because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
      ),
    );
  const error = (await t.throws(() => version(), 'wasm/unsupported')) as GambolError;
  t.ok(error.message.includes('wasm-unsafe-eval'), error.message);
});

test('loadAsset: samples without a canvas the same pose as a viewer', async (t) => {
  const asset = await loadAsset('/sample.glb');
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load('/sample.glb');
  t.equal(
    asset.clips.map(({ id }) => id),
    viewer.clips.map(({ id }) => id),
  );
  await viewer.seek(0);
  viewer.play('Walk');
  viewer.pause();
  await viewer.seek(0.4);
  const { matrices } = asset.sample('Walk', 0.4);
  for (const { index, name } of asset.joints.slice(0, 12)) {
    t.close(matrices.slice(16 * index, 16 * index + 16), viewer.joint(index).world, 1e-6, name);
  }
  asset.dispose();
  await t.throws(() => asset.findJoint(0), 'asset/disposed');
});
