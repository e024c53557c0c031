// Edits of the selected keys and of the whole clip, as edits of `model.editClip()`.

import type { ClipEdit, Interpolation, TrackPath, TrackRef } from 'gambol';
import { plural } from '../../app/format.ts';
import { timeWords } from './axis.ts';
import { channelsOf, type ChannelRow } from './rows.ts';
import type { SelectedKey, Session } from './session.ts';

function trackOf({ channel: { node, path } }: ChannelRow): TrackRef {
  return node === null || path.startsWith('/') ? { pointer: path } : { node, path: path as TrackPath };
}

/** The selected keys by their channel. */
function byChannel(keys: readonly SelectedKey[]): Map<ChannelRow, number[]> {
  const map = new Map<ChannelRow, number[]>();
  for (const { row, key } of keys) map.set(row, [...(map.get(row) ?? []), key]);
  return map;
}

const timeOf = ({ row, key }: SelectedKey): number => row.channel.times[key] as number;

/** Seconds by which the selected keys move if one of them is dragged: to whole frames if that is wanted, and not before 0. */
export function shift(session: Session, anchor: number, by: number): number {
  const { snap, fps, keys } = session;
  const wanted = snap ? Math.round((anchor + by) * fps) / fps - anchor : by;
  const earliest = keys.reduce((least, key) => Math.min(least, timeOf(key)), Infinity);
  return Math.max(wanted, -earliest);
}

/** Moves the selected keys in time. */
export function moveKeys(session: Session, by: number): void {
  const { keys } = session;
  if (keys.length === 0 || by === 0) return;
  const edits = [...byChannel(keys)].map(([row, list]) => ({ moveKeys: { track: trackOf(row), keys: list, by } }));
  const moved = keys.map((key) => ({ id: key.row.id, time: timeOf(key) + by }));
  run(session, `move ${plural(keys.length, 'key')}`, edits, moved);
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

/** The channels whose interpolation changes: those of the selected keys, or else of the selected rows. */
export function editedChannels({ keys, selectedRows }: Session): ChannelRow[] {
  const rows = keys.length > 0 ? keys.map(({ row }) => row) : selectedRows.flatMap((row) => channelsOf(row));
  return [...new Set(rows)];
}

export function interpolate(session: Session, to: Interpolation): void {
  const edits = editedChannels(session)
    .filter(({ channel }) => channel.interpolation !== to)
    .map((row) => ({ interpolation: { to, track: trackOf(row) } }));
  if (edits.length > 0) run(session, `interpolation ${to}`, edits);
}

/** Edits the whole clip. */
export function editWhole(session: Session, words: string, edit: ClipEdit): void {
  run(session, words, [edit], []);
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
  select = session.keys.map((key) => ({ id: key.row.id, time: timeOf(key) })),
): void {
  const { clip, host } = session;
  if (!clip || !host.editClip) return;
  void host.editClip(words, clip, edits).then((done) => {
    session.dragged = 0;
    if (done && session.clip?.index === clip.index) {
      session.selectTimes(select);
      host.announce?.(words);
    } else session.changed();
  });
}
