// Recordings of a viewer.

import type { Viewer } from '../api/viewer.ts';
import { asGambolError } from '../base/errors.ts';
import { yieldToPage } from '../base/scheduling.ts';
import { useIn } from '../api/features.ts';
import { FEATURES } from '../values/words.ts';
import { checkViewer, throwIfAborted } from './check.ts';
import { encoderOf, usableFormats } from './encoders.ts';
import { Frames } from './frames.ts';
import { planOf, type RecordFormat, type RecordOptions } from './options.ts';

/**
 * Records a clip of a viewer to a file. Frame `i` is the still of the time `from + i / fps`, not a copy of the screen: each frame is
 * drawn, however long that takes, and playback, camera and picture of the viewer are not affected.
 *
 * - A clip is posed alone in the base, at rate 1; the layers, other actors and crowds go on from the present moment.
 * - A loop has no frame at `to`, because that is the first frame of the next pass.
 * - Calls of the page during a recording do not change it. While the context is lost, it waits for a new one.
 *
 * ```js
 * import { record } from 'gambol/record';
 *
 * const film = await record(viewer, { clip: 'Walk', format: 'webm', width: 640, height: 640, background: null });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `clip/not-found`; `record/unsupported` if the browser cannot encode the format, see
 * {@link RecordUnsupported}; `record/aborted` by the `signal`; `record/failed` if an encoder fails; `viewer/disposed`,
 * `viewer/picture-too-large`, `viewer/no-picture`, `render/context-lost`, `load/chunk`
 * @category Recordings
 */
export async function record(viewer: Viewer, options: RecordOptions = {}): Promise<Blob> {
  checkViewer(viewer);
  viewer.engine.check();
  const plan = planOf(viewer, options);
  const { signal, onProgress } = options;
  const check = (): void => throwIfAborted(signal);
  check();
  const { core } = viewer.engine;
  // A session may have calls of any feature.
  if (options.session) await useIn(core, FEATURES);
  else await core.loadFeatures(['extras']);
  const encoder = await encoderOf(plan);
  let frames: Frames | undefined;
  try {
    check();
    viewer.engine.check();
    frames = new Frames(viewer, plan);
    for (let i = 0; i < plan.count; i++) {
      await encoder.add(await frames.frame(i, check));
      check();
      onProgress?.({ frame: i + 1, frames: plan.count });
      await yieldToPage();
    }
    frames.free();
    frames = undefined;
    const file = await encoder.finish();
    check();
    return file;
  } catch (error) {
    throw asGambolError(error, 'record/failed');
  } finally {
    encoder.close();
    frames?.free();
  }
}

/** The formats that this browser can write. @throws {@link GambolError} `load/chunk` @category Recordings */
export function recordFormats(): Promise<readonly RecordFormat[]> {
  return usableFormats();
}
