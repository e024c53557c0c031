// Images with an orientation in their metadata.

const text = (words: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(words);

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const big = (value: number, bytes: 2 | 4): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (value >>> (8 * (bytes - 1 - i))) & 0xff);
const little = (value: number): Uint8Array => big(value, 4).reverse();

/** A TIFF file with nothing but an orientation, 1 to 8. */
function tiff(orientation: number): Uint8Array {
  const entry = [big(0x0112, 2), big(3, 2), big(1, 4), big(orientation, 2), big(0, 2)];
  return joined(text('MM\0*'), big(8, 4), big(1, 2), ...entry, big(0, 4));
}

function crc32(bytes: Uint8Array): number {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

/** A JPEG with a segment APP1, after `more` bytes of segments. */
export function jpegWith(image: Uint8Array, orientation: number, more = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const body = joined(text('Exif\0\0'), tiff(orientation));
  const segment = joined(Uint8Array.of(0xff, 0xe1), big(body.length + 2, 2), body);
  return joined(image.subarray(0, 2), more, segment, image.subarray(2));
}

/** A PNG with a chunk `eXIf`, after the header or before the end. */
export function pngWith(image: Uint8Array, orientation: number, where: 'begin' | 'end'): Uint8Array<ArrayBuffer> {
  const body = joined(text('eXIf'), tiff(orientation));
  const chunk = joined(big(body.length - 4, 4), body, big(crc32(body), 4));
  const at = where === 'begin' ? 33 : image.length - 12;
  return joined(image.subarray(0, at), chunk, image.subarray(at));
}

/** A WebP of one chunk as one with an extended header and a chunk `EXIF`. */
export function webpWith(
  image: Uint8Array,
  orientation: number,
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const exif = tiff(orientation);
  const size = (value: number): Uint8Array => little(value - 1).subarray(0, 3);
  const head = joined(text('VP8X'), little(10), Uint8Array.of(0x08, 0, 0, 0), size(width), size(height));
  const chunk = joined(text('EXIF'), little(exif.length), exif, new Uint8Array(exif.length & 1));
  const body = joined(text('WEBP'), head, image.subarray(12), chunk);
  return joined(text('RIFF'), little(body.length), body);
}
