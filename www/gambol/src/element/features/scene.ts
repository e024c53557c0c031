// The interface between an element's viewer and its features.

import type { Performer } from '../../api/performer.ts';
import type { Viewer } from '../../api/viewer.ts';
import type { Part } from '../../base/part.ts';
import type { FeatureName } from '../../values/words.ts';

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

/** The models of an element. */
export interface Models {
  /** The element's own model, and those of its `<extra-model>` children that are loaded. */
  readonly models: readonly Performer[];
  /** The `<extra-model>` children; undefined before there was a child element. */
  readonly extras:
    | {
        /** The number of models, loaded or not. */
        readonly size: number;
        /** Sets the clips by `animation-name`. */
        choose(): void;
        /** Turns all models with the turntable. */
        turn(how: 'place' | 'teleport'): void;
      }
    | undefined;
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

/**
 * Calls `action` when the synchronous calls of features work: now, or after they are loaded, for which the first frame of a model
 * waits. A failure is a warning; `action` is called then, too, since the others may work.
 */
export function whenUsed(
  { viewer, signal, warn }: Pick<Scene<unknown>, 'viewer' | 'signal' | 'warn'>,
  features: readonly FeatureName[],
  action: () => void,
): void {
  const missing = features.filter((name) => !viewer.uses(name));
  if (missing.length === 0) return action();
  const loading = viewer
    .use(...missing)
    .catch(warn)
    .then(() => signal.aborted || action())
    .catch(warn);
  viewer.engine.settings.waitFor(loading);
}
