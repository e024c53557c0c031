// Models that are read and sampled without being drawn: in pages, workers and Node.

import { findClip, type ClipRef } from '../values/clips.ts';
import type { Core, CoreSampler } from '../wasm/core.ts';
import { elementsOf } from '../base/elements.ts';
import { GambolError, throwIfAborted } from '../base/errors.ts';
import { LOAD_OPTIONS, checkedLoad, importModel, type LoadOptions, type LoadedModel } from '../load/import-model.ts';
import { Model, type JointInfo } from '../load/model.ts';
import type { JointRef } from '../values/transforms.ts';
import { checkedNumber, checkedWord } from '../values/options.ts';
import { ProgressMeter } from '../base/progress.ts';
import type { AssetSource } from '../load/source.ts';
import { guarded } from '../wasm/guarded.ts';
import { loadCore } from '../wasm/init.ts';
import { shown } from '../base/shown.ts';

/** The pose of a model at one time. All arrays are copies. @category Poses without a viewer */
export interface Pose {
  /**
   * Ten numbers for each joint of {@link Asset.joints}, relative to its parent: translation in metres, rotation as a unit
   * quaternion X, Y, Z, W, and scale.
   */
  readonly transforms: Float32Array;
  /** Sixteen numbers for each joint: the matrix from the joint's space to the model's space, column-major. */
  readonly matrices: Float32Array;
  /** The weights of morph targets, in the order of the joints. */
  readonly weights: Float32Array;
  /** A hash over all bits of the data that skins and morphs the model: equal on every machine, with SIMD and without. */
  readonly hash: string;
}

const ARRAYS = ['transforms', 'matrices', 'weights'] as const;

/**
 * A loaded model whose data can be read and whose clips can be sampled. Made by {@link loadAsset}.
 * @category Poses without a viewer
 */
export class Asset extends Model {
  #sampler: CoreSampler | undefined;

  /** @internal */
  constructor(core: Core, loaded: LoadedModel) {
    super(loaded);
    this.#sampler = guarded(() => new core.Sampler(this.asset));
  }

  /**
   * The joint with this name or index; see {@link Model.findJoint}.
   *
   * @throws {@link GambolError} `joint/not-found`, `asset/disposed`
   */
  override findJoint(ref: JointRef): JointInfo {
    this.#alive();
    return super.findJoint(ref);
  }

  /**
   * Samples the pose of a clip, or the rest pose for `null`. The result depends on the two arguments only.
   *
   * @param time seconds of the clip; before the first keyframe and after the last one, the value of that keyframe holds
   * @throws {@link GambolError} `clip/not-found`, `argument/invalid`, `asset/disposed`
   */
  sample(clip: ClipRef | null, time = 0): Pose {
    const sampler = this.#posed(clip, time);
    return guarded(() => ({
      transforms: sampler.transforms(),
      matrices: sampler.matrices(),
      weights: sampler.weights(),
      hash: sampler.hash(),
    }));
  }

  /**
   * Samples one array of {@link Pose} at many times, concatenated in the order of `times`.
   *
   * ```js
   * const { length } = asset.joints;
   * const matrices = asset.sampleMany('Walk', [0, 0.5, 1], 'matrices'); // 3 · length · 16
   * ```
   *
   * @throws {@link GambolError} as {@link Asset.sample}
   */
  sampleMany(
    clip: ClipRef | null,
    times: Iterable<number>,
    array: 'transforms' | 'matrices' | 'weights',
  ): Float32Array {
    checkedWord(array, ARRAYS, 'array');
    const list = elementsOf(times);
    if (list === undefined)
      throw new GambolError('argument/invalid', `times must be a list of numbers, not ${shown(times)}.`);
    const poses = list.map((time) => {
      const sampler = this.#posed(clip, time as number);
      return guarded(() => sampler[array]());
    });
    const { length } = poses[0] ?? [];
    const all = new Float32Array(poses.length * length);
    poses.forEach((pose, i) => all.set(pose, i * length));
    return all;
  }

  /** Frees the memory of the asset. Poses that were sampled before stay valid. */
  dispose(): void {
    const sampler = this.#sampler;
    if (!sampler) return;
    this.#sampler = undefined;
    guarded(() => sampler.free());
    this.free();
  }

  #posed(clip: ClipRef | null, time: number): CoreSampler {
    const sampler = this.#alive();
    checkedNumber(time, 'time');
    const index = clip === null ? this.clips.length : findClip(this.clips, clip).index;
    guarded(() => sampler.sample(index, time));
    return sampler;
  }

  #alive(): CoreSampler {
    if (!this.#sampler)
      throw new GambolError('asset/disposed', 'This asset was disposed of. Load it again with loadAsset().');
    return this.#sampler;
  }
}

/**
 * Loads a model without drawing it, for its clips, its joints, and its pose at any time. It needs no DOM, so it works in workers
 * and in Node, where a `file:` URL is accepted, too. Images are not decoded.
 *
 * ```js
 * const asset = await loadAsset(new URL('hero.glb', import.meta.url));
 * const { matrices } = asset.sample('Walk', 0.5);
 * ```
 *
 * @throws {@link GambolError} the errors of {@link Viewer.load} for files and modules
 * @category Poses without a viewer
 */
export async function loadAsset(from: AssetSource, options: LoadOptions = {}): Promise<Asset> {
  checkedLoad(options, 'loadAsset()', LOAD_OPTIONS);
  const signal = options.signal ?? new AbortController().signal;
  throwIfAborted(signal);
  const core = await loadCore();
  const meter = new ProgressMeter((progress) => signal.aborted || options.onProgress?.(progress));
  const loaded = await importModel(from, options, { core, signal, meter, limits: options.limits ?? {} });
  meter.step('upload', 1, 1);
  return new Asset(core, loaded);
}
