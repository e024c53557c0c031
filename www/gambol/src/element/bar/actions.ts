// The actions of buttons and keys. Most return a description of the change for screen readers.

import type { LoopMode } from '../../values/words.ts';
import { fileStem } from './file-stem.ts';
import type { Player } from './player.ts';

export const SPEEDS: readonly number[] = [-1, -0.5, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

export const LOOPS: Readonly<Record<LoopMode, { readonly words: string; readonly next: LoopMode }>> = {
  repeat: { words: 'Loop: repeat', next: 'pingpong' },
  pingpong: { words: 'Loop: ping-pong', next: 'once' },
  once: { words: 'Loop: once', next: 'repeat' },
};

export function speedWords(rate: number): string {
  return `${String(rate).replace('-', '−')}×`;
}

export function timeWords(seconds: number): string {
  return seconds.toFixed(2);
}

export function toggle(element: Player): string {
  if (element.duration === 0) return '';
  if (element.paused) {
    void element.play();
    return `Playing ${element.viewer?.clip?.id ?? ''}`;
  }
  element.pause();
  return 'Paused';
}

/** Pauses and moves the playhead by frames, without waiting for the frame to be presented. */
export function step(element: Player, frames: number): void {
  element.step(frames).catch((error: unknown) => element.warn(error));
}

export function setSpeed(element: Player, rate: number): string {
  element.timeScale = rate;
  return `Speed ${speedWords(rate)}`;
}

/** Sets the next higher or lower speed of {@link SPEEDS}. */
export function changeSpeed(element: Player, direction: 1 | -1): string {
  const rate = element.timeScale;
  const next =
    direction > 0 ? SPEEDS.find((other) => other > rate + 1e-9) : SPEEDS.findLast((other) => other < rate - 1e-9);
  return setSpeed(element, next ?? rate);
}

export function nextLoopMode(element: Player): string {
  element.loopMode = LOOPS[element.loopMode].next;
  return LOOPS[element.loopMode].words;
}

/** Selects the next or the previous clip, and wraps around at the ends of the list. */
export function changeClip(element: Player, direction: 1 | -1): string {
  const { viewer } = element;
  const clips = viewer?.clips ?? [];
  const at = clips.findIndex(({ id }) => id === viewer?.clip?.id);
  const next = clips[(at + direction + clips.length) % clips.length];
  if (!next) return '';
  element.animationName = next.id;
  return next.id;
}

export function canFullscreen(element: Player): boolean {
  return element.ownerDocument.fullscreenEnabled;
}

export function isFullscreen(element: Player): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  return root.fullscreenElement === element;
}

export function toggleFullscreen(element: Player): void {
  if (isFullscreen(element)) void element.ownerDocument.exitFullscreen();
  else if (canFullscreen(element)) element.requestFullscreen().catch(() => undefined);
}

/** Opens the dialog for recordings. */
export async function openRecorder(element: Player): Promise<void> {
  try {
    // Not by a `Part`: this script would share it with those that every page loads, which would split them.
    const { openRecorder } = await import('./recorder.ts');
    await openRecorder(element);
  } catch (error) {
    element.warn(
      Object.assign(new Error(`Cannot open the dialog for recordings: ${String(error)}`), { code: 'load/chunk' }),
    );
  }
}

/** Downloads the picture as a PNG file, named after the model. */
export async function savePicture(element: Player): Promise<void> {
  const blob = await element.toBlob();
  const link = element.ownerDocument.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${fileStem(element)}.png`;
  link.click();
  // A delay, because the browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
