// A checker in place of each image that cannot be shown: a copy of the file names another image there, because the package leaves
// such textures out.

import type { AssetSource, Warning } from 'gambol';
import type { GltfFile } from 'gambol/gltf';
import { list, number, numbers, text } from './document.ts';
import { imagesOf } from './materials.ts';

/** Cells of a row of the checker, and pixels of a cell. */
const CELLS = 16;
const PIXELS = 16;
const COLOURS = ['#ff3df2', '#2a2333'] as const;

/** The indices of the images that are missing or unreadable. */
export function missingImages(warnings: readonly Warning[]): number[] {
  const missing = warnings.filter(({ code }) => code !== 'image/downscaled');
  const indices = missing.map(({ pointer }) => Number(/^\/images\/(\d+)/.exec(pointer)?.[1] ?? NaN));
  return numbers([...new Set(indices)]);
}

/** The file with its buffers and images, in which a checker replaces the missing images; null if no texture needs them. */
export async function withCheckers(
  { name, json, buffer, resource }: GltfFile,
  missing: readonly number[],
): Promise<AssetSource | null> {
  // A missing image with a fallback is no missing texture.
  const seen = list(json, 'textures')
    .map(imagesOf)
    .filter((images) => images.every((image) => missing.includes(image)))
    .flat();
  if (seen.length === 0) return null;
  const files = new Map<string, Blob>();
  /** Puts bytes into the copy; the parts that cannot be read are missing there, too. */
  const add = async (path: string, read: Promise<Uint8Array>): Promise<string> => {
    const bytes = await read.catch(() => undefined);
    if (bytes) files.set(path, new Blob([bytes as Uint8Array<ArrayBuffer>]));
    return path;
  };
  const buffers = list(json, 'buffers').map(async (each, i) => ({ ...each, uri: await add(`buffer-${i}`, buffer(i)) }));
  const images = list(json, 'images').map(async (image, i) => {
    const uri = text(image, 'uri');
    if (seen.includes(i)) return { name: image['name'], uri: 'checker' };
    return uri === undefined || number(image, 'bufferView') !== null
      ? image
      : { ...image, uri: await add(`image-${i}`, resource(uri)) };
  });
  const copy = { ...json, buffers: await Promise.all(buffers), images: await Promise.all(images) };
  files.set('checker', await checker());
  files.set(/\.(glb|gltf|vrm)$/i.test(name) ? name : `${name}.gltf`, new Blob([JSON.stringify(copy)]));
  return files;
}

async function checker(): Promise<Blob> {
  const canvas = new OffscreenCanvas(CELLS * PIXELS, CELLS * PIXELS);
  const context = canvas.getContext('2d');
  for (let i = 0; context && i < CELLS * CELLS; i++) {
    const [x, y] = [i % CELLS, Math.floor(i / CELLS)];
    context.fillStyle = COLOURS[(x + y) % 2 === 0 ? 0 : 1];
    context.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS);
  }
  return canvas.convertToBlob();
}
