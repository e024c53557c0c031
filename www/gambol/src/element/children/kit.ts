// Functions and classes that are handed to the lazily loaded script of children, see `base/lazy-part.ts`.

import { asGambolError } from '../../base/errors.ts';
import { parseAngle, parseVector } from '../base/css-values.ts';
import { placeOf, rotated } from '../base/model-space.ts';
import { GambolAttach, GambolIk, GambolLayer, GambolLook, GambolMarker, SAID } from './elements.ts';

export const childrenKit = {
  asGambolError, parseAngle, parseVector, placeOf, rotated, GambolAttach, GambolIk, GambolLayer, GambolLook, GambolMarker, SAID,
};
export type ChildrenKit = typeof childrenKit;
