// The values of channels between their keys. Spec: glTF 2.0, appendix C.

import type { ClipChannel } from 'gambol';

export function isRotation(channel: ClipChannel): boolean {
  return channel.path === 'rotation' || channel.path.endsWith('/rotation') ? channel.components === 4 : false;
}

/** The index of the last key at or before a time; -1 before the first key. */
export function keyAtOrBefore(times: Float32Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The index of the first key at or after a time; the number of keys after the last one. */
export function keyAtOrAfter(times: Float32Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index in `values` of the first component of a key's value, without its tangents. */
function valueOffset({ interpolation, components }: ClipChannel, key: number): number {
  return interpolation === 'CUBICSPLINE' ? (3 * key + 1) * components : key * components;
}

/** The value of a key. */
export function keyValue(channel: ClipChannel, key: number): number[] {
  const begin = valueOffset(channel, key);
  return Array.from(channel.values.subarray(begin, begin + channel.components));
}

/** The value at a time; before the first key and after the last one, that of the key. */
export function valueAt(channel: ClipChannel, time: number): number[] {
  const { times, values, components, interpolation } = channel;
  const key = keyAtOrBefore(times, time);
  if (key < 0) return keyValue(channel, 0);
  const [begin, end] = [times[key] as number, times[key + 1]];
  if (end === undefined || time === begin || interpolation === 'STEP') return keyValue(channel, key);
  const length = end - begin;
  const t = (time - begin) / length;
  const [from, to] = [valueOffset(channel, key), valueOffset(channel, key + 1)];
  const at = (index: number): number => values[index] as number;
  const out: number[] = [];
  if (interpolation === 'LINEAR') {
    let [a, b] = [1 - t, t];
    if (isRotation(channel)) [a, b] = slerpWeights(keyValue(channel, key), keyValue(channel, key + 1), t);
    for (let i = 0; i < components; i++) out.push(a * at(from + i) + b * at(to + i));
  } else {
    const [t2, t3] = [t * t, t * t * t];
    for (let i = 0; i < components; i++) {
      const [outTangent, inTangent] = [at(from + components + i), at(to - components + i)];
      out.push(
        (2 * t3 - 3 * t2 + 1) * at(from + i) +
          length * (t3 - 2 * t2 + t) * outTangent +
          (3 * t2 - 2 * t3) * at(to + i) +
          length * (t3 - t2) * inTangent,
      );
    }
  }
  return isRotation(channel) ? unit(out) : out;
}

function slerpWeights(a: readonly number[], b: readonly number[], t: number): [number, number] {
  const dot = a.reduce((sum, part, i) => sum + part * (b[i] as number), 0);
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-4) return [1 - t, sign * t];
  return [Math.sin((1 - t) * angle) / Math.sin(angle), (sign * Math.sin(t * angle)) / Math.sin(angle)];
}

export function unit(quaternion: readonly number[]): number[] {
  const length = Math.hypot(...quaternion) || 1;
  return quaternion.map((part) => part / length);
}

/** The angle between two rotations in degrees, `0..=180`. */
export function angleBetween(a: readonly number[], b: readonly number[]): number {
  // By the chord, which is exact for small angles, where the arc cosine of a product is not.
  const chord = (sign: number): number => Math.hypot(...a.map((part, i) => part - sign * (b[i] as number)));
  const [near, far] = [chord(1), chord(-1)];
  return (4 * Math.atan2(Math.min(near, far), Math.max(near, far)) * 180) / Math.PI;
}

/** The Euler angles of a rotation in degrees: turns about X, then the turned Y, then the turned Z. */
export function eulerAngles([x = 0, y = 0, z = 0, w = 1]: readonly number[]): [number, number, number] {
  const sin = Math.max(-1, Math.min(1, 2 * (x * z + w * y)));
  const degrees = 180 / Math.PI;
  // In a gimbal lock only the sum of the turns about X and Z is known.
  if (Math.abs(sin) > 0.999_999_9) return [2 * Math.atan2(x, w) * degrees, Math.asin(sin) * degrees, 0];
  return [
    Math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)) * degrees,
    Math.asin(sin) * degrees,
    Math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)) * degrees,
  ];
}

/** The rotation of Euler angles in degrees, see {@link eulerAngles}. */
export function quaternionOf([x = 0, y = 0, z = 0]: readonly number[]): number[] {
  const half = Math.PI / 360;
  const [a, b, c] = [Math.cos(x * half), Math.cos(y * half), Math.cos(z * half)];
  const [u, v, w] = [Math.sin(x * half), Math.sin(y * half), Math.sin(z * half)];
  return [u * b * c + a * v * w, a * v * c - u * b * w, a * b * w + u * v * c, a * b * c - u * v * w];
}
