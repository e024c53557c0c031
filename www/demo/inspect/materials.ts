// Materials of the JSON: their factors, and the textures of their channels.

import { list, number, numbers, object, text, type DocumentIndex } from './document.ts';
import type { GltfFile } from 'gambol/gltf';

type Json = Readonly<Record<string, unknown>>;

export interface TextureUse {
  /** The property of the material: `baseColorTexture`, `sheenColorTexture` … */
  readonly channel: string;
  /** The index of the texture, and of its image. */
  readonly texture: number;
  readonly image: number | null;
  readonly texCoord: number;
}

export interface MaterialEntry {
  readonly index: number;
  readonly name: string;
  readonly alphaMode: string;
  readonly doubleSided: boolean;
  /** Linear RGBA. */
  readonly baseColor: readonly number[];
  readonly metallic: number;
  readonly roughness: number;
  readonly extensions: readonly string[];
  readonly textures: readonly TextureUse[];
}

export function materialsOf({ json }: DocumentIndex): MaterialEntry[] {
  return list(json, 'materials').map((material, index) => {
    const surface = object(material, 'pbrMetallicRoughness');
    const color = surface['baseColorFactor'];
    return {
      index,
      name: text(material, 'name') ?? `Material ${index}`,
      alphaMode: text(material, 'alphaMode') ?? 'OPAQUE',
      doubleSided: material['doubleSided'] === true,
      baseColor: Array.isArray(color) && color.every((each) => typeof each === 'number') ? color : [1, 1, 1, 1],
      metallic: number(surface, 'metallicFactor') ?? 1,
      roughness: number(surface, 'roughnessFactor') ?? 1,
      extensions: Object.keys(object(material, 'extensions')),
      textures: texturesIn(material, json),
    };
  });
}

/** The textures that a material names, in it and in its extensions. */
function texturesIn(material: Json, json: Json): TextureUse[] {
  const found: TextureUse[] = [];
  const visit = (value: Json): void => {
    for (const key of Object.keys(value)) {
      const child = object(value, key);
      const texture = number(child, 'index');
      if (key.endsWith('Texture') && texture !== null) {
        const [image = null] = imagesOf(list(json, 'textures')[texture] ?? {});
        found.push({ channel: key, texture, image, texCoord: number(child, 'texCoord') ?? 0 });
      } else if (['pbrMetallicRoughness', 'extensions'].includes(key) || key.startsWith('KHR_')) visit(child);
    }
  };
  visit(material);
  return found;
}

/** The images of a texture: that of an extension for other formats, then its own, the fallback. */
export function imagesOf(texture: Json): number[] {
  const extensions = object(texture, 'extensions');
  const others = ['KHR_texture_basisu', 'EXT_texture_webp', 'EXT_texture_avif'].map((name) => object(extensions, name));
  return numbers([...others, texture].map((each) => number(each, 'source')));
}

export interface ImageBytes {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** The encoded bytes of an image. Rejects if they are missing. */
export async function imageBytes({ json, buffer, resource }: GltfFile, index: number): Promise<ImageBytes> {
  const image = list(json, 'images')[index] ?? {};
  const uri = text(image, 'uri');
  const name = text(image, 'name') ?? (uri?.startsWith('data:') ? undefined : uri) ?? `Image ${index}`;
  let bytes: Uint8Array;
  if (uri !== undefined) {
    bytes = await resource(uri);
  } else {
    const view = list(json, 'bufferViews')[number(image, 'bufferView') ?? -1] ?? {};
    const offset = number(view, 'byteOffset') ?? 0;
    bytes = (await buffer(number(view, 'buffer') ?? 0)).subarray(offset, offset + (number(view, 'byteLength') ?? 0));
  }
  return { name, mimeType: text(image, 'mimeType') ?? typeOf(bytes), bytes };
}

/** The media type by the first bytes. */
function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89) return 'image/png';
  if (bytes[0] === 0xff) return 'image/jpeg';
  if (bytes[0] === 0xab) return 'image/ktx2';
  return bytes[0] === 0x52 ? 'image/webp' : 'image/avif';
}
