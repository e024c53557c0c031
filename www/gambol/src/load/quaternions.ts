// Vectors and quaternions (X, Y, Z, W) of edited clips, in double precision.

/** @internal */
export type Numbers = readonly number[];

export function scaled(a: Numbers, by: number): Numbers {
  return a.map((value) => value * by);
}

export function sum(...all: readonly Numbers[]): Numbers {
  const [first = [], ...others] = all;
  return first.map((value, i) => others.reduce((total, other) => total + (other[i] ?? 0), value));
}

export function dot(a: Numbers, b: Numbers): number {
  return a.reduce((total, value, i) => total + value * (b[i] ?? 0), 0);
}

/** A vector of length 1; the identity for a quaternion of length 0. */
export function unit(q: Numbers): Numbers {
  const length = Math.hypot(...q);
  return length > 0 ? scaled(q, 1 / length) : [0, 0, 0, 1];
}

export function product([ax, ay, az, aw]: Numbers, [bx, by, bz, bw]: Numbers): Numbers {
  const [x, y, z, w] = [ax ?? 0, ay ?? 0, az ?? 0, aw ?? 0];
  const [u, v, s, t] = [bx ?? 0, by ?? 0, bz ?? 0, bw ?? 0];
  return [
    w * u + x * t + y * s - z * v,
    w * v + y * t + z * u - x * s,
    w * s + z * t + x * v - y * u,
    w * t - x * u - y * v - z * s,
  ];
}

export function inverse([x = 0, y = 0, z = 0, w = 1]: Numbers): Numbers {
  return [-x, -y, -z, w];
}

/** A vector turned by a unit quaternion. */
export function turned(q: Numbers, [x = 0, y = 0, z = 0]: Numbers): Numbers {
  return product(product(q, [x, y, z, 0]), inverse(q)).slice(0, 3);
}

/** The rotation vector of a unit quaternion: its axis multiplied by its angle, at most half a turn. */
export function logarithm(q: Numbers): Numbers {
  const [x = 0, y = 0, z = 0, w = 1] = dot(q, [0, 0, 0, 1]) < 0 ? scaled(q, -1) : q;
  const sine = Math.hypot(x, y, z);
  const by = sine > 1e-12 ? (2 * Math.atan2(sine, w)) / sine : 2;
  return [x * by, y * by, z * by];
}

/** The unit quaternion of a rotation vector. */
export function exponential([x = 0, y = 0, z = 0]: Numbers): Numbers {
  const angle = Math.hypot(x, y, z);
  const by = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return unit([x * by, y * by, z * by, Math.cos(angle / 2)]);
}

/** The rotation between two others, along the shorter arc. */
export function slerp(a: Numbers, b: Numbers, s: number): Numbers {
  return unit(product(a, exponential(scaled(logarithm(product(inverse(a), b)), s))));
}
