import { Part } from '../base/lazy-part.ts';

/** What children say. */
export const childrenPart = new Part('what does the words of children', () => import('./child-sync.ts'));
