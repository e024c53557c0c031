// Bar and keys: a script of its own, which elements with `controls` load, and those that get focus.

export { Bar } from './bar.ts';
export { press } from './keyboard.ts';
