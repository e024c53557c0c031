// Clips that are mixed by a number or two.

import { findClip, type Clip, type ClipRef } from '../values/clips.ts';
import type { SourceNumbers } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import { checkedNumber, checkedObject, checkedSeconds } from '../values/options.ts';
import { elementsOf } from '../base/elements.ts';
import type { TransitionMode } from '../values/words.ts';
import { shown } from '../base/shown.ts';

/** A clip and its place: on a line, or in a plane. */
export type BlendPoint = readonly [clip: ClipRef, x: number] | readonly [clip: ClipRef, x: number, y: number];

/** Options of {@link Performer.blendSpace}. */
export interface BlendSpaceOptions {
  /** The clips and their places, at least one; all on a line or all in a plane. */
  readonly clips: readonly BlendPoint[];
  /**
   * How the clips keep step: each at the same fraction of its length (`phase`, the default), or between markers of the same
   * names (`marker`).
   */
  readonly sync?: 'phase' | 'marker';
}

/** Where a blend space is: one number on a line, two in a plane. */
export type BlendValue = number | readonly [x: number, y: number];

/**
 * Clips in step, mixed by where a value is among their places: exactly at a place that clip alone is seen, on a line between two
 * neighbours both in proportion. It is played like a clip, by performers and layers; its length is the mean of the clips'.
 * Made by {@link Performer.blendSpace}.
 */
export class BlendSpace {
  /** The ids of the clips, and their places. */
  readonly clips: readonly (readonly [clip: string, x: number, y?: number])[];
  readonly sync: 'phase' | 'marker';
  readonly #moved: (space: BlendSpace, mode: TransitionMode, seconds: number) => void;
  readonly #places: 1 | 2;
  #value: readonly [x: number, y: number];

  /** @internal */
  constructor(clips: readonly Clip[], options: BlendSpaceOptions, moved: (space: BlendSpace, mode: TransitionMode, seconds: number) => void) {
    checkedObject(options, 'blendSpace()');
    const { clips: points, sync = 'phase' } = options;
    const wrong = (what: string): GambolError => new GambolError('argument/invalid', what);
    if (sync !== 'phase' && sync !== 'marker') throw wrong(`sync must be phase or marker, not ${shown(sync)}.`);
    if (!Array.isArray(points) || points.length === 0) throw wrong('A blend space needs a list of clips and their places.');
    if ((points as readonly unknown[]).some((point) => !Array.isArray(point))) throw wrong('A place of a blend space is a list of a clip and one number, or two.');
    const places = (points[0] as BlendPoint).length - 1;
    if (places !== 1 && places !== 2) throw wrong('A place is one number, or two.');
    this.clips = Object.freeze(points.map(([ref, ...place]: BlendPoint) => {
      if (place.length !== places) throw wrong('The places of a blend space are all on a line or all in a plane.');
      const [x, y] = place.map((number) => checkedNumber(number, 'The place of a clip'));
      const { id } = findClip(clips, ref);
      return Object.freeze(y === undefined ? [id, x as number] as const : [id, x as number, y] as const);
    }));
    this.sync = sync;
    this.#moved = moved;
    this.#places = places;
    const [, x, y = 0] = this.clips[0] as (typeof this.clips)[number];
    this.#value = [x, y];
  }

  /**
   * Where it is among its places: a number, or two in a plane. May be set at any time, as by a slider: the phase does not move. It
   * begins at the first clip's place.
   */
  get value(): BlendValue {
    const [x, y] = this.#value;
    return this.#places === 1 ? x : [x, y];
  }

  set value(value: BlendValue) {
    this.#set(value, 'cut', 0);
  }

  /** Jumps to another value; the picture gets there smoothly in so many seconds. */
  moveTo(value: BlendValue, seconds = 0.3): void {
    this.#set(value, 'inertial', checkedSeconds(seconds, 'The length of the transition'));
  }

  /** As the core takes it, for a model's clips. @internal */
  numbers(clips: readonly Clip[]): SourceNumbers {
    const indices = Uint32Array.from(this.clips, ([id]) => findClip(clips, id).index);
    return [indices, Float32Array.of(...this.#value, ...this.clips.flatMap(([, x, y = 0]) => [x, y])), this.sync];
  }

  /** @internal */
  get place(): readonly [x: number, y: number] {
    return this.#value;
  }

  #set(value: BlendValue, mode: TransitionMode, seconds: number): void {
    const numbers = (typeof value === 'number' ? [value] : elementsOf(value) ?? []) as number[];
    if (numbers.length !== this.#places || !numbers.every(Number.isFinite)) {
      throw new GambolError('argument/invalid', `The value must be ${this.#places === 1 ? 'a finite number' : 'two finite numbers'}, not ${shown(value)}.`);
    }
    const [x = 0, y = 0] = numbers;
    this.#value = [x, y];
    this.#moved(this, mode, seconds);
  }
}

/** What can be played: a clip, or clips that are mixed. */
export type PlaySource = ClipRef | BlendSpace;
