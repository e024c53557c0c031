import { Part } from '../base/lazy-part.ts';

/** The synchronisation of child elements, loaded lazily. */
export const childrenPart = new Part('the script for child elements', () => import('./child-sync.ts'));
