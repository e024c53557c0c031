// The shape of the WebAssembly module as this package uses it (`src/web` on the Rust side).
//
// wasm-bindgen writes its own declarations, but what comes back as a plain JS object is `any` there. One cast in
// `wasm.ts` gives it the types below, and the rest of the package sees only these.

import type { GambolError } from './errors.ts';

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
}

/** How GPUs pack images. */
export type BlockFormat = 'bc1' | 'bc3' | 'bc7' | 'etc2-rgb' | 'etc2-rgba' | 'astc-4x4';

export interface CoreClip {
  readonly index: number;
  readonly name: string;
  readonly duration: number;
  readonly channels: number;
  readonly fps: number;
  readonly markers: readonly { readonly name: string; readonly time: number }[];
}

/** A node of the model; its index in the file is its place in the list. */
export interface CoreJoint {
  readonly name: string;
  /** The index of the parent, -1 for none. */
  readonly parent: number;
  /** Whether a skin uses it. */
  readonly joint: boolean;
}

/** What the camera shows by itself. */
export type Framing = 'clip' | 'all-clips' | 'pose' | 'rest';

/** What the transform of a joint is relative to: its parent, its model, the world. */
export type Space = 'local' | 'model' | 'world';

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
  /** Decodes, when all that was asked for is there: to be called until it returns false. */
  advance(): boolean;
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
  /** The names of the cameras in the shown scene. */
  cameras(): string[];
  imageBytes(index: number): Uint8Array | undefined;
  /** Takes the clips of another file, before a stage or a sampler has this. */
  addClips(from: CoreAsset): void;
  warnings(): CoreWarning[];
  info(): ModelInfo;
  joints(): CoreJoint[];
  /** By its name, or a similar one; -1 for none. */
  findJoint(name: string): number;
  free(): void;
}

export type StageEventType =
  | 'play' | 'pause' | 'seeking' | 'seeked' | 'timeupdate' | 'marker' | 'loop' | 'finished' | 'clipchange' | 'ratechange';

export interface StageEvent {
  /** The number of the actor. */
  readonly actor: number;
  /** What it happened to: 0 the base, else a layer. */
  readonly track: number;
  /** Which playback it belongs to: another one each time that playing starts. */
  readonly playback: number;
  readonly type: StageEventType;
  /** Clip time in seconds at which it happened; exact, not the frame's. */
  readonly time: number;
  readonly iteration?: number;
  /** `marker`: what it is called. */
  readonly name?: string;
  /** `clipchange`: clip indices, -1 for none. */
  readonly from?: number;
  readonly to?: number;
  /** How many events like this one were left out after a long gap. */
  readonly skipped?: number;
}

/**
 * One canvas with its GL objects, the actors and the camera.
 *
 * Actors go by numbers that are never given twice: `actor/removed` is thrown for those that are gone. A `track` is what an
 * actor plays: 0 the base, others layers. A place has ten numbers: translation, rotation (X, Y, Z, W), scale. A `joint` is
 * the index of a node in the file.
 */
export interface CoreStage {
  // On the way to the GPU. A step returns 0 when all is there, 1 if there is more to do, 2 if the GPU is at work, so that
  // going on now would hold up the page; without patience it never returns 2. `bytes` is the most that goes to the GPU in it.
  /** Begins with a model, unless that was done before. */
  prepare(asset: CoreAsset): void;
  /** Takes a step. When it throws, the model is to be released. */
  advance(asset: CoreAsset, bytes: number, patience: boolean): number;
  /** Takes a model back that no actor shows. */
  release(asset: CoreAsset): void;
  /** Takes a step with the light. */
  advanceLight(bytes: number, patience: boolean): number;
  // Images, for the next steps.
  /** The bitmap is closed when it is on the GPU. */
  setImage(asset: CoreAsset, index: number, bitmap: ImageBitmap): void;
  setImageRgba(asset: CoreAsset, index: number, width: number, height: number, rgba: Uint8Array): void;
  setImageCompressed(asset: CoreAsset, index: number, format: BlockFormat, width: number, height: number, levels: readonly Uint8Array[]): void;

  /** Nothing changes when it throws. */
  add(asset: CoreAsset, place: Float32Array): number;
  remove(actor: number): void;
  place(actor: number, place: Float32Array): void;
  /** Throws `actor/cycle`, `joint/not-found`. */
  attach(actor: number, leader: number, joint: number, offset: Float32Array): void;
  detach(actor: number): void;
  /** The index of the variant of materials, -1 for none. */
  variant(actor: number): number;
  setVariant(actor: number, index: number): void;
  /** 0 keeps the way that clips go, 1 takes it out, 2 adds it up. */
  setRootMotion(actor: number, motion: number): void;
  /** The index of the actor's camera that is looked through, -1 for the stage's own or another's. */
  viewCamera(actor: number): number;
  setViewCamera(actor: number, index: number): void;
  /** The least corner and the greatest; empty if nothing is shown. */
  bounds(actor: number): Float32Array;
  poseHash(actor: number): string;

  /** Plays the base's clip, or, with -1, what the track has; returns the number of the playback. */
  play(actor: number, track: number, clip: number): number;
  /** Makes a clip of the base the current one without playing it. */
  choose(actor: number, track: number, clip: number): void;
  pause(actor: number, track: number): void;
  stop(actor: number, track: number): void;
  seek(actor: number, track: number, time: number): void;
  step(actor: number, track: number, frames: number): void;
  paused(actor: number, track: number): boolean;
  /** The base's clip, -1 without one. */
  clip(actor: number): number;
  currentTime(actor: number, track: number): number;
  duration(actor: number, track: number): number;
  iteration(actor: number, track: number): number;
  finished(actor: number, track: number): boolean;
  rate(actor: number, track: number): number;
  setRate(actor: number, track: number, rate: number): void;
  loopMode(actor: number, track: number): LoopMode;
  setLoopMode(actor: number, track: number, mode: LoopMode): void;
  repetitions(actor: number, track: number): number;
  setRepetitions(actor: number, track: number, repetitions: number): void;

  /** Begin and end in seconds. */
  segment(actor: number, track: number): Float64Array;
  /** Anything but two numbers is all. */
  setSegment(actor: number, track: number, segment: Float64Array): void;
  startTime(actor: number, track: number): number | undefined;
  setStartTime(actor: number, track: number, time: number): void;
  /** Scrubs: markers on the way happen. */
  setProgress(actor: number, track: number, fraction: number): void;
  /** The number of what is being played. */
  playback(actor: number, track: number): number;

  // A source is a clip's index; or a blend space: its value (2), 1 if by markers, then of each point clip and place (3). A
  // transition is a word and seconds, `''` for the actor's own.
  setTransition(actor: number, mode: string, seconds: number): void;
  /** Returns the number of the playback. */
  transitionTo(actor: number, source: Float32Array, mode: string, seconds: number, sync: string, at: number | undefined): number;
  checkSource(actor: number, source: Float32Array): void;
  setBlendPosition(actor: number, track: number, x: number, y: number, mode: string, seconds: number): void;
  /** `reference`: clip and seconds, or nothing for the rest pose. Without patterns there is no mask. Returns the track. */
  addLayer(actor: number, source: Float32Array, additive: boolean, reference: Float64Array, patterns: string[] | undefined, patternWeights: Float32Array, weight: number, sync: string, mode: string, seconds: number): number;
  setLayerWeight(actor: number, layer: number, weight: number, mode: string, seconds: number): void;
  setLayerMask(actor: number, layer: number, patterns: string[] | undefined, patternWeights: Float32Array): void;
  removeLayer(actor: number, layer: number, mode: string, seconds: number): void;
  setMarkers(actor: number, clip: number, names: string[], times: Float64Array): void;

  setOverride(actor: number, joint: number, translation: Float32Array | undefined, rotation: Float32Array | undefined, scale: Float32Array | undefined, space: Space, weight: number): void;
  clearOverride(actor: number, joint: number): void;
  /** 0 to look, 1 to reach; 1 for the world's space; weight; place, whose NaN ends it; limit and perhaps axis, or root, middle and perhaps pole. */
  setGoal(actor: number, joint: number, numbers: Float32Array): void;
  /** 16 numbers, column after column. */
  worldFromJoint(actor: number, joint: number): Float32Array;
  /** Of the joint's space, of the world for -1: CSS pixels from the left and the top, metres in front of the camera, and 1 if it is in front of it. */
  project(actor: number, joint: number, x: number, y: number, z: number): Float32Array;

  /** CSS pixels → point, normal, node, actor, surface; empty for nothing. */
  pick(x: number, y: number): Float32Array;
  /** Eight numbers → point, normal; empty for nothing. */
  surface(actor: number, at: Float32Array): Float32Array;

  /** Device pixels, and how many of them a CSS pixel has. */
  resize(width: number, height: number, pixelRatio: number): void;
  setBackground(rgba?: Float32Array): void;
  /** The picture is used up. */
  setEnvironment(picture: CoreHdr): void;
  /** The light of the studio, or none. */
  setStudio(on: boolean): void;
  /** Rotation, intensity, exposure, tone curve (none, neutral, AgX, ACES), sky, its blur, shadows: intensity, softness. */
  setLighting(numbers: Float32Array): void;
  /** The timeline in seconds. */
  readonly time: number;
  /** Forwards or backwards. */
  setTime(seconds: number): void;
  /** Whether only `setTime` moves the timeline, not `tick`. */
  setManual(manual: boolean): void;
  /** Calls the present time something else; nothing moves. */
  setClock(seconds: number): void;
  /** Sets what everybody plays to a fraction of its segment. */
  scrub(fraction: number): void;
  /** Whether a tick makes up for long gaps. */
  setCatchingUp(on: boolean): void;
  tick(nowMs: number): boolean;
  draw(): void;
  drainEvents(): StageEvent[];
  resetClock(): void;
  orbit(dAzimuth: number, dPolar: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetCamera(): void;
  frame(): void;
  framing: Framing;
  cameraState(): Float64Array;
  setCameraState(state: Float64Array): void;
  /** How many frames were drawn. */
  readonly frames: number;
  /** Begins anew in a context that was restored; light and the models of actors have to be brought there again. */
  restore(): void;
  /** Bits of overlays, the number of what surfaces show (-1: materials), and the joint whose weights are shown. */
  setDebug(overlays: number, surface: number, joint: string): void;
  /** For each node of the file: CSS pixels from the left and the top, and metres in front of the camera, 0 behind it. */
  projectJoints(actor: number): Float32Array;
  /** What frames cost, as `stats.ts` reads it. */
  stats(): Float64Array;
  free(): void;
}

/** A WebGL2 context, for one stage or for many. */
export interface CoreContext {
  /** Whether the browser took it away. */
  readonly lost: boolean;
  /** Begins anew after it was lost and given back; then all stages in it are to be restored. */
  restore(): void;
  free(): void;
}

/** A picture of light, Radiance's `.hdr`. */
export interface CoreHdr {
  /** Reads about as many pixels; whether there are more. */
  advance(pixels: number): boolean;
  free(): void;
}

/** Poses of an asset, without a stage. */
export interface CoreSampler {
  /** The rest pose if there is no such clip. */
  sample(clip: number, time: number): void;
  /** Ten numbers a node, in the order of the file. */
  transforms(): Float32Array;
  /** Sixteen numbers a node: columns. */
  matrices(): Float32Array;
  weights(): Float32Array;
  hash(): string;
  free(): void;
}

/** An instance of the module. */
export interface Core {
  /** Calls the listener once should the instance stop: everything else throws `wasm/panic` from then on. Returns how to take it back. */
  onPanic(listener: (error: GambolError) => void): () => void;
  /** Starts the rest of the module, see `rest.ts`, so that the page need not stand still when it is called. */
  prepare(): Promise<void>;
  version(): string;
  readonly Hdr: new (bytes: Uint8Array) => CoreHdr;
  readonly Import: new (bytes: Uint8Array, limits: ImportLimits) => CoreImport;
  readonly Sampler: new (asset: CoreAsset) => CoreSampler;
  readonly Context: new (canvas: HTMLCanvasElement, antialias: boolean) => CoreContext;
  readonly Stage: new (context: CoreContext, cpuSkinning: boolean) => CoreStage;
}
