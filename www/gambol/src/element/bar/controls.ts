// The bar and its keys: a script that is loaded lazily, by elements with `controls` and by elements that get the focus.

export { Bar } from './bar.ts';
export { press } from './keyboard.ts';
