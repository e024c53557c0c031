// Debug views: which there are, and how they are asked for.

import { GambolError } from '../base/errors.ts';
import type { Model } from '../load/model.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';

const OVERLAYS = ['skeleton', 'bounds', 'wireframe', 'normal-lines', 'tangent-lines', 'bind-pose', 'names', 'grid'] as const;
const SURFACES = [
  'normals', 'tangents', 'uv', 'weights', 'base-color', 'metallic', 'roughness', 'shading-normals', 'occlusion', 'emissive', 'alpha',
  'vertex-colors', 'specular', 'specular-color', 'clearcoat', 'clearcoat-roughness', 'sheen', 'sheen-roughness', 'transmission',
  'thickness', 'iridescence', 'anisotropy',
] as const;
const WEIGHTS = 'weights:';

/**
 * What is drawn besides the picture: the bones of the skeleton over everything (`skeleton`) and the names of its joints
 * (`names`, HTML beside the canvas); the boxes around an actor and around what each joint moves, and the sphere around all
 * (`bounds`); the edges of faces (`wireframe`); the normals and tangents of vertices as lines. `bind-pose` shows the meshes as
 * the file has them, before anything moves them. `grid` is the ground on which models stand at rest, in squares of 1, 2 or 5 times a
 * power of ten metres.
 */
export type DebugOverlay = (typeof OVERLAYS)[number];

/**
 * What surfaces show in place of their materials. Directions are in the world, −1 … 1 as 0 … 1; colours are as textures have
 * them; numbers are grey. `normals` and `tangents` are the mesh's, `shading-normals` have the normal map; `uv` are the
 * fractions of the first texture coordinates. `weights:Head` shows how much of each vertex a joint (its name, or its index
 * in the file) moves: from blue by cyan, green and yellow to red; grey is nothing.
 */
export type DebugSurface = Exclude<(typeof SURFACES)[number], 'weights'> | `weights:${string}`;

/** A view that helps to see what is wrong with a model. */
export type DebugView = DebugOverlay | DebugSurface;

/** Views as the core takes them. */
export interface DebugSettings {
  readonly views: readonly DebugView[];
  /** Undefined for materials. */
  readonly surface: (typeof SURFACES)[number] | undefined;
  /** Empty without weights. */
  readonly joint: string;
  readonly names: boolean;
}

/**
 * Reads a list of views, or words with spaces between them; `none` and nothing are no view.
 *
 * @throws {@link GambolError} `argument/invalid` for another word, and for two that are of the surface
 */
export function debugSettings(asked: string | readonly string[]): DebugSettings {
  const words = typeof asked === 'string' ? asked.split(/\s+/) : elementsOf(asked);
  if (!words) throw new GambolError('argument/invalid', `debug must be the name of a view, or a list of names, not ${shown(asked)}.`);
  const wrong = words.findIndex((word) => typeof word !== 'string');
  if (wrong >= 0) throw new GambolError('argument/invalid', `A debug view is named by a text, not ${shown(words[wrong])}.`);
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
      throw new GambolError('argument/invalid', `There is no debug view “${view}”; there are ${known.join(', ')}. A joint's name with spaces needs a list.`);
    }
    if (surface !== undefined) throw new GambolError('argument/invalid', `A surface shows one thing at a time, not also “${view}”.`);
    surface = found;
  }
  return { views: Object.freeze(views as DebugView[]), surface, joint, names: views.includes('names') };
}

/** @throws {@link GambolError} `joint/not-found` */
export function checkDebugJoint(model: Model, joint: string): void {
  const byIndex = /^\d+$/.test(joint) && model.joints[Number(joint)] !== undefined;
  if (joint !== '' && !byIndex) model.findJoint(joint);
}
