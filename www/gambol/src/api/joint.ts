// Joints, as a page handles them.

import { GambolError } from '../base/errors.ts';
import type { JointInfo, JointRef, Model } from '../load/model.ts';
import type { CoreStage } from '../wasm/core.ts';
import { checkedNumber, checkedObject } from '../values/options.ts';
import { checkedRotation, checkedScale, checkedSpace, checkedWeight, inOwnUnits, numbers, placeNumbers, type GoalOptions, type JointSpaceOptions, type JointTransform, type LookOptions, type OverrideOptions, type Place, type ReachOptions, type Vector } from '../values/transforms.ts';
import type { Space } from '../values/words.ts';
import { shown } from '../base/shown.ts';

/** The performer that a joint belongs to, as far as joints need it. @internal */
export interface JointOwner {
  readonly model: Model | null;
  number(): number;
  change(change: (stage: CoreStage, actor: number) => void): void;
  onStage<T>(look: (stage: CoreStage, actor: number) => T): T;
  follow(element: HTMLElement, joint: Joint, point: Float32Array, ownUnits: boolean): () => void;
  /** Remembers an actor that follows one of its joints, or forgets it. */
  lead(follower: JointFollower, on: boolean): void;
}

/** A character that can follow a joint: an {@link Actor}. */
export interface JointFollower {
  /** The place relative to the joint; see {@link Actor.place}. */
  place: Place;
  /** Takes it off the stage; see {@link Actor.remove}. */
  remove(): void;
  /** Follows a joint; returns how to end that. @internal */
  attach(leader: JointOwner, joint: Joint, offset: Place, ownUnits: boolean): () => void;
  /** Its leader shows another model. @internal */
  reattach(): void;
}

/**
 * A joint, or any other node, of an actor. Made by {@link Viewer.joint} and {@link Actor.joint}.
 *
 * When the viewer shows another model, its joints are those of the same names there.
 *
 * ```js
 * const head = viewer.joint('Head');
 * head.override({ rotation: [0, 0.3, 0, 0.95] });
 * const detach = head.attach(document.querySelector('#label'), [0, 0.2, 0]);
 * ```
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

  /** As the file has it. */
  get name(): string {
    return this.#info.name;
  }

  /** Place in the file's list of nodes. @throws {@link GambolError} `joint/not-found` if the model of now has no such joint. */
  get index(): number {
    const { model } = this.#performer;
    if (!model) throw new GambolError('joint/not-found', `There is no model whose joint “${this.name}” could be.`);
    if (model !== this.#model) {
      // By name: indices of another file mean something else.
      this.#info = model.findJoint(this.name);
      this.#model = model;
    }
    return this.#info.index;
  }

  /** The node above it, or null. */
  get parent(): Joint | null {
    const { parent } = this.#model.findJoint(this.index);
    return parent === null ? null : new Joint(this.#performer, this.#model, parent);
  }

  /** The nodes right below it. */
  get children(): readonly Joint[] {
    const { index } = this;
    const below = this.#model.joints.filter(({ parent }) => parent === index);
    return below.map((child) => new Joint(this.#performer, this.#model, child.index));
  }

  /** The matrix that takes its space into the world, at this moment: 16 numbers, column after column; a copy. */
  get world(): Float32Array {
    const { index } = this;
    return this.#performer.onStage(({ query }, actor) => query.worldFromJoint(actor, index));
  }

  /**
   * Puts the joint somewhere after animation, in every frame from now on; everything below it follows. Another call takes
   * the place of the one before, `null` leaves the joint to its animation again.
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`
   */
  override(to: JointTransform | null, options: OverrideOptions = {}): void {
    const { index } = this;
    checkedObject(options, 'override()');
    if (to === null) return this.#performer.change(({ joints }, actor) => joints.clearOverride(actor, index));
    checkedObject(to, 'a transform');
    const free = [NaN, NaN, NaN];
    const transform = Float32Array.of(
      ...(to.translation ? numbers(to.translation, 3, 'translation') : free),
      ...(to.rotation ? checkedRotation(to.rotation) : [...free, NaN]),
      ...(to.scale === undefined ? free : checkedScale(to.scale)),
    );
    const space = checkedSpace(options.space ?? 'local');
    const weight = checkedWeight(options.weight ?? 1);
    this.#performer.change(({ joints }, actor) => joints.setOverride(actor, index, transform, space, weight));
  }

  /**
   * Turns the joint the short way to a place, in every frame from now on, after animation and after {@link Joint.override}; everything
   * below it follows. Another call takes the place of the one before, `null` ends it.
   *
   * ```js
   * viewer.joint('Head').lookAt([0, 1.6, 5], { limit: 1, weight: 0.8 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`
   */
  lookAt(target: Vector | null, given: LookOptions = {}): void {
    const { index } = this;
    checkedObject(given, 'lookAt()');
    const { axis, limit = Math.PI, ...options } = given;
    checkedNumber(limit, 'limit');
    const direction = axis && numbers(axis, 3, 'axis');
    if (target === null) return this.#performer.change(({ joints }, actor) => joints.endLookAt(actor, index));
    const goal = goalOf(target, options);
    this.#performer.change(({ joints }, actor) => joints.lookAt(actor, index, ...goal, limit, direction));
  }

  /**
   * Lets the joint reach for a place, in every frame from now on, after animation: the chain of two bones above it turns at its root
   * and bends in the middle, exactly so that the joint is there, or, where that is too far or too near, in that direction. The
   * joint keeps its rotation to its parent; {@link Joint.override} may give it another. Another call takes the place of the one before,
   * `null` ends it.
   *
   * ```js
   * viewer.joint('HandR').ik([0.4, 1.2, 0.3], { pole: [0, 0, -1] });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, also if the chain's joints do not hang one below the other; `joint/not-found`
   */
  ik(target: Vector | null, given: ReachOptions = {}): void {
    checkedObject(given, 'ik()');
    const { middle, root, pole, ...options } = given;
    const above: number[] = [];
    for (let up = this.parent; up; up = up.parent) above.push(up.index);
    const place = (ref: JointRef | undefined, usual: number): number => (ref === undefined ? usual : above.indexOf(this.#model.findJoint(ref).index));
    const bends = place(middle, 0);
    const [m, r] = [above[bends], above[place(root, bends + 1)]];
    if (m === undefined || r === undefined || above.indexOf(r) <= bends) {
      throw new GambolError('argument/invalid', `The joints of a chain hang one below the other; there is none above “${this.name}” like that.`);
    }
    const { index } = this;
    const direction = pole && numbers(pole, 3, 'pole');
    if (target === null) return this.#performer.change(({ joints }, actor) => joints.endReach(actor, index));
    const goal = goalOf(target, options);
    this.#performer.change(({ joints }, actor) => joints.reach(actor, index, m, r, ...goal, direction));
  }

  /**
   * Lets an actor or an HTML element follow the joint; returns how to end that.
   *
   * An actor stands at the joint, moved by `offset` (a place, or a position), and by its own place on top. It keeps its size, relative
   * to the joint's model. It stays where it is when it is detached or the joint's actor goes.
   *
   * Offsets are metres of the joint's model along the joint's axes. With `space: 'joint'` they are in the joint's own space, and an
   * actor is scaled by the joint's chain, too.
   *
   * An element is to lie beside the canvas in the same positioned box; it becomes `position: absolute` at the box's top
   * left, and its CSS `translate` is set after each frame so that its own top left corner is at `offset` (use
   * `transform: translate(-50%, -100%)` to put another point of it there). While the point is behind the camera it is
   * `hidden`, otherwise it has the attribute `data-visible`.
   *
   * @throws {@link GambolError} `joint/not-found`, `actor/cycle`, `actor/removed`, `argument/invalid`
   */
  attach(target: JointFollower | HTMLElement, offset: Vector | Place = [0, 0, 0], options: JointSpaceOptions = {}): () => void {
    const ownUnits = inOwnUnits(options);
    const place: Place = Array.isArray(offset) ? { position: offset as unknown as Vector } : offset as Place;
    if (target instanceof HTMLElement) return this.#performer.follow(target, this, placeNumbers(place).slice(0, 3), ownUnits);
    if (typeof (target as JointFollower | null | undefined)?.attach !== 'function') {
      throw new GambolError('argument/invalid', `An actor or an element of the page is attached, not ${shown(target)}.`);
    }
    return target.attach(this.#performer, this, place, ownUnits);
  }
}

/** A place to look at or to reach for, as the core takes it. */
function goalOf(target: Vector, { space = 'world', weight = 1 }: GoalOptions): readonly [target: Float32Array, space: Space, weight: number] {
  // The core knows no goals that are relative to a parent.
  return [numbers(target, 3, 'target'), checkedSpace(space) === 'world' ? 'world' : 'model', checkedWeight(weight)];
}
