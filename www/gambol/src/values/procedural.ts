// The options of spring bones and feet.

import type { JointRef, Vector } from './transforms.ts';

/** A sphere or a capsule that spring bones do not enter. @category Joints */
export interface SpringCollider {
  /** The joint that carries it. */
  readonly joint: JointRef;
  /** The centre, or the first end of a capsule, in joint space. Default: the joint. */
  readonly offset?: Vector;
  /** The second end of a capsule, in joint space. Default: `offset`, a sphere. */
  readonly tail?: Vector;
  /** The radius in metres of the model. */
  readonly radius: number;
}

/** Options of {@link Joint.spring}. The numbers are those of VRM's spring bones. @category Joints */
export interface SpringOptions {
  /** The force towards the animated direction, at least 0. Default: 1. */
  readonly stiffness?: number;
  /** The loss of velocity in each step of 1/60 s, `0..=1`. Default: 0.5. */
  readonly drag?: number;
  /** The strength of gravity. Default: 0. */
  readonly gravity?: number;
  /** The direction of gravity in world space. Default: down. */
  readonly gravityDirection?: Vector;
  /** The radius of the bones for collisions, in metres of the model. Default: 0. */
  readonly radius?: number;
  /**
   * The space that carries the chain: its motion does not make the chain swing. `world`, `model`, or a joint that is not below
   * the chain. Default: `world`.
   */
  readonly center?: JointRef;
  /** Shapes that the chain does not enter. Default: none. */
  readonly colliders?: readonly SpringCollider[];
}

/** A point of the ground. @category Joints */
export interface Ground {
  /** The height in metres, in world space. */
  readonly y: number;
  /** The direction away from the ground. Default: up. */
  readonly normal?: Vector;
}

/** The ground at a place in world space: a point, its height, or null where there is none. @category Joints */
export type GroundFunction = (x: number, z: number) => Ground | number | null | undefined;

/** Options of {@link Viewer.feet}. @category Joints */
export interface FeetOptions {
  /**
   * The ground: `flat`, the ground of the clips; a function; or an actor whose surface is the ground. It has the shadows of the
   * stage. Default: `flat`.
   */
  readonly ground?: 'flat' | GroundFunction | object;
  /** `true` to move the pelvis, so that all feet reach the ground. Default: true. */
  readonly pelvis?: boolean;
  /** The weight against the animated pose, `0..=1`. Default: 1. */
  readonly weight?: number;
  /** The joints of the feet, each at the end of two bones. Default: both feet of a human, found as for retargeting. */
  readonly joints?: readonly JointRef[];
}
