// Visemes by the sound: its loudness, and the levels in bands of frequency.

import type { Viseme } from './cues.ts';

/** The limits of the bands in Hz. */
const LIMITS = [80, 400, 1000, 1800, 3500, 9000] as const;
/**
 * The levels in the bands in dB, relative to the loudest one. Those of vowels were measured on synthetic voices with the mean formants of
 * Peterson and Barney (1952); `SS` is a hiss.
 */
const PROFILES: readonly (readonly [viseme: Viseme, levels: readonly number[]])[] = [
  ['aa', [-11, 0, -6, -32, -50]],
  ['ee', [0, -16, -34, -23, -45]],
  ['ih', [0, -3, -23, -13, -49]],
  ['oh', [-9, 0, -27, -42, -50]],
  ['ou', [0, -11, -33, -46, -50]],
  ['SS', [-40, -40, -35, -12, 0]],
];
/** Levels below this one count as it: recordings have noise there. */
const FLOOR = -50;
/** The difference of levels in dB at which a viseme loses much of its share. */
const SPREAD = 6;
/** The levels of silence, and of a fully open mouth, in dB of the full scale. */
const [SILENCE, LOUD] = [-50, -20];

const decibels = (power: number): number => 10 * Math.log10(power);

/**
 * The amounts of visemes; none for silence.
 *
 * @param samples a moment of the sound, from -1 to 1
 * @param spectrum its levels in dB, for frequencies from 0 to half of `rate`
 */
export function visemesOf(samples: Float32Array, spectrum: Float32Array, rate: number): ReadonlyMap<Viseme, number> {
  const weights = new Map<Viseme, number>();
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const open = Math.min(1, (decibels(power) - SILENCE) / (LOUD - SILENCE));
  if (!(open > 0)) return weights;
  const width = rate / 2 / spectrum.length;
  const levels = LIMITS.slice(1).map((high, i) => {
    const bins = spectrum.subarray(Math.ceil((LIMITS[i] ?? 0) / width), Math.ceil(high / width));
    return decibels(bins.reduce((sum, level) => sum + 10 ** (level / 10), 0));
  });
  const loudest = Math.max(...levels);
  const shares = PROFILES.map(([viseme, profile]) => {
    const differences = profile.map((level, i) => level - Math.max(FLOOR, (levels[i] ?? 0) - loudest));
    const square = differences.reduce((sum, one) => sum + one * one, 0) / profile.length;
    return [viseme, Math.exp(-square / (2 * SPREAD * SPREAD))] as const;
  });
  // A sound that resembles none of them, such as a whistle, opens the mouth, too.
  const sum = shares.reduce((all, [, share]) => all + share, 0);
  if (sum > 0) for (const [viseme, share] of shares) weights.set(viseme, (open * share) / sum);
  else weights.set('aa', open);
  return weights;
}
