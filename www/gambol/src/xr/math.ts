// Matrices of 16 numbers, column by column, and vectors of three, as WebXR has them.

import type { XrPoint } from './webxr.ts';

export type Vec = readonly [x: number, y: number, z: number];

export const vec = ({ x, y, z }: XrPoint): Vec => [x, y, z];
export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vec, factor: number): Vec => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const mix = (a: Vec, b: Vec, part: number): Vec => add(a, scaled(sub(b, a), part));
export const distance = (a: Vec, b: Vec): number => Math.hypot(...sub(a, b));

/** An axis of a matrix: 0 is X, 1 is Y, 2 is Z, 3 the origin. */
export function axis(matrix: ArrayLike<number>, index: number): Vec {
  return [matrix[4 * index] ?? 0, matrix[4 * index + 1] ?? 0, matrix[4 * index + 2] ?? 0];
}

/** Writes a · b to `out` from `offset` on. */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Float32Array, offset = 0): void {
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += (a[4 * i + row] ?? 0) * (b[4 * column + i] ?? 0);
      out[offset + 4 * column + row] = sum;
    }
  }
}

/** A ray in the space of the session: its direction is a unit vector. */
export interface Ray {
  readonly origin: Vec;
  readonly direction: Vec;
}

/** The ray of an input source, along −Z of its target ray space. */
export function rayOf(matrix: ArrayLike<number>): Ray {
  return { origin: axis(matrix, 3), direction: scaled(axis(matrix, 2), -1) };
}

/** The point at which a ray meets a plane; undefined if it does not, or only behind its origin. */
export function onPlane({ origin, direction }: Ray, point: Vec, normal: Vec): Vec | undefined {
  const along = dot(direction, normal);
  const length = dot(sub(point, origin), normal) / along;
  return Math.abs(along) > 1e-4 && length > 0 ? add(origin, scaled(direction, length)) : undefined;
}

/** `true` if a ray meets a box. */
export function meets({ origin, direction }: Ray, { min, max }: Box): boolean {
  let [near, far] = [0, Infinity];
  for (let i = 0; i < 3; i++) {
    const [from, along, low, high] = [origin[i] ?? 0, direction[i] ?? 0, min[i] ?? 0, max[i] ?? 0];
    if (along === 0) {
      if (from < low || from > high) return false;
      continue;
    }
    const [a, b] = [(low - from) / along, (high - from) / along];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far;
}

/** A box in the space of the stage. */
export interface Box {
  readonly min: Vec;
  readonly max: Vec;
}

/** The place of a stage in the space of a session: turned around the vertical axis, and scaled, about an anchor. */
export class Placement {
  /** The point of the stage that is at `position`. */
  anchor: Vec = [0, 0, 0];
  /** The position of the anchor in the session, in metres. */
  position: Vec = [0, 0, 0];
  /** The angle around the vertical axis in radians, counter-clockwise from above. */
  yaw = 0;
  scale = 1;

  /** Writes `session_from_stage`. */
  matrix(out: Float32Array): void {
    const { anchor, position, yaw, scale } = this;
    const [sin, cos] = [scale * Math.sin(yaw), scale * Math.cos(yaw)];
    out.set([cos, 0, -sin, 0, 0, scale, 0, 0, sin, 0, cos, 0, 0, 0, 0, 1]);
    const [x, y, z] = anchor;
    out[12] = position[0] - cos * x - sin * z;
    out[13] = position[1] - scale * y;
    out[14] = position[2] + sin * x - cos * z;
  }

  /** A ray of the session in the space of the stage, with a unit direction. */
  inStage({ origin, direction }: Ray): Ray {
    const from = this.#turnedBack(sub(origin, this.position));
    return { origin: add(this.anchor, scaled(from, 1 / this.scale)), direction: this.#turnedBack(direction) };
  }

  /** A point of the stage in the space of the session. */
  inSession(point: Vec): Vec {
    const { yaw, scale } = this;
    const [x, y, z] = sub(point, this.anchor);
    const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
    return add(this.position, scaled([cos * x + sin * z, y, cos * z - sin * x], scale));
  }

  #turnedBack([x, y, z]: Vec): Vec {
    const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    return [cos * x - sin * z, y, cos * z + sin * x];
  }
}
