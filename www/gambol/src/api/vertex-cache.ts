// Morph caches for crowds. A script of its own, which is loaded for the first of them.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { LoadOptions } from '../load/import-model.ts';
import { Model } from '../load/model.ts';
import type { AssetSource } from '../load/source.ts';
import { bake } from '../tools/bake.ts';
import { checkedOptions } from '../values/options.ts';

/** Options of {@link CrowdOptions.cache}. @category Crowds */
export interface VertexCacheOptions {
  /** The clips, by their names in the file or by their indices; they become the clips of the crowd's model. Default: all clips. */
  readonly clips?: string | number | readonly (string | number)[];
  /** Frames per second, above 0 and at most 1000. Default: 30. */
  readonly fps?: number;
}

/**
 * The morph cache of a file.
 * @throws {@link GambolError} `argument/invalid`, and the errors of {@link bake}
 */
export async function vertexCache(
  from: unknown,
  options: LoadOptions,
  cache: 'vertices' | VertexCacheOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof cache === 'string' && (cache as string) !== 'vertices')
    throw new GambolError('argument/invalid', `cache must be vertices or an object, not ${shown(cache)}.`);
  const given = cache === 'vertices' ? {} : cache;
  checkedOptions(given, ['clips', 'fps'], 'addCrowd(), cache');
  if (from instanceof Model)
    throw new GambolError(
      'argument/invalid',
      'A crowd with a cache needs the source of its model: pass a URL or a file.',
    );
  const { baseURL, credentials, mapURL, externalResources, decoders, up, signal } = options;
  const { bytes } = await bake(from as AssetSource, {
    ...given,
    baseURL,
    credentials,
    ...(mapURL && { mapURL }),
    externalResources,
    decoders,
    up,
    signal,
  });
  return bytes;
}
