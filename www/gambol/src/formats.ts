/**
 * The converter of FBX, BVH and DirectX .x files to GLB, for pages, workers and Node. `load()` of a viewer uses it, too, so a page
 * that shows such files does not need this entry.
 *
 * @module gambol/formats
 */

export { GambolError, type GambolErrorDetails, type Warning } from './base/errors.ts';
export { toGlb, type ConversionOptions, type ConvertedFile, type ForeignFormat } from './formats/to-glb.ts';
