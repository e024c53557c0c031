// The page in the browser of `gambol render`: it takes jobs from the server and sends pictures back.

import { createViewer, GambolError, type Viewer } from 'gambol';
import type { RecordProgress } from 'gambol/record';
import type { Job, JobCamera, JobFilm } from './job.ts';

const post = (name: string, body: object): Promise<Response> =>
  fetch(name, { method: 'POST', body: JSON.stringify(body) });

function errorBody(error: unknown): object {
  const { code = 'cli/failed', pointer } = error instanceof GambolError ? error : {};
  return { code, pointer, message: error instanceof Error ? error.message : String(error) };
}

async function send(name: string, blob: Blob): Promise<void> {
  const { ok, status } = await fetch(`result/${name}`, { method: 'PUT', body: blob });
  if (!ok) throw new Error(`The result ${name} cannot be written (${status}).`);
}

function placeCamera(viewer: Viewer, { azimuth, polar, distance, target, fovY, own }: JobCamera): void {
  if (own !== undefined) viewer.activeCamera = own;
  const turns = Object.fromEntries(Object.entries({ azimuth, polar, fovY }).filter(([, value]) => value !== undefined));
  if (Object.keys(turns).length > 0) {
    viewer.camera = turns;
    viewer.frame();
  }
  if (distance !== undefined) viewer.camera = { distance };
  if (target !== undefined) viewer.camera = { target };
}

/** Draws a job; returns the layout of a sprite sheet. */
async function run(job: Job): Promise<object> {
  const { model, clip, width, height, background, camera, name, time, film } = job;
  const canvas = document.createElement('canvas');
  // The same shape as the pictures, so that the camera frames the model for them.
  canvas.style.cssText = `display: block; width: ${width}px; height: ${height}px`;
  document.body.replaceChildren(canvas);
  const viewer = await createViewer(canvas, { cameraControls: false, maxDpr: 1, background });
  try {
    viewer.addEventListener('warning', ({ detail: { code, message } }) => {
      void post('warning', { message: `${message} [${code}]` });
    });
    await viewer.load(model);
    if (clip !== null) viewer.play(clip).finished.catch(() => undefined);
    viewer.pause();
    viewer.seek(0);
    placeCamera(viewer, camera);
    if (film) return await shoot(viewer, job, film);
    await post('progress', { label: 'drawing' });
    await send(name, await viewer.toBlob({ ...(clip !== null && { time }), width, height, background }));
    return {};
  } finally {
    viewer.dispose();
  }
}

async function shoot(viewer: Viewer, job: Job, film: JobFilm): Promise<object> {
  const { clip, width, height, background, name } = job;
  const { record, sheetLayout } = await import('gambol/record');
  const onProgress = ({ frame, frames }: RecordProgress): void => {
    void post('progress', { label: `frame ${frame} of ${frames}`, fraction: frame / frames });
  };
  const blob = await record(viewer, { ...film, clip, width, height, background, loop: true, onProgress });
  await send(name, blob);
  return film.format === 'sprite-sheet' ? { sheet: await sheetLayout(blob) } : {};
}

/** Takes jobs until there are no more. */
async function work(): Promise<void> {
  for (;;) {
    const answer = await fetch('next');
    if (answer.status !== 200) return;
    try {
      await post('done', await run((await answer.json()) as Job));
    } catch (error) {
      await post('failed', errorBody(error));
    }
  }
}

addEventListener('error', ({ message }) => void post('failed', errorBody(message)));
addEventListener('unhandledrejection', ({ reason }) => void post('failed', errorBody(reason)));
// The command may have ended before.
work().catch(() => undefined);
