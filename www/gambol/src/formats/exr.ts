// Decodes OpenEXR images, by a WebAssembly module of its own. A separate script, loaded lazily.
//
// It imports nothing of the core, because the single file of `dist/cdn` loads this script, too, and would get a second copy. So its
// errors are plain `Error`s with a `code`.

import instantiate from '../pkg/exr-glue.js';
import type { compileBeside } from '../wasm/beside.ts';

/** A decoded image. One that is wider than 4096 pixels is reduced. */
export interface ExrImage {
  readonly width: number;
  readonly height: number;
  /** The light of `count` rows from the row `top`: linear red, green and blue. */
  rows(top: number, count: number): Float32Array;
}

/** Pixels that are decoded in one task, which takes some milliseconds. */
const PIXELS_AT_ONCE = 1 << 17;

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Decodes an image. `compile` finds and compiles the module, once; after a failure the next call tries again. `pause` is awaited between
 * tasks, and may reject.
 */
export async function decodeExr(
  bytes: Uint8Array,
  compile: typeof compileBeside,
  pause: () => Promise<void>,
): Promise<ExrImage> {
  const beside = new URL('./gambol.exr.wasm', import.meta.url);
  compiled ??= compile('exr', beside, 'gambol.exr.wasm', 'the reader of OpenEXR').catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  const module = await compiled;
  try {
    // An instance for each image: its memory is freed afterwards, and a trap harms nothing else.
    const { Exr } = await instantiate(module);
    const image = new Exr(bytes);
    do await pause();
    while (image.advance(PIXELS_AT_ONCE));
    const { width, height } = image;
    return { width, height, rows: (top, count) => image.rows(top, count) };
  } catch (cause) {
    if ((cause as { code?: unknown } | undefined)?.code !== undefined) throw cause;
    const message = `The OpenEXR image is damaged, or there is not enough memory (${String(cause)}). Export it again, or smaller.`;
    throw Object.assign(new Error(message, { cause }), { code: 'image/broken' });
  }
}
