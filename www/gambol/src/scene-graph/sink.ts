// The values of a material of the scene graph: read from the viewer, and written to it.

import type { MaterialValues, ShownMaterial } from '../values/materials.ts';

export interface Sink {
  /** The values as they are shown. */
  read(): ShownMaterial;
  /** Changes values. A failure, such as an image that is missing, is a warning. */
  write(values: MaterialValues): void;
  /** The name of an image of the file; empty without one. */
  imageName(index: number | null): string;
}
