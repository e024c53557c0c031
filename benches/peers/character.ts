// A generated character: 20 joints, all of them rotating, two of them translating, 49 keys at 24 Hz, as in
// benches/workload. Its skin has 20 boxes, one per joint, in one primitive or in several.

const JOINTS = 20;
const KEYS = 49;
/** The parent of each joint: a spine with arms, legs and a head. */
const PARENTS = [0, 0, 1, 2, 3, 2, 5, 6, 7, 2, 9, 10, 11, 0, 13, 14, 0, 16, 17, 3];

/** A binary glTF. The 120 faces are distributed among the primitives, each with its own vertices and material. */
export function character(primitives = 1): Uint8Array<ArrayBuffer> {
  const file = new File();
  const nodes: any[] = PARENTS.map((_, i) => ({ name: `Joint${i}`, translation: [0.1, 0.3, 0.02 * i] }));
  PARENTS.forEach((parent, i) => i > 0 && (nodes[parent].children ??= []).push(i));
  const faces = boxes();
  const bind = PARENTS.flatMap((_, i) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place(i).map((value) => -value), 1]);
  const times = Array.from({ length: KEYS }, (_, key) => key / 24);
  const input = file.accessor('SCALAR', 5126, Float32Array.from(times));
  const samplers: object[] = [];
  const channels: object[] = [];
  const animate = (node: number, path: string, type: string, values: number[]): void => {
    samplers.push({ input, output: file.accessor(type, 5126, Float32Array.from(values)) });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  for (let joint = 0; joint < JOINTS; joint++) {
    animate(
      joint,
      'rotation',
      'VEC4',
      times.flatMap((_, key) => {
        const phase = key * 0.13 + joint;
        const [x, z] = [0.3 * Math.sin(phase), 0.2 * Math.cos(1.7 * phase)];
        // The rotation about X, then about Z.
        return [
          Math.sin(x) * Math.cos(z),
          -Math.sin(x) * Math.sin(z),
          Math.cos(x) * Math.sin(z),
          Math.cos(x) * Math.cos(z),
        ];
      }),
    );
  }
  for (const joint of [0, 4])
    animate(
      joint,
      'translation',
      'VEC3',
      times.flatMap((_, key) => [0.1, 0.3 + 0.05 * Math.sin(key * 0.26), 0]),
    );
  const meshPrimitives = Array.from({ length: primitives }, (_, i) => {
    const own = faces.slice(
      Math.floor((faces.length * i) / primitives),
      Math.floor((faces.length * (i + 1)) / primitives),
    );
    return {
      attributes: {
        POSITION: file.accessor('VEC3', 5126, Float32Array.from(own.flatMap(({ positions }) => positions))),
        NORMAL: file.accessor('VEC3', 5126, Float32Array.from(own.flatMap(({ normals }) => normals))),
        JOINTS_0: file.accessor(
          'VEC4',
          5121,
          Uint8Array.from(own.flatMap(({ joint }) => Array.from({ length: 4 }, () => [joint, 0, 0, 0]).flat())),
        ),
        WEIGHTS_0: file.accessor(
          'VEC4',
          5126,
          Float32Array.from(own.flatMap(() => Array.from({ length: 4 }, () => [1, 0, 0, 0]).flat())),
        ),
      },
      indices: file.accessor(
        'SCALAR',
        5123,
        Uint16Array.from(own.flatMap((_, face) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * face + corner))),
      ),
      material: i,
    };
  });
  return file.glb({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, JOINTS] }],
    nodes: [...nodes, { mesh: 0, skin: 0 }],
    meshes: [{ primitives: meshPrimitives }],
    skins: [
      { joints: PARENTS.map((_, i) => i), inverseBindMatrices: file.accessor('MAT4', 5126, Float32Array.from(bind)) },
    ],
    materials: meshPrimitives.map((_, i) => ({
      pbrMetallicRoughness: { baseColorFactor: [0.6, 0.5, 0.4 + (0.5 * i) / primitives, 1], metallicFactor: 0 },
    })),
    animations: [{ name: 'Move', samplers, channels }],
  });
}

/** The rest position of a joint. */
function place(joint: number): [number, number, number] {
  const [x, y, z] = joint === 0 ? [0, 0, 0] : place(PARENTS[joint] ?? 0);
  return [x + 0.1, y + 0.3, z + 0.02 * joint];
}

/** A face of a box: four corners and their normals. */
interface Face {
  readonly joint: number;
  readonly positions: number[];
  readonly normals: number[];
}

/** A small box around each joint. */
function boxes(): Face[] {
  const faces: Face[] = [];
  for (let joint = 0; joint < JOINTS; joint++) {
    const middle = place(joint);
    for (const axis of [0, 1, 2]) {
      for (const sign of [1, -1]) {
        const face: Face = { joint, positions: [], normals: [] };
        for (const [u, v] of [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ] as const) {
          const [corner, normal] = [
            [0, 0, 0],
            [0, 0, 0],
          ];
          corner[axis] = normal[axis] = sign;
          corner[(axis + 1) % 3] = u * sign;
          corner[(axis + 2) % 3] = v;
          face.positions.push(...corner.map((value, i) => (middle[i] ?? 0) + 0.1 * value));
          face.normals.push(...normal);
        }
        faces.push(face);
      }
    }
  }
  return faces;
}

const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

/** A growing glTF file: accessors and the buffer of their data. */
class File {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  readonly #accessors: object[] = [];
  readonly #bufferViews: object[] = [];

  accessor(type: string, componentType: number, data: Float32Array | Uint8Array | Uint16Array): number {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#bufferViews.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length });
    const width = WIDTHS[type] ?? 1;
    const ends = (f: (...values: number[]) => number): number[] =>
      Array.from({ length: width }, (_, i) =>
        Array.from(data)
          .filter((_, at) => at % width === i)
          .reduce((a, b) => f(a, b)),
      );
    this.#accessors.push({
      bufferView: this.#bufferViews.length - 1,
      componentType,
      type,
      count: data.length / width,
      min: ends(Math.min),
      max: ends(Math.max),
    });
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.#chunks.push(padded);
    this.#length += padded.length;
    return this.#accessors.length - 1;
  }

  glb(json: object): Uint8Array<ArrayBuffer> {
    const whole = {
      ...json,
      accessors: this.#accessors,
      bufferViews: this.#bufferViews,
      buffers: [{ byteLength: this.#length }],
    };
    const text = new TextEncoder().encode(JSON.stringify(whole));
    const padded = Math.ceil(text.length / 4) * 4;
    const bytes = new Uint8Array(28 + padded + this.#length);
    const view = new DataView(bytes.buffer);
    [0x46546c67, 2, bytes.length, padded, 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true));
    bytes.fill(0x20, 20, 20 + padded).set(text, 20);
    view.setUint32(20 + padded, this.#length, true);
    view.setUint32(24 + padded, 0x004e4942, true);
    let at = 28 + padded;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}
