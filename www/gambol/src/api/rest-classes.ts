// See `rest.ts`.

import { lazily } from '../base/lazily.ts';
import type * as Exports from './export.ts';

export { stand } from './body.ts';
export { BlendSpace } from './blend-space.ts';
export { Crowd } from './crowd.ts';
export { Expression } from './expression.ts';
export { blink, glance } from './eyes.ts';
export { Joint } from './joint.ts';
export { addedLayer } from './layer.ts';
export { Material } from './material.ts';
export { Morph } from './morph.ts';
export { addSprite } from './sprite.ts';
export { States, statesText } from './states.ts';
export { clipTravel, setRootMotion, travel } from './travel.ts';

/** Loads the script for exports. @throws {@link GambolError} `load/chunk` */
export const exporter = (): Promise<typeof Exports> => lazily('the script for exports', () => import('./export.ts'));
