// The ground of the crowd page as a glTF file: a disc that fades out, and the paths of the rings. It ends with the crowd, because
// the area of the shadows has all actors. It has no light, so only the shadows darken it.

import { ColoredMesh, type Rgba } from '../app/colored-mesh.ts';
import { areaRadius, ringRadius, ringsOf } from './members.ts';

/** The width of the edge where the disc fades out, in metres. */
const EDGE = 1.6;
const SEGMENTS = 96;
/** Half of the width of a path, in metres. */
const HALF_PATH = 0.22;
/** Above the plane of the shadow, which is at the feet. */
const [DISC_HEIGHT, PATH_HEIGHT] = [0.002, 0.005];

/** Linear colours of the disc and the paths. */
export interface GroundColors {
  readonly disc: Rgba;
  readonly path: Rgba;
}

/** Adds a ring from one radius to another, with a colour at each of them. */
function ring(mesh: ColoredMesh, inner: number, outer: number, height: number, from: Rgba, to: Rgba): void {
  for (let i = 0; i <= SEGMENTS; i++) {
    const angle = (2 * Math.PI * i) / SEGMENTS;
    const at = (radius: number, color: Rgba): number =>
      mesh.vertex([radius * Math.sin(angle), height, radius * Math.cos(angle)], color);
    const [near, far] = [at(inner, from), at(outer, to)];
    if (i > 0) mesh.triangles(near - 2, far - 2, far, near - 2, far, near);
  }
}

/** A file with the ground of a crowd. */
export function ground(count: number, { disc, path }: GroundColors): Blob {
  const mesh = new ColoredMesh();
  const clear: Rgba = [disc[0], disc[1], disc[2], 0];
  const area = areaRadius(count);
  ring(mesh, 0, area, DISC_HEIGHT, disc, disc);
  ring(mesh, area, area + EDGE, DISC_HEIGHT, disc, clear);
  for (let number = 1; number < ringsOf(count); number++) {
    // Every third ring has members that stay.
    if (number % 3 === 0) continue;
    const middle = ringRadius(number);
    ring(mesh, middle - HALF_PATH, middle + HALF_PATH, PATH_HEIGHT, path, path);
  }
  return mesh.file('Ground');
}
