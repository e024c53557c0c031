// Canvases of the timeline: their size, their colours from the tokens of the page, and the marks of keys.

import { BITS } from './rows.ts';

/** The mark of a key, by its interpolation; `MIXED` for keys of several channels at one time. */
export type MarkName = keyof typeof BITS | 'MIXED';

/** Half the size of a mark in CSS pixels. */
export const MARK_RADIUS = 4.5;

/** The colours of the canvases, read from the custom properties of the timeline. */
export interface Palette {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly tick: string;
  readonly accent: string;
  readonly hover: string;
  readonly selected: string;
  readonly outside: string;
  readonly surface: string;
  readonly marks: Readonly<Record<MarkName, string>>;
  readonly curves: readonly string[];
  readonly font: string;
}

export function paletteOf(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--tl-${name}`).trim();
  return {
    ink: color('ink'),
    soft: color('soft'),
    line: color('line'),
    tick: color('tick'),
    accent: color('accent'),
    hover: color('hover'),
    selected: color('selected'),
    outside: color('outside'),
    surface: color('surface'),
    marks: { STEP: color('step'), LINEAR: color('linear'), CUBICSPLINE: color('cubic'), MIXED: color('mixed') },
    curves: ['x', 'y', 'z', 'w'].map((name) => color(`curve-${name}`)),
    font: style.fontFamily,
  };
}

/** The mark of a set of interpolations. */
export function markOf(bits: number): MarkName {
  for (const name of ['STEP', 'LINEAR', 'CUBICSPLINE'] as const) if (bits === BITS[name]) return name;
  return 'MIXED';
}

/** Adds the outline of a mark to the current path. */
export function traceMark(context: CanvasRenderingContext2D, mark: MarkName, x: number, y: number, r: number): void {
  switch (mark) {
    case 'STEP':
      context.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
      break;
    case 'LINEAR':
      context.moveTo(x, y - 1.15 * r);
      context.lineTo(x + 1.15 * r, y);
      context.lineTo(x, y + 1.15 * r);
      context.lineTo(x - 1.15 * r, y);
      context.closePath();
      break;
    case 'CUBICSPLINE':
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case 'MIXED':
      context.moveTo(x - r, y + 0.9 * r);
      context.lineTo(x + r, y + 0.9 * r);
      context.lineTo(x, y - r);
      context.closePath();
      break;
  }
}

/** The marks of one colour as pictures: a path of thousands of marks takes a hundred times as long to fill. */
export class Sprites {
  readonly #pictures = new Map<MarkName, HTMLCanvasElement>();
  #key = '';

  /** Draws marks at points of x and y, on whole pixels of the screen. */
  draw(context: CanvasRenderingContext2D, mark: MarkName, color: string, points: readonly number[]): void {
    if (points.length === 0) return;
    const ratio = context.getTransform().a;
    const half = Math.ceil((MARK_RADIUS + 2) * ratio);
    const key = `${ratio}`;
    if (key !== this.#key) this.#pictures.clear();
    this.#key = key;
    let picture = this.#pictures.get(mark);
    if (!picture || picture.dataset['color'] !== color) {
      picture = document.createElement('canvas');
      Object.assign(picture, { width: 2 * half, height: 2 * half });
      picture.dataset['color'] = color;
      const brush = picture.getContext('2d') as CanvasRenderingContext2D;
      brush.scale(ratio, ratio);
      brush.fillStyle = color;
      traceMark(brush, mark, half / ratio, half / ratio, MARK_RADIUS);
      brush.fill();
      this.#pictures.set(mark, picture);
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [Math.round((points[i] as number) * ratio), Math.round((points[i + 1] as number) * ratio)];
      context.drawImage(picture, x - half, y - half);
    }
    context.restore();
  }
}

/** Gives a canvas the size of its box in pixels of the screen; returns its context in CSS pixels, cleared. */
export function prepared(canvas: HTMLCanvasElement): {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
} {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}
