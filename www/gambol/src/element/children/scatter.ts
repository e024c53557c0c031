// A random distribution of points in an area, by a seed.

/** An area on the ground around its centre: a rectangle or a disc, in metres. */
export type Area = { readonly width: number; readonly depth: number } | { readonly radius: number };

/** Candidates for each point: that with the largest distance from the points before it is taken, so that few overlap. */
const CANDIDATES = 8;
/** The number of points that are compared with all before them; further points are independent, because the cost is quadratic. */
const COMPARED = 2000;

/** A generator of numbers in `0..1`: mulberry32, a counter with a hash. Equal seeds give equal numbers on every machine. */
export function randomNumbers(seed: number): () => number {
  // All bits of a seed that is not a whole number count, too.
  const [low = 0, high = 0] = new Uint32Array(Float64Array.of(seed).buffer);
  let state = low ^ Math.imul(high, 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The points of a distribution: X and Z of each, around the centre. A point does not depend on the number of points, so a crowd
 * that grows keeps its members in place.
 */
export function scatter(count: number, seed: number, area: Area): Float32Array {
  const random = randomNumbers(seed);
  const points = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    let most = -1;
    for (let candidate = 0; candidate < CANDIDATES; candidate++) {
      const [x, z] = pointIn(area, random(), random());
      const distance = i < COMPARED ? nearest(points, i, x, z) : 0;
      if (distance <= most) continue;
      most = distance;
      points[2 * i] = x;
      points[2 * i + 1] = z;
    }
  }
  return points;
}

/** A point of the area for two numbers in `0..1`, with equal density everywhere. */
function pointIn(area: Area, u: number, v: number): readonly [x: number, z: number] {
  if ('width' in area) return [(u - 0.5) * area.width, (v - 0.5) * area.depth];
  const distance = area.radius * Math.sqrt(u);
  return [distance * Math.cos(2 * Math.PI * v), distance * Math.sin(2 * Math.PI * v)];
}

/** The square of the distance to the nearest of the first points. */
function nearest(points: Float32Array, count: number, x: number, z: number): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const [dx, dz] = [(points[2 * i] ?? 0) - x, (points[2 * i + 1] ?? 0) - z];
    least = Math.min(least, dx * dx + dz * dz);
  }
  return least;
}
