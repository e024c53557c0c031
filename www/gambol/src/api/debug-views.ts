// Debug views: their names, and the parsing of a list of them.

import { GambolError } from '../base/errors.ts';
import type { Model } from '../load/model.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';

const WEIGHTS = 'weights:';

/**
 * A debug view that is drawn in addition to the picture:
 *
 * | view | content |
 * |---|---|
 * | `skeleton` | the bones, over everything else |
 * | `names` | the names of joints, as HTML beside the canvas |
 * | `bounds` | a box around each actor and around the vertices of each joint, and the bounding sphere of the scene |
 * | `wireframe` | the edges of triangles |
 * | `normal-lines`, `tangent-lines` | normals and tangents of vertices, as lines |
 * | `bind-pose` | the meshes as in the file, without skinning and morphing |
 * | `grid` | the ground below models at rest, in squares of 1, 2 or 5 times a power of ten metres |
 * @category Debug views and statistics
 */
export type DebugOverlay =
  | 'skeleton'
  | 'bounds'
  | 'wireframe'
  | 'normal-lines'
  | 'tangent-lines'
  | 'bind-pose'
  | 'names'
  | 'grid';
const OVERLAYS: readonly DebugOverlay[] = [
  'skeleton',
  'bounds',
  'wireframe',
  'normal-lines',
  'tangent-lines',
  'bind-pose',
  'names',
  'grid',
];

/**
 * A debug view that replaces the materials of surfaces. Directions are in world space, mapped from −1 … 1 to 0 … 1. Colours are
 * the values of the textures. Scalars are grey.
 *
 * - `normals` and `tangents` are those of the mesh; `shading-normals` include the normal map.
 * - `uv` shows the fractional part of the first texture coordinates.
 * - `weights:Head` shows the skin weights of a joint, by its name or its index in the file: blue, cyan, green, yellow, red from
 *   low to high; grey is 0.
 * @category Debug views and statistics
 */
export type DebugSurface =
  | 'normals'
  | 'tangents'
  | 'uv'
  | 'base-color'
  | 'metallic'
  | 'roughness'
  | 'shading-normals'
  | 'occlusion'
  | 'emissive'
  | 'alpha'
  | 'vertex-colors'
  | 'specular'
  | 'specular-color'
  | 'clearcoat'
  | 'clearcoat-roughness'
  | 'sheen'
  | 'sheen-roughness'
  | 'transmission'
  | 'thickness'
  | 'iridescence'
  | 'anisotropy'
  | 'diffuse-transmission'
  | 'diffuse-transmission-color'
  | `weights:${string}`;
/** The name of a surface view in the core, which takes the joint of `weights` by itself. */
type SurfaceName = Exclude<DebugSurface, `weights:${string}`> | 'weights';
const SURFACES: readonly SurfaceName[] = [
  'normals',
  'tangents',
  'uv',
  'weights',
  'base-color',
  'metallic',
  'roughness',
  'shading-normals',
  'occlusion',
  'emissive',
  'alpha',
  'vertex-colors',
  'specular',
  'specular-color',
  'clearcoat',
  'clearcoat-roughness',
  'sheen',
  'sheen-roughness',
  'transmission',
  'thickness',
  'iridescence',
  'anisotropy',
  'diffuse-transmission',
  'diffuse-transmission-color',
];

/** A view for finding errors in a model. @category Debug views and statistics */
export type DebugView = DebugOverlay | DebugSurface;

/** Debug views in the form that the core takes. */
export interface DebugSettings {
  readonly views: readonly DebugView[];
  /** The surface view; undefined for the materials. */
  readonly surface: SurfaceName | undefined;
  /** The joint of a `weights:` view; empty for other views. */
  readonly joint: string;
  readonly names: boolean;
}

/**
 * Parses a list of views, or a string of views separated by spaces. `none` and empty strings are ignored.
 *
 * @throws {@link GambolError} `argument/invalid` for an unknown view, and for more than one surface view
 */
export function debugSettings(input: string | readonly string[]): DebugSettings {
  const words = typeof input === 'string' ? input.split(/\s+/) : elementsOf(input);
  if (!words)
    throw new GambolError(
      'argument/invalid',
      `debug must be a string of view names, or a list of them, not ${shown(input)}.`,
    );
  const wrong = words.findIndex((word) => typeof word !== 'string');
  if (wrong >= 0)
    throw new GambolError('argument/invalid', `debug[${wrong}] must be a string, not ${shown(words[wrong])}.`);
  const views = [...new Set((words as readonly string[]).filter((word) => word !== '' && word !== 'none'))];
  let surface: DebugSettings['surface'];
  let joint = '';
  for (const view of views) {
    if (OVERLAYS.includes(view as DebugOverlay)) continue;
    const named = view.startsWith(WEIGHTS);
    const found = named ? 'weights' : SURFACES.find((name) => name === view && name !== 'weights');
    joint = named ? view.slice(WEIGHTS.length) : joint;
    if (found === undefined || (named && joint === '')) {
      const known = [...OVERLAYS, ...SURFACES].map((name) => (name === 'weights' ? 'weights:JOINT' : name));
      throw new GambolError(
        'argument/invalid',
        `There is no debug view “${view}”. Use ${known.join(', ')}. For a joint name with spaces, pass a list.`,
      );
    }
    if (surface !== undefined)
      throw new GambolError(
        'argument/invalid',
        `debug can have one surface view only: remove “${view}” or “${surface}”.`,
      );
    surface = found;
  }
  return { views: Object.freeze(views as DebugView[]), surface, joint, names: views.includes('names') };
}

/** Checks that the model has the joint of a `weights:` view. @throws {@link GambolError} `joint/not-found` */
export function checkDebugJoint(model: Model, joint: string): void {
  const byIndex = /^\d+$/.test(joint) && model.joints[Number(joint)] !== undefined;
  if (joint !== '' && !byIndex) model.findJoint(joint);
}
