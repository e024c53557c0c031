// The cost of frames, and the absence of needless work.

import { createViewer } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';
import { Scene, through } from './support/scene.ts';
import { countGlObjects, picture } from './support/watch.ts';

test('stats: nothing is drawn while nothing changes', async (t) => {
  const viewer = await createViewer(t.canvas(), { maxDpr: 1 });
  await viewer.load('/sample.glb');
  await t.sleep(100);
  const { frames } = viewer.stats;
  t.ok(frames > 0, 'it is shown');
  await t.sleep(300);
  t.equal(viewer.stats.frames, frames);
  viewer.exposure = 2;
  viewer.debug = 'skeleton';
  await t.frames(3);
  t.equal(viewer.stats.frames, frames + 1, 'two changes, one frame');
  viewer.play();
  await t.sleep(200);
  viewer.pause();
  await t.frames(2);
  const later = viewer.stats.frames;
  t.ok(later > frames + 2, 'it plays');
  await t.sleep(200);
  t.equal(viewer.stats.frames, later);
});

test('stats: a frame creates no GL object and needs no more memory', async (t) => {
  const live = countGlObjects();
  const made = countMade();
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, antialias: false });
  await viewer.load('/sample.glb');
  viewer.shadowIntensity = 1;
  viewer.play('Walk');
  await t.until(() => viewer.stats.frames > 10, 'it runs');
  const before = { made: made(), live: live(), objects: viewer.stats.live, memory: viewer.stats.memoryBytes };
  const from = viewer.stats.frames;
  await t.until(() => viewer.stats.frames > from + 20, 'frames');
  t.equal({ made: made(), live: live(), objects: viewer.stats.live, memory: viewer.stats.memoryBytes }, before);
  t.equal(viewer.liveObjects(), viewer.stats.live);
  const { Buffer, Texture, Program, Framebuffer } = live();
  const { buffers, textures, programs, framebuffers } = viewer.stats.live;
  t.equal([buffers, textures, programs, framebuffers], [Buffer, Texture, Program, Framebuffer], 'they are all told');
});

for (const many of [false, true]) {
  test(`stats: a frame of ${many ? 'a crowd' : 'an actor'} allocates only the three numbers of the clock`, async (t) => {
    if (heap() === undefined) t.skip('this browser does not say how large its heap is');
    const {
      requestAnimationFrame,
      WebGL2RenderingContext: { prototype },
    } = window;
    const draws = { drawElements: prototype.drawElements, drawElementsInstanced: prototype.drawElementsInstanced };
    let due: FrameRequestCallback | undefined;
    let now = 0;
    const frames = (count: number): void => {
      for (let i = 0; i < count; i++) {
        // Small steps, since there is an event every quarter of a second.
        now += 1;
        due?.(now);
      }
    };
    const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, antialias: false });
    if (many) {
      const crowd = await viewer.addCrowd('/sample.glb', { positions: Array.from({ length: 15 }, (_, i) => i) });
      crowd.set({ clips: Float64Array.from({ length: 5 }, (_, i) => i) });
    } else {
      await viewer.load('/sample.glb');
      viewer.play('Walk');
    }
    await t.until(() => viewer.stats.frames > 3, 'it runs');
    try {
      window.requestAnimationFrame = (frame) => {
        due = frame;
        return 1;
      };
      // The GPU's work would take long, and does not matter here.
      prototype.drawElements = prototype.drawElementsInstanced = () => undefined;
      await t.until(() => due !== undefined, 'a frame is asked for');
      const from = viewer.stats.frames;
      now = performance.now();
      const grown = [];
      // The code is compiled to its optimised form after some thousand frames.
      for (let run = 0; run < 20; run++) {
        // The reported heap size is up to 50 ms old.
        await t.sleep(60);
        const before = heap() ?? 0;
        frames(500);
        await t.sleep(60);
        grown.push(((heap() ?? 0) - before) / 500);
      }
      t.equal(viewer.stats.frames, from + 10_000, 'all of them were drawn');
      // The median, since other work occurs now and then.
      const [, , , , usual = NaN] = grown.slice(-9).sort((x, y) => x - y);
      t.ok(usual > 0 && usual <= 100, `${usual} bytes a frame`);
    } finally {
      Object.assign(window, { requestAnimationFrame });
      Object.assign(prototype, draws);
    }
  });
}

test('stats: a slow page plays at full speed with fewer frames, and a single hitch does not jump', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  await viewer.load(model({ clips: [['Slide', 600]] }).glb);
  t.equal(viewer.stats.skippedTime, 0);
  const { requestAnimationFrame } = window;
  let due: FrameRequestCallback | undefined;
  let now = performance.now();
  /** Runs frames `apart` milliseconds apart; returns the seconds of playback in them. */
  const played = (count: number, apart: number): number => {
    const from = viewer.currentTime;
    for (let i = 0; i < count; i++) {
      now += apart;
      due?.(now);
    }
    return viewer.currentTime - from;
  };
  try {
    window.requestAnimationFrame = (frame) => {
      due = frame;
      return 1;
    };
    viewer.play();
    await t.until(() => due !== undefined, 'a frame is asked for');
    played(1, 16);
    t.close(played(100, 16), 1.6, 1e-6);
    t.close(played(1, 3000), 0.1, 1e-6, 'one hitch');
    t.close(viewer.stats.skippedTime, 2.9, 1e-6);
    t.close(played(100, 16), 1.6, 1e-6);
    t.close(played(40, 250), 9.85, 1e-6, 'four frames a second');
    t.close(viewer.stats.skippedTime, 3.05, 1e-6, 'of the first of them 0.15 s are left out');
  } finally {
    Object.assign(window, { requestAnimationFrame });
  }
});

test('stats: the counts are those of the WebGL calls', async (t) => {
  const calls = countCalls();
  const viewer = await createViewer(t.canvas(), { maxDpr: 1 });
  await viewer.load('/sample.glb');
  viewer.shadowIntensity = 1;
  for (let i = 0; i < 3; i++) {
    viewer.currentTime = 0.1 * i;
    // Earlier changes belong to the current frame, so the count begins after it.
    await picture(t, viewer);
  }
  viewer.currentTime = 0.5;
  const begun = calls();
  viewer.exposure = 1.5;
  await t.until(() => calls().draws > begun.draws, 'a frame');
  const [stats, ended] = [viewer.stats, calls()];
  const asked = Object.fromEntries(
    Object.entries(ended).map(([name, count]) => [name, count - (begun[name as keyof typeof begun] ?? 0)]),
  );
  t.equal(
    {
      draws: stats.drawCalls,
      triangles: stats.triangles,
      programs: stats.programChanges,
      textures: stats.textureChanges,
      buffers: stats.bufferChanges,
      bytes: stats.uploadedBytes,
    },
    asked,
  );
  t.ok(stats.stateChanges >= stats.programChanges + stats.textureChanges + stats.bufferChanges, 'all are among them');
});

test('stats: triangles, joints and matrices are those of the model', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt([0.5, 0.5, 0.5])) });
  const viewer = await through(t, scene);
  await picture(t, viewer);
  const { triangles, actors, joints, paletteBytes, drawCalls } = viewer.stats;
  // One matrix of twelve floats.
  t.equal([triangles, actors, joints, paletteBytes, drawCalls], [2, 1, 2, 48, 1]);
  await viewer.add(t.some(viewer.model), { position: [0, 0, -1] });
  await picture(t, viewer);
  const two = viewer.stats;
  t.equal([two.triangles, two.actors, two.joints, two.paletteBytes, two.drawCalls], [4, 2, 4, 96, 2]);
  t.ok(two.uploadedBytes >= 96 && two.memoryBytes >= 65536);
  t.ok(two.updateTime >= 0 && two.drawTime >= 0);
  viewer.dispose();
  t.equal([viewer.stats.frames, viewer.stats.live.buffers], [0, 0], 'nothing after the end');
});

/** Counts all objects that are created, even if they are deleted. */
function countMade(): () => number {
  let made = 0;
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(prototype).filter((key) => key.startsWith('create'))) {
    const create = prototype[name] as (...args: unknown[]) => unknown;
    prototype[name] = function (...args: unknown[]) {
      made += 1;
      return create.apply(this, args);
    };
  }
  return () => made;
}

interface Calls {
  draws: number;
  triangles: number;
  programs: number;
  textures: number;
  buffers: number;
  bytes: number;
}

/** Counts the calls of every WebGL2 context from now on. */
function countCalls(): () => Calls {
  const calls: Calls = { draws: 0, triangles: 0, programs: 0, textures: 0, buffers: 0, bytes: 0 };
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const on = (name: string, count: (...args: any[]) => void): void => {
    const call = prototype[name];
    if (!call) throw new Error(`WebGL has no ${name}`);
    prototype[name] = function (...args) {
      count(...args);
      return call.apply(this, args);
    };
  };
  const draw = (mode: number, vertices: number): void => {
    calls.draws += 1;
    calls.triangles += mode === 4 ? Math.floor(vertices / 3) : mode === 5 || mode === 6 ? vertices - 2 : 0;
  };
  on('drawArrays', (mode, _first, count) => draw(mode, count));
  on('drawElements', (mode, count) => draw(mode, count));
  on('useProgram', () => (calls.programs += 1));
  on('bindTexture', () => (calls.textures += 1));
  on('bindVertexArray', () => (calls.buffers += 1));
  on('bindBufferRange', () => (calls.buffers += 1));
  const view = (args: unknown[]): number =>
    args.reduce<number>((sum, arg) => sum + (ArrayBuffer.isView(arg) ? arg.byteLength : 0), 0);
  // A view may cover the whole memory, followed by a start and a length in elements.
  on('bufferSubData', (_target, _offset, data: ArrayBufferView, _begin?: number, length?: number) => {
    calls.bytes += length === undefined ? data.byteLength : length;
  });
  on('bufferData', (...args: unknown[]) => (calls.bytes += view(args)));
  on('texSubImage2D', (...args: unknown[]) => {
    const [width, height] = [args[4] as number, args[5] as number];
    calls.bytes += 16 * width * height;
  });
  return () => ({ ...calls });
}

/** The used bytes of the JavaScript heap, if the browser reports them. */
function heap(): number | undefined {
  return (performance as { memory?: { readonly usedJSHeapSize: number } }).memory?.usedJSHeapSize;
}
