/**
 * The converter of FBX, BVH and DirectX .x files to GLB, for pages, workers and Node; `loadAsset()` of `gambol/asset` reads the
 * result. `load()` of a viewer converts such files itself.
 *
 * @module gambol/formats
 */

// With `readGltf`, this entry needs the same files as the others, so bundling puts these into one script. `loadAsset` would add the
// player's modules to the output of bundlers.
export { readGltf } from './load/gltf-file.ts';
export { GambolError } from './base/errors.ts';
export { toGlb } from './load/foreign.ts';
export type { ConversionOptions, ConvertedFile, ForeignFormat } from './formats/convert.ts';
