// A figure of ellipsoids, in two files: bound to scaled joints, and baked. Each vertex belongs to one joint, so that its place and its
// normal in the posed figure are known exactly.

import { GlbWriter } from '../app/glb-writer.ts';
import { multiply } from './oracle.ts';

/** The joints: parent, place in the parent's space, turn about Z in degrees, scale, and the radius of the sphere. */
const JOINTS: readonly (readonly [parent: number, place: number[], turn: number, scale: number[], radius: number])[] = [
  [-1, [0, 0, 0], 12, [1.35, 0.85, 0.5], 0.5],
  [0, [0, 0.72, 0], -34, [0.62, 1.25, 1.2], 0.42],
  [1, [-0.3, 0.42, 0], 40, [0.5, 1.7, 0.8], 0.2],
  [1, [0.3, 0.42, 0], -40, [0.5, 1.7, 0.8], 0.2],
];
const [RINGS, SEGMENTS] = [40, 64];

const quaternion = (turn: number): number[] => {
  const half = (turn * Math.PI) / 360;
  return [0, 0, Math.sin(half), Math.cos(half)];
};

function local([, place, turn, scale]: (typeof JOINTS)[number]): number[] {
  const angle = (turn * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [sx = 1, sy = 1, sz = 1] = scale;
  return [c * sx, s * sx, 0, 0, -s * sy, c * sy, 0, 0, 0, 0, sz, 0, ...place, 1];
}

const WORLDS: number[][] = [];
for (const joint of JOINTS) {
  const parent = WORLDS[joint[0]];
  WORLDS.push(parent ? multiply(parent, local(joint)) : local(joint));
}

/** A point moved by a matrix. */
const moved = (m: readonly number[], [x, y, z]: readonly [number, number, number]): number[] =>
  [0, 1, 2].map((row) => (m[row] ?? 0) * x + (m[4 + row] ?? 0) * y + (m[8 + row] ?? 0) * z + (m[12 + row] ?? 0));

/** A normal moved by the inverse transpose of a matrix, of length 1. */
function movedNormal(m: readonly number[], n: readonly number[]): number[] {
  const column = (i: number): readonly number[] => m.slice(4 * i, 4 * i + 3);
  const cross = (a: readonly number[], b: readonly number[]): number[] =>
    [0, 1, 2].map((i) => (a[(i + 1) % 3] ?? 0) * (b[(i + 2) % 3] ?? 0) - (a[(i + 2) % 3] ?? 0) * (b[(i + 1) % 3] ?? 0));
  // The columns of the cofactor matrix, which is the inverse transpose times the determinant.
  const cofactors = [0, 1, 2].map((i) => cross(column((i + 1) % 3), column((i + 2) % 3)));
  const turned = [0, 1, 2].map((row) => cofactors.reduce((sum, one, i) => sum + (one[row] ?? 0) * (n[i] ?? 0), 0));
  const length = Math.hypot(...turned);
  return turned.map((value) => value / length);
}

/** The file of the figure: with a skin, or with the vertices where the skin would move them. */
export function figure(baked: boolean): ArrayBuffer {
  const writer = new GlbWriter();
  const [positions, normals, joints, weights, indices]: number[][] = [[], [], [], [], []];
  for (const [joint, [, , , , radius]] of JOINTS.entries()) {
    const first = (positions?.length ?? 0) / 3;
    const world = WORLDS[joint] ?? [];
    for (let ring = 0; ring <= RINGS; ring++)
      for (let segment = 0; segment <= SEGMENTS; segment++) {
        const [up, around] = [(Math.PI * ring) / RINGS, (2 * Math.PI * segment) / SEGMENTS];
        const n = [Math.sin(up) * Math.sin(around), Math.cos(up), Math.sin(up) * Math.cos(around)] as const;
        const p = [n[0] * radius, n[1] * radius, n[2] * radius] as const;
        positions?.push(...(baked ? moved(world, p) : p));
        normals?.push(...(baked ? movedNormal(world, n) : n));
        joints?.push(joint, 0, 0, 0);
        weights?.push(1, 0, 0, 0);
        if (ring === RINGS || segment === SEGMENTS) continue;
        const at = first + ring * (SEGMENTS + 1) + segment;
        const below = at + SEGMENTS + 1;
        indices?.push(at, below, at + 1, at + 1, below, below + 1);
      }
  }
  const skinned = {
    JOINTS_0: writer.add(joints ?? [], 4, true),
    WEIGHTS_0: writer.add(weights ?? [], 4),
  };
  const attributes = {
    POSITION: writer.add(positions ?? [], 3),
    NORMAL: writer.add(normals ?? [], 3),
    ...(!baked && skinned),
  };
  const primitive = { attributes, indices: writer.add(indices ?? [], 1, true), material: 0 };
  const half = Math.PI / 8;
  const light = {
    name: 'Light',
    // From the upper left and from the front.
    rotation: [-Math.sin(half), -Math.sin(half) * 0.9, 0, Math.cos(half)].map(
      (value, _, all) => value / Math.hypot(...all),
    ),
    extensions: { KHR_lights_punctual: { light: 0 } },
  };
  const bones = JOINTS.map(([, place, turn, scale], i) => {
    const children = JOINTS.flatMap(([parent], child) => (parent === i ? [child + 2] : []));
    return {
      name: `Joint ${i}`,
      translation: place,
      rotation: quaternion(turn),
      scale,
      ...(children.length > 0 && { children }),
    };
  });
  const identities = JOINTS.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  return writer.finish({
    scene: 0,
    scenes: [{ nodes: baked ? [0, 1] : [0, 1, 2] }],
    nodes: [light, { name: 'Figure', mesh: 0, ...(!baked && { skin: 0 }) }, ...(baked ? [] : bones)],
    meshes: [{ primitives: [primitive] }],
    materials: [
      { pbrMetallicRoughness: { baseColorFactor: [0.9, 0.45, 0.25, 1], metallicFactor: 0, roughnessFactor: 0.55 } },
    ],
    ...(!baked && {
      skins: [{ joints: JOINTS.map((_, i) => i + 2), inverseBindMatrices: writer.add(identities, 16) }],
    }),
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'directional', intensity: 3, color: [1, 1, 1] }] } },
  }).buffer;
}
