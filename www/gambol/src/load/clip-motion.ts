// Edits of whole clips: loops, the root, left and right, direction and speed.

import { cut, isFlag, isRotation, keysOf, withKeys, type Key, type Track } from './clip-curves.ts';
import {
  dot,
  exponential,
  inverse,
  logarithm,
  product,
  scaled,
  sum,
  turned,
  unit,
  type Numbers,
} from './quaternions.ts';

/** The nodes of a model at rest. @internal */
export interface Skeleton {
  readonly names: readonly string[];
  readonly parents: readonly (number | null)[];
  /** Ten numbers for each node, relative to its parent: translation, rotation, scale. */
  readonly transforms: Float32Array;
  /** The nodes of human bones; null for a model that is no humanoid. */
  readonly bones: Readonly<Record<string, number | undefined>> | null;
}

/** The time of the last key of all tracks. */
export function durationOf(tracks: readonly Track[]): number {
  return tracks.reduce((end, { times }) => Math.max(end, times.at(-1) ?? 0), 0);
}

/** Faster by a factor; times are divided by it, and slopes multiplied. */
export function faster(track: Track, factor: number): Track {
  const keys = keysOf(track).map(
    ({ time, value, in: before, out: after }): Key => ({
      time: time / factor,
      value,
      in: scaled(before, factor),
      out: scaled(after, factor),
    }),
  );
  return withKeys(track, keys);
}

/** Backwards, in a clip with the given end. */
export function reversed(track: Track, end: number): Track {
  const keys = keysOf(track);
  const back = [...keys].reverse();
  if (track.interpolation !== 'STEP')
    return withKeys(
      track,
      back.map(({ time, value, in: before, out: after }) => ({
        time: end - time,
        value,
        in: scaled(after, -1),
        out: scaled(before, -1),
      })),
    );
  // A step holds the value of its earlier key, which is the later one now.
  const first = keys[0] as Key;
  const steps = back.map((key, i): Key => ({ ...(back[i + 1] ?? first), time: end - key.time }));
  const last = back[0] as Key;
  return withKeys(track, last.time < end ? [{ ...last, time: 0 }, ...steps] : steps);
}

// ---- loops

/** The options of {@link closed}. */
export interface Closing {
  readonly over: number;
  readonly velocity: boolean;
}

/**
 * A track whose end is its beginning, in value and velocity. A correction grows from 0 at the begin of the last `over` seconds; it is a
 * cubic, so the sum of a spline and the correction is a spline.
 */
export function closed(track: Track, end: number, { over, velocity }: Closing): Track {
  if (track.interpolation === 'STEP' || isFlag(track)) return track;
  let keys = keysOf(track);
  if (keys.length < 2) return track;
  for (const time of [0, end]) keys = cut(track, keys, time);
  const begin = Math.fround(Math.max(end - over, 0));
  if (track.interpolation === 'CUBICSPLINE')
    return withKeys(track, closedSpline(track, cut(track, keys, begin), begin, velocity));
  return withKeys(track, closedLines(track, keys, begin, velocity));
}

/** The correction and its slope at a time: from 0 with slope 0 at `begin` to `to` with slope `slope` at `end`. */
function correction(to: Numbers, slope: Numbers, begin: number, end: number, time: number): [Numbers, Numbers] {
  const length = end - begin;
  const s = (time - begin) / length;
  return [
    sum(scaled(to, s * s * (3 - 2 * s)), scaled(slope, length * (s * s * s - s * s))),
    sum(scaled(to, (6 * s - 6 * s * s) / length), scaled(slope, 3 * s * s - 2 * s)),
  ];
}

function closedSpline(track: Track, keys: readonly Key[], begin: number, velocity: boolean): Key[] {
  const [first, last] = [keys[0] as Key, keys.at(-1) as Key];
  const rotates = isRotation(track);
  // The quaternion of the same rotation that is nearer.
  const sign = rotates && dot(first.value, last.value) < 0 ? -1 : 1;
  const [goal, slope] = [scaled(first.value, sign), scaled(first.out, sign)];
  const to = sum(goal, scaled(last.value, -1));
  const more = velocity ? sum(slope, scaled(last.in, -1)) : scaled(to, 0);
  return keys.map((key) => {
    if (key.time <= begin) return key;
    const [change, steeper] = correction(to, more, begin, last.time, key.time);
    const moved = { ...key, value: sum(key.value, change), in: sum(key.in, steeper), out: sum(key.out, steeper) };
    if (key === last) return { ...moved, value: goal, ...(velocity && { in: slope, out: slope }) };
    if (!rotates) return moved;
    const factor = 1 / Math.hypot(...moved.value);
    return { ...moved, value: unit(moved.value), in: scaled(moved.in, factor), out: scaled(moved.out, factor) };
  });
}

/** With the velocity, the last line goes on in the first one: the key before the last has its place by that. */
function closedLines(track: Track, keys: readonly Key[], begin: number, velocity: boolean): Key[] {
  const rotates = isRotation(track);
  const minus = (a: Numbers, b: Numbers): Numbers =>
    rotates ? logarithm(product(inverse(b), a)) : a.map((value, i) => value - (b[i] ?? 0));
  const plus = (a: Numbers, by: Numbers): Numbers => (rotates ? unit(product(a, exponential(by))) : sum(a, by));
  const [first, second] = keys as [Key, Key];
  const [before, last] = keys.slice(-2) as [Key, Key];
  const to = minus(first.value, last.value);
  let slope = scaled(to, 0);
  if (velocity && before.time > begin && second.time < before.time) {
    const step = scaled(minus(second.value, first.value), (last.time - before.time) / (second.time - first.time));
    const goal = rotates
      ? unit(product(first.value, exponential(scaled(step, -1))))
      : sum(first.value, scaled(step, -1));
    const [change] = correction(to, slope, begin, last.time, before.time);
    const [[unitSlope = 0]] = correction([0], [1], begin, last.time, before.time);
    slope = scaled(sum(minus(goal, before.value), scaled(change, -1)), 1 / unitSlope);
  }
  return keys.map((key) => {
    if (key === last) {
      const sign = rotates && dot(first.value, last.value) < 0 ? -1 : 1;
      return { ...key, value: scaled(first.value, sign) };
    }
    if (key.time <= begin) return key;
    return { ...key, value: plus(key.value, correction(to, slope, begin, last.time, key.time)[0]) };
  });
}

// ---- the root

/** The rotation of a node's parent at rest, in the space of the model. */
function parentRotation({ parents, transforms }: Skeleton, node: number): Numbers {
  let rotation: Numbers = [0, 0, 0, 1];
  for (let at = parents[node]; at !== null && at !== undefined; at = parents[at])
    rotation = product([...transforms.subarray(10 * at + 3, 10 * at + 7)], rotation);
  return unit(rotation);
}

/** The movement over the ground from the first key of a translation to the last, relative to the parent; null if there is none. */
function wayOf(track: Track, skeleton: Skeleton): Numbers | null {
  if (track.path !== 'translation' || track.node === undefined) return null;
  const keys = keysOf(track);
  const [first, last] = [keys[0] as Key, keys.at(-1) as Key];
  const parent = parentRotation(skeleton, track.node);
  const [x = 0, , z = 0] = turned(parent, sum(last.value, scaled(first.value, -1)));
  if (Math.hypot(x, z) < 1e-6) return null;
  return turned(inverse(parent), [x, 0, z]);
}

/** The number of nodes above a node. */
function depthOf({ parents }: Skeleton, node: number): number {
  let depth = 0;
  for (let at = parents[node]; at !== null && at !== undefined; at = parents[at]) depth += 1;
  return depth;
}

/** The track that moves the model over the ground: of the first node in the tree that moves. */
export function rootTrack(
  tracks: readonly Track[],
  skeleton: Skeleton,
): { readonly track: Track; readonly way: Numbers } | null {
  const moving = tracks.flatMap((track) => {
    const way = wayOf(track, skeleton);
    return way ? [{ track, way, depth: depthOf(skeleton, track.node ?? 0) }] : [];
  });
  return moving.sort((a, b) => a.depth - b.depth)[0] ?? null;
}

/** A translation without its movement from the first key to the last, which is even. */
export function held(track: Track, way: Numbers): Track {
  const keys = keysOf(track);
  const [first, last] = [keys[0] as Key, keys.at(-1) as Key];
  const speed = scaled(way, -1 / (last.time - first.time));
  return withKeys(
    track,
    keys.map((key) => ({
      time: key.time,
      value: sum(key.value, scaled(speed, key.time - first.time)),
      in: sum(key.in, speed),
      out: sum(key.out, speed),
    })),
  );
}

// ---- left and right

/** The other side of a name: `EarL1` and `EarR1`, `hand_l` and `hand_r`, `LeftFoot` and `RightFoot`; undefined for one without a side. */
export function otherSide(name: string): string | undefined {
  const swapped = (text: string): string => {
    const other = { l: 'r', r: 'l', left: 'right', right: 'left' }[text.toLowerCase()] ?? text;
    if (text === text.toUpperCase()) return other.toUpperCase();
    return text[0] === text[0]?.toUpperCase() ? other[0]?.toUpperCase() + other.slice(1) : other;
  };
  for (const side of [/left|right/i, /(?<=^|[._\- ])[lr](?=$|[._\- \d])/i, /(?<=[a-z\d])[LR](?=$|[\d_.])/])
    if (side.test(name)) return name.replace(side, swapped);
  return undefined;
}

/** For each node, that of the other side, or itself. */
export function sides({ names, bones }: Skeleton): number[] {
  const other = names.map((_, node) => node);
  const pair = (a: number, b: number | undefined): void => {
    if (b !== undefined && b !== a && other[a] === a && other[b] === b) [other[a], other[b]] = [b, a];
  };
  for (const [bone, node] of Object.entries(bones ?? {}))
    if (node !== undefined && bone.startsWith('left')) pair(node, bones?.[bone.replace('left', 'right')]);
  const human = new Set(Object.values(bones ?? {}));
  for (const [node, name] of names.entries()) {
    const side = otherSide(name);
    const at = side === undefined ? -1 : names.indexOf(side);
    if (at >= 0 && !human.has(node) && !human.has(at)) pair(node, at);
  }
  return other;
}

/** A rotation as a mirror shows it that stands between left and right. */
function mirroredRotation([x = 0, y = 0, z = 0, w = 1]: Numbers): Numbers {
  return [x, -y, -z, w];
}

/**
 * The track as the other side plays it. In the space of the model, the difference from the rest pose is that of the mirrored node. For
 * keys it is a linear function, so tangents stay exact.
 */
export function mirrored(track: Track, skeleton: Skeleton, others: readonly number[]): Track {
  const { node, path } = track;
  if (node === undefined || path === undefined || path === 'weights') return track;
  const other = others[node] ?? node;
  const rest = (at: number, from: number, to: number): Numbers => [
    ...skeleton.transforms.subarray(10 * at + from, 10 * at + to),
  ];
  const [own, its] = [parentRotation(skeleton, node), parentRotation(skeleton, other)];
  const across = product(inverse(its), mirroredRotation(own));
  let map = (value: Numbers): Numbers => value;
  let offset: Numbers = [];
  if (path === 'rotation') {
    const back = product(
      inverse(mirroredRotation(rest(node, 3, 7))),
      product(inverse(mirroredRotation(own)), product(its, rest(other, 3, 7))),
    );
    map = (value) => product(product(across, mirroredRotation(value)), back);
  } else if (path === 'translation') {
    map = (value) => {
      const [x = 0, y = 0, z = 0] = turned(own, value);
      return turned(inverse(its), [-x, y, z]);
    };
    offset = sum(rest(other, 0, 3), scaled(map(rest(node, 0, 3)), -1));
  }
  const keys = keysOf(track).map(({ time, value, in: before, out: after }): Key => {
    const moved = map(value);
    return { time, value: offset.length > 0 ? sum(moved, offset) : moved, in: map(before), out: map(after) };
  });
  return withKeys({ ...track, node: other }, keys);
}
