// Loaded models in the public API; the actors that show a model share it.

import { clipList, type Clip, uniqueIds } from '../values/clips.ts';
import type { CoreAsset } from '../wasm/core.ts';
import { GambolError, type Warning } from '../base/errors.ts';
import type { ImageLibrary } from './images.ts';
import type { LoadedModel } from './import-model.ts';
import { choices } from '../base/suggestions.ts';
import { guarded } from '../wasm/guarded.ts';
import { described } from '../base/shown.ts';

/** Counts of the parts of a model. */
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
  /** Scenes of the file, of which the default one is shown. */
  readonly scenes: number;
  /** Cameras of the file; {@link Model.cameras} are those of the shown scene. */
  readonly cameras: number;
}

/** A node of a model. */
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

/** A joint's name, exact or similar, or its index in the file. */
export type JointRef = string | number;

/** The warnings without a model: one list, so that it is the same at each access. @internal */
export const NO_WARNINGS: readonly Warning[] = Object.freeze([]);

/** A loaded model. It is freed with the last actor that shows it. */
export class Model {
  /** The name of the file. */
  readonly name: string;
  /** The URL of the file; null for other sources. */
  readonly url: string | null;
  /** The clips, in the order of the file. */
  readonly clips: readonly Clip[];
  /** The names of its material variants (KHR_materials_variants), in the order of the file. */
  readonly variants: readonly string[];
  /** The names of the cameras in its scene, in the order of the file; unique, with `~2`, `~3` … where they repeat. */
  readonly cameras: readonly string[];
  /** The counts of its parts. */
  readonly info: ModelInfo;
  /** All nodes, in the order of the file. */
  readonly joints: readonly JointInfo[];
  /** @internal */
  readonly asset: CoreAsset;
  /** @internal */
  readonly library: ImageLibrary;
  readonly #imported: readonly Warning[];
  /** The list of {@link warnings}, and the warnings of images from which it was made. */
  #warnings: readonly Warning[] = NO_WARNINGS;
  #imageWarnings: readonly Warning[] | undefined;
  readonly #free: () => void;
  #freed = false;

  /** @internal */
  constructor({ asset, library, warnings, name, url, free }: LoadedModel) {
    this.asset = asset;
    this.library = library;
    this.#free = free;
    this.name = name;
    this.url = url ?? null;
    const { clips, variants, cameras, joints, info } = guarded(() => asset.describe());
    this.clips = clipList(clips);
    this.variants = Object.freeze(variants);
    this.cameras = Object.freeze(uniqueIds(cameras, 'Camera'));
    this.info = info;
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
   * ignored (`left_hand` finds `mixamorig:LeftHand`). Of several nodes it is the first.
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
    if (this.#freed)
      throw new GambolError('argument/invalid', 'The model was freed with its last actor. Load it again.');
    const index = typeof ref === 'number' ? ref : guarded(() => this.asset.findJoint(ref));
    const found = this.joints[index ?? -1];
    if (found) return found;
    throw new GambolError('joint/not-found', `The model has no joint “${ref}”${this.nearJoints(ref)}`);
  }
}
