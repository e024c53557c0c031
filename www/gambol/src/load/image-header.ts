// The size of an image, read from its header. A small file may decode to gigabytes, and the browser's decoder has no limit, so
// the size is checked before decoding.

export interface ImageHeader {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/avif' | 'image/ktx2';
  /** The size in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The header of an image; undefined for formats whose size cannot be read, which must not be decoded. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? jpeg(view) ?? webp(view) ?? avif(view) ?? ktx2(view);
  } catch (error) {
    // A read past the end, because the file is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || ascii(view, 12) !== 'IHDR')
    return undefined;
  return { mimeType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function jpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  for (;;) {
    // Any number of fill bytes may come before a marker.
    if (view.getUint8(at) !== 0xff) return undefined;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    // SOF0…SOF15 without DHT, JPG and DAC, which lie in between.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mimeType: 'image/jpeg', height: view.getUint16(at + 3), width: view.getUint16(at + 5) };
    }
    at += view.getUint16(at);
  }
}

function webp(view: DataView): ImageHeader | undefined {
  if (ascii(view, 0) !== 'RIFF' || ascii(view, 8) !== 'WEBP') return undefined;
  const mimeType = 'image/webp';
  switch (ascii(view, 12)) {
    case 'VP8 ':
      return { mimeType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { mimeType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

/** The size of an AVIF image: that of the largest `ispe` box in the first `meta` box. */
function avif(view: DataView): ImageHeader | undefined {
  if (ascii(view, 4) !== 'ftyp' || !/^avi[fs]$/.test(ascii(view, 8))) return undefined;
  let [width, height] = [0, 0];
  const end = Math.min(view.byteLength - 16, 1 << 16);
  for (let at = 12; at < end; at += 1) {
    if (view.getUint32(at) !== 0x69737065) continue;
    width = Math.max(width, view.getUint32(at + 8));
    height = Math.max(height, view.getUint32(at + 12));
  }
  return width > 0 && height > 0 ? { mimeType: 'image/avif', width, height } : undefined;
}

function ktx2(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0xab4b5458 || view.getUint32(4) !== 0x203230bb || view.getUint32(8) !== 0x0d0a1a0a)
    return undefined;
  return { mimeType: 'image/ktx2', width: view.getUint32(20, true), height: view.getUint32(24, true) };
}

function ascii(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
