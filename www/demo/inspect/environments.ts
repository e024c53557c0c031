// The environments of the inspector: that of the package, and images of light that are computed here.

import type { EnvironmentSource } from 'gambol';

type Vector = readonly [x: number, y: number, z: number];
type Light = (direction: Vector) => Vector;

/** The environments with a name: the text of the panel, and the light from a direction; without it, none is computed. */
export const ENVIRONMENTS: readonly (readonly [name: string, words: string, light?: Light])[] = [
  ['studio', 'Studio'],
  ['white', 'White', () => [1, 1, 1]],
  ['sunset', 'Sunset', sunset],
  ['night', 'Night', night],
  ['none', 'None'],
];

/** The source of the environment of this name; undefined for other names. */
export function namedEnvironment(name: string): EnvironmentSource | undefined {
  // A file may bring its own light.
  if (name === 'studio') return 'file';
  if (name === 'none') return null;
  const light = ENVIRONMENTS.find(([known]) => known === name)?.[2];
  return light && radiance(light);
}

const [WIDTH, HEIGHT] = [64, 32];

/** A Radiance image of a light. */
function radiance(light: Light): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${HEIGHT} +X ${WIDTH}\n`);
  const bytes = new Uint8Array(head.length + 4 * WIDTH * HEIGHT);
  bytes.set(head);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const [polar, azimuth] = [(Math.PI * (y + 0.5)) / HEIGHT, (2 * Math.PI * (x + 0.5)) / WIDTH];
      const direction = [
        -Math.sin(polar) * Math.sin(azimuth),
        Math.cos(polar),
        -Math.sin(polar) * Math.cos(azimuth),
      ] as const;
      bytes.set(rgbe(light(direction)), head.length + 4 * (y * WIDTH + x));
    }
  return bytes;
}

/** A colour with a common exponent: red, green and blue are multiples of 2^(e − 136). */
function rgbe(color: Vector): number[] {
  const most = Math.max(...color, 1e-9);
  const exponent = Math.floor(Math.log2(most)) + 1;
  return [...color.map((value) => Math.min(255, Math.round(value * 2 ** (8 - exponent)))), exponent + 128];
}

const mix = (a: Vector, b: Vector, share: number): Vector =>
  [0, 1, 2].map(
    (i) => (a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * Math.min(1, Math.max(0, share)),
  ) as unknown as Vector;

/** Light around a direction: 1 there, and less by the square of the angle in units of `size`. */
function spot(direction: Vector, at: Vector, size: number): number {
  const length = Math.hypot(...at);
  const cosine = direction.reduce((sum, value, i) => sum + (value * (at[i] ?? 0)) / length, 0);
  return Math.exp(-((Math.acos(Math.min(1, Math.max(-1, cosine))) / size) ** 2));
}

/** A low sun at the side, an orange horizon, a blue sky, and dark ground. */
function sunset(direction: Vector): Vector {
  const [, up] = direction;
  const sky: Vector =
    up < 0 ? mix([0.5, 0.22, 0.1], [0.05, 0.04, 0.05], -4 * up) : mix([1.5, 0.6, 0.2], [0.2, 0.3, 0.7], 2.2 * up);
  const sun = 14 * spot(direction, [1, 0.28, 0.55], 0.16);
  return [sky[0] + sun, sky[1] + 0.62 * sun, sky[2] + 0.26 * sun];
}

/** A dark blue sky, with a magenta and a cyan light. */
function night(direction: Vector): Vector {
  const [, up] = direction;
  const sky = mix([0.02, 0.02, 0.05], [0.05, 0.07, 0.2], 0.5 + 0.5 * up);
  const [magenta, cyan] = [6 * spot(direction, [1, 0.3, 0.3], 0.4), 5 * spot(direction, [-1, 0.4, 0.5], 0.45)];
  return [sky[0] + magenta + 0.05 * cyan, sky[1] + 0.1 * magenta + 0.8 * cyan, sky[2] + 0.7 * magenta + cyan];
}

/** Draws a mirror ball in the light of this environment; `false` if its light is not computed here. */
export function drawBall(name: string, canvas: HTMLCanvasElement): boolean {
  const light = ENVIRONMENTS.find(([known]) => known === name)?.[2] ?? (name === 'none' ? dark : undefined);
  const context = canvas.getContext('2d');
  if (!light || !context) return false;
  const { width, height } = canvas;
  const [radius, picture] = [0.46 * Math.min(width, height), context.createImageData(width, height)];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + 0.5 - width / 2) / radius, (height / 2 - row - 0.5) / radius];
      const across = Math.hypot(x, y);
      if (across >= 1) continue;
      const z = Math.sqrt(1 - across * across);
      // The view (0, 0, -1), mirrored by the surface, whose normal is (x, y, z).
      const color = light([2 * z * x, 2 * z * y, 2 * z * z - 1]);
      const edge = Math.min(1, (1 - across) * radius);
      picture.data.set([...color.map(encoded), 255 * edge], 4 * (row * width + column));
    }
  context.putImageData(picture, 0, 0);
  return true;
}

const dark: Light = () => [0.01, 0.01, 0.01];

/** A value of light as a byte of sRGB; bright values approach white. */
function encoded(value: number): number {
  const shown = value / (1 + 0.25 * value);
  return 255 * Math.min(1, shown <= 0.0031308 ? 12.92 * shown : 1.055 * shown ** (1 / 2.4) - 0.055);
}
