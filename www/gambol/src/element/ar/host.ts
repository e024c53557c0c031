// The element as augmented reality sees it.

import type { Viewer } from '../../api/viewer.ts';
import type { ArAttributes } from './attributes.ts';

export type ArStatus = 'not-presenting' | 'session-started' | 'object-placed' | 'failed';
export type ArTracking = 'tracking' | 'not-tracking';

/** The element. */
export interface ArHost extends HTMLElement, ArAttributes {
  /** The address of the model: `src`, or that of an `<extra-model>` child. */
  readonly modelAddress: string | null;
  readonly renderer: string;
  readonly viewer: Viewer | null;
}

/** The acts of the element. */
export interface ArActs {
  /** The container of the picture and of what lies over it. */
  readonly stage: HTMLElement;
  /** Loads the model if that has not begun; resolves when it is shown. */
  loadNow(): Promise<void>;
  status(status: ArStatus): void;
  tracking(status: ArTracking): void;
  quickLookTapped(): void;
  warn(error: unknown): void;
}
