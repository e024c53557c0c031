// Visemes by the sound: its loudness, and the energy in bands of frequency.

import type { Viseme } from './cues.ts';

/** The limits of the bands in Hz: voice, first and second formant, upper formants, hiss. */
const LIMITS = [80, 350, 900, 2300, 3800, 9000] as const;
/** The mean amplitudes (0 to 1) of silence, and of a fully open mouth. */
const [SILENCE, LOUD] = [0.06, 0.35];

/** The mean amplitude in each band, 0 to 1. */
export function bandsOf(spectrum: Uint8Array, sampleRate: number): number[] {
  const width = sampleRate / 2 / spectrum.length;
  return LIMITS.slice(1).map((high, i) => {
    const from = Math.min(spectrum.length, Math.ceil((LIMITS[i] ?? 0) / width));
    const to = Math.min(spectrum.length, Math.max(from + 1, Math.ceil(high / width)));
    let sum = 0;
    for (let bin = from; bin < to; bin++) sum += spectrum[bin] ?? 0;
    return to > from ? sum / (to - from) / 255 : 0;
  });
}

/** The amounts of visemes for the amplitudes in the bands; none for silence. */
export function weightsOf([voice = 0, first = 0, second = 0, upper = 0, hiss = 0]: readonly number[]): ReadonlyMap<
  Viseme,
  number
> {
  const loudness = Math.max(voice, first, second, upper, hiss);
  const open = Math.min(1, Math.max(0, (loudness - SILENCE) / (LOUD - SILENCE)));
  const weights = new Map<Viseme, number>();
  if (open === 0) return weights;
  // Vowels differ by the energy in the second formant's band: low for `ou`, high for `ee`.
  const shares: readonly (readonly [Viseme, number])[] = [
    ['SS', Math.max(0, hiss - Math.max(voice, first))],
    ['ou', Math.max(0, voice - first)],
    ['oh', Math.max(0, Math.min(voice, first) - second)],
    ['aa', Math.min(first, second)],
    ['ee', Math.max(0, Math.min(second, upper) - 0.8 * first)],
  ];
  const sum = shares.reduce((all, [, share]) => all + share, 0);
  if (sum > 0) for (const [viseme, share] of shares) if (share > 0) weights.set(viseme, (open * share) / sum);
  return weights;
}
