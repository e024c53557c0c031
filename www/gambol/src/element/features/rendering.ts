// Rendering: the context, resolution and rate of frames, debug views.

import type { DebugView } from '../../api/debug-views.ts';
import type { Visibility } from '../../values/options.ts';
import type { Skinning } from '../../values/words.ts';
import { number, one, positive, text, type AttributeTable } from '../base/attributes.ts';
import type { Scene } from './scene.ts';

/** Attributes about frames. */
export interface RenderingAttributes {
  /** Whether it draws in the context that elements of a page share, in one of its own, or in a worker. */
  renderer: 'shared' | 'own' | 'worker';
  /** Device pixels per CSS pixel, at most; read once. */
  maxDpr: number;
  /** The most frames a second, at least 15. */
  maxFps: number;
  /** The most that the textures of a model take on the GPU, in MiB. */
  textureBudget: number | null;
  /** What happens out of sight. */
  visibility: Visibility;
  /** How joints are blended. */
  skinning: Skinning;
  /** Debug views, separated by spaces; see `Viewer.debug`. */
  debug: string | null;
}

/** @internal */
export const RENDERING: AttributeTable<RenderingAttributes, Scene<RenderingAttributes>> = {
  renderer: one('shared', 'own', 'worker'),
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
    effect: ({ viewer, host }) => {
      viewer.skinning = host.skinning;
    },
  },
  debug: {
    read: text.read, write: (value: string | readonly DebugView[] | null) => (Array.isArray(value) ? value.join(' ') : (value as string | null)),
    effect: ({ viewer, host }) => {
      viewer.debug = host.debug?.trim() || 'none';
    },
  },
};
