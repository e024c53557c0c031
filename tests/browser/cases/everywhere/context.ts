// A context may be lost at any moment. The last picture stays; after the context is restored, everything continues.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, test, type T } from '../../page/api.ts';
import { Loss } from '../support/loss.ts';
import { model, png } from '../support/model.ts';
import { SIZE, type Json } from '../support/scene.ts';
import { picture, recorded } from '../support/watch.ts';

/** The sliding square, with an image, and a blue material as a variant. */
async function file(): Promise<Map<string, Blob>> {
  const json = structuredClone(model({ imageUri: 'a.png' }).json) as Json;
  json.materials.push({ doubleSided: true, pbrMetallicRoughness: { baseColorFactor: [0, 0, 1, 1] } });
  json.meshes[0].primitives[0].extensions = { KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }] } };
  json.extensions = { KHR_materials_variants: { variants: [{ name: 'blue' }] } };
  json.extensionsUsed = ['KHR_materials_variants'];
  return new Map<string, Blob>([
    ['a.gltf', new Blob([JSON.stringify(json)])],
    ['a.png', await png(64, '#fa0')],
  ]);
}

function lit(t: T): Promise<Viewer> {
  return createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0.9, 0.9, 0.9, 1] });
}

/** A viewer without the environment's light, which is slow to prefilter in these browsers; the square is emissive. */
async function small(t: T): Promise<Viewer> {
  const viewer = await lit(t);
  await viewer.setEnvironment(null);
  return viewer;
}

/** The codes of error and warning events. */
function faults(viewer: Viewer): string[] {
  const list: string[] = [];
  viewer.addEventListener('error', ({ detail }) => list.push(detail.code));
  viewer.addEventListener('warning', ({ detail }) => list.push(detail.code));
  return list;
}

async function still(viewer: Viewer): Promise<void> {
  viewer.timeline = 'manual';
  await viewer.seek(0.75);
}

// ---- during the load of a model

/** Each phase of a load, with the code that loses the context in it. */
const PHASES: Record<string, (loss: Loss, load: { phase?: string }) => void> = {
  'a model is fetched': (_, load) => {
    load.phase = 'fetch';
  },
  'a model is parsed': (_, load) => {
    load.phase = 'parse';
  },
  'images are decoded': (_, load) => {
    load.phase = 'decode';
  },
  'the upload begins': (_, load) => {
    load.phase = 'upload';
  },
  'shaders are compiled': (loss) => loss.at('compileShader', 2),
  'programs are linked': (loss) => loss.at('linkProgram'),
  'vertices are uploaded': (loss) => loss.at('bufferSubData', 2),
  'images are uploaded': (loss) => loss.at('texSubImage2D'),
  'a mipmap is generated': (loss) => loss.at('generateMipmap'),
  'programs are queried': (loss) => loss.at('getUniformBlockIndex'),
  'the first frame is drawn': (loss) => loss.at('drawArrays'),
};

for (const [phase, prepare] of Object.entries(PHASES))
  test(
    `context loss: ${phase}`,
    async (t) => {
      const calm = await small(t);
      await calm.load(await file());
      await still(calm);
      const expected = await picture(t, calm);

      const viewer = await small(t);
      const wrong = faults(viewer);
      const loss = new Loss(t, viewer.canvas);
      const load: { phase?: string } = {};
      prepare(loss, load);
      await viewer.load(await file(), {
        onProgress: (progress) => {
          if (progress.phase !== load.phase) return;
          delete load.phase;
          loss.take();
        },
      });
      await still(viewer);
      t.samePixels(await picture(t, viewer), expected, { channel: 1 });
      t.equal(loss.times, 1, 'it was lost');
      t.equal(viewer.liveObjects(), calm.liveObjects());
      t.equal(wrong, []);
    },
    { all: OTHERS },
  );

for (const [phase, nth] of [
  ['the image is uploaded', 1],
  ['it is prefiltered', 10],
] as const)
  test(
    `context loss: an environment loads: ${phase}`,
    async (t) => {
      const calm = await lit(t);
      await calm.load(await file());
      await still(calm);
      const expected = await picture(t, calm);

      const viewer = await small(t);
      await viewer.load(await file());
      await still(viewer);
      const wrong = faults(viewer);
      const loss = new Loss(t, viewer.canvas);
      loss.at('texSubImage2D', nth);
      await viewer.setEnvironment('studio');
      t.samePixels(await picture(t, viewer), expected, { channel: 1 });
      t.equal([loss.times, viewer.environment, wrong.length], [1, 'studio', 0]);
      t.equal(viewer.liveObjects(), calm.liveObjects());
    },
    { all: OTHERS },
  );

test('context loss: an actor is added', async (t) => {
  const viewer = await small(t);
  await viewer.load(await file());
  await still(viewer);
  const loss = new Loss(t, viewer.canvas);
  loss.at('texSubImage2D');
  const actor = await viewer.add(await file(), { position: [0, 1.2, 0] });
  await actor.seek(0.5);
  const after = await picture(t, viewer);
  t.equal(loss.times, 1);

  const calm = await small(t);
  await calm.load(await file());
  await still(calm);
  await (await calm.add(await file(), { position: [0, 1.2, 0] })).seek(0.5);
  t.samePixels(after, await picture(t, calm), { channel: 1 });
  t.equal(viewer.liveObjects(), calm.liveObjects());
});

test('context loss: an aborted load leaves nothing', async (t) => {
  const viewer = await small(t);
  await viewer.load(await file());
  const before = viewer.liveObjects();
  const loss = new Loss(t, viewer.canvas);
  loss.returns = false;
  loss.at('texSubImage2D');
  const abort = new AbortController();
  const load = viewer.load(await file(), { signal: abort.signal });
  await t.until(() => loss.times === 1, 'the loss');
  abort.abort();
  await t.throws(() => load, 'load/aborted');
  const seen = recorded(viewer);
  loss.giveBack();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  t.equal(viewer.liveObjects(), before, 'only the model that is on stage');
});

// ---- with a model on stage

/** A viewer during playback: a transition between clips, an additive layer, and an overridden joint. */
async function busy(t: T): Promise<Viewer> {
  const viewer = await lit(t);
  viewer.timeline = 'manual';
  viewer.shadowIntensity = 0.6;
  viewer.exposure = 1.3;
  viewer.environmentRotation = 1;
  await viewer.load(await file());
  viewer.variant = 'blue';
  viewer.joint(0).override({ rotation: [0, 0, 0.2, 0.98] });
  viewer.layers.add('Slide~2', { mode: 'additive', weight: 0.4 });
  viewer.camera = { azimuth: 0.3, polar: 1.2 };
  viewer.play('Slide', { transition: 'cut' });
  viewer.advance(0.5);
  viewer.play('Short', { transition: 'crossfade', transitionDuration: 1 });
  viewer.advance(0.25);
  return viewer;
}

test('context loss: a transition and all settings are restored', async (t) => {
  const calm = await busy(t);
  const viewer = await busy(t);
  const [expected, hash] = [await picture(t, calm), calm.poseHash()];
  const seen = recorded(viewer);
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  t.equal(viewer.poseHash(), hash);
  t.samePixels(await picture(t, viewer), expected, { channel: 1 });
  t.equal(viewer.liveObjects(), calm.liveObjects());
  // The transition continues from the same point.
  for (const one of [viewer, calm]) one.advance(0.3);
  t.equal(viewer.poseHash(), calm.poseHash());
  t.samePixels(await picture(t, viewer), await picture(t, calm), { channel: 1 });
  t.equal(
    seen.filter((name) => name.startsWith('context') || name === 'error'),
    ['contextlost', 'contextrestored'],
  );
});

test('context loss: calls in between take effect', async (t) => {
  const calm = await busy(t);
  const viewer = await busy(t);
  const change = (one: Viewer): void => {
    one.advance(0.3);
    one.variant = null;
    one.joint(0).override({ rotation: [0, 0, 0.6, 0.8] });
    one.shadowIntensity = 0;
    one.exposure = 0.8;
    one.background = [0.2, 0.3, 0.4, 1];
  };
  change(calm);
  const expected = await picture(t, calm);
  const seen = recorded(viewer);
  const loss = new Loss(t, viewer.canvas);
  loss.returns = false;
  loss.take();
  await t.until(() => seen.includes('contextlost'), 'the loss');
  change(viewer);
  const blob = viewer.toBlob();
  loss.giveBack();
  const early = t.pixels(await createImageBitmap(await blob));
  t.samePixels(early, expected, { channel: 1 });
  t.ok(seen.includes('contextrestored'), 'a picture waits for the context');
  t.samePixels(await picture(t, viewer), expected, { channel: 1 });
});

test(
  'context loss: the playhead stops, or runs on if visibility allows',
  async (t) => {
    for (const visibility of ['pause', 'run'] as const) {
      const viewer = await small(t);
      viewer.visibility = visibility;
      await viewer.load(await file());
      await viewer.play('Slide');
      const seen = recorded(viewer);
      const loss = new Loss(t, viewer.canvas);
      loss.returns = false;
      loss.take();
      await t.until(() => seen.includes('contextlost'), 'the loss');
      const { now } = viewer;
      await t.sleep(400);
      if (visibility === 'pause') t.equal(viewer.now, now);
      else t.ok(viewer.now > now + 0.3, 'time goes on');
      loss.giveBack();
      await t.until(() => seen.includes('contextrestored'), 'the return');
      const then = viewer.now;
      await t.until(() => viewer.now > then, 'it plays on');
      t.equal(viewer.paused, false);
      viewer.dispose();
    }
  },
  { all: OTHERS },
);

for (const [name, nth] of [
  ['compileShader', 3],
  ['texSubImage2D', 4],
  ['texSubImage2D', 12],
] as const) {
  test(
    `context loss: lost again during the restore, at ${name} ${nth}`,
    async (t) => {
      const viewer = await busy(t);
      const before = await picture(t, viewer);
      const objects = viewer.liveObjects();
      const seen = recorded(viewer);
      const loss = new Loss(t, viewer.canvas);
      viewer.canvas.addEventListener('webglcontextrestored', () => loss.times === 1 && loss.at(name, nth), {
        capture: true,
      });
      loss.take();
      await t.until(() => loss.times === 2 && seen.includes('contextrestored'), 'the second return');
      t.samePixels(await picture(t, viewer), before, { channel: 1 });
      t.equal(viewer.liveObjects(), objects);
      t.equal(seen, ['contextlost', 'contextrestored'], 'told once');
    },
    { all: OTHERS },
  );
}

test(
  'context loss: repeated losses leak nothing, and the third in a minute is final',
  async (t) => {
    const viewer = await small(t);
    await viewer.load(await file());
    await still(viewer);
    const [before, objects] = [await picture(t, viewer), viewer.liveObjects()];
    const seen = recorded(viewer, ['contextrestored', 'error']);
    const loss = new Loss(t, viewer.canvas);
    for (let i = 1; i <= 2; i++) {
      loss.take();
      await t.until(() => seen.length === i, `return ${i}`);
      t.equal(viewer.liveObjects(), objects);
    }
    t.samePixels(await picture(t, viewer), before, { channel: 1 });
    t.equal(seen, ['contextrestored', 'contextrestored']);
    // A third loss within a minute: the viewer gives up.
    const waiting = viewer.load(await file());
    loss.returns = false;
    loss.take();
    await t.throws(() => waiting, /aborted|context-lost/);
    await t.until(() => seen.includes('error'), 'the end');
    await t.throws(() => viewer.load('/sample.glb'), 'render/context-lost');
    t.ok(document.querySelector('canvas[aria-hidden]'), 'the last picture stays');
    viewer.dispose();
  },
  { all: OTHERS },
);

test('context loss: an actor is removed during the restore', async (t) => {
  const viewer = await small(t);
  await viewer.load(await file());
  await still(viewer);
  const before = await picture(t, viewer);
  const actor = await viewer.add(await file(), { position: [0, 1.2, 0] });
  const wrong = faults(viewer);
  const loss = new Loss(t, viewer.canvas);
  const seen = recorded(viewer);
  viewer.canvas.addEventListener('webglcontextrestored', () => actor.remove());
  loss.take();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
  t.equal(wrong, []);
});

// ---- the picture meanwhile

test('context loss: the last picture stays visible', async (t) => {
  document.body.style.margin = '20px';
  const viewer = await createViewer(t.canvas(256, 192), { background: [0.2, 0.6, 0.3, 1], maxDpr: 1 });
  viewer.canvas.style.border = '4px solid black';
  await viewer.load(await file());
  await viewer.seek(1);
  await t.frames(2);
  const children = document.body.children.length;
  const before = await t.screenshot();
  const loss = new Loss(t, viewer.canvas);
  loss.returns = false;
  const seen = recorded(viewer);
  loss.take();
  await t.until(() => seen.includes('contextlost'), 'the loss');
  await t.frames(2);
  t.samePixels(await t.screenshot(), before, { channel: 2 });
  loss.giveBack();
  await t.until(() => seen.includes('contextrestored'), 'the return');
  await t.frames(2);
  t.samePixels(await t.screenshot(), before, { channel: 2 });
  t.equal(document.body.children.length, children, 'nothing is left in the page');
});

test('context loss: the last picture of a playing clip stays visible', async (t) => {
  const viewer = await createViewer(t.canvas(128, 128), { background: [0.2, 0.6, 0.3, 1], maxDpr: 1 });
  await viewer.load(await file());
  await viewer.play('Slide');
  await t.frames(3);
  const loss = new Loss(t, viewer.canvas);
  loss.returns = false;
  const seen = recorded(viewer);
  loss.take();
  await t.until(() => seen.includes('contextlost'), 'the loss');
  await t.frames(2);
  const { data, width } = await t.screenshot();
  const at = 4 * (12 * width + 12);
  t.close([...data.slice(at, at + 3)], [51, 153, 77], 3, 'the background');
});

// ---- disposal

test('context loss: a permanent loss, then dispose()', async (t) => {
  const canvas = t.canvas(SIZE, SIZE);
  const viewer = await createViewer(canvas);
  await viewer.load(await file());
  const children = document.body.children.length;
  const loss = new Loss(t, canvas);
  loss.returns = false;
  const wrong = faults(viewer);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  await t.frames(2);
  const pending = [viewer.load(await file()), viewer.add(await file()), viewer.toBlob(), viewer.setEnvironment(null)];
  const settled = Promise.allSettled(pending);
  await t.sleep(50);
  viewer.dispose();
  const codes = (await settled).map((one) =>
    one.status === 'rejected' ? (one.reason as { code?: string }).code : 'resolved',
  );
  t.equal(codes, ['load/aborted', 'load/aborted', 'viewer/disposed', 'load/aborted']);
  t.equal(document.body.children.length, children);
  t.equal(wrong, []);
  loss.giveBack();
  await t.sleep(100);
});

test('context loss: a canvas without a WebGL 2 context is refused', async (t) => {
  const taken = t.canvas(SIZE, SIZE);
  t.some(taken.getContext('2d'));
  await t.throws(() => createViewer(taken), 'render/webgl2-unsupported');
  const lost = t.canvas(SIZE, SIZE);
  t.some(t.some(lost.getContext('webgl2')).getExtension('WEBGL_lose_context')).loseContext();
  await t.throws(() => createViewer(lost), 'render/context-lost');
});

for (const renderer of ['own', 'shared'] as const) {
  test(
    `context: is created while the module is on its way, and used (${renderer})`,
    async (t) => {
      const contexts = new Set<unknown>();
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        const context: unknown = Reflect.apply(getContext, this, [kind, ...rest]);
        if (kind === 'webgl2') contexts.add(context);
        return context;
      } as typeof getContext;
      const { fetch } = globalThis;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      globalThis.fetch = async (...given) => {
        if (/gambol\.wasm/.test(String(given[0]))) await released;
        return fetch(...given);
      };
      const pending = [createViewer(t.canvas(), { renderer }), createViewer(t.canvas(), { renderer })];
      const count = renderer === 'own' ? 2 : 1;
      t.equal(contexts.size, count, 'before the module');
      release();
      const viewers = await Promise.all(pending);
      await Promise.all(viewers.map((viewer) => viewer.load('/sample.glb')));
      t.equal(contexts.size, count, 'none is left unused');
    },
    { fresh: 'the module is not there before' },
  );
}
