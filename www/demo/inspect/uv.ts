// The UV coordinates of the triangles that have a material.

import { readAccessor, type GltfAccessor, type GltfFile } from 'gambol/gltf';
import { list, number, object } from './document.ts';

/** The upper limit of triangles that are drawn. */
const MOST = 200_000;
const TRIANGLES = 4;

/** The lines of the triangles' edges: pairs of points, each u and v, v down. */
export async function uvLines(file: GltfFile, material: number, texCoord: number): Promise<Float32Array> {
  const lines: number[] = [];
  for (const mesh of list(file.json, 'meshes'))
    for (const primitive of list(mesh, 'primitives')) {
      const coordinates = number(object(primitive, 'attributes'), `TEXCOORD_${texCoord}`);
      const isDrawn =
        number(primitive, 'material') === material && (number(primitive, 'mode') ?? TRIANGLES) === TRIANGLES;
      if (!isDrawn || coordinates === null) continue;
      const indices = number(primitive, 'indices');
      add(
        lines,
        await readAccessor(file, coordinates),
        indices === null ? undefined : await readAccessor(file, indices),
      );
    }
  return new Float32Array(lines);
}

/** Adds the edges of the triangles of a primitive. A corner without coordinates is at the origin. */
function add(lines: number[], coordinates: GltfAccessor, indices: GltfAccessor | undefined): void {
  const point = (corner: number): [number, number] => {
    const vertex = indices ? (indices.values[corner] ?? 0) : corner;
    return [coordinates.values[2 * vertex] ?? 0, coordinates.values[2 * vertex + 1] ?? 0];
  };
  const { count } = indices ?? coordinates;
  for (let i = 0; i + 2 < count && lines.length < 12 * MOST; i += 3) {
    const [a, b, c] = [point(i), point(i + 1), point(i + 2)];
    lines.push(...a, ...b, ...b, ...c, ...c, ...a);
  }
}
