// The pixels of images that the browser decodes, in bands of rows.

import { GambolError } from '../base/errors.ts';
import { decodeBitmap } from './bitmap.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Decodes an image; the caller closes it. @throws {@link GambolError} `image/broken` */
export async function decodedImage(
  bytes: Bytes,
  type: string,
  colorSpaceConversion: ColorSpaceConversion,
): Promise<ImageBitmap> {
  try {
    return await decodeBitmap(new Blob([bytes], { type }), colorSpaceConversion);
  } catch (cause) {
    throw new GambolError(
      'image/broken',
      'The browser cannot decode the image. Export it again, or as another format.',
      { cause },
    );
  }
}

/**
 * Returns a function that reads `rows` rows of an image from the row `top`: red, green, blue and alpha of 8 bits in sRGB. Rows below
 * the image are black. The result is valid until the next call.
 * @throws {@link GambolError} `image/broken` if the browser has no canvas to read pixels from
 */
export function rowReader(image: ImageBitmap): (top: number, rows: number) => Uint8ClampedArray {
  const { width } = image;
  const canvas =
    typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(width, 1);
  // The canvas holds one band alone, because browsers limit the pixels of canvases, and WebKit's limit on phones is low.
  canvas.width = width;
  const context = canvas.getContext('2d', { willReadFrequently: true }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D
    | null;
  if (!context)
    throw new GambolError('image/broken', 'The browser gives no canvas to read the pixels of the image from.');
  return (top, rows) => {
    if (canvas.height === rows) context.clearRect(0, 0, width, rows);
    else canvas.height = rows;
    context.drawImage(image, 0, -top);
    return context.getImageData(0, 0, width, rows).data;
  };
}
