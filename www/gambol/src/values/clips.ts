import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { choices } from '../base/suggestions.ts';
import { shown } from '../base/shown.ts';

/** A named time of a clip: a footstep, a beat. @category Playback */
export interface Marker {
  /** The name in `marker` events. */
  readonly name: string;
  /** The time in seconds of the clip; a marker outside `0..=duration` is never sent. */
  readonly time: number;
}

/** One animation of the model. @category Playback */
export interface Clip {
  /** The index in the file; clips of other files are counted on. It never changes. */
  readonly index: number;
  /** The id, unique in the model: the name (“Clip 3” without one), with `~2`, `~3` … where names repeat. */
  readonly id: string;
  /** The name in the file; it may be empty or repeated. In a file of motion alone, a clip without a name has that of the file. */
  readonly name: string;
  /** The duration in seconds. */
  readonly duration: number;
  /** The frame rate of the keyframes, per second; the step of {@link Viewer.step}. */
  readonly fps: number;
  /** The number of properties that the clip animates. */
  readonly channels: number;
  /**
   * The markers of the file (`animations[i].extras.markers`, a list of `{ name, time }`), sorted by time; see
   * {@link Performer.setMarkers} for others.
   */
  readonly markers: readonly Marker[];
}

/** The keys of one property in a clip; see {@link Model.channels}. The arrays are copies. @category Playback */
export interface ClipChannel {
  /** The index of the node in the file; null for a property of a material, light or camera. */
  readonly node: number | null;
  /** The name of the node; null if it has none. */
  readonly name: string | null;
  /**
   * The property: `translation`, `rotation`, `scale` or `weights` of the node, or the JSON pointer of another property
   * (KHR_animation_pointer).
   */
  readonly path: string;
  /** The interpolation between keys. */
  readonly interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
  /** The number of components of a value: 3 for translations, 4 for rotations (X, Y, Z, W), one per morph target for weights. */
  readonly components: number;
  /** The times of the keys in seconds, strictly increasing. */
  readonly times: Float32Array;
  /**
   * The values, `components` numbers per key. Keys of `CUBICSPLINE` have three times as many: in-tangent, value, out-tangent;
   * tangents are per second.
   */
  readonly values: Float32Array;
}

/** The property of a node in a {@link ClipTrack}. @category Clips from numbers */
export type TrackPath = 'translation' | 'rotation' | 'scale' | 'weights';

/** The interpolation between the keys of a {@link ClipTrack}. @category Clips from numbers */
export type Interpolation = 'STEP' | 'LINEAR' | 'CUBICSPLINE';

/** A node by its name, as in {@link Model.findJoint}. @category Clips from numbers */
export interface NamedNode {
  /** The name. */
  readonly name: string;
}

/**
 * One property over time: of a node (`node` and `path`), of all morph targets of a name (`morph`), or by its JSON pointer (`pointer`).
 * @category Clips from numbers
 */
export interface ClipTrack {
  /** The node: its name, as in {@link Model.findJoint}, its index in the file, or an object with its name. With `path`. */
  readonly node?: string | number | NamedNode | undefined;
  /** The property of the node. `weights`: the weights of all its morph targets. */
  readonly path?: TrackPath | undefined;
  /** The name of a morph of {@link Model.morphs}; a value is its weight. */
  readonly morph?: string | undefined;
  /**
   * The JSON pointer of a property in the file (KHR_animation_pointer): of a material, light or camera, one morph weight, or
   * `/nodes/3/extensions/KHR_node_visibility/visible`, which is 0 or 1.
   */
  readonly pointer?: string | undefined;
  /** The interpolation between keys. Default: `LINEAR`, or `STEP` for visibility. */
  readonly interpolation?: Interpolation | undefined;
  /** The times of the keys in seconds, strictly increasing; at least one. The clip ends with the last key of all its tracks. */
  readonly times: ArrayLike<number>;
  /**
   * The values, as many numbers for each key: 3 for translations and scales, 4 for rotations (X, Y, Z, W of a unit quaternion), one
   * per morph target for weights. Keys of `CUBICSPLINE` have three times as many: in-tangent, value, out-tangent; tangents are per
   * second.
   */
  readonly values: ArrayLike<number>;
}

/** A clip from numbers. @category Clips from numbers */
export interface ClipSetup {
  /** The name; the {@link Clip.id} is made from it. */
  readonly name: string;
  /** The tracks. Two of them may not animate the same property. */
  readonly tracks: readonly ClipTrack[];
  /** The markers, within the clip. Default: none. */
  readonly markers?: readonly Marker[] | undefined;
}

/** A track of {@link Model.clipData}. @category Clips from numbers */
export interface ClipTrackData extends ClipTrack {
  /** The index of the node in the file. */
  readonly node?: number;
  readonly path?: TrackPath;
  readonly pointer?: string;
  readonly interpolation: Interpolation;
  readonly times: Float32Array;
  readonly values: Float32Array;
}

/** The numbers of a clip, which {@link Model.createClip} takes. @category Clips from numbers */
export interface ClipData extends ClipSetup {
  readonly tracks: readonly ClipTrackData[];
  readonly markers: readonly Marker[];
}

/** A clip, or its id, name or index. @category Playback */
export type ClipRef = Clip | string | number;

/** A channel as a track. @internal */
export function trackOf({ node, path, interpolation, times, values }: ClipChannel): ClipTrackData {
  const keys = { interpolation, times, values };
  return node === null || path.startsWith('/')
    ? { pointer: path, ...keys }
    : { node, path: path as TrackPath, ...keys };
}

/**
 * The clip with which an actor begins: the first one that lasts, because exporters often write a pose of no duration before the
 * others. If none lasts, it is the first one. The core chooses the same one. @internal
 */
export function openingClip(clips: readonly Clip[]): Clip | undefined {
  return clips.find(({ duration }) => duration > 0) ?? clips[0];
}

/**
 * The list of clips after a change. Clips of the list before are the same objects, with the same ids, except the `edited` one, which
 * keeps its id unless its name is another. @internal
 */
export function extendedClips(
  before: readonly Clip[],
  clips: readonly Omit<Clip, 'id'>[],
  edited?: number,
): readonly Clip[] {
  const old = before.find(({ index }) => index === edited);
  const known = new Map(before.flatMap((clip) => (clip === old ? [] : [[clip.index, clip]])));
  const added = clips.filter(({ index }) => !known.has(index));
  const kept = clips.flatMap(({ index }) => known.get(index) ?? []);
  const ids = uniqueIds(
    added.map(({ name, index }) => name || `Clip ${index + 1}`),
    'Clip',
    kept.map(({ id }) => id),
  );
  for (const [i, { index, name, duration, fps, channels, markers }] of added.entries()) {
    const id = (old?.index === index && old.name === name ? old.id : ids[i]) ?? name;
    known.set(index, Object.freeze({ index, id, name, duration, fps, channels, markers: markerList(markers) }));
  }
  const all = clips.flatMap(({ index }) => known.get(index) ?? []);
  return Object.freeze(all);
}

/** Unique ids from names: `Walk`, `Walk~2` for a repeated name, “Clip 3” for an empty one. `used`: ids that exist already. */
export function uniqueIds(names: readonly string[], kind: string, used: readonly string[] = []): string[] {
  const taken = new Set(used);
  // The next number to try for each name: counting from 2 each time would take quadratic time.
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
    if (typeof marker !== 'object' || marker === null)
      throw new GambolError('argument/invalid', `markers must be a list of { name, time }, not ${shown(markers)}.`);
    const { name, time } = marker as Marker;
    return Object.freeze({ name, time });
  });
  return Object.freeze(list.sort((a, b) => a.time - b.time));
}

/**
 * Finds a clip. An id takes precedence over a name; of several clips with one name, it is the first.
 * @throws {@link GambolError} `clip/not-found`, `argument/invalid`
 */
export function findClip(clips: readonly Clip[], ref: ClipRef): Clip {
  const id: unknown = typeof ref === 'object' ? (ref as Clip | null)?.id : ref;
  if (typeof id !== 'number' && typeof id !== 'string') {
    throw new GambolError(
      'argument/invalid',
      `clip must be a clip of the model, or its id, name or index, not ${shown(ref)}.`,
    );
  }
  const found =
    typeof ref === 'number'
      ? clips.find((clip) => clip.index === ref)
      : typeof ref === 'string'
        ? (clips.find((clip) => clip.id === ref) ?? clips.find((clip) => clip.name === ref))
        : clips.find((clip) => clip.id === ref.id);
  if (found) return found;
  throw new GambolError(
    'clip/not-found',
    `The model has no clip ${shown(id)}${choices(
      id,
      clips.map(({ id }) => id),
    )}`,
  );
}
