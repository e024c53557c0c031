// Comparison of pictures: a tolerance for every pixel, and a share of pixels that may exceed it.

export interface Tolerance {
  /** The maximum difference of a channel (0…255); 2 by default. */
  channel?: number;
  /** The share of pixels that may exceed it, since edges differ on other GPUs; 0 by default. */
  outliers?: number;
}

export interface Comparison {
  ok: boolean;
  /** The largest difference of a channel. */
  worst: number;
  /** The number of pixels that exceed the tolerance. */
  count: number;
  message: string;
  /**
   * Pixels that exceed the tolerance are red, brighter for larger differences. The others show the difference in grey,
   * amplified 16 times.
   */
  diff?: ImageData;
}

export function compare(actual: ImageData, expected: ImageData, tolerance: Tolerance = {}): Comparison {
  const { channel = 2, outliers = 0 } = tolerance;
  const { width, height } = expected;
  if (actual.width !== width || actual.height !== height) {
    const message = `${actual.width} × ${actual.height} pixels, expected ${width} × ${height}`;
    return { ok: false, worst: 255, count: width * height, message };
  }
  const diff = new ImageData(width, height);
  let [worst, count] = [0, 0];
  for (let i = 0; i < actual.data.length; i += 4) {
    let off = 0;
    for (let c = i; c < i + 4; c++) off = Math.max(off, Math.abs((actual.data[c] ?? 0) - (expected.data[c] ?? 0)));
    worst = Math.max(worst, off);
    const far = off > channel;
    if (far) count++;
    diff.data.set(far ? [128 + off / 2, 0, 0, 255] : [16 * off, 16 * off, 16 * off, 255], i);
  }
  const allowed = Math.floor(outliers * width * height);
  const message = `${count} of ${width * height} pixels are off by more than ${channel} (${allowed} may be), worst ${worst}`;
  return { ok: count <= allowed, worst, count, message, diff };
}

/** Pictures side by side, with a gap between them. */
export function beside(...pictures: readonly ImageData[]): ImageData {
  const GAP = 4;
  const width = pictures.reduce((sum, picture) => sum + picture.width + GAP, -GAP);
  const whole = new ImageData(width, Math.max(...pictures.map((picture) => picture.height)));
  let left = 0;
  for (const { data, width, height } of pictures) {
    for (let y = 0; y < height; y++) {
      whole.data.set(data.subarray(4 * width * y, 4 * width * (y + 1)), 4 * (whole.width * y + left));
    }
    left += width + GAP;
  }
  return whole;
}
