// The options and results of root motion.

import type { JointRef, Quaternion, Vector } from './transforms.ts';

/** Options of {@link Performer.setRootMotion} with `accumulate` and `extract`. @category Playback */
export interface RootMotionOptions {
  /**
   * The rotation that is part of root motion: the turn about the vertical axis (`yaw`), the whole rotation with the vertical
   * movement (`full`), or `none`. It counts for clips that end in another direction than they begin. Default: `yaw`.
   */
  readonly rotation?: 'yaw' | 'full' | 'none';
  /** `true` if the vertical movement is part of root motion. Default: `false`. */
  readonly vertical?: boolean;
  /**
   * The feet whose contact with the ground moves clips that walk on the spot: their joints, each at the end of two bones. `true`
   * finds those of a human by their names; `false` for none. Default: `true`.
   */
  readonly contact?: boolean | readonly JointRef[];
}

/** A movement in the space of the model that moves, before the movement. @category Playback */
export interface Movement {
  /** The change of position in metres of the model. */
  readonly position: Vector;
  /** The change of rotation. */
  readonly rotation: Quaternion;
  /** The turn about the vertical axis in radians, `-π..=π`, positive to the left. */
  readonly yaw: number;
}

/**
 * The root motion of a performer; see {@link Performer.travel}. The movement itself is that of the last frame.
 * @category Playback
 */
export interface Travel extends Movement {
  /**
   * The movement since {@link Performer.setRootMotion} was called, or, with `accumulate`, since {@link Performer.place} was set.
   */
  readonly total: Movement;
  /** The velocity now, in metres per second, in the space of the model. */
  readonly velocity: Vector;
  /** The turn about the vertical axis now, in radians per second. */
  readonly turnRate: number;
}

/**
 * The root motion of a clip; see {@link Performer.clipTravel}. The movement itself is that from its start to its end.
 * @category Playback
 */
export interface ClipTravel extends Movement {
  /** The velocity at the time, in metres per second, in the space of the model. */
  readonly velocity: Vector;
  /** The turn about the vertical axis at the time, in radians per second. */
  readonly turnRate: number;
}
