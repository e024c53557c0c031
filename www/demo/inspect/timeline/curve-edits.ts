// Curves that are dragged: the key, with its tangents, of another number of one curve.

import type { ClipChannel, TrackKey } from 'gambol';
import type { GraphKind } from './graphs.ts';
import { eulerAngles, isRotation, keyValue, quaternionOf, unit } from './values.ts';

/** The tangent before a key, and the one after it. */
export type Side = 'in' | 'out';

/** The step of difference quotients, in radians of a rotation. */
const STEP = 1e-4;
/** The sine of the second angle from which on Euler angles jump. */
const GIMBAL_LOCK = 0.9999;

/** `true` if the numbers of these curves are those of keys, so that a drag can change them. */
export function isEditable(kind: GraphKind): boolean {
  return kind === 'value' || kind === 'euler';
}

const isEuler = (channel: ClipChannel, kind: GraphKind): boolean => kind === 'euler' && isRotation(channel);

/** A tangent of a key of a spline, as in the file. */
function tangentOf({ values, components }: ClipChannel, key: number, side: Side): number[] {
  const begin = (3 * key + (side === 'in' ? 0 : 2)) * components;
  return Array.from(values.subarray(begin, begin + components));
}

const added = (a: readonly number[], b: readonly number[], factor: number): number[] =>
  a.map((value, i) => value + factor * (b[i] ?? 0));
const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** The slopes of the curves at a key of a spline, per second; null if they have none: in a gimbal lock, and without tangents. */
export function slopesAt(channel: ClipChannel, kind: GraphKind, key: number, side: Side): number[] | null {
  if (channel.interpolation !== 'CUBICSPLINE') return null;
  const tangent = tangentOf(channel, key, side);
  if (!isEuler(channel, kind)) return tangent;
  const value = keyValue(channel, key);
  if (Math.abs(Math.sin((eulerAngles(value)[1] * Math.PI) / 180)) > GIMBAL_LOCK) return null;
  const step = STEP / Math.max(1, Math.hypot(...tangent));
  const [before, after] = [-step, step].map((by) => [...eulerAngles(unit(added(value, tangent, by)))]) as [
    number[],
    number[],
  ];
  return after.map((angle, i) => {
    const turn = angle - (before[i] ?? 0);
    return (turn - 360 * Math.round(turn / 360)) / (2 * step);
  });
}

/** The tangent with other slopes of the Euler angles; its part along the value stays. */
function eulerTangent(
  value: readonly number[],
  angles: readonly number[],
  slopes: readonly number[],
  old: readonly number[],
): number[] {
  const step = STEP / Math.max(1, Math.hypot(...slopes));
  const [before, after] = [-step, step].map((by) => near(quaternionOf(added(angles, slopes, by)), value)) as [
    number[],
    number[],
  ];
  const turned = added(after, before, -1).map((part) => part / (2 * step));
  return added(turned, value, product(old, value) - product(turned, value));
}

/** The same rotation, as the quaternion that is nearer to another one. */
function near(rotation: readonly number[], other: readonly number[]): number[] {
  return product(rotation, other) < 0 ? rotation.map((part) => -part) : [...rotation];
}

/** The key with another value of one curve; the slopes of all curves stay. `shown`: the values of the curves there. */
export function keyWithValue(
  channel: ClipChannel,
  kind: GraphKind,
  key: number,
  shown: readonly number[],
  index: number,
  to: number,
): TrackKey {
  const time = channel.times[key] as number;
  const numbers = shown.map((value, i) => (i === index ? to : value));
  if (!isEuler(channel, kind)) return { time, value: numbers };
  const old = keyValue(channel, key);
  const value = near(quaternionOf(numbers), old);
  const side = (name: Side): number[] | undefined => {
    const slopes = slopesAt(channel, kind, key, name);
    if (!slopes) return channel.interpolation === 'CUBICSPLINE' ? tangentOf(channel, key, name) : undefined;
    const tangent = tangentOf(channel, key, name);
    const radial = value.map((part) => part * product(tangent, old));
    return eulerTangent(value, numbers, slopes, radial);
  };
  return { time, value, in: side('in'), out: side('out') };
}

/** The key of a spline with another slope of one curve, at one side or at both. */
export function keyWithSlope(
  channel: ClipChannel,
  kind: GraphKind,
  key: number,
  index: number,
  to: number,
  sides: readonly Side[],
): TrackKey {
  const value = keyValue(channel, key);
  const side = (name: Side): number[] => {
    const tangent = tangentOf(channel, key, name);
    if (!sides.includes(name)) return tangent;
    const slopes = slopesAt(channel, kind, key, name) ?? tangent.map(() => 0);
    const changed = slopes.map((slope, i) => (i === index ? to : slope));
    return isEuler(channel, kind) ? eulerTangent(value, eulerAngles(value), changed, tangent) : changed;
  };
  return { time: channel.times[key] as number, in: side('in'), out: side('out') };
}

/** Tangents along the neighbours of a key (`smooth`), or of 0. */
export function keyWithTangents(channel: ClipChannel, key: number, to: 'smooth' | 'flat'): TrackKey {
  const last = channel.times.length - 1;
  const [from, until] = [Math.max(0, key - 1), Math.min(last, key + 1)];
  const time = channel.times[key] as number;
  const value = keyValue(channel, key);
  const side = (at: number): number[] => {
    const other = keyValue(channel, at);
    return isRotation(channel) ? near(other, value) : other;
  };
  const seconds = (channel.times[until] as number) - (channel.times[from] as number);
  const slope = to === 'flat' || seconds === 0 ? value.map(() => 0) : added(side(until), side(from), -1);
  const tangent = slope.map((part) => part / (seconds || 1));
  return { time, in: tangent, out: tangent };
}
