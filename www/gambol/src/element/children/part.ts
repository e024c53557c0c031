import { Part } from '../../base/part.ts';

/** The synchronisation of child elements, loaded lazily. */
export const childrenPart = new Part('the script for child elements', () => import('./child-sync.ts'));

/** The hotspots, loaded lazily. */
export const hotspotsPart = new Part('the script for hotspots', () => import('./hotspots.ts'));
