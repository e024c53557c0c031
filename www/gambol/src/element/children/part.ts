import { Part } from '../base/lazy-part.ts';

/** The synchronisation of child elements, loaded lazily. */
export const childrenPart = new Part('what does the words of children', () => import('./child-sync.ts'));
