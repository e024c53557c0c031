import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { choices } from '../base/suggestions.ts';
import { shown } from '../base/shown.ts';

/** A named time of a clip: a footstep, a beat. */
export interface Marker {
  readonly name: string;
  /** Seconds of the clip; one outside of `0..=duration` is never passed. */
  readonly time: number;
}

/** One animation of the model. */
export interface Clip {
  /** Place in the file. */
  readonly index: number;
  /** Unique in this model: the name, with `~2`, `~3` … where names repeat or are empty. */
  readonly id: string;
  /** As the file has it; neither unique nor always there. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Frames a second that the keys lie on; what one step of {@link Viewer.step} is. */
  readonly fps: number;
  /** How many properties it animates. */
  readonly channels: number;
  /**
   * The file's (`animations[i].extras.markers`, a list of `{ name, time }`), by time; see {@link Performer.setMarkers} for others.
   */
  readonly markers: readonly Marker[];
}

/** A clip, or its id, name or index. */
export type ClipRef = Clip | string | number;

/** @internal */
export function clipList(clips: readonly Omit<Clip, 'id'>[]): readonly Clip[] {
  const ids = uniqueIds(clips.map((clip) => clip.name), 'Clip');
  return Object.freeze(
    clips.map(({ index, name, duration, fps, channels, markers }) => (
      Object.freeze({ index, id: ids[index] ?? name, name, duration, fps, channels, markers: markerList(markers) })
    )),
  );
}

/** The names, or “Clip 3” without one; where one is taken, a number comes after it: `Walk`, `Walk~2`. */
export function uniqueIds(names: readonly string[], kind: string): string[] {
  const taken = new Set<string>();
  // The next number to try for a name: counting from 2 each time would take the square of the time.
  const next = new Map<string, number>();
  return names.map((given, index) => {
    const name = given || `${kind} ${index + 1}`;
    let id = name;
    let n = next.get(name) ?? 2;
    while (taken.has(id)) id = `${name}~${n++}`;
    next.set(name, n);
    taken.add(id);
    return id;
  });
}

export function markerList(markers: readonly Marker[]): readonly Marker[] {
  const list = (elementsOf(markers) ?? [undefined]).map((marker) => {
    if (typeof marker !== 'object' || marker === null) throw new GambolError('argument/invalid', `Markers are a list of { name, time }, not ${shown(markers)}.`);
    const { name, time } = marker as Marker;
    return Object.freeze({ name, time });
  });
  return Object.freeze(list.sort((a, b) => a.time - b.time));
}

/**
 * The clip meant: an id goes before a name, and of several clips with one name it is the first.
 * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
 */
export function findClip(clips: readonly Clip[], ref: ClipRef): Clip {
  const id: unknown = typeof ref === 'object' ? (ref as Clip | null)?.id : ref;
  if (typeof id !== 'number' && typeof id !== 'string') {
    throw new GambolError('argument/invalid', `A clip is one of the model's, or its id, name or index, not ${shown(ref)}.`);
  }
  const found = typeof ref === 'number'
    ? clips.find((clip) => clip.index === ref)
    : typeof ref === 'string'
      ? clips.find((clip) => clip.id === ref) ?? clips.find((clip) => clip.name === ref)
      : clips.find((clip) => clip.id === ref.id);
  if (found) return found;
  throw new GambolError('clip/not-found', `The model has no clip ${shown(id)}${choices(id, clips.map(({ id }) => id))}`);
}
