// CSS colours as numbers.

import { GambolError } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';

/** Red, green, blue and alpha, each `0..=1`, sRGB. @category Pictures */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** The linear value of a component that is encoded as sRGB, both `0..=1`. Specification: IEC 61966-2-1. */
export function linearFromSrgb(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** A checked colour; `undefined` for null. @throws {@link GambolError} `argument/invalid` */
export function checkedRgba(value: Rgba | string | null): Rgba | undefined {
  if (value === null) return undefined;
  const parsed = typeof value === 'string' ? parseColor(value) : (elementsOf(value) as Rgba | undefined);
  if (!parsed)
    throw new GambolError(
      'argument/invalid',
      `${shown(value)} is not a CSS colour. Use, for example, “#f40”, “rgb(255 64 0 / 50%)” or “transparent”.`,
    );
  const [r, g, b, a, ...more] = parsed;
  if (more.length === 0 && [r, g, b, a].every((channel) => channel >= 0 && channel <= 1)) return [r, g, b, a];
  throw new GambolError(
    'argument/invalid',
    `background must be a CSS colour, four numbers from 0 to 1, or null, not ${shown(value)}.`,
  );
}

/** The components of a CSS colour; null if the text is not a colour. */
export function parseColor(text: string | null): Rgba | null {
  if (text === null || !CSS.supports('color', text)) return null;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.fillStyle = text;
  return parseSerialized(String(context.fillStyle)) ?? drawn(context);
}

/** Parses an sRGB colour in the form in which browsers serialise it: `#rrggbb`, or `rgba(r, g, b, a)`. */
function parseSerialized(text: string): Rgba | null {
  const [, hex] = /^#([\da-f]{6})$/.exec(text) ?? [];
  if (hex) {
    const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
    return [channel(0), channel(2), channel(4), 1];
  }
  const numbers = /^rgba\(([\d., e-]+)\)$/.exec(text)?.[1]?.split(',').map(Number) ?? [];
  const [r, g, b, a] = numbers;
  return r === undefined || g === undefined || b === undefined || a === undefined
    ? null
    : [r / 255, g / 255, b / 255, a];
}

/** The components of the context's fill colour with a precision of eight bits, by drawing a pixel. */
function drawn(context: CanvasRenderingContext2D): Rgba {
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255, a / 255];
}
