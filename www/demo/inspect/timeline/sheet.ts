// The dope sheet: a mark for each key of the rows on screen.

import { markOf, MARK_RADIUS, Sprites, type MarkName, type Palette } from './paint.ts';
import { BITS, channelsOf, timesOf, type Row } from './rows.ts';
import type { SelectedKey, Session } from './session.ts';
import { ticks } from './axis.ts';
import { keyAtOrAfter } from './values.ts';

/** Keys that are closer than this in CSS pixels are drawn as ticks of a bar, as their marks would overlap. */
const DENSE = 7;
/** Keys that are closer than this are not told apart in a bar. */
const SOLID = 2.5;

/** Numbers to draw: x and y of marks; begin, end and y of runs of close keys; x and y of the keys in them. */
interface Marks {
  readonly points: number[];
  readonly runs: number[];
  readonly ticks: number[];
}

const sprites = new Sprites();

export interface SheetBox {
  readonly width: number;
  readonly height: number;
  /** The height of a row, and the scroll position. */
  readonly row: number;
  readonly scroll: number;
}

/** Draws the rows that are in the box, and of them the keys in the visible interval. */
export function drawSheet(
  context: CanvasRenderingContext2D,
  session: Session,
  { width, height, row: size, scroll }: SheetBox,
  palette: Palette,
): void {
  const { axis, rows } = session;
  const selected = new Set(session.selected);
  const first = Math.max(0, Math.floor(scroll / size));
  const last = Math.min(rows.length, Math.ceil((scroll + height) / size));

  drawGrid(context, session, width, height, palette);
  const none = (): Marks => ({ points: [], runs: [], ticks: [] });
  const marks = { STEP: none(), LINEAR: none(), CUBICSPLINE: none(), MIXED: none() };
  for (let i = first; i < last; i++) {
    const row = rows[i] as Row;
    const top = i * size - scroll;
    if (selected.has(row.id)) {
      context.fillStyle = palette.selected;
      context.fillRect(0, top, width, size);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, top + size - 1, width, 1);
    collect(row, top + size / 2, session, width, marks);
  }
  drawOutside(context, session, width, height, palette);
  context.fillStyle = palette.tick;
  context.fillRect(Math.round(axis.x(axis.duration)), 0, 1, height);
  for (const name of Object.keys(marks) as MarkName[]) {
    context.fillStyle = palette.marks[name];
    const { points, runs, ticks: columns } = marks[name];
    // Runs are paler than the keys in them.
    context.globalAlpha = 0.35;
    for (let i = 0; i < runs.length; i += 3)
      context.fillRect(
        runs[i] as number,
        (runs[i + 2] as number) - 4,
        (runs[i + 1] as number) - (runs[i] as number),
        8,
      );
    context.globalAlpha = 1;
    for (let i = 0; i < columns.length; i += 2)
      context.fillRect((columns[i] as number) - 0.5, (columns[i + 1] as number) - 4, 1, 8);
    sprites.draw(context, name, palette.marks[name], points);
  }
  drawSelection(context, session, rows.slice(first, last), first * size - scroll, size, palette);
}

/** Vertical lines at the labels of the ruler. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  { axis, fps }: Session,
  _width: number,
  height: number,
  palette: Palette,
): void {
  context.fillStyle = palette.line;
  for (const { time, major } of ticks(axis, fps)) if (major) context.fillRect(Math.round(axis.x(time)), 0, 1, height);
}

/** Shades the parts outside the clip and outside the range. */
export function drawOutside(
  context: CanvasRenderingContext2D,
  { axis, range }: Session,
  width: number,
  height: number,
  palette: Palette,
): void {
  const [begin, end] = range ?? [0, axis.duration];
  context.fillStyle = palette.outside;
  const [left, right] = [axis.x(begin), axis.x(end)];
  if (left > 0) context.fillRect(0, 0, Math.min(left, width), height);
  if (right < width) context.fillRect(Math.max(0, right), 0, width, height);
}

/** Adds the marks and bars of a row: keys in one column of pixels are one mark, and a run of close keys is a bar. */
function collect(row: Row, y: number, { axis }: Session, width: number, marks: Record<MarkName, Marks>): void {
  const times = timesOf(row);
  const bits = row.kind === 'joint' ? row.keys.bits : null;
  const only = BITS[channelsOf(row)[0]?.channel.interpolation ?? 'LINEAR'];
  const margin = 2 * MARK_RADIUS;
  const end = axis.time(width + margin);
  const columns: number[] = [];
  let key = keyAtOrAfter(times, axis.time(-margin));
  while (key < times.length && (times[key] as number) <= end) {
    const begin = axis.x(times[key] as number);
    let x = begin;
    let mask = bits?.[key] ?? only;
    columns.length = 0;
    // The run of keys that follow closely; the next key is found by its column, not by counting.
    for (;;) {
      columns.push(x, y);
      let next = key + 1;
      if (next < times.length && axis.x(times[next] as number) < x + 1) next = keyAtOrAfter(times, axis.time(x + 1));
      key = next;
      if (key >= times.length) break;
      const at = axis.x(times[key] as number);
      if (at - x > DENSE || x > width + margin) break;
      x = at;
      mask |= bits?.[key] ?? only;
    }
    const { points, runs, ticks } = marks[markOf(mask)];
    if (x === begin) {
      points.push(begin, y);
      continue;
    }
    runs.push(begin - 1, x + 1, y);
    if ((x - begin) / (columns.length / 2 - 1) >= SOLID) for (const number of columns) ticks.push(number);
  }
}

/** Rings around the selected keys of rows on screen. */
function drawSelection(
  context: CanvasRenderingContext2D,
  { axis, keys }: Session,
  rows: readonly Row[],
  top: number,
  size: number,
  palette: Palette,
): void {
  if (keys.length === 0) return;
  const byChannel = new Map<string, SelectedKey[]>();
  for (const key of keys) {
    const list = byChannel.get(key.row.id);
    if (list) list.push(key);
    else byChannel.set(key.row.id, [key]);
  }
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * size;
    const drawn = new Set<number>();
    for (const channel of channelsOf(row))
      for (const { key } of byChannel.get(channel.id) ?? []) {
        const x = axis.x(channel.channel.times[key] as number);
        const column = Math.round(x);
        if (x < -10 || drawn.has(column)) continue;
        drawn.add(column);
        context.moveTo(x + 7.5, y);
        context.arc(x, y, 7.5, 0, 2 * Math.PI);
      }
  });
  context.stroke();
}

/** The key time of a row that is nearest to a pixel, if one is within reach. */
export function keyTimeNear({ axis }: Session, row: Row, x: number, reach: number): number | null {
  const times = timesOf(row);
  const next = keyAtOrAfter(times, axis.time(x));
  let best: number | null = null;
  for (const time of [times[next - 1], times[next]])
    if (time !== undefined && Math.abs(axis.x(time) - x) <= reach)
      if (best === null || Math.abs(axis.x(time) - x) < Math.abs(axis.x(best) - x)) best = time;
  return best;
}
