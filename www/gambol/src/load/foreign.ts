// Files of other formats than glTF, which are converted before they are imported.

import { GambolError, asGambolError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import type { ConversionOptions } from '../formats/to-glb.ts';
import type { Source } from './source.ts';

/** The first bytes, as `detect` of `gambol-formats` knows them, after the mark of UTF-8. */
const BEGINNING = /^(?:ï»¿)?(?:Kaydara FBX|xof |\s*(?:; FBX|HIERARCHY))/i;

/** `true` for FBX, BVH and DirectX .x: by the first bytes, or else by the extension of the name. */
export function isForeign(bytes: Uint8Array, name: string): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  return BEGINNING.test(head) || (/\.(fbx|bvh|x)$/i.test(name) && !/^\s*(glTF|\{)/.test(head));
}

/** A file of another format as GLB, and its source with the warnings of the conversion. @throws {@link GambolError} */
export async function converted(
  bytes: Uint8Array,
  source: Source,
  options: ConversionOptions,
): Promise<{ bytes: Uint8Array; source: Source }> {
  const { toGlb } = await lazily('the converters of other formats', () => import('../formats/to-glb.ts'));
  try {
    const { glb, warnings } = await toGlb(bytes, source.name, options);
    return { bytes: glb, source: { ...source, warnings: [...source.warnings, ...warnings] } };
  } catch (error) {
    const { code, message, pointer, url = source.url } = asGambolError(error, 'convert/panic');
    throw new GambolError(code, message, { pointer, url, cause: error });
  }
}
