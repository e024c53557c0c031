// The ground of the crowd page as a glTF file: a disc that fades out, and the paths of the rings. It ends with the crowd, because
// the area of the shadows has all actors. It has no light, so only the shadows darken it.

import { areaRadius, ringRadius, ringsOf } from './members.ts';

type Rgba = readonly [r: number, g: number, b: number, a: number];

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

class Shape {
  readonly positions: number[] = [];
  readonly colors: number[] = [];
  readonly indices: number[] = [];

  /** A ring from one radius to another, with a colour at each of them. */
  ring(inner: number, outer: number, height: number, from: Rgba, to: Rgba): void {
    const first = this.positions.length / 3;
    for (let i = 0; i <= SEGMENTS; i++) {
      const angle = (2 * Math.PI * i) / SEGMENTS;
      for (const [radius, color] of [
        [inner, from],
        [outer, to],
      ] as const) {
        this.positions.push(radius * Math.sin(angle), height, radius * Math.cos(angle));
        this.colors.push(...color);
      }
    }
    for (let i = 0; i < 2 * SEGMENTS; i += 2) {
      const at = first + i;
      this.indices.push(at, at + 1, at + 3, at, at + 3, at + 2);
    }
  }
}

/** A file with the ground of a crowd. */
export function ground(count: number, { disc, path }: GroundColors): Blob {
  const shape = new Shape();
  const clear: Rgba = [disc[0], disc[1], disc[2], 0];
  const area = areaRadius(count);
  const radius = area + EDGE;
  shape.ring(0, area, DISC_HEIGHT, disc, disc);
  shape.ring(area, radius, DISC_HEIGHT, disc, clear);
  for (let ring = 1; ring < ringsOf(count); ring++) {
    // Every third ring has members that stay.
    if (ring % 3 === 0) continue;
    const middle = ringRadius(ring);
    shape.ring(middle - HALF_PATH, middle + HALF_PATH, PATH_HEIGHT, path, path);
  }
  const parts = [new Float32Array(shape.positions), new Float32Array(shape.colors), new Uint32Array(shape.indices)];
  const bytes = parts.map(({ buffer }) => new Uint8Array(buffer));
  const lengths = bytes.map(({ byteLength }) => byteLength);
  const vertices = shape.positions.length / 3;
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_materials_unlit'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'Ground', mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, COLOR_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ alphaMode: 'BLEND', extensions: { KHR_materials_unlit: {} } }],
    buffers: [{ byteLength: lengths.reduce((a, b) => a + b), uri: dataUrl(bytes) }],
    bufferViews: lengths.map((byteLength, i) => ({
      buffer: 0,
      byteLength,
      byteOffset: lengths.slice(0, i).reduce((a, b) => a + b, 0),
    })),
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: vertices,
        type: 'VEC3',
        min: [-radius, DISC_HEIGHT, -radius],
        max: [radius, PATH_HEIGHT, radius],
      },
      { bufferView: 1, componentType: 5126, count: vertices, type: 'VEC4' },
      { bufferView: 2, componentType: 5125, count: shape.indices.length, type: 'SCALAR' },
    ],
  };
  return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
}

function dataUrl(parts: readonly Uint8Array[]): string {
  let text = '';
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte);
  return `data:application/octet-stream;base64,${btoa(text)}`;
}
