// Pixels as Y′CbCr of ITU-R BT.709 in the limited range: the form in which videos are encoded. Browsers convert in ways that differ
// in matrix and rounding.

/** The planes of a picture, one after the other, as `VideoFrame` takes the formats `I420` and `I444`. */
export interface Planes {
  /** Luma, Cb and Cr. */
  readonly color: Uint8Array<ArrayBuffer>;
  /** Alpha as luma with grey chroma; undefined for an opaque picture. */
  readonly alpha: Uint8Array<ArrayBuffer> | undefined;
}

const [KR, KB] = [0.2126, 0.0722];
const KG = 1 - KR - KB;

/** The chroma of a video: of half the width and height, which all players read; or of each pixel. */
export type Chroma = '4:2:0' | '4:4:4';

/**
 * Converts pixels with straight alpha. With `keepAlpha` they get a second picture of their alpha.
 *
 * Subsampled chroma is the mean of four pixels, weighted by alpha, so that the colour of hidden pixels does not bleed.
 */
export function planesOf(rgba: Uint8Array, width: number, height: number, chroma: Chroma, keepAlpha: boolean): Planes {
  const step = chroma === '4:4:4' ? 1 : 2;
  const [wide, high] = [Math.ceil(width / step), Math.ceil(height / step)];
  const [luma, size] = [width * height, wide * high];
  const color = new Uint8Array(luma + 2 * size);
  for (let i = 0, at = 0; i < luma; i++, at += 4) {
    const [red, green, blue] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
    color[i] = Math.round(16 + (219 / 255) * (KR * red + KG * green + KB * blue));
  }
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      let [red, green, blue, total] = [0, 0, 0, 0];
      for (let dy = 0; dy < step; dy++) {
        for (let dx = 0; dx < step; dx++) {
          const at = 4 * (Math.min(step * y + dy, height - 1) * width + Math.min(step * x + dx, width - 1));
          // A little, so that the colour of hidden pixels is not lost.
          const weight = (rgba[at + 3] as number) + 1 / 256;
          red += weight * (rgba[at] as number);
          green += weight * (rgba[at + 1] as number);
          blue += weight * (rgba[at + 2] as number);
          total += weight;
        }
      }
      const bright = KR * red + KG * green + KB * blue;
      const at = luma + y * wide + x;
      color[at] = Math.round(128 + ((224 / 255) * (blue - bright)) / (2 * (1 - KB) * total));
      color[at + size] = Math.round(128 + ((224 / 255) * (red - bright)) / (2 * (1 - KR) * total));
    }
  }
  if (!keepAlpha) return { color, alpha: undefined };
  const alpha = new Uint8Array(luma + 2 * size).fill(128, luma);
  // The full range, as decoders of WebM read it.
  for (let i = 0; i < luma; i++) alpha[i] = rgba[4 * i + 3] as number;
  return { color, alpha };
}

/** Pixels over black, for videos without alpha: colours that are multiplied by alpha already are those over black. */
export function overBlack(premultiplied: Uint8Array): Uint8Array {
  const out = premultiplied.slice();
  for (let at = 3; at < out.length; at += 4) out[at] = 255;
  return out;
}

/**
 * The pixels with colours for hidden ones: means of visible pixels around them. Otherwise their black would bleed into the edges of
 * the picture, by chroma of half the size and by compression.
 */
export function bled(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const out = rgba.slice();
  /** Sums of colours and their weights, each level with half the width and height of the one before. */
  const levels: { readonly wide: number; readonly high: number; readonly sums: Float32Array }[] = [];
  let [wide, high] = [width, height];
  let sums = new Float32Array(4 * width * height);
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    for (let channel = 0; channel < 3; channel++) sums[at + channel] = alpha * (rgba[at + channel] as number);
    sums[at + 3] = alpha;
  }
  levels.push({ wide, high, sums });
  while (wide > 1 || high > 1) {
    const [w, h, finer] = [wide, high, sums];
    [wide, high] = [(w + 1) >> 1, (h + 1) >> 1];
    sums = new Float32Array(4 * wide * high);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const [from, to] = [4 * (y * w + x), 4 * ((y >> 1) * wide + (x >> 1))];
        for (let channel = 0; channel < 4; channel++)
          sums[to + channel] = (sums[to + channel] as number) + (finer[from + channel] as number);
      }
    }
    levels.push({ wide, high, sums });
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      if (rgba[at + 3] !== 0) continue;
      // The finest level with a visible pixel. A picture without any stays black.
      for (let level = 1; level < levels.length; level++) {
        const { wide, sums } = levels[level] as (typeof levels)[number];
        const from = 4 * ((y >> level) * wide + (x >> level));
        const weight = sums[from + 3] as number;
        if (weight === 0) continue;
        for (let channel = 0; channel < 3; channel++) out[at + channel] = (sums[from + channel] as number) / weight;
        break;
      }
    }
  }
  return out;
}
