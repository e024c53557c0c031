// Root motion of performers. A part of the script of the feature `body`.

import { GambolError } from '../base/errors.ts';
import type { Model } from '../load/model.ts';
import { findClip, type Clip, type ClipRef } from '../values/clips.ts';
import { checkedNumber, checkedOptions, checkedWord } from '../values/options.ts';
import type { ClipTravel, Movement, RootMotionOptions, Travel } from '../values/root-motion.ts';
import { vectorAt, type Vector } from '../values/transforms.ts';
import type { RootMotion } from '../values/words.ts';
import { NOTHING, type CoreStage } from '../wasm/core.ts';

/** The part of a performer that this script uses. */
interface Owner {
  readonly model: Model | null;
  readonly clips: readonly Clip[];
  number(): number;
  change(change: (stage: CoreStage, actor: number) => void): void;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
  readActor<T>(read: (stage: CoreStage, actor: number) => T, fallback: T): T;
}

/** The numbers of a position and a rotation in the core's list. */
const MOVEMENT = 7;

function movement(position: Vector, [x = 0, y = 0, z = 0, w = 1]: Iterable<number>): Movement {
  // Both signs of a quaternion are the same rotation.
  const yaw = 2 * Math.atan2(w < 0 ? -y : y, Math.abs(w));
  return { position, rotation: [x, y, z, w], yaw };
}

/** Sets the treatment of root motion. */
export function setRootMotion(owner: Owner, motion: RootMotion, options: RootMotionOptions): void {
  checkedOptions(options, ['rotation', 'vertical', 'contact'], 'setRootMotion()');
  const { rotation = 'yaw', vertical = false, contact = true } = options;
  checkedWord(rotation, ['none', 'yaw', 'full'], 'rotation');
  if (typeof vertical !== 'boolean') throw new GambolError('argument/invalid', 'vertical must be true or false.');
  if (typeof contact !== 'boolean' && !Array.isArray(contact))
    throw new GambolError('argument/invalid', 'contact must be true, false or a list of joints.');
  const { model } = owner;
  const joints = typeof contact === 'boolean' || !model ? [] : contact.map((joint) => model.findJoint(joint).index);
  const extracts = motion === 'accumulate' || motion === 'extract';
  let legs = 0;
  owner.change((stage, actor) => {
    legs = stage.setRootMotion(actor, {
      motion,
      rotation,
      vertical,
      contact: extracts && contact !== false,
      feet: joints.length > 0 ? Uint32Array.from(joints) : undefined,
    });
  });
  if (extracts && joints.length > legs)
    throw new GambolError('joint/not-found', 'A joint of contact is not at the end of two bones.');
}

/** The movement by root motion. */
export function travel(owner: Owner): Travel {
  const list = owner.readActor(({ query }, actor) => query.travel(actor), NOTHING);
  const movementAt = (at: number): Movement => movement(vectorAt(list, at), list.subarray(at + 3, at + MOVEMENT));
  return {
    ...movementAt(0),
    total: movementAt(MOVEMENT),
    velocity: vectorAt(list, 2 * MOVEMENT),
    turnRate: list[2 * MOVEMENT + 4] ?? 0,
  };
}

/** The root motion of a clip. */
export function clipTravel(owner: Owner, clip: ClipRef, time: number): ClipTravel {
  owner.number();
  const { index } = findClip(owner.clips, clip);
  const seconds = checkedNumber(time, 'time');
  const { position, rotation, velocity, turnRate } = owner.readStage(({ query }, actor) =>
    query.clipTravel(actor, index, seconds),
  );
  const [, turn = 0] = turnRate;
  return { ...movement(vectorAt(position), rotation), velocity: vectorAt(velocity), turnRate: turn };
}
