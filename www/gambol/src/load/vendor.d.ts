// The decoders of others that the package bundles; their packages bring no declarations.

declare module 'three/examples/jsm/libs/basis/basis_transcoder.js' {
  export interface KTX2File {
    isValid(): boolean;
    isUASTC(): boolean;
    getHasAlpha(): boolean;
    getWidth(): number;
    getHeight(): number;
    getLevels(): number;
    getLayers(): number;
    getFaces(): number;
    startTranscoding(): boolean;
    getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
    /** Takes `out` as large as the size above says. */
    transcodeImage(
      out: Uint8Array,
      level: number,
      layer: number,
      face: number,
      format: number,
      getAlphaForOpaque: number,
      channel0: number,
      channel1: number,
    ): number;
    close(): void;
    delete(): void;
  }
  export interface BasisModule {
    initializeBasis(): void;
    readonly KTX2File: new (bytes: Uint8Array) => KTX2File;
  }
  export default function createBasis(options: {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
  }): Promise<BasisModule>;
}

declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  export interface DracoObject {
    readonly ptr: number;
  }
  export interface DracoMeshObject extends DracoObject {
    num_points(): number;
    num_faces(): number;
  }
  export interface DracoAttributeObject extends DracoObject {
    num_components(): number;
  }
  export interface DracoDecoder extends DracoObject {
    DecodeArrayToMesh(bytes: Int8Array, size: number, mesh: DracoMeshObject): { ok(): boolean; error_msg(): string };
    GetAttributeByUniqueId(mesh: DracoMeshObject, id: number): DracoAttributeObject;
    GetAttributeDataArrayForAllPoints(
      mesh: DracoMeshObject,
      attribute: DracoAttributeObject,
      type: number,
      size: number,
      at: number,
    ): boolean;
    GetTrianglesUInt32Array(mesh: DracoMeshObject, size: number, at: number): boolean;
  }
  export interface DracoModule {
    readonly Decoder: new () => DracoDecoder;
    readonly Mesh: new () => DracoMeshObject;
    readonly TRIANGULAR_MESH: number;
    readonly DT_INT8: number;
    readonly DT_UINT8: number;
    readonly DT_INT16: number;
    readonly DT_UINT16: number;
    readonly DT_UINT32: number;
    readonly DT_FLOAT32: number;
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    _malloc(size: number): number;
    _free(at: number): void;
    destroy(object: DracoObject): void;
  }
  export default function createModule(options: {
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
    onModuleLoaded(module: DracoModule): void;
  }): unknown;
}

/** The bundler's loader makes a style sheet into its text. */
declare module '*.css' {
  const text: string;
  export default text;
}
