// Chains, gaze, spring bones and feet of performers. A part of the script of the feature `body`.

import { GambolError, notUsed } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { gaze } from './gaze.ts';
import { goalOf, indexOf } from './goal.ts';
import { ShadowGround } from './shadow-ground.ts';
import type { Model } from '../load/model.ts';
import {
  checkedList,
  checkedNames,
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedWord,
  optionNames,
} from '../values/options.ts';
import type { FeetOptions, GroundFunction, SpringCollider, SpringOptions } from '../values/procedural.ts';
import {
  checkedWeight,
  numbers,
  type ChainLimit,
  type LookOptions,
  type ReachOptions,
  type Vector,
} from '../values/transforms.ts';
import type { Core, CoreLimit, CoreSprings, CoreStage } from '../wasm/core.ts';

/** The part of a performer that this script uses. */
interface Owner {
  readonly model: Model | null;
  number(): number;
  change(change: (stage: CoreStage, actor: number) => void): void;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
}

/** A performer with feet. */
interface Walker extends Owner {
  readonly engine: { readonly core: Pick<Core, 'features'> };
  addEventListener(type: 'frame', listener: () => void): void;
  removeEventListener(type: 'frame', listener: () => void): void;
}

/** The height in metres above a foot at which the search for the surface of an actor begins, and the searched height. */
const ABOVE = 1;
const DEPTH = 3;

function atLeast(least: number, value: number, name: string): number {
  if (checkedNumber(value, name) >= least) return value;
  throw new GambolError('argument/invalid', `${name} must be at least ${least}, not ${shown(value)}.`);
}

/** Sets the IK of a chain. `above` has the end, and all joints above it. */
export function reach(owner: Owner, above: readonly number[], target: Vector, options: ReachOptions): void {
  const { chain = 2, solver = 'fabrik', limits = [] } = options;
  if (!Number.isInteger(chain) || chain < 1 || chain >= above.length)
    throw new GambolError(
      'argument/invalid',
      `chain must be an integer from 1 to ${above.length - 1}, the number of joints above the end, not ${shown(chain)}.`,
    );
  checkedWord(solver, ['fabrik', 'ccd'], 'solver');
  const all = typeof limits === 'number' ? Array.from({ length: chain }, () => limits) : checkedList(limits, 'limits');
  const bounds = Array.from({ length: chain }, (_, i) => coreLimit(all[i] ?? null));
  const joints = Uint32Array.from(above.slice(0, chain + 1).reverse());
  const goal = goalOf(target, options);
  owner.change((stage, actor) => stage.joints.reachChain(actor, { joints, limits: bounds, ...goal, solver }));
}

function coreLimit(limit: ChainLimit): CoreLimit {
  if (limit === null) return { cone: undefined, hinge: undefined };
  if (typeof limit === 'number') return { cone: atLeast(0, limit, 'limit'), hinge: undefined };
  checkedObject(limit, 'limit');
  checkedNames(limit, ['axis', 'min', 'max'], 'A limit');
  const { axis, min = 0, max = Math.PI } = limit;
  const hinge = { axis: numbers(axis, 3, 'axis'), min: checkedNumber(min, 'min'), max: checkedNumber(max, 'max') };
  return { cone: undefined, hinge };
}

/** Sets the look-at of several joints. */
export function look(
  owner: Owner,
  eye: number,
  target: Vector,
  options: LookOptions,
  axis: Float32Array | undefined,
): void {
  const together = gaze(owner, eye, target, options, axis);
  owner.change((stage, actor) => stage.joints.setGaze(actor, together));
}

const SPRING = optionNames<SpringOptions>({
  stiffness: 0,
  drag: 0,
  gravity: 0,
  gravityDirection: 0,
  radius: 0,
  center: 0,
  colliders: 0,
});
const COLLIDER = optionNames<SpringCollider>({ joint: 0, offset: 0, tail: 0, radius: 0 });
const FEET = optionNames<FeetOptions>({ ground: 0, pelvis: 0, weight: 0, joints: 0 });

/** Sets the spring bones of a joint and of those below it. */
export function swing(owner: Owner, joint: number, options: SpringOptions | null): void {
  const springs = options === null ? undefined : springsOf(owner, options);
  let count = 0;
  owner.change((stage, actor) => {
    count = stage.joints.setSprings(actor, joint, springs);
  });
  if (springs && count === 0)
    throw new GambolError('argument/invalid', 'No joint is below this one, so nothing can swing.');
}

/** The spring bones of checked options, as the core takes them. */
function springsOf(owner: Owner, options: SpringOptions): CoreSprings {
  checkedOptions(options, SPRING, 'spring()');
  const {
    stiffness = 1,
    drag = 0.5,
    gravity = 0,
    gravityDirection = [0, -1, 0],
    radius = 0,
    center = 'world',
  } = options;
  const isJoint = center !== 'world' && center !== 'model';
  return {
    stiffness: atLeast(0, stiffness, 'stiffness'),
    gravity: checkedNumber(gravity, 'gravity'),
    gravityDirection: numbers(gravityDirection, 3, 'gravityDirection'),
    drag: checkedWeight(drag),
    radius: atLeast(0, radius, 'radius'),
    space: isJoint ? 'joint' : center,
    center: isJoint ? indexOf(owner, center) : undefined,
    colliders: checkedList(options.colliders ?? [], 'colliders').map((collider) => {
      checkedObject(collider, 'a collider');
      checkedNames(collider, COLLIDER, 'A collider');
      const { joint: carrier, offset = [0, 0, 0], tail = offset, radius: size } = collider;
      return {
        joint: indexOf(owner, carrier),
        offset: numbers(offset, 3, 'offset'),
        tail: numbers(tail, 3, 'tail'),
        radius: atLeast(0, size, 'radius'),
      };
    }),
  };
}

/** The functions that end the sampling of the ground. */
const ends = new WeakMap<Owner, () => void>();

/** Puts the feet on the ground; `null` ends it. */
export function stand(owner: Walker, options: FeetOptions | null): void {
  if (options === null) {
    ends.get(owner)?.();
    owner.change((stage, actor) => stage.joints.setFeet(actor, undefined));
    setShadowGround(owner, undefined);
    return;
  }
  checkedOptions(options, FEET, 'feet()');
  const { ground = 'flat', pelvis = true, weight = 1, joints = [] } = options;
  checkedWeight(weight);
  if (typeof pelvis !== 'boolean')
    throw new GambolError('argument/invalid', `pelvis must be true or false, not ${shown(pelvis)}.`);
  const feet = Uint32Array.from(checkedList(joints, 'joints'), (joint) => indexOf(owner, joint));
  const find = ground === 'flat' ? undefined : groundOf(owner, ground);
  let count = 0;
  owner.change((stage, actor) => {
    count = stage.joints.setFeet(actor, {
      joints: feet.length > 0 ? feet : undefined,
      isFlat: !find,
      movesPelvis: pelvis,
      weight,
    });
  });
  if (count === 0)
    throw new GambolError(
      'joint/not-found',
      'The model has no two legs that can be found. Name its feet: feet({ joints: ["FootL", "FootR"] }). Each needs two bones above it.',
    );
  ends.get(owner)?.();
  if (!find) {
    setShadowGround(owner, undefined);
    return;
  }
  try {
    const isSurface = typeof ground === 'function';
    follow(owner, count, find, isSurface ? new ShadowGround((x, z) => find(x, 0, z)[0] ?? NaN) : undefined);
  } catch (error) {
    stand(owner, null);
    throw error;
  }
}

type Find = (x: number, y: number, z: number) => readonly number[];

/** The function that finds height and normal of the ground at a foot; an empty list for none. */
function groundOf(owner: Walker, ground: GroundFunction | object): Find {
  if (typeof ground === 'function') return (x, _, z) => groundNumbers((ground as GroundFunction)(x, z));
  const other = ground as Partial<Owner> | null;
  if (typeof other?.number !== 'function' || (other as object) === owner)
    throw new GambolError(
      'argument/invalid',
      `ground must be flat, a function or another actor, not ${shown(ground)}.`,
    );
  if (!owner.engine.core.features.has('picking')) throw notUsed('picking', 'feet() on the surface of another actor');
  const leader = other as Owner;
  return (x, y, z) => {
    try {
      return Array.from(leader.readStage(({ query }, actor) => query.groundBelow(actor, x, y + ABOVE, z, DEPTH)));
    } catch {
      // The actor was removed.
      return [];
    }
  };
}

/** Height and normal; a height of NaN is no ground. */
function groundNumbers(found: ReturnType<GroundFunction>): readonly number[] {
  if (found === null || found === undefined) return [];
  const { y, normal = [0, 1, 0] } = typeof found === 'number' ? { y: found } : found;
  if (typeof y === 'number') return [y, ...numbers(normal, 3, 'normal')];
  throw new GambolError('argument/invalid', `The ground must be a number, null or { y, normal }, not ${shown(found)}.`);
}

/**
 * Sets the ground that receives shadows: its points, or none for the plane. An empty list is no ground. Without the feature `light`,
 * which has shadows, nothing was set; returns `false` then.
 */
function setShadowGround(owner: Walker, points: Float32Array | undefined): boolean {
  if (!owner.engine.core.features.has('light')) return false;
  owner.change((stage, actor) => stage.joints.setShadowGround(actor, points));
  return true;
}

/** Samples the ground after each frame, for the next one: below the feet, and where shadows may fall. */
function follow(owner: Walker, count: number, find: Find, surface: ShadowGround | undefined): void {
  const own = owner.number();
  const known = Array.from({ length: count }, () => [] as readonly number[]);
  let isShaded = false;
  const end = (): void => {
    owner.removeEventListener('frame', sample);
    ends.delete(owner);
  };
  const isOn = (): boolean => {
    try {
      return owner.number() === own;
    } catch {
      return false;
    }
  };
  const sample = (): void => {
    // Another model has no feet.
    if (!isOn()) return end();
    const coordinate = (foot: number, axis: number): number | undefined =>
      owner.readStage(({ query }, actor) => query.footPlace(actor, foot, axis));
    // All places first, since a place after a change needs another pose.
    const places = known.map((_, foot) => [0, 1, 2].map((axis) => coordinate(foot, axis)));
    for (const [foot, [x = NaN, y = NaN, z = NaN]] of places.entries()) {
      const [height = NaN, nx = 0, ny = 1, nz = 0] = find(x, y, z);
      const next = [x, height, z, nx, ny, nz];
      // If nothing has changed, no frame is needed.
      if (next.every((value, i) => Object.is(value, known[foot]?.[i]))) continue;
      known[foot] = next;
      const found = Number.isNaN(height) ? undefined : height;
      owner.change((stage, actor) => stage.joints.setGround(actor, foot, x, found, z, nx, ny, nz));
    }
    if (!owner.engine.core.features.has('light')) return;
    if (surface) {
      const points = surface.update(owner.readStage(({ query }) => query.shadowReach()));
      if (points) setShadowGround(owner, points);
    } else if (!isShaded) {
      // An actor has the shadows on its own surface.
      isShaded = setShadowGround(owner, new Float32Array());
    }
  };
  sample();
  ends.set(owner, end);
  owner.addEventListener('frame', sample);
}
