// Images as linear light of sRGB.

/** An image as linear light. */
export interface Light {
  readonly width: number;
  readonly height: number;
  /** Writes the light of `rows` rows from the row `top`: linear red, green and blue of sRGB. */
  read(top: number, rows: number, into: Float32Array): void;
  free(): void;
}

/** The linear light of each value of 8 bits. Specification: IEC 61966-2-1. */
export const LINEAR: Float32Array = Float32Array.from({ length: 256 }, (_, i) => {
  const value = i / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
