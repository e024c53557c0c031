// PNG images whose alpha is data. A canvas multiplies colours by alpha, and so loses most of their bits where alpha is small.

import { GambolError } from '../base/errors.ts';

/**
 * The stored pixels of a PNG image with red, green, blue and alpha of 8 bits; undefined for other kinds of PNG.
 * Specification: PNG, 7 and 9.
 * @throws {@link GambolError} `image/broken`
 */
export async function pngWithAlpha(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const [width, height] = [view.getUint32(16), view.getUint32(20)];
    // 8 bits, RGBA, not interlaced.
    if (view.getUint8(24) !== 8 || view.getUint8(25) !== 6 || view.getUint8(28) !== 0) return undefined;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
      if (view.getUint32(at + 4) === 0x49444154) parts.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
    const stored = await inflated(new Blob(parts), height * (1 + 4 * width));
    return stored && unfiltered(stored, 4 * width, height);
  } catch (error) {
    throw new GambolError('image/broken', 'The PNG image is damaged. Export it again.', { cause: error });
  }
}

/** The decompressed bytes; undefined if the browser cannot decompress. Throws if they are fewer than `length`; others are left out. */
async function inflated(packed: Blob, length: number): Promise<Uint8Array | undefined> {
  if (typeof DecompressionStream === 'undefined') return undefined;
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  const all = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { value, done } = await reader.read();
    if (done) throw new RangeError('the pixels are truncated');
    all.set(value.subarray(0, length - at), at);
    at += value.length;
  }
  // Without an answer to its end, the stream would go on, and might throw later.
  void reader.cancel().catch(() => undefined);
  return all;
}

function unfiltered(stored: Uint8Array, stride: number, height: number): Uint8Array {
  const pixels = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const [from, to] = [row * (stride + 1) + 1, row * stride];
    const filter = stored[from - 1] ?? 0;
    if (filter > 4) throw new RangeError('the filter is not known');
    for (let i = 0; i < stride; i += 1) {
      const left = i >= 4 ? (pixels[to + i - 4] ?? 0) : 0;
      const above = row > 0 ? (pixels[to + i - stride] ?? 0) : 0;
      const corner = i >= 4 && row > 0 ? (pixels[to + i - stride - 4] ?? 0) : 0;
      pixels[to + i] = (stored[from + i] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
