// Uploads to the GPU are sliced, so that the page can run between the slices. No test measures time: the tests count
// the slices and their bytes.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { hdr } from './support/panorama.ts';
import { picture } from './support/watch.ts';
import { SIZE, Scene, through, type Json } from './support/scene.ts';

const BUDGET = 1 << 20;

interface Piece {
  readonly name: string;
  readonly bytes: number;
  /** For images: the first row, and the number of rows. */
  readonly rows?: readonly [first: number, count: number];
}

/** Records uploads to the GPU from now on. */
function pieces(): Piece[] {
  const list: Piece[] = [];
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: any[]) => unknown>;
  const record = (name: string, look: (...args: any[]) => Piece | undefined): void => {
    const original = prototype[name];
    if (!original) return;
    prototype[name] = function (...args) {
      const piece = look(...args);
      if (piece) list.push(piece);
      return original.apply(this, args);
    };
  };
  const length = (data: unknown): number => (ArrayBuffer.isView(data) ? data.byteLength : 0);
  record('bufferData', (_, data) => ({ name: 'bufferData', bytes: length(data) }));
  record('bufferSubData', (_, __, data) => ({ name: 'bufferSubData', bytes: length(data) }));
  record('texImage2D', (_, __, ___, width, height) => ({ name: 'texImage2D', bytes: 4 * width * height }));
  record('texSubImage2D', (_, __, ___, y, width, height, ____, _____, data) => ({
    name: 'texSubImage2D',
    bytes: ArrayBuffer.isView(data) ? length(data) : 4 * width * height,
    rows: [y, height],
  }));
  record('compressedTexSubImage2D', (...args) => ({
    name: 'compressedTexSubImage2D',
    bytes: length(args.at(-1)) || length(args[7]),
  }));
  return list;
}

/** A square with an image of 8 × 8 fields, `side` pixels wide and high; returns the colours of the fields. */
function checked(side: number): { scene: Scene; colours: number[][] } {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: side, height: side });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const colours: number[][] = [];
  for (let i = 0; i < 64; i++) {
    const colour = [(i % 8) * 36, (i >> 3) * 36, (i * 29) % 256];
    colours.push(colour);
    context.fillStyle = `rgb(${colour.join()})`;
    context.fillRect(((i % 8) * side) / 8, ((i >> 3) * side) / 8, side / 8, side / 8);
  }
  const scene = new Scene();
  const source = scene.add('images', { uri: canvas.toDataURL() });
  const index = scene.add('textures', { source });
  scene.node({ mesh: scene.square(scene.unlit([1, 1, 1], { index })) });
  return { scene, colours };
}

test('sliced uploads: a large image is uploaded in rows, each once', async (t) => {
  const sent = pieces();
  const { scene, colours } = checked(2048);
  const viewer = await through(t, scene, { antialias: false });
  viewer.toneMapping = 'none';
  const rows = sent
    .filter(({ name, bytes, rows }) => name === 'texSubImage2D' && rows && bytes > BUDGET / 2)
    .map(({ rows: row = [0, 0] }) => row);
  t.equal(
    rows,
    Array.from({ length: 16 }, (_, i) => [128 * i, 128]),
  );
  t.equal(
    sent.filter(({ bytes }) => bytes > BUDGET),
    [],
  );
  const { data, width } = await picture(t, viewer);
  const field = SIZE / 8;
  for (const [i, colour] of colours.entries()) {
    const at = 4 * (((i >> 3) * field + field / 2) * width + (i % 8) * field + field / 2);
    t.close([...data.slice(at, at + 3)], colour, 2, `field ${i}`);
  }
});

/** A grid of triangles with `side` vertices in each direction, with a morph target. */
function grid(side: number): Blob {
  const positions = new Float32Array(3 * side * side);
  const deltas = new Float32Array(3 * side * side);
  const indices = new Uint32Array(6 * (side - 1) ** 2);
  let next = 0;
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [i % side, Math.floor(i / side)];
    positions.set([(2 * x) / (side - 1) - 1, (2 * y) / (side - 1) - 1, 0], 3 * i);
    deltas[3 * i] = 0.5;
    if (x + 1 < side && y + 1 < side) indices.set([i, i + 1, i + side, i + side, i + 1, i + side + 1], (next += 6) - 6);
  }
  const parts = [positions, deltas, indices];
  let offset = 0;
  const bufferViews = parts.map(({ byteLength }) => ({
    buffer: 0,
    byteOffset: (offset += byteLength) - byteLength,
    byteLength,
  }));
  const vectors = (bufferView: number): object => ({
    bufferView,
    componentType: 5126,
    count: side * side,
    type: 'VEC3',
    min: bufferView ? [0.5, 0, 0] : [-1, -1, 0],
    max: bufferView ? [0.5, 0, 0] : [1, 1, 0],
  });
  const json: Json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [{ attributes: { POSITION: 0 }, indices: 2, targets: [{ POSITION: 1 }], material: 0 }],
        weights: [1],
      },
    ],
    materials: [{ extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }],
    extensionsUsed: ['KHR_materials_unlit'],
    accessors: [vectors(0), vectors(1), { bufferView: 2, componentType: 5125, count: indices.length, type: 'SCALAR' }],
    bufferViews,
    buffers: [{ byteLength: offset, uri: 'grid.bin' }],
  };
  files.set('grid.bin', new Blob(parts));
  return new Blob([JSON.stringify(json)]);
}

const files = new Map<string, Blob>();

test('sliced uploads: large vertices, indices and morph targets are uploaded in pieces', async (t) => {
  const sent = pieces();
  files.set('grid.gltf', grid(320));
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, antialias: false });
  await viewer.load(files);
  viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
  t.equal(
    sent.filter(({ bytes }) => bytes > BUDGET),
    [],
  );
  const total = (name: string): number =>
    sent.filter((piece) => piece.name === name).reduce((sum, { bytes }) => sum + bytes, 0);
  const vertices = 320 * 320;
  t.ok(total('bufferSubData') >= 12 * vertices + 4 * 6 * 319 ** 2, 'all of it');
  const large = sent.filter(({ name, bytes }) => name === 'bufferSubData' && bytes === BUDGET).length;
  t.equal(large, Math.floor((12 * vertices) / BUDGET) + Math.floor((24 * 319 ** 2) / BUDGET), 'full pieces');
  // The grid is morphed by half its width to the right, and has no gap.
  const { data, width } = await picture(t, viewer);
  let covered = 0;
  for (let i = 0; i < data.length; i += 4) covered += (data[i] ?? 0) > 128 && (data[i + 3] ?? 0) > 128 ? 1 : 0;
  let [left, right, top, bottom] = [width, 0, width, 0];
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i + 3] ?? 0) < 128) continue;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  t.ok(covered > 100, 'something is seen');
  t.equal(covered, (right - left + 1) * (bottom - top + 1), 'a full rectangle');
});

test('sliced uploads: an environment is uploaded in pieces', async (t) => {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
  await viewer.setEnvironment('studio');
  viewer.skybox = true;
  const sent = pieces();
  await viewer.setEnvironment(hdr(2048, 1024, (x, y, z) => [1 + x, 1 + y, 1 + z]));
  // Faces of the prefiltered environment have at most 256 rows.
  const written = (): (readonly number[])[] =>
    sent
      .filter(({ name }) => name === 'texSubImage2D')
      .map(({ rows = [] }) => rows)
      .filter(([, height = 0]) => height > 256);
  await t.until(() => written().length > 1, 'all of it');
  t.equal(written(), [
    [0, 512],
    [512, 512],
  ]);
});

/** Aborts at the nth call of a GL function. */
function abortAt(name: string, nth: number, abort: AbortController): void {
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = prototype[name];
  let left = nth;
  prototype[name] = function (...args) {
    if (--left === 0) abort.abort();
    return original?.apply(this, args);
  };
}

/** The live objects except programs, which are cached. */
function objects(viewer: Viewer): Record<string, number> {
  return { ...viewer.liveObjects(), programs: 0 };
}

for (const [name, nth] of [
  ['compileShader', 1],
  ['bufferSubData', 1],
  ['texSubImage2D', 3],
  ['generateMipmap', 1],
] as const) {
  test(`sliced uploads: an abort at ${name} frees everything`, async (t) => {
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
    await viewer.setEnvironment('studio');
    const before = objects(viewer);
    const abort = new AbortController();
    abortAt(name, nth, abort);
    await t.throws(() => viewer.load(checked(1024).scene.file(), { signal: abort.signal }), 'load/aborted');
    await t.until(() => JSON.stringify(objects(viewer)) === JSON.stringify(before), 'all to be freed');
    t.equal([viewer.clips.length, viewer.model], [0, null]);
    await viewer.load(checked(8).scene.file());
    t.ok(viewer.model, 'and the next one comes');
  });
}

test('sliced uploads: a second load frees the first', async (t) => {
  const calm = await through(t, checked(1024).scene);
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1] });
  const first = viewer.load(checked(2048).scene.file(), {
    onProgress: ({ phase }) => {
      // During the upload.
      if (phase === 'upload') setTimeout(() => void (second ??= viewer.load(checked(1024).scene.file())));
    },
  });
  let second: Promise<void> | undefined;
  await t.throws(() => first, 'load/aborted');
  await second;
  viewer.activeCamera = 0;
  t.samePixels(await picture(t, viewer), await picture(t, calm), { channel: 1 });
  await t.until(() => JSON.stringify(objects(viewer)) === JSON.stringify(objects(calm)), 'the first to be freed');
});

test('sliced uploads: continue on a hidden page', async (t) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
  const viewer = await through(t, checked(1024).scene);
  t.ok(
    (await picture(t, viewer)).data.some((value) => value > 0),
    'a picture',
  );
});

test(
  'sliced uploads: other tasks run in between',
  async (t: T) => {
    const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
    await viewer.setEnvironment('studio');
    const sent = pieces();
    // The bytes that were uploaded between two turns of the page.
    const turns: number[] = [];
    let [seen, going] = [0, true];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const sum = sent.slice(seen).reduce((all, { bytes }) => all + bytes, 0);
      seen = sent.length;
      if (sum > 0) turns.push(sum);
      if (going) port2.postMessage(null);
    };
    port2.postMessage(null);
    await viewer.load(checked(2048).scene.file());
    going = false;
    t.ok(turns.length >= 16 / 5, `${turns.length} turns`);
    t.ok(Math.max(...turns) <= 5 << 20, 'never much at once');
  },
  { fresh: 'it measures turns of an idle page' },
);
