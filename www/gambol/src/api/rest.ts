// The API of the second WebAssembly module: classes in a script of their own, which is loaded with the module.

import type { Core } from '../wasm/core.ts';
import { Part } from '../base/part.ts';
import type { BlendSpace } from './blend-space.ts';
import type { Joint } from './joint.ts';

/** The script of the classes. */
export const restClasses = new Part('the script for joints and layers', () => import('./rest-classes.ts'));

/** Loads the second module and its classes. @throws {@link GambolError} `load/chunk`; the next call tries again. */
export async function loadAll(core: Pick<Core, 'loadRest'>): Promise<void> {
  const both = [core.loadRest(), restClasses.load()];
  // Waits for both, also if the first has failed: what has loaded can be used.
  await Promise.allSettled(both);
  await Promise.all(both);
}

export function isBlendSpace(value: unknown): value is BlendSpace {
  return restClasses.loaded !== undefined && value instanceof restClasses.loaded.BlendSpace;
}

export function isJoint(value: unknown): value is Joint {
  return restClasses.loaded !== undefined && value instanceof restClasses.loaded.Joint;
}
