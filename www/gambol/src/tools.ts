/**
 * Tools for glTF files, in pages, workers and Node: smaller files within a bound that is measured on the skinned mesh, the
 * distance of two files, and clips that are computed ahead. A WebAssembly module of its own does the work; the first call loads it.
 *
 * ```js
 * import { diff, optimize } from 'gambol/tools';
 *
 * const { bytes, report } = await optimize('hero.glb', { error: 0.0001 });
 * console.log(report.before.total, report.after.total, report.error);
 * ```
 *
 * @module gambol/tools
 */

// With `readGltf`, this entry needs the same files as the others, so bundling puts these into one script. `loadAsset` would add the
// player's modules to the output of bundlers.
export { readGltf } from './load/gltf-file.ts';
export { GambolError } from './base/errors.ts';
export {
  bake,
  readBaked,
  type BakedData,
  type BakedFile,
  type BakedHeader,
  type BakeOptions,
  type BakeReport,
} from './tools/bake.ts';
export { diff, type Difference, type DifferencePlace, type DiffOptions } from './tools/diff.ts';
export {
  inspect,
  type Finding,
  type FindingFix,
  type FindingPlot,
  type FindingSeverity,
  type FindingValue,
  type GltfValidator,
  type GltfValidatorModule,
  type InspectReport,
  type InspectOptions,
} from './tools/inspect.ts';
export {
  optimize,
  type OptimizeOptions,
  type OptimizedFile,
  type OptimizeReport,
  type PartSizes,
} from './tools/optimize.ts';
export { retarget, type RetargetFileOptions, type RetargetedClips, type RetargetedFile } from './tools/retarget.ts';
export { exportUsdz, type UsdzFile, type UsdzOptions } from './tools/usdz.ts';
export type { ToolOptions } from './tools/options.ts';
