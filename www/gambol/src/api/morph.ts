// Morph targets of actors, by their names.

import type { Model } from '../load/model.ts';
import { checkedFloat, checkedOptions, checkedSeconds } from '../values/options.ts';
import { checkedWeight } from '../values/transforms.ts';
import type { CoreStage } from '../wasm/core.ts';

/** The part of a performer that its morphs use. @internal */
export interface MorphOwner {
  readonly model: Model | null;
  number(): number;
  change(change: (stage: CoreStage, actor: number) => void): void;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
}

/** Options of {@link Morph.override}. @category Morphs and expressions */
export interface MorphOptions {
  /** The weight of the override, `0..=1`, from the animated morph weight (0) to the given one (1). Default: 1. */
  readonly weight?: number;
  /** The duration of the change in seconds of the viewer's timeline, at least 0. Default: 0. */
  readonly fade?: number;
}

/** An override as the core takes it: the value, undefined for none, its weight and its fade. */
export function checkedOverride(
  to: number | null,
  options: MorphOptions,
  name: string,
): readonly [value: number | undefined, weight: number, fade: number] {
  checkedOptions(options, ['weight', 'fade'], 'override()');
  const { weight = 1, fade = 0 } = options;
  return [to === null ? undefined : checkedFloat(to, name), checkedWeight(weight), checkedSeconds(fade, 'fade')];
}

/**
 * A morph of an actor: all morph targets of one name. Made by {@link Viewer.morph} and {@link Actor.morph}.
 *
 * After the viewer has loaded another model, a `Morph` stands for the morph of the same name in that model.
 *
 * ```js
 * const smile = viewer.morph('smile');
 * smile.weight = 0.7;
 * smile.override(null, { fade: 0.3 });
 * ```
 * @category Morphs and expressions
 */
export class Morph {
  /** The name; see {@link MorphInfo.name}. */
  readonly name: string;
  readonly #performer: MorphOwner;

  /** @internal */
  constructor(performer: MorphOwner, name: string) {
    this.#performer = performer;
    this.name = name;
    this.#index();
  }

  /**
   * The weight in the current pose, of the first mesh. Setting it is {@link override} without options.
   *
   * @throws {@link GambolError} `argument/invalid`, `morph/not-found`; `actor/removed` without a model
   */
  get weight(): number {
    const index = this.#index();
    return this.#performer.readStage(({ query }, actor) => query.morphWeight(actor, index));
  }

  set weight(weight: number) {
    this.override(weight);
  }

  /**
   * Overrides the weight after animation, in every frame from now on. Any number is possible, also outside of
   * {@link MorphInfo.range}. A later call replaces the one before; `null` returns the weight to its animation.
   *
   * @throws {@link GambolError} `argument/invalid`, `morph/not-found`; `actor/removed` without a model
   */
  override(to: number | null, options: MorphOptions = {}): void {
    const index = this.#index();
    const numbers = checkedOverride(to, options, 'morph weight');
    this.#performer.change(({ joints }, actor) => joints.setMorph(actor, index, ...numbers));
  }

  #index(): number {
    this.#performer.number();
    return this.#performer.model?.findMorph(this.name) ?? NaN;
  }
}
