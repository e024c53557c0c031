// The edges of alpha masks: no line beyond what the texture covers, and cutoffs of 0 and 1.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { Scene } from './support/scene.ts';
import { picture } from './support/watch.ts';

/** The width and height of the picture. */
const SIZE = 192;
const LYING = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const [REPEAT, MIRRORED, CLAMP] = [10497, 33648, 33071];

/** A picture of one colour whose upper part is transparent, like grass. */
function grass(size: number): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext('2d');
  if (context) context.fillStyle = '#20a020';
  context?.fillRect(0, size / 2, size, size / 2);
  return canvas.toDataURL();
}

interface Plane {
  readonly size?: number;
  readonly wrap?: number;
  readonly cutoff?: number;
  readonly rotation?: readonly number[];
  readonly translation?: readonly number[];
  readonly alpha?: number;
  readonly uvs?: readonly number[];
  readonly transform?: object;
}

/** A viewer without a background. */
const empty = (t: T): Promise<Viewer> => createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: null });

/** Shows a square with a mask from above, at an angle. */
async function show(t: T, viewer: Viewer, { size = 64, wrap = REPEAT, cutoff = 0.5, ...more }: Plane): Promise<void> {
  const scene = new Scene();
  scene.json.cameras[0] = { type: 'perspective', perspective: { yfov: 0.8, znear: 0.1, zfar: 50, aspectRatio: 1 } };
  const pitch = 0.32;
  Object.assign(scene.json.nodes[0], {
    rotation: [-Math.sin(pitch / 2), 0, 0, Math.cos(pitch / 2)],
    translation: [0, 1.2, 3.2],
  });
  const source = scene.add('images', { uri: grass(size) });
  const sampler = scene.add('samplers', { magFilter: 9729, minFilter: 9987, wrapS: wrap, wrapT: wrap });
  const index = scene.add('textures', { source, sampler });
  if (more.transform) scene.use('KHR_texture_transform');
  const texture = more.transform ? { index, extensions: { KHR_texture_transform: more.transform } } : { index };
  const material = scene.add('materials', {
    pbrMetallicRoughness: {
      baseColorFactor: [1, 1, 1, more.alpha ?? 1],
      ...(more.alpha === undefined ? { baseColorTexture: texture } : {}),
      metallicFactor: 0,
    },
    alphaMode: 'MASK',
    alphaCutoff: cutoff,
    doubleSided: true,
  });
  const mesh = scene.square(material, more.uvs ? { TEXCOORD_0: scene.accessor('VEC2', more.uvs) } : {});
  scene.node({ mesh, rotation: more.rotation ?? LYING, translation: more.translation ?? [0, 0, 0] });
  await viewer.load(scene.file());
  t.equal(viewer.warnings, [], 'warnings');
  viewer.activeCamera = 0;
}

/** The row of a point of the square, by V: 0 is its far edge. */
function rowOf(viewer: Viewer, v: number): number {
  return viewer.project([0, 0, 2 * v - 1])?.y ?? NaN;
}

/** The rows that have anything in them. */
function rows({ data }: ImageData): number[] {
  const found = new Set<number>();
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 0) found.add(Math.floor(i / 4 / SIZE));
  return [...found].sort((a, b) => a - b);
}

test('alpha masks: a plane has no line along its far edge', async (t) => {
  const viewer = await empty(t);
  for (const [size, wrap, cutoff, shadowIntensity] of [
    [8, REPEAT, 0.5, 0],
    [64, REPEAT, 0.5, 0],
    [512, REPEAT, 0.5, 0],
    [64, REPEAT, 0.02, 0],
    [64, REPEAT, 0.9, 0],
    [64, REPEAT, 0.5, 1],
    [64, MIRRORED, 0.5, 0],
    [64, CLAMP, 0.5, 0],
  ] as const) {
    await show(t, viewer, { size, wrap, cutoff });
    viewer.shadowIntensity = shadowIntensity;
    const what = `${size} texels, wrap ${wrap}, cutoff ${cutoff}, shadow ${shadowIntensity}`;
    const { data } = await picture(t, viewer);
    const [far, half] = [rowOf(viewer, 0), rowOf(viewer, 0.5)];
    t.ok(half - far > 15, `${far} to ${half}`);
    // The filter reaches over a texel; far away it is one of a smaller level.
    const first = rowOf(viewer, 0.5 - 1 / size) - 2;
    let [wrong, last] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const row = Math.floor(i / 4 / SIZE);
      // The shadow is black.
      if ((data[i + 1] ?? 0) <= 20) continue;
      if (row < first) wrong += 1;
      last = row;
    }
    t.equal(wrong, 0, `${what}: nothing above row ${first}`);
    t.close(last, rowOf(viewer, 1), 1.5, `${what}: the near edge`);
  }
});

test('alpha masks: a texture that repeats on a plane does so', async (t) => {
  // Twice along V: by coordinates, and by a transform.
  const uvs = [0, 2, 1, 2, 1, 0, 0, 0];
  const viewer = await empty(t);
  for (const more of [{ uvs }, { transform: { scale: [1, 2] } }]) {
    await show(t, viewer, more);
    const covered = rows(await picture(t, viewer));
    const at = (v: number): boolean => covered.includes(Math.round(rowOf(viewer, v)));
    t.equal([0.12, 0.37, 0.63, 0.88].map(at), [false, true, false, true]);
  }
});

test('alpha masks: a constant alpha at the cutoff is whole, and one below it is nothing', async (t) => {
  const viewer = await empty(t);
  for (const [alpha, cutoff, whole] of [
    [1, 1, true],
    [0.5, 0.5, true],
    [0, 0, true],
    [1, 0.5, true],
    [0.99, 1, false],
    [0.49, 0.5, false],
    [0, 0.01, false],
    [1, 1.5, false],
  ] as const) {
    await show(t, viewer, { alpha, cutoff });
    const { data } = await picture(t, viewer);
    const middle = Math.round(rowOf(viewer, 0.5)) * SIZE + SIZE / 2;
    t.equal(data[4 * middle + 3], whole ? 255 : 0, `alpha ${alpha}, cutoff ${cutoff}`);
  }
});
