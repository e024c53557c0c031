// Pixels as Y′CbCr of ITU-R BT.709 in the limited range, with chroma of half the size (4:2:0): the form in which videos are encoded.
// Browsers convert in ways that differ in matrix and rounding.

/** The planes of a picture, one after the other, as `VideoFrame` takes the format `I420`. */
export interface Planes {
  /** Luma, Cb and Cr. */
  readonly color: Uint8Array<ArrayBuffer>;
  /** Alpha as luma with grey chroma; undefined for an opaque picture. */
  readonly alpha: Uint8Array<ArrayBuffer> | undefined;
}

const [KR, KB] = [0.2126, 0.0722];
const KG = 1 - KR - KB;

/**
 * Converts pixels with straight alpha. With `keepAlpha` they get a second picture of their alpha.
 *
 * Chroma is the mean of four pixels, weighted by alpha, so that the colour of hidden pixels does not bleed.
 */
export function planesOf(rgba: Uint8Array, width: number, height: number, keepAlpha: boolean): Planes {
  const [wide, high] = [(width + 1) >> 1, (height + 1) >> 1];
  const [luma, chroma] = [width * height, wide * high];
  const color = new Uint8Array(luma + 2 * chroma);
  for (let i = 0, at = 0; i < luma; i++, at += 4) {
    const [red, green, blue] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
    color[i] = Math.round(16 + (219 / 255) * (KR * red + KG * green + KB * blue));
  }
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      let [red, green, blue, total] = [0, 0, 0, 0];
      for (let dy = 0; dy < 2; dy++) {
        for (let dx = 0; dx < 2; dx++) {
          const at = 4 * (Math.min(2 * y + dy, height - 1) * width + Math.min(2 * x + dx, width - 1));
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
      color[at + chroma] = Math.round(128 + ((224 / 255) * (red - bright)) / (2 * (1 - KR) * total));
    }
  }
  if (!keepAlpha) return { color, alpha: undefined };
  const alpha = new Uint8Array(luma + 2 * chroma).fill(128, luma);
  // The full range, as decoders of WebM read it.
  for (let i = 0; i < luma; i++) alpha[i] = rgba[4 * i + 3] as number;
  return { color, alpha };
}
