// A drag of keys or of a handle: the clip follows the pointer, and the whole drag is one step of undo.

import type { ClipEdit, TrackKey } from 'gambol';
import { plural } from '../../app/format.ts';
import { timeWords } from './axis.ts';
import type { Canvases } from './canvases.ts';
import { keyWithSlope, keyWithValue, type Side } from './curve-edits.ts';
import { formatted, type CurvePoint } from './curves.ts';
import { graphOf } from './graphs.ts';
import { byChannel, moved, setKeys, shift, timeOf } from './key-edits.ts';
import { jointOf } from './rows.ts';
import type { FollowedClip, SelectedKey, Session } from './session.ts';

/** The part under the pointer: a time of keys in the sheet; a key of a curve; a handle. */
export type Grabbed =
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'key' | 'handle'; readonly point: CurvePoint };

/** The shortest distance of a handle from its key in pixels, along the time. */
const CLOSEST = 4;

export class KeyDrag {
  readonly #session: Session;
  readonly #canvases: Canvases;
  readonly #grabbed: Grabbed;
  readonly #keys: readonly SelectedKey[];
  readonly #followed: FollowedClip;
  readonly #visible: Session['axis']['visible'];
  readonly #unit: number;
  /** A key of a curve moves either in time or in value. */
  #upright: boolean | null = null;
  #ready = false;
  #waiting: readonly ClipEdit[] | null = null;
  #words = '';

  /** Begins a drag of the selected keys; null if the clip cannot be edited. */
  static of(session: Session, canvases: Canvases, grabbed: Grabbed): KeyDrag | null {
    const { clip, host } = session;
    const followed = clip && host.followClip?.(clip);
    return followed ? new KeyDrag(session, canvases, grabbed, followed) : null;
  }

  private constructor(session: Session, canvases: Canvases, grabbed: Grabbed, followed: FollowedClip) {
    this.#session = session;
    this.#canvases = canvases;
    this.#grabbed = grabbed;
    this.#followed = followed;
    this.#keys = session.keys;
    const { axis } = session;
    this.#visible = axis.visible;
    // Both scales stay while the clip changes, or the keys would run from the pointer.
    axis.visible = [axis.begin, axis.end];
    const { fit, height } = canvases.curves ?? { fit: { middle: 0, half: 1 }, height: 1 };
    session.heldFit = fit;
    this.#unit = (2 * fit.half) / height;
    session.viewer.pause();
    session.dragged = this.#keys.map((key) => ({ id: key.row.id, time: timeOf(key) }));
    void Promise.resolve(session.ghost?.show()).then(() => {
      this.#ready = true;
      if (this.#waiting) followed.show(this.#waiting);
    });
  }

  /** Follows the pointer by some pixels from the beginning of the drag; `alone` changes the tangent of one side only. */
  move(dx: number, dy: number, alone: boolean): void {
    const grabbed = this.#grabbed;
    if (grabbed.kind === 'time') this.#inTime(grabbed.time, dx);
    else if (grabbed.kind === 'handle') this.#turn(grabbed.point, dx, dy, alone);
    else {
      this.#upright ??= Math.abs(dy) > Math.abs(dx);
      const { point } = grabbed;
      if (this.#upright) this.#lift(point, dy);
      else this.#inTime(point.row.channel.times[point.key] as number, dx);
    }
  }

  #inTime(anchor: number, dx: number): void {
    const session = this.#session;
    const by = shift(session, this.#keys, anchor, dx * session.axis.secondsPerPixel);
    const after = moved(this.#keys, by);
    session.dragged = after.keys;
    this.#words = `move ${plural(this.#keys.length, 'key')}`;
    this.#show(by === 0 ? [] : after.edits, timeWords(anchor + by, session.fps), session.axis.x(anchor + by));
  }

  /** Changes the values of the same curve of all selected channels that have its unit. */
  #lift({ row, index, value, x }: CurvePoint, dy: number): void {
    const { graph: kind } = this.#session;
    const unit = graphOf(row.channel, kind)?.unit;
    const by = -dy * this.#unit;
    const edits = [...byChannel(this.#keys)].flatMap(([other, keys]) => {
      const graph = graphOf(other.channel, kind);
      if (!graph || graph.unit !== unit || graph.names[index] === undefined) return [];
      const list = keys.map((key): TrackKey => {
        const shown = graph.at(other.channel.times[key] as number);
        return keyWithValue(other.channel, kind, key, shown, index, (shown[index] as number) + by);
      });
      return setKeys(other, list);
    });
    this.#words = `value of ${plural(this.#keys.length, 'key')}`;
    this.#show(edits, `${nameOf(row, kind, index)} ${formatted(value + by)}${unit ?? ''}`, x);
  }

  #turn(point: CurvePoint, dx: number, dy: number, alone: boolean): void {
    const { axis, graph: kind, broken } = this.#session;
    const { row, key, index, side = 'out' } = point;
    const { channel } = row;
    const time = channel.times[key] as number;
    const sign = side === 'in' ? -1 : 1;
    const pixels = sign * Math.max(CLOSEST, sign * (point.x + dx - axis.x(time)));
    // The handle is at a place in pixels, so its slope is that of the pixels.
    const keyed = graphOf(channel, kind)?.at(time)[index] ?? 0;
    const end = this.#valueAt(point.y + dy);
    const slope = (end - keyed) / (pixels * axis.secondsPerPixel);
    const sides: readonly Side[] = alone || broken || isBroken(row, key) ? [side] : ['in', 'out'];
    this.#words = `tangent of ${jointOf(row).name} ${row.name}`;
    const unit = graphOf(channel, kind)?.unit ?? '';
    const words = `${nameOf(row, kind, index)} ${formatted(slope)}${unit}/s`;
    this.#show([setKeys(row, [keyWithSlope(channel, kind, key, index, slope, sides)])], words, point.x + dx);
  }

  #valueAt(y: number): number {
    const { fit, height } = this.#canvases.curves ?? { fit: { middle: 0 }, height: 1 };
    return fit.middle - (y - height / 2) * this.#unit;
  }

  #show(edits: readonly ClipEdit[], words: string, x: number): void {
    this.#canvases.showText(x, words, 'key');
    this.#waiting = edits;
    if (this.#ready) this.#followed.show(edits);
  }

  /** Keeps the changes. */
  async end(): Promise<void> {
    // The picture of the ghost comes before the first change.
    if (!this.#ready && this.#waiting) this.#followed.show(this.#waiting);
    this.#ready = false;
    this.#waiting = null;
    await this.#finish(this.#followed.end(this.#words));
    this.#session.host.announce?.(this.#words);
  }

  /** Gives back the clip of before. */
  async cancel(): Promise<void> {
    this.#ready = false;
    this.#waiting = null;
    this.#session.dragged = this.#keys.map((key) => ({ id: key.row.id, time: timeOf(key) }));
    await this.#finish(this.#followed.cancel());
  }

  async #finish(done: Promise<boolean>): Promise<void> {
    const session = this.#session;
    this.#canvases.hideBubble();
    session.ghost?.hide();
    await done;
    const { dragged } = session;
    session.dragged = null;
    session.heldFit = null;
    session.axis.visible = this.#visible;
    if (dragged) session.selectTimes(dragged);
    session.changed();
  }
}

function nameOf(row: SelectedKey['row'], kind: Session['graph'], index: number): string {
  return `${row.name} ${graphOf(row.channel, kind)?.names[index] ?? ''}`;
}

/** `true` if the tangents of a key differ, so that a handle changes one of them. */
function isBroken({ channel: { values, components } }: SelectedKey['row'], key: number): boolean {
  const begin = 3 * key * components;
  const most = values
    .subarray(begin, begin + 3 * components)
    .reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  for (let i = begin; i < begin + components; i++)
    if (Math.abs((values[i] as number) - (values[i + 2 * components] as number)) > 1e-4 * Math.max(most, 1e-3))
      return true;
  return false;
}
