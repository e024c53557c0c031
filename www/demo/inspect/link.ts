// The view in the address of the page: `#src=…&clip=…&t=…&camera=…&states=…&view=…&timeline=…`.

import type { CameraState } from 'gambol';
import type { Inspector, KeptTimeline } from './inspector.ts';
import { spaced } from './json-text.ts';
import { isNumber, isRecord, viewFrom, type View } from './view.ts';

/** The part of the state that the address keeps. */
export interface Linked {
  /** The URL of the model; null for the sample character. */
  readonly source: string | null;
  readonly view: View;
  /** Seconds; the clip is paused there. */
  readonly time: number | null;
  readonly camera: Partial<CameraState> | null;
  /** The changes of the timeline; the timeline itself checks them. Null if it has none. */
  readonly timeline: KeptTimeline | null;
}

/** The address of the page with the present state. */
export function linkTo(inspector: Inspector): string {
  const { viewer } = inspector;
  const { clip, states, ...views } = inspector.changes.peek();
  const parameters = new URLSearchParams();
  const source = inspector.address.peek();
  if (source !== null && !isSample(source)) parameters.set('src', source);
  if (clip) parameters.set('clip', clip);
  if (viewer?.paused && viewer.clip) parameters.set('t', short(viewer.currentTime));
  if (viewer && !viewer.framedCamera) {
    const { azimuth, polar, distance, target } = viewer.camera;
    parameters.set('camera', [azimuth, polar, distance, ...target].map(short).join(','));
  }
  if (states) parameters.set('states', compact(states));
  if (Object.keys(views).length > 0) parameters.set('view', JSON.stringify(views));
  const timeline = inspector.timeline.peek();
  if (timeline && timeline.clip === (viewer?.clip?.id ?? null) && Object.keys(timeline.changes).length > 0) {
    parameters.set(
      'timeline',
      JSON.stringify(timeline.changes, (_, value) => (isNumber(value) ? rounded(value) : value)),
    );
  }
  const url = new URL(location.href);
  url.search = '';
  url.hash = parameters.toString();
  return url.href;
}

/** Reads the address of the page. `?src=` names a model, too. Parts that cannot be read are left out. */
export function linked({ hash, search }: Pick<Location, 'hash' | 'search'>): Linked {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const time = Number(parameters.get('t') ?? NaN);
  const clip = parameters.get('clip');
  const changes = parsed(parameters.get('timeline'));
  return {
    source: parameters.get('src') ?? new URLSearchParams(search).get('src'),
    view: {
      ...viewFrom(parsed(parameters.get('view'))),
      states: readable(parameters.get('states') ?? ''),
      ...(clip === null ? {} : { clip }),
    },
    time: Number.isFinite(time) ? time : null,
    camera: cameraFrom(parameters.get('camera')),
    timeline: isRecord(changes) ? { clip, changes } : null,
  };
}

export const SAMPLE = './sample.glb';

export function isSample(source: string): boolean {
  return source === SAMPLE;
}

function cameraFrom(text: string | null): Partial<CameraState> | null {
  const [azimuth, polar, distance, x, y, z] = (text ?? '').split(',').map(Number);
  if (azimuth === undefined || polar === undefined || distance === undefined) return null;
  if (x === undefined || y === undefined || z === undefined) return null;
  if (![azimuth, polar, distance, x, y, z].every(Number.isFinite)) return null;
  return { azimuth, polar, distance, target: [x, y, z] };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** JSON without spaces; other text as it is. */
function compact(json: string): string {
  const value = parsed(json);
  return value === null ? json : JSON.stringify(value);
}

/** JSON for readers; other text as it is. */
function readable(json: string): string {
  const value = parsed(json);
  return value === null ? json : spaced(value);
}

function short(value: number): string {
  return String(rounded(value));
}

/** A number with at most four decimals. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
