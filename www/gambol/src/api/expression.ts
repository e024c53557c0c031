// Expressions of actors: named sets of morph weights. Blinks and glances. A part of the script that is loaded with the second module.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { Model } from '../load/model.ts';
import type {
  BlinkOptions,
  ExpressionInfo,
  ExpressionOptions,
  ExpressionSetup,
  GlanceOptions,
} from '../values/expressions.ts';
import {
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedSeconds,
  checkedText,
  checkedWord,
} from '../values/options.ts';
import { checkedWeight } from '../values/transforms.ts';
import { guarded } from '../wasm/guarded.ts';
import type { MorphOptions, MorphOwner } from './morph.ts';

const KINDS = ['emotion', 'viseme', 'blink', 'look', 'shape', 'custom'] as const;
/** The rules, in the order of the core's numbers. */
const RULES = ['none', 'block', 'blend'] as const;
const SETUP = ['morphs', 'kind', 'binary', 'overrideBlink', 'overrideLookAt', 'overrideMouth'];

/** The lists of models until their next change. */
const lists = new WeakMap<Model, readonly ExpressionInfo[]>();

/** The expressions of a model. */
export function expressionsOf(model: Model): readonly ExpressionInfo[] {
  const known = lists.get(model);
  if (known) return known;
  const list = guarded(() => model.asset.expressions()).map(({ name, kind, morphs, binary, overrides }) => {
    const [blinks, looks, mouth] = overrides;
    return Object.freeze({
      name,
      kind,
      morphs: Object.freeze(Object.fromEntries(morphs.map((morph) => [morph.name, morph.weight]))),
      binary,
      overrideBlink: RULES[blinks ?? 0] ?? 'none',
      overrideLookAt: RULES[looks ?? 0] ?? 'none',
      overrideMouth: RULES[mouth ?? 0] ?? 'none',
    });
  });
  lists.set(model, Object.freeze(list));
  return list;
}

/** Adds an expression to a model, or replaces the one of its name. */
export function setExpression(model: Model, name: string, setup: ExpressionSetup): void {
  checkedText(name, 'The name of an expression');
  checkedOptions(setup, SETUP, 'setExpression()');
  const { morphs, kind = 'custom', binary = false } = setup;
  const { overrideBlink = 'none', overrideLookAt = 'none', overrideMouth = 'none' } = setup;
  checkedObject(morphs, 'morphs of setExpression()');
  checkedWord(kind, KINDS, 'kind');
  if (typeof binary !== 'boolean')
    throw new GambolError('argument/invalid', `binary must be true or false, not ${shown(binary)}.`);
  const rules = [overrideBlink, overrideLookAt, overrideMouth].map((rule) =>
    RULES.indexOf(checkedWord(rule, RULES, 'overrideBlink, overrideLookAt and overrideMouth')),
  );
  const given = Object.entries(morphs);
  const indices = Uint32Array.from(given, ([morph]) => model.findMorph(morph));
  const weights = Float32Array.from(given, ([morph, weight]) =>
    checkedNumber(Math.fround(checkedNumber(weight, `morphs.${morph}`)), `morphs.${morph}`),
  );
  guarded(() => model.asset.setExpression(name, kind, indices, weights, binary, Uint8Array.from(rules)));
  lists.delete(model);
}

/**
 * An expression of an actor. Made by {@link Viewer.expression} and {@link Actor.expression}.
 *
 * After the viewer has loaded another model, an `Expression` stands for the expression of the same name in that model.
 *
 * ```js
 * const happy = viewer.expression('happy', { weight: 1, fade: 0.3 });
 * happy.override(null, { fade: 0.3 });
 * ```
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
    checkedObject(options, 'options of expression()');
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
    checkedObject(options, 'options of override()');
    const { weight = 1, fade = 0 } = options;
    checkedWeight(weight);
    checkedSeconds(fade, 'fade');
    // The core stores it as a single-precision number.
    const amount =
      to === null ? NaN : checkedNumber(Math.fround(checkedNumber(to, 'expression weight')), 'expression weight');
    this.#performer.change(({ joints }, actor) => joints.setExpression(actor, index, amount, weight, fade));
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

function checkedSeed(seed: number): number {
  if (Number.isInteger(seed) && seed >= 0 && seed <= 0xffff_ffff) return seed;
  throw new GambolError('argument/invalid', `seed must be an integer from 0 to 4294967295, not ${shown(seed)}.`);
}

function checkedInterval(interval: number): number {
  if (checkedNumber(interval, 'interval') >= 0.3) return interval;
  throw new GambolError('argument/invalid', `interval must be at least 0.3 seconds, not ${shown(interval)}.`);
}

/** Makes a performer blink by itself; `null` ends it. */
export function blink(owner: MorphOwner, options: BlinkOptions | null): void {
  owner.number();
  if (options !== null) checkedObject(options, 'options of blink()');
  const { seed = 1, interval = 4 } = options ?? {};
  const numbers = [checkedSeed(seed), options === null ? NaN : checkedInterval(interval)] as const;
  let can = true;
  owner.change(({ joints }, actor) => (can = joints.setBlinks(actor, ...numbers)));
  if (!can && options !== null)
    throw new GambolError('expression/not-found', 'The model cannot blink: it has no expression “blink”.');
}

/** Makes the eyes of a performer glance around; `null` ends it. */
export function glance(owner: MorphOwner, options: GlanceOptions | null): void {
  owner.number();
  if (options !== null) checkedObject(options, 'options of glance()');
  const { seed = 1, interval = 2.5, amount = 0.4 } = options ?? {};
  const numbers = [
    checkedSeed(seed),
    options === null ? NaN : checkedInterval(interval),
    checkedWeight(amount),
  ] as const;
  let can = true;
  owner.change(({ joints }, actor) => (can = joints.setGlances(actor, ...numbers)));
  if (!can && options !== null)
    throw new GambolError(
      'expression/not-found',
      'The model cannot glance: it has no expression such as “lookLeft”. Eyes that are joints turn by lookAt().',
    );
}
