// Clips of other files, written into the file of a model.

import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { described } from '../base/shown.ts';
import { checkedRetarget, type BonePair, type HumanBone, type Retarget } from '../load/retarget.ts';
import { retargetOptions } from '../load/retarget-options.ts';
import type { AssetSource } from '../load/source.ts';
import { checkedFlag, optionNames } from '../values/options.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { betweenSteps, filesOf, readInput, runTool, type Input } from './run.ts';

/** Options of {@link retarget}. @category Clips of other files */
export interface RetargetFileOptions extends ToolOptions {
  /** The way in which joints are paired, as in the option `retarget` of `load()`. Default: `auto`. */
  readonly retarget?: Retarget | undefined;
  /** The names or indices of the clips of each file. Default: all. */
  readonly clips?: readonly string[] | undefined;
  /** `false` to remove the clips that the model has. Default: true. */
  readonly keep?: boolean | undefined;
}

const OPTIONS = optionNames<Omit<RetargetFileOptions, keyof ToolOptions>>({ retarget: 0, clips: 0, keep: 0 });

/**
 * The clips that a file has given to a model, and the joints that were paired, as in the report of `addClips()`.
 * @category Clips of other files
 */
export interface RetargetedClips {
  /** The names of the new clips. A name that is taken gets a number: `Walk 2`. */
  readonly clips: readonly string[];
  /** The naming conventions of both files; undefined if joints were paired by names only. */
  readonly conventions: readonly [source: string, target: string] | undefined;
  /** The pairs of human bones, with the names of their joints. */
  readonly mapped: readonly BonePair[];
  /** The number of other joints that were paired by name. */
  readonly named: number;
  /** Human bones that only one of the files has. */
  readonly missing: readonly HumanBone[];
  /** Human bones that the names of several joints fit. */
  readonly ambiguous: readonly HumanBone[];
  /** The factor of the translation of the hips. */
  readonly scale: number;
  /** The number of channels of the source that have no effect on the model. */
  readonly skipped: number;
  /** Guesses and faults, as sentences. */
  readonly warnings: readonly string[];
}

/** The file of a model with the clips of others. @category Clips of other files */
export interface RetargetedFile {
  /** The bytes of a GLB. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** One entry for each file of clips, in their order. */
  readonly files: readonly RetargetedClips[];
}

/**
 * Converts the clips of other files for a model, and writes them into its file. All other parts of the file stay as they are.
 *
 * ```js
 * const { bytes, files } = await retarget('hero.glb', ['walk.fbx', 'run.bvh']);
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `clip/not-found`, `clip/no-match`, `joint/not-found`, `export/keys`,
 * `load/aborted`, `tools/panic`, and the errors of loading and import
 * @category Clips of other files
 */
export async function retarget(
  model: AssetSource,
  clips: readonly AssetSource[],
  options: RetargetFileOptions = {},
): Promise<RetargetedFile> {
  const signal = checkedTool(options, 'retarget()', OPTIONS);
  const { retarget: how = 'auto', clips: names, keep = true } = options;
  checkedRetarget(how);
  checkedFlag(keep, 'keep');
  const sources = elementsOf(clips);
  if (!sources || sources.length === 0)
    throw new GambolError('argument/invalid', 'The clips must be a list of at least one source.');
  const chosen = names === undefined ? [] : elementsOf(names);
  if (!chosen?.every((name) => typeof name === 'string'))
    throw new GambolError('argument/invalid', `clips must be a list of names, not ${described(names)}.`);
  const own = await readInput(model, options, signal);
  const others: Input[] = [];
  for (const source of sources as readonly AssetSource[]) others.push(await readInput(source, options, signal));
  return runTool(own.url, signal, async (tools) => {
    const retargeter = new tools.Retargeter(own.bytes, filesOf(tools, own));
    for (const [i, other] of others.entries()) {
      retargeter.add(other.bytes, filesOf(tools, other), other.name, [...(chosen as readonly string[])]);
      await betweenSteps(i / others.length, options, signal);
    }
    const made = retargeter.finish(keep, retargetOptions(how));
    options.onProgress?.(1);
    return made as RetargetedFile;
  });
}
