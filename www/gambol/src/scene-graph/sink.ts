// The values of a material of the scene graph: read from the viewer, and written to it.

import type { MaterialValues, ShownMaterial } from '../values/materials.ts';

export interface Sink {
  /** The values as they are shown. */
  read(): ShownMaterial;
  /** Changes values. A failure, such as an image that is missing, is a warning. */
  write(values: MaterialValues): void;
  /** The model of the material, and the index of the material in its file. */
  readonly model: object;
  readonly material: number;
  /** An image of the file; null without one. */
  image(index: number | null): FileImage | null;
  /** Sends a `warning`. */
  warn(error: unknown): void;
}

/** An image of a file. */
export interface FileImage {
  readonly name: string;
  /** The encoded image. */
  blob(): Promise<Blob>;
}

/** Values with numbers in place of their texts: pages pass the values of their sliders. */
export function withNumbers(values: MaterialValues): MaterialValues {
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const isText = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    return [name, isText ? Number(value) : value] as const;
  });
  return Object.fromEntries(entries) as MaterialValues;
}
