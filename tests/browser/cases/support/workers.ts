// Viewers that a worker draws.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import type { T } from '../../page/api.ts';

/** The live workers from now on until the end of the test. With `script` they run a script of the tests. */
export function workers(t: T, script?: string): Set<Worker> {
  const alive = new Set<Worker>();
  const { Worker: Original } = window;
  t.after(() => (window.Worker = Original));
  window.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(script ?? url, options);
      alive.add(this);
    }

    override terminate(): void {
      alive.delete(this);
      super.terminate();
    }
  };
  return alive;
}

/** The original `Worker`, before a test replaces it. */
const { Worker: Plain } = window;

/** Skips the test if workers cannot draw. The check differs from the package's own. */
export async function needsWorkers(t: T): Promise<void> {
  if (!('transferControlToOffscreen' in HTMLCanvasElement.prototype))
    t.skip('no canvas of this browser can be drawn to by a worker');
  const worker = new Plain('/__tests/probe.js');
  const has = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
  worker.terminate();
  if (has !== true) t.skip('workers of this browser have no WebGL 2');
}

/** A viewer that a worker draws; fails if there is no worker. */
export async function remote(
  t: T,
  options: ViewerOptions = {},
  size: readonly [number, number] = [256, 256],
): Promise<Viewer> {
  await needsWorkers(t);
  const viewer = await createViewer(t.canvas(...size), { maxDpr: 1, renderer: 'worker', ...options });
  viewer.addEventListener('warning', ({ detail }) => {
    if (detail.code === 'render/no-worker') throw new Error(detail.message);
  });
  return viewer;
}
