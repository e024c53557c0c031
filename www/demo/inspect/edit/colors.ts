// Colours of materials as fields of the page have them.

/** Linear numbers as `#rrggbb`. */
export function hexOf(linear: readonly number[]): string {
  const parts = [0, 1, 2].map((i) => {
    const value = Math.min(Math.max(linear[i] ?? 0, 0), 1);
    const encoded = value <= 0.003_130_8 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

/** The linear numbers of `#rrggbb`. */
export function linearOf(hex: string): [red: number, green: number, blue: number] {
  const part = (i: number): number => {
    const value = Number.parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(0), part(1), part(2)];
}
