// Crowds: many instances of one model, drawn together. The script of the feature `crowds`.

import type { MaterialOwner, MaterialRef } from './material-owner.ts';
import type { MaterialOptions, MaterialValues, ShownMaterial } from '../values/materials.ts';
import { findClip, markerList, type Clip, type ClipRef, type Marker } from '../values/clips.ts';
import type { CoreStage, StageEvent } from '../wasm/core.ts';
import type { VertexCacheOptions } from './vertex-cache.ts';
import { CrowdEvents, type MemberDetail } from './crowd-events.ts';
import { gaze } from './gaze.ts';
import type { Engine } from '../stage/engine.ts';
import { isLoss } from '../stage/graphics-context.ts';
import { guarded } from '../wasm/guarded.ts';
import { lazily } from '../base/lazily.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { LOAD_OPTIONS, type LoadOptions } from '../load/import-model.ts';
import type { JointInfo, Model } from '../load/model.ts';
import {
  LOOK_OPTIONS,
  cornersOf,
  numbers as checkedNumbers,
  type JointRef,
  type LookOptions,
  type Vector,
} from '../values/transforms.ts';
import { delay } from '../base/scheduling.ts';
import type { LoopMode } from '../values/words.ts';
import {
  checkedLoopMode,
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedSeconds,
  checkedText,
  checkedWord,
  optionNames,
} from '../values/options.ts';
import { shown } from '../base/shown.ts';

/**
 * The level of detail of crowd members that are small on screen. `auto`: their poses are interpolated between cached ones, and their
 * meshes have fewer triangles, each where the error is below half a pixel. `full`: neither.
 * @category Crowds
 */
export type UpdateRate = 'auto' | 'full';
export const UPDATE_RATES: readonly UpdateRate[] = ['auto', 'full'];

/**
 * Values for the members of a crowd; members keep the values of an omitted property. A list is any array-like object. It has one
 * entry for each member from `first` on, or the number of components that the property states. A single number or clip applies to
 * all of them.
 * @category Crowds
 */
export interface CrowdMembers {
  /** The index of the first member to set. Default: 0. */
  readonly first?: number;
  /** Positions: X, Y, Z of each member, in metres. */
  readonly positions?: ArrayLike<number>;
  /** Rotations: a quaternion X, Y, Z, W of each member, of any length but 0. */
  readonly rotations?: ArrayLike<number>;
  /** Scales, above 0. */
  readonly scales?: number | ArrayLike<number>;
  /** Clips, or their ids, names or indices. A member whose clip changes starts at the beginning of the new clip. */
  readonly clips?: ClipRef | ArrayLike<ClipRef>;
  /** The current playheads in seconds, `0..=duration`. */
  readonly times?: number | ArrayLike<number>;
  /**
   * An alternative to `times`: the time of the timeline ({@link Viewer.now}) at which each member's clip begins or has begun. A
   * member that repeats its clip plays before this time, too.
   */
  readonly starts?: number | ArrayLike<number>;
  /** Speeds: 1 is the speed of the file, negative plays backwards, 0 stands still. A change does not move the playhead. */
  readonly rates?: number | ArrayLike<number>;
  /**
   * Tints: linear red, green, blue and alpha of each member, factors on the base colour. Alpha needs a material that uses it. In an
   * opaque material, the alpha of the base colour (factor, texture and vertex colour) is the mask of the tint: from 0.5, which is
   * without tint, to 1.
   */
  readonly tints?: ArrayLike<number>;
  /**
   * Weights of morphs, by their names; see {@link Model.morphs}. They replace the animated weights; `null` in a list, or for the
   * list, returns to them. A member with such weights is sampled in each frame, unless {@link Crowd.baked} is true.
   */
  readonly morphs?: Readonly<Record<string, number | null | ArrayLike<number | null>>>;
  /**
   * Nodes, by their names: `true` hides the node with all nodes below it, `false` shows it as the file and its animation do. A node is
   * that of a mesh or one above it: joints alone hide nothing. A crowd can hide at most 192 different nodes.
   */
  readonly hidden?: Readonly<Record<string, boolean | ArrayLike<boolean>>>;
}

/** A material of a crowd; see {@link Crowd.material}. Crowds have no flip-books. @category Crowds */
export interface CrowdMaterial {
  /** The name of the material in the file. */
  readonly name: string;
  /** The index of the material in the file. */
  readonly index: number;
  /** As {@link Material.set}, for all members. */
  set(values: MaterialValues | null, options?: MaterialOptions): Promise<void>;
  /** As {@link Material.values}. */
  readonly values: ShownMaterial;
}

/** Makes a material of a crowd. */
type MakeMaterial = (owner: MaterialOwner, ref: MaterialRef) => CrowdMaterial;

/** The number of members from which on levels of detail are made. */
const MIN_MEMBERS = 8;

/** Options of {@link Viewer.addCrowd}. @category Crowds */
export interface CrowdOptions extends CrowdMembers, LoadOptions {
  /** The number of members. Default: the number of members in the lists, or 0 without a list. */
  readonly count?: number;
  /** See {@link Crowd.loopMode}. Default: `repeat`. */
  readonly loopMode?: LoopMode;
  /** See {@link Crowd.transitionDuration}. Default: 0. */
  readonly transitionDuration?: number;
  /** See {@link Crowd.updateRate}. Default: `auto`. */
  readonly updateRate?: UpdateRate;
  /** See {@link Crowd.baked}. Default: false. */
  readonly baked?: boolean;
  /**
   * Plays a morph cache in place of the joints: the vertices of each frame are computed once, while the crowd is loaded, and a member
   * interpolates between two of them. `vertices` caches all clips, 30 frames a second. For thousands of small members with few clips: a
   * member has one matrix and two weights, whatever the number of joints. Default: none, members have joints.
   */
  readonly cache?: 'vertices' | VertexCacheOptions;
}

/** Options of {@link Crowd.lookAt}. @category Crowds */
export interface CrowdLookOptions extends Omit<LookOptions, 'space'> {
  /** The joint that points at the target, such as the head. */
  readonly joint: JointRef;
  /** The number of members that look: those nearest to the target. Default: 20. */
  readonly nearest?: number;
}

const MEMBERS = optionNames<CrowdMembers>({
  first: 0,
  positions: 0,
  rotations: 0,
  scales: 0,
  clips: 0,
  times: 0,
  starts: 0,
  rates: 0,
  tints: 0,
  morphs: 0,
  hidden: 0,
});
const CROWD_OPTIONS: readonly string[] = [
  ...MEMBERS,
  ...optionNames<Omit<CrowdOptions, keyof CrowdMembers | keyof LoadOptions>>({
    count: 0,
    loopMode: 0,
    transitionDuration: 0,
    updateRate: 0,
    baked: 0,
    cache: 0,
  }),
  ...LOAD_OPTIONS,
];
const CROWD_LOOK = [...LOOK_OPTIONS.filter((name) => name !== 'space'), 'joint', 'nearest'];

/** The result of {@link Crowd.pick}. @category Crowds */
export interface PickedMember {
  /** The index of the member in the crowd. */
  readonly member: number;
  /** The point on the surface, in metres, in world space. */
  readonly position: Vector;
  /** The surface normal: a unit vector towards the camera. */
  readonly normal: Vector;
  /** The node of the model with the largest weight at this point. */
  readonly joint: JointInfo;
}

/** The properties of members: name, components per member, and the method of the core that sets them. */
const LISTS = [
  ['positions', 3, 'setPositions'],
  ['rotations', 4, 'setRotations'],
  ['scales', 1, 'setScales'],
  ['tints', 4, 'setTints'],
  // A change of clip resets the playhead, so clips are set before times.
  ['clips', 1, 'setClips'],
  ['rates', 1, 'setRates'],
  ['times', 1, 'setTimes'],
  ['starts', 1, 'setStarts'],
] as const;

type List = (typeof LISTS)[number];
type ListName = List[0];
/** The properties with a list for each name. */
type Named = 'morphs' | 'hidden';
type ListCall = List[2];

/** The weights of a morph, or the flags of a node: the name in messages, components per member, and the name of the morph or node. */
type NamedList = readonly [label: string, width: 1, name: string];
type NamedLists = readonly (readonly [NamedList, Given])[];

/** A list from the page, or a single value for all members, whose length is undefined. */
interface Given {
  readonly value: unknown;
  readonly length: number | undefined;
}

/**
 * Many instances of one model, with one draw call per mesh and level of detail. Each has its own clip, time, speed, place and tint. Made by
 * {@link Viewer.addCrowd}; after {@link Crowd.remove} every call throws `actor/removed`.
 *
 * Members play on the viewer's timeline. A new member is at the origin, untinted, at the beginning of the first clip that lasts, at speed 1.
 * Members outside the view frustum are culled, which costs nearly nothing.
 *
 * Limits of crowds:
 *
 * - animated properties of materials keep the value of the file;
 * - skinning is always linear, on the GPU;
 * - lights of the file do not shine;
 * - events are sent for the members that {@link Crowd.events} names.
 * @category Crowds
 */
export class Crowd {
  /** The model of all members. */
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
  readonly #listeners = new Set<CrowdEvents>();
  /** The crowd as its materials use it. */
  readonly #materials: MaterialOwner;
  readonly #makeMaterial: MakeMaterial;

  /** @internal */
  constructor(engine: Engine, model: Model, makeMaterial: MakeMaterial) {
    this.#engine = engine;
    this.#makeMaterial = makeMaterial;
    this.model = model;
    this.#id = engine.host.add(model, Float32Array.of());
    engine.registerCrowd(this.#id, this);
    this.#materials = {
      model,
      engine,
      pictures: engine,
      number: () => {
        this.#check();
        return this.#id;
      },
      change: (change) => this.#call((stage) => change(stage, this.#id)),
      readStage: (read) => this.#read((stage) => read(stage, this.#id)),
      material: (ref) => this.material(ref),
    };
    this.#call(({ crowds }) => crowds.make(this.#id));
  }

  /**
   * The number of members. Setting it removes members from the end, or adds new ones there.
   *
   * @throws {@link GambolError} `argument/invalid`, `render/too-large`
   */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#check();
    if (!(Number.isInteger(count) && count >= 0))
      throw this.#invalid(`count must be a whole number of at least 0, not ${shown(count)}.`);
    this.#call(({ crowds }) => crowds.setCount(this.#id, count));
    this.#count = count;
    // Members that were added again have events, too.
    if (this.#listeners.size > 0) this.#listen();
  }

  /**
   * Finds a material by its name or its index in the file. Its changes are those of all members; tints are for each.
   *
   * ```js
   * await crowd.material('Shirt').set({ baseColorTexture: 'stripes.png' });
   * ```
   *
   * @throws {@link GambolError} `material/not-found`, `actor/removed`
   */
  material(ref: MaterialRef): CrowdMaterial {
    this.#check();
    return this.#makeMaterial(this.#materials, ref);
  }

  /**
   * Sets properties of many members in one call, from typed arrays. If it throws, no member has changed.
   *
   * ```js
   * crowd.set({ positions: new Float32Array(3 * crowd.count), clips: 'Walk', rates: 1.2 });
   * crowd.set({ first: 10, clips: ['Run', 'Jump'] });
   * crowd.set({ first: 10, morphs: { smile: [0.7, 1], blink: 0 }, hidden: { Hat: [true, false] } });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `clip/not-found`, `morph/not-found`, `joint/not-found`
   */
  set(members: CrowdMembers): void {
    this.#check();
    checkedOptions(members, MEMBERS, 'set()');
    this.#set(members);
  }

  #set(members: CrowdMembers): void {
    const { first, lists, morphs, weights, nodes, hidden } = this.#checked(members, this.#count);
    this.#engine.call(({ crowds }) => {
      // First, because it is the only list that the core may refuse.
      if (nodes.length > 0) crowds.setHidden(this.#id, first, nodes, hidden);
      for (const [set, numbers] of lists) crowds[set](this.#id, first, numbers);
      if (morphs.length > 0) crowds.setMorphs(this.#id, first, morphs, weights);
    });
  }

  /**
   * Rotates the joint of the members that are nearest to a point (look-at), in every frame from now on, after animation. They are
   * chosen again when members or the point move: a member that is no longer among them returns to its animation. A later call
   * replaces the one before; `null` ends it. The joints, shares, limits and the speed are those of {@link Joint.lookAt}. The target
   * is in world space.
   *
   * Members that look are sampled in each frame, and are never culled. Their cost is that of as many actors.
   *
   * ```js
   * crowd.lookAt([0, 1.6, 5], { joint: 'Head', nearest: 12, joints: { Spine: 0.3 }, speed: 4, limit: 1.2 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `joint/not-found`
   */
  lookAt(target: Vector, options: CrowdLookOptions): void;
  /** Ends the look-at. With a `speed` it fades. */
  lookAt(target: null): void;
  lookAt(target: Vector | null, options?: CrowdLookOptions): void {
    this.#check();
    if (target === null) return this.#call(({ crowds }) => crowds.setGaze(this.#id, undefined, 0));
    checkedOptions((options ?? null) as object, CROWD_LOOK, 'lookAt()');
    const { joint, nearest = 20, axis, limit = Math.PI } = options as CrowdLookOptions;
    if (!(Number.isInteger(nearest) && nearest >= 0))
      throw this.#invalid(`nearest must be a whole number of at least 0, not ${shown(nearest)}.`);
    checkedNumber(limit, 'limit');
    const { index } = this.model.findJoint(joint);
    const direction = axis && checkedNumbers(axis, 3, 'axis');
    const looks = gaze(this, index, target, { ...options, space: 'world' }, direction);
    this.#call(({ crowds }) => crowds.setGaze(this.#id, looks, Math.min(nearest, 2 ** 31)));
  }

  /**
   * The events of some members, from now on: markers, repetitions and the end of their clips. Other members cost nothing. Events
   * come in the order of the members, and those of a member in the order of time.
   *
   * ```js
   * const events = crowd.events([3, 4]);
   * events.addEventListener('loop', ({ detail: { member, iteration } }) => console.log(member, iteration));
   * ```
   *
   * @throws {@link GambolError} `argument/invalid` if there is no such member
   */
  events(members: number | ArrayLike<number>): CrowdEvents {
    this.#check();
    const list = typeof members === 'number' ? [members] : elementsOf(members);
    if (!list) throw this.#invalid(`members must be a number or a list, not ${shown(members)}.`);
    for (const member of list)
      if (!(typeof member === 'number' && Number.isInteger(member) && member >= 0 && member < this.#count))
        throw this.#invalid(`The crowd has the members 0 to ${this.#count - 1}, but not ${shown(member)}.`);
    const events = new CrowdEvents(
      [...new Set(list as number[])].sort((a, b) => a - b),
      (ended) => {
        if (this.#listeners.delete(ended) && !this.#removed && !this.#engine.ended) this.#listen();
      },
    );
    this.#listeners.add(events);
    this.#listen();
    return events;
  }

  /**
   * Replaces the markers of a clip, for all members of this crowd.
   *
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
   */
  setMarkers(clip: ClipRef, markers: readonly Marker[]): void {
    this.#check();
    const { index } = findClip(this.model.clips, clip);
    const list = markerList(markers);
    for (const { name, time } of list) {
      checkedText(name, 'The name of a marker');
      checkedNumber(time, 'The time of a marker');
    }
    this.#call(({ crowds }) => crowds.setMarkers(this.#id, index, [...list]));
  }

  /** Sends an event of a member. @internal */
  stageEvent({ type, track: member, playback, time, skipped, iteration, name }: StageEvent): void {
    const detail: MemberDetail = { member, time, ...(skipped ? { skipped } : {}) };
    const clip = this.model.clips.find(({ index }: Clip) => index === playback)?.id ?? null;
    for (const events of [...this.#listeners]) {
      if (!events.members.includes(member)) continue;
      if (type === 'loop') events.send(type, { ...detail, iteration });
      else if (type === 'marker') events.send(type, { ...detail, name, clip });
      else if (type === 'finished') events.send(type, detail);
    }
  }

  #listen(): void {
    const all = new Set([...this.#listeners].flatMap(({ members }) => members));
    const members = Uint32Array.from(all);
    this.#call(({ crowds }) => crowds.listen(this.#id, members));
  }

  /** The current playheads of all members, in seconds. */
  times(): Float64Array {
    return this.#read(({ query }) => query.crowdTimes(this.#id));
  }

  /** The loop mode of all members. Setting it does not move their playheads. */
  get loopMode(): LoopMode {
    return this.#loopMode;
  }

  set loopMode(mode: LoopMode) {
    this.#check();
    checkedLoopMode(mode);
    this.#call(({ crowds }) => crowds.setLoopMode(this.#id, mode));
    this.#loopMode = mode;
  }

  /**
   * The duration of the crossfade to another clip, in seconds, at least 0; 0 changes the clip without a crossfade. It applies to
   * later changes of clips.
   */
  get transitionDuration(): number {
    return this.#transitionDuration;
  }

  set transitionDuration(seconds: number) {
    this.#check();
    checkedSeconds(seconds, 'transitionDuration');
    this.#call(({ crowds }) => crowds.setTransition(this.#id, seconds));
    this.#transitionDuration = seconds;
  }

  /**
   * The level of detail of members that are small on screen. `full` samples each member in each frame. `auto` interpolates
   * between cached poses of the clip, 30 per second, while this keeps every vertex within half a pixel of its place. The cache is
   * skipped for crowds of fewer than eight members, for clips of more than 68 seconds, and for clips whose poses exceed the limit
   * of 12 MiB.
   */
  get updateRate(): UpdateRate {
    return this.#updateRate;
  }

  set updateRate(rate: UpdateRate) {
    this.#check();
    checkedWord(rate, UPDATE_RATES, 'updateRate');
    this.#call(({ crowds }) => crowds.setUpdateRate(this.#id, rate));
    this.#updateRate = rate;
  }

  /**
   * `true` if all members interpolate between cached poses, 30 per second of each clip. It suits crowds in the background,
   * because an interpolated pose only approximates the clip. Clips of more than two minutes, and members during a crossfade, are
   * sampled in each frame. Default: false.
   */
  get baked(): boolean {
    return this.#baked;
  }

  set baked(on: boolean) {
    this.#call(({ crowds }) => crowds.setBaked(this.#id, Boolean(on)));
    this.#baked = Boolean(on);
  }

  /** `true` while the crowd is paused by {@link pause}. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Pauses all members at their playheads. */
  pause(): void {
    this.#pause(true);
  }

  /** Resumes all members at their playheads. A new crowd plays. */
  play(): void {
    this.#pause(false);
  }

  /** The number of members that were not culled in the last frame; no member is culled while shadows are on. */
  get visibleCount(): number {
    return this.#read(({ query }) => query.crowdVisible(this.#id));
  }

  /** The box around all members at all times of their clips, in metres, in world space. Null if the crowd is empty. */
  get bounds(): {
    /** The corner with the least coordinates. */
    readonly min: Vector;
    /** The corner with the greatest coordinates. */
    readonly max: Vector;
  } | null {
    return cornersOf(this.#read(({ query }) => query.crowdBounds(this.#id)));
  }

  /**
   * Picks the member at a point of the canvas, in CSS pixels from the left and the top, in the current pose. Null if no member is
   * there, or if another object is in front. Needs the feature `picking`.
   *
   * @throws {@link GambolError} `argument/invalid`, `feature/not-used`
   */
  pick(x: number, y: number): PickedMember | null {
    if (!(Number.isFinite(x) && Number.isFinite(y)))
      throw this.#invalid(`x and y must be finite numbers, not ${shown(x)} and ${shown(y)}.`);
    this.#check();
    this.#engine.needs('picking', 'pick() of a crowd');
    const picked = this.#engine.pick(x, y);
    if (picked?.hit.actor !== this.#id) return null;
    const { hit, position, normal } = picked;
    const joint = this.model.joints[hit.joint];
    return joint ? { member: hit.member, position, normal, joint } : null;
  }

  /** Removes the crowd from the stage. Calling it again does nothing. */
  remove(): void {
    if (this.#removed) return;
    this.#engine.check();
    this.#removed = true;
    this.#engine.removeActor(this.#id);
  }

  /**
   * Checks the options that do not depend on the model, before anything is loaded; then bakes the cache, if there is to be one.
   * @internal
   */
  static async open<Source>(from: Source, options: CrowdOptions): Promise<Source | Uint8Array<ArrayBuffer>> {
    checkedOptions(options, CROWD_OPTIONS, 'addCrowd()');
    Crowd.#checkPlayback(options);
    if (options.cache === undefined) return from;
    const script = await lazily('the script for vertex caches', () => import('./vertex-cache.ts'));
    return script.vertexCache(from, options, options.cache);
  }

  static #checkPlayback({
    loopMode = 'repeat',
    transitionDuration = 0,
    updateRate = 'auto',
  }: Pick<CrowdOptions, 'loopMode' | 'transitionDuration' | 'updateRate'>): void {
    checkedSeconds(transitionDuration, 'transitionDuration');
    checkedLoopMode(loopMode);
    checkedWord(updateRate, UPDATE_RATES, 'updateRate');
  }

  /** Waits for the shader programs and GPU resources, and sets the members. If it throws, the crowd is removed. @internal */
  async fill(options: CrowdOptions): Promise<void> {
    const { count, loopMode = 'repeat', transitionDuration = 0, updateRate = 'auto', baked = false } = options;
    try {
      const wanted =
        count ??
        this.#length([...read(options), ...readNamed(options, 'morphs'), ...readNamed(options, 'hidden')], 0) +
          (Number.isInteger(options.first) ? (options.first as number) : 0);
      const isCount = Number.isInteger(wanted) && wanted >= 0;
      // First of all, because lists are made for all members.
      if (isCount) this.#read(({ crowds }) => crowds.checkCount(this.#id, wanted));
      this.#checked(options, isCount ? wanted : 0);
      if (updateRate === 'auto' && (wanted === 0 || wanted >= MIN_MEMBERS)) await this.#simplify();
      await this.#ready();
      this.count = wanted;
      this.loopMode = loopMode;
      this.updateRate = updateRate;
      this.baked = baked;
      this.#set(options);
      this.transitionDuration = transitionDuration;
      // A call after the members have their places, so that the automatic camera frames them there.
      this.#call(({ crowds }) => crowds.setCount(this.#id, wanted));
      await this.#engine.presented();
    } catch (error) {
      // The viewer may be gone, and the crowd with it.
      if (!this.#removed && this.#engine.host.stage) this.#engine.removeActor(this.#id);
      this.#removed = true;
      throw error;
    }
  }

  /** Makes levels of detail of the meshes. */
  async #simplify(): Promise<void> {
    const { meshLevels } = await lazily('the script for levels of detail', () => import('./crowd-levels.ts'));
    const levels = await meshLevels(
      guarded(() => this.model.asset.geometry()),
      delay,
    );
    if (levels) this.#call(({ crowds }) => crowds.setMeshLevels(this.#id, levels));
  }

  async #ready(): Promise<void> {
    const { host } = this.#engine;
    for (;;) {
      await host.usable;
      this.#check();
      try {
        if (this.#read(({ crowds }) => crowds.prepare(this.#id))) return;
      } catch (error) {
        // After a loss of the context, the loop waits for the new one and prepares again.
        if (!isLoss(error)) throw error;
      }
      await delay();
    }
  }

  /**
   * The values to set, as copies. A list is read only once, because its `length` and elements may be getters with changing
   * results.
   */
  #checked(
    members: CrowdMembers,
    count: number,
  ): {
    readonly first: number;
    readonly lists: (readonly [ListCall, Float64Array])[];
    /** The indices of the morphs that are set, and their weights for all members, one morph after the other. */
    readonly morphs: Uint32Array;
    readonly weights: Float64Array;
    /** The indices of the nodes that are hidden or shown, and 1 or 0 for all members, one node after the other. */
    readonly nodes: Uint32Array;
    readonly hidden: Float64Array;
  } {
    const { first = 0, times, starts } = members;
    if (!(Number.isInteger(first) && first >= 0 && first <= count))
      throw this.#invalid(
        `first must be a whole number from 0 to ${count}, the number of members, not ${shown(first)}.`,
      );
    if (times !== undefined && starts !== undefined)
      throw this.#invalid('times and starts exclude each other: both set the playheads.');
    const given = read(members);
    const [morphs, hidden] = [readNamed(members, 'morphs'), readNamed(members, 'hidden')];
    const length = this.#length([...given, ...morphs, ...hidden], count - first);
    if (length > count - first)
      throw this.#invalid(
        `The lists have ${length} members from index ${first} on, but the crowd has ${count}. Set count first.`,
      );
    return {
      first,
      lists: given.map(([[name, width, call], value]) => [call, this.#numbers(name, width, value, length)] as const),
      morphs: Uint32Array.from(morphs, ([[, , name]]) => this.model.findMorph(name)),
      weights: this.#numbersOfAll('morphs', morphs, length),
      nodes: Uint32Array.from(hidden, ([[, , name]]) => this.model.findJoint(name).index),
      hidden: this.#numbersOfAll('hidden', hidden, length),
    };
  }

  /** The numbers of all members, one list after the other. */
  #numbersOfAll(name: Named, lists: NamedLists, length: number): Float64Array {
    const all = new Float64Array(length * lists.length);
    lists.forEach(([[, width], value], at) => all.set(this.#numbers(name, width, value, length), at * length));
    return all;
  }

  /** The numbers of a list, or of a single value for all members, in a new array. */
  #numbers(name: ListName | Named, width: number, { value, length: own }: Given, length: number): Float64Array {
    const numbers = new Float64Array(length * width);
    const check =
      name === 'clips'
        ? this.#clips()
        : (number: unknown): number => {
            if (name === 'hidden') {
              if (typeof number === 'boolean') return Number(number);
              throw this.#invalid(`hidden must be true or false, not ${shown(number)}.`);
            }
            if (isGood(name, number)) return number;
            if (name === 'morphs' && number === null) return NaN;
            throw this.#invalid(
              `${name} must be ${name === 'scales' ? 'numbers above 0' : 'finite numbers'}, not ${shown(number)}.`,
            );
          };
    if (own === undefined) return numbers.fill(check(value));
    for (let i = 0; i < numbers.length; i++) numbers[i] = check((value as ArrayLike<unknown>)[i]);
    for (let i = 0; name === 'rotations' && i < numbers.length; i += width) {
      if (numbers[i] === 0 && numbers[i + 1] === 0 && numbers[i + 2] === 0 && numbers[i + 3] === 0)
        throw this.#invalid('rotations must be quaternions, not four zeros.');
    }
    return numbers;
  }

  /** The number of members in the lists, which must be equal; `otherwise` without a list. */
  #length(given: readonly (readonly [List | NamedList, Given])[], otherwise: number): number {
    let length: number | undefined;
    for (const [[name, width], { length: numbers }] of given) {
      if (numbers === undefined) continue;
      const own = numbers / width;
      if (!(Number.isInteger(own) && own >= 0))
        throw this.#invalid(`${name} must have ${width === 1 ? 'a number' : `${width} numbers`} for each member.`);
      if (length !== undefined && own !== length)
        throw this.#invalid(
          `All lists must have the same number of members: ${name} has ${own}, the lists before it have ${length}.`,
        );
      length = own;
    }
    return length ?? otherwise;
  }

  /** Returns a function that finds the index of a clip, with a cache for repeated references. */
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

  #call(change: (stage: CoreStage) => void): void {
    this.#check();
    this.#engine.call(change);
  }

  #read<T>(read: (stage: CoreStage) => T): T {
    this.#check();
    return this.#engine.readOrThrow(read);
  }

  #check(): void {
    this.#engine.check();
    if (this.#removed)
      throw new GambolError('actor/removed', 'This crowd was removed. Add it again with viewer.addCrowd().');
  }

  #invalid(message: string): GambolError {
    return new GambolError('argument/invalid', message);
  }
}

/** The properties that are set. Each property and each length is read only here. */
function read(members: CrowdMembers): (readonly [List, Given])[] {
  const given: (readonly [List, Given])[] = [];
  for (const list of LISTS) {
    const value: unknown = members[list[0]];
    if (value !== undefined) given.push([list, { value, length: isOne(list[0], value) ? undefined : lengthOf(value) }]);
  }
  return given;
}

/** The lists of a property that has one for each name. */
function readNamed(members: CrowdMembers, property: Named): NamedLists {
  const lists = members[property];
  if (lists === undefined) return [];
  checkedObject(lists, `${property} of crowd.set()`);
  return Object.entries<unknown>(lists).map(([name, value]) => {
    const length = typeof value === 'object' && value !== null ? lengthOf(value) : undefined;
    return [[`${property}.${name}`, 1, name], { value, length }] as const;
  });
}

/** `true` for a single value that applies to all members. */
function isOne(name: ListName, value: unknown): boolean {
  if (name === 'clips')
    return (
      typeof value === 'string' ||
      typeof value === 'number' ||
      (typeof value === 'object' && value !== null && 'id' in value)
    );
  return typeof value === 'number' && (name === 'scales' || name === 'times' || name === 'starts' || name === 'rates');
}

/** The length of a list; NaN for anything else. */
function lengthOf(value: unknown): number {
  const length: unknown = typeof value === 'object' && value !== null && 'length' in value ? value.length : undefined;
  return typeof length === 'number' ? length : NaN;
}

function isGood(name: ListName | 'morphs', value: unknown): value is number {
  if (typeof value !== 'number') return false;
  if (name === 'times' || name === 'starts' || name === 'rates' || name === 'clips') return Number.isFinite(value);
  // The core stores these as single-precision numbers.
  const single = Math.fround(value);
  return Number.isFinite(single) && (name !== 'scales' || single > 0);
}
