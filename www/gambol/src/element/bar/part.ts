import { Part } from '../../base/part.ts';

/** The bar and its keys, loaded lazily. */
export const controlsPart = new Part('the script for controls', () => import('./controls.ts'));
