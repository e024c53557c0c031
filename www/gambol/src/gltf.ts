/**
 * The JSON, the buffers and the accessors of glTF files as they are, for tools that inspect or change them, in pages, workers and
 * Node.
 *
 * @module gambol/gltf
 */

export { GambolError } from './base/errors.ts';
export { writeGlb } from './base/glb.ts';
export { readGltf, type GltfFile, type GltfOptions } from './load/gltf-file.ts';
export { readAccessor, type AccessorOptions, type GltfAccessor } from './tools/accessors.ts';
