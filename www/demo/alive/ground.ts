// Uneven ground: its height everywhere, and its glTF file.

import type { Vector } from 'gambol';
import { ColoredMesh, type Rgba } from '../app/colored-mesh.ts';

/** The radius in metres in which Pip walks, and that of the ground, which fades out. */
export const [WALKED, RADIUS] = [2.6, 3.6];

/** The waves of the ground: their height in metres, and their radians per metre along X and Z. */
const WAVES: readonly (readonly [height: number, x: number, z: number, start: number])[] = [
  [0.07, 1.7, 0.9, 0.4],
  [0.05, -1.1, 2.1, 1.3],
  [0.02, 3.9, -3.1, 0],
];

const [RINGS, SEGMENTS] = [44, 120];

/** The height of the ground in metres, and its normal. */
export function ground(x: number, z: number): { readonly y: number; readonly normal: Vector } {
  let [y, alongX, alongZ] = [0, 0, 0];
  for (const [height, a, b, start] of WAVES) {
    const angle = a * x + b * z + start;
    y += height * Math.sin(angle);
    alongX += height * a * Math.cos(angle);
    alongZ += height * b * Math.cos(angle);
  }
  const length = Math.hypot(alongX, 1, alongZ);
  return { y, normal: [-alongX / length, 1 / length, -alongZ / length] };
}

/** The file of the ground. Valleys are darker than hills. */
export function groundFile([r, g, b]: readonly [number, number, number]): Blob {
  const mesh = new ColoredMesh();
  for (let ring = 0; ring <= RINGS; ring++) {
    const radius = (ring / RINGS) * RADIUS;
    const alpha = Math.min(1, (RADIUS - radius) / (RADIUS - WALKED - 0.2));
    for (let i = 0; i <= SEGMENTS; i++) {
      const angle = (2 * Math.PI * i) / SEGMENTS;
      const [x, z] = [radius * Math.sin(angle), radius * Math.cos(angle)];
      const { y, normal } = ground(x, z);
      const light = 1 + 2.2 * y;
      const color: Rgba = [r * light, g * light, b * light, alpha * alpha];
      const at = mesh.vertex([x, y, z], color, normal);
      if (ring === 0 || i === 0) continue;
      const before = at - SEGMENTS - 1;
      mesh.triangles(before - 1, at - 1, at, before - 1, at, before);
    }
  }
  return mesh.file('Ground');
}
