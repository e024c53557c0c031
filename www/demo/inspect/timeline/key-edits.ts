// Edits of the selected keys and of the whole clip, as edits of `model.editClip()`.

import type { ClipEdit, Interpolation, TrackKey, TrackPath, TrackRef } from 'gambol';
import { plural } from '../../app/format.ts';
import { timeWords } from './axis.ts';
import { keyWithTangents } from './curve-edits.ts';
import { channelsOf, type ChannelRow } from './rows.ts';
import type { KeyTime, SelectedKey, Session } from './session.ts';

export function trackOf({ channel: { node, path } }: ChannelRow): TrackRef {
  return node === null || path.startsWith('/') ? { pointer: path } : { node, path: path as TrackPath };
}

/** The selected keys by their channel. */
export function byChannel(keys: readonly SelectedKey[]): Map<ChannelRow, number[]> {
  const map = new Map<ChannelRow, number[]>();
  for (const { row, key } of keys) map.set(row, [...(map.get(row) ?? []), key]);
  return map;
}

export const timeOf = ({ row, key }: SelectedKey): number => row.channel.times[key] as number;

const idAndTime = (key: SelectedKey): KeyTime => ({ id: key.row.id, time: timeOf(key) });

/** Seconds by which keys move if one of them is dragged: to whole frames if that is wanted, and not before 0. */
export function shift({ snap, fps }: Session, keys: readonly SelectedKey[], anchor: number, by: number): number {
  const wanted = snap ? Math.round((anchor + by) * fps) / fps - anchor : by;
  const earliest = keys.reduce((least, key) => Math.min(least, timeOf(key)), Infinity);
  return Math.max(wanted, -earliest);
}

/** The edits that move keys in time, and the keys after them. */
export function moved(
  keys: readonly SelectedKey[],
  by: number,
): { readonly edits: readonly ClipEdit[]; readonly keys: readonly KeyTime[] } {
  const edits = [...byChannel(keys)].map(([row, list]) => ({ moveKeys: { track: trackOf(row), keys: list, by } }));
  return { edits, keys: keys.map((key) => ({ id: key.row.id, time: timeOf(key) + by })) };
}

/** Moves the selected keys in time. */
export function moveKeys(session: Session, by: number): void {
  const { keys } = session;
  if (keys.length === 0 || by === 0) return;
  const after = moved(keys, by);
  run(session, `move ${plural(keys.length, 'key')}`, after.edits, after.keys);
}

export function deleteKeys(session: Session): void {
  const { keys } = session;
  if (keys.length === 0) return;
  const edits = [...byChannel(keys)].map(([row, list]) => ({ deleteKeys: { track: trackOf(row), keys: list } }));
  run(session, `delete ${plural(keys.length, 'key')}`, edits, []);
}

/** Adds a key at the playhead to the channels of the selected rows, with the pose that the clip has there. */
export function addKeys(session: Session): void {
  const channels = [...new Set(session.selectedRows.flatMap((row) => channelsOf(row)))];
  if (channels.length === 0) return;
  const time = session.snapped(session.time);
  const edits = channels.map((row) => ({ setKeys: { track: trackOf(row), keys: [{ time }] } }));
  const words = `add ${plural(channels.length, 'key')} at ${timeWords(time, session.fps)}`;
  run(
    session,
    words,
    edits,
    channels.map(({ id }) => ({ id, time })),
  );
}

/** The edit that sets keys of a channel. */
export function setKeys(row: ChannelRow, keys: readonly TrackKey[]): ClipEdit {
  return { setKeys: { track: trackOf(row), keys } };
}

/** Changes one key of a channel. */
export function changeKey(session: Session, words: string, row: ChannelRow, key: TrackKey): void {
  run(session, words, [setKeys(row, [key])]);
}

/** The channels whose interpolation changes: those of the selected keys, or else of the selected rows. */
export function editedChannels({ keys, selectedRows }: Session): ChannelRow[] {
  const rows = keys.length > 0 ? keys.map(({ row }) => row) : selectedRows.flatMap((row) => channelsOf(row));
  return [...new Set(rows)];
}

/** The edits that change the interpolation of channels which have another one. */
function interpolations(channels: readonly ChannelRow[], to: Interpolation): ClipEdit[] {
  return channels
    .filter(({ channel }) => channel.interpolation !== to)
    .map((row) => ({ interpolation: { to, track: trackOf(row) } }));
}

export function interpolate(session: Session, to: Interpolation): void {
  const edits = interpolations(editedChannels(session), to);
  if (edits.length > 0) run(session, `interpolation ${to}`, edits);
}

/** Gives the selected keys tangents along their neighbours, or of 0. Other channels become splines, with smooth tangents. */
export function setTangents(session: Session, to: 'smooth' | 'flat'): void {
  const keys = byChannel(session.keys);
  const edits = interpolations([...keys.keys()], 'CUBICSPLINE');
  // A spline has at least two keys.
  for (const [row, list] of keys)
    if (row.channel.times.length > 1)
      edits.push(
        setKeys(
          row,
          list.map((key) => keyWithTangents(row.channel, key, to)),
        ),
      );
  if (edits.length > 0) run(session, `${to} tangents`, edits);
}

/** Edits the whole clip. */
export function editWhole(session: Session, words: string, edit: ClipEdit): void {
  run(session, words, [edit], []);
}

/** Splits the clip at the playhead. */
export function splitAtPlayhead(session: Session): void {
  const { clip, host, duration } = session;
  const time = session.snapped(session.time);
  if (!clip || !host.splitClip) return;
  if (time <= 0 || time >= duration) host.announce?.('Move the playhead into the clip to split it');
  else void host.splitClip(clip, time);
}

/** Keeps the part of the clip in the range. */
export function trimToRange(session: Session): void {
  const { range } = session;
  if (!range) return;
  session.setRange(null);
  run(session, 'trim to range', [{ trim: { from: range[0], to: range[1] } }], []);
}

/** Makes edits, and selects keys by their channel and time after them; by default, those that were selected. */
function run(
  session: Session,
  words: string,
  edits: readonly ClipEdit[],
  select: readonly KeyTime[] = session.keys.map(idAndTime),
): void {
  const { clip, host } = session;
  if (!clip || !host.editClip) return;
  void host.editClip(words, clip, edits).then((done) => {
    if (!done || session.clip?.index !== clip.index) return;
    session.selectTimes(select);
    host.announce?.(words);
  });
}
