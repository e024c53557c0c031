// Images of a model: found, looked at, decoded by the browser. None of them can make a load fail.

import { BLOCK_FORMATS, type BlockFormat, type CoreAsset, type CoreStage, type ImageInfo } from './core.ts';
import { dataUrlBytes } from './data-url.ts';
import { asGambolError, throwIfAborted, type Warning } from './errors.ts';
import { imageHeader } from './image-header.ts';
import type { Source } from './source.ts';
import { compileDecoder, guarded, lazily } from './wasm.ts';

/** The most pixels an image may have: 8192 × 8192, which decode to 256 MiB. */
const MAX_PIXELS = 8192 * 8192;
/** Decoders run on other threads, but each holds a whole bitmap. */
const AT_ONCE = 4;

/** Levels of blocks as a GPU has them, or of one level of plain pixels. */
export interface PackedImage {
  readonly format: BlockFormat | 'rgba8';
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Uint8Array[];
}

export interface DecodedImage {
  readonly index: number;
  readonly pixels: ImageBitmap | PackedImage;
}

/** Frees what is not needed any more. */
export function closeImage({ pixels }: DecodedImage): void {
  if (pixels instanceof ImageBitmap) pixels.close();
}

/** Gives the image to a model that is on its way to the GPU. */
export function giveImage(stage: CoreStage, asset: CoreAsset, { index, pixels }: DecodedImage): void {
  if (pixels instanceof ImageBitmap) return guarded(() => stage.setImage(asset, index, pixels));
  const { format, width, height, levels } = pixels;
  if (format === 'rgba8') return guarded(() => stage.setImageRgba(asset, index, width, height, levels[0] ?? new Uint8Array()));
  guarded(() => stage.setImageCompressed(asset, index, BLOCK_FORMATS.indexOf(format), width, height, levels));
}

export interface DecodeOptions {
  readonly signal: AbortSignal;
  /** The largest width or height that the GPU takes. */
  readonly maxSize: number;
  /** The packed formats that the GPU takes. */
  readonly blocks: ReadonlySet<BlockFormat>;
  onImage?(done: number, total: number): void;
  onWarning?(warning: Warning): void;
}

/** The images of one model; the encoded bytes of external ones are kept, for the day the context is lost. */
export class ImageLibrary {
  readonly #asset: CoreAsset;
  readonly #source: Source;
  readonly #maxPixels: number;
  readonly #external = new Map<number, Uint8Array>();

  /** `maxPixels`: the most pixels of an image. */
  constructor(asset: CoreAsset, source: Source, maxPixels = MAX_PIXELS) {
    this.#asset = asset;
    this.#source = source;
    this.#maxPixels = maxPixels;
  }

  /**
   * Decodes all images; broken and missing ones are left out with a warning. The bitmaps belong to the caller.
   * @throws {@link GambolError} `load/aborted` only.
   */
  async decode(options: DecodeOptions): Promise<DecodedImage[]> {
    const all = guarded(() => this.#asset.images());
    const queue = all.filter((image) => image.used);
    const total = queue.length;
    const decoded: DecodedImage[] = [];
    const worker = async (): Promise<void> => {
      for (let image = queue.shift(); image; image = queue.shift()) {
        const fallback = image.fallback === undefined ? undefined : all[image.fallback];
        const pixels = await this.#pixels(image, options) ?? (fallback && await this.#pixels(fallback, options));
        if (pixels) decoded.push({ index: image.index, pixels });
        options.onImage?.(total - queue.length, total);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      throwIfAborted(options.signal);
    } catch (error) {
      queue.length = 0;
      decoded.forEach(closeImage);
      throw error;
    }
    return decoded.sort((a, b) => a.index - b.index);
  }

  async #pixels(image: ImageInfo, options: DecodeOptions): Promise<ImageBitmap | PackedImage | undefined> {
    const called = image.uri && !/^data:/i.test(image.uri) ? image.uri : image.name || `image ${image.index}`;
    const warn = (code: string, message: string): undefined => {
      options.onWarning?.({ code, message, pointer: `/images/${image.index}` });
    };
    throwIfAborted(options.signal);
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#bytes(image, options.signal);
    } catch (error) {
      throwIfAborted(options.signal);
      const { code, message } = asGambolError(error, 'image/missing');
      if (code === 'wasm/panic') throw error;
      return warn('image/missing', `A texture is missing: ${message}`);
    }
    const header = bytes && imageHeader(bytes);
    if (!bytes || !header) return warn('image/unsupported', `${called} is no image that gambol can show.`);
    const { width, height } = header;
    if (width * height > this.#maxPixels) {
      return warn('image/too-large', `${called} is left out: ${width} × ${height} pixels are too many.`);
    }
    if (header.mimeType === 'image/ktx2') {
      if (this.#source.decoders === 'none') return warn('image/unsupported', `${called} needs a decoder, which \`decoders\` forbids.`);
      try {
        const { transcode } = await lazily('the decoder of KTX2 images', () => import('./ktx2.ts'));
        return await transcode(bytes, options.blocks, options.maxSize, compileDecoder);
      } catch (error) {
        throwIfAborted(options.signal);
        const { code, message } = asGambolError(error, 'image/broken');
        return warn(code, `${called} cannot be decoded: ${message}`);
      }
    }
    const scale = Math.min(1, options.maxSize / Math.max(width, height));
    const size = scale < 1
      ? { resizeWidth: Math.max(1, Math.floor(width * scale)), resizeHeight: Math.max(1, Math.floor(height * scale)) }
      : undefined;
    try {
      const bitmap = await decodeBitmap(new Blob([new Uint8Array(bytes)], { type: header.mimeType }), size);
      if (options.signal.aborted) bitmap.close();
      throwIfAborted(options.signal);
      if (size) warn('image/downscaled', `${called} was reduced from ${width} × ${height} to ${bitmap.width} × ${bitmap.height}, the most this GPU takes.`);
      return bitmap;
    } catch (error) {
      throwIfAborted(options.signal);
      return warn('image/broken', `${called} cannot be decoded.`);
    }
  }

  async #bytes(image: ImageInfo, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (image.uri === undefined) return guarded(() => this.#asset.imageBytes(image.index));
    const known = this.#external.get(image.index);
    if (known) return known;
    const bytes = dataUrlBytes(image.uri)?.bytes ?? (await this.#source.resource(image.uri, { signal }));
    this.#external.set(image.index, bytes);
    return bytes;
  }
}

/**
 * glTF wants the stored numbers: no colour conversion (normal maps are not colours), no multiplication by alpha (it
 * loses what lies under transparent pixels).
 */
async function decodeBitmap(blob: Blob, size: Pick<ImageBitmapOptions, 'resizeWidth' | 'resizeHeight'> | undefined): Promise<ImageBitmap> {
  const resize: ImageBitmapOptions = size ? { ...size, resizeQuality: 'high' } : {};
  try {
    return await createImageBitmap(blob, { ...resize, colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch (error) {
    // Older Firefox and Safari refuse the dictionary, or some of its members, with a TypeError. A picture with
    // slightly wrong colours is better than none.
    if (!(error instanceof TypeError)) throw error;
    return size ? createImageBitmap(blob, resize) : createImageBitmap(blob);
  }
}
