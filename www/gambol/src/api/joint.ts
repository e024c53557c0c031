// Joints of actors: overrides, look-at, two-bone IK and attachments.

import { GambolError } from '../base/errors.ts';
import { noModel, type JointInfo, type Model } from '../load/model.ts';
import { scriptOf } from './features.ts';
import { coreSpace, goalOf } from './goal.ts';
import type { Engine } from '../stage/engine.ts';
import type { CoreStage } from '../wasm/core.ts';
import { checkedNames, checkedNumber, checkedObject, checkedOptions } from '../values/options.ts';
import {
  LOOK_OPTIONS,
  REACH_OPTIONS,
  TRANSFORM,
  checkedRotation,
  checkedScale,
  checkedSpace,
  checkedWeight,
  inOwnUnits,
  numbers,
  placeNumbers,
  type JointRef,
  type JointSpaceOptions,
  type JointTransform,
  type LookOptions,
  type OverrideOptions,
  type Place,
  type ReachOptions,
  type Vector,
} from '../values/transforms.ts';
import type { SpringOptions } from '../values/procedural.ts';
import { isByAxis, type BillboardMode } from '../values/sprites.ts';
import { shown } from '../base/shown.ts';

/** The part of a performer that its joints use. @internal */
export interface JointOwner {
  readonly model: Model | null;
  number(): number;
  readonly engine: Pick<Engine, 'needs'>;
  change(change: (stage: CoreStage, actor: number) => void): void;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
  follow(element: HTMLElement, joint: Joint, point: Float32Array, ownUnits: boolean): () => void;
  /** Adds (`on`) or removes an actor that follows one of its joints. */
  setFollower(follower: JointFollower, on: boolean): void;
}

/**
 * An object that can follow a joint. Only an {@link Actor} is one: {@link Joint.attach} refuses other objects with
 * `argument/invalid`.
 * @category Joints
 */
export interface JointFollower {
  /** The place relative to the joint; see {@link Actor.place}. */
  place: Place;
  /** Removes the actor from the stage; see {@link Actor.remove}. */
  remove(): void;
  /** Attaches the actor to a joint; returns a function that detaches it. @internal */
  attach(leader: JointOwner, joint: Joint, offset: Place, ownUnits: boolean): () => void;
  /** Detaches the actor. @internal */
  detach(): void;
  /** Attaches the actor again after its leader has changed its model. @internal */
  reattach(): void;
}

/**
 * A joint, or any other node, of an actor. Made by {@link Viewer.joint} and {@link Actor.joint}.
 *
 * After the viewer has loaded another model, a `Joint` stands for the joint of the same name in that model.
 *
 * ```js
 * const head = viewer.joint('Head');
 * head.override({ rotation: [0, 0.3, 0, 0.95] });
 * const detach = head.attach(document.querySelector('#label'), [0, 0.2, 0]);
 * ```
 * @category Joints
 */
export class Joint {
  readonly #performer: JointOwner;
  #model: Model;
  #info: JointInfo;

  /** @internal */
  constructor(performer: JointOwner, model: Model, ref: JointRef) {
    this.#performer = performer;
    this.#model = model;
    this.#info = model.findJoint(ref);
  }

  /** The name of the node in the file. */
  get name(): string {
    return this.#info.name;
  }

  /**
   * The index of the node in the file.
   *
   * @throws {@link GambolError} `joint/not-found` if the current model has no joint of this name.
   */
  get index(): number {
    const { model } = this.#performer;
    if (!model) throw new GambolError('joint/not-found', noModel(shown(this.name)));
    if (model !== this.#model) {
      // Found by name, because an index of another file is another node.
      this.#info = model.findJoint(this.name);
      this.#model = model;
    }
    return this.#info.index;
  }

  /** The parent node, or null for a root. */
  get parent(): Joint | null {
    const { parent } = this.#model.findJoint(this.index);
    return parent === null ? null : new Joint(this.#performer, this.#model, parent);
  }

  /** The child nodes. */
  get children(): readonly Joint[] {
    const { index } = this;
    const below = this.#model.joints.filter(({ parent }) => parent === index);
    return below.map((child) => new Joint(this.#performer, this.#model, child.index));
  }

  /** The current matrix from joint space to world space: 16 numbers, column-major; a copy. */
  get world(): Float32Array {
    const { index } = this;
    return this.#performer.readStage(({ query }, actor) => query.worldFromJoint(actor, index));
  }

  /**
   * `true` if the node is shown in the current pose: it, and all nodes above it. Set it to show or hide the node with all nodes below
   * it, in place of the file and its animation (KHR_node_visibility); set it to `null` to end that. It has an effect on meshes and
   * lights, and none on skinned meshes that only have joints below the node.
   *
   * ```js
   * viewer.node('Helmet').visible = false;
   * ```
   *
   * @throws {@link GambolError} `joint/not-found`; when set, `argument/invalid` unless it is true, false or null
   */
  get visible(): boolean {
    const { index } = this;
    return this.#performer.readStage(({ query }, actor) => query.isShown(actor, index));
  }

  set visible(to: boolean | null) {
    const { index } = this;
    if (to !== null && typeof to !== 'boolean')
      throw new GambolError('argument/invalid', `visible must be true, false or null, not ${shown(to)}.`);
    this.#performer.change(({ joints }, actor) => joints.setShown(actor, index, to ?? undefined));
  }

  /**
   * Overrides the transform of the joint after animation, in every frame from now on; its descendants follow. A later call
   * replaces the one before; `null` returns the joint to its animation.
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`
   */
  override(to: JointTransform | null, options: OverrideOptions = {}): void {
    const { index } = this;
    checkedOptions(options, ['space', 'weight'], 'override()');
    if (to === null) return this.#performer.change(({ joints }, actor) => joints.clearOverride(actor, index));
    checkedObject(to, 'transform');
    checkedNames(to, TRANSFORM, 'The transform of override()');
    const translation = to.translation && numbers(to.translation, 3, 'translation');
    const rotation = to.rotation && Float32Array.from(checkedRotation(to.rotation));
    const scale = to.scale === undefined ? undefined : Float32Array.from(checkedScale(to.scale));
    const space = checkedSpace(options.space ?? 'local');
    const weight = checkedWeight(options.weight ?? 1);
    this.#performer.change(({ joints }, actor) =>
      joints.setOverride(actor, index, translation, rotation, scale, space, weight),
    );
  }

  /**
   * Rotates the joint towards a point (look-at) by yaw and pitch, in every frame from now on, after animation and
   * {@link Joint.override}. It keeps upright, and gives up smoothly for targets far beyond `limit`. Its descendants follow. A later call replaces the one before; `null` ends it. With `joints` or `speed`
   * several joints turn together; a performer has one such look-at, which needs the feature `body`.
   *
   * ```js
   * viewer.joint('Head').lookAt([0, 1.6, 5], { limit: 1, weight: 0.8 });
   * viewer.joint('Head').lookAt([2, 1.6, 2], { joints: { Spine: 0.2, Neck: 0.4 }, speed: 4 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`, `feature/not-used`
   */
  lookAt(target: Vector | null, options: LookOptions = {}): void {
    const { index } = this;
    checkedOptions(options, LOOK_OPTIONS, 'lookAt()');
    const { axis, limit = Math.PI } = options;
    checkedNumber(limit, 'limit');
    const direction = axis && numbers(axis, 3, 'axis');
    if (target === null) return this.#performer.change(({ joints }, actor) => joints.endLookAt(actor, index));
    if (options.joints || options.speed !== undefined) {
      const { look } = scriptOf('body', 'lookAt() with joints or speed');
      return look(this.#performer, index, target, options, direction);
    }
    const goal = { ...goalOf(target, options), limit, axis: direction };
    this.#performer.change(({ joints }, actor) => joints.lookAt(actor, index, goal));
  }

  /**
   * Moves the joint to a point by two-bone IK, or with `chain` by IK of a longer chain, in every frame from now on, after
   * animation. The chain of two bones above the joint turns at its root and bends at its middle joint. If the point is out of
   * reach, the joint lies in the direction of the point. The joint keeps its rotation relative to its parent; {@link
   * Joint.override} can replace it. A later call replaces the one before; `null` ends it. A `chain` needs the feature `body`.
   *
   * ```js
   * viewer.joint('HandR').ik([0.4, 1.2, 0.3], { pole: [0, 0, -1] });
   * viewer.joint('Tail5').ik([0, 0.2, -0.6], { chain: 4, solver: 'ccd', limits: 0.8 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if `root` is not an ancestor of `middle`, or `middle` not of the joint;
   * `joint/not-found`, `feature/not-used`
   */
  ik(target: Vector | null, options: ReachOptions = {}): void {
    checkedOptions(options, REACH_OPTIONS, 'ik()');
    const { middle, root, pole, space = 'world', poleSpace = space } = options;
    const above: number[] = [];
    for (let up = this.parent; up; up = up.parent) above.push(up.index);
    if (target === null) {
      const { index } = this;
      return this.#performer.change(({ joints }, actor) => joints.endReach(actor, index));
    }
    if (options.chain !== undefined) {
      const { reach } = scriptOf('body', 'ik() of a chain');
      return reach(this.#performer, [this.index, ...above], target, options);
    }
    const place = (ref: JointRef | undefined, fallback: number): number =>
      ref === undefined ? fallback : above.indexOf(this.#model.findJoint(ref).index);
    const middleAt = place(middle, 0);
    const [middleIndex, rootIndex] = [above[middleAt], above[place(root, middleAt + 1)]];
    if (middleIndex === undefined || rootIndex === undefined || above.indexOf(rootIndex) <= middleAt) {
      throw new GambolError(
        'argument/invalid',
        `The IK chain of “${this.name}” is not in the hierarchy: middle must be an ancestor of it, and root an ancestor of middle.`,
      );
    }
    const { index } = this;
    const goal = {
      ...goalOf(target, options),
      middle: middleIndex,
      root: rootIndex,
      pole: pole && numbers(pole, 3, 'pole'),
      poleSpace: coreSpace(poleSpace),
    };
    this.#performer.change(({ joints }, actor) => joints.reach(actor, index, goal));
  }

  /**
   * Makes the joint and all joints below it swing, in every frame from now on, after all other changes. Each branch is a chain,
   * whose last joint only is its end. A later call replaces the one before, and the springs of the file (VRM); `null` ends them.
   * Needs the feature `body`.
   *
   * ```js
   * viewer.joint('Tail1').spring({ stiffness: 0.6, drag: 0.2, gravity: 0.3 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if no joint is below it; `joint/not-found`, `feature/not-used`
   */
  spring(options: SpringOptions | null = {}): void {
    scriptOf('body', 'spring()').swing(this.#performer, this.index, options);
  }

  /**
   * Turns the geometry of the joint, and of all joints below it, to the camera, in every frame from now on; `null` ends it. Pictures,
   * shadows, picking and bounds have the turned geometry. The joint itself keeps its animated rotation: {@link Joint.world} and
   * attachments do not turn. Needs the feature `extras`.
   *
   * ```js
   * viewer.joint('Sign').billboard('axis');
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`, `feature/not-used`
   */
  billboard(mode: BillboardMode | null = 'full'): void {
    this.#performer.engine.needs('extras', 'billboard()');
    const { index } = this;
    const byAxis = isByAxis(mode);
    this.#performer.change(({ joints }, actor) => joints.setBillboard(actor, index, byAxis));
  }

  /**
   * Attaches an {@link Actor} or an HTML element to the joint; returns a function that detaches it.
   *
   * An actor follows the joint at `offset` (a place or a position), to which its own place is added. It keeps its size relative
   * to the joint's model. When it is detached, or the joint's actor is removed, it stays at its current place.
   *
   * Offsets are metres of the joint's model along the joint's axes. With `space: 'joint'` they are in joint space, and the scale
   * of the joint's chain applies to the actor, too.
   *
   * An element must be a sibling of the canvas in the same positioned box. It becomes `position: absolute` at the top left of
   * this box. After each frame its CSS `translate` is set so that its top left corner is at `offset`; `transform: translate(-50%,
   * -100%)` puts another point of it there. It is `hidden` while the point is behind the camera; otherwise it has the attribute
   * `data-visible`.
   *
   * @throws {@link GambolError} `joint/not-found`, `actor/cycle`, `actor/removed`, `argument/invalid`
   */
  attach(
    target: JointFollower | HTMLElement,
    offset: Vector | Place = [0, 0, 0],
    options: JointSpaceOptions = {},
  ): () => void {
    const ownUnits = inOwnUnits(options);
    const place: Place = Array.isArray(offset) ? { position: offset as unknown as Vector } : (offset as Place);
    if (target instanceof HTMLElement)
      return this.#performer.follow(target, this, placeNumbers(place).slice(0, 3), ownUnits);
    if (typeof (target as JointFollower | null | undefined)?.attach !== 'function') {
      throw new GambolError(
        'argument/invalid',
        `target of attach() must be an actor or an HTML element, not ${shown(target)}.`,
      );
    }
    return target.attach(this.#performer, this, place, ownUnits);
  }
}
