// Lossless pictures: PNG and APNG, third edition (https://www.w3.org/TR/png-3/). A canvas cannot write them, because it multiplies
// colours by alpha and back, which rounds them.

import type { StillPixels } from '../stage/graphics-context.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** The bytes of a pixel. */
const RGBA = 4;

/** The remainders of CRC-32, section 5.5. */
const CRCS = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(...parts: readonly Uint8Array[]): number {
  let crc = 0xffffffff;
  for (const part of parts) for (const byte of part) crc = (CRCS[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A chunk: length, type, data and CRC. */
export function chunk(type: string, ...data: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  const name = Uint8Array.from(type, (letter) => letter.charCodeAt(0));
  const length = data.reduce((sum, part) => sum + part.length, 0);
  return [numbers(length), name, ...data, numbers(crc32(name, ...data))];
}

/** Numbers as four bytes each. */
export function numbers(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view.setUint32(4 * i, value));
  return new Uint8Array(view.buffer);
}

/** The chunks before the first picture. */
export function header(width: number, height: number): Uint8Array<ArrayBuffer>[] {
  // 8 bits a channel, RGBA, and the only methods of compression, filters and no interlacing.
  return [SIGNATURE, ...chunk('IHDR', numbers(width, height), Uint8Array.of(8, 6, 0, 0, 0))];
}

/** A still picture with further chunks before its pixels. The colours of `pixels` are multiplied by alpha. */
export async function png(pixels: StillPixels, ...chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<Blob> {
  const { width, height } = pixels;
  const data = await compressed(straight(pixels).data, width, [0, 0, width, height]);
  return new Blob([...header(width, height), ...chunks, ...chunk('IDAT', data), ...chunk('IEND')], {
    type: 'image/png',
  });
}

/**
 * The pixels with colours that are not multiplied by alpha, as PNG stores them. Multiplying them again, and rounding, gives the same
 * bits as before.
 */
export function straight({ width, height, data }: StillPixels): StillPixels {
  const out = data.slice();
  for (let at = 3; at < out.length; at += RGBA) {
    const alpha = out[at] as number;
    if (alpha === 255 || alpha === 0) continue;
    for (let channel = at - 3; channel < at; channel++)
      out[channel] = Math.min(255, Math.round((255 * (out[channel] as number)) / alpha));
  }
  return { width, height, data: out };
}

/** A rectangle in pixels: left, top, width and height. */
export type Rectangle = readonly [x: number, y: number, width: number, height: number];

/** A rectangle of a picture whose rows are `wide` pixels long, filtered and compressed by zlib. */
export async function compressed(
  data: Uint8Array<ArrayBuffer>,
  wide: number,
  rectangle: Rectangle,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([filtered(data, wide, rectangle)]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The rows with the filter, of the five of section 9, that has the smallest sum of differences. */
function filtered(data: Uint8Array, wide: number, [left, top, width, height]: Rectangle): Uint8Array<ArrayBuffer> {
  const length = RGBA * width;
  const out = new Uint8Array((length + 1) * height);
  const tries = Array.from({ length: 5 }, () => new Uint8Array(length));
  const [none, sub, up, average, paeth] = tries as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  let above: Uint8Array = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const start = RGBA * ((top + y) * wide + left);
    const row = data.subarray(start, start + length);
    const sums = [0, 0, 0, 0, 0];
    for (let i = 0; i < length; i++) {
      const value = row[i] as number;
      const a = i < RGBA ? 0 : (row[i - RGBA] as number);
      const b = above[i] as number;
      const c = i < RGBA ? 0 : (above[i - RGBA] as number);
      const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
      none[i] = value;
      sub[i] = value - a;
      up[i] = value - b;
      average[i] = value - ((a + b) >> 1);
      paeth[i] = value - (pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
      // Differences are signed bytes.
      for (let filter = 0; filter < 5; filter++) {
        const difference = (tries[filter] as Uint8Array)[i] as number;
        sums[filter] = (sums[filter] as number) + (difference < 128 ? difference : 256 - difference);
      }
    }
    const best = sums.indexOf(Math.min(...sums));
    const at = (length + 1) * y;
    out[at] = best;
    out.set(tries[best] as Uint8Array, at + 1);
    above = row;
  }
  return out;
}
