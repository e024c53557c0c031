// The shape of the WebAssembly module as this package uses it (`src/web` on the Rust side).
//
// wasm-bindgen writes its own declarations, but what comes back as a plain JS object is `any` there. One cast in
// `wasm.ts` gives it the types below, and the rest of the package sees only these.
//
// Each function of the module costs every page some hundred bytes, so many of one shape are one, which is told by a number what
// is meant. The enums and the lists of words here have the same names and the same order as those of `src/web`, where their
// members are explained; `tests/native/structure.rs` compares them. Those of crowds are in `crowd.ts`.

import type { CrowdCall } from './crowd.ts';
import type { GambolError } from './errors.ts';

/** How a clip repeats: over and over, one time, or forwards and backwards in turn. */
export type LoopMode = 'repeat' | 'once' | 'pingpong';
export const LOOP_MODES: readonly LoopMode[] = ['repeat', 'once', 'pingpong'];

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
export const BLOCK_FORMATS: readonly BlockFormat[] = ['bc1', 'bc3', 'bc7', 'etc2-rgb', 'etc2-rgba', 'astc-4x4'];

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
export const FRAMINGS: readonly Framing[] = ['clip', 'all-clips', 'pose', 'rest'];

/** What becomes of the way that clips go over the ground; see {@link Performer.setRootMotion}. */
export type RootMotion = 'keep' | 'in-place' | 'accumulate';
export const ROOT_MOTIONS: readonly RootMotion[] = ['keep', 'in-place', 'accumulate'];

/**
 * How joints that move a vertex together are blended: the mean of their matrices, as glTF has it (`linear`), by which meshes get thin
 * where joints twist or bend far; or the mean of their motions, by which they keep their volume (`dual-quaternion`).
 */
export type Skinning = 'linear' | 'dual-quaternion';
export const SKINNINGS: readonly Skinning[] = ['linear', 'dual-quaternion'];

/** What the transform of a joint is relative to: its parent, its model, the world. */
export type Space = 'local' | 'model' | 'world';
export const SPACES: readonly Space[] = ['local', 'model', 'world'];

/**
 * The way from one clip to another: `inertial`, the new one plays at once, and the difference to what was seen, and to its
 * speed, dies away; `crossfade`, the old one plays on and fades out; `cut`, at once. The difference of morph weights dies away
 * within 0.1 s, so that eyes which were shut open at once.
 */
export type TransitionMode = 'inertial' | 'crossfade' | 'cut';
export const TRANSITIONS: readonly TransitionMode[] = ['inertial', 'crossfade', 'cut'];

/**
 * Whether something goes along with what the performer plays: at the same fraction of its length (`phase`), or at the same
 * fraction between markers of the same names (`marker`), so that footsteps come together.
 */
export type SyncMode = 'none' | 'phase' | 'marker';
export const SYNCS: readonly SyncMode[] = ['none', 'phase', 'marker'];

/** How light becomes colour: Khronos PBR Neutral, AgX, ACES (S. Hill's fit), or cut off at 1. */
export type ToneMapping = 'neutral' | 'agx' | 'aces' | 'none';
export const TONE_MAPPINGS: readonly ToneMapping[] = ['none', 'neutral', 'agx', 'aces'];

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
  /** The most vertices of all meshes together, counted for each instance of EXT_mesh_gpu_instancing. Default: 33,554,432. */
  readonly vertices?: number;
  /** The most nodes. Default: 262,144. */
  readonly nodes?: number;
  /** The most nodes on a way from a root down. Default: 65,536. */
  readonly depth?: number;
  /** The most draws of a frame: primitives that nodes show. Instances of a mesh are one draw, unless they blend. Default: 65,536. */
  readonly draws?: number;
  /** The most instances (`EXT_mesh_gpu_instancing`) of all meshes together. Default: 131,072. */
  readonly instances?: number;
  /** The most joints of all nodes with a skin together, each counted as often as it is worn. Default: 4,194,304. */
  readonly joints?: number;
}

/** One file on its way in. */
export interface CoreImport {
  requests(): BufferRequest[];
  provide(index: number, bytes: Uint8Array): void;
  /** Says that the bytes of a request cannot be had, and why: parts that need them are left out with a warning. */
  skip(index: number, reason: string): void;
  /** To be asked when all buffers are there. */
  dracoRequests(): DracoRequest[];
  provideDraco(index: number, vertices: number, attributes: readonly Uint8Array[], indices: Uint32Array): void;
  /**
   * Decodes, when all that was asked for is there: to be called until it returns false. If the first call returns true, the others
   * make tangents that the file lacks, for which the rest is needed.
   */
  advance(): boolean;
  /** Consumes the import, also when it throws. */
  finish(): CoreAsset;
  free(): void;
}

/** What a page is told of a model once and for all. */
export interface ModelDescription {
  readonly clips: CoreClip[];
  /** The names of the variants of materials. */
  readonly variants: string[];
  /** The names of the cameras in the shown scene. */
  readonly cameras: string[];
  readonly joints: CoreJoint[];
  readonly info: ModelInfo;
}

/** An imported model: immutable, may be shown on several stages. */
export interface CoreAsset {
  describe(): ModelDescription;
  images(): ImageInfo[];
  imageBytes(index: number): Uint8Array | undefined;
  /** The first of them. */
  imageStart(index: number, length: number): Uint8Array | undefined;
  /** Takes the clips of another file, before a stage or a sampler has this. */
  addClips(from: CoreAsset): void;
  /** Compiles the model, a little at a time (about so many numbers); whether there is more to do. Before that it cannot be shown or sampled. */
  compile(numbers: number): boolean;
  warnings(): CoreWarning[];
  /** By its name, or a similar one; -1 for none. */
  findJoint(name: string): number;
  free(): void;
}

export type StageEventType =
  | 'play' | 'pause' | 'seeking' | 'seeked' | 'timeupdate' | 'marker' | 'loop' | 'finished' | 'clipchange' | 'ratechange';
export const STAGE_EVENTS: readonly StageEventType[] = ['play', 'pause', 'seeking', 'seeked', 'timeupdate', 'marker', 'loop', 'finished', 'clipchange', 'ratechange'];

/** Advances a stage to the page's clock and draws if anything changed; whether to call again. */
export function ticked(stage: CoreStage, now: number): boolean {
  const goesOn = stage.tick(now);
  if (goesOn < 0) stage.fail();
  return goesOn > 0;
}

/** Whether the box of an actor's pose is in `measured` of the stage now. */
export function measured(stage: CoreStage, actor: number): boolean {
  const shown = stage.measure(actor);
  if (shown < 0) stage.fail();
  return shown > 0;
}

/** No numbers. */
export const NOTHING: Float64Array = new Float64Array();

/** What happened on a stage; the numbers of `drainEvents` say it (see `src/web/stage/events.rs`). */
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
  /** How many events like this one were left out after a long gap. */
  readonly skipped: number;
  /** `loop`: how many passes are complete; `clipchange`: the index of the clip before, -1 for none. */
  readonly a: number;
  /** `clipchange`: the index of the clip now, -1 for none. */
  readonly b: number;
  /** `marker`: what it is called. */
  readonly name: string;
}

/** What there is to know about a track, or, from `Clip` on, about the actor. */
export const enum ActorValue {
  Paused, CurrentTime, Duration, Iteration, Finished, Rate, LoopMode, Repetitions, SegmentBegin, SegmentEnd,
  StartTime, Clip, Variant, ViewCamera,
}

/** What can be done to a track, or, from `Clip` on, to the actor. */
export const enum ActorChange {
  Play, Pause, Stop, Seek, Step, Rate, LoopMode, Repetitions, Segment, StartTime, Progress, Clip, Variant, ViewCamera,
  RootMotion, Remove, Detach, ClearOverride,
}

/** What changes by way of a transition. */
export const enum MixChange {
  Transition, BlendPosition, LayerWeight, RemoveLayer,
}

/** What there is to know about a stage. */
export const enum StageValue {
  Time, Frames, Framing, Events,
}

/** What can be done to a stage. */
export const enum StageChange {
  Time, Clock, Manual, CatchingUp, ResetClock, Scrub, Orbit, Pan, Zoom, ResetCamera, Frame, Framing, Studio, Sky, Skinning,
}

/** What a stage has of more numbers. */
export const enum StageList {
  Size, Background, Lighting,
}

/** What is answered with lists of numbers. */
export const enum Question {
  Camera, WorldFromJoint, Project, ProjectJoints, Pick, Surface, Stats, Still, Apart, Pass,
}

/**
 * One canvas with its GL objects, the actors and the camera.
 *
 * Lists of numbers are typed arrays that the package made itself, never a page's: the glue reads the `length` of a list more than
 * once, and a list that grows in between would be written past the end of its memory.
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
  /** Whether a model that was prepared is on the GPU as a whole, images included: another stage of the context may have brought it there. */
  isComplete(asset: CoreAsset): boolean;
  /** Takes a step. When it throws, the model is to be released. */
  advance(asset: CoreAsset, bytes: number, patience: boolean): number;
  /** Takes a model back that no actor shows. */
  release(asset: CoreAsset): void;
  /** Takes a step with the light. */
  advanceLight(bytes: number): number;
  // Images, for the next steps.
  /** The bitmap is closed when it is on the GPU. */
  setImage(asset: CoreAsset, index: number, bitmap: ImageBitmap): void;
  setImageRgba(asset: CoreAsset, index: number, width: number, height: number, rgba: Uint8Array): void;
  /** `format`: of `BLOCK_FORMATS`. */
  setImageCompressed(asset: CoreAsset, index: number, format: number, width: number, height: number, levels: readonly Uint8Array[]): void;

  /** Nothing changes when it throws. */
  add(asset: CoreAsset, place: Float32Array): number;
  place(actor: number, place: Float32Array): void;
  /** The way that root motion has added to the place, in metres of the model (3). */
  rootMotionDelta(actor: number): Float32Array;
  /** Takes that way back; what is played goes on from where the actor was placed. */
  resetRootMotion(actor: number): void;
  /** Throws `actor/cycle`, `joint/not-found`. */
  attach(actor: number, leader: number, joint: number, ownUnits: boolean, offset: Float32Array): void;
  poseHash(actor: number): string;
  /** A crowd has the number of the actor of which it was made. */
  crowd(id: number, which: CrowdCall, first: number, numbers: Float64Array): Float64Array;

  /** NaN for none. */
  actorValue(actor: number, track: number, which: ActorValue): number;
  /** Returns the number of the playback then. */
  changeActor(actor: number, track: number, which: ActorChange, a?: number, b?: number): number;

  // A source is a clip's index; or a blend space: its value (2), 1 if by markers, then of each point clip and place (3). A
  // transition is a mode, of `TRANSITIONS` or -1 for the actor's own, and seconds.
  mix(actor: number, track: number, which: MixChange, mode: number, seconds: number, a?: number, b?: number): void;
  /** By `sync`, of `SYNCS`, or at a time, if that is not NaN. Returns the number of the playback. */
  transitionTo(actor: number, source: Float32Array, mode: number, seconds: number, sync: number, at: number): number;
  checkSource(actor: number, source: Float32Array): void;
  /** `meets`: how it meets what is below. `reference`: clip and seconds, or nothing for the rest pose. Without patterns there is no mask. Returns the track. */
  addLayer(actor: number, source: Float32Array, meets: 'override' | 'average' | 'additive', reference: Float64Array, patterns: string[] | undefined, patternWeights: Float32Array, weight: number, sync: number, mode: number, seconds: number): number;
  setLayerMask(actor: number, layer: number, patterns: string[] | undefined, patternWeights: Float32Array): void;
  setMarkers(actor: number, clip: number, names: string[], times: Float64Array): void;

  /** Translation (3), rotation (4) and scale (3), NaN where they are left out; in one of `SPACES`. */
  setOverride(actor: number, joint: number, to: Float32Array, space: number, weight: number): void;
  /** 0 to look, 1 to reach; 1 for the world's space; weight; place, whose NaN ends it; limit and perhaps axis, or root, middle and perhaps pole. */
  setGoal(actor: number, joint: number, numbers: Float32Array): void;

  /** The picture is used up. */
  setEnvironment(picture: CoreHdr, sky: boolean): void;
  stageValue(which: StageValue): number;
  changeStage(which: StageChange, a?: number, b?: number): void;
  /** Radians and metres; numbers that are not finite change nothing. */
  setCamera(azimuth: number, polar: number, distance: number, x: number, y: number, z: number, fovY: number): void;
  /** Lists of a wrong length change nothing. */
  setList(which: StageList, numbers: Float32Array): void;
  /** The actor is any where the question is about none. */
  ask(which: Question, actor: number, about: Float64Array): Float64Array;
  /** Distance and target X, Y, Z of the automatic camera where it is or glides to; empty if it was moved, or if nothing is shown. */
  framedCamera(): Float64Array;
  /** `true` if the picture is framed as a still of the present clips is. */
  framesAsStill(): boolean;
  /** `true` if the automatic camera has followed a larger clip since the last call. */
  cameraGlided(): boolean;
  /** Sets whether the automatic camera glides out for a larger clip, or cuts. */
  setCameraGlides(glides: boolean): void;
  /** The metres from the first surface on the line from the camera to a point of the world, to that point; 0 if none is before it. */
  occlusion(x: number, y: number, z: number): number;
  /** Moves the timeline by so many seconds; whether there are events to take. */
  elapse(seconds: number): boolean;
  /** 1 if the box of an actor's pose is in {@link CoreStage.measured}, 0 if nothing is shown, −1 if {@link CoreStage.fail} throws why. */
  measure(actor: number): number;
  /** A view of the six numbers; empty when the memory has grown since. */
  measured(): Float64Array;
  /** Least and greatest corner of the smallest box around all vertices of the actor's pose; nothing if nothing is shown. */
  tightBounds(actor: number): Float64Array;
  /** 1 if there will be something to do next frame, 0 if not, −1 if {@link CoreStage.fail} throws why it failed; see {@link ticked}. */
  tick(nowMs: number): number;
  fail(): void;
  draw(): void;
  drainEvents(): Float64Array;
  /** Begins anew in a context that was restored; light and the models of actors have to be brought there again. */
  restore(): void;
  /** Bits of overlays, the number of what surfaces show (-1: materials), and the joint whose weights are shown. */
  setDebug(overlays: number, surface: number, joint: string): void;
  free(): void;
}

/** A WebGL2 context, for one stage or for many. */
export interface CoreContext {
  /** Whether the browser took it away. */
  readonly lost: boolean;
  /** Tells that the browser took it away, with all GL objects. */
  lose(): void;
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

/** What a pose consists of. */
export const enum PoseList {
  Transforms, Matrices, Weights,
}

/** Poses of an asset, without a stage. */
export interface CoreSampler {
  /** The rest pose if there is no such clip. */
  sample(clip: number, time: number): void;
  list(which: PoseList): Float32Array;
  hash(): string;
  free(): void;
}

/** An instance of the module. */
export interface Core {
  /** Calls the listener once should the instance stop: everything else throws `wasm/panic` from then on. Returns how to take it back. */
  onPanic(listener: (error: GambolError) => void): () => void;
  /**
   * Makes a call that works on nothing but an import, which is to be thrown away if this throws `load/chunk`: what it needs of the rest
   * of the module cannot be foreseen, and the instance goes on.
   */
  spare<T>(call: () => T): T;
  /** Starts the rest of the module, see `rest.ts`, so that the page need not stand still when it is called. */
  prepare(): Promise<void>;
  version(): string;
  readonly Hdr: new (bytes: Uint8Array) => CoreHdr;
  readonly Import: new (bytes: Uint8Array, limits: ImportLimits) => CoreImport;
  readonly Sampler: new (asset: CoreAsset) => CoreSampler;
  readonly Context: new (canvas: HTMLCanvasElement, antialias: boolean) => CoreContext;
  readonly Stage: new (context: CoreContext, cpuSkinning: boolean) => CoreStage;
}
