// Sprites: images on a quad. A part of the script of the feature `extras`.

import { GambolError } from '../base/errors.ts';
import { writeGlb } from '../base/glb.ts';
import { pngOf } from '../base/png.ts';
import { shown } from '../base/shown.ts';
import { fetchBytes } from '../load/fetch.ts';
import { imageHeader } from '../load/image-header.ts';
import type { LoadOptions } from '../load/import-model.ts';
import { coreFlipbook, isByAxis, type BillboardMode, type FlipbookOptions } from '../values/sprites.ts';

/**
 * The image of a sprite: its URL, its encoded bytes (PNG, JPEG, WebP, AVIF or KTX2), or a decoded image.
 * @category Sprites and materials
 */
export type SpriteImage = string | URL | Blob | ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas;

/** Options of {@link Viewer.addSprite}. @category Sprites and materials */
export interface SpriteOptions {
  /**
   * The height in metres, or the width and the height. With a height, the width follows from the aspect ratio of the image, or of a
   * cell of the flip-book. Default: 1.
   */
  readonly size?: number | readonly [width: number, height: number];
  /** The animation of the image by cells; see {@link Material.flipbook}. Default: none. */
  readonly flipbook?: FlipbookOptions;
  /** The rotation to the camera; null keeps the rotation of the actor. Default: `full`. */
  readonly billboard?: BillboardMode | null;
}

/** The part of an actor that this script uses. */
interface SpriteActor {
  joint(index: number): { billboard(mode: BillboardMode | null): void };
  material(index: number): { flipbook(options: FlipbookOptions): void };
}

/** The extensions for images that the core of glTF does not have. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/webp': 'EXT_texture_webp',
  'image/avif': 'EXT_texture_avif',
  'image/ktx2': 'KHR_texture_basisu',
};

/**
 * Makes a sprite.
 *
 * - `add`: adds an actor with the model of a file, and calls its last argument with it before it is drawn.
 *
 * @throws {@link GambolError} `argument/invalid`, `fetch/…`, `image/unsupported`, and those of `add`
 */
export async function addSprite<Options extends SpriteOptions & LoadOptions, Added>(
  image: SpriteImage,
  options: Options,
  add: (file: Blob, options: Omit<Options, keyof SpriteOptions>, dress: (actor: SpriteActor) => void) => Promise<Added>,
): Promise<Added> {
  const { size = 1, flipbook, billboard = 'full', ...rest } = options;
  const { columns, rows } = flipbook ? coreFlipbook(flipbook) : { columns: 1, rows: 1 };
  isByAxis(billboard);
  const sides = typeof size === 'number' ? [size] : Array.isArray(size) ? (size as readonly unknown[]) : [];
  if (
    !(sides.length === (typeof size === 'number' ? 1 : 2)) ||
    !sides.every((side) => typeof side === 'number' && Number.isFinite(side) && side > 0)
  )
    throw new GambolError('argument/invalid', `size must be a height above 0, or [width, height], not ${shown(size)}.`);
  const bytes = await encoded(image, options);
  const header = imageHeader(bytes);
  if (!header || header.width === 0 || header.height === 0)
    throw new GambolError(
      'image/unsupported',
      `The image of the sprite${typeof image === 'string' ? ` ${shown(image)}` : ''} is not a PNG, JPEG, WebP, AVIF or KTX2 image.`,
    );
  const cell = [header.width / columns, header.height / rows] as const;
  const [first, second] = sides as readonly number[];
  const [width, height] =
    second === undefined ? [((first ?? 1) * cell[0]) / cell[1], first ?? 1] : [first ?? 1, second];
  // Half a texel is left out around a cell, so that linear filters do not show its neighbours.
  const inset = flipbook ? ([0.5 / cell[0], 0.5 / cell[1]] as const) : ([0, 0] as const);
  const file = quad(bytes, header.mimeType, [width, height], inset, flipbook !== undefined);
  return add(file, rest, (actor) => {
    if (flipbook) actor.material(0).flipbook(flipbook);
    actor.joint(0).billboard(billboard);
  });
}

/** The encoded bytes of an image. */
async function encoded(image: SpriteImage, options: LoadOptions): Promise<Uint8Array> {
  if (image instanceof Blob) return new Uint8Array(await image.arrayBuffer());
  if (typeof image === 'string' || image instanceof URL) {
    let url: URL;
    try {
      url = new URL(image, document.baseURI);
      if (options.mapURL) url = new URL(options.mapURL(url.href), document.baseURI);
    } catch (cause) {
      throw new GambolError('argument/invalid', `${shown(image)} is not a valid URL. Pass the URL of an image.`, {
        cause,
      });
    }
    const { signal = new AbortController().signal, credentials } = options;
    return fetchBytes(url, { signal, credentials });
  }
  const [width, height] =
    image instanceof HTMLImageElement
      ? [image.naturalWidth, image.naturalHeight]
      : [(image as Partial<ImageBitmap> | null)?.width, (image as Partial<ImageBitmap> | null)?.height];
  try {
    const blob = await pngOf(image, Number(width), Number(height));
    if (blob) return new Uint8Array(await blob.arrayBuffer());
    throw new Error('The image is empty.');
  } catch (cause) {
    throw new GambolError(
      'argument/invalid',
      `The image of a sprite must be a URL, a Blob, or a loaded image, bitmap or canvas whose pixels the page may read, not ${shown(image)}.`,
      { cause },
    );
  }
}

/** A file with an unlit quad in the plane Z = 0 around the origin. */
function quad(
  image: Uint8Array,
  mimeType: string,
  [width, height]: readonly [number, number],
  [u, v]: readonly [number, number],
  isDivided: boolean,
): Blob {
  const [x, y] = [width / 2, height / 2];
  const corners = Float32Array.of(
    ...[-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0],
    ...[u, 1 - v, 1 - u, 1 - v, 1 - u, v, u, v],
  );
  const indices = Uint16Array.of(0, 1, 2, 0, 2, 3);
  const begin = corners.byteLength + indices.byteLength;
  const extension = EXTENSIONS[mimeType];
  const source = { source: 0 };
  const json = {
    asset: { version: '2.0', generator: 'gambol' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'Sprite', mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        name: 'Sprite',
        alphaMode: 'BLEND',
        doubleSided: true,
        pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 },
        extensions: { KHR_materials_unlit: {} },
      },
    ],
    textures: [{ sampler: 0, ...(extension ? { extensions: { [extension]: source } } : source) }],
    // Mipmaps would mix the cells. The edges are clamped.
    samplers: [{ wrapS: 33071, wrapT: 33071, magFilter: 9729, minFilter: isDivided ? 9729 : 9987 }],
    images: [{ bufferView: 3, mimeType }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-x, -y, 0], max: [x, y, 0].map(Math.fround) },
      { bufferView: 1, componentType: 5126, count: 4, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 32 },
      { buffer: 0, byteOffset: 80, byteLength: 12 },
      { buffer: 0, byteOffset: begin, byteLength: image.byteLength },
    ],
    buffers: [{ byteLength: begin + image.byteLength }],
    extensionsUsed: ['KHR_materials_unlit', ...(extension ? [extension] : [])],
  };
  const binary = new Uint8Array(begin + image.byteLength);
  binary.set(new Uint8Array(corners.buffer));
  binary.set(new Uint8Array(indices.buffer), corners.byteLength);
  binary.set(image, begin);
  return new File([writeGlb(json, binary)], 'sprite.glb');
}
