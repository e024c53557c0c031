// See `rest.ts`.

export { stand } from './body.ts';
export { BlendSpace } from './blend-space.ts';
export { Expression } from './expression.ts';
export { blink, glance } from './eyes.ts';
export { Joint } from './joint.ts';
export { addedLayer } from './layer.ts';
export { Morph } from './morph.ts';
export { States, statesText } from './states.ts';
