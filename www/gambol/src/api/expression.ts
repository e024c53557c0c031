// Expressions of actors: named sets of morph weights. A part of the script of the feature `faces`.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { ExpressionOptions } from '../values/expressions.ts';
import { checkedOptions, checkedSeconds } from '../values/options.ts';
import { checkedOverride, type MorphOptions, type MorphOwner } from './morph.ts';

/**
 * An expression of an actor. Made by {@link Viewer.expression} and {@link Actor.expression}.
 *
 * After the viewer has loaded another model, an `Expression` stands for the expression of the same name in that model.
 *
 * ```js
 * const happy = viewer.expression('happy', { weight: 1, fade: 0.3 });
 * happy.override(null, { fade: 0.3 });
 * ```
 * @category Morphs and expressions
 */
export class Expression {
  /** The name; see {@link ExpressionInfo.name}. */
  readonly name: string;
  readonly #performer: MorphOwner;

  /** @internal */
  constructor(performer: MorphOwner, name: string, options: ExpressionOptions = {}) {
    this.#performer = performer;
    this.name = name;
    this.#index();
    checkedOptions(options, ['weight', 'fade'], 'expression()');
    const { weight, fade } = options;
    if (weight !== undefined) this.override(weight, fade === undefined ? {} : { fade });
    else if (fade !== undefined) checkedSeconds(fade, 'fade');
  }

  /**
   * The amount that was set, at this moment of its fade: 0 for none, 1 for the full expression. Setting it is {@link override}
   * without options.
   *
   * @throws {@link GambolError} `argument/invalid`, `expression/not-found`; `actor/removed` without a model
   */
  get weight(): number {
    const index = this.#index();
    return this.#performer.readStage(({ query }, actor) => query.expressionAmount(actor, index));
  }

  set weight(weight: number) {
    this.override(weight);
  }

  /**
   * Replaces the animated weights of the morphs of this expression, in every frame from now on. Several expressions add up. Any amount
   * is possible. A later call replaces the one before; `null` returns the morphs to their animation.
   *
   * @throws {@link GambolError} `argument/invalid`, `expression/not-found`; `actor/removed` without a model
   */
  override(to: number | null, options: MorphOptions = {}): void {
    const index = this.#index();
    const numbers = checkedOverride(to, options, 'expression weight');
    this.#performer.change(({ joints }, actor) => joints.setExpression(actor, index, ...numbers));
  }

  #index(): number {
    this.#performer.number();
    const names = this.#performer.model?.expressions.map(({ name }) => name) ?? [];
    const index = names.indexOf(this.name);
    if (index >= 0) return index;
    throw new GambolError(
      'expression/not-found',
      `The model has no expression ${shown(this.name)}${choices(this.name, names)}`,
    );
  }
}
