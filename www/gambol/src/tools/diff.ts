// The distance of two files.

import type { AssetSource } from '../load/source.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { betweenSteps, filesOf, readInput, runTool } from './run.ts';

/** Options of {@link diff}. @category Tools for files */
export type DiffOptions = ToolOptions;

/**
 * The vertex with the largest distance, and its time. Indices are those of the first file.
 * @category Tools for files
 */
export interface DifferencePlace {
  /** The distance, in metres. */
  readonly distance: number;
  /** The time in the clip, in seconds; 0 at rest. */
  readonly time: number;
  /** The index of the node. */
  readonly node: number;
  /** The index of the mesh. */
  readonly mesh: number;
  /** The index of the primitive in the mesh. */
  readonly primitive: number;
  /** The index of the vertex in the primitive. */
  readonly vertex: number;
}

/** The largest distance of the vertices of two files. @category Tools for files */
export interface Difference extends DifferencePlace {
  /** The name of the clip with the largest distance; undefined if it is at rest. */
  readonly clip: string | undefined;
  /** The largest distance without a clip. */
  readonly rest: DifferencePlace;
  /** The largest distance in each clip that both files have. */
  readonly clips: readonly (DifferencePlace & {
    /** The name of the clip. */
    readonly name: string;
    /** The index of the clip in the first file. */
    readonly clip: number;
    /** The number of compared times. */
    readonly samples: number;
  })[];
  /** The names of clips that only one of the files has. */
  readonly unmatched: readonly string[];
}

/**
 * Compares two files: the largest distance of their vertices at rest and in each clip that both have, in metres. Joints and morph
 * targets move the vertices. They are compared at all keys of both files and at times between.
 *
 * Vertices belong together by their index if both files have the same meshes. Otherwise, each vertex of the first file is compared
 * with one that is near it in the second file at rest and at some times of all clips: the one that stays nearest.
 *
 * ```js
 * const { distance, clip, time } = await diff('hero.glb', 'hero-small.glb');
 * ```
 *
 * @throws {@link GambolError} `tools/nothing-to-compare`, and the errors of loading and import
 * @category Tools for files
 */
export async function diff(a: AssetSource, b: AssetSource, options: DiffOptions = {}): Promise<Difference> {
  const signal = checkedTool(options, 'diff()', []);
  const first = await readInput(a, options, signal);
  const second = await readInput(b, options, signal);
  return runTool(first.url, signal, async (tools) => {
    const differ = new tools.Differ(first.bytes, filesOf(tools, first), second.bytes, filesOf(tools, second));
    const clips = differ.clips();
    for (let clip = 1; differ.advance(); clip += 1) await betweenSteps(clip / (clips + 1), options, signal);
    const difference = differ.finish();
    options.onProgress?.(1);
    return difference;
  });
}
