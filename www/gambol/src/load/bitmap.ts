// Images, decoded by the browser. A file of its own, because the tools need nothing else of the code for images.

/**
 * Decodes an image to the stored values, as glTF requires: without colour conversion (normal maps are not colours), and without
 * premultiplied alpha (which loses the colour of transparent pixels).
 */
export async function decodeBitmap(
  blob: Blob,
  size: Pick<ImageBitmapOptions, 'resizeWidth' | 'resizeHeight'> | undefined,
): Promise<ImageBitmap> {
  const resize: ImageBitmapOptions = size ? { ...size, resizeQuality: 'high' } : {};
  try {
    return await createImageBitmap(blob, { ...resize, colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch (error) {
    // Older Firefox and Safari throw a TypeError for some options. The fallback decodes without them, with slightly wrong
    // colours.
    if (!(error instanceof TypeError)) throw error;
    return size ? createImageBitmap(blob, resize) : createImageBitmap(blob);
  }
}
