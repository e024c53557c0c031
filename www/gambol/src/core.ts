// The shape of the WebAssembly module as this package uses it (`src/web` on the Rust side).
//
// wasm-bindgen writes its own declarations, but what comes back as a plain JS object is `any` there. One cast in
// `wasm.ts` gives it the types below, and the rest of the package sees only these.

/** How a clip repeats: over and over, one time, or forwards and backwards in turn. */
export type LoopMode = 'repeat' | 'once' | 'pingpong';

/** An external buffer that the file names and that has to be fetched before the import can finish. */
export interface BufferRequest {
  readonly index: number;
  /** As the file spells it: relative, percent-encoded or not. */
  readonly uri: string;
  /** Bytes the file declares. */
  readonly byteLength: number;
  readonly pointer: string;
}

/** A mesh that Draco has encoded and that has to be decoded before the import can finish. */
export interface DracoRequest {
  readonly index: number;
  readonly bytes: Uint8Array;
  /** What is wanted: Draco's id, GL's component type, how many components a vertex has. */
  readonly attributes: readonly { readonly id: number; readonly type: number; readonly components: number }[];
  /** The most bytes that attributes and indices may take once decoded. */
  readonly byteLimit: number;
  readonly pointer: string;
}

/** An image of the model: embedded (see `CoreAsset.imageBytes`) or external (`uri`). */
export interface ImageInfo {
  readonly index: number;
  readonly name: string;
  readonly mimeType?: string;
  readonly uri?: string;
  /** The image to take in its place if its format is not known here. */
  readonly fallback?: number;
  /** Whether any texture shows it. */
  readonly used: boolean;
  readonly pointer: string;
}

/** How GPUs pack images. */
export type BlockFormat = 'bc1' | 'bc3' | 'bc7' | 'etc2-rgb' | 'etc2-rgba' | 'astc-4x4';

export interface CoreClip {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly duration: number;
  readonly channels: number;
  readonly fps: number;
}

export interface CoreWarning {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
}

/** What the model consists of, in numbers. */
export interface ModelInfo {
  readonly nodes: number;
  readonly joints: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly morphTargets: number;
  readonly materials: number;
  readonly scenes: number;
  readonly cameras: number;
}

/** How much a file may ask for, as far as import is concerned. */
export interface ImportLimits {
  /** The most bytes of decoded vertices, keys and JSON. Default: 1 GiB, and 64 times the file if that is less but above 64 MiB. */
  readonly decodedBytes?: number;
  /** The most vertices of all meshes together. Default: 16,777,216. */
  readonly vertices?: number;
  /** The most nodes. Default: 262,144. */
  readonly nodes?: number;
  /** The most nodes on a way from a root down. Default: 65,536. */
  readonly depth?: number;
}

/** One file on its way in. */
export interface CoreImport {
  requests(): BufferRequest[];
  provide(index: number, bytes: Uint8Array): void;
  /** To be asked when all buffers are there. */
  dracoRequests(): DracoRequest[];
  provideDraco(index: number, vertices: number, attributes: readonly Uint8Array[], indices: Uint32Array): void;
  /** Consumes the import, also when it throws. */
  finish(): CoreAsset;
  free(): void;
}

/** An imported model: immutable, may be shown on several stages. */
export interface CoreAsset {
  clips(): CoreClip[];
  images(): ImageInfo[];
  /** The names of the variants of materials. */
  variants(): string[];
  /** The names of the cameras in the shown scene, unique. */
  cameras(): string[];
  imageBytes(index: number): Uint8Array | undefined;
  warnings(): CoreWarning[];
  info(): ModelInfo;
  free(): void;
}

export type StageEventType =
  | 'play' | 'pause' | 'seeking' | 'seeked' | 'timeupdate' | 'loop' | 'finished' | 'clipchange' | 'ratechange';

export interface StageEvent {
  readonly type: StageEventType;
  /** Clip time in seconds at which it happened; exact, not the frame's. */
  readonly time: number;
  readonly iteration?: number;
  /** `clipchange`: clip indices, -1 for none. */
  readonly from?: number;
  readonly to?: number;
  /** How many events like this one were left out after a long gap. */
  readonly skipped?: number;
}

/** One canvas with its GL objects, the player and the camera. */
export interface CoreStage {
  /** Empties the stage first, so it is empty also when this throws. */
  setAsset(asset: CoreAsset): void;
  clear(): void;
  setImage(index: number, bitmap: ImageBitmap): void;
  setImageRgba(index: number, width: number, height: number, rgba: Uint8Array): void;
  setImageCompressed(index: number, format: BlockFormat, width: number, height: number, levels: readonly Uint8Array[]): void;
  /** Device pixels, and how many of them a CSS pixel has. */
  resize(width: number, height: number, pixelRatio: number): void;
  setBackground(rgba?: Float32Array): void;
  tick(nowMs: number): boolean;
  draw(): void;
  drainEvents(): StageEvent[];
  /** -1 is the current clip. */
  play(clip: number): void;
  /** Makes a clip the current one without playing it. */
  choose(clip: number): void;
  pause(): void;
  stop(): void;
  seek(time: number): void;
  step(frames: number): void;
  readonly paused: boolean;
  readonly clip: number;
  readonly currentTime: number;
  readonly duration: number;
  readonly iteration: number;
  readonly finished: boolean;
  rate: number;
  loopMode: LoopMode;
  repetitions: number;
  /** The index of the variant of materials, -1 for none. */
  readonly variant: number;
  setVariant(index: number): void;
  /** The index of the asset's camera that is looked through, -1 for the stage's own. */
  readonly viewCamera: number;
  setViewCamera(index: number): void;
  resetClock(): void;
  orbit(dAzimuth: number, dPolar: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetCamera(): void;
  cameraState(): Float64Array;
  setCameraState(state: Float64Array): void;
  readonly contextLost: boolean;
  poseHash(): string;
  liveObjects(): Record<string, number>;
  free(): void;
}

/** The module, initialised. */
export interface Core {
  version(): string;
  readonly Import: new (bytes: Uint8Array, limits: ImportLimits) => CoreImport;
  readonly Stage: new (canvas: HTMLCanvasElement, options: { antialias: boolean; cpuSkinning: boolean }) => CoreStage;
}
