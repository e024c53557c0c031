// The light of the surroundings, as a device estimates it, as a panorama of Radiance RGBE for the stage.
// https://immersive-web.github.io/lighting-estimation/

import { linearFromSrgb } from '../values/color.ts';
import { add, dot, scaled, vec, type Vec } from './math.ts';
import type { XrLightEstimate } from './webxr.ts';

const [WIDTH, HEIGHT] = [64, 32];
/** The solid angle of a pixel at the horizon, in steradians. */
const PIXEL = ((2 * Math.PI) / WIDTH) * (Math.PI / HEIGHT);

/** The six faces of a cube map in the order of GL: linear red, green and blue of `size` × `size` texels each, the top row first. */
export interface Cube {
  readonly size: number;
  readonly faces: readonly Float32Array[];
}

/** The direction of a pixel of the panorama. */
function direction(x: number, y: number): Vec {
  const [around, down] = [((x + 0.5) / WIDTH - 0.5) * 2 * Math.PI, ((y + 0.5) / HEIGHT) * Math.PI];
  return [Math.cos(around) * Math.sin(down), Math.cos(down), Math.sin(around) * Math.sin(down)];
}

/** The light from a direction: nine coefficients of real spherical harmonics for each of red, green and blue. */
export function radiance(coefficients: ArrayLike<number>, [x, y, z]: Vec): Vec {
  const basis = [
    0.282095,
    0.488603 * y,
    0.488603 * z,
    0.488603 * x,
    1.092548 * x * y,
    1.092548 * y * z,
    0.315392 * (3 * z * z - 1),
    1.092548 * x * z,
    0.546274 * (x * x - y * y),
  ];
  let sum: Vec = [0, 0, 0];
  for (const [i, value] of basis.entries()) {
    const at = 3 * i;
    sum = add(sum, scaled([coefficients[at] ?? 0, coefficients[at + 1] ?? 0, coefficients[at + 2] ?? 0], value));
  }
  return [Math.max(0, sum[0]), Math.max(0, sum[1]), Math.max(0, sum[2])];
}

/** The texel of a cube map in a direction. */
export function cubeTexel({ size, faces }: Cube, [x, y, z]: Vec): Vec {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const [face, s, t, major] =
    ax >= ay && ax >= az
      ? x > 0
        ? [0, -z, -y, ax]
        : [1, z, -y, ax]
      : ay >= az
        ? y > 0
          ? [2, x, z, ay]
          : [3, x, -z, ay]
        : z > 0
          ? [4, x, -y, az]
          : [5, -x, -y, az];
  const texel = (along: number): number => Math.min(size - 1, Math.floor(((along / major + 1) / 2) * size));
  const at = 3 * (texel(t) * size + texel(s));
  const values = faces[face] ?? [];
  return [values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0];
}

/** A panorama of an estimate, as a file of the format Radiance; undefined for an estimate without light. */
export function panoramaOf(estimate: XrLightEstimate, cube?: Cube): Uint8Array<ArrayBuffer> | undefined {
  const { sphericalHarmonicsCoefficients: coefficients, primaryLightDirection, primaryLightIntensity } = estimate;
  if (![...coefficients].every(Number.isFinite)) return undefined;
  const towards = vec(primaryLightDirection);
  const sun = vec(primaryLightIntensity);
  const hasSun = dot(towards, towards) > 0 && dot(sun, sun) > 0 && [...towards, ...sun].every(Number.isFinite);
  const header = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${HEIGHT} +X ${WIDTH}\n`);
  const file = new Uint8Array(header.length + 4 * WIDTH * HEIGHT);
  file.set(header);
  const pixels: Vec[] = [];
  let [nearest, best] = [0, -Infinity];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const way = direction(x, y);
      const near = dot(way, towards);
      if (near > best) [nearest, best] = [pixels.length, near];
      pixels.push(cube ? cubeTexel(cube, way) : radiance(coefficients, way));
    }
  }
  // The light of the sun from one pixel, which is smaller near the poles.
  if (hasSun) {
    const size = PIXEL * Math.max(0.02, Math.sin(((Math.floor(nearest / WIDTH) + 0.5) / HEIGHT) * Math.PI));
    pixels[nearest] = add(pixels[nearest] ?? [0, 0, 0], scaled(sun, 1 / size));
  }
  let light = 0;
  for (const [i, pixel] of pixels.entries()) {
    light += pixel[0] + pixel[1] + pixel[2];
    writeRgbe(file, header.length + 4 * i, pixel);
  }
  return light > 0 ? file : undefined;
}

/** Writes a pixel as three bytes of mantissas and one of their common exponent. */
function writeRgbe(file: Uint8Array, at: number, pixel: Vec): void {
  const most = Math.max(...pixel);
  if (!(most > 1e-32)) return;
  const exponent = Math.min(127, Math.ceil(Math.log2(most) + 1e-9));
  const factor = 256 / 2 ** exponent;
  for (const [i, value] of pixel.entries()) file[at + i] = Math.min(255, Math.floor(value * factor));
  file[at + 3] = exponent + 128;
}

/** The most texels of a side of a face that are read. */
const MOST = 256;

/**
 * Reads a cube map of the estimate. WebXR does not say its size: texels outside it stay as they were. Undefined if it cannot be read.
 */
export function readCube(gl: WebGL2RenderingContext, texture: WebGLTexture, float: boolean): Cube | undefined {
  if (float && !gl.getExtension('EXT_color_buffer_float')) return undefined;
  const before = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  try {
    const read = (face: number, width: number, height: number): Float32Array | Uint8Array => {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, texture, 0);
      const pixels = float ? new Float32Array(4 * width * height) : new Uint8Array(4 * width * height);
      if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE)
        gl.readPixels(0, 0, width, height, gl.RGBA, float ? gl.FLOAT : gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    const row = read(0, MOST, 1);
    let size = 0;
    // Their alpha is above 0.
    while (size < MOST && (row[4 * size + 3] ?? 0) > 0) size += 1;
    if (size === 0) return undefined;
    const faces = [0, 1, 2, 3, 4, 5].map((face) => {
      const texels = read(face, size, size);
      const light = (value: number): number => (float ? value : linearFromSrgb(value / 255));
      return Float32Array.from({ length: 3 * size * size }, (_, i) =>
        light(texels[4 * Math.floor(i / 3) + (i % 3)] ?? 0),
      );
    });
    return { size, faces };
  } finally {
    gl.bindFramebuffer(gl.FRAMEBUFFER, before);
    gl.deleteFramebuffer(framebuffer);
  }
}
