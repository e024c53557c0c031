// More influences per vertex than vertex attributes allow: actors are skinned on the CPU, crowds read a texture, and no
// influence is dropped.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';

const JOINTS = 24;

/**
 * A ribbon with `4 * sets` equal influences per vertex; every joint rotates about its own axis. `idle` adds sets of
 * influences whose weights are 0.
 */
function ribbon(sets: number, idle = 0): Blob {
  const data: number[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const accessor = (type: string, width: number, values: readonly number[], shorts = false): number => {
    const at = data.length;
    const bytes = new Uint8Array((shorts ? Uint16Array : Float32Array).from(values).buffer);
    data.push(...bytes);
    while (data.length % 4) data.push(0);
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: bytes.length });
    const limits = {
      min: Array.from({ length: width }, (_, i) => Math.min(...values.filter((_, j) => j % width === i))),
      max: Array.from({ length: width }, (_, i) => Math.max(...values.filter((_, j) => j % width === i))),
    };
    accessors.push({
      bufferView: bufferViews.length - 1,
      componentType: shorts ? 5123 : 5126,
      count: values.length / width,
      type,
      ...limits,
    });
    return accessors.length - 1;
  };
  const rows = 12;
  const vertices = 2 * rows;
  const attributes: Record<string, number> = {
    POSITION: accessor('VEC3', 3, Array.from({ length: vertices }, (_, i) => [i % 2, Math.floor(i / 2) / 4, 0]).flat()),
    NORMAL: accessor('VEC3', 3, Array.from({ length: vertices }, () => [0, 0, 1]).flat()),
  };
  for (let set = 0; set < sets + idle; set += 1) {
    const four = (value: (i: number) => number): number[] =>
      Array.from({ length: vertices }, () => [0, 1, 2, 3].map(value)).flat();
    attributes[`JOINTS_${set}`] = accessor(
      'VEC4',
      4,
      four((i) => (4 * set + i) % JOINTS),
      true,
    );
    attributes[`WEIGHTS_${set}`] = accessor(
      'VEC4',
      4,
      four(() => (set < sets ? 1 / (4 * sets) : 0)),
    );
  }
  const indices = Array.from({ length: rows - 1 }, (_, i) => [
    2 * i,
    2 * i + 1,
    2 * i + 2,
    2 * i + 2,
    2 * i + 1,
    2 * i + 3,
  ]).flat();
  const input = accessor('SCALAR', 1, [0, 1]);
  const samplers = Array.from({ length: JOINTS }, (_, joint) => {
    // Later joints rotate further, so that a picture without them differs.
    const angle = 0.05 * joint;
    const turned = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    return { input, output: accessor('VEC4', 4, [0, 0, 0, 1, ...turned]) };
  });
  const list = accessor('SCALAR', 1, indices, true);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: Array.from({ length: JOINTS + 1 }, (_, i) => i) }],
    nodes: [...Array.from({ length: JOINTS }, () => ({})), { mesh: 0, skin: 0 }],
    skins: [{ joints: Array.from({ length: JOINTS }, (_, i) => i) }],
    meshes: [{ primitives: [{ attributes, indices: list, material: 0 }] }],
    materials: [
      {
        doubleSided: true,
        extensions: { KHR_materials_unlit: {} },
        pbrMetallicRoughness: { baseColorFactor: [0.6, 0.1, 0.1, 1] },
      },
    ],
    extensionsUsed: ['KHR_materials_unlit'],
    animations: [
      { samplers, channels: samplers.map((_, i) => ({ sampler: i, target: { node: i, path: 'rotation' } })) },
    ],
    accessors,
    bufferViews,
    buffers: [
      {
        byteLength: data.length,
        uri: `data:application/octet-stream;base64,${btoa(data.map((byte) => String.fromCharCode(byte)).join(''))}`,
      },
    ],
  };
  return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
}

async function shown(t: T, source: Blob, skinning: 'gpu' | 'cpu'): Promise<[Viewer, ImageData]> {
  const viewer = await createViewer(t.canvas(200, 200), { skinOn: skinning, maxDpr: 1, background: [1, 1, 1, 1] });
  await viewer.load(source);
  await viewer.seek(1);
  return [viewer, await t.pixels(await createImageBitmap(await viewer.toBlob()))];
}

const buffers = (viewer: Viewer): number => viewer.liveObjects()['buffers'] ?? 0;

test('influences: 20 are skinned on the GPU and 24 on the CPU, without loss', async (t) => {
  const few = ribbon(5);
  const [gpu, byGpu] = await shown(t, few, 'gpu');
  const [cpu, byCpu] = await shown(t, few, 'cpu');
  t.ok(buffers(gpu) < buffers(cpu), 'the GPU blends 20');
  t.samePixels(byGpu, byCpu, { channel: 3, outliers: 0.001 });

  // The same ribbon with a sixth set of zero weights.
  const [idle, same] = await shown(t, ribbon(5, 1), 'gpu');
  t.equal(buffers(idle), buffers(cpu));
  t.samePixels(same, byGpu, { channel: 3, outliers: 0.001 });

  const [many, all] = await shown(t, ribbon(6), 'gpu');
  const [other, forced] = await shown(t, ribbon(6), 'cpu');
  t.equal(buffers(many), buffers(other));
  t.samePixels(all, forced);
  const different = all.data.filter((value, i) => Math.abs(value - (byGpu.data[i] ?? 0)) > 16).length;
  t.ok(different > 500, `the last four joints show: ${different}`);
  for (const viewer of [gpu, cpu, idle, many, other]) viewer.dispose();
});

test('influences: crowds use all 24 as actors do, and the model has a warning', async (t) => {
  const make = async (): Promise<Viewer> => {
    const viewer = await createViewer(t.canvas(200, 200), { maxDpr: 1, background: [1, 1, 1, 1] });
    viewer.timeline = 'manual';
    return viewer;
  };
  const pose = async (viewer: Viewer): Promise<ImageData> => {
    viewer.camera = { azimuth: 0, polar: Math.PI / 2, distance: 8, target: [0, 1, 0] };
    await viewer.seek(1);
    return t.pixels(await createImageBitmap(await viewer.toBlob()));
  };
  for (const [sets, many] of [
    [5, false],
    [6, true],
    [9, true],
  ] as const) {
    const [actors, crowded] = [await make(), await make()];
    const positions = [
      [-1.5, 0, 0],
      [1.2, 0.3, -1],
    ] as const;
    for (const position of positions) {
      const actor = await actors.add(ribbon(sets), { position });
      await actor.seek(1);
    }
    const crowd = await crowded.addCrowd(ribbon(sets), { count: 2 });
    crowd.set({ positions: positions.flat(), times: [1, 1] });
    t.equal(
      crowd.model.warnings.map(({ code }) => code),
      many ? ['import/influences-many'] : [],
      `${sets} sets`,
    );
    t.samePixels(await pose(crowded), await pose(actors), { channel: 3, outliers: 0.001 });
    crowded.dispose();
    actors.dispose();
  }
});

test('influences: the debug view shows the weights of the 22nd joint', async (t) => {
  const seen = async (sets: number, skinning: 'gpu' | 'cpu', joint: number): Promise<ImageData> => {
    const viewer = await createViewer(t.canvas(100, 100), { skinOn: skinning, maxDpr: 1, background: [1, 1, 1, 1] });
    await viewer.load(ribbon(sets));
    viewer.debug = `weights:${joint}`;
    await viewer.seek(0);
    const image = await t.pixels(await createImageBitmap(await viewer.toBlob()));
    viewer.dispose();
    return image;
  };
  /** The colour of the ribbon, which is uniform. */
  const colour = ({ data }: ImageData): number[] => {
    const sums = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const pixel = [...data.slice(i, i + 3)];
      if (Math.min(...pixel) > 240) continue;
      pixel.forEach((value, channel) => (sums[channel] = (sums[channel] ?? 0) + value));
      count += 1;
    }
    t.ok(count > 50, 'the ribbon is seen');
    return sums.map((sum) => sum / count);
  };
  // All joints have equal weights: the last is as blue as the first, and grey means zero.
  for (const skinning of ['gpu', 'cpu'] as const) {
    const first = colour(await seen(6, skinning, 0));
    t.close(colour(await seen(6, skinning, 22)), first, 2, skinning);
    const none = colour(await seen(5, skinning, 22));
    t.ok(
      none.some((value, i) => Math.abs(value - (first[i] ?? 0)) > 20),
      `${none} is nothing, ${first} is a part`,
    );
  }
});
