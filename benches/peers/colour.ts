// The visible difference of two pictures: CIE 1976 L*a*b*, of sRGB under D65.

/** The differences over the pixels in which either picture differs from the background. */
export interface Difference {
  /** The mean of ΔE, and its 99th percentile. A ΔE of 2 is visible side by side. */
  mean: number;
  p99: number;
  /** The mean of the first picture's L* less the second's (0 … 100). */
  brighter: number;
  /** ΔE as a grey image, amplified tenfold. */
  picture: ImageData;
}

export function difference(a: ImageData, b: ImageData, background: readonly number[]): Difference {
  const picture = new ImageData(a.width, a.height);
  const found: number[] = [];
  let brighter = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const [x, y] = [a.data.subarray(i, i + 3), b.data.subarray(i, i + 3)];
    const [p, q] = [lab(x), lab(y)];
    const delta = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    picture.data.set([10 * delta, 10 * delta, 10 * delta, 255], i);
    if (![x, y].some((pixel) => pixel.some((value, c) => Math.abs(value - (background[c] ?? 0) * 255) > 2))) continue;
    found.push(delta);
    brighter += p[0] - q[0];
  }
  found.sort((s, t) => s - t);
  const count = Math.max(1, found.length);
  const mean = found.reduce((sum, delta) => sum + delta, 0) / count;
  return { mean, p99: found[Math.floor(0.99 * found.length)] ?? 0, brighter: brighter / count, picture };
}

const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

function lab(pixel: ArrayLike<number>): [l: number, a: number, b: number] {
  const [r = 0, g = 0, b = 0] = Array.from({ length: 3 }, (_, i) => LINEAR[pixel[i] ?? 0] ?? 0);
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
