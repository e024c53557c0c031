// The entry `gambol/asset`: models that are read and sampled without a viewer.

export { loadAsset, type Asset, type Pose } from './api/asset.ts';
