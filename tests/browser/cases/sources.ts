// Invalid sources of models: each is refused once, with its name, and has no further effect.

import { createViewer, loadAsset, type AssetSource } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';

const WRONG: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a number', () => 1],
  ['a symbol', () => Symbol('model')],
  ['a function', () => () => 'model.glb'],
  ['an object', () => ({})],
  ['an object without prototype', () => Object.create(null)],
  ['floats', () => new Float32Array([1, 2, 3])],
  ['shorts', () => new Uint16Array(8)],
  ['a view', () => new DataView(new ArrayBuffer(8))],
  ['numbers', () => [1, 2, 3]],
  ['addresses', () => ['a.glb', 'b.glb']],
  ['holes', () => [, ,]],
  ['blobs without a name', () => [new Blob(['x'])]],
  ['a list of a wrong length', () => ({ length: 1e9 })],
  ['a map of texts', () => new Map([['a.glb', 'text']])],
  ['a map of no paths', () => new Map([[1, new Blob()]])],
  ['a promise', () => Promise.resolve('model.glb')],
  ['an element', () => document.body],
];

test('sources: invalid values reject once with argument/invalid, without an unhandled rejection', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  const unhandled: unknown[] = [];
  window.addEventListener('unhandledrejection', ({ reason }) => unhandled.push(reason));
  let errors = 0;
  viewer.addEventListener('error', () => errors++);
  for (const [name, make] of WRONG) {
    for (const load of [
      (source: AssetSource) => viewer.load(source),
      (source: AssetSource) => viewer.add(source),
      (source: AssetSource) => loadAsset(source),
    ]) {
      let thrown: unknown;
      await load(make() as AssetSource).catch((error: unknown) => {
        thrown = error;
      });
      t.equal((thrown as { code?: string }).code, 'argument/invalid', name);
    }
  }
  t.equal(errors, WRONG.length, 'the error events of load()');
  await t.sleep(50);
  t.equal(unhandled, []);
  await viewer.load(model().glb);
  t.equal(viewer.clips.length, 3);
});

test('sources: a list of other values than files has its own message', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  for (const wrong of [['a.glb'], [1], [{ name: 'a.glb' }]]) {
    let message = '';
    await viewer.load(wrong as unknown as AssetSource).catch((error: Error) => {
      message = error.message;
    });
    t.ok(/not a File/.test(message), message);
  }
});
