import { Part } from '../base/part.ts';

/** The camera controls, loaded lazily. */
export const cameraControlsPart = new Part('the script for camera controls', () => import('./camera-controls.ts'));
