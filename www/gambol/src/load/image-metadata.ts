// Removes metadata by which browsers would turn an image. glTF knows no orientation: texture coordinates begin at the upper left
// pixel that is stored.

import type { ImageHeader } from './image-header.ts';

type Part = Uint8Array<ArrayBuffer>;

/** An encoded image without its Exif and XMP. Images of other formats, and damaged ones, stay as they are. */
export function withoutMetadata(bytes: Part, mimeType: ImageHeader['mimeType']): Part {
  const parts = kept(bytes, mimeType);
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  // In one piece: Firefox finds the format of a Blob in its first part alone, and two bytes of JPEG are too few.
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
}

/** The parts that are kept. */
function kept(bytes: Part, mimeType: ImageHeader['mimeType']): readonly Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (mimeType === 'image/jpeg') return jpeg(bytes, view);
    if (mimeType === 'image/png') return png(bytes, view);
    if (mimeType === 'image/webp') return webp(bytes, view);
  } catch (error) {
    // A read past the end: the decoder decides what a truncated file shows.
    if (!(error instanceof RangeError)) throw error;
  }
  return [bytes];
}

/** Without segments APP1, which are Exif and XMP. Specification: ITU T.81, B.1.1. */
function jpeg(bytes: Part, view: DataView): Part[] {
  const parts: Part[] = [];
  let [from, at] = [0, 2];
  for (;;) {
    const begin = at;
    // Any number of fill bytes may come before a marker.
    if (view.getUint8(at) !== 0xff) break;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    // The picture begins, or the file ends.
    if (marker === 0xda || marker === 0xd9) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    at += view.getUint16(at);
    if (marker !== 0xe1) continue;
    parts.push(bytes.subarray(from, begin));
    from = at;
  }
  return [...parts, bytes.subarray(from)];
}

/** Without chunks `eXIf`. Specification: PNG, 5.3 and 11.3.4.5. */
function png(bytes: Part, view: DataView): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 8; at + 12 <= bytes.byteLength; ) {
    const end = at + 12 + view.getUint32(at);
    if (view.getUint32(at + 4) === 0x65584966) {
      parts.push(bytes.subarray(from, at));
      from = Math.min(end, bytes.byteLength);
    }
    at = end;
  }
  return [...parts, bytes.subarray(from)];
}

/** Without chunks `EXIF`, and without the flag that announces them. Specification: RFC 9649, 2.7. */
function webp(bytes: Part, view: DataView): Part[] {
  if (view.getUint32(12) !== 0x56503858) return [bytes];
  const parts: Part[] = [];
  let [from, removed] = [30, 0];
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const length = view.getUint32(at + 4, true);
    const end = Math.min(at + 8 + length + (length & 1), bytes.byteLength);
    if (view.getUint32(at) === 0x45584946) {
      parts.push(bytes.subarray(from, at));
      from = end;
      removed += end - at;
    }
    at = end;
  }
  const head = bytes.slice(0, 30);
  const fields = new DataView(head.buffer);
  fields.setUint32(4, fields.getUint32(4, true) - removed, true);
  head[20] = (head[20] ?? 0) & ~0x08;
  return [head, ...parts, bytes.subarray(from)];
}
