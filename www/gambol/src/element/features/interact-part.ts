import { Part } from '../../base/part.ts';

/** Simulated fingers, loaded lazily. */
export const interactionPart = new Part('the script for interact()', () => import('./interact.ts'));
