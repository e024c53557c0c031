// An implementation of glTF animation that has nothing in common with gambol: plain JavaScript, 64-bit numbers, one node after the
// other. It follows the text of the specification (glTF 2.0, 3.6.2 accessors, 3.11 animations, appendix C interpolation), and reads
// only the parts that the poses need.

interface Sampler {
  readonly input: number;
  readonly output: number;
  readonly interpolation?: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}
interface Channel {
  readonly sampler: number;
  readonly target: { readonly node?: number; readonly path: 'translation' | 'rotation' | 'scale' | 'weights' };
}
export interface GltfNode {
  readonly children?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
  readonly matrix?: readonly number[];
  readonly mesh?: number;
  readonly skin?: number;
}
interface Accessor {
  readonly bufferView?: number;
  readonly byteOffset?: number;
  readonly componentType: number;
  readonly normalized?: boolean;
  readonly count: number;
  readonly type: string;
  readonly sparse?: {
    readonly count: number;
    readonly indices: { readonly bufferView: number; readonly byteOffset?: number; readonly componentType: number };
    readonly values: { readonly bufferView: number; readonly byteOffset?: number };
  };
}
export interface Gltf {
  readonly nodes: readonly GltfNode[];
  readonly animations?: readonly {
    readonly name?: string;
    readonly channels: readonly Channel[];
    readonly samplers: readonly Sampler[];
  }[];
  readonly accessors: readonly Accessor[];
  readonly bufferViews: readonly { readonly byteOffset?: number; readonly byteStride?: number }[];
}

/** A node's transform: translation, rotation (X, Y, Z, W) and scale. */
interface Transform {
  translation: number[];
  rotation: number[];
  scale: number[];
}

const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
type Read = (view: DataView, at: number) => number;
/** Components by their types: bytes, the largest value of normalised integers, and the function that reads them. */
const COMPONENTS: Readonly<Record<number, readonly [size: number, most: number, read: Read]>> = {
  5120: [1, 127, (view, at) => view.getInt8(at)],
  5121: [1, 255, (view, at) => view.getUint8(at)],
  5122: [2, 32767, (view, at) => view.getInt16(at, true)],
  5123: [2, 65535, (view, at) => view.getUint16(at, true)],
  5125: [4, 4294967295, (view, at) => view.getUint32(at, true)],
  5126: [4, 1, (view, at) => view.getFloat32(at, true)],
};

const some = <V>(value: V | undefined, what: string): V => {
  if (value === undefined) throw new Error(`The file has no ${what}`);
  return value;
};

/** The product of two 4 × 4 matrices, column-major. */
export function multiply(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += (a[4 * k + (i % 4)] ?? NaN) * (b[4 * Math.floor(i / 4) + k] ?? NaN);
    return sum;
  });
}

/** The matrix of a transform. */
function composed({ translation, rotation, scale }: Transform): number[] {
  const [x = 0, y = 0, z = 0, w = 1] = rotation;
  const [sx = 1, sy = 1, sz = 1] = scale;
  const [tx = 0, ty = 0, tz = 0] = translation;
  return [
    [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0],
    [2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0],
    [2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0],
    [tx, ty, tz, 1],
  ].flat();
}

const normalized = (q: readonly number[]): number[] => {
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
};

/** Spherical linear interpolation on the shorter arc (appendix C.4). */
function slerp(from: readonly number[], to: readonly number[], t: number): number[] {
  const d = from.reduce((sum, value, i) => sum + value * (to[i] ?? NaN), 0);
  const angle = Math.acos(Math.min(1, Math.abs(d)));
  // Both weights are t and 1 − t in the limit.
  if (Math.sin(angle) < 1e-9)
    return normalized(from.map((value, i) => value + t * (Math.sign(d) * (to[i] ?? NaN) - value)));
  const [a, b] = [Math.sin((1 - t) * angle) / Math.sin(angle), (Math.sign(d) * Math.sin(t * angle)) / Math.sin(angle)];
  return from.map((value, i) => a * value + b * (to[i] ?? NaN));
}

export class Oracle {
  readonly gltf: Gltf;
  readonly #bytes: DataView;
  readonly #parents: (number | undefined)[];
  readonly #cache = new Map<number, number[][]>();

  /** Reads a GLB with one buffer, without compression. */
  constructor(glb: ArrayBuffer) {
    const view = new DataView(glb);
    const length = view.getUint32(12, true);
    this.gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length))) as Gltf;
    this.#bytes = new DataView(glb, 20 + length + 8, view.getUint32(20 + length, true));
    this.#parents = this.gltf.nodes.map(() => undefined);
    for (const [parent, { children = [] }] of this.gltf.nodes.entries())
      for (const child of children) this.#parents[child] = parent;
  }

  /** The elements of an accessor, with normalised integers as numbers. */
  elements(index: number): number[][] {
    const known = this.#cache.get(index);
    if (known) return known;
    const accessor = some(this.gltf.accessors[index], `accessor ${index}`);
    const { bufferView, byteOffset = 0, componentType, count, type, normalized: norm = false, sparse } = accessor;
    const width = some(WIDTHS[type], `type ${type}`);
    const [size, most] = some(COMPONENTS[componentType], `component type ${componentType}`);
    const value = (number: number): number => (norm ? Math.max(-1, number / most) : number);
    const all =
      bufferView === undefined
        ? Array.from({ length: count }, () => new Array<number>(width).fill(0))
        : this.#numbers(bufferView, byteOffset, componentType, count, width, size * width).map((one) => one.map(value));
    if (sparse) {
      const { indices, values } = sparse;
      const places = this.#numbers(indices.bufferView, indices.byteOffset ?? 0, indices.componentType, sparse.count, 1);
      const others = this.#numbers(values.bufferView, values.byteOffset ?? 0, componentType, sparse.count, width);
      for (const [i, [place = 0]] of places.entries()) all[place] = some(others[i], 'sparse value').map(value);
    }
    this.#cache.set(index, all);
    return all;
  }

  #numbers(
    viewIndex: number,
    offset: number,
    componentType: number,
    count: number,
    width: number,
    packed = 0,
  ): number[][] {
    const { byteOffset = 0, byteStride } = some(this.gltf.bufferViews[viewIndex], `buffer view ${viewIndex}`);
    const [size, , read] = some(COMPONENTS[componentType], `component type ${componentType}`);
    const stride = byteStride ?? (packed || size * width);
    return Array.from({ length: count }, (_, i) =>
      Array.from({ length: width }, (_, k) => read(this.#bytes, byteOffset + offset + i * stride + k * size)),
    );
  }

  /** The time of the last key of a clip. */
  duration(clip: number): number {
    const { samplers = [] } = this.gltf.animations?.[clip] ?? {};
    return Math.max(0, ...samplers.map(({ input }) => this.elements(input).at(-1)?.[0] ?? 0));
  }

  /** The times of all keys of a clip. */
  keys(clip: number): number[] {
    const { samplers = [] } = this.gltf.animations?.[clip] ?? {};
    return [...new Set(samplers.flatMap(({ input }) => this.elements(input).map(([time = 0]) => time)))];
  }

  /** The matrices of all nodes to the space of the scene, in the pose of a clip at a time, or in the rest pose. */
  worlds(clip?: number, time = 0): number[][] {
    const moved = new Map<number, Partial<Transform>>();
    const { channels = [], samplers = [] } = clip === undefined ? {} : some(this.gltf.animations?.[clip], 'clip');
    for (const { sampler, target } of channels) {
      if (target.node === undefined || target.path === 'weights') continue;
      const value = this.#sample(some(samplers[sampler], 'sampler'), time, target.path === 'rotation');
      moved.set(target.node, { ...moved.get(target.node), [target.path]: value });
    }
    const done: (number[] | undefined)[] = [];
    const world = (index: number): number[] => {
      const known = done[index];
      if (known) return known;
      const {
        matrix,
        translation = [0, 0, 0],
        rotation = [0, 0, 0, 1],
        scale = [1, 1, 1],
      } = some(this.gltf.nodes[index], 'node');
      const rest = { translation: [...translation], rotation: [...rotation], scale: [...scale] };
      const local = matrix ? [...matrix] : composed({ ...rest, ...moved.get(index) });
      const parent = this.#parents[index];
      return (done[index] = parent === undefined ? local : multiply(world(parent), local));
    };
    return this.gltf.nodes.map((_, index) => world(index));
  }

  #sample({ input, output, interpolation = 'LINEAR' }: Sampler, time: number, rotation: boolean): number[] {
    const times = this.elements(input).map(([at = 0]) => at);
    const values = this.elements(output);
    const cubic = interpolation === 'CUBICSPLINE';
    // Of the three elements of a cubic key, the second is the value.
    const value = (i: number): number[] => some(values[cubic ? 3 * i + 1 : i], 'value of a key');
    // A unit quaternion that is stored in 16 bits has not exactly the length 1.
    const key = (i: number): number[] => (rotation ? normalized(value(i)) : value(i));
    const last = times.length - 1;
    if (time <= (times[0] ?? 0)) return key(0);
    if (time >= (times[last] ?? 0)) return key(last);
    const next = times.findIndex((at) => at > time);
    const i = next - 1;
    const [from = 0, to = 0] = [times[i], times[next]];
    const t = (time - from) / (to - from);
    if (interpolation === 'STEP' || t === 0) return key(i);
    if (interpolation === 'LINEAR')
      return rotation
        ? slerp(key(i), key(next), t)
        : key(i).map((start, k) => start + t * ((key(next)[k] ?? NaN) - start));
    const [outgoing, incoming] = [some(values[3 * i + 2], 'tangent'), some(values[3 * next], 'tangent')];
    const [t2, t3, seconds] = [t * t, t * t * t, to - from];
    const spline = value(i).map(
      (start, k) =>
        (2 * t3 - 3 * t2 + 1) * start +
        seconds * (t3 - 2 * t2 + t) * (outgoing[k] ?? NaN) +
        (3 * t2 - 2 * t3) * (value(next)[k] ?? NaN) +
        seconds * (t3 - t2) * (incoming[k] ?? NaN),
    );
    return rotation ? normalized(spline) : spline;
  }
}
