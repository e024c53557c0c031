// The types of transforms in the public API, and their checks.

import { GambolError } from '../base/errors.ts';
import { SPACES, type Space } from './words.ts';
import { shown } from '../base/shown.ts';
import { checkedOptions, optionNames } from './options.ts';

/** A point in metres, or a direction: finite numbers X, Y, Z. @category Viewers and actors */
export type Vector = readonly [x: number, y: number, z: number];
/** A rotation as a quaternion X, Y, Z, W of any length but 0. @category Viewers and actors */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** A transform of an actor or a model. Omitted properties are those of the identity. @category Viewers and actors */
export interface Place {
  /** The position in metres. Default: the origin. */
  readonly position?: Vector;
  /** The rotation. Default: none. */
  readonly rotation?: Quaternion;
  /** The scale: one factor for all three axes, or three. Default: 1. */
  readonly scale?: number | Vector;
}

/**
 * The space of an offset at a joint:
 *
 * - `metres`: metres of the joint's model along the joint's axes, without the scale of its chain, which is 0.01 or 100 in many
 *   files;
 * - `joint`: the joint's own space, with the scale of its chain.
 * @category Joints
 */
export type JointSpace = 'metres' | 'joint';

/** Options of {@link Joint.attach} and {@link Viewer.project}. @category Joints */
export interface JointSpaceOptions {
  /** Default: `metres`. */
  readonly space?: JointSpace;
}

/** The names of the properties of a place. */
export const PLACE_NAMES = optionNames<Place>({ position: 0, rotation: 0, scale: 0 });

/** The names of the properties of {@link JointTransform}. */
export const TRANSFORM = optionNames<JointTransform>({ translation: 0, rotation: 0, scale: 0 });
export const LOOK_OPTIONS = optionNames<LookOptions>({ space: 0, weight: 0, axis: 0, limit: 0, joints: 0, speed: 0 });
export const REACH_OPTIONS = optionNames<ReachOptions>({
  space: 0,
  weight: 0,
  middle: 0,
  root: 0,
  pole: 0,
  poleSpace: 0,
  chain: 0,
  solver: 0,
  limits: 0,
});

/** `true` if an offset is in the joint's own space. @throws {@link GambolError} `argument/invalid` */
export function inOwnUnits(options: JointSpaceOptions): boolean {
  checkedOptions(options, ['space'], 'A point at a joint');
  const { space = 'metres' } = options;
  if (space === 'metres' || space === 'joint') return space === 'joint';
  throw new GambolError('argument/invalid', `space must be metres or joint, not ${shown(space)}.`);
}

/** The transform of a joint. Omitted properties stay animated. @category Joints */
export interface JointTransform {
  /** The translation, relative to {@link OverrideOptions.space} and in its units. */
  readonly translation?: Vector;
  /** The rotation, relative to {@link OverrideOptions.space}. */
  readonly rotation?: Quaternion;
  /** The scale: one factor for all three axes, or three. */
  readonly scale?: number | Vector;
}

/** Options of {@link Joint.override}. @category Joints */
export interface OverrideOptions {
  /** The space of the transform. Default: `local`, the space of the joint's parent. */
  readonly space?: Space;
  /** The weight, `0..=1`, from the animated transform (0) to this one (1). Default: 1. */
  readonly weight?: number;
}

/** The common options of {@link Joint.lookAt} and {@link Joint.ik}. @category Joints */
export interface GoalOptions {
  /** The space of the target: world space or model space. Default: `world`. */
  readonly space?: Exclude<Space, 'local'>;
  /** The weight against the animated pose, `0..=1`. Default: 1. */
  readonly weight?: number;
}

/** Options of {@link Joint.lookAt}. @category Joints */
export interface LookOptions extends GoalOptions {
  /** The direction in joint space that points at the target. Default: {@link Model.front} in the rest pose. */
  readonly axis?: Vector;
  /** The largest angle from the animated direction, in radians. Default: π, no limit. */
  readonly limit?: number;
  /**
   * Further joints that turn, such as a spine, and their shares of the angle that the joints above have left, `0..=1`. The joint
   * itself takes the rest.
   */
  readonly joints?: Readonly<Record<string, number>>;
  /** The largest speed in radians per second of the timeline. A look-at with a speed fades at its end. Default: no limit. */
  readonly speed?: number;
}

/**
 * The method of inverse kinematics for chains: `fabrik` bends all joints alike, `ccd` those near the end most.
 * @category Joints
 */
export type ChainSolver = 'fabrik' | 'ccd';

/** A joint of a chain that only turns about one axis, like an elbow. @category Joints */
export interface HingeLimit {
  /** The axis in joint space. */
  readonly axis: Vector;
  /** The smallest angle from the animated pose in radians, `-π..=0`. Default: 0. */
  readonly min?: number;
  /** The largest angle in radians, `0..=π`. Default: π. */
  readonly max?: number;
}

/**
 * The limit of a joint in a chain: the largest angle from its animated direction in radians, a hinge, or null for none.
 * @category Joints
 */
export type ChainLimit = number | HingeLimit | null;

/** Options of {@link Joint.ik}. @category Joints */
export interface ReachOptions extends GoalOptions {
  /** The joint that bends: a knee, an elbow. Default: the parent of the joint. */
  readonly middle?: number | string;
  /** The root of the chain: a hip, a shoulder. Default: the parent of `middle`. */
  readonly root?: number | string;
  /** The direction in which `middle` points. Default: its animated direction; a straight chain needs a pole. */
  readonly pole?: Vector;
  /** The space of `pole`. Default: that of the target. */
  readonly poleSpace?: Exclude<Space, 'local'>;
  /**
   * The number of bones of a longer chain, such as a tail, which ends at the joint. Then `middle`, `root` and `pole` do not count.
   */
  readonly chain?: number;
  /** The method for a `chain`. Default: `fabrik`. */
  readonly solver?: ChainSolver;
  /** The limits of the joints of a `chain`, from the upper one on; a number counts for all of them. Default: none. */
  readonly limits?: number | readonly ChainLimit[];
}

/** Translation, rotation and scale in the form that the core takes. Throws `argument/invalid` for an invalid place. */
export function placeNumbers(place: Place): Float32Array {
  if (typeof place !== 'object' || (place as Place | null) === null) {
    throw new GambolError(
      'argument/invalid',
      `place must be an object with position, rotation and scale, not ${shown(place)}.`,
    );
  }
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } = place;
  return Float32Array.of(...numbers(position, 3, 'position'), ...checkedRotation(rotation), ...checkedScale(scale));
}

/** The place after a movement, in metres of the place's own space. */
export function movedPlace(
  place: Place,
  { position: [x, y, z], rotation: [rx, ry, rz, rw] }: { readonly position: Vector; readonly rotation: Quaternion },
): Place {
  const turns = rx !== 0 || ry !== 0 || rz !== 0;
  if (x === 0 && y === 0 && z === 0 && !turns) return place;
  const [px = 0, py = 0, pz = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = placeNumbers(place);
  const length = Math.hypot(qx, qy, qz, qw);
  const [a, b, c, w] = [qx / length, qy / length, qz / length, qw / length];
  const [vx, vy, vz] = [x * sx, y * sy, z * sz];
  // v + 2 q × (q × v + w v)
  const [cx, cy, cz] = [b * vz - c * vy + w * vx, c * vx - a * vz + w * vy, a * vy - b * vx + w * vz];
  const position = [
    px + vx + 2 * (b * cz - c * cy),
    py + vy + 2 * (c * cx - a * cz),
    pz + vz + 2 * (a * cy - b * cx),
  ] as const;
  if (!turns) return { ...place, position };
  const rotation = [
    w * rx + a * rw + b * rz - c * ry,
    w * ry - a * rz + b * rw + c * rx,
    w * rz + a * ry - b * rx + c * rw,
    w * rw - a * rx - b * ry - c * rz,
  ] as const;
  return { ...place, position, rotation };
}

export function numbers(value: readonly number[], length: number, name: string): Float32Array {
  // Copied before the check, because elements of a page's list may be getters with changing results.
  const list: unknown[] = Array.isArray(value) ? [...(value as readonly unknown[])] : [];
  if (list.length === length && list.every(Number.isFinite)) return Float32Array.from(list as number[]);
  throw new GambolError('argument/invalid', `${name} must be ${length} finite numbers, not ${shown(value)}.`);
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

/** Three numbers of a list of the core. @internal */
export function vectorAt(list: ArrayLike<number>, at = 0): Vector {
  return [list[at] ?? 0, list[at + 1] ?? 0, list[at + 2] ?? 0];
}

/** A box of the core with its corners as vectors; null without one. @internal */
export function cornersOf(
  box: { readonly min: ArrayLike<number>; readonly max: ArrayLike<number> } | undefined,
): { readonly min: Vector; readonly max: Vector } | null {
  return box ? { min: vectorAt(box.min), max: vectorAt(box.max) } : null;
}

/** A joint's name, exact or similar, or its index in the file. @category Joints */
export type JointRef = string | number;

/**
 * A point in a triangle: mesh and primitive in the file, three vertices, and their barycentric coordinates, whose sum is 1.
 * @category Points on the surface
 */
export type Surface = readonly [
  mesh: number,
  primitive: number,
  a: number,
  b: number,
  c: number,
  ofA: number,
  ofB: number,
  ofC: number,
];
