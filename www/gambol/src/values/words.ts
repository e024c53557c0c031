// The string unions of the public API that the WebAssembly module also takes, and their values for checks. The module declares
// the same unions (`src/web/words.rs`), so a difference does not compile.

/** The loop mode of a clip: `repeat`, `once`, or forwards and backwards in turn (`pingpong`). @category Playback */
export type LoopMode = 'repeat' | 'once' | 'pingpong';
export const LOOP_MODES: readonly LoopMode[] = ['repeat', 'once', 'pingpong'];

/** The poses that an automatic camera frames; see {@link Viewer.framing}. @category Camera */
export type Framing = 'clip' | 'all-clips' | 'pose' | 'rest';
export const FRAMINGS: readonly Framing[] = ['clip', 'all-clips', 'pose', 'rest'];

/**
 * The treatment of root motion, the movement of clips over the ground; see {@link Performer.setRootMotion}.
 * @category Playback
 */
export type RootMotion = 'keep' | 'in-place' | 'accumulate' | 'extract';
export const ROOT_MOTIONS: readonly RootMotion[] = ['keep', 'in-place', 'accumulate', 'extract'];

/**
 * The skinning method. `linear`, the method of glTF, is the weighted mean of joint matrices; meshes lose volume at joints that
 * twist or bend far. `dual-quaternion` is the weighted mean of rigid motions, which keeps the volume.
 * @category Pictures
 */
export type Skinning = 'linear' | 'dual-quaternion';
export const SKINNINGS: readonly Skinning[] = ['linear', 'dual-quaternion'];

/** The space that a transform of a joint is relative to: its parent, its model, the world. @category Joints */
export type Space = 'local' | 'model' | 'world';
export const SPACES: readonly Space[] = ['local', 'model', 'world'];

/**
 * The transition from one clip to another:
 *
 * | value | transition |
 * |---|---|
 * | `inertial` | the new clip plays; the old motion slows down to rest and gives way to it, without overshoot |
 * | `crossfade` | the old clip plays on and fades out |
 * | `cut` | no transition |
 *
 * With `inertial`, morph weights change within 0.1 s, so that eyelids do not lag behind.
 * @category Playback
 */
export type TransitionMode = 'inertial' | 'crossfade' | 'cut';
export const TRANSITIONS: readonly TransitionMode[] = ['inertial', 'crossfade', 'cut'];

/**
 * The synchronisation of a clip with the performer's clip: none, at the same fraction of its length (`phase`), or at the same
 * fraction between markers of the same names (`marker`), so that footsteps coincide.
 * @category Playback
 */
export type SyncMode = 'none' | 'phase' | 'marker';
export const SYNCS: readonly SyncMode[] = ['none', 'phase', 'marker'];

/** The tone mapping: Khronos PBR Neutral, AgX, ACES (S. Hill's fit), or none, which clamps at 1. @category Lighting */
export type ToneMapping = 'neutral' | 'agx' | 'aces' | 'none';
export const TONE_MAPPINGS: readonly ToneMapping[] = ['none', 'neutral', 'agx', 'aces'];

/**
 * A feature: a part of gambol that is fetched for the first call that needs it. {@link use} prepares synchronous calls.
 *
 * | feature | contents |
 * |---|---|
 * | `body` | feet, spring bones, chains, look-at of several joints, root motion |
 * | `crowds` | crowds |
 * | `decoding` | compressed meshes, and what files rarely have or lack |
 * | `extras` | debug views, pictures of other sizes and times, films, sprites, flip-books, billboards, other skinning |
 * | `faces` | expressions, blinks, glances |
 * | `light` | environments from files, skies, shadows |
 * | `materials` | changes of materials |
 * | `picking` | points on the surface |
 * | `retargeting` | clips of other files, human bones |
 * | `states` | state machines |
 * @category Features
 */
export type FeatureName =
  | 'body'
  | 'crowds'
  | 'decoding'
  | 'extras'
  | 'faces'
  | 'light'
  | 'materials'
  | 'picking'
  | 'retargeting'
  | 'states';
export const FEATURES: readonly FeatureName[] = [
  'body',
  'crowds',
  'decoding',
  'extras',
  'faces',
  'light',
  'materials',
  'picking',
  'retargeting',
  'states',
];
