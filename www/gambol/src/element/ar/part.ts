import { Part } from '../../base/part.ts';

/** The script of augmented reality, loaded lazily. */
export const arPart = new Part('the script for AR', () => import('./ar.ts'));
