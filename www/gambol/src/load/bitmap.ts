// Images, decoded by the browser. A file of its own, because the tools need nothing else of the code for images.

import type { ImageHeader } from './image-header.ts';
import { withoutMetadata } from './image-metadata.ts';

/** The size to which an image is reduced. */
export type Reduction = Pick<ImageBitmapOptions, 'resizeWidth' | 'resizeHeight'>;

/**
 * Decodes an image of a texture to the stored values, as glTF requires: without colour conversion (normal maps are not colours),
 * without premultiplied alpha (which loses the colour of transparent pixels), and not turned by its metadata.
 */
export function decodeStored(
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: ImageHeader['mimeType'],
  size?: Reduction,
): Promise<ImageBitmap> {
  return decodeBitmap(new Blob([withoutMetadata(bytes, mimeType)], { type: mimeType }), 'none', size);
}

/** Decodes an image, or copies the pixels of a canvas, a video or an `<img>`, without premultiplied alpha. */
export async function decodeBitmap(
  source: ImageBitmapSource,
  colorSpaceConversion: ColorSpaceConversion,
  size?: Reduction,
): Promise<ImageBitmap> {
  const resize: ImageBitmapOptions = size ? { ...size, resizeQuality: 'high' } : {};
  try {
    return await createImageBitmap(source, { ...resize, colorSpaceConversion, premultiplyAlpha: 'none' });
  } catch (error) {
    // Older Firefox and Safari throw a TypeError for some options. The fallback decodes without them, with slightly wrong
    // colours.
    if (!(error instanceof TypeError)) throw error;
    return size ? createImageBitmap(source, resize) : createImageBitmap(source);
  }
}
