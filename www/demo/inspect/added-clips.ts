// Clips of other files, and the pairs of joints that the user changes.

import type { AssetSource, Clip, HumanBone, Retarget, RetargetOptions, RetargetReport, Viewer } from 'gambol';
import type { Inspector } from './inspector.ts';

/** A file whose clips were added to the model. */
export interface AddedClips {
  readonly file: string;
  readonly source: AssetSource;
  readonly retarget: Retarget;
  readonly report: RetargetReport;
  /** The report of the pairs that were found without changes by the user. */
  readonly found: RetargetReport;
}

/** A human bone, the joint of the other file, and that of the model; null without one. */
export interface Pair {
  readonly bone: HumanBone;
  readonly source: string | null;
  readonly target: string | null;
}

/** The pairs of an added file: all that were found, also those which the user has ended, and those of the user. */
export function pairsOf({ found, report }: AddedClips, viewer: Viewer): Pair[] {
  const own = viewer.model?.humanoid?.bones ?? {};
  // Bones that only the other file has can get a joint; bones that only the model has get no motion.
  const lonely = found.missing.filter((bone) => own[bone] === undefined);
  const bones = [...found.mapped.map(({ bone }) => bone), ...lonely];
  return bones.map((bone) => {
    const is = (pair: Pick<Pair, 'bone'>): boolean => pair.bone === bone;
    const now = report.mapped.find(is);
    return { bone, source: (now ?? found.mapped.find(is))?.source ?? null, target: now?.target ?? null };
  });
}

/** The option `retarget` of the package for pairs. */
export function retargetOf(pairs: readonly Pair[]): RetargetOptions {
  // A joint without a name cannot be given; the package finds it again.
  const named = (pair: Pair, side: 'source' | 'target'): [HumanBone, string | null][] =>
    pair[side] === '' ? [] : [[pair.bone, pair[side]]];
  const known = pairs.filter(({ source }) => source !== null);
  return {
    source: Object.fromEntries(known.flatMap((pair) => named(pair, 'source'))),
    target: Object.fromEntries(pairs.flatMap((pair) => named(pair, 'target'))),
  };
}

/** Retargets the clips of an added file anew: the new ones replace those that are left of the old ones. */
export async function retargeted(inspector: Inspector, of: AddedClips, retarget: Retarget): Promise<AddedClips> {
  const { viewer } = inspector;
  const model = viewer?.model;
  if (!model) return of;
  const report = await model.addClips(of.source, { retarget });
  const isThere = (clip: Clip | undefined): boolean => clip !== undefined && model.clips.includes(clip);
  for (const [i, clip] of report.clips.entries()) {
    const before = of.report.clips[i];
    if (!before || !isThere(before)) {
      await model.removeClip(clip);
      continue;
    }
    if (viewer.clip === before) {
      const { currentTime } = viewer;
      viewer.clip = clip;
      viewer.currentTime = currentTime;
      inspector.follow({ clip: clip.id });
    }
    await model.removeClip(before);
  }
  return { ...of, retarget, report };
}
