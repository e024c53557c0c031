// Files of other formats than glTF, which are converted before they are imported.

import { asGambolError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import type { ConversionOptions, ConvertedFile } from '../formats/convert.ts';
import { checkedOptions, optionNames } from '../values/options.ts';
import { compileBeside } from '../wasm/beside.ts';
import type { Source } from './source.ts';

const OPTIONS = optionNames<ConversionOptions>({ metresPerUnit: 0, up: 0, decodedBytes: 0, signal: 0 });

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
  const { glb, warnings } = await convert(bytes, source.name, options, source.url);
  return { bytes: glb, source: { ...source, warnings: [...source.warnings, ...warnings] } };
}

/**
 * Converts the bytes of an FBX, BVH or DirectX .x file to GLB. The first bytes decide the format, or else the extension of `name`.
 * The first call loads the converters.
 *
 * ```js
 * const { glb, warnings } = await toGlb(await readFile('walk.bvh'), 'walk.bvh');
 * ```
 *
 * @throws {@link GambolError} with a code of the format and the place of the fault as `pointer` (`line 3, column 5`, or `byte 96` and
 * the objects around it); `convert/unknown-format`, `convert/too-large`, `convert/no-fbx`, `convert/panic`, `load/chunk`,
 * `load/aborted`, `argument/invalid`
 * @category Files of other formats
 */
export async function toGlb(
  bytes: ArrayBuffer | Uint8Array,
  name: string,
  options: ConversionOptions = {},
): Promise<ConvertedFile> {
  checkedOptions(options, OPTIONS, 'toGlb()');
  return convert(bytes, name, options);
}

/** `url`: the URL of the file, for errors. */
async function convert(
  bytes: ArrayBuffer | Uint8Array,
  name: string,
  options: ConversionOptions,
  url?: string,
): Promise<ConvertedFile> {
  const script = await lazily('the converters of other formats', () => import('../formats/convert.ts'));
  try {
    return await script.convert(bytes, name, options, compileBeside);
  } catch (error) {
    throw asGambolError(error, 'convert/panic', url);
  }
}
