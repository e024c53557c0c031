// The ruler: frames and seconds.

import { ticks } from './axis.ts';
import type { Palette } from './paint.ts';
import { drawOutside } from './sheet.ts';
import type { Session } from './session.ts';

/** The heights of the lanes of the ruler: the range, the ticks, and the markers. */
export const LANES = { range: 14, ticks: 28, markers: 18 } as const;

export function drawRuler(
  context: CanvasRenderingContext2D,
  session: Session,
  width: number,
  height: number,
  palette: Palette,
): void {
  const { axis, fps } = session;
  drawOutside(context, session, width, height, palette);
  const bottom = LANES.range + LANES.ticks;
  context.textBaseline = 'alphabetic';
  for (const { time, frame, major } of ticks(axis, fps)) {
    const x = Math.round(axis.x(time));
    context.fillStyle = palette.tick;
    context.fillRect(x, bottom - (major ? 9 : 4), 1, major ? 9 : 4);
    if (!major) continue;
    context.fillStyle = palette.ink;
    context.font = `600 11px ${palette.font}`;
    const label = `${frame}`;
    const seconds = `${secondsLabel(time)} s`;
    // The last label is beside its tick, too.
    const left = x + 40 > width ? x - 4 - context.measureText(seconds).width : x + 4;
    context.fillText(label, left, LANES.range + 12);
    context.fillStyle = palette.soft;
    context.font = `10px ${palette.font}`;
    context.fillText(seconds, left, LANES.range + 23);
  }
  context.fillStyle = palette.line;
  context.fillRect(0, bottom, width, 1);
}

function secondsLabel(time: number): string {
  return time.toFixed(3).replace(/\.?0+$/, '');
}
