// The sources of the modules of features that a page may set.

import type { FeatureName } from '../values/words.ts';
import type { WasmSource } from './compile.ts';

/**
 * The sources of the modules of features, by their names; those left out are beside the script. `humanoid` is what several features
 * share.
 * @category Features
 */
export type FeatureSources = { readonly [Name in FeatureName | 'humanoid']?: WasmSource };
