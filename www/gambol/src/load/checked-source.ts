// The check of the options of a source.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { checkedFunction, checkedOptions, checkedTransfer, checkedWord, optionNames } from '../values/options.ts';
import type { SourceOptions } from './source.ts';

interface Transferred extends SourceOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The names of the options of all loads. */
export const SOURCE_OPTIONS = optionNames<Transferred>({
  baseURL: 0,
  credentials: 0,
  mapURL: 0,
  externalResources: 0,
  decoders: 0,
  up: 0,
  signal: 0,
});

/**
 * Checks options before the first request. `known`: the names of all options of the call; undefined if the caller has checked them.
 * @throws {@link GambolError} `argument/invalid`
 */
export function checkedSource(options: Transferred, call: string, known?: readonly string[]): void {
  if (known) checkedOptions(options, known, call);
  checkedTransfer(options, call);
  const { baseURL, decoders, externalResources, mapURL, up } = options;
  checkedFunction(mapURL, 'mapURL');
  if (baseURL !== undefined && typeof baseURL !== 'string' && !(baseURL instanceof URL))
    throw new GambolError('argument/invalid', `baseURL must be a URL, not ${shown(baseURL)}.`);
  if (decoders !== undefined) checkedWord(decoders, ['auto', 'none'], 'decoders');
  if (up !== undefined) checkedWord(up, ['y', 'z'], 'up');
  if (externalResources !== undefined)
    checkedWord(externalResources, ['any', 'same-origin', 'same-folder'], 'externalResources');
}
