// Viewers, drawn where the page wants it.

import type { Core } from '../wasm/core.ts';
import type { ViewerOptions } from '../values/options.ts';
import { Viewer } from './viewer.ts';
import { lazily } from '../base/lazily.ts';

/** @throws {@link GambolError} `render/webgl2-unsupported`, `argument/invalid`, `wasm/load` */
export async function createViewerIn(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions): Promise<Viewer> {
  // Skinning on the CPU is in the rest of the module.
  if ((options.skinOn ?? options.skinning) === 'cpu') await core.loadRest();
  if (options.renderer !== 'worker') return new Viewer(core, canvas, options);
  const { remoteViewer } = await lazily('the worker', () => import('../worker/remote.ts'));
  return remoteViewer(Viewer, core, canvas, options);
}
