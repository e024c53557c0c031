// Expressions in the public API, and the checks of those that a page gives.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { checkedFloat, checkedObject, checkedOptions, checkedText, checkedWord } from './options.ts';
import type { JointRef } from './transforms.ts';

const KINDS = ['emotion', 'viseme', 'blink', 'look', 'shape', 'custom'] as const;
/** The rules, in the order of the core's numbers. */
const RULES = ['none', 'block', 'blend'] as const;
const OVERRIDES = ['overrideBlink', 'overrideLookAt', 'overrideMouth'] as const;

/** The part that an expression plays in a face. @category Morphs and expressions */
export type ExpressionKind = 'emotion' | 'viseme' | 'blink' | 'look' | 'shape' | 'custom';

/**
 * The effect of an expression on those of another kind: none; they have no effect meanwhile; their amounts are reduced.
 * @category Morphs and expressions
 */
export type ExpressionRule = 'none' | 'block' | 'blend';

/** A named set of morph weights: an expression of {@link Model.expressions}. @category Morphs and expressions */
export interface ExpressionInfo {
  /** The name: that of VRM 1.0, ARKit or Oculus for an expression with the same meaning. */
  readonly name: string;
  /** The part that it plays: a mood, the mouth of a sound, a blink, a direction of the eyes, a shape of ARKit, or any other. */
  readonly kind: ExpressionKind;
  /** The names of its morphs, and their weights at full expression. */
  readonly morphs: Readonly<Record<string, number>>;
  /** `true` if its amount is either 0 or 1: 1 above a half. */
  readonly binary: boolean;
  /** The effect on the expressions of kind `blink`. */
  readonly overrideBlink: ExpressionRule;
  /** The effect on the expressions of kind `look`. */
  readonly overrideLookAt: ExpressionRule;
  /** The effect on the expressions of kind `viseme`. */
  readonly overrideMouth: ExpressionRule;
}

/**
 * An expression for {@link Model.setExpression}. Properties other than `morphs` are optional: `custom`, false and `none`.
 * @category Morphs and expressions
 */
export type ExpressionSetup = Pick<ExpressionInfo, 'morphs'> & Partial<Omit<ExpressionInfo, 'name' | 'morphs'>>;

/** An expression with all of its parts, and the names of its morphs with their weights. */
interface PlainExpression extends Required<Omit<ExpressionSetup, 'morphs'>> {
  readonly name: string;
  readonly morphs: readonly (readonly [name: string, weight: number])[];
}

/** Checks an expression of a page. @throws {@link GambolError} `argument/invalid` */
export function checkedExpression(name: string, setup: ExpressionSetup): PlainExpression {
  checkedText(name, 'The name of an expression');
  checkedOptions(setup, ['morphs', 'kind', 'binary', ...OVERRIDES], 'setExpression()');
  const { morphs, kind = 'custom', binary = false, ...rules } = setup;
  checkedObject(morphs, 'morphs of setExpression()');
  checkedWord(kind, KINDS, 'kind');
  if (typeof binary !== 'boolean')
    throw new GambolError('argument/invalid', `binary must be true or false, not ${shown(binary)}.`);
  const rule = (of: (typeof OVERRIDES)[number]) => checkedWord(rules[of] ?? 'none', RULES, of);
  return {
    name,
    kind,
    binary,
    overrideBlink: rule('overrideBlink'),
    overrideLookAt: rule('overrideLookAt'),
    overrideMouth: rule('overrideMouth'),
    morphs: Object.entries(morphs).map(([morph, weight]) => [morph, checkedFloat(weight, `morphs.${morph}`)]),
  };
}

/** Options of {@link Viewer.expression}. @category Morphs and expressions */
export interface ExpressionOptions {
  /** The amount of the expression, as in {@link Expression.override}. Without it, nothing changes. */
  readonly weight?: number;
  /** The duration of the change in seconds of the viewer's timeline, at least 0. Default: 0. */
  readonly fade?: number;
}

/** Options of {@link Viewer.blink}. @category Morphs and expressions */
export interface BlinkOptions {
  /** The seed of the random times: an integer from 0 to 4294967295. Default: 1. */
  readonly seed?: number;
  /** The mean time between two blinks in seconds, at least 0.3. Default: 4. */
  readonly interval?: number;
}

/** Options of {@link Viewer.glance}. @category Morphs and expressions */
export interface GlanceOptions {
  /** The seed of the random times and directions: an integer from 0 to 4294967295. Default: 1. */
  readonly seed?: number;
  /** The mean time between two glances in seconds, at least 0.3. Default: 2.5. */
  readonly interval?: number;
  /** The largest amount of an expression such as `lookLeft`, 0 to 1; of eyes that are joints, 1 is 25°. Default: 0.4. */
  readonly amount?: number;
  /**
   * The joints of the left and of the right eye, for models without expressions of kind `look`. Default: the eyes of a human, found as
   * for retargeting.
   */
  readonly joints?: readonly [left: JointRef, right: JointRef];
}
