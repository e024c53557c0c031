// The place of the model: its orientation and scale, with the rotation of the turntable.

import type { Place, Quaternion, Vector } from '../../values/transforms.ts';
import type { Point } from './events.ts';
import { parseValues } from './css-values.ts';

const NO_ANGLE = { whole: 2 * Math.PI, auto: 0 };
const NO_SCALE = { whole: 1 };

export type ModelPlace = Required<Place> & {
  readonly rotation: Quaternion;
  readonly position: Vector;
  readonly scale: Vector;
};

/** The place from the attributes `orientation` and `scale`. */
export function placeOf(orientation: string, scale: string): ModelPlace {
  const [roll = 0, pitch = 0, yaw = 0] = parseValues(orientation, [NO_ANGLE, NO_ANGLE, NO_ANGLE]);
  const [x = 1, y = 1, z = 1] = parseValues(scale, [NO_SCALE, NO_SCALE, NO_SCALE]);
  return {
    rotation: product(about(1, yaw), product(about(0, pitch), about(2, roll))),
    position: [0, 0, 0],
    scale: [x, y, z],
  };
}

/** A place with the parts that it lacks. */
export function wholePlace({ position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 }: Place): ModelPlace {
  return { position, rotation, scale: typeof scale === 'number' ? [scale, scale, scale] : scale };
}

/** A place, rotated about the vertical axis through `center`. */
export function turned(
  { rotation, position: [x, y, z], scale }: ModelPlace,
  angle: number,
  [cx, , cz]: Vector,
): ModelPlace {
  const table = about(1, angle);
  const [tx, , tz] = rotated(table, [x - cx, 0, z - cz]);
  return { rotation: product(table, rotation), position: [cx + tx, y, cz + tz], scale };
}

/** A place as a matrix. */
export function matrixOf({ rotation: [x, y, z, w], position, scale }: ModelPlace): DOMMatrixReadOnly {
  const sine = Math.hypot(x, y, z);
  // An axis of length 0 is no direction, so the identity gets the Z axis.
  return new DOMMatrix()
    .translateSelf(...position)
    .rotateAxisAngleSelf(x, y, sine > 0 ? z : 1, (Math.atan2(sine, w) * 360) / Math.PI)
    .scaleSelf(...scale);
}

/** The place of a matrix; null for a matrix with shear, with a projection, or of determinant 0. */
export function placeFrom({
  m11,
  m12,
  m13,
  m14,
  m21,
  m22,
  m23,
  m24,
  m31,
  m32,
  m33,
  m34,
  m41,
  m42,
  m43,
  m44,
}: DOMMatrixReadOnly): ModelPlace | null {
  const [x, y, z]: readonly Vector[] = [
    [m11, m12, m13],
    [m21, m22, m23],
    [m31, m32, m33],
  ];
  if (!x || !y || !z) return null;
  const mirrored =
    x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) + z[0] * (x[1] * y[2] - x[2] * y[1]) < 0;
  const scale: Vector = [(mirrored ? -1 : 1) * Math.hypot(...x), Math.hypot(...y), Math.hypot(...z)];
  const unit = (v: Vector, by: number): Vector => [v[0] / by, v[1] / by, v[2] / by];
  const [a, b, c] = [unit(x, scale[0]), unit(y, scale[1]), unit(z, scale[2])];
  const plain =
    Math.abs(m14) +
      Math.abs(m24) +
      Math.abs(m34) +
      Math.abs(m44 - 1) +
      Math.abs(dot(a, b)) +
      Math.abs(dot(b, c)) +
      Math.abs(dot(c, a)) <
    1e-4;
  if (!plain || ![m41, m42, m43].every(Number.isFinite)) return null;
  // Each row is the quaternion, scaled by four times one of its components. The longest row is the most precise.
  const [wx, wy, wz, xy, xz, yz] = [b[2] - c[1], c[0] - a[2], a[1] - b[0], a[1] + b[0], a[2] + c[0], b[2] + c[1]];
  const [p, q, r] = [a[0], b[1], c[2]];
  const rows: readonly Quaternion[] = [
    [1 + p - q - r, xy, xz, wx],
    [xy, 1 - p + q - r, yz, wy],
    [xz, yz, 1 - p - q + r, wz],
    [wx, wy, wz, 1 + p + q + r],
  ];
  const [row, length] = rows
    .map((each) => [each, Math.hypot(...each)] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one));
  return { rotation: row.map((value) => value / length) as unknown as Quaternion, position: [m41, m42, m43], scale };
}

/** Transforms a point from model space to world space. */
export function toWorld(
  { rotation, position: [px, py, pz], scale: [sx, sy, sz] }: ModelPlace,
  [x, y, z]: Vector,
): Vector {
  const [rx, ry, rz] = rotated(rotation, [x * sx, y * sy, z * sz]);
  return [rx + px, ry + py, rz + pz];
}

/** Transforms a position and a normal from world space to model space. */
export function inModel(
  { rotation: [x, y, z, w], position: [px, py, pz], scale: [sx, sy, sz] }: ModelPlace,
  { position: [wx, wy, wz], normal }: { readonly position: Vector; readonly normal: Vector },
): { readonly position: Vector; readonly normal: Vector } {
  const back: Quaternion = [-x, -y, -z, w];
  const [rx, ry, rz] = rotated(back, [wx - px, wy - py, wz - pz]);
  return { position: [rx / sx, ry / sy, rz / sz], normal: rotated(back, normal) };
}

/** Three numbers as plain data. Its `toString()` returns the value of an attribute, from the current numbers. */
export function vector([x, y, z]: Vector): Point {
  const point = { x, y, z };
  return Object.defineProperty(point, 'toString', { value: () => `${point.x}m ${point.y}m ${point.z}m` });
}

interface Box {
  readonly min: Vector;
  readonly max: Vector;
}

/** The centre and the size of the tight box around all vertices of models. */
export function middleAndSides(models: readonly { measure(): Box | null }[]): readonly [middle: Point, sides: Point] {
  const boxes = models.map((model) => model.measure()).filter((box) => box !== null);
  if (boxes.length === 0) return [vector([0, 0, 0]), vector([0, 0, 0])];
  const [a, b, c] = [0, 1, 2].map((axis) =>
    Math.min(...boxes.map(({ min }) => min[axis] as number)),
  ) as unknown as Vector;
  const [x, y, z] = [0, 1, 2].map((axis) =>
    Math.max(...boxes.map(({ max }) => max[axis] as number)),
  ) as unknown as Vector;
  return [vector([(a + x) / 2, (b + y) / 2, (c + z) / 2]), vector([x - a, y - b, z - c])];
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
