// The element as its bar and its keys see it, and the functions they share with it.

import type { Viewer } from '../../api/viewer.ts';
import type { LoopMode } from '../../values/words.ts';
import { adoptStyle, drawIcon, icon, make, setAttribute } from '../base/dom.ts';

/** The part of `<gambol-viewer>` that bar and keys use: some attributes, and methods that scripts call, too. */
export interface Player extends HTMLElement {
  animationName: string | null;
  currentTime: number;
  debug: string | null;
  loopMode: LoopMode;
  timeScale: number;
  readonly duration: number;
  readonly paused: boolean;
  readonly viewer: Viewer | null;
  play(): Promise<void>;
  pause(): void;
  step(frames: number): Promise<void>;
  toBlob(): Promise<Blob>;
  updateFraming(): Promise<void>;
  /** Says something to people who listen to a screen reader. */
  say(words: string): void;
}

/** Functions that are handed to the lazily loaded script of bar and keys, see `base/lazy-part.ts`. */
export const barKit = { adoptStyle, drawIcon, icon, make, setAttribute };
export type BarKit = typeof barKit;
