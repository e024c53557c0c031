// The element as its bar and its keys see it.

import type { Viewer } from '../../api/viewer.ts';
import type { LoopMode } from '../../values/words.ts';

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
  /** Tells the page of an error, unless the viewer has ended or another model is loaded. */
  warn(error: unknown): void;
  /** Says something to people who listen to a screen reader. */
  say(words: string): void;
}
