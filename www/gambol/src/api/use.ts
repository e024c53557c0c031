// The function that loads features for a page.

import type { FeatureName } from '../values/words.ts';
import { loadCore } from '../wasm/init.ts';
import { checkedFeatures, preloadFeatures, useIn } from './features.ts';

/**
 * Loads features, so that their synchronous calls work: `viewer.feet()` needs `use('body')` before. Without arguments, it loads all.
 * Asynchronous calls, files and the markup of elements load what they need themselves.
 *
 * ```js
 * await use('picking', 'body');
 * ```
 *
 * @throws {@link GambolError} `load/chunk`, after the others have loaded; the next call tries again. `argument/invalid`; the errors of
 * {@link init}
 * @category Features
 */
export async function use(...features: FeatureName[]): Promise<void> {
  const names = checkedFeatures(features);
  preloadFeatures(names);
  await useIn(await loadCore(), names);
}
