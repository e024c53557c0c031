// Images as linear light of sRGB.

import { linearFromSrgb } from '../values/color.ts';

/** An image as linear light. */
export interface Light {
  readonly width: number;
  readonly height: number;
  /** Writes the light of `rows` rows from the row `top`: linear red, green and blue of sRGB. */
  read(top: number, rows: number, into: Float32Array): void;
  free(): void;
}

/** The linear light of each value of 8 bits. */
export const LINEAR: Float32Array = Float32Array.from({ length: 256 }, (_, i) => linearFromSrgb(i / 255));
