// Files with an image-based light (EXT_lights_image_based).

import { encoded } from './light.ts';
import type { Rgb, Scene } from './scene.ts';

type Vector = readonly [x: number, y: number, z: number];

/** The picture of each face as it is seen from the middle: right, down, and the direction of its centre. */
const FACES: readonly (readonly [right: Vector, down: Vector, middle: Vector])[] = [
  [
    [0, 0, 1],
    [0, -1, 0],
    [1, 0, 0],
  ],
  [
    [0, 0, -1],
    [0, -1, 0],
    [-1, 0, 0],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ],
  [
    [-1, 0, 0],
    [0, 0, -1],
    [0, -1, 0],
  ],
  [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
];

/** The light of a direction, at the roughness of a level. */
export type Light = (x: number, y: number, z: number, level: number) => Rgb;

export interface FileLightOptions {
  readonly size?: number;
  readonly levels?: number;
  readonly light?: object;
  /** The encoded images in place of PNG with alpha (RGBD). */
  encode?(size: number, light: readonly Rgb[]): Promise<Uint8Array>;
}

/** The irradiance coefficients of light that is the same in all directions. */
export function evenIrradiance(light: Rgb): number[][] {
  const first = light.map((value) => value * Math.PI * Math.sqrt(4 * Math.PI));
  return [first, ...Array.from({ length: 8 }, () => [0, 0, 0])];
}

/** Adds a light to the file and to its scene. */
export async function addFileLight(
  scene: Scene,
  light: Light,
  { size = 16, levels = 2, light: more = {}, encode = rgbd }: FileLightOptions = {},
): Promise<void> {
  const specularImages: number[][] = [];
  for (let level = 0; level < levels; level++) {
    const faces: number[] = [];
    for (const [right, down, middle] of FACES) {
      const width = size >> level;
      const at = (i: number): number => ((i + 0.5) / width) * 2 - 1;
      const colors = Array.from({ length: width * width }, (_, i) => {
        const [u, v] = [at(i % width), at(Math.floor(i / width))];
        const to = ([0, 1, 2] as const).map((axis) => middle[axis] + u * right[axis] + v * down[axis]);
        const length = Math.hypot(...to);
        const [x = 0, y = 0, z = 0] = to.map((value) => value / length);
        return light(x, y, z, level);
      });
      const mimeType = encode === rgbd ? 'image/png' : 'image/jpeg';
      faces.push(scene.add('images', { bufferView: scene.view(await encode(width, colors)), mimeType }));
    }
    specularImages.push(faces);
  }
  scene.use('EXT_lights_image_based');
  const all = ((scene.json.extensions ??= {}).EXT_lights_image_based ??= { lights: [] });
  all.lights.push({
    irradianceCoefficients: evenIrradiance(light(0, 0, 1, 0)),
    specularImageSize: size,
    specularImages,
    ...more,
  });
  scene.json.scenes[0].extensions = { EXT_lights_image_based: { light: all.lights.length - 1 } };
}

/** A PNG with RGBD: the linear light is that of the colours divided by alpha. All filters of PNG are used. */
async function rgbd(size: number, light: readonly Rgb[]): Promise<Uint8Array> {
  const pixels = new Uint8Array(4 * light.length);
  light.forEach((color, i) => {
    // The smallest divisor that keeps all channels below 1.
    const alpha = Math.min(255, Math.max(1, Math.floor(255 / Math.max(...color, 1))));
    pixels.set([...color.map((value) => Math.round(encoded((value * alpha) / 255))), alpha], 4 * i);
  });
  const stride = 4 * size;
  const stored = new Uint8Array(size * (stride + 1));
  for (let row = 0; row < size; row++) {
    stored[row * (stride + 1)] = row % 5;
    for (let i = 0; i < stride; i++) {
      const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (pixels[y * stride + x] ?? 0));
      const [a, b, c] = [at(i - 4, row), at(i, row - 1), i < 4 ? 0 : at(i - 4, row - 1)];
      const nearest = [a, b, c].reduce((best, one) =>
        Math.abs(a + b - c - one) < Math.abs(a + b - c - best) ? one : best,
      );
      const predicted = [0, a, b, (a + b) >> 1, nearest][row % 5] ?? 0;
      stored[row * (stride + 1) + 1 + i] = at(i, row) - predicted;
    }
  }
  const packed = new Uint8Array(
    await new Response(new Blob([stored]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer(),
  );
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, size);
  new DataView(header.buffer).setUint32(4, size);
  header.set([8, 6, 0, 0, 0], 8);
  // Two chunks of data, as longer files have.
  const half = packed.length >> 1;
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', packed.subarray(0, half)),
    chunk('IDAT', packed.subarray(half)),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A chunk; its checksum is left out. */
function chunk(type: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length + 12);
  new DataView(bytes.buffer).setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  return bytes;
}

/** A JPEG of the colours. */
export async function jpegFace(size: number, light: readonly Rgb[]): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(size, size);
  const data = new ImageData(size, size);
  light.forEach((color, i) => data.data.set([...color.map((value) => Math.round(encoded(value))), 255], 4 * i));
  canvas.getContext('2d')?.putImageData(data, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer());
}
