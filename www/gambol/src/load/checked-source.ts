// The check of the options of a source.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { checkedFunction, checkedTransfer, checkedWord } from '../values/options.ts';
import type { SourceOptions } from './source.ts';

/** Checks options before the first request. @throws {@link GambolError} `argument/invalid` */
export function checkedSource(
  options: SourceOptions & { readonly signal?: AbortSignal | undefined },
  call: string,
): void {
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
