// Loaded models in the public API; the actors that show a model share it.

import type { JointRef, Vector } from '../values/transforms.ts';
import {
  type Clip,
  type ClipChannel,
  type ClipData,
  type ClipRef,
  type ClipSetup,
  findClip,
  trackOf,
  uniqueIds,
} from '../values/clips.ts';
import type { ClipEdit } from '../values/clip-edits.ts';
import type { ClipChange, ClipList } from './clip-list.ts';
import type { CoreAsset, ImageLightInfo } from '../wasm/core.ts';
import { GambolError, notUsed, throwIfAborted, type Warning } from '../base/errors.ts';
import type { ImageLibrary } from './images.ts';
import {
  checkedAddClips,
  importClips,
  loadRetargeting,
  type AddClipsOptions,
  type LoadedModel,
} from './import-model.ts';
import { humanoidOf, type HumanBone, type Humanoid, type RetargetReport } from './retarget.ts';
import type { AssetSource } from './source.ts';
import { checkedExpression, type ExpressionInfo, type ExpressionSetup } from '../values/expressions.ts';
import { choices } from '../base/suggestions.ts';
import type { FeatureName } from '../values/words.ts';
import { guarded } from '../wasm/guarded.ts';
import { lazily } from '../base/lazily.ts';
import { described, shown } from '../base/shown.ts';

/** Counts of the parts of a model. @category Loading and models */
export interface ModelInfo {
  /** Nodes of the file, joints included. */
  readonly nodes: number;
  /** Nodes that are joints of a skin. */
  readonly joints: number;
  /** Vertices of all primitives; those of a mesh that several nodes show count once. */
  readonly vertices: number;
  /** Triangles of all primitives, without lines and points; those of a mesh that several nodes show count once. */
  readonly triangles: number;
  /** Morph targets of all meshes. */
  readonly morphTargets: number;
  /** Materials of the file. */
  readonly materials: number;
  /** Scenes of the file, of which one is shown; see {@link Model.scenes}. */
  readonly scenes: number;
  /** Cameras of the file; {@link Model.cameras} are those of the shown scene. */
  readonly cameras: number;
}

/** A node of a model. @category Loading and models */
export interface JointInfo {
  /** The index of the node in the file. */
  readonly index: number;
  /** The name in the file; it may be empty or repeated. */
  readonly name: string;
  /** The index of the parent node, or null. */
  readonly parent: number | null;
  /** `true` if the node is a joint of a skin. */
  readonly skinned: boolean;
}

/** All morph targets of one name, which are set together: a morph. @category Morphs and expressions */
export interface MorphInfo {
  /**
   * The name in the file (`extras.targetNames` of the meshes). A target without a name is called by its mesh and its index:
   * `Face[2]`, or `#5[2]` for the sixth mesh of the file if that has no name, either.
   */
  readonly name: string;
  /** The names of its meshes in the file. */
  readonly meshes: readonly string[];
  /** The smallest range that contains 0, 1, the weights of the file and all keys of {@link Model.clips}. */
  readonly range: readonly [low: number, high: number];
}

/** Names that may be those of a {@link HumanBone}. */
const BONE = /^(?:hips|spine|chest|upperChest|neck|head|jaw|(?:left|right)[A-Z][A-Za-z]+)$/i;

/** The warnings without a model: one list, so that it is the same at each access. @internal */
export const NO_WARNINGS: readonly Warning[] = Object.freeze([]);

/** The message for a joint that is needed while no model is loaded. @internal */
export function noModel(joint: string): string {
  return `No model is loaded, so there is no joint ${joint}. Wait for load().`;
}

/** A loaded model. It is freed with the last actor that shows it. @category Loading and models */
export class Model {
  /** The name of the file. */
  readonly name: string;
  /** The URL of the file; null for other sources. */
  readonly url: string | null;
  /** The names of its material variants (KHR_materials_variants), in the order of the file. */
  readonly variants: readonly string[];
  /** The names of its scenes, in the order of the file; unique, with `~2`, `~3` … where they repeat, and `Scene 3` without one. */
  readonly scenes: readonly string[];
  /** The name in {@link scenes} of the shown scene: that of {@link LoadOptions.scene}, or the default one; null in a file without scenes. */
  readonly scene: string | null;
  /** The names of the cameras in its scene, in the order of the file; unique, with `~2`, `~3` … where they repeat. */
  readonly cameras: readonly string[];
  /** The counts of its parts. */
  readonly info: ModelInfo;
  /**
   * `true` for a file of motion alone, such as a BVH or VRMA file, or an FBX file without a mesh. A viewer shows its bones as a mesh,
   * with a material named `Bones`, which {@link info} does not count. A clip without a name has the name of the file.
   */
  readonly isMotion: boolean;
  /** All nodes, in the order of the file. */
  readonly joints: readonly JointInfo[];
  /**
   * The direction in which the character looks at rest, in the space of the model: `[0, 0, 1]`, or `[0, 0, -1]` for a file of VRM 0.
   * The camera counts its azimuth from the front of the first model, and `lookAt()` turns it to the target.
   */
  readonly front: Vector;
  /** @internal */
  readonly asset: CoreAsset;
  /** @internal */
  readonly library: ImageLibrary;
  /** The reports of the files in {@link ClipOptions.animations} whose clips the model has, in their order. */
  readonly retargets: readonly RetargetReport[];
  readonly #clips: ClipList;
  readonly #importer: LoadedModel['importer'];
  readonly #imported: readonly Warning[];
  /** The list of {@link warnings}, and the warnings of images from which it was made. */
  #warnings: readonly Warning[] = NO_WARNINGS;
  #imageWarnings: readonly Warning[] | undefined;
  readonly #free: () => void;
  #freed = false;
  /** The list of {@link morphs}, and the clips from which its ranges were made. */
  #morphs: readonly MorphInfo[] = [];
  #morphClips: readonly Clip[] | undefined;
  /** The list of {@link expressions} until its next change. */
  #expressions: readonly ExpressionInfo[] | undefined;
  /** The humanoid in a list, once it was searched. */
  #humanoid: readonly [Humanoid | null] | undefined;

  /** @internal */
  constructor(loaded: LoadedModel) {
    const { asset, description, isMotion, library, clips, retargets, importer, warnings, name, url, free } = loaded;
    this.asset = asset;
    this.library = library;
    this.#free = free;
    this.name = name;
    this.url = url ?? null;
    const { variants, scenes, scene, cameras, joints, front, info } = description;
    this.isMotion = isMotion;
    this.#clips = clips;
    this.#importer = importer;
    this.retargets = retargets;
    this.variants = Object.freeze(variants);
    this.scenes = Object.freeze(uniqueIds(scenes, 'Scene'));
    this.scene = this.scenes[scene] ?? null;
    this.cameras = Object.freeze(uniqueIds(cameras, 'Camera'));
    this.info = info;
    this.front = Object.freeze(front);
    this.#imported = warnings;
    this.joints = Object.freeze(
      joints.map(({ name: called, parent, joint }, index) =>
        Object.freeze({ index, name: called, parent: parent < 0 ? null : parent, skinned: joint }),
      ),
    );
  }

  /**
   * The warnings of its import: parts that were repaired or ignored. The list is frozen. It is the same list until the warnings
   * change, for example when images are decoded again after a loss of the context.
   */
  get warnings(): readonly Warning[] {
    const images = this.library.warnings;
    if (images !== this.#imageWarnings) {
      this.#imageWarnings = images;
      this.#warnings = Object.freeze([...this.#imported, ...images]);
    }
    return this.#warnings;
  }

  /**
   * The clips: those of the file, in its order, and then those that were added. The list is frozen; it is another list after
   * {@link addClips}, {@link createClip}, {@link editClip} and {@link removeClip}.
   */
  get clips(): readonly Clip[] {
    return this.#clips.clips;
  }

  /**
   * The morph targets by their names, in the order in which the names first occur in the file. The list is frozen; it is another
   * list after a change of {@link clips}.
   */
  get morphs(): readonly MorphInfo[] {
    this.#check();
    const { clips } = this;
    if (clips !== this.#morphClips) {
      this.#morphs = Object.freeze(guarded(() => this.asset.morphs()));
      this.#morphClips = clips;
    }
    return this.#morphs;
  }

  /**
   * The expressions: those of a VRM file, in its order; then those that are found by the names of morph targets (emotions, blinks,
   * looks, visemes), then ARKit's shapes; then those of {@link setExpression}. The list is frozen; it is another list after a change.
   * Needs the feature `faces`: throws `feature/not-used`.
   */
  get expressions(): readonly ExpressionInfo[] {
    this.#check();
    this.#needs('faces', 'model.expressions');
    return (this.#expressions ??= Object.freeze(guarded(() => this.asset.expressions())));
  }

  /**
   * Adds an expression, or replaces the one of its name, for all viewers that share the model. Calls of {@link Viewer.expression}
   * from now on use it. Needs the feature `faces`.
   *
   * ```js
   * viewer.model.setExpression('smirk', { morphs: { mouthSmileLeft: 0.8, eyeSquintLeft: 0.3 } });
   * viewer.expression('smirk', { weight: 1, fade: 0.2 });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `morph/not-found`, `feature/not-used`
   */
  setExpression(name: string, setup: ExpressionSetup): void {
    this.#check();
    this.#needs('faces', 'model.setExpression()');
    const checked = checkedExpression(name, setup);
    const morphs = checked.morphs.map(([morph, weight]) => ({ morph: this.findMorph(morph), weight }));
    guarded(() => this.asset.setExpression({ ...checked, morphs }));
    this.#expressions = undefined;
  }

  /** The names of the materials in the order of the file; empty for a material without a name. */
  get materials(): readonly string[] {
    this.#check();
    return guarded(() => this.asset.materials());
  }

  /** The image-based light of the file, if there is one. @internal */
  get imageLight(): ImageLightInfo | undefined {
    // A file with such a light has loaded the feature.
    return this.#importer.core.features.has('light') ? guarded(() => this.asset.imageLight()) : undefined;
  }

  /** The index of a morph in {@link morphs}. @throws {@link GambolError} `morph/not-found` @internal */
  findMorph(name: string): number {
    const names = this.morphs.map((morph) => morph.name);
    const index = names.indexOf(name);
    if (index >= 0) return index;
    throw new GambolError('morph/not-found', `The model has no morph target ${shown(name)}${choices(name, names)}`);
  }

  /**
   * The channels of a clip with the keys that gambol plays: decoded from compressed or quantised accessors, and retargeted for
   * clips of other files. Keys are those of the file, not resampled, with these repairs of the import:
   *
   * - Rotations are normalised; their tangents are not.
   * - Keys are sorted by time. Of several keys at one time, the last one of the file is left.
   * - Of several channels of one property, the last one is left. Invalid channels, and those of unknown properties, are left out.
   * - A channel of the morph weights of a mesh is listed once for each node with these weights.
   * - Values of `KHR_node_visibility/visible` are 0 or 1, and `STEP`.
   *
   * Keys that differ only by roundings (3e-7 of their size) play as one constant value; the list has them as they are.
   *
   * ```js
   * const [first] = viewer.model.channels('Walk');
   * console.log(first.name, first.path, first.times.length); // hips translation 33
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`; `argument/invalid` if the model was freed
   */
  channels(clip: ClipRef): readonly ClipChannel[] {
    this.#check();
    const { index } = findClip(this.clips, clip);
    return guarded(() => this.asset.channels(index));
  }

  /**
   * The numbers of a clip, in the form that {@link createClip} takes: a clip that is made from them plays the same, to the bit. The
   * arrays are copies; {@link channels} says which repairs they have.
   *
   * ```js
   * const walk = viewer.model.clipData('Walk');
   * await viewer.model.createClip({ ...walk, name: 'Arms', tracks: walk.tracks.filter(({ path }) => path === 'rotation') });
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`; `argument/invalid` if the model was freed
   */
  clipData(clip: ClipRef): ClipData {
    const { name, markers } = findClip(this.clips, clip);
    return { name, tracks: this.channels(clip).map(trackOf), markers: markers.map((marker) => ({ ...marker })) };
  }

  /**
   * Makes a clip from numbers. It is checked as the animations of files are, but a fault is an error, and then the model stays as it
   * is. It is an ordinary clip of the model, at the end of its list; all viewers that share the model have it. {@link removeClip}
   * removes it. The call loads the feature `retargeting`, and for pointers `decoding`.
   *
   * ```js
   * const nod = await viewer.model.createClip({
   *   name: 'Nod',
   *   tracks: [{ node: 'Head', path: 'rotation', times: [0, 0.3, 0.6], values: [0, 0, 0, 1, 0.17, 0, 0, 0.985, 0, 0, 0, 1] }],
   * });
   * viewer.play(nod);
   * ```
   *
   * The `pointer` of an error is the place of its fault, such as `tracks[0].times[2]`. Errors of names, lists and words are
   * `joint/not-found`, `morph/not-found` and `argument/invalid`. Those of numbers are codes of imports: `import/key-times-unsorted`,
   * `import/key-value-not-finite`, `import/output-too-short` …
   *
   * @throws {@link GambolError} see above; `import/too-large` for more than 16,777,216 numbers; `load/chunk`
   */
  async createClip(setup: ClipSetup): Promise<Clip> {
    const [made] = await this.#make(setup, 'createClip()');
    return made as Clip;
  }

  /**
   * Edits a clip, also one of the file: keys, interpolation, length, speed, loops, sides. The clip stays the same clip, at the same
   * {@link Clip.index}. Actors and crowds that play it stay at their times, as far as it lasts, and show the new contents. The edits
   * are made in their order; if one fails, the clip stays as it is. Resolves with the clip, and the clips that were split from it. It
   * loads the feature `retargeting`.
   *
   * ```js
   * const before = viewer.model.clipData('Walk');
   * await viewer.model.editClip('Walk', [{ trim: { to: 0.8 } }, { closeLoop: true }, { speed: 1.25 }]);
   * await viewer.model.editClip('Walk', { replace: before });                    // undo
   * ```
   *
   * A state machine that has loaded keeps the length that the clip had.
   *
   * @throws {@link GambolError} `clip/not-found`, `track/not-found`, the errors of {@link createClip}
   */
  async editClip(clip: ClipRef, edits: ClipEdit | readonly ClipEdit[]): Promise<readonly Clip[]> {
    this.#check();
    return this.#make(edits, 'editClip()', findClip(this.clips, clip).index);
  }

  /** Makes a clip from numbers, or edits the one of the index. */
  async #make(value: unknown, call: string, index?: number): Promise<readonly Clip[]> {
    const check = (): void => this.#check();
    check();
    let copy: unknown;
    try {
      // The page may change its lists while the script loads.
      copy = structuredClone(value);
    } catch (cause) {
      throw new GambolError('argument/invalid', `${call} takes plain objects and lists: ${String(cause)}`, { cause });
    }
    const { make } = await lazily('the script for clips from numbers', () => import('./make-clips.ts'));
    return make({ model: this, clips: this.#clips, core: this.#importer.core, check }, copy, call, index);
  }

  /**
   * The human bones that are found in the model by its VRM extension, by the names of its joints, or by its structure; null if it is no
   * humanoid. Needs the feature `retargeting`: throws `feature/not-used`.
   */
  get humanoid(): Humanoid | null {
    this.#check();
    this.#needs('retargeting', 'model.humanoid');
    this.#humanoid ??= [humanoidOf(this.asset)];
    return this.#humanoid[0];
  }

  /**
   * Adds the clips of another file. The skeletons may be different: clips of a humanoid fit any other humanoid. The clips are ordinary
   * clips of the model, at the end of its list. All viewers that share the model have them. It loads the feature `retargeting`.
   *
   * ```js
   * const { clips, mapped, missing } = await viewer.model.addClips('dance.fbx');
   * viewer.play(clips[0]);
   * ```
   *
   * @throws {@link GambolError} `clip/no-match` if no joint of the clips has a counterpart in the model; `clip/not-found`;
   * `joint/not-found` for a name in `retarget`; `load/chunk`; the errors of {@link Viewer.load} for the file
   */
  async addClips(source: AssetSource | Model, options: AddClipsOptions = {}): Promise<RetargetReport> {
    const clips = checkedAddClips(options);
    this.#check();
    const signal = options.signal ?? new AbortController().signal;
    throwIfAborted(signal);
    const { addClips } = await loadRetargeting(this.#importer.core);
    throwIfAborted(signal);
    const add = (asset: CoreAsset, name: string): RetargetReport => {
      this.#check();
      return addClips({ asset: this.asset, clips: this.#clips }, asset, name, options.retarget, clips);
    };
    if (source instanceof Model) {
      source.#check();
      return add(source.asset, source.name);
    }
    const { asset, name, warnings } = await importClips(source, options, this.#importer, signal);
    try {
      const report = add(asset, name);
      return { ...report, warnings: [...warnings.map(({ message }) => message), ...report.warnings] };
    } finally {
      guarded(() => asset.free());
    }
  }

  /**
   * Removes a clip, also one of the file. Actors that play it stop and show the rest pose, and their `clip` is null. It loads the
   * feature `retargeting`.
   *
   * @throws {@link GambolError} `clip/not-found`, `load/chunk`
   */
  async removeClip(clip: ClipRef): Promise<void> {
    this.#check();
    const { index } = findClip(this.clips, clip);
    await this.#importer.core.loadFeatures(['retargeting']);
    this.#check();
    // Another call may have removed it meanwhile.
    if (!this.clips.some((one) => one.index === index)) return;
    guarded(() => this.asset.removeClip(index));
    this.#clips.update();
  }

  /** `true` if the clip of the index is not as it was loaded or added. @internal */
  isEdited(index: number): boolean {
    return this.#clips.isEdited(index);
  }

  /** Adds a listener of changes of {@link clips}; returns a function that removes it. @internal */
  onClipChange(listener: (change: ClipChange) => void): () => void {
    return this.#clips.listen(listener);
  }

  /** Throws unless the feature that the call `name` needs runs. @throws {@link GambolError} `feature/not-used` */
  #needs(feature: FeatureName, name: string): void {
    if (!this.#importer.core.features.has(feature)) throw notUsed(feature, name);
  }

  /** Throws if the model was freed. @internal */
  #check(): void {
    if (this.#freed)
      throw new GambolError('argument/invalid', 'The model was freed with its last actor. Load it again.');
  }

  /** Frees the model, unless other viewers share it. @internal */
  free(): void {
    this.#freed = true;
    this.#free();
  }

  /** The end of a message about a joint that does not exist, with suggestions. @internal */
  nearJoints(ref: JointRef): string {
    return choices(
      ref,
      this.joints.map(({ name }) => name).filter((name) => name !== ''),
      'none of its nodes has a name',
    );
  }

  /**
   * Finds a node by its index, its exact name, or a similar name, for which case, punctuation, spaces and a prefix before `:` are
   * ignored (`left_hand` finds `mixamorig:LeftHand`). Of several nodes it is the first. Without such a node, the name of a human bone
   * of VRM (`head`, `leftEye`) finds the joint that a VRM file gives for it, or, if the feature `retargeting` was used, that of
   * {@link humanoid}.
   *
   * @throws {@link GambolError} `joint/not-found`; `argument/invalid` if `ref` is neither a number nor a string, or if the model was freed
   */
  findJoint(ref: JointRef): JointInfo {
    // Only strings: the glue reads the length of a name more than once, and could write past the end of its memory for other
    // values.
    if (typeof ref !== 'number' && typeof ref !== 'string') {
      throw new GambolError(
        'argument/invalid',
        `A joint must be given by its name or index, not by a value of type ${described(ref)}.`,
      );
    }
    this.#check();
    const index = typeof ref === 'number' ? ref : guarded(() => this.asset.findJoint(ref));
    const found = this.joints[index ?? this.#bone(ref) ?? -1];
    if (found) return found;
    const more =
      BONE.test(String(ref)) && !this.#importer.core.features.has('retargeting')
        ? ` If it is a human bone: ${notUsed('retargeting', 'its name').message}`
        : '';
    throw new GambolError('joint/not-found', `The model has no joint “${ref}”${this.nearJoints(ref)}${more}`);
  }

  /** The index of the joint of a human bone; undefined if there is none, or if the feature `retargeting` does not run. */
  #bone(name: JointRef): number | undefined {
    if (typeof name !== 'string' || !this.#importer.core.features.has('retargeting')) return undefined;
    const bone = name.slice(0, 1).toLowerCase() + name.slice(1);
    const { bones = {} } = this.humanoid ?? {};
    return Object.hasOwn(bones, bone) ? bones[bone as HumanBone] : undefined;
  }
}
