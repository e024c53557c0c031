// The words of the public API that the module takes, too, and their lists for checks. The module declares the same unions
// (`src/web/words.rs`), so a difference does not compile.

/** How a clip repeats: over and over, one time, or forwards and backwards in turn. */
export type LoopMode = 'repeat' | 'once' | 'pingpong';
export const LOOP_MODES: readonly LoopMode[] = ['repeat', 'once', 'pingpong'];

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
