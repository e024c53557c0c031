// Checks and errors of recordings and sessions.

import type { Viewer } from '../api/viewer.ts';
import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';

/** @throws {@link GambolError} `argument/invalid` */
export function checkViewer(viewer: Viewer): void {
  if (typeof (viewer as Viewer | null)?.engine?.check !== 'function')
    throw new GambolError('argument/invalid', `A recording needs a viewer, not ${shown(viewer)}.`);
}

/** Throws the error of an aborted recording or replay. @throws {@link GambolError} `record/aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new GambolError('record/aborted', 'The recording was aborted by its signal.', { cause: signal.reason });
}
