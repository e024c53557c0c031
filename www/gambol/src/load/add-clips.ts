// Adds clips of other files to a model. The first call loads this script lazily.

import { extendedClips, findClip, type ClipRef } from '../values/clips.ts';
import type { CoreAsset, RetargetDescription } from '../wasm/core.ts';
import { GambolError, type Warning } from '../base/errors.ts';
import { guarded } from '../wasm/guarded.ts';
import type { ClipList } from './clip-list.ts';
import type { HumanBone, Retarget, RetargetReport } from './retarget.ts';
import { retargetOptions } from './retarget-options.ts';

/**
 * Adds clips of a file to a model: all of them, or some. `name`: that of the file, for messages.
 * @throws {@link GambolError} `clip/no-match`, `clip/not-found`, `joint/not-found`, `argument/invalid`
 */
export function addClips(
  model: { readonly asset: CoreAsset; readonly clips: ClipList },
  source: CoreAsset,
  name: string,
  retarget: Retarget = 'auto',
  some?: readonly ClipRef[],
): RetargetReport {
  const list = extendedClips(
    [],
    guarded(() => source.clips()),
  );
  if (list.length === 0)
    throw new GambolError('clip/not-found', `The file ${name} has no clips. Export it with its animations.`);
  const indices = some?.map((ref) => findClip(list, ref).index) ?? [undefined];
  const options = retargetOptions(retarget);
  const made: RetargetDescription[] = [];
  try {
    for (const index of indices) made.push(guarded(() => model.asset.addClips(source, index, options)));
  } catch (error) {
    // Either all clips are added or none.
    for (const clip of made.flatMap(({ clips }) => clips)) guarded(() => model.asset.removeClip(clip));
    throw error;
  }
  const [first] = made;
  if (!first) throw new GambolError('argument/invalid', 'The list of clips to add is empty.');
  const [joints, own] = [source, model.asset].map((each) => guarded(() => each.describe()).joints);
  const nameOf = (all: typeof joints, joint: number): string => all?.[joint]?.name ?? '';
  return {
    clips: model.clips.update().added,
    conventions: first.conventions ?? null,
    mapped: first.mapped.map((pair) => ({
      bone: pair.bone as HumanBone,
      source: nameOf(joints, pair.source),
      target: nameOf(own, pair.target),
    })),
    named: first.named,
    missing: first.missing as HumanBone[],
    ambiguous: first.ambiguous as HumanBone[],
    scale: first.scale,
    skipped: made.reduce((sum, { skipped }) => sum + skipped, 0),
    warnings: [...new Set(made.flatMap(({ warnings }) => warnings))],
  };
}

/** The warnings of a load about clips of another file. */
export function retargetWarnings({ skipped, warnings }: RetargetReport): Warning[] {
  const all: Warning[] = warnings.map((message) => ({ code: 'clip/approximate', message, pointer: '' }));
  if (skipped > 0)
    all.push({
      code: 'import/channel-ignored',
      message: `Channels of imported clips have no target in this model (${skipped} times); they are skipped`,
      pointer: '/animations',
    });
  return all;
}
