// The decoder of Draco meshes: a separate script with its own module, loaded lazily when a file needs it.
//
// It imports nothing of the core, because the single file of `dist/cdn` loads this script, too, and would get a second copy.

import createModule from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import type { DracoModule, DracoObject } from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import type { DracoRequest } from '../wasm/core.ts';
import type { CompileDecoder } from '../wasm/init.ts';

export interface DracoMesh {
  readonly vertices: number;
  readonly attributes: readonly Uint8Array[];
  readonly indices: Uint32Array;
}

/** A compressed mesh, and the attributes to decode. */
type Compressed = Pick<DracoRequest, 'bytes' | 'attributes' | 'byteLimit'>;

/** Decodes a mesh, or throws an error with the reason. */
export type DecodeDraco = (mesh: Compressed) => DracoMesh;

/** Draco's names for GL's component types, and their sizes. */
const TYPES: Readonly<
  Record<number, readonly ['DT_INT8' | 'DT_UINT8' | 'DT_INT16' | 'DT_UINT16' | 'DT_UINT32' | 'DT_FLOAT32', number]>
> = {
  5120: ['DT_INT8', 1],
  5121: ['DT_UINT8', 1],
  5122: ['DT_INT16', 2],
  5123: ['DT_UINT16', 2],
  5125: ['DT_UINT32', 4],
  5126: ['DT_FLOAT32', 4],
};

let loading: Promise<DracoModule> | undefined;

/** Loads the decoder, once; after a failure the next call tries again. */
async function load(compile: CompileDecoder): Promise<DracoModule> {
  loading ??= instantiate(compile).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate(compile: CompileDecoder): Promise<DracoModule> {
  const compiled = await compile('draco', new URL('./draco.wasm', import.meta.url));
  return new Promise((resolve, reject) => {
    // Passes the module to Emscripten's glue, which would search for it otherwise.
    createModule({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(compiled, imports).then(done, reject);
        return {};
      },
      onModuleLoaded: (module) => {
        // Hides the glue's `then`, which `await` would call endlessly.
        // biome-ignore lint/suspicious/noThenProperty: see above
        resolve(Object.assign(Object.create(module) as DracoModule, { then: undefined }));
      },
    });
  });
}

/**
 * Loads the decoder.
 * @throws the errors of `compile`
 */
export async function loadDraco(compile: CompileDecoder): Promise<DecodeDraco> {
  const module = await load(compile);
  return (request) => {
    try {
      return decode(module, request);
    } catch (error) {
      // After a trap, for example without memory, the state of the decoder is undefined.
      if (!(error instanceof Fault)) loading = undefined;
      throw error;
    }
  };
}

/** An error in the mesh, after which the decoder is still usable. */
class Fault extends Error {}

function decode(module: DracoModule, request: Compressed): DracoMesh {
  const decoder = new module.Decoder();
  const mesh = new module.Mesh();
  try {
    const { bytes } = request;
    // The eighth byte is the type. The length is checked, because the glue reads beyond the end.
    if (bytes.length < 11 || bytes[7] !== module.TRIANGULAR_MESH) throw new Fault('it is not a mesh');
    const status = decoder.DecodeArrayToMesh(
      new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      bytes.length,
      mesh,
    );
    if (!status.ok()) throw new Fault(status.error_msg());

    const [vertices, triangles] = [mesh.num_points(), mesh.num_faces()];
    const sizes = request.attributes.map(({ type, components }) => (TYPES[type]?.[1] ?? 0) * components * vertices);
    const total = sizes.reduce((sum, size) => sum + size, 12 * triangles);
    if (total > request.byteLimit)
      throw new Fault(`it decodes to ${total} bytes, more than the limit of ${request.byteLimit}`);

    const attributes = request.attributes.map(({ id, type, components }, i) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (!attribute.ptr) throw new Fault(`attribute ${id} is missing`);
      if (attribute.num_components() !== components)
        throw new Fault(`attribute ${id} has ${attribute.num_components()} components instead of ${components}`);
      const name = TYPES[type]?.[0] ?? 'DT_FLOAT32';
      return copied(module, sizes[i] ?? 0, (size, at) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, module[name], size, at),
      );
    });
    const indices = copied(module, 12 * triangles, (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at));
    return { vertices, attributes, indices: new Uint32Array(indices.buffer) };
  } finally {
    module.destroy(mesh as DracoObject);
    module.destroy(decoder as DracoObject);
  }
}

/** A copy of `size` bytes that `write` has written to the module's memory. */
function copied(
  module: DracoModule,
  size: number,
  write: (size: number, at: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const at = module._malloc(size);
  try {
    if (size > 0 && (at === 0 || !write(size, at))) throw new Fault('an attribute or the indices cannot be read');
    return module.HEAPU8.slice(at, at + size);
  } finally {
    module._free(at);
  }
}
