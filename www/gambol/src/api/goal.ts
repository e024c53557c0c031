// Targets of look-at and IK, in the form that the core takes.

import { GambolError } from '../base/errors.ts';
import type { Model } from '../load/model.ts';
import { checkedSpace, checkedWeight, numbers, type GoalOptions, type Vector } from '../values/transforms.ts';
import type { Space } from '../values/words.ts';

/** The target of a look-at or of IK. @internal */
export function goalOf(
  target: Vector,
  { space = 'world', weight = 1 }: GoalOptions,
): { readonly target: Float32Array; readonly space: 'world' | 'model'; readonly weight: number } {
  return { target: numbers(target, 3, 'target'), space: coreSpace(space), weight: checkedWeight(weight) };
}

/** The space of a target or a direction. The core has none relative to a parent joint. */
export function coreSpace(space: Space): 'world' | 'model' {
  return checkedSpace(space) === 'world' ? 'world' : 'model';
}

/** The index of a joint of the owner's model. */
export function indexOf(owner: { readonly model: Model | null }, joint: string | number): number {
  if (!owner.model) throw new GambolError('joint/not-found', 'No model is loaded. Wait for load().');
  return owner.model.findJoint(joint).index;
}
