// The look-at of several joints, in the form that the core takes: of performers and of the members of crowds.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { Model } from '../load/model.ts';
import { checkedObject } from '../values/options.ts';
import { checkedWeight, type LookOptions, type Vector } from '../values/transforms.ts';
import type { GazeOptions } from '../wasm/core.ts';
import { goalOf, indexOf } from './goal.ts';

/** A look-at of several joints, as the core takes it. @internal */
export function gaze(
  owner: { readonly model: Model | null },
  eye: number,
  target: Vector,
  options: LookOptions,
  axis: Float32Array | undefined,
): GazeOptions {
  const { joints = {}, speed = Infinity, limit = Math.PI } = options;
  checkedObject(joints, 'joints');
  if (!(typeof speed === 'number' && speed >= 0))
    throw new GambolError('argument/invalid', `speed must be a number of at least 0, not ${shown(speed)}.`);
  const { target: to, space, weight } = goalOf(target, options);
  const shares = new Map(Object.entries(joints).map(([name, share]) => [indexOf(owner, name), checkedWeight(share)]));
  shares.delete(eye);
  const depth = (joint: number): number => {
    const { parent = null } = owner.model?.findJoint(joint) ?? {};
    return parent === null ? 0 : 1 + depth(parent);
  };
  const all = [...shares].sort(([a], [b]) => depth(a) - depth(b));
  const parts = all.map(([joint, share]) => ({ joint, share: share * weight, limit, axis: undefined }));
  return { joints: [...parts, { joint: eye, share: weight, limit, axis }], target: to, space, speed };
}
