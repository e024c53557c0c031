// Visemes in time.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';

/** A viseme that begins at a time, and lasts until the next cue. @category Lips */
export interface LipCue {
  /** The time in seconds of the sound, at least 0. */
  readonly time: number;
  /** The viseme: a name of Oculus (`sil`, `PP`, `aa`, `E` …) or a vowel of VRM (`aa`, `ih`, `ou`, `ee`, `oh`). */
  readonly viseme: string;
  /** The amount, 0 to 1. Default: 1. */
  readonly weight?: number;
}

/** A checked cue. */
export interface Cue {
  readonly time: number;
  /** The name of the expression; null for a closed mouth. */
  readonly viseme: Viseme | null;
  readonly weight: number;
}

/** The names of the expressions. Silence has none. */
export const VISEMES = ['PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR', 'aa', 'ee', 'ih', 'oh', 'ou'] as const;
export type Viseme = (typeof VISEMES)[number];

const OTHER_NAMES: ReadonlyMap<string, Viseme | null> = new Map([
  ['sil', null],
  ['a', 'aa'],
  ['e', 'ee'],
  ['i', 'ih'],
  ['o', 'oh'],
  ['u', 'ou'],
]);

function visemeOf(name: unknown): Viseme | null {
  const plain = typeof name === 'string' ? name.toLowerCase().replace(/^viseme[ _-]?/, '') : '';
  const viseme = VISEMES.find((one) => one.toLowerCase() === plain) ?? OTHER_NAMES.get(plain);
  if (viseme !== undefined) return viseme;
  throw new GambolError(
    'argument/invalid',
    `viseme must be one of sil, ${VISEMES.join(', ')}, E, I, O or U, not ${shown(name)}.`,
  );
}

/** Checks cues, and sorts them by time. */
export function checkedCues(cues: readonly LipCue[]): readonly Cue[] {
  if (!Array.isArray(cues)) throw new GambolError('argument/invalid', `cues must be a list, not ${shown(cues)}.`);
  const list = cues.map((cue: LipCue, i) => {
    const { time, viseme, weight = 1 } = Object(cue) as LipCue;
    if (!(Number.isFinite(time) && time >= 0))
      throw new GambolError('argument/invalid', `cues[${i}].time must be a number of at least 0, not ${shown(time)}.`);
    if (!(typeof weight === 'number' && weight >= 0 && weight <= 1))
      throw new GambolError(
        'argument/invalid',
        `cues[${i}].weight must be a number from 0 to 1, not ${shown(weight)}.`,
      );
    return { time, viseme: visemeOf(viseme), weight };
  });
  return list.sort((a, b) => a.time - b.time);
}

/** The amounts of visemes at a time. Each cue follows the one before within `fade` seconds, and is complete before the next one. */
export function weightsAt(cues: readonly Cue[], time: number, fade: number): ReadonlyMap<Viseme, number> {
  const weights = new Map<Viseme, number>();
  let [low, high] = [0, cues.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle]?.time ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const current = cues[low - 1];
  if (!current) return weights;
  const [before, next] = [cues[low - 2], cues[low]];
  const length = Math.min(fade, (next?.time ?? Infinity) - current.time);
  const s = length > 0 ? Math.min(1, (time - current.time) / length) : 1;
  const share = s * s * (3 - 2 * s);
  const add = (cue: Cue | undefined, amount: number): void => {
    if (cue?.viseme && amount > 0) weights.set(cue.viseme, (weights.get(cue.viseme) ?? 0) + cue.weight * amount);
  };
  add(before, 1 - share);
  add(current, share);
  return weights;
}

/**
 * The amounts of visemes at a time, by the names of their expressions: a pure function, as {@link lips} shows them.
 *
 * - `fade`: the duration of a change in seconds.
 *
 * @throws {@link GambolError} `argument/invalid`
 * @category Lips
 */
export function cueWeights(cues: readonly LipCue[], time: number, fade = 0.08): Readonly<Record<string, number>> {
  return Object.fromEntries(weightsAt(checkedCues(cues), time, fade));
}
