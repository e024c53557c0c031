// Findings in words.

import type { Finding, FindingValue } from 'gambol/tools';
import { byteSize } from '../../app/format.ts';

/** A number with three significant digits and its unit. */
export function measured({ value, unit }: FindingValue): string {
  if (unit === 'B') return byteSize(value);
  const digits = Number.isInteger(value) ? value.toLocaleString() : String(Number(value.toPrecision(3)));
  return unit === '' ? digits : unit === '°' ? `${digits}°` : `${digits} ${unit}`;
}

/** The name of a number in words: `groundSpeed` → `ground speed`. */
export function named(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A code in words: `inspect/foot-slide` → `Foot slide`. */
export function titled(code: string): string {
  const [area = '', name = ''] = code.split('/');
  const words = area === 'khronos' ? name.toLowerCase().replaceAll('_', ' ') : name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The number that is written into the picture, such as the distance of a sliding foot; empty if there is none. */
export function inPicture({ values }: Finding): string {
  const main = ['distance', 'step', 'change', 'turn', 'longWay'].map((name) => values[name]).find(Boolean);
  return main ? measured(main) : '';
}
