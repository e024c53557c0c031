// Panoramas in other formats than Radiance, as linear light. A separate script, loaded with the first of them.

import { GambolError, asGambolError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { yieldToPage } from '../base/scheduling.ts';
import { compileBeside } from '../wasm/beside.ts';
import { guarded } from '../wasm/guarded.ts';
import type { Core, CoreHdr } from '../wasm/core.ts';
import { isLfsPointer } from './fetch.ts';
import { gainMapOf } from './gain-map.ts';
import { imageHeader } from './image-header.ts';
import { LINEAR, type Light } from './linear.ts';
import { decodedImage, rowReader } from './pixels.ts';
import { ultraHdr } from './ultra-hdr.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The upper limit of a side. The module has the same. */
const MAX_SIDE = 16384;
/** The upper limit of pixels, which decode to 512 MiB. */
const MAX_PIXELS = MAX_SIDE * 8192;
/** Pixels that are converted in one task. */
const PIXELS_AT_ONCE = 1 << 17;

/**
 * Reads an equirectangular image of a format other than Radiance. `check` is called between tasks, and may throw.
 * @throws {@link GambolError} `image/unknown-format`, `image/unsupported`, `image/too-large`, `image/truncated`, `image/broken`, `load/chunk`; errors
 * of `check`.
 */
export async function readPanorama(bytes: Bytes, Hdr: Core['Hdr'], check: () => void): Promise<CoreHdr> {
  const image = await lightOf(bytes, check);
  try {
    check();
    const { width, height } = image;
    const picture = guarded(() => new Hdr(new Uint8Array(), width, height));
    try {
      const step = Math.min(height, Math.max(1, Math.floor(PIXELS_AT_ONCE / width)));
      const light = new Float32Array(3 * width * step);
      for (let top = 0; top < height; top += step) {
        if (top > 0) {
          await yieldToPage();
          check();
        }
        const rows = Math.min(step, height - top);
        image.read(top, rows, light);
        guarded(() => picture.push(light.subarray(0, 3 * width * rows)));
      }
      return picture;
    } catch (error) {
      guarded(() => picture.free());
      throw error;
    }
  } finally {
    image.free();
  }
}

async function lightOf(bytes: Bytes, check: () => void): Promise<Light> {
  if (isExr(bytes)) {
    const { decodeExr } = await lazily('the reader of OpenEXR', () => import('../formats/exr.ts'));
    const pause = async (): Promise<void> => {
      await yieldToPage();
      check();
    };
    const { width, height, rows } = await decodeExr(bytes, compileBeside, pause).catch((error: unknown) => {
      throw asGambolError(error, 'image/broken');
    });
    return { width, height, read: (top, count, into) => into.set(rows(top, count)), free: () => undefined };
  }
  const header = imageHeader(bytes);
  if (!header || header.mimeType === 'image/ktx2') {
    throw new GambolError(
      'image/unknown-format',
      isLfsPointer(bytes)
        ? 'The environment is a Git LFS pointer, not the image itself. Run `git lfs pull`.'
        : 'The format of the environment is not known. Use Radiance .hdr, OpenEXR, JPEG, PNG, WebP or AVIF.',
    );
  }
  const { width, height, mimeType } = header;
  if (!(width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS)) {
    throw new GambolError(
      'image/too-large',
      `An image of ${width} × ${height} pixels cannot be used as a panorama: the limit is ${MAX_SIDE} × 8192.`,
    );
  }
  const map = mimeType === 'image/jpeg' ? gainMapOf(bytes) : undefined;
  if (map) return ultraHdr(bytes, map, MAX_PIXELS);
  const image = await decodedImage(bytes, mimeType, 'default');
  const read = rowReader(image);
  return {
    // After decoding: browsers turn an image with an orientation.
    width: image.width,
    height: image.height,
    read: (top, rows, into) => linear(read(top, rows), into),
    free: () => image.close(),
  };
}

/** `true` for the first bytes of OpenEXR. */
function isExr(bytes: Uint8Array): boolean {
  return [0x76, 0x2f, 0x31, 0x01].every((byte, i) => bytes[i] === byte);
}

/** Converts sRGB pixels of 8 bits to linear light. */
function linear(pixels: Uint8ClampedArray, into: Float32Array): void {
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    into[to] = LINEAR[pixels[from] ?? 0] ?? 0;
    into[to + 1] = LINEAR[pixels[from + 1] ?? 0] ?? 0;
    into[to + 2] = LINEAR[pixels[from + 2] ?? 0] ?? 0;
  }
}
