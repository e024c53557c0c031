// Calls of the core as plain data.

import type { Viewer } from '../api/viewer.ts';
import type { SessionValue } from './session-data.ts';

/** The numbers of all actors and crowds on stage, in the order in which they entered it. */
export function actorsOf({ engine }: Viewer): readonly number[] {
  return [...engine.host.cast()].map(([actor]) => actor).sort((a, b) => a - b);
}

const LISTS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array } as const;

/** A number, or its name if JSON has no such number. */
const numberData = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** An argument as plain data; undefined for an object of the module. */
export function toData(value: unknown): SessionValue | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { list: 'number', values: [String(value)] };
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return { list: 'text', values: [...value] };
  if (value instanceof Float32Array) return { list: 'f32', values: Array.from(value, numberData) };
  if (value instanceof Float64Array) return { list: 'f64', values: Array.from(value, numberData) };
  if (value instanceof Uint32Array) return { list: 'u32', values: [...value] };
  if (Array.isArray(value)) {
    const values = value.map(toData);
    return values.includes(undefined) ? undefined : { list: 'values', values: values as SessionValue[] };
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const fields = Object.entries(value).map(([name, field]) => [name, toData(field)] as const);
  if (fields.some(([, field]) => field === undefined)) return undefined;
  return { fields: Object.fromEntries(fields) as Record<string, SessionValue> };
}

/** The argument of plain data. */
export function fromData(value: SessionValue): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if ('fields' in value)
    return Object.fromEntries(Object.entries(value.fields).map(([name, field]) => [name, fromData(field)]));
  if (value.list === 'values') return value.values.map(fromData);
  const { list, values } = value;
  if (list === 'text') return [...values];
  if (list === 'number') return Number(values[0]);
  return LISTS[list].from(values.map(Number));
}
