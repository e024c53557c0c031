// Lifetimes: two viewers, disposal, many loads, a lost context.

import { createViewer } from 'gambol';
import { test } from '../page/api.ts';
import { model, png } from './support/model.ts';
import { countGlObjects, picture, recorded, redCentre } from './support/watch.ts';

test('viewers: two on a page are independent', async (t) => {
  const [a, b] = await Promise.all([createViewer(t.canvas(128, 128)), createViewer(t.canvas(128, 128))]);
  await Promise.all([a.load(model().glb), b.load(model({ clips: [['Other', 1]] }).glb)]);
  a.play();
  await a.seek(1);
  t.equal([b.paused, b.currentTime, b.clips[0]?.id, a.clips[0]?.id], [true, 0, 'Other', 'Slide']);
  a.dispose();
  await b.seek(0.5);
  t.ok(redCentre(await picture(t, b)) > 0, 'the other one still draws');
});

test('dispose: frees all GL objects, and the canvas can be used again', async (t) => {
  const live = countGlObjects();
  const none = live();
  const canvas = t.canvas();
  for (let i = 0; i < 3; i++) {
    const viewer = await createViewer(canvas);
    await viewer.load(
      new Map<string, Blob>([
        ['a.gltf', model({ imageUri: 'a.png' }).gltf],
        ['a.png', await png()],
      ]),
    );
    t.ok(live()['Texture'], 'textures while it lives');
    viewer.dispose();
    viewer.dispose();
    t.equal(live(), none, `round ${i}`);
    await t.throws(() => viewer.play(), 'viewer/disposed');
    await t.throws(() => viewer.load(model().glb), 'viewer/disposed');
    t.equal([viewer.currentTime, viewer.paused, viewer.clips.length], [0, true, 0]);
  }
  t.equal(canvas.getContext('webgl2')?.getError(), 0);
});

test('dispose: during a load', async (t) => {
  const live = countGlObjects();
  const none = live();
  const viewer = await createViewer(t.canvas());
  const load = viewer.load(model().glb);
  viewer.dispose();
  await t.throws(() => load, 'load/aborted');
  await t.sleep(50);
  t.equal(live(), none);
});

test('loads: many in sequence hold as many GL objects as one', async (t) => {
  const live = countGlObjects();
  const viewer = await createViewer(t.canvas());
  const files = new Map<string, Blob>([
    ['a.gltf', model({ imageUri: 'a.png' }).gltf],
    ['a.png', await png()],
  ]);
  await viewer.load(files);
  const after = live();
  for (let i = 0; i < 20; i++) await viewer.load(files);
  t.equal(live(), after);
  viewer.unload();
  t.equal([viewer.clips.length, viewer.duration, viewer.info], [0, 0, null]);
});

test('loads: aborted ones leave a few programs at most, and dispose() frees them', async (t) => {
  const live = countGlObjects();
  const none = live();
  await t.throws(() => createViewer(t.canvas(), { background: 'no colour' }), 'argument/invalid');
  t.equal(live(), none, 'nothing of a viewer that could not be made');
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(model().glb);
  const before = live();
  // Materials of many kinds, each with its own program.
  const materials = [
    { alphaMode: 'MASK' },
    { alphaMode: 'BLEND' },
    { doubleSided: true },
    { emissiveFactor: [1, 0, 0] },
    { extensions: { KHR_materials_unlit: {} } },
    { extensions: { KHR_materials_clearcoat: { clearcoatFactor: 1 } } },
    { extensions: { KHR_materials_sheen: { sheenColorFactor: [1, 1, 1] } } },
    { extensions: { KHR_materials_iridescence: { iridescenceFactor: 1 } } },
    { extensions: { KHR_materials_transmission: { transmissionFactor: 1 } } },
  ];
  const kinds = materials.flatMap((a) =>
    materials.map((b) => ({ ...a, ...b, extensions: { ...a.extensions, ...b.extensions } })),
  );
  for (const [i, material] of kinds.entries()) {
    const json = {
      ...(structuredClone(model({ bufferUri: 'b.bin' }).json) as { materials: object[] }),
      materials: [material],
    };
    const files = new Map([
      ['a.gltf', new Blob([JSON.stringify(json)])],
      ['b.bin', new Blob([model().bin])],
    ]);
    const controller = new AbortController();
    const load = viewer.load(files, { signal: controller.signal });
    setTimeout(() => controller.abort(), i % 25);
    await load.catch(() => undefined);
  }
  // A copy of the canvas is created for transmission, and deleted with the material.
  const glass = {
    ...(model({ bufferUri: 'b.bin' }).json as object),
    materials: [{ extensions: { KHR_materials_transmission: { transmissionFactor: 1 } } }],
  };
  await viewer.load(
    new Map([
      ['a.gltf', new Blob([JSON.stringify(glass)])],
      ['b.bin', new Blob([model().bin])],
    ]),
  );
  t.ok((live().Texture ?? 0) > (before.Texture ?? 0), 'the copy of the canvas');
  await viewer.load(model().glb);
  const { Program: programs = 0, ...others } = live();
  const { Program: programsBefore = 0, ...othersBefore } = before;
  t.equal(others, othersBefore);
  t.ok(programs <= programsBefore + 8, `${programs} programs, ${programsBefore} before`);
  viewer.dispose();
  t.equal(live(), none);
});

test('context loss: the picture is restored', async (t) => {
  const viewer = await createViewer(t.canvas());
  await viewer.load(
    new Map<string, Blob>([
      ['a.gltf', model({ imageUri: 'a.png' }).gltf],
      ['a.png', await png(4, '#fa0')],
    ]),
  );
  viewer.orbit(0.3, 0.1);
  await viewer.seek(1.25);
  const before = await picture(t, viewer);
  const seen = recorded(viewer);
  const gl = t.some(viewer.canvas.getContext('webgl2'));
  const loss = t.some(gl.getExtension('WEBGL_lose_context'));
  loss.loseContext();
  await t.until(() => seen.includes('contextlost'), 'the loss');
  viewer.playbackRate = 2;
  await t.sleep(50);
  loss.restoreContext();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  t.equal([viewer.currentTime, viewer.paused, viewer.playbackRate], [1.25, true, 2]);
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
  t.equal(seen, ['contextlost', 'ratechange', 'contextrestored']);
  viewer.play();
  await t.until(() => viewer.currentTime > 1.25, 'it plays');
});

test(
  'panic: a stopped instance is not called, each viewer reports it once, and the next viewer has a new one',
  async (t) => {
    const viewers = [await createViewer(t.canvas(64, 64)), await createViewer(t.canvas(64, 64))] as const;
    const [a, b] = viewers;
    await Promise.all(viewers.map((viewer) => viewer.load(model().glb)));
    const errors: string[] = [];
    for (const viewer of viewers) viewer.addEventListener('error', ({ detail }) => errors.push(detail.code));
    // A panic of the module: a trap in the middle of a call.
    const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, unknown>;
    const names = ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];
    const before = names.map((name) => prototype[name]);
    const trap = (): never => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    for (const name of names) prototype[name] = trap;
    const { finished } = a.play();
    await t.throws(() => finished, 'wasm/panic');
    await t.until(() => errors.length === 2, 'both errors');
    await t.throws(() => b.play(), 'wasm/panic');
    await t.throws(() => b.load(model().glb), 'wasm/panic');
    names.forEach((name, i) => (prototype[name] = before[i]));

    const c = await createViewer(t.canvas(64, 64));
    await c.load(model().glb);
    c.play();
    await t.until(() => c.currentTime > 0, 'it plays');
    c.pause();
    await c.seek(0.5);
    t.ok(redCentre(await picture(t, c)) > 0, 'another instance draws');
    await t.throws(() => b.play(), 'wasm/panic');
    a.dispose();
    // The canvas of a viewer that has failed can be reused.
    const canvas = b.canvas;
    b.dispose();
    const d = await createViewer(canvas);
    await d.load(model().glb);
    await d.seek(0.5);
    t.samePixels(await picture(t, d), await picture(t, c), { channel: 1 });
    t.equal(errors, ['wasm/panic', 'wasm/panic']);
    const wasm = (await t.requests()).filter((request) => request.path.endsWith('/gambol.wasm'));
    t.equal(wasm.length, 1, 'one download does for both instances');
  },
  { fresh: 'it counts downloads of the module' },
);

test('canvas: its resolution follows its box and the screen', async (t) => {
  const viewer = await createViewer(t.canvas(200, 100), { maxDpr: 1 });
  await viewer.load(model().glb);
  t.equal([viewer.canvas.width, viewer.canvas.height], [200, 100]);
  viewer.canvas.style.width = '300px';
  await t.until(() => viewer.canvas.width === 300, 'the new width');
  t.ok(redCentre(await picture(t, viewer)) > 0, 'it is drawn');
});
