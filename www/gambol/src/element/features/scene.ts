// The interface between an element's viewer and its features.

import type { Viewer } from '../../api/viewer.ts';
import type { Part } from '../../base/part.ts';

export interface Scene<Attributes> {
  readonly viewer: Viewer;
  /** The element with its attributes. */
  readonly host: HTMLElement & Readonly<Attributes>;
  /** Aborted when the viewer is disposed of. */
  readonly signal: AbortSignal;
  /** `true` if the system asks for reduced motion and the element respects it. */
  readonly still: boolean;
  /** Sends a `warning` for an error. */
  warn(error: unknown): void;
}

/** Calls `action` after a lazy part is loaded, unless the viewer was disposed of. Errors of both are warnings. */
export function whenLoaded(
  { signal, warn }: Pick<Scene<unknown>, 'signal' | 'warn'>,
  part: Part<unknown>,
  action: () => void,
): void {
  part
    .load()
    .then(() => signal.aborted || action())
    .catch((error: unknown) => signal.aborted || warn(error));
}
