// The ground of feet as a surface that receives shadows: points of the page's function on a grid.

/** The number of points along each edge; as `UnevenGround::SIDE` of the core. */
const SIDE = 65;
const CELLS = SIDE - 1;
/** The free cells at each edge of a new grid, so that a model that walks does not need a new one in each frame. */
const MARGIN = 6;
/** A step is steeper than this, as rise over run of a cell. Its edge is searched, so that it is sharp. */
const STEEP = 1;
/** The number of bisections of the search. */
const BISECTIONS = 7;

type Reach = readonly [x0: number, z0: number, x1: number, z1: number, low: number, high: number];

/** Samples a ground where shadows may fall, again when they leave the grid or the heights change. */
export class ShadowGround {
  readonly #height: (x: number, z: number) => number;
  /** The grid: its corner and the size of a cell. */
  #corner: readonly [x: number, z: number] = [0, 0];
  #cell = 0;
  /** The heights that count: others are holes, because they would take the precision of the shadow map. */
  #range: readonly [low: number, high: number] = [0, 0];
  readonly #heights = new Float32Array(SIDE * SIDE);
  /** The row that is compared next. */
  #row = 0;

  /** `height` returns NaN where there is no ground. */
  constructor(height: (x: number, z: number) => number) {
    this.#height = height;
  }

  /** X, Y and Z of the grid's points if they have changed; `reach` is that of the core's `shadowReach`. */
  update(reach: ArrayLike<number>): Float32Array | undefined {
    const [x0, z0, x1, z1, low, high] = Array.from(reach) as unknown as Reach;
    const size = Math.max(x1 - x0, z1 - z0);
    // There are no shadows, or nothing casts them.
    if (!(size > 0) || !Number.isFinite(size)) return undefined;
    if (this.#covers(x0, z0, x1, z1) && this.#cell < (3 * size) / CELLS && !this.#hasChanged()) return undefined;
    this.#range = [low - 2 * size, high + 2 * size];
    // Steps of a quarter of an octave, and a corner that is a multiple of a cell, so that the points of the ground stay in place.
    this.#cell = 2 ** (Math.ceil(4 * Math.log2(size / (CELLS - 2 * MARGIN))) / 4);
    const begin = (from: number, to: number): number =>
      this.#cell * Math.round((from + to) / (2 * this.#cell) - CELLS / 2);
    this.#corner = [begin(x0, x1), begin(z0, z1)];
    for (let row = 0; row < SIDE; row++) this.#sample(row);
    return this.#points();
  }

  #covers(x0: number, z0: number, x1: number, z1: number): boolean {
    const [x, z] = this.#corner;
    const edge = this.#cell * CELLS;
    return x0 >= x && z0 >= z && x1 <= x + edge && z1 <= z + edge;
  }

  /** Compares another row in each frame, so that a ground that moves is sampled again soon. */
  #hasChanged(): boolean {
    const hasChanged = this.#sample(this.#row);
    this.#row = (this.#row + 1) % SIDE;
    return hasChanged;
  }

  /** Returns `true` if a height is another one than before. */
  #sample(row: number): boolean {
    let hasChanged = false;
    for (let column = 0; column < SIDE; column++) {
      const height = Math.fround(this.#at(...this.#place(column, row)));
      hasChanged ||= !Object.is(height, this.#heights[row * SIDE + column]);
      this.#heights[row * SIDE + column] = height;
    }
    return hasChanged;
  }

  #place(column: number, row: number): [x: number, z: number] {
    return [this.#corner[0] + column * this.#cell, this.#corner[1] + row * this.#cell];
  }

  /** The height at a place; NaN for none. */
  #at(x: number, z: number): number {
    try {
      const height = this.#height(x, z);
      return height >= this.#range[0] && height <= this.#range[1] ? height : NaN;
    } catch {
      // A function may not know places that are far from the feet.
      return NaN;
    }
  }

  #points(): Float32Array {
    const points = new Float32Array(3 * SIDE * SIDE);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const [x, z] = this.#place(i % SIDE, Math.floor(i / SIDE));
      points.set([x, this.#heights[i] ?? NaN, z], 3 * i);
    }
    for (let i = 0; i < SIDE * SIDE; i++) {
      if (i % SIDE < CELLS) this.#sharpen(points, i, i + 1, 0);
      if (i < SIDE * CELLS) this.#sharpen(points, i, i + SIDE, 2);
    }
    return points;
  }

  /** Moves both ends of an edge of the grid along an axis to the step between them, and takes the heights there. */
  #sharpen(points: Float32Array, from: number, to: number, axis: 0 | 2): void {
    const [a, b] = [this.#heights[from] ?? NaN, this.#heights[to] ?? NaN];
    if (!(Math.abs(a - b) > STEEP * this.#cell)) return;
    const [x = 0, , z = 0] = points.subarray(3 * from, 3 * from + 3);
    const begin = points[3 * from + axis] ?? 0;
    let [low, high] = [begin, points[3 * to + axis] ?? 0];
    let [below, above] = [a, b];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      const height = axis === 0 ? this.#at(middle, z) : this.#at(x, middle);
      if (Math.abs(height - a) < Math.abs(height - b)) [low, below] = [middle, height];
      else if (Math.abs(height - b) <= Math.abs(height - a)) [high, above] = [middle, height];
      else return;
    }
    // A slope that is only steep has no edge.
    if (!(Math.abs(above - below) > Math.abs(a - b) / 2)) return;
    points[3 * from + axis] = low;
    points[3 * from + 1] = below;
    points[3 * to + axis] = high;
    points[3 * to + 1] = above;
  }
}
