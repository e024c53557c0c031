// The crowd of `<gambol-crowd>`: its members, distributed by a seed.

import type { Crowd, CrowdMembers } from '../../api/crowd.ts';
import type { Model } from '../../load/model.ts';
import { openingClip } from '../../values/clips.ts';
import { parseAngle } from '../base/css-values.ts';
import type { GambolCrowd } from './cast-elements.ts';
import { placeFromTexts, type ChildrenScene } from './figure-role.ts';
import { randomNumbers, scatter, type Area } from './scatter.ts';

/** The range of the starts of clips, in seconds: longer than most clips, so that the members are out of step. */
const STARTS = 60;
/** Added to the seed for numbers that must not depend on those of the places. */
const CLIPS = 1e6;
const RATES = 2e6;

export class CrowdRole {
  readonly #element: GambolCrowd;
  readonly #crowd: Crowd;
  readonly #warn: (error: unknown) => void;
  /** The attributes that were applied, by group, as keys for comparison. */
  readonly #applied = new Map<string, string>();
  /** `true` while the members stand still, because the system asks for reduced motion. */
  #held = false;

  constructor(element: GambolCrowd, crowd: Crowd, { still, warn }: ChildrenScene) {
    this.#element = element;
    this.#crowd = crowd;
    this.#warn = warn;
    this.#held = still;
    if (this.#held) crowd.pause();
  }

  get model(): Model {
    return this.#crowd.model;
  }

  /** Applies the attributes that have changed; new members get all of them. */
  sync(): void {
    const { count, seed, area, position, orientation, scale, animationName, speed } = this.#element;
    const before = this.#crowd.count;
    if (this.#changed('count', this.#element.getAttribute('count'))) this.#try(() => this.#resize(count));
    this.#from(this.#changed('place', seed, area, position, orientation, scale) ? 0 : before, (first) =>
      this.#places(first),
    );
    // Again after the members have their places, so that the automatic camera frames them there.
    const wanted = this.#crowd.count;
    if (wanted !== before) this.#try(() => (this.#crowd.count = wanted));
    this.#from(this.#changed('rates', seed, speed) ? 0 : before, (first) => this.#rates(first));
    // After the rates, because a change of the rate moves the start of a clip.
    this.#from(this.#changed('clips', seed, animationName) ? 0 : before, (first) => this.#clips(first));
  }

  /** Plays a crowd that did not start because of reduced motion. */
  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#crowd.play();
  }

  end(): void {
    this.#crowd.remove();
  }

  #resize(count: number): void {
    const text = this.#element.getAttribute('count');
    const isValid = (text === null || !Number.isNaN(Number(text))) && Number.isInteger(count) && count >= 0;
    if (!isValid)
      this.#warn(new Error(`count="${text}" of <gambol-crowd> must be a whole number of at least 0, such as "40".`));
    this.#crowd.count = isValid ? count : 10;
  }

  #places(first: number): CrowdMembers {
    const { localName, seed, area, position, orientation, scale } = this.#element;
    const { rotation, position: centre } = placeFromTexts({ position, orientation, scale: '' }, localName, this.#warn);
    if (!(scale > 0)) this.#warn(new Error(`scale="${scale}" of <gambol-crowd> must be a factor above 0.`));
    const { count } = this.#crowd;
    const points = scatter(count, seed, this.#area(area));
    const positions = new Float32Array(3 * (count - first));
    const rotations = new Float32Array(4 * (count - first));
    for (let i = first; i < count; i++) {
      const [x = 0, z = 0] = points.subarray(2 * i);
      positions.set([centre[0] + x, centre[1], centre[2] + z], 3 * (i - first));
      rotations.set(rotation, 4 * (i - first));
    }
    return { positions, rotations, scales: scale > 0 ? scale : 1 };
  }

  #area(text: string): Area {
    const sides = text.split(/[x×]/i).map((side) => parseAngle(side.trim()));
    const [width = NaN, depth] = sides;
    if (sides.length <= 2 && sides.every((side) => side >= 0 && side < Infinity))
      return depth === undefined ? { radius: width } : { width, depth };
    this.#warn(
      new Error(
        `area="${text}" of <gambol-crowd> must be a width and a depth, such as "10m x 6m", or a radius, such as "5m".`,
      ),
    );
    return { width: 10, depth: 10 };
  }

  #rates(first: number): CrowdMembers {
    const { seed, speed } = this.#element;
    const [low = NaN, high = low, ...more] = speed.trim().split(/\s+/).map(Number);
    const isValid = more.length === 0 && Number.isFinite(low) && Number.isFinite(high);
    if (!isValid)
      this.#warn(new Error(`speed="${speed}" of <gambol-crowd> must be one or two factors, such as "0.8 1.2".`));
    const random = randomNumbers(seed + RATES);
    const rates = Float64Array.from({ length: this.#crowd.count }, () => low + random() * (high - low));
    return { rates: isValid ? rates.subarray(first) : 1 };
  }

  #clips(first: number): CrowdMembers {
    const { seed, animationName } = this.#element;
    const { clips } = this.#crowd.model;
    if (clips.length === 0) return {};
    const isOne = clips.some(({ name, id }) => name === animationName || id === animationName);
    const names = isOne ? [animationName ?? ''] : (animationName ?? '').split(',').map((name) => name.trim());
    // A member shows if the model has the clip; it gets its own clip below.
    const last = this.#crowd.count - 1;
    const found = names.filter(
      (name) => name !== '' && this.#try(() => (this.#crowd.set({ first: last, clips: [name] }), true)),
    );
    const random = randomNumbers(seed + CLIPS);
    const opening = openingClip(clips)?.index ?? 0;
    const chosen: (string | number)[] = [];
    const starts: number[] = [];
    for (let i = 0; i < this.#crowd.count; i++) {
      chosen.push(found[Math.floor(random() * found.length)] ?? opening);
      starts.push(-STARTS * random());
    }
    return { clips: chosen.slice(first), starts: starts.slice(first) };
  }

  /** Sets the members from `first` on, if there are any. */
  #from(first: number, members: (first: number) => CrowdMembers): void {
    if (first < this.#crowd.count) this.#try(() => this.#crowd.set({ first, ...members(first) }));
  }

  #changed(group: string, ...values: readonly unknown[]): boolean {
    const key = JSON.stringify(values);
    const before = this.#applied.get(group);
    this.#applied.set(group, key);
    return key !== before;
  }

  #try<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }
}
