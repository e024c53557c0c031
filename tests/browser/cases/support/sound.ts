// A playing sound, if the browser and the machine support it.

import type { T } from '../../page/api.ts';

/** A sound file of one channel; samples are from -1 to 1. */
export function wav(samples: Float32Array, rate: number): Blob {
  const bytes = new Uint8Array(44 + 2 * samples.length);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string): void =>
    [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, rate, 4],
    [28, 2 * rate, 4],
    [32, 2, 2],
    [34, 16, 2],
  ].forEach(([at = 0, value = 0, size]) => {
    if (size === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
  });
  text(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, i) => view.setInt16(44 + 2 * i, Math.round(32767 * sample), true));
  return new Blob([bytes], { type: 'audio/wav' });
}

/** An `<audio>` with this sound on the page, ready to play. */
export async function audioOf(t: T, samples: Float32Array, rate: number): Promise<HTMLAudioElement> {
  const audio = document.createElement('audio');
  audio.src = URL.createObjectURL(wav(samples, rate));
  document.body.append(audio);
  await new Promise((resolve, reject) => {
    audio.addEventListener('canplaythrough', resolve, { once: true });
    setTimeout(() => reject(new Error('it does not come')), 5000);
    audio.addEventListener('error', () => reject(new Error('this browser cannot play a WAV')), { once: true });
  }).catch(() => t.skip('this browser plays no WAV'));
  return audio;
}

/** An `<audio>` of six silent seconds on the page, ready to play. */
export async function silentAudio(t: T): Promise<HTMLAudioElement> {
  const audio = await audioOf(t, new Float32Array(6 * 8000), 8000);
  audio.muted = true;
  return audio;
}

/** Starts the sound by a real click; skips the test if that fails. */
export async function sound(t: T, audio: HTMLAudioElement): Promise<void> {
  // Browsers allow no sound before the user has interacted with the page.
  const sounds = new Promise((resolve, reject) => {
    window.addEventListener('pointerup', () => audio.play().then(resolve, reject), { once: true });
  });
  await t.act({ type: 'move', x: 20, y: 20 }, { type: 'down' }, { type: 'up' });
  const begun = await Promise.race([sounds.then(() => true), t.sleep(5000).then(() => false)]);
  if (!begun) t.skip('this browser has nothing to play sounds with');
}

/** Skips the test if Web Audio has no device: its clock stands still then. After {@link sound}, which has the click that it needs. */
export async function hears(t: T): Promise<void> {
  const context = new AudioContext();
  void context.resume();
  await t.sleep(500);
  const runs = context.currentTime > 0;
  await context.close();
  if (!runs) t.skip('Web Audio has no device on this machine');
}
