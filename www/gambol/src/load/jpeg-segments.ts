// Segments of JPEG files, which hold metadata.

/** The metadata of a JPEG file. */
export interface JpegMetadata {
  /** The first XMP packet; empty if there is none. */
  readonly xmp: string;
  /** The ICC profile. */
  readonly icc: Uint8Array | undefined;
  /** The metadata of a gain map by ISO 21496-1. */
  readonly iso: Uint8Array | undefined;
  /** The images of the file by Multi-Picture Format, without the first: ranges of bytes. */
  readonly images: readonly (readonly [start: number, end: number])[];
}

const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const ICC = 'ICC_PROFILE\0';
const ISO = 'urn:iso:std:iso:ts:21496:-1\0';
const MPF = 'MPF\0';

/**
 * Reads the metadata before the first scan. Damaged segments are left out. Specifications: ITU T.81, B.1.1; CIPA DC-007 for several
 * images in a file.
 */
export function jpegMetadata(bytes: Uint8Array): JpegMetadata {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [xmp, iso]: [string, Uint8Array | undefined] = ['', undefined];
  const profile: Uint8Array[] = [];
  let images: JpegMetadata['images'] = [];
  const starts = (at: number, end: number, name: string): boolean =>
    at + name.length <= end && [...name].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // The scan begins, or the image ends.
    if (marker === 0xda || marker === 0xd9) break;
    const [from, end] = [at + 4, Math.min(at + 2 + view.getUint16(at + 2), bytes.length)];
    if (end < from) break;
    if (marker === 0xe1 && starts(from, end, XMP)) {
      xmp ||= new TextDecoder().decode(bytes.subarray(from + XMP.length, end));
    } else if (marker === 0xe2 && starts(from, end, ICC)) {
      // After the name: the number of this part, and the number of all.
      profile[bytes[from + ICC.length] ?? 0] = bytes.subarray(from + ICC.length + 2, end);
    } else if (marker === 0xe2 && starts(from, end, ISO)) {
      iso ??= bytes.subarray(from + ISO.length, end);
    } else if (marker === 0xe2 && starts(from, end, MPF)) {
      images = otherImages(view, from + MPF.length, end);
    }
    at = end;
  }
  const icc = profile.flatMap((part) => [...part]);
  return { xmp, iso, icc: icc.length > 0 ? Uint8Array.from(icc) : undefined, images };
}

/** The images of an index from `start`, from which their offsets count, without the first one. */
function otherImages(view: DataView, start: number, end: number): JpegMetadata['images'] {
  const images: [number, number][] = [];
  try {
    const little = view.getUint16(start) === 0x4949;
    const number = (at: number): number => view.getUint32(start + at, little);
    const directory = number(4);
    const entries = view.getUint16(start + directory, little);
    for (let i = 0; i < entries; i += 1) {
      const entry = directory + 2 + 12 * i;
      // MP Entry: 16 bytes for each image.
      if (view.getUint16(start + entry, little) !== 0xb002) continue;
      const [length, list] = [number(entry + 4), number(entry + 8)];
      for (let image = 16; image < length && start + list + image + 16 <= end; image += 16) {
        const from = start + number(list + image + 8);
        const to = from + number(list + image + 4);
        if (from > start && from < to && to <= view.byteLength) images.push([from, to]);
      }
    }
  } catch (error) {
    // A read past the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return images;
}
