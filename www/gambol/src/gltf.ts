/**
 * The JSON and the buffers of glTF files as they are, for tools that inspect or change them, in pages, workers and Node.
 *
 * @module gambol/gltf
 */

export { GambolError } from './base/errors.ts';
export { readGltf, type GltfFile, type GltfOptions } from './load/gltf-file.ts';
