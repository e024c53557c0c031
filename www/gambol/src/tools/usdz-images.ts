// Images as PNG or JPEG, which USDZ allows. A script of its own, which pages and workers load for the first image of another format,
// or for the first one that is too large.

import { lazily } from '../base/lazily.ts';
import { decodeStored } from '../load/bitmap.ts';
import { imageHeader, type ImageHeader } from '../load/image-header.ts';
import { compileBeside } from '../wasm/beside.ts';

/** The quality of JPEGs that are encoded again. */
const QUALITY = 0.92;

/**
 * An image whose width and height are at most `most`; JPEG if it was one, else PNG. Undefined if it cannot be decoded.
 *
 * - `decoders`: `true` to decode KTX2.
 */
export async function encoded(bytes: Uint8Array, most: number, decoders: boolean): Promise<Uint8Array | undefined> {
  const header = imageHeader(bytes);
  if (!header) return undefined;
  const canvas = await drawn(bytes as Uint8Array<ArrayBuffer>, header, most, decoders).catch(() => undefined);
  if (!canvas) return undefined;
  const type = header.mimeType === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  const blob = await canvas.convertToBlob({ type, quality: QUALITY }).catch(() => undefined);
  return blob && new Uint8Array(await blob.arrayBuffer());
}

async function drawn(
  bytes: Uint8Array<ArrayBuffer>,
  header: ImageHeader,
  most: number,
  decoders: boolean,
): Promise<OffscreenCanvas | undefined> {
  const { width, height, mimeType } = header;
  if (mimeType !== 'image/ktx2') {
    const scale = Math.min(1, most / Math.max(width, height));
    const size = { resizeWidth: scaled(width, scale), resizeHeight: scaled(height, scale) };
    const bitmap = await decodeStored(bytes, mimeType, scale < 1 ? size : undefined);
    try {
      return onCanvas(bitmap, bitmap.width, bitmap.height);
    } finally {
      bitmap.close();
    }
  }
  if (!decoders) return undefined;
  const { transcode } = await lazily('the decoder for KTX2 images', () => import('../load/ktx2.ts'));
  const packed = await transcode(bytes, new Set(), 2 ** 14, most, compileBeside);
  const canvas = new OffscreenCanvas(packed.width, packed.height);
  const [level] = packed.levels;
  if (!level) return undefined;
  const pixels = new ImageData(new Uint8ClampedArray(level), packed.width, packed.height);
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  const scale = most / Math.max(packed.width, packed.height);
  if (scale >= 1) return canvas;
  return onCanvas(canvas, scaled(packed.width, scale), scaled(packed.height, scale));
}

const scaled = (length: number, scale: number): number => Math.max(1, Math.floor(length * scale));

function onCanvas(image: CanvasImageSource, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
  }
  return canvas;
}
