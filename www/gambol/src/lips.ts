/**
 * Moves the mouth of a model with speech: by a list of visemes in time, or by an analysis of the sound in the browser. It makes no
 * requests.
 *
 * ```js
 * import { lips } from 'gambol/lips';
 *
 * const audio = document.querySelector('audio');
 * lips(viewer, audio, { cues: [{ time: 0.1, viseme: 'aa' }, { time: 0.3, viseme: 'PP' }, { time: 0.4, viseme: 'sil' }] });
 * ```
 *
 * @module gambol/lips
 */

// With `readGltf`, this entry needs the same files as the others, so bundling puts these into one script. `loadAsset` would add the
// player's modules to the output of bundlers.
export { readGltf } from './load/gltf-file.ts';
export { GambolError } from './base/errors.ts';
export { cueWeights, type LipCue } from './lips/cues.ts';
export { lips, type Lips, type LipsOptions, type LipsPerformer, type LipsSource } from './lips/lips.ts';
