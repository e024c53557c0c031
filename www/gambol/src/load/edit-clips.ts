// Edits of clips, as functions of their numbers. The first call loads this script lazily.

import { GambolError } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';
import type { ClipEdit, InterpolationEdit, KeyRange, TrackKey, TrackRef } from '../values/clip-edits.ts';
import { markerList, type ClipData, type ClipSetup, type ClipTrackData, type Marker } from '../values/clips.ts';
import {
  checkedNumber,
  checkedObject,
  checkedOptions,
  checkedText,
  checkedWord,
  optionNames,
} from '../values/options.ts';
import { cut, interpolated, isFlag, isRotation, keysOf, slice, widthOf, withKeys, type Key } from './clip-curves.ts';
import {
  closed,
  durationOf,
  faster,
  held,
  mirrored,
  reversed,
  rootTrack,
  sides,
  type Skeleton,
} from './clip-motion.ts';
import { unit } from './quaternions.ts';

/** The parts of a model that edits ask for. */
export interface EditContext {
  findJoint(ref: string | number): { readonly index: number };
  skeleton(): Skeleton;
}

/** A clip while it is edited. */
interface Edited {
  name: string;
  tracks: readonly ClipTrackData[];
  markers: readonly Marker[];
  /** Tracks as the page has given them, which are checked when the clip is made. */
  more: ClipSetup['tracks'];
}

const EDITS = optionNames<ClipEdit>({
  rename: 0,
  markers: 0,
  replace: 0,
  addTrack: 0,
  removeTrack: 0,
  setKeys: 0,
  moveKeys: 0,
  deleteKeys: 0,
  interpolation: 0,
  trim: 0,
  split: 0,
  speed: 0,
  reverse: 0,
  closeLoop: 0,
  holdRoot: 0,
  mirror: 0,
});

/**
 * The clip after some edits, and the clips that were split from it.
 * @throws {@link GambolError} `argument/invalid`, `joint/not-found`, `track/not-found`
 */
export function edited(clip: ClipData, edits: unknown, context: EditContext): ClipSetup[] {
  const list = Array.isArray(edits) ? elementsOf(edits) : [edits];
  const state: Edited = { ...clip, more: [] };
  const rest: ClipSetup[] = [];
  for (const [i, given] of (list ?? []).entries()) {
    const place = Array.isArray(edits) ? `edits[${i}]` : 'edits';
    checkedObject(given as object, place);
    checkedOptions(given as object, EDITS, `editClip(), ${place}`);
    const edit = Object.fromEntries(
      Object.entries(given as object).filter(([, value]) => value !== undefined),
    ) as ClipEdit;
    const [name, ...others] = Object.keys(edit);
    if (name === undefined || others.length > 0)
      throw invalid(`${place} must have exactly one edit, not ${name === undefined ? 0 : others.length + 1}.`, place);
    if (state.more.length > 0 && name !== 'addTrack')
      throw invalid(`${place} follows an edit with other tracks. Make it in another call of editClip().`, place);
    const apply = APPLY[name as keyof ClipEdit] as (
      state: Edited,
      value: unknown,
      at: string,
      context: EditContext,
    ) => ClipSetup | undefined;
    const split = apply(state, edit[name as keyof ClipEdit], `${place}.${name}`, context);
    if (split) rest.push(split);
  }
  const { name, tracks, markers, more } = state;
  return [{ name, tracks: [...tracks, ...more], markers }, ...rest];
}

type Apply = {
  readonly [Name in keyof ClipEdit]-?: (
    state: Edited,
    value: NonNullable<ClipEdit[Name]>,
    at: string,
    context: EditContext,
  ) => ClipSetup | undefined | void;
};

const APPLY: Apply = {
  rename: (state, name, at) => {
    state.name = checkedText(name, at);
  },
  markers: (state, markers) => {
    state.markers = markerList(markers);
  },
  replace: (state, clip, at) => {
    checkedOptions(clip, ['name', 'tracks', 'markers'], at);
    const { name, tracks, markers } = clip;
    Object.assign(state, { name, tracks: [], more: tracks, markers: markers ?? [] });
    if (!Array.isArray(tracks)) throw invalid(`${at}.tracks must be an array, not ${shown(tracks)}.`, `${at}.tracks`);
  },
  addTrack: (state, track) => {
    state.more = [...state.more, track];
  },
  removeTrack: (state, ref, at, context) => {
    const index = indexOf(state, ref, at, context);
    state.tracks = state.tracks.filter((_, i) => i !== index);
  },
  setKeys: (state, edit, at, context) => {
    checkedOptions(edit, ['track', 'keys'], at);
    const keys = listOf(edit.keys, `${at}.keys`);
    change(state, edit.track, `${at}.track`, context, (track) =>
      keys.reduce<ClipTrackData>((all, key, i) => withKey(all, key as TrackKey, `${at}.keys[${i}]`), track),
    );
  },
  moveKeys: (state, edit, at, context) => {
    checkedOptions(edit, ['track', 'keys', 'by'], at);
    checkedNumber(edit.by, `${at}.by`);
    change(state, edit.track, `${at}.track`, context, (track) => {
      const chosen = chosenKeys(track, edit, at);
      const keys = keysOf(track);
      const moved = [...chosen].map((i) => {
        const key = keys[i] as Key;
        return { ...key, time: checkedTime(Math.fround(key.time + edit.by), `${at}.by`) };
      });
      const taken = new Set(moved.map(({ time }) => time));
      const kept = keys.filter(({ time }, i) => !chosen.has(i) && !taken.has(time));
      const order = [...kept, ...moved].sort((a, b) => a.time - b.time);
      return withKeys(
        track,
        order.filter(({ time }, i) => time !== order[i + 1]?.time),
      );
    });
  },
  deleteKeys: (state, edit, at, context) => {
    checkedOptions(edit, ['track', 'keys'], at);
    const index = indexOf(state, edit.track, `${at}.track`, context);
    const track = state.tracks[index] as ClipTrackData;
    const chosen = chosenKeys(track, edit, at);
    const keys = keysOf(track).filter((_, i) => !chosen.has(i));
    state.tracks = state.tracks.flatMap((one) => (one !== track ? one : keys.length > 0 ? withKeys(track, keys) : []));
  },
  interpolation: (state, edit, at, context) => {
    checkedOptions(edit, ['to', 'track', 'tangents'], at);
    const { to, track, tangents = 'smooth' }: InterpolationEdit = edit;
    checkedWord(to, ['STEP', 'LINEAR', 'CUBICSPLINE'], `${at}.to`);
    checkedWord(tangents, ['smooth', 'flat'], `${at}.tangents`);
    if (track === undefined) return each(state, (one) => interpolated(one, to, tangents));
    change(state, track, `${at}.track`, context, (one) => {
      if (isFlag(one) && to !== 'STEP') throw invalid(`${at}: visibility has STEP only.`, at);
      return interpolated(one, to, tangents);
    });
  },
  trim: (state, edit, at) => {
    checkedOptions(edit, ['from', 'to'], at);
    const end = durationOf(state.tracks);
    const { from = 0, to = end } = edit;
    within(from, end, `${at}.from`);
    within(to, end, `${at}.to`);
    if (!(Math.fround(from) < Math.fround(to))) throw invalid(`${at}.from must be before ${at}.to.`, at);
    Object.assign(state, partOf(state, from, to, false));
  },
  split: (state, edit, at) => {
    checkedOptions(edit, ['at', 'name'], at);
    const end = durationOf(state.tracks);
    const { at: time, name = state.name } = edit;
    checkedText(name, `${at}.name`);
    within(time, end, `${at}.at`);
    if (!(Math.fround(time) > 0 && Math.fround(time) < end))
      throw invalid(`${at}.at must be within the clip.`, `${at}.at`);
    const rest = { ...partOf(state, time, end, true), name };
    Object.assign(state, partOf(state, 0, time, false));
    return rest;
  },
  speed: (state, factor, at) => {
    if (!(checkedNumber(factor, at) > 0)) throw invalid(`${at} must be above 0, not ${factor}.`, at);
    each(state, (track) => faster(track, factor));
    state.markers = movedMarkers(state, (time) => time / factor);
  },
  reverse: (state, on, at) => {
    checkedWord(on as unknown as string, [true as unknown as string], at);
    const end = durationOf(state.tracks);
    each(state, (track) => reversed(track, end));
    state.markers = movedMarkers(state, (time) => end - time).reverse();
  },
  closeLoop: (state, given, at, context) => {
    const edit = given === true ? {} : given;
    checkedObject(edit, at);
    checkedOptions(edit, ['over', 'velocity', 'except'], at);
    const end = durationOf(state.tracks);
    const { over = end / 4, velocity = true, except = [] } = edit;
    if (!(checkedNumber(over, `${at}.over`) > 0 && over <= end))
      throw invalid(`${at}.over must be above 0 and at most ${end}, not ${over}.`, `${at}.over`);
    if (typeof velocity !== 'boolean') throw invalid(`${at}.velocity must be true or false.`, `${at}.velocity`);
    const left = new Set(listOf(except, `${at}.except`).map((node, i) => nodeOf(node, `${at}.except[${i}]`, context)));
    // A walk that goes on over the ground does not go back.
    const root = rootTrack(state.tracks, context.skeleton());
    const leaves = root && goesOn(root.track) ? root.track : undefined;
    each(state, (track) =>
      track === leaves || (track.node !== undefined && left.has(track.node))
        ? track
        : closed(track, end, { over, velocity }),
    );
  },
  holdRoot: (state, on, at, context) => {
    checkedWord(on as unknown as string, [true as unknown as string], at);
    const root = rootTrack(state.tracks, context.skeleton());
    if (root) each(state, (track) => (track === root.track ? held(track, root.way) : track));
  },
  mirror: (state, on, at, context) => {
    checkedWord(on as unknown as string, [true as unknown as string], at);
    const skeleton = context.skeleton();
    const others = sides(skeleton);
    each(state, (track) => mirrored(track, skeleton, others));
  },
};

function each(state: Edited, edit: (track: ClipTrackData) => ClipTrackData): void {
  state.tracks = state.tracks.map(edit);
}

function change(
  state: Edited,
  ref: TrackRef,
  at: string,
  context: EditContext,
  edit: (track: ClipTrackData) => ClipTrackData,
): void {
  const index = indexOf(state, ref, at, context);
  state.tracks = state.tracks.map((track, i) => (i === index ? edit(track) : track));
}

/** The index of a track. @throws {@link GambolError} `track/not-found`, `argument/invalid`, `joint/not-found` */
function indexOf({ name, tracks }: Edited, ref: TrackRef, at: string, context: EditContext): number {
  let index = -1;
  if (typeof ref === 'number') index = tracks[ref] ? ref : -1;
  else {
    checkedObject(ref, at);
    if ('pointer' in ref) index = tracks.findIndex(({ pointer }) => pointer !== undefined && pointer === ref.pointer);
    else {
      const node = nodeOf(ref.node, `${at}.node`, context);
      index = tracks.findIndex((track) => track.node === node && track.path === ref.path);
    }
  }
  if (index >= 0) return index;
  const wanted =
    typeof ref === 'number' ? String(ref) : 'pointer' in ref ? shown(ref.pointer) : `${shown(ref.path)} of that node`;
  throw new GambolError(
    'track/not-found',
    `The clip ${shown(name)} has no track ${wanted}; it has ${tracks.length} (at ${at}).`,
    { pointer: at },
  );
}

function nodeOf(node: unknown, at: string, context: EditContext): number {
  const ref = typeof node === 'object' ? (node as { readonly name?: unknown } | null)?.name : node;
  if (typeof ref !== 'string' && typeof ref !== 'number')
    throw invalid(`${at} must be a name, an index or { name }, not ${shown(node)}.`, at);
  return context.findJoint(ref).index;
}

/** A track with another key, or another value of one. */
function withKey(track: ClipTrackData, given: TrackKey, at: string): ClipTrackData {
  checkedObject(given, at);
  checkedOptions(given, ['time', 'value', 'in', 'out'], at);
  const time = checkedTime(Math.fround(checkedNumber(given.time, `${at}.time`)), `${at}.time`);
  if (track.interpolation !== 'CUBICSPLINE' && (given.in !== undefined || given.out !== undefined))
    throw invalid(`${at} has tangents, but the track is ${track.interpolation}.`, at);
  const width = widthOf(track);
  const [value, before, after] = (['value', 'in', 'out'] as const).map((part) => {
    const list = given[part];
    return list === undefined ? undefined : numbersOf(list, width, `${at}.${part}`);
  });
  const keys = cut(track, keysOf(track), time).map((key) =>
    key.time !== time
      ? key
      : {
          time,
          value: value ? (isRotation(track) ? unit(value) : value) : key.value,
          in: before ?? key.in,
          out: after ?? before ?? key.out,
        },
  );
  return withKeys(track, keys);
}

function chosenKeys(track: ClipTrackData, { keys }: KeyRange, at: string): Set<number> {
  const list = listOf(keys, `${at}.keys`);
  for (const [i, key] of list.entries())
    if (typeof key !== 'number' || track.times[key] === undefined)
      throw invalid(
        `${at}.keys[${i}] must be an index below ${track.times.length}, not ${shown(key)}.`,
        `${at}.keys[${i}]`,
      );
  return new Set(list as number[]);
}

/** The part of a clip from one time to another. A marker at the end belongs to the next part, unless the clip ends there. */
function partOf(
  state: Edited,
  from: number,
  to: number,
  atEnd: boolean,
): Pick<Edited, 'tracks' | 'markers'> & { name: string } {
  const [begin, end] = [Math.fround(from), Math.fround(to)];
  const last = atEnd || end >= durationOf(state.tracks);
  const inside = state.markers.filter(({ time }) => time >= begin && (time < end || (last && time <= end)));
  return {
    name: state.name,
    tracks: state.tracks.map((track) => slice(track, begin, end)),
    markers: inside.map(({ name, time }) => ({ name, time: Math.min(time - begin, Math.fround(end - begin)) })),
  };
}

/** Markers at other times; those within the clip stay within it. */
function movedMarkers({ tracks, markers }: Edited, move: (time: number) => number): Marker[] {
  const end = durationOf(tracks);
  return markers.map(({ name, time }) => ({ name, time: Math.max(0, Math.min(move(time), end)) }));
}

/** `true` if the way of a translation from its first key to its last is most of the room that it takes. */
function goesOn(track: ClipTrackData): boolean {
  const keys = keysOf(track);
  const [first, last] = [keys[0] as Key, keys.at(-1) as Key];
  const far = (key: Key): number => Math.hypot(...key.value.map((value, i) => value - (first.value[i] ?? 0)));
  return far(last) > Math.max(...keys.map(far)) / 2 && far(last) > 1e-3;
}

function within(time: number, end: number, at: string): void {
  if (!(checkedNumber(time, at) >= 0 && time <= end)) throw invalid(`${at} must be 0 … ${end}, not ${time}.`, at);
}

function checkedTime(time: number, at: string): number {
  if (time >= 0 && Number.isFinite(time)) return time;
  throw invalid(`${at}: the time of a key must be at least 0, not ${time}.`, at);
}

function listOf(list: unknown, at: string): unknown[] {
  const elements = typeof list === 'object' ? elementsOf(list) : undefined;
  if (!elements) throw invalid(`${at} must be a list, not ${shown(list)}.`, at);
  return elements;
}

function numbersOf(list: unknown, width: number, at: string): number[] {
  const numbers = listOf(list, at);
  const wrong = numbers.findIndex((value) => typeof value !== 'number' || !Number.isFinite(value));
  if (wrong >= 0)
    throw invalid(`${at}[${wrong}] must be a finite number, not ${shown(numbers[wrong])}.`, `${at}[${wrong}]`);
  if (numbers.length !== width) throw invalid(`${at} must have ${width} numbers, not ${numbers.length}.`, at);
  return numbers as number[];
}

function invalid(message: string, pointer: string): GambolError {
  return new GambolError('argument/invalid', message, { pointer });
}
