// A file with keys of every interpolation: an arm on hips, with a triangle at each.

/** The key times of each channel of the clip `Keys`, in seconds. */
export const KEY_TIMES = {
  /** LINEAR. */
  translation: [0, 0.5, 1, 2],
  /** CUBICSPLINE. */
  rotation: [0, 1, 2],
  /** STEP; of the arm. */
  scale: [0, 1.5],
} as const;

const HALF = Math.SQRT1_2;

interface KeyedOptions {
  /** Further nodes, each with three channels of this many keys, in a clip of 10 s. */
  readonly many?: { readonly nodes: number; readonly keys: number };
}

/** A GLB file. `Hips` (node 0) has the child `Arm` (node 1). The second clip, `Other`, lasts 1 s. */
export function keyed({ many }: KeyedOptions = {}): Uint8Array<ArrayBuffer> {
  const data: number[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const floats = (values: readonly number[], type: string, width: number): number => {
    bufferViews.push({ buffer: 0, byteOffset: 4 * data.length, byteLength: 4 * values.length });
    const column = (i: number): number[] => values.filter((_, at) => at % width === i);
    const columns = Array.from({ length: width }, (_, i) => column(i));
    const bounds = { min: columns.map((all) => Math.min(...all)), max: columns.map((all) => Math.max(...all)) };
    const count = values.length / width;
    accessors.push({ bufferView: bufferViews.length - 1, componentType: 5126, count, type, ...bounds });
    data.push(...values);
    return accessors.length - 1;
  };
  const POSITION = floats([0, 0, 0, 0.4, 0, 0, 0, 0.6, 0], 'VEC3', 3);
  const zero = [0, 0, 0, 0];
  // Turns about Z: by 90° in a second, and back; the tangents are not zero.
  const rotation = [
    zero,
    [0, 0, 0, 1],
    [0, 0, 0.9, 0],
    zero,
    [0, 0, HALF, HALF],
    zero,
    zero,
    [0, 0, 0, 1],
    zero,
  ].flat();
  const samplers = [
    {
      input: floats(KEY_TIMES.translation, 'SCALAR', 1),
      output: floats([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0], 'VEC3', 3),
    },
    {
      input: floats(KEY_TIMES.rotation, 'SCALAR', 1),
      output: floats(rotation, 'VEC4', 4),
      interpolation: 'CUBICSPLINE',
    },
    {
      input: floats(KEY_TIMES.scale, 'SCALAR', 1),
      output: floats([1, 1, 1, 0.5, 2, 1], 'VEC3', 3),
      interpolation: 'STEP',
    },
    { input: floats([0, 1], 'SCALAR', 1), output: floats([0, 0, 0, 0, 1, 0], 'VEC3', 3) },
  ];
  const channel = (sampler: number, node: number, path: string): object => ({ sampler, target: { node, path } });
  const animations: object[] = [
    {
      name: 'Keys',
      samplers,
      channels: [channel(0, 0, 'translation'), channel(1, 0, 'rotation'), channel(2, 1, 'scale')],
      extras: { markers: [{ name: 'step', time: 0.25 }] },
    },
    { name: 'Other', samplers, channels: [channel(3, 0, 'translation')] },
  ];
  const nodes: object[] = [
    { name: 'Hips', mesh: 0, children: [1] },
    { name: 'Arm', mesh: 0, translation: [1, 0, 0] },
  ];
  if (many) {
    const times = Array.from({ length: many.keys }, (_, i) => (10 * i) / (many.keys - 1));
    const input = floats(times, 'SCALAR', 1);
    const moves = floats(
      times.flatMap((time) => [Math.sin(time), Math.cos(time), 0]),
      'VEC3',
      3,
    );
    const turns = floats(
      times.flatMap((time) => [0, 0, Math.sin(time / 2), Math.cos(time / 2)]),
      'VEC4',
      4,
    );
    const sizes = floats(
      times.flatMap((time) => [1, 1 + 0.1 * Math.sin(time), 1]),
      'VEC3',
      3,
    );
    const all = Array.from({ length: many.nodes }, (_, i) => i + 2);
    nodes.push(...all.map((node) => ({ name: `Node ${node}` })));
    animations.push({
      name: 'Many',
      samplers: [moves, turns, sizes].map((output) => ({ input, output })),
      channels: all.flatMap((node) => ['translation', 'rotation', 'scale'].map((path, i) => channel(i, node, path))),
    });
  }
  const bin = new Uint8Array(new Float32Array(data).buffer);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, ...nodes.map((_, i) => i).slice(2)] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION } }] }],
    buffers: [{ byteLength: bin.length }],
    bufferViews,
    accessors,
    animations,
  };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const length = Math.ceil(text.length / 4) * 4;
  const glb = new Uint8Array(28 + length + bin.length);
  const view = new DataView(glb.buffer);
  const words = [0x46546c67, 2, glb.length, length, 0x4e4f534a];
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  glb.fill(0x20, 20, 20 + length);
  glb.set(text, 20);
  view.setUint32(20 + length, bin.length, true);
  view.setUint32(24 + length, 0x004e4942, true);
  glb.set(bin, 28 + length);
  return glb;
}
