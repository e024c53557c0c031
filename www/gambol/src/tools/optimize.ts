// Smaller files within a bound.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { AssetSource } from '../load/source.ts';
import { checkedWord, optionNames } from '../values/options.ts';
import type { Difference } from './diff.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { betweenSteps, filesOf, readInput, runTool } from './run.ts';

/** Options of {@link optimize}. @category Tools for files */
export interface OptimizeOptions extends ToolOptions {
  /**
   * The largest distance, in metres, by which a vertex may be elsewhere, at any time of any clip. Default: a ten-thousandth of the
   * model's largest extent, for example 0.18 mm for a person.
   */
  readonly error?: number | undefined;
  /**
   * The encoding of vertices and keys. Default: `meshopt`.
   *
   * - `meshopt`: EXT_meshopt_compression, which gambol, three.js and Babylon.js read.
   * - `khr-meshopt`: KHR_meshopt_compression: smaller, but fewer players read it.
   * - `none`: a file that every player reads.
   */
  readonly compression?: 'meshopt' | 'khr-meshopt' | 'none' | undefined;
}

const OPTIONS = optionNames<Omit<OptimizeOptions, keyof ToolOptions>>({ error: 0, compression: 0 });

/** Numbers of a file, and the bytes of its parts. @category Tools for files */
export interface PartSizes {
  /** The number of keys of all channels. */
  readonly keys: number;
  /** The number of channels of all animations. */
  readonly channels: number;
  /** The number of accessors. */
  readonly accessors: number;
  /** The number of nodes. */
  readonly nodes: number;
  /** The bytes of key times and their values. */
  readonly animation: number;
  /** The bytes of vertices, indices and inverse bind matrices. */
  readonly geometry: number;
  /** The bytes of images in the file. */
  readonly images: number;
  /** The bytes of the JSON. */
  readonly json: number;
  /** All other bytes. */
  readonly other: number;
  /** The bytes of the file, as a GLB. */
  readonly total: number;
}

/** The measured numbers of {@link optimize}. @category Tools for files */
export interface OptimizeReport {
  /** The file as it was. */
  readonly before: PartSizes;
  /** The file as it is now. */
  readonly after: PartSizes;
  /** The bound, in metres: the option `error` or its default. */
  readonly bound: number;
  /** The largest measured distance of a vertex, in metres; at most `bound`. */
  readonly error: number;
  /** The measured distances; undefined if the file is unchanged or has no vertices. */
  readonly difference: Difference | undefined;
  /** `true` if the file could not be made smaller: its bytes are those of the source, if that is a GLB. */
  readonly unchanged: boolean;
  /** The time that it took, in seconds, without loading. */
  readonly seconds: number;
}

/** A file that was made smaller. @category Tools for files */
export interface OptimizedFile {
  /** The bytes of a GLB. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The measured numbers. */
  readonly report: OptimizeReport;
}

/**
 * Makes a file smaller. Its vertices stay within a bound, which is measured on the skinned mesh. Keys are reduced, channels that say
 * nothing are dropped, numbers are quantised, buffer views are encoded; unused nodes and equal accessors are dropped. Materials,
 * images, extras and unknown extensions stay as they are. Buffers and images of other files become part of the GLB.
 *
 * A second call with the result and the same options returns the same bytes.
 *
 * ```js
 * const { bytes, report } = await optimize('hero.glb', { error: 0.0001 });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `load/aborted`, `tools/panic`, and the errors of loading and import
 * @category Tools for files
 */
export async function optimize(source: AssetSource, options: OptimizeOptions = {}): Promise<OptimizedFile> {
  const signal = checkedTool(options, 'optimize()', OPTIONS);
  const { error, compression = 'meshopt' } = options;
  if (error !== undefined && !(typeof error === 'number' && error > 0 && error < Infinity))
    throw new GambolError('argument/invalid', `error must be a positive number of metres, not ${shown(error)}.`);
  checkedWord(compression, ['meshopt', 'khr-meshopt', 'none'], 'compression');
  const input = await readInput(source, options, signal);
  return runTool(input.url, signal, async (tools) => {
    const since = performance.now();
    const optimizer = new tools.Optimizer(input.bytes, filesOf(tools, input), { error, compression });
    for (let ratio = optimizer.advance(); ratio !== undefined; ratio = optimizer.advance())
      await betweenSteps(ratio, options, signal);
    const { bytes, difference, ...numbers } = optimizer.finish();
    options.onProgress?.(1);
    const seconds = (performance.now() - since) / 1000;
    return { bytes, report: { ...numbers, difference, error: difference?.distance ?? 0, seconds } };
  });
}
