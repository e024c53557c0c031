// Viewers, drawn where the page wants it.

import { GraphicsContext } from './context.ts';
import type { Core } from './core.ts';
import { GambolError } from './errors.ts';
import { LastPicture } from './last-picture.ts';
import type { ViewerOptions } from './options.ts';
import { NO_STATS } from './stats.ts';
import { Viewer } from './viewer.ts';
import { lazily, workerNeeds } from './wasm.ts';

/** @throws {@link GambolError} `render/webgl2-unsupported`, `argument/invalid`, `wasm/load` */
export async function makeViewer(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions): Promise<Viewer> {
  if (options.renderer !== 'worker') return new Viewer(core, canvas, options);
  const { remoteViewer } = await lazily('the worker', () => import('./remote.ts'));
  return remoteViewer({ Viewer, GraphicsContext, GambolError, LastPicture, NO_STATS, ...workerNeeds() }, core, canvas, options);
}
