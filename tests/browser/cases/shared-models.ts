// Viewers that share a context share models: one request, one import, one set of GPU objects, freed with the last viewer.

import { createViewer, init, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, made } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { Scene } from './support/scene.ts';
import { countGlObjects, picture } from './support/watch.ts';

/** The objects of a model; programs and framebuffers are not counted. */
const KINDS = ['Buffer', 'Texture', 'VertexArray'] as const;

function only(live: Record<string, number>): number[] {
  return KINDS.map((kind) => live[kind] ?? NaN);
}

async function shared(t: T, options: object = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(48, 48), { renderer: 'shared', maxDpr: 1, ...options });
  viewer.timeline = 'manual';
  await viewer.setEnvironment('studio');
  return viewer;
}

/** The number of requests for each address of the sample. */
async function asked(t: T): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const { path } of await t.requests())
    if (path.startsWith('/sample.glb')) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts.values()];
}

test(
  'shared models: 12 elements of 4 models make 4 requests and hold 4 models, freed with the last of each',
  async (t) => {
    await init();
    const live = countGlObjects();
    // Keeps the context, its programs and its light alive.
    const first = await shared(t);
    await first.load('/sample.glb?kept');
    const before = only(live());
    const second = await shared(t);
    await second.load('/sample.glb?one');
    const one = only(live()).map((count, i) => count - (before[i] ?? 0));
    t.ok((one[0] ?? 0) > 0 && (one[1] ?? 0) > 0, `a model takes buffers and textures: ${one}`);
    second.dispose();
    t.equal(only(live()), before);

    document.body.style.cssText = 'display: flex; flex-wrap: wrap';
    const elements = Array.from({ length: 12 }, (_, i) => {
      const element = made({ src: `/sample.glb?model=${i % 4}`, autoplay: '' });
      element.style.cssText = 'width: 60px; height: 50px';
      return element;
    });
    const loads = elements.map((element) => details(element, 'load'));
    // Some elements are added after the models of the others are loaded.
    document.body.append(...elements.slice(0, 6));
    await t.until(() => loads.slice(0, 6).every(({ length }) => length === 1), 'the first');
    document.body.append(...elements.slice(6));
    await t.until(() => loads.every(({ length }) => length === 1), 'all of them');
    const paths = (await t.requests()).map(({ path }) => path).filter((path) => path.includes('?model='));
    t.equal(
      paths.sort(),
      [0, 1, 2, 3].map((i) => `/sample.glb?model=${i}`),
    );
    t.equal(
      only(live()),
      before.map((count, i) => count + 4 * (one[i] ?? 0)),
      'four models',
    );

    const gone = async (from: number, to: number, models: number): Promise<void> => {
      for (const element of elements.slice(from, to)) element.remove();
      const expected = JSON.stringify(before.map((count, i) => count + models * (one[i] ?? 0)));
      await t.until(() => JSON.stringify(only(live())) === expected, `${models} models`);
    };
    await gone(0, 8, 4);
    await gone(8, 10, 2);
    await gone(10, 12, 0);
  },
  { all: true },
);

test('shared models: an abort of one load does not affect the others', async (t) => {
  const [a, b] = [await shared(t), await shared(t)];
  const abort = new AbortController();
  const url = '/sample.glb?delay=200';
  const first = a.load(url, { signal: abort.signal });
  const second = b.load(url);
  setTimeout(() => abort.abort(), 50);
  await t.throws(() => first, 'load/aborted');
  await second;
  t.ok(b.clips.length > 0);
  t.equal(await asked(t), [1]);
  // The request is aborted when no load waits for it, and the next load makes a new request.
  const both = [a.load('/sample.glb?delay=300'), b.load('/sample.glb?delay=300')];
  await t.sleep(30);
  a.unload();
  b.unload();
  for (const load of both) await t.throws(() => load, 'load/aborted');
  await a.load('/sample.glb?delay=300');
  t.equal(await asked(t), [1, 2]);
});

test('shared models: dispose() during the load does not affect the others', async (t) => {
  const live = countGlObjects();
  const kept = await shared(t);
  await kept.load('/sample.glb?kept');
  const before = only(live());
  const viewers = [await shared(t), await shared(t), await shared(t)];
  const loads = viewers.map((viewer) => viewer.load('/sample.glb?other').catch((error: GambolError) => error.code));
  await t.until(() => only(live())[0] !== before[0], 'the upload');
  viewers[0]?.dispose();
  viewers[1]?.dispose();
  const results = await Promise.all(loads);
  t.equal(results[2], undefined);
  const last = t.some(viewers[2]);
  await last.seek(0.5);
  await kept.seek(0.5);
  t.samePixels(await picture(t, last), await picture(t, kept), { channel: 0 });
  last.dispose();
  await t.until(() => JSON.stringify(only(live())) === JSON.stringify(before), 'all of it to be freed');
});

test('shared models: an error rejects all waiting loads, and a later load requests again', async (t) => {
  t.expectTrouble(/500/);
  const [a, b] = [await shared(t), await shared(t)];
  const url = '/sample.glb?status=500';
  const errors = await Promise.all(
    [a, b].map((viewer) =>
      viewer.load(url).then(
        () => 'none',
        (error: GambolError) => error.code,
      ),
    ),
  );
  t.equal([errors, await asked(t)], [['fetch/http', 'fetch/http'], [1]]);
  await t.throws(() => a.load(url), 'fetch/http');
  t.equal(await asked(t), [2]);
});

test('shared models: the current URL is loaded again, and other options are another model', async (t) => {
  const live = countGlObjects();
  const [a, b] = [await shared(t), await shared(t)];
  await a.load('/sample.glb?a');
  const one = only(live());
  await b.load('/sample.glb?a');
  t.equal([await asked(t), only(live())], [[1], one]);
  await b.load('/sample.glb?a', { animations: ['/sample.glb?b'] });
  t.ok(b.clips.length > a.clips.length, 'its own clips');
  t.ok((only(live())[0] ?? 0) > (one[0] ?? 0), 'a model of its own');
  await a.load('/sample.glb?a');
  t.equal(await asked(t), [3, 1], 'for the clips, and once more');
  const before = only(live());
  const twice = await b.add('/sample.glb?a');
  t.equal(only(live()), before, 'shared with the other viewer');
  a.dispose();
  twice.play();
  await b.seek(0.1);
  t.ok(!twice.paused);
});

test(
  'shared models: a context loss restores each model once',
  async (t) => {
    const canvases = new Set<HTMLCanvasElement>();
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      if (kind === 'webgl2') canvases.add(this);
      return (getContext as (...args: unknown[]) => RenderingContext | null).call(this, kind, ...rest);
    } as typeof getContext;
    const viewers = [await shared(t), await shared(t), await shared(t)];
    for (const viewer of viewers) {
      await viewer.load('/sample.glb');
      await viewer.seek(0.4);
    }
    const before = await picture(t, t.some(viewers[0]));
    const { prototype } = WebGL2RenderingContext;
    const { texSubImage2D, createVertexArray } = prototype;
    let [images, arrays] = [0, 0];
    prototype.texSubImage2D = function (this: WebGL2RenderingContext, ...args: any[]) {
      if (args.some((arg) => arg instanceof ImageBitmap)) images += 1;
      return (texSubImage2D as (...args: unknown[]) => void).apply(this, args);
    } as typeof texSubImage2D;
    prototype.createVertexArray = function (this: WebGL2RenderingContext) {
      arrays += 1;
      return createVertexArray.call(this);
    };
    const restored = viewers.map(
      (viewer) => new Promise((resolve) => viewer.addEventListener('contextrestored', resolve, { once: true })),
    );
    const loss = new Loss(t, t.some([...canvases][0]));
    loss.take();
    await Promise.all(restored);
    for (const viewer of viewers) t.samePixels(await picture(t, viewer), before, { channel: 1 });
    const many = [images, arrays];
    for (const viewer of viewers.splice(1)) viewer.dispose();
    const again = new Promise((resolve) =>
      t.some(viewers[0]).addEventListener('contextrestored', resolve, { once: true }),
    );
    [images, arrays] = [0, 0];
    loss.take();
    await again;
    t.equal(many, [images, arrays], 'three viewers bring no more than one');
  },
  { fresh: 'it observes the context that the page shares, which a page may have before' },
);

test('shared models: each viewer has its own skinning and debug views', async (t) => {
  const own = async (change: (viewer: Viewer) => void, options: object = {}): Promise<ImageData> => {
    const viewer = await createViewer(t.canvas(48, 48), { maxDpr: 1, ...options });
    viewer.timeline = 'manual';
    await viewer.setEnvironment('studio');
    await viewer.load('/sample.glb');
    viewer.play('Walk');
    change(viewer);
    await viewer.seek(0.6);
    const image = await picture(t, viewer);
    viewer.dispose();
    return image;
  };
  const changes: readonly (readonly [change: (viewer: Viewer) => void, options?: object])[] = [
    [() => undefined],
    [
      (viewer) => {
        viewer.skinning = 'dual-quaternion';
      },
    ],
    [() => undefined, { skinOn: 'cpu' }],
    [
      (viewer) => {
        viewer.debug = 'weights:2';
      },
    ],
    [
      (viewer) => {
        viewer.debug = 'wireframe';
      },
    ],
  ];
  const viewers = await Promise.all(
    changes.map(async ([change, options]) => {
      const viewer = await shared(t, options);
      await viewer.load('/sample.glb');
      viewer.play('Walk');
      change(viewer);
      await viewer.seek(0.6);
      return viewer;
    }),
  );
  t.equal(await asked(t), [1]);
  for (const [i, [change, options]] of changes.entries()) {
    t.samePixels(await picture(t, t.some(viewers[i])), await own(change, options), { channel: 2 });
  }
  t.some(viewers[4]).debug = 'none';
  t.samePixels(await picture(t, t.some(viewers[3])), await own(t.some(changes[3])[0]), { channel: 2 });
});

test('shared models: two actors of one viewer from the same URL share a model', async (t) => {
  const live = countGlObjects();
  const viewer = await shared(t);
  const [a, b] = await Promise.all([viewer.add('/sample.glb'), viewer.add('/sample.glb')]);
  t.equal(await asked(t), [1]);
  const both = only(live());
  a.remove();
  t.equal(only(live()), both);
  b.play();
  b.remove();
  t.ok((only(live())[0] ?? 0) < (both[0] ?? 0), 'freed with the last');
  // Scenes loaded from bytes have no address, so they are not shared.
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([0, 1, 0])) });
  await viewer.load(scene.file());
  await viewer.load(scene.file());
});
