// The positions of a joint over a clip, from the keys of the joint and its ancestors.

import type { ClipChannel, Model, Viewer } from 'gambol';
import { valueAt } from './values.ts';

/** A matrix of 16 numbers, column-major. */
type Matrix = readonly number[];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiplied(a: Matrix, b: Matrix): number[] {
  const out: number[] = [];
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += (a[4 * i + row] as number) * (b[4 * column + i] as number);
      out.push(sum);
    }
  return out;
}

/** The inverse of an affine matrix; the identity if there is none. */
export function inverted(m: Matrix): number[] {
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0, , x = 0, y = 0, z = 0] = m;
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * p + b * q + c * r;
  if (determinant === 0) return [...IDENTITY];
  const linear = [
    [p, c * h - b * i, b * f - c * e],
    [q, a * i - c * g, c * d - a * f],
    [r, b * g - a * h, a * e - b * d],
  ].map((column) => column.map((value) => value / determinant)) as [number[], number[], number[]];
  const at = [x, y, z];
  const moved = (row: number): number =>
    -linear.reduce((sum, column, k) => sum + (column[row] as number) * (at[k] as number), 0);
  return [...linear.flatMap((column) => [...column, 0]), moved(0), moved(1), moved(2), 1];
}

export function composed(
  [x = 0, y = 0, z = 0]: readonly number[],
  [i = 0, j = 0, k = 0, w = 1]: readonly number[],
  [u = 1, v = 1, s = 1]: readonly number[],
): number[] {
  const scale = (factor: number, column: number[]): number[] => [...column.map((value) => factor * value), 0];
  return [
    ...scale(u, [1 - 2 * (j * j + k * k), 2 * (i * j + k * w), 2 * (i * k - j * w)]),
    ...scale(v, [2 * (i * j - k * w), 1 - 2 * (i * i + k * k), 2 * (j * k + i * w)]),
    ...scale(s, [2 * (i * k + j * w), 2 * (j * k - i * w), 1 - 2 * (i * i + j * j)]),
    ...[x, y, z, 1],
  ];
}

/** Translation, rotation and scale of a matrix without shear. */
function decomposed(m: Matrix): { translation: number[]; rotation: number[]; scale: number[] } {
  const axis = (i: number): number[] => [0, 1, 2].map((row) => m[4 * i + row] as number);
  const axes = [axis(0), axis(1), axis(2)] as [number[], number[], number[]];
  const [a, b, c] = axes;
  const cross = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return (a[j] as number) * (b[k] as number) - (a[k] as number) * (b[j] as number);
  });
  const mirrored = cross.reduce((sum, value, i) => sum + value * (c[i] as number), 0) < 0;
  const scale = axes.map((column, i) => Math.hypot(...column) * (mirrored && i === 0 ? -1 : 1));
  const [x, y, z] = axes.map((column, i) => column.map((value) => value / (scale[i] || 1))) as [
    number[],
    number[],
    number[],
  ];
  const at = (column: number[], row: number): number => column[row] as number;
  // The largest component first, so that no small number divides.
  const trace = at(x, 0) + at(y, 1) + at(z, 2);
  let rotation: number[];
  if (trace > 0) {
    const w = Math.sqrt(1 + trace) / 2;
    rotation = [at(y, 2) - at(z, 1), at(z, 0) - at(x, 2), at(x, 1) - at(y, 0)]
      .map((value) => value / (4 * w))
      .concat(w);
  } else {
    const diagonal = [at(x, 0), at(y, 1), at(z, 2)];
    const i = diagonal.indexOf(Math.max(...diagonal));
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    const columns = [x, y, z];
    const get = (column: number, row: number): number => (columns[column] as number[])[row] as number;
    const largest = Math.sqrt(1 + get(i, i) - get(j, j) - get(k, k)) / 2;
    rotation = [0, 0, 0, (get(j, k) - get(k, j)) / (4 * largest)];
    rotation[i] = largest;
    rotation[j] = (get(i, j) + get(j, i)) / (4 * largest);
    rotation[k] = (get(i, k) + get(k, i)) / (4 * largest);
  }
  return { translation: [0, 1, 2].map((row) => m[12 + row] as number), rotation, scale };
}

/** The present transform of a node relative to its parent. */
export function localTransform(
  viewer: Viewer,
  model: Model,
  node: number,
): { readonly translation: number[]; readonly rotation: number[]; readonly scale: number[] } {
  const parent = model.joints[node]?.parent ?? null;
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } = viewer.place;
  const above =
    parent === null
      ? composed(position, rotation, typeof scale === 'number' ? [scale, scale, scale] : scale)
      : Array.from(viewer.joint(parent).world);
  return decomposed(multiplied(inverted(above), Array.from(viewer.joint(node).world)));
}

/**
 * A function from a time to the position of a joint in world space, as the clip alone moves it: without layers, look-at and inverse
 * kinematics. The parts of transforms that the clip does not animate are those of the current pose.
 */
export function pathOf(
  viewer: Viewer,
  model: Model,
  channels: readonly ClipChannel[],
  joint: number,
): (time: number) => readonly [number, number, number] {
  const byNode = new Map<string, ClipChannel>();
  for (const channel of channels) if (channel.node !== null) byNode.set(`${channel.node}:${channel.path}`, channel);
  const chain: number[] = [];
  for (let node: number | null = joint; node !== null; node = model.joints[node]?.parent ?? null) chain.unshift(node);
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } = viewer.place;
  const root = composed(position, rotation, typeof scale === 'number' ? [scale, scale, scale] : scale);
  let world: Matrix = root;
  const nodes = chain.map((node) => {
    const now = Array.from(viewer.joint(node).world);
    const rest = decomposed(multiplied(inverted(world), now));
    world = now;
    const of = (path: string): ClipChannel | undefined => byNode.get(`${node}:${path}`);
    return { rest, translation: of('translation'), rotation: of('rotation'), scale: of('scale') };
  });
  return (time) => {
    let matrix: Matrix = root;
    for (const { rest, ...animated } of nodes) {
      const part = (name: 'translation' | 'rotation' | 'scale'): number[] => {
        const channel = animated[name];
        return channel ? valueAt(channel, time) : rest[name];
      };
      matrix = multiplied(matrix, composed(part('translation'), part('rotation'), part('scale')));
    }
    return [matrix[12] as number, matrix[13] as number, matrix[14] as number];
  };
}
