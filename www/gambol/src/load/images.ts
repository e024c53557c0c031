// The images of a model: they are found, checked, and decoded by the browser. A faulty image does not make a load fail.

import type { BlockFormat, CoreAsset, CoreStage, ImageInfo } from '../wasm/core.ts';
import { decodeStored } from './bitmap.ts';
import { dataUrlBytes } from './data-url.ts';
import { GambolError, asGambolError, throwIfAborted, type Warning } from '../base/errors.ts';
import { isLfsPointer } from './fetch.ts';
import { imageHeader, type ImageHeader } from './image-header.ts';
import type { PackedImage } from './ktx2.ts';
import type { Source } from './source.ts';
import { lazily } from '../base/lazily.ts';
import { guarded } from '../wasm/guarded.ts';
import { compileDecoder } from '../wasm/init.ts';

/** The default upper limit of an image's pixels: 8192 × 8192, which decode to 256 MiB. */
const MAX_PIXELS = 8192 * 8192;
/** The upper limit of concurrent decodes. They run on other threads, but each holds a whole bitmap. */
const AT_ONCE = 4;
/** The upper limit of pixels that are decoded concurrently, unless a single image has more. */
const PIXELS_AT_ONCE = MAX_PIXELS;
/** The smallest size to which a budget reduces images: a block of compressed formats. */
const SMALLEST = 4;

export interface DecodedImage {
  readonly index: number;
  readonly pixels: ImageBitmap | PackedImage;
}

/** Frees a decoded image. */
export function closeImage({ pixels }: DecodedImage): void {
  if (pixels instanceof ImageBitmap) pixels.close();
}

/** Passes an image to a model that is being uploaded to the GPU. */
export function setImage(stage: CoreStage, asset: CoreAsset, { index, pixels }: DecodedImage): void {
  if (pixels instanceof ImageBitmap) return guarded(() => stage.setImage(asset, index, pixels));
  const { format, width, height, levels } = pixels;
  if (format === 'rgba8')
    return guarded(() => stage.setImageRgba(asset, index, width, height, levels[0] ?? new Uint8Array()));
  guarded(() => stage.setImageCompressed(asset, index, format, width, height, [...levels]));
}

export interface DecodeOptions {
  readonly signal: AbortSignal;
  /** The largest width or height that the GPU supports. */
  readonly maxSize: number;
  /** The compressed formats that the GPU supports. */
  readonly blocks: ReadonlySet<BlockFormat>;
  onImage?(done: number, total: number): void;
}

/** The default texture budget of a model in bytes: 64 MiB for each GiB of the device's memory; 384 MiB if it is unknown. */
export function defaultTextureBudget(): number {
  const { deviceMemory: memory } = navigator as Navigator & { readonly deviceMemory?: number };
  return Math.min(memory ?? 6, 16) * 2 ** 26;
}

/** An image whose header was read. */
interface Opened {
  readonly header: ImageHeader;
  /** The name of the image for messages. */
  readonly name: string;
}

/** The state of one pass over the images. */
interface Pass extends DecodeOptions {
  readonly opened: Map<number, Promise<Opened | undefined>>;
  /** The largest width or height with which all images keep the budget. */
  budgetSize: number;
  /** The number of pixels that are being decoded; `waiting` are the decodes that wait for fewer. */
  pixels: number;
  readonly waiting: (() => void)[];
}

/**
 * Takes the encoded images out of a model that was just imported, with their indices: copies, so that the file can be freed.
 * Images that no texture uses are left out, except `others`. `buffers`: the files that were provided, by the indices of their buffers.
 */
export function takeImages(
  asset: CoreAsset,
  file: Uint8Array,
  buffers: ReadonlyMap<number, Uint8Array>,
  others: Iterable<number> = [],
): Map<number, Uint8Array> {
  const all = guarded(() => asset.images());
  const used = new Set(all.flatMap(({ index, fallback, used }) => (used ? [index, fallback] : [])));
  for (const index of others) used.add(index);
  const taken = new Map<number, Uint8Array>();
  for (const { index, place, uri } of all) {
    if (uri !== undefined) continue;
    const bytes = place
      ? (buffers.get(place.buffer) ?? file).subarray(place.start, place.end)
      : guarded(() => asset.takeImage(index));
    if (bytes && used.has(index)) taken.set(index, place ? bytes.slice() : bytes);
  }
  return taken;
}

/** The images of one model. Their encoded bytes are kept, because they are needed again after a loss of the context. */
export class ImageLibrary {
  readonly #asset: CoreAsset;
  /** The source of the model's file and of its other files. */
  readonly source: Source;
  readonly #maxPixels: number;
  readonly #budget: number | undefined;
  readonly #encoded: Map<number, Uint8Array>;
  #warnings: Warning[] = [];
  /** A frozen copy of the warnings; undefined after a change. */
  #warningList: readonly Warning[] | undefined;

  /** `embedded`: see {@link takeImages}; `maxPixels`: the most pixels of an image; `budget`: the most bytes of all textures. */
  constructor(
    asset: CoreAsset,
    embedded: Map<number, Uint8Array>,
    source: Source,
    maxPixels = MAX_PIXELS,
    budget?: number,
  ) {
    this.#asset = asset;
    this.#encoded = embedded;
    this.source = source;
    this.#maxPixels = maxPixels;
    this.#budget = budget;
  }

  /** The warnings of the last decode, about images that were skipped or reduced: a frozen list, replaced by each change. */
  get warnings(): readonly Warning[] {
    return (this.#warningList ??= Object.freeze([...this.#warnings]));
  }

  /**
   * Decodes all images, a few at a time, and passes each to `use`, which owns it. Broken and missing images are skipped with a
   * warning.
   * @throws {@link GambolError} `load/aborted`, and the errors of `use`.
   */
  async decode(options: DecodeOptions, use: (image: DecodedImage) => Promise<unknown>): Promise<void> {
    const all = guarded(() => this.#asset.images());
    const queue = all.filter((image) => image.used);
    const total = queue.length;
    const pass: Pass = { ...options, opened: new Map(), budgetSize: Infinity, pixels: 0, waiting: [] };
    this.#warnings = [];
    this.#warningList = undefined;
    const headers: ImageHeader[] = [];
    await forEachConcurrently(queue, async (image) => {
      const opened = await this.#opened(image, pass);
      if (opened) headers.push(opened.header);
    });
    throwIfAborted(options.signal);
    pass.budgetSize = sizeWithin(headers, options, this.#budget ?? defaultTextureBudget());
    let begun = 0;
    await forEachConcurrently(queue, async (image) => {
      throwIfAborted(options.signal);
      begun += 1;
      const fallback = image.fallback === undefined ? undefined : all[image.fallback];
      const pixels = (await this.#pixels(image, pass)) ?? (fallback && (await this.#pixels(fallback, pass)));
      options.onImage?.(begun, total);
      if (pixels) await use({ index: image.index, pixels });
    });
    throwIfAborted(options.signal);
  }

  /** The encoded bytes of an image; undefined if the file has none. @throws {@link GambolError} `load/…`, `fetch/…` */
  async encoded(index: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const image = this.info(index);
    return image && this.#bytes(image, signal);
  }

  /** The description of an image in the file; undefined if the file has none. */
  info(index: number): ImageInfo | undefined {
    return guarded(() => this.#asset.images())[index];
  }

  /** Reads the header of an image, once. */
  #opened(image: ImageInfo, pass: Pass): Promise<Opened | undefined> {
    let opened = pass.opened.get(image.index);
    if (!opened) pass.opened.set(image.index, (opened = this.#open(image, pass)));
    return opened;
  }

  async #open(image: ImageInfo, { signal }: Pass): Promise<Opened | undefined> {
    const name = `The image “${image.uri && !/^data:/i.test(image.uri) ? image.uri : image.name || image.index}”`;
    throwIfAborted(signal);
    let header: ImageHeader | undefined;
    let isPointer = false;
    try {
      const bytes = await this.#bytes(image, signal);
      header = bytes && imageHeader(bytes);
      isPointer = bytes !== undefined && isLfsPointer(bytes);
    } catch (error) {
      throwIfAborted(signal);
      const { code, message } = asGambolError(error, 'image/missing');
      if (code === 'wasm/panic') throw error;
      return this.#warn(image, 'image/missing', `A texture is missing: ${message}`);
    }
    if (isPointer)
      return this.#warn(
        image,
        'image/missing',
        `${name} is a Git LFS pointer, not the image itself. Run \`git lfs pull\`.`,
      );
    if (!header)
      return this.#warn(
        image,
        'image/unsupported',
        `${name} has an unsupported format. Use PNG, JPEG, WebP, AVIF or KTX2.`,
      );
    const { width, height } = header;
    if (width * height > this.#maxPixels) {
      return this.#warn(
        image,
        'image/too-large',
        `${name} is skipped: ${width} × ${height} pixels exceed the limit imagePixels. Reduce it.`,
      );
    }
    return { header, name };
  }

  #warn({ index }: ImageInfo, code: string, message: string): undefined {
    this.#warnings.push({ code, message, pointer: `/images/${index}` });
    this.#warningList = undefined;
  }

  async #pixels(image: ImageInfo, pass: Pass): Promise<ImageBitmap | PackedImage | undefined> {
    const opened = await this.#opened(image, pass);
    if (!opened) return undefined;
    const {
      header: { width, height, mimeType },
      name,
    } = opened;
    const { signal } = pass;
    if (mimeType === 'image/ktx2' && this.source.decoders === 'none') {
      return this.#warn(
        image,
        'image/unsupported',
        `${name} needs a decoder, but \`decoders\` is none. Set it to auto, or use another format.`,
      );
    }
    const count = width * height;
    // A decoder holds the whole image at its full size, even if the result is smaller.
    while (pass.pixels > 0 && pass.pixels + count > PIXELS_AT_ONCE)
      await new Promise<void>((resolve) => pass.waiting.push(resolve));
    pass.pixels += count;
    try {
      throwIfAborted(signal);
      const bytes = (await this.#bytes(image, signal)) ?? new Uint8Array();
      const pixels =
        mimeType === 'image/ktx2' ? await this.#transcoded(bytes, pass) : await reduced(bytes, opened.header, pass);
      if (signal.aborted && pixels instanceof ImageBitmap) pixels.close();
      throwIfAborted(signal);
      const [nowWide, nowHigh] = [pixels.width, pixels.height];
      // By the number of pixels: an AVIF image may be stored on its side.
      if (nowWide * nowHigh < width * height) {
        const reason =
          pass.budgetSize < Math.min(pass.maxSize, Math.max(width, height))
            ? 'to keep the textures within textureBudget'
            : 'the largest size of this GPU';
        this.#warn(
          image,
          'image/downscaled',
          `${name} was reduced from ${width} × ${height} to ${nowWide} × ${nowHigh}, ${reason}.`,
        );
      }
      return pixels;
    } catch (error) {
      throwIfAborted(signal);
      if (mimeType !== 'image/ktx2')
        return this.#warn(image, 'image/broken', `${name} cannot be decoded. Export it again.`);
      const { code, message } = asGambolError(error, 'image/broken');
      return this.#warn(image, code, `${name} cannot be decoded: ${message}`);
    } finally {
      pass.pixels -= count;
      for (const next of pass.waiting.splice(0)) next();
    }
  }

  async #transcoded(bytes: Uint8Array, { blocks, maxSize, budgetSize }: Pass): Promise<PackedImage> {
    const { transcode } = await lazily('the decoder for KTX2 images', () => import('./ktx2.ts'));
    return transcode(bytes, blocks, maxSize, budgetSize, compileDecoder);
  }

  async #bytes(image: ImageInfo, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const known = this.#encoded.get(image.index);
    if (known || image.uri === undefined) return known;
    const bytes = dataUrlBytes(image.uri)?.bytes ?? (await this.source.resource(image.uri, { signal }));
    this.#encoded.set(image.index, bytes);
    return bytes;
  }
}

/** Runs `work` for each item, a few at a time; after an error no more are started. */
async function forEachConcurrently<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  let failed = false;
  const workers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) {
        if (failed) return;
        try {
          await work(item);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    }),
  );
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
}

/** The largest width and height of images with which all of them, including mipmaps, keep the budget in bytes. */
function sizeWithin(headers: readonly ImageHeader[], { maxSize, blocks }: DecodeOptions, budget: number): number {
  const bytesOf = (size: number): number =>
    headers.reduce((sum, { mimeType, width, height }) => {
      const scale = Math.min(1, size / Math.max(width, height, 1));
      const bytesPerPixel = mimeType === 'image/ktx2' && blocks.size > 0 ? 1 : 4;
      return sum + (width * height * scale * scale * bytesPerPixel * 4) / 3;
    }, 0);
  if (bytesOf(maxSize) <= budget) return Infinity;
  let size = 2 ** Math.floor(Math.log2(maxSize));
  while (size > SMALLEST && bytesOf(size) > budget) size /= 2;
  return size;
}

/**
 * Decodes an image for a texture.
 * @throws {@link GambolError} `image/unsupported`, `image/too-large`, `image/broken`
 */
export async function decodeImage(bytes: Uint8Array<ArrayBuffer>, name: string, maxSize: number): Promise<ImageBitmap> {
  const header = imageHeader(bytes);
  if (!header || header.mimeType === 'image/ktx2')
    throw new GambolError('image/unsupported', `${name} has an unsupported format. Use PNG, JPEG, WebP or AVIF.`);
  const { width, height, mimeType } = header;
  if (width * height > MAX_PIXELS || Math.max(width, height) > maxSize)
    throw new GambolError('image/too-large', `${name} is too large: ${width} × ${height} pixels. Reduce it.`);
  try {
    return await decodeStored(bytes, mimeType);
  } catch (cause) {
    throw new GambolError('image/broken', `${name} cannot be decoded. Export it again.`, { cause });
  }
}

/** Decodes an image by the browser, reduced to the allowed size. */
function reduced(
  bytes: Uint8Array,
  { width, height, mimeType }: ImageHeader,
  { maxSize, budgetSize }: Pass,
): Promise<ImageBitmap> {
  const scale = Math.min(1, Math.min(maxSize, budgetSize) / Math.max(width, height));
  const size =
    scale < 1
      ? { resizeWidth: Math.max(1, Math.floor(width * scale)), resizeHeight: Math.max(1, Math.floor(height * scale)) }
      : undefined;
  return decodeStored(bytes as Uint8Array<ArrayBuffer>, mimeType, size);
}
