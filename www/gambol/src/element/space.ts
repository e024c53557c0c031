// Where the model stands: its orientation and scale, and how far the turntable has turned.

import type { Place, Quaternion, Vector } from '../place.ts';
import { parseValues } from './values.ts';

const NO_ANGLE = { whole: 2 * Math.PI, auto: 0 };
const NO_SCALE = { whole: 1 };

/** The place that attributes ask for: turned about the upright through `center`. */
export function placeOf(orientation: string, scale: string, turn: number, center: Vector): Place & { readonly rotation: Quaternion; readonly position: Vector; readonly scale: Vector } {
  const [roll = 0, pitch = 0, yaw = 0] = parseValues(orientation, [NO_ANGLE, NO_ANGLE, NO_ANGLE]);
  const [x = 1, y = 1, z = 1] = parseValues(scale, [NO_SCALE, NO_SCALE, NO_SCALE]);
  const table = about(1, turn);
  const [cx, , cz] = center;
  const [tx, , tz] = rotated(table, [cx, 0, cz]);
  return {
    rotation: product(table, product(about(1, yaw), product(about(0, pitch), about(2, roll)))),
    position: [cx - tx, 0, cz - tz],
    scale: [x, y, z],
  };
}

export type ModelPlace = ReturnType<typeof placeOf>;

/** From the model's space into the world. */
export function toWorld({ rotation, position: [px, py, pz], scale: [sx, sy, sz] }: ModelPlace, [x, y, z]: Vector): Vector {
  const [rx, ry, rz] = rotated(rotation, [x * sx, y * sy, z * sz]);
  return [rx + px, ry + py, rz + pz];
}

/** From the world into the model's space: a place and a direction. */
export function inModel(
  { rotation: [x, y, z, w], position: [px, py, pz], scale: [sx, sy, sz] }: ModelPlace,
  { position: [wx, wy, wz], normal }: { readonly position: Vector; readonly normal: Vector },
): { readonly position: Vector; readonly normal: Vector } {
  const back: Quaternion = [-x, -y, -z, w];
  const [rx, ry, rz] = rotated(back, [wx - px, wy - py, wz - pz]);
  return { position: [rx / sx, ry / sy, rz / sz], normal: rotated(back, normal) };
}

export function rotated([x, y, z, w]: Quaternion, [vx, vy, vz]: Vector): Vector {
  // v + 2 q × (q × v + w v)
  const [ax, ay, az] = [y * vz - z * vy + w * vx, z * vx - x * vz + w * vy, x * vy - y * vx + w * vz];
  return [vx + 2 * (y * az - z * ay), vy + 2 * (z * ax - x * az), vz + 2 * (x * ay - y * ax)];
}

export function dot([ax, ay, az]: Vector, [bx, by, bz]: Vector): number {
  return ax * bx + ay * by + az * bz;
}

function about(axis: 0 | 1 | 2, angle: number): Quaternion {
  const turned: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)];
  turned[axis] = Math.sin(angle / 2);
  return turned;
}

function product([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
