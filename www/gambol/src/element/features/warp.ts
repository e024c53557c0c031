import type { Layer } from '../../api/layer.ts';
import type { Viewer } from '../../api/viewer.ts';

/** Changes the speed of a layer linearly, from a rate to its own. */
export function changeRate(viewer: Viewer, layer: Layer, from: number, seconds: number): void {
  const [to, begin, stop] = [layer.playbackRate, performance.now(), new AbortController()];
  const step = (): void => {
    const part = Math.min(1, (performance.now() - begin) / 1000 / seconds);
    try {
      layer.playbackRate = from + part * (to - from);
    } catch {
      // It was removed.
      stop.abort();
    }
    if (part === 1) stop.abort();
  };
  viewer.addEventListener('before-render', step, { signal: stop.signal });
  step();
}
