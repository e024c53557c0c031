// The requirements of all other tests: the package loads, and the browser has the necessary features.

import { version } from 'gambol';
import { test } from '../../page/api.ts';

test(
  'smoke: the package loads and has a version',
  async (t) => {
    t.ok(/^\d+\.\d+\.\d+/.test(await version()), 'a version');
    const wasm = (await t.requests()).filter((request) => request.path.endsWith('.wasm'));
    t.equal(wasm, [{ method: 'GET', path: '/gambol/dist/gambol.wasm', status: 200 }]);
  },
  { fresh: 'it observes which modules are loaded' },
);

test('smoke: WebAssembly has SIMD', (t) => {
  // (func (result v128) i32.const 0 i8x16.splat)
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
  t.ok(WebAssembly.validate(new Uint8Array(module)), 'SIMD');
});

test('smoke: WebGL 2 draws, and its pixels can be read', async (t) => {
  const canvas = t.canvas(64, 32);
  const gl = t.some(canvas.getContext('webgl2', { preserveDrawingBuffer: true }), 'a WebGL2 context');
  gl.clearColor(1, 0.5, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const pixels = t.pixels(canvas);
  t.equal([pixels.width, pixels.height], [64, 32]);
  t.close(pixels.data.slice(0, 4), [255, 128, 0, 255], 1);
  const picture = await t.screenshot('smoke-webgl2');
  t.close(picture.data.slice(0, 4), [255, 128, 0, 255], 1, 'on screen');
});

test('smoke: the inspector opens without an error', async (t) => {
  const page = await t.page('/inspect.html', 1000, 700);
  await t.until(() => page.document.body.childElementCount > 0, 'content');
  await t.sleep(500);
  await t.screenshot('smoke-demo');
});
