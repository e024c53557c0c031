/**
 * The converter of FBX, BVH and DirectX .x files to GLB, for pages, workers and Node; {@link loadAsset} reads the result. `load()` of
 * a viewer converts such files itself.
 *
 * @module gambol/formats
 */

// With `loadAsset`, this entry needs the same files as the others, so bundling puts these into one script.
export { loadAsset } from './api/asset.ts';
export { GambolError } from './base/errors.ts';
export { toGlb } from './load/foreign.ts';
export type { ConversionOptions, ConvertedFile, ForeignFormat } from './formats/convert.ts';
