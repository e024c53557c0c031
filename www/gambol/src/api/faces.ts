// The script of the feature `faces`.

export { Expression } from './expression.ts';
export { blink, glance } from './eyes.ts';
