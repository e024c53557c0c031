// Clips of other files: options, and the report of the joints that were paired. `add-clips.ts` adds them.

import type { Clip, ClipRef } from '../values/clips.ts';
import type { CoreAsset } from '../wasm/core.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { guarded } from '../wasm/guarded.ts';
import { described, shown } from '../base/shown.ts';
import { checkedNames, checkedObject, checkedWord, optionNames } from '../values/options.ts';

/** The name of a human bone, as in VRM 1.0. @category Clips of other files */
export type HumanBone =
  | 'hips'
  | 'spine'
  | 'chest'
  | 'upperChest'
  | 'neck'
  | 'head'
  | 'jaw'
  | `${'left' | 'right'}${
      | 'Eye'
      | 'UpperLeg'
      | 'LowerLeg'
      | 'Foot'
      | 'Toes'
      | 'Shoulder'
      | 'UpperArm'
      | 'LowerArm'
      | 'Hand'
      | `Thumb${'Metacarpal' | 'Proximal' | 'Distal'}`
      | `${'Index' | 'Middle' | 'Ring' | 'Little'}${'Proximal' | 'Intermediate' | 'Distal'}`}`;

/**
 * Names of joints by human bones; null for a bone that the model does not have. It changes the map that is found.
 * @category Clips of other files
 */
export type BoneNames = Readonly<Partial<Record<HumanBone, string | null>>>;

/** The treatment of clips of another file. @category Clips of other files */
export interface RetargetOptions {
  /** Changes of the bones of the file that has the clips. */
  readonly source?: BoneNames;
  /** Changes of {@link Model.humanoid}, the bones of the model that plays them. */
  readonly target?: BoneNames;
  /** The translation of the hips: multiplied by the ratio of leg lengths, or kept in metres. Default: `scaled`. */
  readonly hips?: 'scaled' | 'kept';
  /**
   * `true` to keep the ankles in place while those of the source are, by inverse kinematics that is baked into the keys. The
   * directions of the legs then differ from those of the source. Default: false.
   */
  readonly footLock?: boolean;
  /**
   * The rotation of human bones. `directions`: they have the directions of those of the source. `relative`: they turn from
   * their rest pose as those of the source turn from theirs, as VRMC_vrm_animation says; both rest poses must be the same
   * posture, such as a T-pose. Default: `relative` for a `.vrma` file on a VRM avatar, otherwise `directions`.
   */
  readonly rotations?: 'directions' | 'relative';
}

/**
 * The way in which the joints of two files are paired: by names if the skeletons are equal, else by their human bones, else by
 * names (`auto`); by names only (`names`); or as `auto` with options.
 * @category Clips of other files
 */
export type Retarget = 'auto' | 'names' | RetargetOptions;

/** A human bone that two files have, with the names of its joints. @category Clips of other files */
export interface BonePair {
  /** The human bone. */
  readonly bone: HumanBone;
  /** The name of the joint in the file that has the clips. */
  readonly source: string;
  /** The name of the joint in the model. */
  readonly target: string;
}

/** The result of {@link Model.addClips}: the clips, and the joints that were paired. @category Clips of other files */
export interface RetargetReport {
  /** The new clips of the model. */
  readonly clips: readonly Clip[];
  /** The naming conventions of both files, such as `Mixamo` and `VRM 1`; null if joints were paired by names only. */
  readonly conventions: readonly [source: string, target: string] | null;
  /** The pairs of human bones. */
  readonly mapped: readonly BonePair[];
  /** The number of other joints that were paired by name. */
  readonly named: number;
  /** Human bones that only one of the files has. */
  readonly missing: readonly HumanBone[];
  /** Human bones that the names of several joints fit; the first joint was taken. */
  readonly ambiguous: readonly HumanBone[];
  /** The factor of the translation of the hips; 1 if joints were paired by names. */
  readonly scale: number;
  /** The number of channels of the source that have no effect on the model. */
  readonly skipped: number;
  /** Guesses and faults, as sentences. */
  readonly warnings: readonly string[];
}

/** The human bones of a model. @category Clips of other files */
export interface Humanoid {
  /** The naming convention of its joints, such as `Mixamo`. */
  readonly convention: string;
  /** The indices of joints by human bones. */
  readonly bones: Readonly<Partial<Record<HumanBone, number>>>;
  /** The indices of the joints of the spine, from the hips (excluded) to the chest that carries neck and arms. */
  readonly spine: readonly number[];
  /** The indices of joints that distribute the twist of limbs. */
  readonly twists: readonly number[];
  /** Human bones that the names of several joints fit; the first joint was taken. */
  readonly ambiguous: readonly HumanBone[];
}

const RETARGET = optionNames<RetargetOptions>({ source: 0, target: 0, hips: 0, footLock: 0, rotations: 0 });

/** Checks the option `retarget`. @throws {@link GambolError} `argument/invalid` @internal */
export function checkedRetarget(retarget: Retarget | undefined): void {
  if (retarget === undefined) return;
  if (typeof retarget === 'string') {
    checkedWord(retarget, ['auto', 'names'], 'retarget');
    return;
  }
  checkedObject(retarget, 'retarget');
  checkedNames(retarget, RETARGET, 'retarget');
  const { source, target, hips, footLock, rotations } = retarget;
  for (const [name, bones] of [
    ['source', source],
    ['target', target],
  ] as const) {
    if (bones === undefined) continue;
    checkedObject(bones, `retarget.${name}`);
    for (const [bone, joint] of Object.entries(bones)) {
      if (joint !== null && typeof joint !== 'string')
        throw new GambolError(
          'argument/invalid',
          `retarget.${name}.${bone} must be the name of a joint or null, not ${described(joint)}.`,
        );
    }
  }
  if (hips !== undefined) checkedWord(hips, ['scaled', 'kept'], 'retarget.hips');
  if (rotations !== undefined) checkedWord(rotations, ['directions', 'relative'], 'retarget.rotations');
  if (footLock !== undefined && typeof footLock !== 'boolean')
    throw new GambolError('argument/invalid', `retarget.footLock must be true or false, not ${shown(footLock)}.`);
}

/** The human bones of a model, or null. @internal */
export function humanoidOf(asset: CoreAsset): Humanoid | null {
  const found = guarded(() => asset.humanoid());
  if (!found) return null;
  return {
    convention: found.convention,
    bones: Object.fromEntries(found.bones.map(({ bone, joint }) => [bone, joint])),
    spine: found.spine,
    twists: found.twists,
    ambiguous: found.ambiguous as HumanBone[],
  };
}

/** A checked copy of the list of clips to add, because the page may change its own during the load. @throws {@link GambolError} `argument/invalid` @internal */
export function checkedClips(clips: readonly ClipRef[] | undefined): readonly ClipRef[] | undefined {
  if (clips === undefined) return undefined;
  const list = typeof clips === 'string' ? undefined : elementsOf(clips);
  if (!list)
    throw new GambolError('argument/invalid', `clips must be a list of names or indices, not ${shown(clips)}.`);
  return list as readonly ClipRef[];
}
