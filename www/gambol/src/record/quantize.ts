// Palettes of 256 colours with the least squared error, for GIF: the colours of a frame are split along their widest axis, and the
// palette is improved by Lloyd's algorithm (k-means).

/** A frame in colours of a palette. */
export interface Indexed {
  readonly palette: [red: number, green: number, blue: number][];
  /** The index of the colour of each pixel. */
  readonly indices: Uint8Array;
}

/** The steps of Lloyd's algorithm; later ones change the error by less than a hundredth. */
const STEPS = 6;

/** Distinct colours: their components and counts. */
interface Colors {
  readonly count: number;
  readonly components: readonly [Float32Array, Float32Array, Float32Array];
  readonly weights: Float32Array;
}

/** A box of colours: a range of `order`, and the split that reduces its error. */
interface Cluster {
  readonly begin: number;
  readonly end: number;
  readonly error: number;
  readonly axis: number;
  readonly middle: number;
}

/** Chooses a palette of at most `most` colours for the pixels for which `isUsed` holds; others have index 0. */
export function quantize(rgba: Uint8Array, most: number, isUsed: (alpha: number) => boolean): Indexed {
  const pixels = rgba.length / 4;
  // The number of each distinct colour, by its 24 bits.
  const known = new Map<number, number>();
  const of = new Uint32Array(pixels);
  const weights: number[] = [];
  let before = -1;
  let number = 0;
  for (let i = 0, at = 0; i < pixels; i++, at += 4) {
    if (!isUsed(rgba[at + 3] as number)) continue;
    const color = ((rgba[at] as number) << 16) | ((rgba[at + 1] as number) << 8) | (rgba[at + 2] as number);
    if (color !== before) {
      before = color;
      number = known.get(color) ?? -1;
      if (number < 0) {
        number = weights.push(0) - 1;
        known.set(color, number);
      }
    }
    of[i] = number;
    weights[number] = (weights[number] as number) + 1;
  }
  const all = [...known.keys()];
  if (all.length <= most) {
    const palette = all.map((color): [number, number, number] => [color >> 16, (color >> 8) & 255, color & 255]);
    return { palette, indices: Uint8Array.from(of) };
  }
  const colors: Colors = {
    count: all.length,
    components: [16, 8, 0].map((shift) => Float32Array.from(all, (color) => (color >> shift) & 255)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ],
    weights: Float32Array.from(weights),
  };
  const { centers, nearest } = improved(colors, split(colors, most));
  const rounded = (center: number | undefined): number => Math.round(center as number);
  return {
    palette: centers[0].map((_, i) => [rounded(centers[0][i]), rounded(centers[1][i]), rounded(centers[2][i])]),
    indices: Uint8Array.from(of, (color) => nearest[color] as number),
  };
}

type Centers = readonly [number[], number[], number[]];

/** Splits the box with the largest error until there are `most`; returns the means of the boxes. */
function split(colors: Colors, most: number): Centers {
  const order = Uint32Array.from({ length: colors.count }, (_, i) => i);
  const clusters = [clusterOf(colors, order, 0, colors.count)];
  while (clusters.length < most) {
    let worst = 0;
    clusters.forEach(({ error }, i) => {
      if (error > (clusters[worst] as Cluster).error) worst = i;
    });
    const { begin, end, error, axis, middle } = clusters[worst] as Cluster;
    if (error <= 0) break;
    const values = colors.components[axis] as Float32Array;
    // The colours up to the mean come first.
    let border = begin;
    for (let i = begin; i < end; i++) {
      const color = order[i] as number;
      if ((values[color] as number) > middle) continue;
      order[i] = order[border] as number;
      order[border++] = color;
    }
    clusters[worst] = clusterOf(colors, order, begin, border);
    clusters.push(clusterOf(colors, order, border, end));
  }
  const centers = clusters.map(({ begin, end }) => meanOf(colors, order, begin, end));
  return [0, 1, 2].map((axis) => centers.map((center) => center[axis] as number)) as unknown as Centers;
}

function meanOf({ components, weights }: Colors, order: Uint32Array, begin: number, end: number): number[] {
  const sums = [0, 0, 0];
  let total = 0;
  for (let i = begin; i < end; i++) {
    const color = order[i] as number;
    const weight = weights[color] as number;
    total += weight;
    for (let axis = 0; axis < 3; axis++)
      sums[axis] = (sums[axis] as number) + weight * ((components[axis] as Float32Array)[color] as number);
  }
  return sums.map((sum) => sum / total);
}

function clusterOf(colors: Colors, order: Uint32Array, begin: number, end: number): Cluster {
  const means = meanOf(colors, order, begin, end);
  const errors = [0, 0, 0];
  for (let i = begin; i < end; i++) {
    const color = order[i] as number;
    for (let axis = 0; axis < 3; axis++) {
      const away = ((colors.components[axis] as Float32Array)[color] as number) - (means[axis] as number);
      errors[axis] = (errors[axis] as number) + (colors.weights[color] as number) * away * away;
    }
  }
  const axis = errors.indexOf(Math.max(...errors));
  // A box of one colour has no error, except by rounding.
  return { begin, end, error: end - begin > 1 ? (errors[axis] as number) : 0, axis, middle: means[axis] as number };
}

/** Lloyd's algorithm: each colour joins the nearest centre, and each centre moves to the mean of its colours. */
function improved(
  { count, components: [reds, greens, blues], weights }: Colors,
  start: Centers,
): { readonly centers: Centers; readonly nearest: Uint8Array } {
  const size = start[0].length;
  // Sorted by green, so that centres that are too far in green alone need no comparison.
  const byGreen = start[0].map((_, i) => i).sort((a, b) => (start[1][a] as number) - (start[1][b] as number));
  let centers = start.map((axis) => byGreen.map((i) => axis[i] as number)) as unknown as Centers;
  const nearest = new Uint8Array(count);
  for (let step = 0; ; step++) {
    const [cr, cg, cb] = centers.map((axis) => Float32Array.from(axis)) as [Float32Array, Float32Array, Float32Array];
    const sums = new Float64Array(4 * size);
    for (let color = 0; color < count; color++) {
      const [red, green, blue] = [reds[color] as number, greens[color] as number, blues[color] as number];
      let best = nearest[color] as number;
      let least = squares(red - (cr[best] as number), green - (cg[best] as number), blue - (cb[best] as number));
      for (let i = 0; i < size; i++) {
        const away = green - (cg[i] as number);
        if (away * away >= least) continue;
        const distance = squares(red - (cr[i] as number), away, blue - (cb[i] as number));
        if (distance >= least) continue;
        least = distance;
        best = i;
      }
      nearest[color] = best;
      const weight = weights[color] as number;
      sums[4 * best] = (sums[4 * best] as number) + weight * red;
      sums[4 * best + 1] = (sums[4 * best + 1] as number) + weight * green;
      sums[4 * best + 2] = (sums[4 * best + 2] as number) + weight * blue;
      sums[4 * best + 3] = (sums[4 * best + 3] as number) + weight;
    }
    // The last step only assigns colours, so that they fit the palette.
    if (step === STEPS) return { centers, nearest };
    const isLast = step === STEPS - 1;
    centers = centers.map((axis, at) =>
      axis.map((center, i) => {
        const weight = sums[4 * i + 3] as number;
        const mean = weight > 0 ? (sums[4 * i + at] as number) / weight : center;
        return isLast ? Math.round(mean) : mean;
      }),
    ) as unknown as Centers;
  }
}

function squares(a: number, b: number, c: number): number {
  return a * a + b * b + c * c;
}
