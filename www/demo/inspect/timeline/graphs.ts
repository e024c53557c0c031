// The curves of a channel: its values, velocity, angle and Euler angles, as functions of time.

import type { ClipChannel } from 'gambol';
import { componentNames } from './rows.ts';
import { angleBetween, eulerAngles, isRotation, keyAtOrBefore, keyValue, valueAt } from './values.ts';

/** `euler` shows rotations as Euler angles, and other channels as values. */
export type GraphKind = 'euler' | 'value' | 'velocity' | 'angle';

export interface Graph {
  /** The name of each curve. */
  readonly names: readonly string[];
  readonly unit: string;
  /** `true` if the curves are straight lines from key to key. */
  readonly straight: boolean;
  /** The values of all curves at a time. */
  at(time: number): readonly number[];
}

/** Half the interval of the difference quotients of velocities, in seconds. */
const HALF_INTERVAL = 1e-3;

/** The curves of a channel; null if it has none of this kind. */
export function graphOf(channel: ClipChannel, kind: GraphKind): Graph | null {
  const rotation = isRotation(channel);
  switch (kind) {
    case 'value':
      return {
        names: componentNames(channel),
        unit: '',
        straight: channel.interpolation === 'STEP' || (channel.interpolation === 'LINEAR' && !rotation),
        at: (time) => valueAt(channel, time),
      };
    case 'velocity':
      return rotation ? angularSpeed(channel) : speeds(channel);
    case 'angle':
      return rotation ? angleFromFirst(channel) : null;
    case 'euler':
      return rotation ? euler(channel) : graphOf(channel, 'value');
  }
}

function speeds(channel: ClipChannel): Graph {
  const at = (time: number): number[] => {
    const before = valueAt(channel, time - HALF_INTERVAL);
    // A step has no velocity: it jumps.
    if (channel.interpolation === 'STEP') return before.map(() => 0);
    return valueAt(channel, time + HALF_INTERVAL).map((value, i) => (value - (before[i] ?? 0)) / (2 * HALF_INTERVAL));
  };
  return { names: componentNames(channel), unit: '/s', straight: false, at };
}

function angularSpeed(channel: ClipChannel): Graph {
  const at = (time: number): number[] => {
    if (channel.interpolation === 'STEP') return [0];
    const turn = angleBetween(valueAt(channel, time - HALF_INTERVAL), valueAt(channel, time + HALF_INTERVAL));
    return [turn / (2 * HALF_INTERVAL)];
  };
  return { names: ['angular speed'], unit: '°/s', straight: false, at };
}

function angleFromFirst(channel: ClipChannel): Graph {
  const first = keyValue(channel, 0);
  return {
    names: ['angle from first key'],
    unit: '°',
    straight: false,
    at: (time) => [angleBetween(first, valueAt(channel, time))],
  };
}

function euler(channel: ClipChannel): Graph {
  // Angles are continuous from key to key, so a full turn is not a jump.
  const ofKeys: number[][] = [];
  for (let key = 0; key < channel.times.length; key++)
    ofKeys.push(continued(eulerAngles(keyValue(channel, key)), ofKeys[key - 1]));
  const at = (time: number): readonly number[] =>
    continued(eulerAngles(valueAt(channel, time)), ofKeys[Math.max(0, keyAtOrBefore(channel.times, time))]);
  return { names: ['X', 'Y', 'Z'], unit: '°', straight: channel.interpolation === 'STEP', at };
}

/** Angles with whole turns added, so that they are next to those before. */
function continued(angles: readonly number[], before: readonly number[] | undefined): number[] {
  return angles.map((angle, i) => angle + 360 * Math.round(((before?.[i] ?? angle) - angle) / 360));
}
