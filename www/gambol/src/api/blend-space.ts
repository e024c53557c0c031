// Blend spaces: clips that are blended by one or two parameters.

import { findClip, type Clip, type ClipRef } from '../values/clips.ts';
import type { Source, Transition } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import { checkedNumber, checkedOptions, checkedSeconds } from '../values/options.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';

/** A clip and its position in a blend space of one or two dimensions. @category Mixing */
export type BlendPoint = readonly [clip: ClipRef, x: number] | readonly [clip: ClipRef, x: number, y: number];

/** Options of {@link Performer.blendSpace}. @category Mixing */
export interface BlendSpaceOptions {
  /** The clips and their positions, at least one; all of the same dimension. */
  readonly clips: readonly BlendPoint[];
  /**
   * The synchronisation of the clips: at the same fraction of their length (`phase`, the default), or at the same fraction
   * between markers of the same names (`marker`).
   */
  readonly sync?: 'phase' | 'marker';
}

/** The value of a blend space: one number in one dimension, two numbers in two. @category Mixing */
export type BlendValue = number | readonly [x: number, y: number];

/**
 * Synchronised clips that are blended by the position of a value among theirs. At the position of a clip, only that clip is
 * shown. In one dimension, between two neighbours, both are interpolated linearly. Performers and layers play a blend space like
 * a clip. Its duration is the mean of the durations of its clips. Made by {@link Performer.blendSpace}.
 * @category Mixing
 */
export class BlendSpace {
  /** The ids of the clips, and their positions. */
  readonly clips: readonly (readonly [clip: string, x: number, y?: number])[];
  /** The synchronisation of the clips; see {@link BlendSpaceOptions.sync}. */
  readonly sync: 'phase' | 'marker';
  readonly #moved: (space: BlendSpace, transition: Transition) => void;
  readonly #dimensions: 1 | 2;
  #value: readonly [x: number, y: number];

  /** @internal */
  constructor(
    clips: readonly Clip[],
    options: BlendSpaceOptions,
    moved: (space: BlendSpace, transition: Transition) => void,
  ) {
    checkedOptions(options, ['clips', 'sync'], 'blendSpace()');
    const { clips: points, sync = 'phase' } = options;
    const invalid = (message: string): GambolError => new GambolError('argument/invalid', message);
    if (sync !== 'phase' && sync !== 'marker') throw invalid(`sync must be phase or marker, not ${shown(sync)}.`);
    if (!Array.isArray(points) || points.length === 0)
      throw invalid(`clips of blendSpace() must be an array of at least one [clip, x] or [clip, x, y].`);
    const wrong = (points as readonly unknown[]).findIndex(
      (point) => !Array.isArray(point) || point.length < 2 || point.length > 3,
    );
    if (wrong >= 0) throw invalid(`clips[${wrong}] of blendSpace() must be [clip, x] or [clip, x, y].`);
    const dimensions = (points[0] as BlendPoint).length === 2 ? 1 : 2;
    this.clips = Object.freeze(
      points.map(([ref, ...position]: BlendPoint, i) => {
        if (position.length !== dimensions)
          throw invalid(
            `clips[${i}] of blendSpace() must have as many coordinates as clips[0], which has ${dimensions}.`,
          );
        const [x, y] = position.map((number) => checkedNumber(number, `A coordinate of clips[${i}]`));
        const { id } = findClip(clips, ref);
        return Object.freeze(y === undefined ? ([id, x as number] as const) : ([id, x as number, y] as const));
      }),
    );
    this.sync = sync;
    this.#moved = moved;
    this.#dimensions = dimensions;
    const [, x, y = 0] = this.clips[0] as (typeof this.clips)[number];
    this.#value = [x, y];
  }

  /**
   * The value of the blend space: a number, or two numbers in two dimensions. It may be set at any time, such as by a slider; the
   * phase does not change. The initial value is the position of the first clip.
   */
  get value(): BlendValue {
    const [x, y] = this.#value;
    return this.#dimensions === 1 ? x : [x, y];
  }

  set value(value: BlendValue) {
    this.#set(value, { mode: 'cut', duration: 0 });
  }

  /**
   * Sets another value with an inertial transition of `seconds`, at least 0. Default: 0.3.
   *
   * @throws {@link GambolError} `argument/invalid`
   */
  moveTo(value: BlendValue, seconds = 0.3): void {
    this.#set(value, { mode: 'inertial', duration: checkedSeconds(seconds, 'seconds') });
  }

  /** The blend space as the core takes it, with the indices of `clips`. @internal */
  asSource(clips: readonly Clip[]): Source {
    const [x, y] = this.#value;
    const points = this.clips.map(([id, x, y = 0]) => ({ clip: findClip(clips, id).index, x, y }));
    return { clip: undefined, space: { points, x, y, sync: this.sync } };
  }

  /** @internal */
  get place(): readonly [x: number, y: number] {
    return this.#value;
  }

  #set(value: BlendValue, transition: Transition): void {
    const numbers = (typeof value === 'number' ? [value] : (elementsOf(value) ?? [])) as number[];
    if (numbers.length !== this.#dimensions || !numbers.every(Number.isFinite)) {
      throw new GambolError(
        'argument/invalid',
        `The value of the blend space must be ${this.#dimensions === 1 ? 'a finite number' : 'two finite numbers'}, not ${shown(value)}.`,
      );
    }
    const [x = 0, y = 0] = numbers;
    this.#value = [x, y];
    this.#moved(this, transition);
  }
}

/** A clip or a blend space. @category Playback */
export type PlaySource = ClipRef | BlendSpace;
