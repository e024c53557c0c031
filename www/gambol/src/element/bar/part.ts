import { Part } from '../base/lazy-part.ts';

/** Bar and keys. */
export const controlsPart = new Part('the bar', () => import('./controls.ts'));
