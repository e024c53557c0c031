// Quantities with units: `0.1mm`, `2s`, `24fps`, `90deg`, and their text in messages.

import { usage } from './failure.ts';

/** The units of each kind as factors to its base unit; the base unit is the first. */
const UNITS = {
  /** Metres. */
  length: { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, µm: 1e-6, km: 1e3, in: 0.0254, ft: 0.3048 },
  /** Seconds. */
  time: { s: 1, ms: 1e-3, min: 60 },
  /** Frames a second. */
  rate: { fps: 1, hz: 1 },
  /** Degrees. */
  angle: { deg: 1, '°': 1, rad: 180 / Math.PI, turn: 360 },
  /** Pixels, or a number of things. */
  count: { px: 1 },
  /** A factor. */
  factor: { x: 1, '%': 0.01 },
} as const satisfies Record<string, Record<string, number>>;

export type Kind = keyof typeof UNITS;

export interface Range {
  readonly least?: number;
  readonly most?: number;
  /** `true` if `least` itself is not allowed. */
  readonly above?: boolean;
  readonly whole?: boolean;
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\D*)$/i;

/**
 * The value of a quantity in the base unit of its kind: metres, seconds, frames a second, degrees. A number without a unit is in the
 * base unit.
 *
 * @param name the option, for messages
 */
export function quantity(text: string, kind: Kind, name: string, range: Range = {}): number {
  const units: Readonly<Record<string, number>> = UNITS[kind];
  const [, digits = '', unit = ''] = NUMBER.exec(text.trim()) ?? [];
  const factor = unit === '' ? 1 : units[unit.toLowerCase()];
  const value = Number(digits) * (factor ?? Number.NaN);
  const known = Object.keys(units).filter((one) => one !== 'µm');
  if (digits === '' || factor === undefined || !Number.isFinite(value))
    throw usage(`${name} must be a number, with or without one of the units ${known.join(', ')}; not “${text}”.`);
  const { least = -Infinity, most = Infinity, above = false, whole = false } = range;
  const base = known[0] ?? '';
  if (value < least || (above && value === least))
    throw usage(`${name} must be ${above ? 'above' : 'at least'} ${least} ${base}, not ${text}.`);
  if (value > most) throw usage(`${name} must be at most ${most} ${base}, not ${text}.`);
  if (whole && !Number.isInteger(value)) throw usage(`${name} must be a whole number, not ${text}.`);
  return value;
}

const digits = (value: number): string => Number(value.toPrecision(3)).toString();

/** A length for people: `0.12 mm`, `3.5 cm`, `1.8 m`. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return '0 mm';
  if (size < 1e-5) return `${digits(metres * 1e6)} µm`;
  if (size < 1e-2) return `${digits(metres * 1e3)} mm`;
  return size < 1 ? `${digits(metres * 1e2)} cm` : `${digits(metres)} m`;
}

/** A number of bytes for people: `512 B`, `34.5 kB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${digits(bytes / 1e3)} kB` : `${digits(bytes / 1e6)} MB`;
}

/** A time for people: `250 ms`, `2.5 s`. */
export function timeText(seconds: number): string {
  return Math.abs(seconds) < 1 && seconds !== 0 ? `${digits(seconds * 1e3)} ms` : `${digits(seconds)} s`;
}
