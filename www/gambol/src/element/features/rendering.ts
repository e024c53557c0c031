// Rendering: the context, resolution and rate of frames, debug views.

import type { DebugView } from '../../api/debug-views.ts';
import type { Visibility } from '../../values/options.ts';
import type { Skinning } from '../../values/words.ts';
import { number, one, positive, text, type AttributeTable } from '../base/attributes.ts';
import type { Scene } from './scene.ts';

/** Attributes of rendering. */
export interface RenderingAttributes {
  /** The WebGL context: shared by the elements of a page, the element's own, or in a worker. @category Pictures */
  renderer: 'shared' | 'own' | 'worker';
  /**
   * The upper limit of device pixels per CSS pixel, 0.1 to 16; read once, when the viewer is created.
   * @category Pictures
   */
  maxDpr: number;
  /**
   * The upper limit of frames per second, at least 15; a smaller number has no effect but a warning.
   * @category Pictures
   */
  maxFps: number;
  /**
   * The upper limit of the GPU memory of a model's textures, in MiB, above 0. Default: by the memory of the device.
   * @category Loading and models
   */
  textureBudget: number | null;
  /**
   * Time while the element is not visible stands still (`pause`), is caught up later (`catch-up`), or goes on (`run`).
   * @category Viewers and actors
   */
  visibility: Visibility;
  /**
   * The skinning method: matrices are blended (`linear`), or rigid motions, which keeps the volume (`dual-quaternion`).
   * @category Pictures
   */
  skinning: Skinning;
  /** Debug views, separated by spaces; see `Viewer.debug`. @category Debug views and statistics */
  debug: string | null;
}

/** @internal */
export const RENDERING: AttributeTable<RenderingAttributes, Scene<RenderingAttributes>> = {
  renderer: { ...one('shared', 'own', 'worker'), needs: (renderer) => (renderer === 'worker' ? ['extras'] : []) },
  maxDpr: number(2, 0.1, 16),
  maxFps: {
    ...number(Infinity),
    effect: ({ viewer, host }) => {
      viewer.maxFps = host.maxFps;
    },
  },
  textureBudget: positive,
  visibility: {
    ...one('pause', 'catch-up', 'run'),
    effect: ({ viewer, host }) => {
      viewer.visibility = host.visibility;
    },
  },
  skinning: {
    ...one('linear', 'dual-quaternion'),
    needs: (skinning) => (skinning === 'linear' ? [] : ['extras']),
    effect: ({ viewer, host }) => {
      viewer.skinning = host.skinning;
    },
  },
  debug: {
    read: text.read,
    write: (value: string | readonly DebugView[] | null) =>
      Array.isArray(value) ? value.join(' ') : (value as string | null),
    needs: (debug) => (/^(none|\s)*$/.test(debug ?? '') ? [] : ['extras']),
    effect: ({ viewer, host }) => {
      viewer.debug = host.debug?.trim() || 'none';
    },
  },
};
