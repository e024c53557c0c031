// All sources of models, and their failures.

import { createViewer, loadAsset, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { address, placed } from './support/element.ts';
import { model, png } from './support/model.ts';
import { recorded } from './support/watch.ts';

async function viewerOf(t: T): Promise<Viewer> {
  return createViewer(t.canvas());
}

test('loading: bytes, blobs, files and URLs give the same model', async (t) => {
  const viewer = await viewerOf(t);
  const { glb, gltf } = model();
  const url = URL.createObjectURL(new Blob([glb]));
  for (const source of [
    glb,
    glb.buffer,
    new Blob([glb]),
    gltf,
    new File([gltf], 'a.gltf'),
    [new File([glb], 'a.glb')],
    url,
    new URL(url),
  ]) {
    await viewer.load(source);
    t.equal(viewer.clips.length, 3);
  }
});

test('loading: files are found by path, percent-decoded, in any case, and by name', async (t) => {
  const viewer = await viewerOf(t);
  for (const [bufferUri, path] of [
    ['data/mesh.bin', 'hero/data/mesh.bin'],
    ['./../shared/mesh.bin', 'shared/mesh.bin'],
    ['my%20mesh.bin', 'hero/my mesh.bin'],
    ['Mesh.BIN', 'hero/mesh.bin'],
    ['C:\\art\\mesh.bin'.slice(3), 'hero/mesh.bin'],
  ] as const) {
    const { gltf, bin } = model({ bufferUri });
    await viewer.load(
      new Map<string, Blob>([
        ['hero/hero.gltf', gltf],
        [path, new Blob([bin])],
        ['readme.txt', new Blob()],
      ]),
    );
    t.equal(viewer.clips.length, 3, bufferUri);
  }
});

test('loading: options of a wrong type are refused once, before any request', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load(model().glb);
  const seen = recorded(viewer, ['error']);
  const detached = model().glb;
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const wrong: readonly (readonly [name: string, ...values: unknown[]])[] = [
    ['signal', null, 0, 'now', {}, () => true],
    ['onProgress', null, 1, 'log', {}],
    ['mapURL', null, 'map', {}],
    ['limits', null, 3],
    ['animations', null, 'walk.glb', { length: 1 }],
    ['baseURL', 0, {}, detached, Object.create(null)],
    ['credentials', null, 'all', Symbol('odd')],
    ['externalResources', 'none'],
    ['decoders', true],
    ['textureBudget', null, -1, '1', detached],
  ];
  for (const [name, ...values] of wrong) {
    for (const value of values) {
      for (const load of [
        () => viewer.load('/nothing.glb', { [name]: value }),
        () => viewer.add('/nothing.glb', { [name]: value }),
        () => loadAsset('/nothing.glb', { [name]: value }),
      ]) {
        const { message } = (await t.throws(load, 'argument/invalid')) as Error;
        t.ok(message.includes(name), message);
      }
    }
  }
  for (const options of [null, 1, 'fast'] as unknown as object[]) {
    for (const call of [
      () => viewer.load('/nothing.glb', options),
      () => viewer.addCrowd('/nothing.glb', options),
      () => loadAsset('/nothing.glb', options),
      () => viewer.toBlob(options),
      () => viewer.setEnvironment('studio', options),
      () => createViewer(t.canvas(), options),
    ])
      await t.throws(call, 'argument/invalid');
  }
  for (const bytes of [detached, detached.buffer]) {
    for (const call of [
      () => viewer.load(bytes),
      () => viewer.add(bytes),
      () => loadAsset(bytes),
      () => viewer.setEnvironment(bytes),
    ]) {
      const { message } = (await t.throws(call, 'argument/invalid')) as Error;
      t.ok(message.includes('detached'), message);
    }
  }
  for (const clip of [{}, null, Symbol('Slide')] as unknown as string[])
    await t.throws(() => viewer.transitionTo(clip), 'argument/invalid');
  // Only the rejections of the viewer's own loads are reported as events.
  const loads = wrong.flatMap(([, ...values]) => values).length + 3 + 2;
  t.equal([seen.length, viewer.clips.length], [loads, 3]);
});

test('loading: bitmaps of aborted loads are closed', async (t) => {
  const open = new Set<ImageBitmap>();
  const { createImageBitmap: create } = globalThis;
  const { close } = ImageBitmap.prototype;
  globalThis.createImageBitmap = (async (...args: Parameters<typeof create>) => {
    const bitmap = await create(...args);
    open.add(bitmap);
    return bitmap;
  }) as typeof create;
  ImageBitmap.prototype.close = function (this: ImageBitmap) {
    open.delete(this);
    close.call(this);
  };
  try {
    const viewer = await viewerOf(t);
    const { glb, gltf } = model({ imageUri: 'skin.png' });
    const files = new Map<string, Blob>([
      ['a.gltf', gltf],
      ['skin.png', await png(256)],
    ]);
    await viewer.load(files);
    for (let i = 0; i < 40; i++) {
      const abort = new AbortController();
      const load = viewer.load(files, { signal: abort.signal }).catch(() => undefined);
      await t.sleep(i % 8);
      abort.abort();
      await load;
    }
    await viewer.load(glb);
    await t.until(() => open.size === 0);
  } finally {
    globalThis.createImageBitmap = create;
    ImageBitmap.prototype.close = close;
  }
});

test('loading: a missing buffer is an error that names it, and the current model stays', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load(model().glb);
  const seen = recorded(viewer, ['error']);
  const error = (await t.throws(
    () => viewer.load([new File([model({ bufferUri: 'gone.bin' }).gltf], 'a.gltf')]),
    'load/missing-resource',
  )) as GambolError;
  t.ok(error.message.includes('gone.bin'), error.message);
  t.equal(error.pointer, '/buffers/0/uri');
  t.equal([seen.length, viewer.clips.length], [1, 3]);
});

test('loading: a missing, damaged or unknown image is a warning', async (t) => {
  const viewer = await viewerOf(t);
  const { gltf } = model({ imageUri: 'skin.png' });
  const bomb = new Uint8Array(await (await png()).arrayBuffer());
  new DataView(bomb.buffer).setUint32(16, 60_000);
  new DataView(bomb.buffer).setUint32(20, 60_000);
  for (const [image, code] of [
    [undefined, 'image/missing'],
    [new Blob(['no picture']), 'image/unsupported'],
    [(await png()).slice(0, 40), 'image/broken'],
    [new Blob([bomb]), 'image/too-large'],
    [await png(), undefined],
  ] as const) {
    await viewer.load(new Map<string, Blob>([['a.gltf', gltf], ...(image ? [['skin.png', image] as const] : [])]));
    t.equal(
      viewer.warnings.map((warning) => warning.code),
      code ? [code] : [],
      String(code),
    );
    if (code) t.equal(viewer.warnings[0]?.pointer, '/images/0');
    const { warnings } = viewer;
    t.ok(warnings === viewer.warnings && Object.isFrozen(warnings), 'the list is frozen, and the same at each access');
  }
  const { warnings } = await createViewer(t.canvas());
  t.ok(warnings === (await createViewer(t.canvas())).warnings && Object.isFrozen(warnings), 'without a model');
});

test('loading: errors have a code and a message', async (t) => {
  const viewer = await viewerOf(t);
  const glb = new Blob([model().glb]);
  for (const [source, code] of [
    ['/nowhere.glb', 'fetch/http'],
    ['http://[', 'argument/invalid'],
    [new Blob(['<!doctype html>']), 'load/not-a-model'],
    [new Blob(['PK\x03\x04']), 'load/archive-broken'],
    [new Blob([]), 'load/not-a-model'],
    [new Map(), 'load/no-model'],
    [[new File([], 'a.txt'), new File([], 'b.txt')], 'load/no-model'],
    [glb.slice(0, 300), /^import\//],
    [new Blob(['{"asset":{"version":"2.0"},"meshes":7}']), /^import\//],
    ['/gambol/dist/index.js?truncate=10', 'fetch/failed'],
  ] as const) {
    const error = (await t.throws(() => viewer.load(source), code)) as GambolError;
    t.equal(error.name, 'GambolError');
    t.ok(error.message.length > 10 && !error.message.includes('[object'), error.message);
  }
  await viewer.load(glb);
  t.equal(viewer.clips.length, 3, 'and it still works');
});

test('loading: an abort rejects at once', async (t) => {
  const viewer = await viewerOf(t);
  const abort = new AbortController();
  const started = performance.now();
  const load = viewer.load('/gambol/dist/index.js?delay=3000', { signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  const error = (await t.throws(() => load, 'load/aborted')) as GambolError;
  t.equal(error.name, 'AbortError');
  t.ok(performance.now() - started < 1000, 'at once');
  await t.throws(() => viewer.load(model().glb, { signal: AbortSignal.abort() }), 'load/aborted');
  t.equal(viewer.clips.length, 0);
});

test('loading: the last of several loads wins', async (t) => {
  const viewer = await viewerOf(t);
  const seen = recorded(viewer, ['load', 'error']);
  const loads = Array.from({ length: 5 }, (_, i) => viewer.load(model({ clips: [[`Clip of ${i}`, 1]] }).glb));
  const results = await Promise.allSettled(loads);
  t.equal(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'rejected', 'fulfilled'],
  );
  for (const result of results.slice(0, 4))
    t.equal(((result as PromiseRejectedResult).reason as GambolError).code, 'load/aborted');
  t.equal(viewer.clips[0]?.id, 'Clip of 4');
  t.equal(seen, ['load']);
});

test('loading: progress never decreases and ends at 1', async (t) => {
  const viewer = await viewerOf(t);
  const ratios: number[] = [];
  const phases = new Set<string>();
  viewer.addEventListener('progress', ({ detail }) => {
    ratios.push(detail.ratio);
    phases.add(detail.phase);
  });
  await viewer.load(URL.createObjectURL(new Blob([model().glb])));
  t.equal(
    ratios,
    [...ratios].sort((a, b) => a - b),
  );
  t.equal(ratios.at(-1), 1);
  t.equal([...phases], ['fetch', 'parse', 'decode', 'upload']);
});

test('loading: limits of the page apply, and the error names the limit', async (t) => {
  const viewer = await createViewer(t.canvas());
  const { glb } = model();
  for (const limits of [{ nodes: 0 }, { depth: 0 }, { vertices: 5 }]) {
    const error = Object(await t.throws(() => viewer.load(glb, { limits }), 'import/too-many')) as { pointer: string };
    t.ok(/^\/(nodes|meshes)/.test(error.pointer), error.pointer);
  }
  await t.throws(() => viewer.load(glb, { limits: { decodedBytes: 100 } }), 'import/too-large');
  await viewer.load(glb, { limits: { nodes: 1, depth: 1, vertices: 6 } });
  const warnings: string[] = [];
  viewer.addEventListener('warning', (event) => warnings.push(event.detail.code));
  const files = new Map<string, Blob>([
    ['a.gltf', model({ imageUri: 'a.png' }).gltf],
    ['a.png', await png(8)],
  ]);
  await viewer.load(files, { limits: { imagePixels: 63 } });
  t.equal(warnings, ['image/too-large']);
  viewer.dispose();
});

test('loading: clips of other files animate joints of the same names', async (t) => {
  const viewer = await viewerOf(t);
  const walk = model({ node: 'Hips', clips: [['Walk', 1]] }).glb;
  const run = model({
    node: 'rig:hips',
    clips: [
      ['Run', 2],
      ['Walk', 0.5],
    ],
  }).glb;
  t.expectTrouble(/404|gone/);
  const options = { animations: [run, '/gone.glb', model({ node: 'Tail', clips: [['Wag', 1]] }).glb] };
  for (const animations of [new Float32Array(3), '/sample.glb', { length: 1 }]) {
    await t.throws(() => viewer.load(walk, { animations: animations as unknown as string[] }), 'argument/invalid');
  }
  const heard: string[] = [];
  viewer.addEventListener('warning', ({ detail }) => heard.push(detail.code));
  await viewer.load(walk, options);
  t.equal(
    viewer.clips.map(({ id, duration }) => [id, duration]),
    [
      ['Walk', 1],
      ['Run', 2],
      ['Walk~2', 0.5],
    ],
  );
  t.equal(heard.sort(), ['clip/no-match', 'fetch/http'], 'a file that is not there, and one that moves nothing');
  const whole = await viewerOf(t);
  await whole.load(
    model({
      node: 'Hips',
      clips: [
        ['Walk', 1],
        ['Run', 2],
        ['Walk', 0.5],
      ],
    }).glb,
  );
  const asset = await loadAsset(walk, options);
  for (const id of ['Walk', 'Run', 'Walk~2']) {
    for (const one of [viewer, whole]) one.clip = one.clips.find((clip) => clip.id === id) ?? 0;
    for (const one of [viewer, whole]) await one.seek(0.3);
    t.equal(viewer.poseHash(), whole.poseHash(), id);
    t.equal(asset.sample(id, 0.3).hash, whole.poseHash(), `${id}, without a viewer`);
  }
  asset.dispose();
  // A character's own clips, loaded again from its file.
  const own = await loadAsset('/sample.glb', { animations: ['/sample.glb'] });
  const half = own.clips.length / 2;
  for (const clip of own.clips.slice(0, half)) {
    t.equal(own.sample(clip.index + half, clip.duration / 3).hash, own.sample(clip, clip.duration / 3).hash, clip.id);
  }
  own.dispose();
  const abort = new AbortController();
  const load = viewer.load(walk, { ...options, signal: abort.signal });
  abort.abort();
  await t.throws(() => load, 'load/aborted');
});

test('loading: the picture of the model before stays until the first frame of the next one', async (t) => {
  for (const controls of [null, '']) {
    const element = placed({ src: address(), renderer: 'shared', 'environment-image': 'none' });
    if (controls !== null) element.setAttribute('controls', controls);
    await t.until(() => element.modelIsVisible, 'the first model');
    const { canvas } = t.some(element.viewer);
    const opaque = (): number => {
      const { data } = t.pixels(canvas);
      return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    };
    t.ok(opaque() > 100, 'the first model');
    const counts: number[] = [];
    let done = false;
    element.addEventListener('load', () => (done = true), { once: true });
    element.src = '/sample.glb';
    while (!done) {
      counts.push(opaque());
      await t.frames();
    }
    t.ok(counts.length > 2 && Math.min(...counts) > 100, counts.join(' '));
    element.remove();
  }
});
