// Observes a viewer from outside: its events, its pixels, its GL objects.

import { createViewer, type Performer, type Viewer, type ViewerEventName } from 'gambol';
import type { T } from '../../page/api.ts';
import { model, type ModelOptions } from './model.ts';

const NAMES: ViewerEventName[] = [
  'load',
  'error',
  'warning',
  'play',
  'pause',
  'seeking',
  'seeked',
  'loop',
  'finished',
  'ended',
  'clipchange',
  'ratechange',
  'contextlost',
  'contextrestored',
];

/** Records the names of events as they occur. */
export function recorded(viewer: Viewer, names: ViewerEventName[] = NAMES): string[] {
  const seen: string[] = [];
  for (const name of names) viewer.addEventListener(name, () => seen.push(name));
  return seen;
}

/** The current picture of the viewer. */
export async function picture(t: T, viewer: Viewer): Promise<ImageData> {
  return t.pixels(await createImageBitmap(await viewer.toBlob()));
}

/** The mean position of the reddish pixels: 0 is the left edge, 1 the right; NaN if there are none. */
export function redCentre({ data, width }: ImageData): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    const [red = 0, green = 0, alpha = 0] = [data[i], data[i + 1], data[i + 3]];
    if (alpha < 128 || red < green + 60) continue;
    sum += (i / 4) % width;
    count += 1;
  }
  return sum / count / width;
}

/** Counts the objects that are created and deleted on every WebGL2 context from now on. */
export function countGlObjects(): () => Record<string, number> {
  const live: Record<string, number> = {};
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const kind of [
    'Buffer',
    'Texture',
    'Program',
    'Shader',
    'VertexArray',
    'Framebuffer',
    'Renderbuffer',
    'Sampler',
  ]) {
    const create = prototype[`create${kind}`];
    const remove = prototype[`delete${kind}`];
    if (!create || !remove) continue;
    live[kind] = 0;
    prototype[`create${kind}`] = function (...args) {
      live[kind] = (live[kind] ?? 0) + 1;
      return create.apply(this, args);
    };
    prototype[`delete${kind}`] = function (...args) {
      if (args[0]) live[kind] = (live[kind] ?? 0) - 1;
      return remove.apply(this, args);
    };
  }
  return () => ({ ...live });
}

/** A viewer with the sliding square and a manual timeline. */
export async function byHand(t: T, options: ModelOptions = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas());
  viewer.timeline = 'manual';
  await viewer.load(model(options).glb);
  return viewer;
}

/** The distance that the square has slid. */
export function slid(performer: Performer): number {
  return performer.joint(0).world[12] ?? NaN;
}
