// The script of the feature `extras`.

export { addSprite } from './sprite.ts';
export { drawStill } from '../stage/still.ts';
