// Generated environment images.

import type { Rgb } from './scene.ts';

/** An uncompressed Radiance `.hdr`; `light` receives unit directions to the centres of texels. */
export function hdr(width: number, height: number, light: (x: number, y: number, z: number) => Rgb): ArrayBuffer {
  const header = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`);
  const bytes = new Uint8Array(header.length + 4 * width * height);
  bytes.set(header);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [theta, phi] = [((row + 0.5) / height) * Math.PI, ((column + 0.5) / width - 0.5) * 2 * Math.PI];
      const color = light(Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi));
      bytes.set(rgbe(color), header.length + 4 * (row * width + column));
    }
  }
  return bytes.buffer;
}

function rgbe(color: Rgb): number[] {
  const most = Math.max(...color);
  if (most < 1e-30) return [0, 0, 0, 0];
  const exponent = Math.floor(Math.log2(most)) + 1;
  return [...color.map((value) => Math.min(255, Math.round(value * 2 ** (8 - exponent)))), exponent + 128];
}

/** An environment with the same light in all directions. */
export function even(light: number): ArrayBuffer {
  return hdr(16, 8, () => [light, light, light]);
}

/** A different colour for each of the six axis directions. */
export const SIX: Readonly<Record<string, Rgb>> = {
  '+X': [0.5, 0.125, 0.125],
  '-X': [0.125, 0.5, 0.125],
  '+Y': [0.125, 0.125, 0.5],
  '-Y': [0.5, 0.5, 0.125],
  '+Z': [0.125, 0.5, 0.5],
  '-Z': [0.5, 0.125, 0.5],
};

/** The colour in a direction. */
export function sixAt(x: number, y: number, z: number): Rgb {
  const [a, b, c] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const axis = a >= b && a >= c ? (x > 0 ? '+X' : '-X') : b >= c ? (y > 0 ? '+Y' : '-Y') : z > 0 ? '+Z' : '-Z';
  return SIX[axis] ?? [0, 0, 0];
}

export function six(): ArrayBuffer {
  return hdr(128, 64, sixAt);
}
