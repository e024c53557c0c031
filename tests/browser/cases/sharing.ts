// Many viewers in one WebGL2 context: each shows its own picture, and keeps it.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { Loss } from './support/loss.ts';
import { model } from './support/model.ts';
import type { Json } from './support/scene.ts';
import { countGlObjects, picture } from './support/watch.ts';

/** A little longer than an unused context is kept, in milliseconds. */
const IDLE = 5500;

/** The sliding square in its own colour. */
function square(red: number, green: number, blue: number): Blob {
  const json = structuredClone(model().json) as Json;
  json.materials[0].pbrMetallicRoughness = { baseColorFactor: [red, green, blue, 1] };
  return new Blob([JSON.stringify(json)]);
}

/** `true` if the green square is visible; no background has its colour. */
function seesGreen(data: Uint8ClampedArray): boolean {
  return data.some((value, i) => i % 4 === 1 && value > 200 && (data[i + 1] ?? 255) < 60);
}

/** The contexts that canvases create from now on. */
function contexts(): { readonly canvases: Set<HTMLCanvasElement>; readonly gl: Set<unknown> } {
  const found = { canvases: new Set<HTMLCanvasElement>(), gl: new Set<unknown>() };
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    const context = (getContext as (...args: unknown[]) => RenderingContext | null).call(this, kind, ...rest);
    if (kind === 'webgl2' && context) {
      found.canvases.add(this);
      found.gl.add(context);
    }
    return context;
  } as typeof getContext;
  return found;
}

async function viewers(t: T, sizes: readonly (readonly [number, number])[]): Promise<Viewer[]> {
  const made: Viewer[] = [];
  for (const [i, [width, height]] of sizes.entries()) {
    const viewer = await createViewer(t.canvas(width, height), {
      renderer: 'shared',
      maxDpr: 1,
      background: [i / sizes.length, 0.5, 0.5, 1],
    });
    viewer.timeline = 'manual';
    made.push(viewer);
  }
  return made;
}

test('shared context: each viewer shows the picture that it has in its own context', async (t) => {
  const found = contexts();
  const sizes = [
    [64, 64],
    [200, 80],
    [40, 160],
  ] as const;
  const all = await viewers(t, sizes);
  await all[1]?.setEnvironment(null);
  // The sample needs the environment's light.
  const files = [square(1, 0, 0), square(0, 1, 0), '/sample.glb'] as const;
  await Promise.all(all.map((viewer, i) => viewer.load(t.some(files[i]))));
  await Promise.all(all.map((viewer, i) => viewer.seek(0.3 * i)));
  t.equal(found.gl.size, 1, 'one context');
  const shown = all.map((viewer) =>
    t.some(viewer.canvas.getContext('2d')).getImageData(0, 0, viewer.canvas.width, viewer.canvas.height),
  );
  for (const [i, [width, height]] of sizes.entries()) {
    const own = await createViewer(t.canvas(width, height), { maxDpr: 1, background: [i / sizes.length, 0.5, 0.5, 1] });
    own.timeline = 'manual';
    if (i === 1) await own.setEnvironment(null);
    await own.load(t.some(files[i]));
    await own.seek(0.3 * i);
    const expected = await picture(t, own);
    t.samePixels(t.some(shown[i]), expected, { channel: 2 });
    t.samePixels(await picture(t, t.some(all[i])), expected, { channel: 2 });
    own.dispose();
  }
});

test(
  'shared context: 40 viewers have one context, and free everything',
  async (t) => {
    const count = countGlObjects();
    const found = contexts();
    const [first] = await viewers(t, [[32, 32]]);
    await first?.load(square(1, 0, 0));
    await first?.seek(0);
    const before = count();
    const all = await viewers(
      t,
      Array.from({ length: 40 }, () => [32, 32] as const),
    );
    const file = square(0, 1, 0);
    await Promise.all(all.map((viewer) => viewer.load(file)));
    await Promise.all(all.map((viewer) => viewer.seek(0.5)));
    t.equal(found.gl.size, 1, 'one context');
    for (const viewer of all) {
      const { data } = t.some(viewer.canvas.getContext('2d')).getImageData(0, 0, 32, 32);
      t.ok(seesGreen(data), 'its square is seen');
    }
    for (const viewer of all) viewer.dispose();
    t.equal(count(), before, 'what is left is that of the first');
    first?.dispose();
  },
  { fresh: 'it observes the context that the page shares, which a page may have before' },
);

test(
  'shared context: a context loss restores all viewers',
  async (t) => {
    const found = contexts();
    const all = await viewers(t, [
      [64, 64],
      [96, 48],
    ]);
    await Promise.all(all.map((viewer, i) => viewer.load(square(i, 1 - i, 0))));
    await Promise.all(all.map((viewer) => viewer.seek(0.4)));
    const before = await Promise.all(all.map((viewer) => picture(t, viewer)));
    const [canvas] = found.canvases;
    const loss = new Loss(t, t.some(canvas));
    loss.returns = false;
    loss.take();
    await t.until(() => loss.times === 1, 'the loss');
    for (const [i, viewer] of all.entries()) {
      const { width, height } = viewer.canvas;
      t.samePixels(t.some(viewer.canvas.getContext('2d')).getImageData(0, 0, width, height), t.some(before[i]), {
        channel: 0,
      });
    }
    // One viewer is disposed meanwhile; another is created.
    t.some(all[0]).dispose();
    const coming = viewers(t, [[64, 64]]).then(async ([viewer]) => {
      await t.some(viewer).load(square(0, 1, 0));
      await t.some(viewer).seek(0.4);
      return t.some(viewer);
    });
    await t.sleep(50);
    loss.giveBack();
    t.samePixels(await picture(t, t.some(all[1])), t.some(before[1]), { channel: 1 });
    const came = await picture(t, await coming);
    t.ok(seesGreen(came.data), 'the one that came is seen');
  },
  { fresh: 'it observes the context that the page shares, which a page may have before' },
);

test(
  'shared context: an abandoned context ends without its successor',
  async (t) => {
    const found = contexts();
    const [first] = await viewers(t, [[32, 32]]);
    const old = t.some(first);
    const [canvas] = found.canvases;
    const loss = new Loss(t, t.some(canvas));
    for (let i = 1; i <= 3; i++) {
      if (i === 3) loss.returns = false;
      const told = new Promise((resolve) => old.addEventListener(i < 3 ? 'contextrestored' : 'error', resolve));
      loss.take();
      await told;
    }
    await viewers(t, [[32, 32]]);
    t.equal(found.gl.size, 2, 'another context');
    old.dispose();
    await t.sleep(IDLE);
    await viewers(t, [[32, 32]]);
    t.equal(found.gl.size, 2, 'which is the one of those who come later');
  },
  { fresh: 'no shared context may be there before', all: true },
);

test(
  'shared context: an unused context is forgotten when the module stops',
  async (t) => {
    const [shared] = await viewers(t, [[32, 32]]);
    const own = await createViewer(t.canvas(32, 32), { maxDpr: 1 });
    await own.load(square(1, 0, 0));
    t.some(shared).dispose();
    // A panic of the module: a trap in the middle of a call.
    const failed = new Promise((resolve) => own.addEventListener('error', resolve));
    const { clear } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.clear = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    own.background = [0, 0, 1, 1];
    await failed;
    WebGL2RenderingContext.prototype.clear = clear;
    await t.sleep(IDLE);
    const [next] = await viewers(t, [[32, 32]]);
    await t.some(next).load(square(0, 1, 0));
    await t.some(next).seek(0);
    t.ok(seesGreen((await picture(t, t.some(next))).data), 'another instance draws');
  },
  { fresh: 'no shared context may be there before', all: true },
);
