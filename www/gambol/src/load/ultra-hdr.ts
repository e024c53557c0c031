// The light of a JPEG with a gain map: that of the image with high dynamic range.

import { GambolError } from '../base/errors.ts';
import { gains, type GainMap, type Gamut } from './gain-map.ts';
import { imageHeader } from './image-header.ts';
import { withoutMetadata } from './image-metadata.ts';
import { LINEAR, type Light } from './linear.ts';
import { decodedImage, rowReader } from './pixels.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The steps of the table of gains: with 16 stops of range, a step is a tenth of a percent. */
const STEPS = 1 << 14;

/** Linear colours of other primaries, with the white point D65, row by row. */
const MATRICES: Readonly<Record<string, readonly number[]>> = {
  'p3 srgb': [1.22494018, -0.22494018, 0, -0.04205695, 1.04205695, 0, -0.01963755, -0.07863605, 1.0982736],
  'srgb p3': [0.82246197, 0.17753803, 0, 0.0331942, 0.9668058, 0, 0.01708263, 0.07239744, 0.91051993],
};

/**
 * Decodes a JPEG and its gain map. The map may have another size: it is interpolated linearly. The gain is that of a display with all
 * the range of the image.
 * @throws {@link GambolError} `image/too-large`, `image/broken`
 */
export async function ultraHdr(file: Bytes, map: GainMap, maxPixels: number): Promise<Light> {
  const header = imageHeader(map.bytes);
  if (header?.mimeType !== 'image/jpeg') throw new GambolError('image/broken', 'The gain map is not a JPEG image.');
  if (!(header.width > 0 && header.height > 0 && header.width * header.height <= maxPixels))
    throw new GambolError('image/too-large', `The gain map has ${header.width} × ${header.height} pixels.`);
  // The stored values of known primaries, so that no colour is clipped before it has its gain.
  const conversion = map.baseGamut === 'other' ? 'default' : 'none';
  const stored = (bytes: Bytes): Bytes => withoutMetadata(bytes, 'image/jpeg');
  const base = await decodedImage(stored(file), 'image/jpeg', conversion);
  const gain = await decodedImage(stored(map.bytes), 'image/jpeg', 'none').catch((error: unknown) => {
    base.close();
    throw error;
  });
  const { width, height } = base;
  const [readBase, readGain] = [rowReader(base), rowReader(gain)];
  const tables = ([0, 1, 2] as const).map((channel) => gains(map, channel, STEPS));
  const known = (gamut: Gamut): Gamut => (gamut === 'other' ? 'srgb' : gamut);
  const [from, applied] = [known(map.baseGamut), known(map.gamut)];
  const [before, after] = [MATRICES[`${from} ${applied}`], MATRICES[`${applied} srgb`]];
  const columns = Array.from({ length: width }, (_, x) => between(x, width, gain.width));
  return {
    width,
    height,
    read: (top, rows, into) => {
      const [[first], [, last]] = [between(top, height, gain.height), between(top + rows - 1, height, gain.height)];
      const pixels = readBase(top, rows);
      const map8 = readGain(first, last - first + 1);
      for (let i = 0; i < width * rows; i += 1)
        for (let channel = 0; channel < 3; channel += 1)
          into[3 * i + channel] = LINEAR[pixels[4 * i + channel] ?? 0] ?? 0;
      if (before) transform(into, width * rows, before);
      for (let row = 0; row < rows; row += 1) {
        const [upper, lower, down] = between(top + row, height, gain.height);
        const [above, below] = [4 * (upper - first) * gain.width, 4 * (lower - first) * gain.width];
        for (let x = 0; x < width; x += 1) {
          const [left, right, along] = columns[x] ?? [0, 0, 0];
          for (let channel = 0; channel < 3; channel += 1) {
            const at = (line: number, column: number): number => map8[line + 4 * column + channel] ?? 0;
            const a = at(above, left) + along * (at(above, right) - at(above, left));
            const b = at(below, left) + along * (at(below, right) - at(below, left));
            const step = Math.round(((a + down * (b - a)) / 255) * STEPS);
            const to = 3 * (row * width + x) + channel;
            into[to] =
              ((into[to] ?? 0) + (map.baseOffset[channel] ?? 0)) * (tables[channel]?.[step] ?? 1) -
              (map.offset[channel] ?? 0);
          }
        }
      }
      if (after) transform(into, width * rows, after);
    },
    free: () => {
      base.close();
      gain.close();
    },
  };
}

/** The two pixels of a line of `from` pixels beside the centre of pixel `i` of `count`, and the share of the second one. */
function between(i: number, count: number, from: number): readonly [number, number, number] {
  const at = Math.min(Math.max(((i + 0.5) * from) / count - 0.5, 0), from - 1);
  const left = Math.floor(at);
  return [left, Math.min(left + 1, from - 1), at - left];
}

function transform(colors: Float32Array, count: number, m: readonly number[]): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = m;
  for (let at = 0; at < 3 * count; at += 3) {
    const [x = 0, y = 0, z = 0] = [colors[at], colors[at + 1], colors[at + 2]];
    colors[at] = a * x + b * y + c * z;
    colors[at + 1] = d * x + e * y + f * z;
    colors[at + 2] = g * x + h * y + i * z;
  }
}
