// The pictures that pages give to textures of materials.

import { GambolError } from '../base/errors.ts';
import { fetchBytes } from '../load/fetch.ts';
import { decodeBitmap } from '../load/bitmap.ts';
import { decodeImage } from '../load/images.ts';
import type { CoreStage } from '../wasm/core.ts';
import type { TextureSource } from '../values/materials.ts';

/** The part of an engine that pictures use. */
export interface Pictures {
  readonly ended: boolean;
  /** The largest width or height of a texture. */
  readonly maxTextureSize: number;
  call(change: (stage: CoreStage) => void): void;
  read<T>(read: (stage: CoreStage) => T, fallback: T): T;
}

/** A picture for a texture: its number, its pixels unless the stage has them, and what follows its changes. */
export interface Picture {
  readonly id: number;
  readonly bitmap?: ImageBitmap;
  follow?(): void;
}

/** The number of the next picture. Numbers are unique on the page, so that stages may share a context. */
let next = 1;
/** The numbers of the sources of each engine. */
const known = new WeakMap<
  Pictures,
  { readonly texts: Map<string, number>; readonly objects: WeakMap<object, number> }
>();

/**
 * The picture of a source. Sources that the stage shows are not decoded again, except canvases.
 * @throws {@link GambolError} `fetch/…`, `image/unsupported`, `image/too-large`, `image/broken`, `image/cross-origin`
 */
export async function pictureOf(pictures: Pictures, source: TextureSource): Promise<Picture> {
  const numbers = known.get(pictures) ?? { texts: new Map<string, number>(), objects: new WeakMap<object, number>() };
  known.set(pictures, numbers);
  const key = source instanceof URL ? source.href : source;
  const of: Pick<Map<unknown, number>, 'get' | 'set'> = typeof key === 'string'
    ? numbers.texts
    : (numbers.objects as never);
  const before = of.get(key);
  const isLive = source instanceof HTMLVideoElement;
  const changes = isLive || source instanceof HTMLCanvasElement || isOffscreen(source);
  const has = before !== undefined && pictures.read(({ query }) => query.hasPicture(before), false);
  if (has && !changes) return { id: before };
  const bitmap = await decoded(pictures, source);
  // Another change may have shown the source meanwhile.
  const now = of.get(key);
  const id = now !== undefined && pictures.read(({ query }) => query.hasPicture(now), false) ? now : next++;
  of.set(key, id);
  if (!isLive) return { id, bitmap };
  return { id, bitmap, follow: () => followVideo(pictures, source, id) };
}

function isOffscreen(source: unknown): source is OffscreenCanvas {
  return typeof OffscreenCanvas === 'function' && source instanceof OffscreenCanvas;
}

async function decoded({ maxTextureSize }: Pictures, source: TextureSource): Promise<ImageBitmap> {
  if (typeof source === 'string' || source instanceof URL) {
    const url = new URL(String(source), document.baseURI);
    const bytes = await fetchBytes(url, { signal: new AbortController().signal });
    return decodeImage(bytes as Uint8Array<ArrayBuffer>, url.href, maxTextureSize);
  }
  if (source instanceof Blob)
    return decodeImage(new Uint8Array(await source.arrayBuffer()), 'The image', maxTextureSize);
  if (source instanceof HTMLVideoElement) await firstFrame(source);
  let bitmap: ImageBitmap;
  try {
    bitmap = await decodeBitmap(source, 'none');
  } catch (cause) {
    const isForeign = (cause as Partial<DOMException> | null)?.name === 'SecurityError';
    throw isForeign
      ? foreign(cause)
      : new GambolError('image/broken', 'A texture has no pixels: its image is not loaded, empty or detached.', {
          cause,
        });
  }
  checkOrigin(bitmap);
  if (Math.max(bitmap.width, bitmap.height) > maxTextureSize) {
    const { width, height } = bitmap;
    bitmap.close();
    throw new GambolError(
      'image/too-large',
      `A texture of ${width} × ${height} pixels exceeds the limit of this GPU, ${maxTextureSize}.`,
    );
  }
  return bitmap;
}

/** Waits until a video has pixels. */
async function firstFrame(video: HTMLVideoElement): Promise<void> {
  if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return;
  await new Promise<void>((resolve, reject) => {
    const done = (): void => {
      video.removeEventListener('loadeddata', done);
      video.removeEventListener('error', failed);
      resolve();
    };
    const failed = (): void => {
      video.removeEventListener('loadeddata', done);
      video.removeEventListener('error', failed);
      reject(new GambolError('image/broken', `A video cannot be played: ${video.error?.message || 'no source fits'}.`));
    };
    video.addEventListener('loadeddata', done);
    video.addEventListener('error', failed);
    if (video.error) failed();
  });
}

/** Throws for pixels of another origin, which WebGL does not take. */
function checkOrigin(bitmap: ImageBitmap): void {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context?.drawImage(bitmap, 0, 0, 1, 1);
    context?.getImageData(0, 0, 1, 1);
  } catch (cause) {
    bitmap.close();
    throw foreign(cause);
  }
}

function foreign(cause: unknown): GambolError {
  return new GambolError(
    'image/cross-origin',
    'A texture has pixels of another origin, which its server does not share. Set `crossorigin` and allow it by CORS.',
    { cause },
  );
}

/** Shows each frame of a video, as long as a material shows the picture. */
function followVideo(pictures: Pictures, video: HTMLVideoElement, id: number): void {
  const again = (): void => {
    if (video.requestVideoFrameCallback?.(() => void step()) === undefined) requestAnimationFrame(() => void step());
  };
  const isShown = (): boolean => !pictures.ended && pictures.read(({ query }) => query.hasPicture(id), false);
  async function step(): Promise<void> {
    if (!isShown()) return;
    try {
      const bitmap = await decodeBitmap(video, 'none');
      if (isShown()) pictures.call(({ joints }) => joints.setPicture(id, bitmap));
      else bitmap.close();
    } catch {
      // A frame without pixels, as after a change of its source: the next one counts.
    }
    again();
  }
  if (!following.has(video)) following.set(video, new Set());
  const ids = following.get(video);
  if (ids?.has(id)) return;
  ids?.add(id);
  again();
}

/** The pictures that follow each video. */
const following = new WeakMap<HTMLVideoElement, Set<number>>();
