// Comparing pictures: a tolerance for every pixel, and a number of pixels that may break it.

export interface Tolerance {
  /** How far a channel (0…255) may be off; 2 unless said otherwise. */
  channel?: number;
  /** What part of all pixels may be further off: edges fall differently on other GPUs. 0 unless said otherwise. */
  outliers?: number;
}

export interface Comparison {
  ok: boolean;
  /** The largest difference of a channel. */
  worst: number;
  /** How many pixels are further off than the tolerance. */
  count: number;
  message: string;
  /** Red where pixels are too far off. */
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
    const grey = 200 + (expected.data[i + 1] ?? 0) / 5;
    diff.data.set(far ? [255, 0, 0, 255] : [grey, grey, grey, 255], i);
  }
  const allowed = Math.floor(outliers * width * height);
  const message = `${count} of ${width * height} pixels are off by more than ${channel} (${allowed} may be), worst ${worst}`;
  return { ok: count <= allowed, worst, count, message, diff };
}
