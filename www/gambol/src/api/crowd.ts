// Crowds: many members of one model, drawn together. `Viewer.addCrowd` loads this script with the first crowd.

import { findClip, type ClipRef } from '../values/clips.ts';
import type { CoreStage } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { isLoss } from '../stage/graphics-context.ts';
import { GambolError } from '../base/errors.ts';
import type { LoadOptions } from '../load/import-model.ts';
import type { JointInfo, Model } from '../load/model.ts';
import type { Vector } from '../values/transforms.ts';
import { moment } from '../base/scheduling.ts';
import { LOOP_MODES, type LoopMode } from '../values/words.ts';
import { checkedObject } from '../values/options.ts';
import { shown } from '../base/shown.ts';

/** How members of a crowd that are small on screen are posed: ahead, where nobody can see it, or in each frame. */
export type UpdateRate = 'auto' | 'full';
export const UPDATE_RATES: readonly UpdateRate[] = ['auto', 'full'];

/**
 * What members of a crowd are to have; what is left out stays. Lists are of any kind of array and have one entry, or as many numbers as
 * are said, for each member from `first` on; one number, or one clip, is for all of them.
 */
export interface CrowdMembers {
  /** The first member that is meant. Default: 0. */
  readonly first?: number;
  /** Metres, X, Y, Z of each. */
  readonly positions?: ArrayLike<number>;
  /** Quaternions, X, Y, Z, W of each; their length does not matter. */
  readonly rotations?: ArrayLike<number>;
  /** Above 0. */
  readonly scales?: number | ArrayLike<number>;
  /** Clips, or their ids, names or indices. Who gets another clip is at its beginning. */
  readonly clips?: ClipRef | ArrayLike<ClipRef>;
  /** Where they are in their clips now: seconds, `0..=duration`. */
  readonly times?: number | ArrayLike<number>;
  /**
   * In place of `times`: the time of the timeline ({@link Viewer.now}) at which their clips begin, or have begun. Who repeats plays before
   * it, too.
   */
  readonly starts?: number | ArrayLike<number>;
  /** Speed: 1 is as made, negative is backwards, 0 stands still. A change moves nobody. */
  readonly rates?: number | ArrayLike<number>;
  /** Red, green, blue, alpha of each: linear numbers by which the base colour is multiplied. Alpha counts for materials that have it. */
  readonly tints?: ArrayLike<number>;
}

/** Options of {@link Viewer.addCrowd}. */
export interface CrowdOptions extends CrowdMembers, LoadOptions {
  /** How many members there are. Default: as many as the lists are for, and none without a list. */
  readonly count?: number;
  /** See {@link Crowd.loopMode}. Default: `repeat`. */
  readonly loopMode?: LoopMode;
  /** See {@link Crowd.transitionDuration}. Default: 0. */
  readonly transitionDuration?: number;
  /** See {@link Crowd.updateRate}. Default: `auto`. */
  readonly updateRate?: UpdateRate;
  /** See {@link Crowd.baked}. Default: false. */
  readonly baked?: boolean;
}

/** What {@link Crowd.pick} finds. */
export interface PickedMember {
  /** Its number in the crowd. */
  readonly member: number;
  /** Metres of the world. */
  readonly position: Vector;
  /** Of length 1, towards the camera. */
  readonly normal: Vector;
  /** The node of the model that moves the place most. */
  readonly joint: JointInfo;
}

/** The lists of numbers, how many a member has of each, and the call that takes them. */
const LISTS = [
  ['positions', 3, 'setPositions'], ['rotations', 4, 'setRotations'], ['scales', 1, 'setScales'], ['tints', 4, 'setTints'],
  // A clip puts its member at the beginning, so it goes before the times.
  ['clips', 1, 'setClips'], ['rates', 1, 'setRates'], ['times', 1, 'setTimes'], ['starts', 1, 'setStarts'],
] as const;

type List = (typeof LISTS)[number];
type ListName = List[0];
type ListCall = List[2];

/** A list of the page, or a value for all members, which has no length. */
interface Given {
  readonly value: unknown;
  readonly length: number | undefined;
}

/**
 * Many characters of one model, in one draw for each of its meshes: each with its own clip, time, speed, place and tint. Made by
 * {@link Viewer.addCrowd}; after {@link Crowd.remove} every call throws `actor/removed`.
 *
 * They play on the viewer's timeline, like everybody. New members are at the origin, at the beginning of the first clip, at speed 1,
 * untinted. What clips animate of materials stays as it is in the file; joints are always blended linearly, by the GPU, and lights of the
 * file do not shine. Who is not in the picture costs nearly nothing. There are no events: a thousand would tell too much.
 */
export class Crowd {
  /** The model that all of it show. */
  readonly model: Model;
  readonly #engine: Engine;
  readonly #id: number;
  #removed = false;
  #count = 0;
  #loopMode: LoopMode = 'repeat';
  #transitionDuration = 0;
  #updateRate: UpdateRate = 'auto';
  #baked = false;
  #paused = false;

  /** @internal */
  constructor(engine: Engine, model: Model) {
    this.#engine = engine;
    this.model = model;
    this.#id = engine.host.add(model, Float32Array.of());
    this.#call(({ crowds }) => crowds.make(this.#id));
  }

  /** How many members there are. Those at the end go, or new ones come. @throws {@link GambolError} `argument/invalid`, `render/too-large` */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#check();
    if (!(Number.isInteger(count) && count >= 0)) throw this.#invalid(`count must be a whole number of at least 0, not ${shown(count)}.`);
    this.#call(({ crowds }) => crowds.setCount(this.#id, count));
    this.#count = count;
  }

  /**
   * Sets something of members, from typed arrays without a call for each: all of it, or, when it throws, nothing.
   *
   * ```js
   * crowd.set({ positions: new Float32Array(3 * crowd.count), clips: 'Walk', rates: 1.2 });
   * crowd.set({ first: 10, clips: ['Run', 'Jump'] });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `clip/not-found`
   */
  set(members: CrowdMembers): void {
    this.#check();
    const { first, lists } = this.#checked(members, this.#count);
    this.#engine.call(({ crowds }) => {
      for (const [set, numbers] of lists) crowds[set](this.#id, first, numbers);
    });
  }

  /** Where each member is in its clip now, in seconds. */
  times(): Float64Array {
    return this.#ask(({ query }) => query.crowdTimes(this.#id));
  }

  /** What happens at the ends of clips. Setting it moves nobody. */
  get loopMode(): LoopMode {
    return this.#loopMode;
  }

  set loopMode(mode: LoopMode) {
    this.#check();
    this.#word(LOOP_MODES, mode, 'loopMode');
    this.#call(({ crowds }) => crowds.setLoopMode(this.#id, mode));
    this.#loopMode = mode;
  }

  /**
   * How many seconds members take to go over to another clip, at least 0: the old one plays on and fades out. Counts for changes of
   * clips to come. 0 is at once.
   */
  get transitionDuration(): number {
    return this.#transitionDuration;
  }

  set transitionDuration(seconds: number) {
    this.#check();
    Crowd.check({ transitionDuration: seconds });
    this.#call(({ crowds }) => crowds.setTransition(this.#id, seconds));
    this.#transitionDuration = seconds;
  }

  /**
   * How members that are small on screen are posed: where that keeps every vertex within half a pixel of its place, between two poses
   * of their clip that are made once for all, 30 a second (`auto`), or each of them in each frame (`full`). A crowd of less than eight
   * is always posed so, and so are clips of more than 68 seconds, and those for whose poses 12 MiB leave no room.
   */
  get updateRate(): UpdateRate {
    return this.#updateRate;
  }

  set updateRate(rate: UpdateRate) {
    this.#check();
    this.#word(UPDATE_RATES, rate, 'updateRate');
    this.#call(({ crowds }) => crowds.setUpdateRate(this.#id, rate));
    this.#updateRate = rate;
  }

  /**
   * Whether members are shown by poses that are made once for each clip they play, 30 a second, and mixed in between: for crowds in the
   * background, since a mean of two poses is near the clip, not on it. Clips of more than two minutes, and changes of clips while they
   * take time, are sampled as ever. Default: false.
   */
  get baked(): boolean {
    return this.#baked;
  }

  set baked(on: boolean) {
    this.#call(({ crowds }) => crowds.setBaked(this.#id, Boolean(on)));
    this.#baked = Boolean(on);
  }

  /** Whether everybody stands still because of {@link pause}. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Stops everybody where they are. */
  pause(): void {
    this.#pause(true);
  }

  /** Goes on from there. To begin with a crowd plays. */
  play(): void {
    this.#pause(false);
  }

  /** How many members were in the last picture; all count while there are shadows. */
  get visibleCount(): number {
    return this.#ask(({ query }) => query.crowdVisible(this.#id));
  }

  /** The box around everybody at all times of what they play, in metres of the world. Null if there is nobody. */
  get bounds(): { readonly min: Vector; readonly max: Vector } | null {
    const [a, b, c, x, y, z] = this.#ask(({ query }) => query.crowdBounds(this.#id)) ?? [];
    if (a === undefined || b === undefined || c === undefined || x === undefined || y === undefined || z === undefined) return null;
    return { min: [a, b, c], max: [x, y, z] };
  }

  /**
   * Which member is seen at a place of the canvas, in CSS pixels from the left and the top, as posed now, and where. Null if nobody
   * is there, or something else is in front.
   */
  pick(x: number, y: number): PickedMember | null {
    if (!(Number.isFinite(x) && Number.isFinite(y))) throw this.#invalid(`x and y must be finite numbers, not ${shown(x)} and ${shown(y)}.`);
    this.#check();
    const picked = this.#engine.pick(x, y);
    if (picked?.hit.actor !== this.#id) return null;
    const { hit, position, normal } = picked;
    const joint = this.model.joints[hit.joint];
    return joint ? { member: hit.member, position, normal, joint } : null;
  }

  /** Takes everybody off the stage. Calling it again does nothing. */
  remove(): void {
    if (this.#removed) return;
    this.#engine.check();
    this.#removed = true;
    this.#engine.dismiss(this.#id);
  }

  /** Checks the options before anything is loaded for them, as far as that is possible without the model. @internal */
  static check(options: CrowdOptions): void {
    checkedObject(options, 'addCrowd()');
    const { loopMode = 'repeat', transitionDuration = 0, updateRate = 'auto' } = options;
    if (!(typeof transitionDuration === 'number' && transitionDuration >= 0 && transitionDuration < Infinity)) {
      throw new GambolError('argument/invalid', `transitionDuration must be a number of at least 0, not ${shown(transitionDuration)}.`);
    }
    if (!LOOP_MODES.includes(loopMode)) throw new GambolError('argument/invalid', `loopMode must be one of ${LOOP_MODES.join(', ')}, not ${shown(loopMode)}.`);
    if (!UPDATE_RATES.includes(updateRate)) throw new GambolError('argument/invalid', `updateRate must be auto or full, not ${shown(updateRate)}.`);
  }

  /** Waits for what the GPU needs, and fills the crowd. When it throws, the crowd is gone. @internal */
  async fill(options: CrowdOptions): Promise<void> {
    const { count, loopMode = 'repeat', transitionDuration = 0, updateRate = 'auto', baked = false } = options;
    try {
      const wanted = count ?? this.#length(read(options), 0) + (Number.isInteger(options.first) ? options.first as number : 0);
      this.#checked(options, Number.isInteger(wanted) && wanted >= 0 ? wanted : 0);
      await this.#ready();
      this.count = wanted;
      this.loopMode = loopMode;
      this.updateRate = updateRate;
      this.baked = baked;
      this.set(options);
      this.transitionDuration = transitionDuration;
      // A camera that was not moved sees them where they stand.
      this.#call(({ crowds }) => crowds.setCount(this.#id, wanted));
      await this.#engine.presented();
    } catch (error) {
      // The viewer may be gone, and the crowd with it.
      if (!this.#removed && this.#engine.host.stage) this.#engine.dismiss(this.#id);
      this.#removed = true;
      throw error;
    }
  }

  async #ready(): Promise<void> {
    const { host } = this.#engine;
    for (;;) {
      await host.usable;
      this.#check();
      try {
        if (this.#ask(({ crowds }) => crowds.prepare(this.#id))) return;
      } catch (error) {
        // When the context is back, it begins anew.
        if (!isLoss(error)) throw error;
      }
      await moment();
    }
  }

  /** The values to set, copied: a page's list is read once, since its `length` or elements may be getters that answer differently later. */
  #checked(members: CrowdMembers, count: number): { readonly first: number; readonly lists: (readonly [ListCall, Float64Array])[] } {
    checkedObject(members, 'crowd.set()');
    const { first = 0, times, starts } = members;
    if (!(Number.isInteger(first) && first >= 0 && first <= count)) throw this.#invalid(`first must be a member of the crowd, which has ${count}, not ${shown(first)}.`);
    if (times !== undefined && starts !== undefined) throw this.#invalid('Either times or starts say where members are.');
    const given = read(members);
    const length = this.#length(given, count - first);
    if (length > count - first) throw this.#invalid(`These are ${length} members from number ${first} on, but the crowd has ${count}.`);
    return { first, lists: given.map(([[name, width, call], value]) => [call, this.#numbers(name, width, value, length)] as const) };
  }

  /** The numbers of a list, or of a value for all, in an array of their own. */
  #numbers(name: ListName, width: number, { value, length: own }: Given, length: number): Float64Array {
    const numbers = new Float64Array(length * width);
    const check = name === 'clips' ? this.#clips() : (number: unknown): number => {
      if (isGood(name, number)) return number;
      throw this.#invalid(`${name} must be ${name === 'scales' ? 'numbers above 0' : 'finite numbers'}, not ${shown(number)}.`);
    };
    if (own === undefined) return numbers.fill(check(value));
    for (let i = 0; i < numbers.length; i++) numbers[i] = check((value as ArrayLike<unknown>)[i]);
    for (let i = 0; name === 'rotations' && i < numbers.length; i += width) {
      if (numbers[i] === 0 && numbers[i + 1] === 0 && numbers[i + 2] === 0 && numbers[i + 3] === 0) throw this.#invalid('rotations must be quaternions, not four zeros.');
    }
    return numbers;
  }

  /** The number of members that the lists are for, which all have to agree on; `otherwise` without any. */
  #length(given: readonly (readonly [List, Given])[], otherwise: number): number {
    let length: number | undefined;
    for (const [[name, width], { length: numbers }] of given) {
      if (numbers === undefined) continue;
      const own = numbers / width;
      if (!(Number.isInteger(own) && own >= 0)) throw this.#invalid(`${name} must have ${width === 1 ? 'a number' : `${width} numbers`} for each member.`);
      if (length !== undefined && own !== length) throw this.#invalid(`${name} are those of ${own} members, the lists before of ${length}.`);
      length = own;
    }
    return length ?? otherwise;
  }

  /** Finds the index of a clip. A thousand of the same name are looked up once. */
  #clips(): (ref: unknown) => number {
    const { clips } = this.model;
    const known = new Map<unknown, number>();
    return (ref) => {
      const found = known.get(ref) ?? findClip(clips, ref as ClipRef).index;
      known.set(ref, found);
      return found;
    };
  }

  #pause(paused: boolean): void {
    this.#call(({ crowds }) => crowds.setPaused(this.#id, paused));
    this.#paused = paused;
  }

  #word<Word>(words: readonly Word[], word: Word, what: string): void {
    if (!words.includes(word)) throw this.#invalid(`${what} must be one of ${words.join(', ')}, not ${shown(word)}.`);
  }

  #call(change: (stage: CoreStage) => void): void {
    this.#check();
    this.#engine.call(change);
  }

  #ask<T>(look: (stage: CoreStage) => T): T {
    this.#check();
    return this.#engine.look(look);
  }

  #check(): void {
    this.#engine.check();
    if (this.#removed) throw new GambolError('actor/removed', 'The crowd was removed from the stage.');
  }

  #invalid(message: string): GambolError {
    return new GambolError('argument/invalid', message);
  }
}

/** The lists that are given; each property and each length is read here and nowhere else. */
function read(members: CrowdMembers): (readonly [List, Given])[] {
  const given: (readonly [List, Given])[] = [];
  for (const list of LISTS) {
    const value: unknown = members[list[0]];
    if (value !== undefined) given.push([list, { value, length: isOne(list[0], value) ? undefined : lengthOf(value) }]);
  }
  return given;
}

/** `true` for a value that all members get. */
function isOne(name: ListName, value: unknown): boolean {
  if (name === 'clips') return typeof value === 'string' || typeof value === 'number' || (typeof value === 'object' && value !== null && 'id' in value);
  return typeof value === 'number' && (name === 'scales' || name === 'times' || name === 'starts' || name === 'rates');
}

/** The length of a list; NaN for anything else. */
function lengthOf(value: unknown): number {
  const length: unknown = typeof value === 'object' && value !== null && 'length' in value ? value.length : undefined;
  return typeof length === 'number' ? length : NaN;
}

function isGood(name: ListName, value: unknown): value is number {
  if (typeof value !== 'number') return false;
  if (name === 'times' || name === 'starts' || name === 'rates' || name === 'clips') return Number.isFinite(value);
  // The core has them as such.
  const single = Math.fround(value);
  return Number.isFinite(single) && (name !== 'scales' || single > 0);
}
