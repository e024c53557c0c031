// The interface of the element that its bar and its keys use.

import type { Viewer } from '../../api/viewer.ts';
import type { LoopMode } from '../../values/words.ts';

/** The part of `<gambol-viewer>` that bar and keys use: attributes and methods of its public API. */
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
  /** Sends a `warning` for an error, except for the disposal of the viewer and the abort of a load. */
  warn(error: unknown): void;
  /** Announces a text to screen readers. */
  announce(words: string): void;
}
