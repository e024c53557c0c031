// The words of the public API that the module takes, too, and their lists for checks. The module declares the same unions
// (`src/web/words.rs`), so a difference does not compile.

/** The repetition of a clip: over and over, one time, or forwards and backwards in turn. */
export type LoopMode = 'repeat' | 'once' | 'pingpong';
export const LOOP_MODES: readonly LoopMode[] = ['repeat', 'once', 'pingpong'];

/** The poses that an automatic camera frames. */
export type Framing = 'clip' | 'all-clips' | 'pose' | 'rest';
export const FRAMINGS: readonly Framing[] = ['clip', 'all-clips', 'pose', 'rest'];

/** The treatment of root motion, the way that clips go over the ground; see {@link Performer.setRootMotion}. */
export type RootMotion = 'keep' | 'in-place' | 'accumulate';
export const ROOT_MOTIONS: readonly RootMotion[] = ['keep', 'in-place', 'accumulate'];

/**
 * The blending of joints that move a vertex together: the mean of their matrices, as glTF has it (`linear`), by which meshes get thin
 * where joints twist or bend far; or the mean of their motions, by which they keep their volume (`dual-quaternion`).
 */
export type Skinning = 'linear' | 'dual-quaternion';
export const SKINNINGS: readonly Skinning[] = ['linear', 'dual-quaternion'];

/** The space that a transform of a joint is relative to: its parent, its model, the world. */
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
 * Synchronisation of a clip with the one that the performer plays: none, at the same fraction of its length (`phase`), or at the same
 * fraction between markers of the same names (`marker`), so that footsteps come together.
 */
export type SyncMode = 'none' | 'phase' | 'marker';
export const SYNCS: readonly SyncMode[] = ['none', 'phase', 'marker'];

/** The tone curve from light to colour: Khronos PBR Neutral, AgX, ACES (S. Hill's fit), or cut off at 1. */
export type ToneMapping = 'neutral' | 'agx' | 'aces' | 'none';
export const TONE_MAPPINGS: readonly ToneMapping[] = ['none', 'neutral', 'agx', 'aces'];
