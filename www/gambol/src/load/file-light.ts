// The faces of an image-based light of a file, as linear light. A separate script, loaded with the first such file.
// Specification: EXT_lights_image_based.

import { GambolError, asGambolError, throwIfAborted } from '../base/errors.ts';
import { yieldToPage } from '../base/scheduling.ts';
import { guarded } from '../wasm/guarded.ts';
import type { Core, CoreCubeFaces, ImageLightInfo } from '../wasm/core.ts';
import { imageHeader } from './image-header.ts';
import { withoutMetadata } from './image-metadata.ts';
import type { ImageLibrary } from './images.ts';
import { LINEAR } from './linear.ts';
import { decodedImage, rowReader } from './pixels.ts';
import { pngWithAlpha } from './png-alpha.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Decodes the images of a light. `check` is called between tasks, and may throw.
 * @throws {@link GambolError} `image/missing`, `image/broken`, `image/unsupported`; errors of `check`.
 */
export async function readFileLight(
  library: ImageLibrary,
  { size, images }: ImageLightInfo,
  CubeFaces: Core['CubeFaces'],
  signal: AbortSignal,
  check: () => void,
): Promise<CoreCubeFaces> {
  const files = await Promise.all(Array.from(images, (index: number) => encoded(library, index, signal)));
  check();
  const faces = guarded(() => new CubeFaces());
  try {
    for (const [i, file] of files.entries()) {
      const light = await faceLight(file, size >> Math.floor(i / 6), `image ${images[i]}`);
      check();
      guarded(() => faces.push(light));
      await yieldToPage();
      check();
    }
    return faces;
  } catch (error) {
    guarded(() => faces.free());
    throw error;
  }
}

async function encoded(library: ImageLibrary, index: number, signal: AbortSignal): Promise<Bytes> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await library.encoded(index, signal);
  } catch (cause) {
    throwIfAborted(signal);
    const { code, message } = asGambolError(cause, 'image/missing');
    if (code === 'wasm/panic') throw cause;
    throw new GambolError('image/missing', `An image of the light is missing: ${message}`, { cause });
  }
  if (bytes && bytes.length > 0) return bytes as Bytes;
  throw new GambolError('image/missing', `The image ${index} of the light is missing.`);
}

/** The light of a face, row by row: red, green and blue. */
async function faceLight(file: Bytes, size: number, name: string): Promise<Float32Array> {
  const header = imageHeader(file);
  const { width, height, mimeType } = header ?? {};
  if (mimeType === undefined || mimeType === 'image/ktx2')
    throw new GambolError('image/unsupported', `The light of the file has an unsupported format: ${name}.`);
  if (width !== size || height !== size)
    throw new GambolError(
      'image/broken',
      `The light of the file has a wrong size: ${name} has ${width} × ${height} pixels in place of ${size} × ${size}.`,
    );
  const pixels =
    (mimeType === 'image/png' ? await pngWithAlpha(file) : undefined) ?? (await decodedPixels(file, mimeType));
  const light = new Float32Array(3 * size * size);
  for (let from = 0, to = 0; to < light.length; from += 4, to += 3) {
    // RGBD: alpha is a divisor. Without alpha it is 1.
    const scale = 255 / (pixels[from + 3] ?? 255);
    for (let channel = 0; channel < 3; channel += 1) {
      const value = LINEAR[pixels[from + channel] ?? 0] ?? 0;
      light[to + channel] = Number.isFinite(scale) ? value * scale : 0;
    }
  }
  return light;
}

/** The pixels of the image as it is stored: browsers would turn one with an orientation. */
async function decodedPixels(
  file: Bytes,
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/avif',
): Promise<Uint8ClampedArray> {
  const image = await decodedImage(withoutMetadata(file, mimeType), mimeType, 'default');
  try {
    return rowReader(image)(0, image.height);
  } finally {
    image.close();
  }
}
