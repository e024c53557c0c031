// Clips that are computed ahead: morph caches, matrices, vertices.

import { bytesOf } from '../base/bytes.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { AssetSource } from '../load/source.ts';
import { checkedNumber, checkedWord, optionNames } from '../values/options.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { filesOf, readInput, runTool } from './run.ts';

/** Options of {@link bake}. @category Exports and baked clips */
export interface BakeOptions extends ToolOptions {
  /** The clips, by their names in the file or by their indices. Default: all clips. */
  readonly clips?: string | number | readonly (string | number)[] | undefined;
  /** Frames per second, above 0 and at most 1000. Default: 30. The end of a clip is a frame, too. */
  readonly fps?: number | undefined;
  /**
   * The form of the result. Default: `morphs`.
   *
   * - `morphs`: a GLB with a morph target for each frame, which any player shows without joints.
   * - `palette`: the matrices of each frame, see {@link readBaked}.
   * - `vertices`: the positions and normals of each frame, see {@link readBaked}.
   */
  readonly as?: 'morphs' | 'palette' | 'vertices' | undefined;
  /** Between frames of `morphs`: `linear`, or `step` to show each frame until the next one. Default: `linear`. */
  readonly interpolation?: 'linear' | 'step' | undefined;
}

const OPTIONS = optionNames<Omit<BakeOptions, keyof ToolOptions>>({ clips: 0, fps: 0, as: 0, interpolation: 0 });

/** The numbers of a morph cache. @category Exports and baked clips */
export interface BakeReport {
  /** The number of frames of all clips. */
  readonly frames: number;
  /** The number of morph targets of each mesh. Frames with the same pose share one. */
  readonly targets: number;
  /** The number of vertices of all meshes. */
  readonly vertices: number;
  /**
   * The largest distance, in metres, between the interpolated and the skinned vertex in the middle between two frames; undefined with
   * `step`.
   */
  readonly error: number | undefined;
}

/** A baked file. @category Exports and baked clips */
export interface BakedFile {
  /** The bytes of a GLB, or of the binary form that {@link readBaked} reads. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The numbers of a morph cache; undefined for other forms. */
  readonly report: BakeReport | undefined;
}

/** The header of {@link BakedData}. Nodes and meshes are indices in the source. @category Exports and baked clips */
export interface BakedHeader {
  /** The kind of the numbers. */
  readonly kind: 'palette' | 'vertices';
  /** Frames per second. */
  readonly fps: number;
  /** The number of frames of all clips. */
  readonly frames: number;
  /** The clips, one after the other. */
  readonly clips: readonly {
    /** The name. */
    readonly name: string;
    /** The duration in seconds. */
    readonly duration: number;
    /** The index of the first frame. */
    readonly first: number;
    /** The time of each frame, in seconds. */
    readonly times: readonly number[];
  }[];
  /** Of a palette: the joint, or the node of a rigid mesh, of each matrix. */
  readonly entries?: readonly {
    /** The index of the node. */
    readonly node: number;
    /** Its name. */
    readonly name: string;
  }[];
  /** Of a palette: the meshes. */
  readonly meshes?: readonly {
    /** The index of the node. */
    readonly node: number;
    /** The index of the mesh. */
    readonly mesh: number;
    /** `true` if the mesh has a skin. */
    readonly skinned: boolean;
    /** The index of its first matrix in `entries`. */
    readonly entry: number;
    /** The number of its matrices. */
    readonly count: number;
  }[];
  /**
   * Of vertices: the primitives. Each has 3 numbers for each vertex of each frame, for positions and for normals.
   */
  readonly primitives?: readonly {
    /** The index of the node. */
    readonly node: number;
    /** The index of the mesh. */
    readonly mesh: number;
    /** The index of the primitive in the mesh. */
    readonly primitive: number;
    /** The number of vertices. */
    readonly vertices: number;
    /** The index of the first number of its positions. */
    readonly positions: number;
    /** The index of the first number of its normals; null without normals. */
    readonly normals: number | null;
  }[];
}

/** Baked matrices or vertices. @category Exports and baked clips */
export interface BakedData {
  /** The description of the numbers. */
  readonly header: BakedHeader;
  /**
   * Of a palette: frames × entries × 12, each the three rows of the matrix from the mesh to the model, for column vectors. Of vertices:
   * see {@link BakedHeader.primitives}.
   */
  readonly numbers: Float32Array<ArrayBuffer>;
}

/**
 * Computes the frames of clips ahead. The vertices of a frame are those of the skinned mesh: of `palette` and `vertices` to the bit,
 * of `morphs` but for one rounding of an addition.
 *
 * ```js
 * const { bytes, report } = await bake('runner.glb', { clips: 'Run', fps: 30 });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `clip/not-found`, `bake/too-large`, `load/aborted`, `tools/panic`, and
 * the errors of loading and import
 * @category Exports and baked clips
 */
export async function bake(source: AssetSource, options: BakeOptions = {}): Promise<BakedFile> {
  const signal = checkedTool(options, 'bake()', OPTIONS);
  const { clips, fps = 30, as = 'morphs', interpolation = 'linear' } = options;
  if (!(checkedNumber(fps, 'fps') > 0 && fps <= 1000))
    throw new GambolError('argument/invalid', `fps must be above 0 and at most 1000, not ${fps}.`);
  checkedWord(as, ['morphs', 'palette', 'vertices'], 'as');
  checkedWord(interpolation, ['linear', 'step'], 'interpolation');
  const names = checkedNames(clips);
  const input = await readInput(source, options, signal);
  return runTool(input.url, signal, (tools) => {
    const baking = { clips: names, fps, form: as, steps: interpolation === 'step' };
    const made = tools.bake(input.bytes, filesOf(tools, input), baking);
    const { bytes, frames, targets, vertices, error } = made;
    options.onProgress?.(1);
    if (frames === undefined || targets === undefined || vertices === undefined) return { bytes, report: undefined };
    return { bytes, report: { frames, targets, vertices, error } };
  });
}

/** The names of clips; empty for all clips. */
function checkedNames(clips: BakeOptions['clips']): string[] {
  if (clips === undefined) return [];
  const list = typeof clips === 'object' ? elementsOf(clips) : [clips];
  const good = (clip: unknown): boolean =>
    typeof clip === 'string' || (typeof clip === 'number' && Number.isInteger(clip) && clip >= 0);
  if (!list || list.length === 0 || !list.every(good))
    throw new GambolError(
      'argument/invalid',
      `clips must be a name, an index, or a list of them, not ${shown(clips)}.`,
    );
  return list.map(String);
}

/**
 * Reads a baked palette or baked vertices. The numbers are a view of the bytes if they begin at a multiple of four bytes of their
 * buffer, else a copy.
 *
 * ```js
 * const { bytes } = await bake('runner.glb', { clips: 'Run', as: 'palette' });
 * const { header, numbers } = readBaked(bytes);
 * ```
 *
 * @throws {@link GambolError} `bake/unknown-format` for other bytes
 * @category Exports and baked clips
 */
export function readBaked(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): BakedData {
  const view = bytesOf(bytes);
  const data = new DataView(view.buffer, view.byteOffset, view.byteLength);
  const fail = (): never => {
    throw new GambolError('bake/unknown-format', 'The bytes are not those of a baked palette or of baked vertices.');
  };
  // `GMBK`, and the version.
  if (view.byteLength < 12 || data.getUint32(0, true) !== 0x4b424d47 || data.getUint32(4, true) !== 1) return fail();
  const begin = 12 + data.getUint32(8, true);
  if (begin > view.byteLength || (view.byteLength - begin) % 4 !== 0) return fail();
  let header: BakedHeader;
  try {
    header = JSON.parse(new TextDecoder().decode(view.subarray(12, begin))) as BakedHeader;
  } catch {
    return fail();
  }
  const rest = (view.byteOffset + begin) % 4 === 0 ? view.subarray(begin) : view.slice(begin);
  return { header, numbers: new Float32Array(rest.buffer, rest.byteOffset, rest.byteLength / 4) };
}
