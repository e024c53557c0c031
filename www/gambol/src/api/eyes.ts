// Blinks and glances of actors. A part of the script of the feature `faces`.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { BlinkOptions, GlanceOptions } from '../values/expressions.ts';
import { checkedList, checkedNumber, checkedOptions } from '../values/options.ts';
import { checkedWeight } from '../values/transforms.ts';
import { indexOf } from './goal.ts';
import type { MorphOwner } from './morph.ts';

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
  if (options !== null) checkedOptions(options, ['seed', 'interval'], 'blink()');
  const { seed = 1, interval = 4 } = options ?? {};
  const blinks = options === null ? undefined : { seed: checkedSeed(seed), interval: checkedInterval(interval) };
  let can = true;
  owner.change(({ joints }, actor) => (can = joints.setBlinks(actor, blinks)));
  if (!can && options !== null)
    throw new GambolError('expression/not-found', 'The model cannot blink: it has no expression “blink”.');
}

/** Makes the eyes of a performer glance around; `null` ends it. */
export function glance(owner: MorphOwner, options: GlanceOptions | null): void {
  owner.number();
  if (options !== null) checkedOptions(options, ['seed', 'interval', 'amount', 'joints'], 'glance()');
  const { seed = 1, interval = 2.5, amount = 0.4, joints } = options ?? {};
  const eyes = joints ? checkedList(joints, 'joints') : [];
  if (joints && eyes.length !== 2)
    throw new GambolError('argument/invalid', `joints must be the left and the right eye, not ${shown(joints)}.`);
  const glances = options && {
    joints: joints && Uint32Array.from(eyes, (joint) => indexOf(owner, joint)),
    seed: checkedSeed(seed),
    interval: checkedInterval(interval),
    amount: checkedWeight(amount),
  };
  let can = true;
  owner.change((stage, actor) => (can = stage.joints.setGlances(actor, glances ?? undefined)));
  if (!can && options !== null)
    throw new GambolError(
      'expression/not-found',
      'The model cannot glance: it has no expression such as “lookLeft”, and no two eyes that can be found. Name the joints of its eyes: glance({ joints: ["EyeL", "EyeR"] }).',
    );
}
