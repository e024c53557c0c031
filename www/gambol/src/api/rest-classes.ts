// See `rest.ts`.

export { gaze, stand } from './body.ts';
export { BlendSpace } from './blend-space.ts';
export { Joint } from './joint.ts';
export { addedLayer } from './layer.ts';
export { Morph } from './morph.ts';
export { States, statesText } from './states.ts';
