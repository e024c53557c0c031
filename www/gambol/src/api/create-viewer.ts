// Creates viewers for each kind of renderer: on the page, or in a worker.

import type { Core } from '../wasm/core.ts';
import type { ViewerOptions } from '../values/options.ts';
import { openContext } from '../stage/graphics-context.ts';
import { Viewer } from './viewer.ts';
import { lazily } from '../base/lazily.ts';

/**
 * Creates the context of a viewer while `loading` goes on; returns the result of that.
 * @throws {@link GambolError} `render/webgl2-unsupported`, and that of `loading`
 */
export function besideContext(
  loading: Promise<Core>,
  canvas: HTMLCanvasElement,
  options: Pick<ViewerOptions, 'renderer' | 'antialias'>,
): Promise<Core> {
  // The error of the context is reported, if both fail.
  loading.catch(() => undefined);
  openContext(canvas, options);
  return loading;
}

/** Creates a viewer. @throws {@link GambolError} `render/webgl2-unsupported`, `argument/invalid`, `wasm/load` */
export async function createViewerIn(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions): Promise<Viewer> {
  if (options.skinOn === 'cpu') await core.loadFeatures(['extras']);
  if (options.renderer !== 'worker') return new Viewer(core, canvas, options);
  const { remoteViewer } = await lazily('the script for workers', () => import('../worker/remote.ts'));
  return remoteViewer(Viewer, core, canvas, options);
}
