// Transforms as pages write them, checked.

import { GambolError } from '../base/errors.ts';
import { SPACES, type Space } from './words.ts';
import { shown } from '../base/shown.ts';
import { checkedObject } from './options.ts';

export type Vector = readonly [x: number, y: number, z: number];
/** A rotation; its length does not matter. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Where something stands. What is left out is as for something that was not moved. */
export interface Place {
  /** Metres. */
  readonly position?: Vector;
  readonly rotation?: Quaternion;
  /** One number for all three axes, or three. */
  readonly scale?: number | Vector;
}

/**
 * The units of an offset at a joint: metres of its model (`metres`: at the joint, turned as it is, without the scale of its chain, which is
 * 0.01 or 100 in many files), or the joint's own space (`joint`), which is scaled as its chain is.
 */
export type JointSpace = 'metres' | 'joint';

/** Options of {@link Joint.attach} and {@link Viewer.project}. */
export interface JointSpaceOptions {
  /** Default: `metres`. */
  readonly space?: JointSpace;
}

/** Whether an offset is in the joint's own units. */
export function inOwnUnits(options: JointSpaceOptions): boolean {
  checkedObject(options, 'attach() and project()');
  const { space = 'metres' } = options;
  if (space === 'metres' || space === 'joint') return space === 'joint';
  throw new GambolError('argument/invalid', `space must be metres or joint, not ${shown(space)}.`);
}

/** Where a joint shall be; what is left out stays as it is animated. */
export interface JointTransform {
  readonly translation?: Vector;
  readonly rotation?: Quaternion;
  readonly scale?: number | Vector;
}

/** Options of {@link Joint.override}. */
export interface OverrideOptions {
  /** What the transform is relative to. Default: `local`, the joint's parent. */
  readonly space?: Space;
  /** How far it goes from the animated transform to this one, `0..=1`. Default: 1. */
  readonly weight?: number;
}

/** What {@link Joint.lookAt} and {@link Joint.ik} have in common. */
export interface GoalOptions {
  /** What the place, and the pole, are in: the world, or the model, wherever that stands. Default: `world`. */
  readonly space?: Exclude<Space, 'local'>;
  /** How far it goes from the animated pose, `0..=1`. Default: 1. */
  readonly weight?: number;
}

/** Options of {@link Joint.lookAt}. */
export interface LookOptions extends GoalOptions {
  /** The direction of the joint's own space that is to point at the place. Default: the one that is the model's +Z at rest, where models look. */
  readonly axis?: Vector;
  /** The most that it turns away from where it is animated to look, in radians. Default: π, any way. */
  readonly limit?: number;
}

/** Options of {@link Joint.ik}. */
export interface ReachOptions extends GoalOptions {
  /** The joint that bends: a knee, an elbow. Default: the one above. */
  readonly middle?: number | string;
  /** The joint at which the chain hangs: a hip, a shoulder. Default: the one above `middle`. */
  readonly root?: number | string;
  /** The direction in which `middle` points. Default: the one in which it is animated to; a chain that is straight needs one. */
  readonly pole?: Vector;
}

/** Translation, rotation and scale as the core takes them. Throws `argument/invalid` if `place` is no object, or a part is no number. */
export function placeNumbers(place: Place): Float32Array {
  if (typeof place !== 'object' || (place as Place | null) === null) {
    throw new GambolError('argument/invalid', `A place must be an object with position, rotation and scale, not ${shown(place)}.`);
  }
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } = place;
  return Float32Array.of(...numbers(position, 3, 'position'), ...checkedRotation(rotation), ...checkedScale(scale));
}

/** The place with `way`, in metres of its own space, added to its position. */
export function movedPlace(place: Place, [x = 0, y = 0, z = 0]: ArrayLike<number> & Iterable<number>): Place {
  if (x === 0 && y === 0 && z === 0) return place;
  const [px = 0, py = 0, pz = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = placeNumbers(place);
  const length = Math.hypot(qx, qy, qz, qw);
  const [a, b, c, w] = [qx / length, qy / length, qz / length, qw / length];
  const [vx, vy, vz] = [x * sx, y * sy, z * sz];
  // v + 2 q × (q × v + w v)
  const [cx, cy, cz] = [b * vz - c * vy + w * vx, c * vx - a * vz + w * vy, a * vy - b * vx + w * vz];
  return { ...place, position: [px + vx + 2 * (b * cz - c * cy), py + vy + 2 * (c * cx - a * cz), pz + vz + 2 * (a * cy - b * cx)] };
}

export function numbers(value: readonly number[], length: number, what: string): Float32Array {
  // Copied before it is checked: the elements of a page's list may be getters that answer differently the next time.
  const list: unknown[] = Array.isArray(value) ? [...(value as readonly unknown[])] : [];
  if (list.length === length && list.every(Number.isFinite)) return Float32Array.from(list as number[]);
  throw new GambolError('argument/invalid', `${what} must be ${length} finite numbers, not ${shown(value)}.`);
}

export function checkedRotation(value: Quaternion): Float32Array {
  const rotation = numbers(value, 4, 'rotation');
  if (rotation.some((component) => component !== 0)) return rotation;
  throw new GambolError('argument/invalid', 'rotation must be a quaternion (X, Y, Z, W), not four zeros.');
}

export function checkedScale(value: number | Vector): Float32Array {
  return numbers(typeof value === 'number' ? [value, value, value] : value, 3, 'scale');
}

export function checkedSpace(value: Space): Space {
  if (SPACES.includes(value)) return value;
  throw new GambolError('argument/invalid', `space must be local, model or world, not ${shown(value)}.`);
}

export function checkedWeight(value: number): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new GambolError('argument/invalid', `weight must be a number from 0 to 1, not ${shown(value)}.`);
}

/** The first six numbers; null for nothing. @internal */
export function placeAndNormal([px, py, pz, nx, ny, nz]: Float64Array): { readonly position: Vector; readonly normal: Vector } | null {
  if (px === undefined || py === undefined || pz === undefined || nx === undefined || ny === undefined || nz === undefined) return null;
  return { position: [px, py, pz], normal: [nx, ny, nz] };
}
