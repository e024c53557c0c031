// Shapes for scenes, and plain materials on them.

import type { Json, Rgb, Scene } from './scene.ts';

/** Vertices of a triangle mesh, as lists of numbers. */
export interface Shape {
  positions: number[];
  normals: number[];
  uvs: number[];
  indices: number[];
}

/** A sphere of radius 1; U runs from the back (-Z) eastwards, V from the north pole (+Y) down. */
export function sphere(rings = 24, around = 48): Shape {
  const shape: Shape = { positions: [], normals: [], uvs: [], indices: [] };
  for (let i = 0; i <= rings; i++) {
    for (let j = 0; j <= around; j++) {
      const [theta, phi] = [(i / rings) * Math.PI, (j / around - 0.5) * 2 * Math.PI];
      const place = [Math.sin(theta) * Math.sin(phi), Math.cos(theta), Math.sin(theta) * Math.cos(phi)];
      shape.positions.push(...place);
      shape.normals.push(...place);
      shape.uvs.push(j / around, i / rings);
      const at = i * (around + 1) + j;
      if (i < rings && j < around)
        shape.indices.push(at, at + around + 1, at + 1, at + 1, at + around + 1, at + around + 2);
    }
  }
  return shape;
}

/** A box with edges of length 2. */
export function box(): Shape {
  const shape: Shape = { positions: [], normals: [], uvs: [], indices: [] };
  for (const axis of [0, 1, 2]) {
    for (const sign of [1, -1]) {
      const first = shape.positions.length / 3;
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const [place, normal] = [
          [0, 0, 0],
          [0, 0, 0],
        ];
        place[axis] = normal[axis] = sign;
        place[(axis + 1) % 3] = u * sign;
        place[(axis + 2) % 3] = v;
        shape.positions.push(...place);
        shape.normals.push(...normal);
        shape.uvs.push((u + 1) / 2, (1 - v) / 2);
      }
      shape.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return shape;
}

/** Adds a mesh of a shape; `attributes` are additional. */
export function mesh(
  scene: Scene,
  shape: Shape,
  material: number,
  attributes: Readonly<Record<string, number>> = {},
): number {
  return scene.add('meshes', {
    primitives: [
      {
        attributes: {
          POSITION: scene.accessor('VEC3', shape.positions),
          NORMAL: scene.accessor('VEC3', shape.normals),
          TEXCOORD_0: scene.accessor('VEC2', shape.uvs),
          ...attributes,
        },
        indices: scene.indices(shape.indices),
        material,
      },
    ],
  });
}

/** Adds a material by its factors, with extensions, which are added to `extensionsUsed`. */
export function material(
  scene: Scene,
  color: Rgb,
  metallicFactor: number,
  roughnessFactor: number,
  extensions: Json = {},
  more: Json = {},
): number {
  Object.keys(extensions).forEach((name) => scene.use(name));
  const { pbr, ...rest } = more;
  return scene.add('materials', {
    pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor, roughnessFactor, ...pbr },
    ...(Object.keys(extensions).length ? { extensions } : {}),
    ...rest,
  });
}
