// The clip that an option names.

import { findClip, openingClip } from '../../values/clips.ts';

export interface ChosenClip {
  readonly index: number;
  readonly name: string;
  /** In seconds. */
  readonly duration: number;
}

/**
 * The clip of a model: by its name, by its index, or the first one that lasts; null for `none`, and if the model has no clips.
 *
 * @throws `GambolError` `clip/not-found`, and those of the import
 */
export async function clipOf(glb: Uint8Array, given: string | undefined): Promise<ChosenClip | null> {
  const { loadAsset } = await import('gambol/asset');
  const asset = await loadAsset(glb);
  try {
    if (given === undefined) return plain(openingClip(asset.clips));
    const named = asset.clips.find(({ id, name }) => id === given || name === given);
    if (named) return plain(named);
    if (given === 'none') return null;
    return plain(findClip(asset.clips, /^\d+$/.test(given) ? Number(given) : given));
  } finally {
    asset.dispose();
  }
}

function plain(clip: ChosenClip | undefined): ChosenClip | null {
  return clip ? { index: clip.index, name: clip.name, duration: clip.duration } : null;
}
