// Uneven grounds: heights and normals for the feet, and a model of the surface for the picture.

import type { Ground } from 'gambol';
import { GlbWriter } from '../../app/glb-writer.ts';
import type { GroundName } from '../view.ts';

export type Uneven = Exclude<GroundName, 'flat'>;
type Surface = (x: number, z: number) => { readonly y: number; readonly normal: readonly [number, number, number] };

/** The ground of a model that is 1 m high; the middle of the model is at the origin. */
const SURFACES: Readonly<Record<Uneven, Surface>> = {
  slope: (x) => ({ y: 0.25 * x, normal: [-0.25, 1, 0] }),
  waves: (x, z) => ({
    y: 0.035 * (Math.sin(9 * x + 1) + Math.sin(7 * z)),
    normal: [-0.315 * Math.cos(9 * x + 1), 1, -0.245 * Math.cos(7 * z)],
  }),
  // An edge of the stairs is between the feet.
  steps: (x) => ({ y: RISE * Math.floor(x / TREAD + 1e-6) + RISE / 2, normal: [0, 1, 0] }),
};
const TREAD = 0.26;
const RISE = 0.09;

/** The distance of the edges of the surface from its middle, for a model that is 1 m high. */
const EXTENT = 3 * TREAD;
/** Cells of the checker on the surface, along an edge; each is divided further, since waves are round. */
const CELLS = 18;
const PARTS = 2;

/** The function for `viewer.feet()`, for a model of this height. */
export function groundOf(name: Uneven, height: number): (x: number, z: number) => Ground {
  const surface = SURFACES[name];
  return (x, z) => {
    const { y, normal } = surface(x / height, z / height);
    return { y: y * height, normal };
  };
}

/** The surface as a GLB file, with a checker of two materials. */
export function groundFile(name: Uneven, height: number): Uint8Array<ArrayBuffer> {
  const surface = SURFACES[name];
  const count = CELLS * PARTS;
  const size = (2 * EXTENT) / count;
  const [positions, normals]: [number[][], number[][]] = [
    [[], []],
    [[], []],
  ];
  const quad = (colour: number, corners: readonly (readonly number[])[], all: readonly (readonly number[])[]): void => {
    for (const i of [0, 1, 2, 0, 2, 3]) {
      positions[colour]?.push(...(corners[i] ?? []).map((value) => value * height));
      normals[colour]?.push(...(all[i] ?? []));
    }
  };
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const colour = (Math.floor(i / PARTS) + Math.floor(j / PARTS)) % 2;
      const [left, back] = [i * size - EXTENT, j * size - EXTENT];
      const [right, front] = [left + size, back + size];
      const places: [number, number][] = [
        [left, back],
        [left, front],
        [right, front],
        [right, back],
      ];
      // The edge of a step belongs to the cell at its right, so a step is taken in the middle of the cell.
      const at = ([x, z]: [number, number]): ReturnType<Surface> =>
        name === 'steps' ? surface((left + right) / 2, z) : surface(x, z);
      const points = places.map((place) => [place[0], at(place).y, place[1]]);
      quad(
        colour,
        points,
        places.map((place) => unit(at(place).normal)),
      );
      const next = surface(right + size / 2, back).y;
      if (name !== 'steps' || i + 1 === count || next - (points[0]?.[1] ?? 0) < RISE / 2) continue;
      const y = points[0]?.[1] ?? 0;
      const riser = [
        [right, y, back],
        [right, y, front],
        [right, next, front],
        [right, next, back],
      ];
      quad(
        colour,
        riser,
        riser.map(() => [-1, 0, 0]),
      );
    }
  return glb(positions, normals);
}

function unit(normal: readonly number[]): number[] {
  const length = Math.hypot(...normal);
  return normal.map((value) => value / length);
}

const COLOURS = [
  [0.62, 0.6, 0.57, 1],
  [0.42, 0.4, 0.4, 1],
];

/** A file of two primitives, without indices. */
function glb(positions: readonly number[][], normals: readonly number[][]): Uint8Array<ArrayBuffer> {
  const writer = new GlbWriter();
  const primitives = positions.map((values, material) => ({
    attributes: { POSITION: writer.add(values, 3), NORMAL: writer.add(normals[material] ?? [], 3) },
    material,
  }));
  return writer.finish({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'Ground' }],
    meshes: [{ primitives }],
    materials: COLOURS.map((baseColorFactor) => ({
      pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0, roughnessFactor: 1 },
      doubleSided: true,
    })),
  });
}
