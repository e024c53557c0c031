// The option `retarget` as the core and the tools take it.

import type { CoreRetarget } from '../wasm/core.ts';
import type { BoneNames, Retarget } from './retarget.ts';

/** The checked option `retarget` as a structure. */
export function retargetOptions(retarget: Retarget): CoreRetarget {
  const { source, target, hips, footLock = false, rotations } = typeof retarget === 'string' ? {} : retarget;
  return {
    byNames: retarget === 'names',
    source: bonesOf(source),
    target: bonesOf(target),
    keepHips: hips === 'kept',
    footLock,
    rotations,
  };
}

/** Bones with their joints. An empty name is no joint. */
function bonesOf(bones: BoneNames = {}): CoreRetarget['source'] {
  return Object.entries(bones).map(([bone, joint]) => ({ bone, joint: joint || undefined }));
}
