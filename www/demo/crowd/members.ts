// The members of the crowds of this site: characters on rings around a middle, by turns performing, walking and running.

import type { CrowdMembers } from 'gambol';

/** The distance between neighbours on a ring, and between rings, in metres. */
const APART = 1.15;

/** The speeds at which the feet do not slide, in metres per second: `extras.speed` of the clips. */
const SPEEDS = { Walk: 0.321, Run: 1.067 } as const;

const PERFORMANCES = ['Dance', 'Wave', 'Jump', 'Idle'] as const;

/** A camera between the rings, in front of the member in the middle. */
export const INSIDE = { target: [0, 0.45, 0], distance: 3.1, azimuth: 0, polar: 1.29, fovY: 0.8 } as const;

interface Place {
  readonly radius: number;
  /** The angle on the ring at the time 0. */
  readonly angle: number;
  /** Radians per second; 0 for members that stay. */
  readonly turn: number;
  readonly clip: string;
}

/** A reproducible pseudo-random number from 0 to 1. */
function random(i: number, salt: number): number {
  const x = Math.sin(i * 127.1 + salt * 311.7) * 43758.5453;
  return x - Math.floor(x);
}

const places: Place[] = [];

/** The places of the first `count` members, which do not depend on the number of members. */
function placesOf(count: number): readonly Place[] {
  for (let ring = places.length === 0 ? 0 : ringsOf(places.length); places.length < count; ring++) {
    const radius = ringRadius(ring);
    const size = sizeOf(ring);
    const clip = (['', 'Walk', 'Run'] as const)[ring % 3];
    const speed = clip ? SPEEDS[clip] : 0;
    const turn = ring === 0 ? 0 : (speed / radius) * (ring % 2 ? 1 : -1);
    for (let i = 0; i < size; i++) {
      const performance = PERFORMANCES[Math.floor(random(places.length, 5) * PERFORMANCES.length)];
      places.push({
        radius,
        angle: (2 * Math.PI * (i + random(ring, 1))) / size,
        turn,
        clip: clip || (ring === 0 ? 'Wave' : (performance ?? 'Idle')),
      });
    }
  }
  return places;
}

/** The radius of a ring in metres. */
export function ringRadius(ring: number): number {
  return ring * APART;
}

/** The radius of the area of the first `count` members, in metres. */
export function areaRadius(count: number): number {
  return ringRadius(ringsOf(count) - 1) + 0.5 * APART;
}

/** The number of members on a ring. */
function sizeOf(ring: number): number {
  return Math.max(1, Math.floor(2 * Math.PI * ring));
}

/** The number of rings that hold `count` members. */
export function ringsOf(count: number): number {
  let ring = 0;
  for (let left = count; left > 0; ring++) left -= sizeOf(ring);
  return ring;
}

/** A colour as a factor of the base colour, from a palette of furs. */
function tint(i: number): readonly number[] {
  const hue = 2 * Math.PI * random(i, 4);
  const [r, g, b] = [0, 2, 4].map((third) => 0.72 + 0.42 * Math.cos(hue + (third * Math.PI) / 3));
  return [r ?? 1, g ?? 1, (b ?? 1) * 1.7, 1];
}

/** Properties of members that stay: a clip, its start and a colour for each. */
export function members(count: number, coloured = true): CrowdMembers {
  const all = placesOf(count).slice(0, count);
  return {
    clips: all.map(({ clip }) => clip),
    starts: all.map((_, i) => -20 * random(i, 6)),
    tints: all.flatMap((_, i) => (coloured && i > 0 ? tint(i) : [1, 1, 1, 1])),
  };
}

/** Properties of members that change with time: positions on the rings, and rotations in the direction of the walk. */
export function paths(count: number, seconds: number): CrowdMembers {
  const [positions, rotations] = [new Float32Array(3 * count), new Float32Array(4 * count)];
  const all = placesOf(count);
  for (let i = 0; i < count; i++) {
    const { radius = 0, angle = 0, turn = 0 } = all[i] ?? {};
    const at = angle + turn * seconds;
    // Members that stay look outwards.
    const half = 0.5 * (at + Math.sign(turn) * 0.5 * Math.PI);
    positions.set([radius * Math.sin(at), 0, radius * Math.cos(at)], 3 * i);
    rotations.set([0, Math.sin(half), 0, Math.cos(half)], 4 * i);
  }
  return { positions, rotations };
}
