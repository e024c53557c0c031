/**
 * Models that are read and sampled without a viewer, in pages, workers and Node. These exports are also those of {@link gambol!};
 * this entry has none of the viewer's code.
 *
 * @module gambol/asset
 */

export { loadAsset, type Asset, type Pose } from './api/asset.ts';
