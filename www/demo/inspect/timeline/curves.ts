// The curves of the selected rows.

import type { Palette } from './paint.ts';
import { MARK_RADIUS, traceMark } from './paint.ts';
import { isEditable, slopesAt, type Side } from './curve-edits.ts';
import { graphOf, type Graph } from './graphs.ts';
import { channelsOf, jointOf, type ChannelRow } from './rows.ts';
import type { Session } from './session.ts';
import { drawGrid, drawOutside } from './sheet.ts';
import { keyAtOrAfter, keyAtOrBefore } from './values.ts';

/** The largest number of curves in one picture. */
const MOST = 48;
/** The patterns of lines of the first, second, third … component, so that colour is not the only difference. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** The length of handles in pixels. */
const HANDLE = 46;
/** Pixels between samples of a curve that is not straight. */
const SAMPLE = 2;

interface Samples {
  readonly times: readonly number[];
  readonly values: readonly (readonly number[])[];
}

interface Curve {
  readonly row: ChannelRow;
  readonly graph: Graph;
  readonly index: number;
}

/** A key on a curve, in pixels of the picture. */
export interface CurvePoint {
  readonly row: ChannelRow;
  readonly key: number;
  /** The index of the curve in its graph. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** The value of the curve. */
  readonly value: number;
  /** The end of a handle; undefined for the key itself. */
  readonly side?: Side;
}

export interface CurvePicture {
  /** The keys of the curves, and the handles of the tangents of selected keys. */
  readonly points: readonly CurvePoint[];
  readonly handles: readonly CurvePoint[];
  /** The vertical middle and half height, in the unit of the curves, and the height in pixels. */
  readonly fit: { readonly middle: number; readonly half: number };
  readonly height: number;
  /** The values of all curves at a time: labels and numbers. */
  valuesAt(time: number): { readonly name: string; readonly value: string }[];
  /** The number of curves that are not drawn. */
  readonly left: number;
  /** The number of curves. */
  readonly count: number;
}

/** The curves of the selected rows: of a component its own, of a channel or joint all. */
function curvesOf(session: Session): Curve[] {
  const wanted = new Map<ChannelRow, Set<number> | null>();
  for (const row of session.selectedRows)
    for (const channel of channelsOf(row)) {
      const before = wanted.get(channel);
      if (row.kind !== 'component') wanted.set(channel, null);
      else if (before !== null) wanted.set(channel, (before ?? new Set()).add(row.component));
    }
  const curves: Curve[] = [];
  for (const [row, components] of wanted) {
    const graph = graphOf(row.channel, session.graph);
    graph?.names.forEach((_, index) => {
      // Angles and Euler angles have no curve for a single component of a quaternion.
      const single = components && graph.names.length === row.channel.components;
      if (!single || components.has(index)) curves.push({ row, graph, index });
    });
  }
  return curves;
}

/** The times at which a curve is drawn: at keys, and in between if it is not straight. */
function sampleTimes(
  { channel: { times: keys, interpolation } }: ChannelRow,
  { straight }: Graph,
  from: number,
  to: number,
  secondsPerPixel: number,
): number[] {
  const times = [from];
  const step = SAMPLE * secondsPerPixel;
  const columns = Math.max(1, Math.ceil((to - from) / step));
  let key = keyAtOrAfter(keys, from);
  for (let i = 1; i <= columns; i++) {
    const time = Math.min(to, from + i * step);
    // Of the keys in one column, the first and the last, so that no peak and no step is cut.
    const begin = key;
    key = keyAtOrBefore(keys, time) + 1;
    if (key > begin)
      for (const at of new Set([begin, key - 1])) {
        const keyed = keys[at] as number;
        // The value before a step is that of the key before.
        if (interpolation === 'STEP' && at > 0) times.push(keyed - 1e-7);
        times.push(keyed);
      }
    if (!straight || i === columns) times.push(time);
  }
  return times;
}

/** A step between labels of values: 1, 2 or 5 times a power of ten. */
function niceStep(range: number, count: number): number {
  const rough = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

export function drawCurves(
  context: CanvasRenderingContext2D,
  session: Session,
  width: number,
  height: number,
  palette: Palette,
): CurvePicture {
  const { axis } = session;
  const all = curvesOf(session);
  const curves = all.slice(0, MOST);
  drawOutside(context, session, width, height, palette);
  drawGrid(context, session, width, height, palette);

  const byRow = new Map<ChannelRow, Samples>();
  const [from, to] = [Math.max(0, axis.begin), Math.min(axis.duration, axis.end)];
  for (const { row, graph } of curves) {
    if (byRow.has(row)) continue;
    const times = sampleTimes(row, graph, from, to, axis.secondsPerPixel);
    byRow.set(row, { times, values: times.map((time) => graph.at(time)) });
  }

  let [low, high] = [Infinity, -Infinity];
  for (const { row, index } of curves)
    for (const values of byRow.get(row)?.values ?? []) {
      const value = values[index] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  const valuesAt = (time: number): { name: string; value: string }[] =>
    curves.map(({ row, graph, index }) => ({
      name: `${jointOf(row).name} ${row.name} ${graph.names[index]}`,
      value: `${formatted(graph.at(time)[index] as number)}${graph.unit}`,
    }));
  const points: CurvePoint[] = [];
  const handles: CurvePoint[] = [];
  // A flat curve is drawn in the middle. Noise of rounding is not blown up to the whole height.
  const least = Math.max(1e-4, 1e-4 * Math.max(Math.abs(low), Math.abs(high)));
  const own = { middle: (low + high) / 2, half: (Math.max(high - low, least) / 2 / session.verticalZoom) * 1.12 };
  const fit = session.heldFit ?? own;
  const { middle, half } = fit;
  const picture = { valuesAt, points, handles, fit, height, left: all.length - curves.length, count: curves.length };
  if (!(low <= high)) return picture;
  const y = (value: number): number => height / 2 - ((value - middle) / half) * (height / 2);

  context.font = `10px ${palette.font}`;
  context.textBaseline = 'middle';
  const step = niceStep(2 * half, height / 34);
  for (let value = Math.ceil((middle - half) / step) * step; value <= middle + half; value += step) {
    const at = Math.round(y(value));
    context.fillStyle = Math.abs(value) < step / 2 ? palette.tick : palette.line;
    context.fillRect(0, at, width, 1);
  }

  context.miterLimit = 2;
  for (const { row, index } of curves) {
    const { times, values } = byRow.get(row) as Samples;
    context.strokeStyle = palette.curves[index % palette.curves.length] as string;
    context.setLineDash([...(DASHES[index % DASHES.length] ?? [])]);
    context.lineWidth = 1.75;
    context.beginPath();
    for (let i = 0; i < times.length; i++)
      context.lineTo(axis.x(times[i] as number), y((values[i] as readonly number[])[index] as number));
    context.stroke();
  }
  context.setLineDash([]);

  for (const curve of curves) {
    const shown = keysOf(curve, session, from, to, width, y);
    context.fillStyle = palette.curves[curve.index % palette.curves.length] as string;
    context.beginPath();
    for (const point of shown)
      traceMark(context, curve.row.channel.interpolation, point.x, point.y, MARK_RADIUS * 0.75);
    context.fill();
    points.push(...shown);
    const chosen = new Set(session.keys.flatMap(({ row, key }) => (row === curve.row ? key : [])));
    for (const point of shown) {
      if (!chosen.has(point.key)) continue;
      const ends = session.editing ? handlesOf(point, session, half / (height / 2)) : [];
      handles.push(...ends);
      drawChosen(context, point, ends, palette);
    }
  }

  const units = new Set(curves.map(({ graph }) => graph.unit));
  const unit = units.size === 1 ? [...units].join('') : '';
  for (let value = Math.ceil((middle - half) / step) * step; value <= middle + half; value += step) {
    const label = `${formatted(value, step)}${unit}`;
    context.fillStyle = palette.surface;
    context.fillRect(0, y(value) - 7, context.measureText(label).width + 8, 14);
    context.fillStyle = palette.soft;
    context.fillText(label, 4, y(value) + 0.5);
  }
  drawNames(context, curves, byRow, y, width, height, palette);
  return picture;
}

/** The keys of a curve, unless they are too dense to be told apart. */
function keysOf(
  { row, graph, index }: Curve,
  { axis }: Session,
  from: number,
  to: number,
  width: number,
  y: (value: number) => number,
): CurvePoint[] {
  const keys = row.channel.times;
  const [first, end] = [keyAtOrAfter(keys, from), keyAtOrAfter(keys, to + axis.secondsPerPixel)];
  if (end - first > width / 9) return [];
  return Array.from({ length: end - first }, (_, i) => {
    const time = keys[first + i] as number;
    const value = graph.at(time)[index] as number;
    return { row, key: first + i, index, x: axis.x(time), y: y(value), value };
  });
}

/** The ends of the handles of a key: in the direction of its tangents, where the curve goes on. `unit`: that of the curve in a pixel. */
function handlesOf(point: CurvePoint, { axis, graph }: Session, unit: number): CurvePoint[] {
  const { row, key, index, x, y } = point;
  const { channel } = row;
  if (!isEditable(graph)) return [];
  const sides: readonly Side[] = ['in', 'out'];
  return sides.flatMap((side) => {
    if (side === 'in' ? key === 0 : key === channel.times.length - 1) return [];
    const slope = slopesAt(channel, graph, key, side)?.[index];
    if (slope === undefined) return [];
    // Pixels down for a pixel to the right.
    const steep = (-slope * axis.secondsPerPixel) / unit;
    const along = ((side === 'in' ? -1 : 1) * HANDLE) / Math.hypot(1, steep);
    return { ...point, side, x: x + along, y: y + steep * along };
  });
}

/** A ring around a selected key, and its handles. */
function drawChosen(
  context: CanvasRenderingContext2D,
  { x, y }: CurvePoint,
  handles: readonly CurvePoint[],
  palette: Palette,
): void {
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const end of handles) {
    context.moveTo(x, y);
    context.lineTo(end.x, end.y);
  }
  context.stroke();
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.stroke();
  context.fillStyle = palette.surface;
  for (const end of handles) {
    context.beginPath();
    context.arc(end.x, end.y, 4.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

/** Names at the right ends of the curves, unless they would be too many to be read. */
function drawNames(
  context: CanvasRenderingContext2D,
  curves: readonly Curve[],
  byRow: ReadonlyMap<ChannelRow, Samples>,
  y: (value: number) => number,
  width: number,
  height: number,
  palette: Palette,
): void {
  if (curves.length > 12) return;
  const several = new Set(curves.map(({ row }) => row)).size > 1;
  const labels = curves.map(({ row, graph, index }) => ({
    name: several ? `${row.name[0]}.${graph.names[index]}` : (graph.names[index] ?? ''),
    color: palette.curves[index % palette.curves.length] as string,
    at: y((byRow.get(row)?.values.at(-1) ?? [])[index] ?? 0),
  }));
  labels.sort((a, b) => a.at - b.at);
  // Labels that would overlap move down, and all up again if they leave the picture.
  let next = 8;
  for (const label of labels) {
    label.at = Math.max(label.at, next);
    next = label.at + 14;
  }
  const over = Math.max(0, next - height + 4);
  context.font = `600 11px ${palette.font}`;
  for (const { name, color, at } of labels) {
    const size = context.measureText(name).width + 8;
    context.fillStyle = palette.surface;
    context.fillRect(width - size - 4, at - over - 7, size, 14);
    context.fillStyle = color;
    context.fillText(name, width - size, at - over + 0.5);
  }
}

/** A number with four significant digits, or with the digits of a step. */
export function formatted(value: number, step?: number): string {
  if (step !== undefined) {
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    return (Math.abs(value) < step / 2 ? 0 : value).toFixed(Math.min(digits, 6));
  }
  const text =
    Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(3) : value.toFixed(4);
  return text === '-0.0000' ? '0.0000' : text;
}
