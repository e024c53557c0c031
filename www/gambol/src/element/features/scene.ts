// The viewer of an element as the element's features see it.

import type { Viewer } from '../../api/viewer.ts';
import type { Part } from '../base/lazy-part.ts';

export interface Scene<Attributes> {
  readonly viewer: Viewer;
  /** The element; its attributes say what is asked for. */
  readonly host: HTMLElement & Readonly<Attributes>;
  /** Aborted with the end of the viewer. */
  readonly signal: AbortSignal;
  /** `true` if nothing shall move by itself. */
  readonly still: boolean;
  /** Tells of an error by a warning. */
  warn(error: unknown): void;
}

/** Calls `act` when a lazy part is there, if the viewer still is. */
export function whenLoaded({ signal, warn }: Pick<Scene<unknown>, 'signal' | 'warn'>, part: Part<unknown>, act: () => void): void {
  part.load().then(() => signal.aborted || act(), warn);
}
