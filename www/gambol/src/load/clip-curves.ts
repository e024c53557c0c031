// Curves of tracks: their values and slopes, exact cuts, and other interpolations. Numbers are computed in double precision.

import type { ClipTrackData, Interpolation } from '../values/clips.ts';
import { scaled, slerp, sum, unit, type Numbers } from './quaternions.ts';

/** A track whose lists may be replaced, not changed. @internal */
export type Track = ClipTrackData;

/** A key of a track. Tangents are per second; those of tracks without tangents are slopes. */
export interface Key {
  readonly time: number;
  readonly value: Numbers;
  readonly in: Numbers;
  readonly out: Numbers;
}

/** The largest angle between a rotation spline and its parts, in radians. */
const NEAR = 1e-6;

export function isRotation({ path, pointer }: Track): boolean {
  return path === 'rotation' || (pointer !== undefined && /^\/nodes\/\d+\/rotation$/.test(pointer));
}

/** `true` for a property that is either 0 or 1. */
export function isFlag({ pointer }: Track): boolean {
  return pointer?.endsWith('/KHR_node_visibility/visible') === true;
}

/** The number of components of a value. */
export function widthOf({ interpolation, times, values }: Track): number {
  return values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
}

/** The keys of a track. */
export function keysOf(track: Track): Key[] {
  const width = widthOf(track);
  const spline = track.interpolation === 'CUBICSPLINE';
  const zero: Numbers = new Array<number>(width).fill(0);
  return Array.from(track.times, (time, i) => {
    const part = (at: number): Numbers => [...track.values.subarray(at * width, (at + 1) * width)];
    return spline
      ? { time, in: part(3 * i), value: part(3 * i + 1), out: part(3 * i + 2) }
      : { time, in: zero, value: part(i), out: zero };
  });
}

/** A track with other keys, which are in order. A spline of less than two keys has no tangents: glTF has none. */
export function withKeys(track: Track, keys: readonly Key[], interpolation = track.interpolation): Track {
  const kind = interpolation === 'CUBICSPLINE' && keys.length < 2 ? 'LINEAR' : interpolation;
  const rows = keys.map((key) => (kind === 'CUBICSPLINE' ? [...key.in, ...key.value, ...key.out] : [...key.value]));
  return {
    ...track,
    interpolation: kind,
    times: Float32Array.from(keys, ({ time }) => time),
    values: Float32Array.from(rows.flat()),
  };
}

/** The Hermite spline between two keys, and its slope per second, before any normalisation. */
export function hermite(a: Key, b: Key, time: number): { readonly value: Numbers; readonly slope: Numbers } {
  const length = b.time - a.time;
  const s = (time - a.time) / length;
  const [s2, s3] = [s * s, s * s * s];
  const value = sum(
    scaled(a.value, 2 * s3 - 3 * s2 + 1),
    scaled(a.out, length * (s3 - 2 * s2 + s)),
    scaled(b.value, 3 * s2 - 2 * s3),
    scaled(b.in, length * (s3 - s2)),
  );
  const slope = sum(
    scaled(a.value, (6 * s2 - 6 * s) / length),
    scaled(a.out, 3 * s2 - 4 * s + 1),
    scaled(b.value, (6 * s - 6 * s2) / length),
    scaled(b.in, 3 * s2 - 2 * s),
  );
  return { value, slope };
}

/** The value of a track between two of its keys. */
function between(track: Track, a: Key, b: Key, time: number): Numbers {
  if (track.interpolation === 'STEP') return a.value;
  if (track.interpolation === 'CUBICSPLINE') {
    const { value } = hermite(a, b, time);
    return isRotation(track) ? unit(value) : value;
  }
  const s = (time - a.time) / (b.time - a.time);
  if (isRotation(track)) return slerp(a.value, b.value, s);
  return a.value.map((from, i) => from + ((b.value[i] ?? 0) - from) * s);
}

/** The index of the last key at or before a time; -1 before the first one. */
function before(keys: readonly Key[], time: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as Key).time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of a track at a time. */
export function valueAt(track: Track, keys: readonly Key[], time: number): Numbers {
  const at = before(keys, time);
  const [a, b] = [keys[Math.max(at, 0)] as Key, keys[at + 1]];
  return at < 0 || !b || time === a.time ? a.value : between(track, a, b, time);
}

/**
 * The keys of a track with one more at a time, so that it plays as before. Without a key at both sides, the value is constant there. A
 * cut of a rotation spline is within {@link NEAR}: keys are unit quaternions, and the spline between two of them is not.
 */
export function cut(track: Track, keys: readonly Key[], given: number): Key[] {
  const time = Math.fround(given);
  const at = before(keys, time);
  const [a, b] = [keys[at], keys[at + 1]];
  if (a?.time === time) return [...keys];
  const zero = (a ?? b)?.value.map(() => 0) ?? [];
  if (!a && b) return [{ time, value: b.value, in: zero, out: zero }, { ...b, in: zero }, ...keys.slice(1)];
  if (!a) return [];
  if (!b) return [...keys.slice(0, -1), { ...a, out: zero }, { time, value: a.value, in: zero, out: zero }];
  const parts =
    track.interpolation !== 'CUBICSPLINE'
      ? [a, { time, value: between(track, a, b, time), in: zero, out: zero }, b]
      : isRotation(track)
        ? cutRotation(a, b, [time])
        : [a, splineKey(a, b, time), b];
  return [...keys.slice(0, at), ...parts, ...keys.slice(at + 2)];
}

function splineKey(a: Key, b: Key, time: number): Key {
  const { value, slope } = hermite(a, b, time);
  return { time, value, in: slope, out: slope };
}

/**
 * The keys of a rotation spline, cut at some times between `a` and `b`. The spline is multiplied by a function that is linear between
 * the cuts, and makes the values there unit quaternions. The product has the same directions, and its cubic part is nearly all of it.
 */
function cutRotation(a: Key, b: Key, times: readonly number[], depth = 0): Key[] {
  const all = [a.time, ...times, b.time];
  const whole = all.map((time) => hermite(a, b, time));
  const factors = whole.map(({ value }) => 1 / Math.hypot(...value));
  const keys = all.map((time, i): Key => {
    const { value, slope } = whole[i] as (typeof whole)[number];
    const factor = factors[i] as number;
    const side = (step: number): Numbers => {
      const [other, then] = [factors[i + step], all[i + step]];
      if (other === undefined || then === undefined) return step < 0 ? a.in : b.out;
      return sum(scaled(slope, factor), scaled(value, (other - factor) / (then - time)));
    };
    return { time, value: unit(value), in: side(-1), out: side(1) };
  });
  const far = keys.slice(1).flatMap((key, i) => {
    const from = keys[i] as Key;
    const worst = [0.25, 0.5, 0.75].reduce((most, part) => {
      const time = from.time + (key.time - from.time) * part;
      const [p, q] = [unit(hermite(from, key, time).value), unit(hermite(a, b, time).value)];
      const distance = Math.hypot(...p.map((value, c) => value - (q[c] ?? 0)));
      return Math.max(most, 2 * distance);
    }, 0);
    const middle = Math.fround((from.time + key.time) / 2);
    return worst > NEAR && middle > from.time && middle < key.time ? [middle] : [];
  });
  if (far.length === 0 || depth > 5) return keys;
  return cutRotation(
    a,
    b,
    [...times, ...far].sort((p, q) => p - q),
    depth + 1,
  );
}

/** The part of a track from one time to another, which begins at 0. */
export function slice(track: Track, from: number, to: number): Track {
  let keys = keysOf(track);
  const [begin, end] = [Math.fround(from), Math.fround(to)];
  const inside = (time: number): boolean => time > (keys[0]?.time ?? 0) && time < (keys.at(-1)?.time ?? 0);
  for (const time of [begin, end]) if (inside(time)) keys = cut(track, keys, time);
  const kept = keys.filter(({ time }) => time >= begin && time <= end);
  // Before the first key and after the last one, the track is constant.
  const rest = { time: begin, value: valueAt(track, keys, begin), in: [], out: [] };
  const moved = (kept.length > 0 ? kept : [rest]).map((key) => ({ ...key, time: key.time - begin }));
  return withKeys(track, moved);
}

/** A track with another interpolation. Splines get new tangents, except those that are splines already. */
export function interpolated(track: Track, to: Interpolation, tangents: 'smooth' | 'flat'): Track {
  if (to === track.interpolation || isFlag(track)) return track;
  const keys = keysOf(track);
  return withKeys(track, to === 'CUBICSPLINE' ? withTangents(track, keys, tangents) : keys, to);
}

/** Keys with tangents along their neighbours, or of 0. Rotations are of the same hemisphere as those before. */
function withTangents(track: Track, keys: readonly Key[], tangents: 'smooth' | 'flat'): Key[] {
  const values = keys.map(({ value }) => value);
  if (isRotation(track))
    for (const [i, value] of values.entries()) {
      const last = values[i - 1];
      if (last && value.reduce((dot, part, c) => dot + part * (last[c] ?? 0), 0) < 0) values[i] = scaled(value, -1);
    }
  return keys.map((key, i) => {
    const value = values[i] as Numbers;
    const [a, b] = [Math.max(i - 1, 0), Math.min(i + 1, keys.length - 1)];
    const [from, to] = [keys[a] as Key, keys[b] as Key];
    const seconds = to.time - from.time;
    const smooth = value.map((_, c) => ((values[b]?.[c] ?? 0) - (values[a]?.[c] ?? 0)) / (seconds || 1));
    const slope = tangents === 'flat' ? value.map(() => 0) : smooth;
    return { ...key, value, in: slope, out: slope };
  });
}
