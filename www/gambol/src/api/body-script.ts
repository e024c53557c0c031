// The script of the feature `body`.

export { look, reach, stand, swing } from './body.ts';
export { clipTravel, setRootMotion, travel } from './travel.ts';
