// Seeded random values for calls of the package: valid ones and invalid ones.

/** The error that getters and iterators of invalid values throw; the call throws it too, or wraps it. */
export class Thrown extends Error {
  override readonly name = 'Thrown';
}

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
  }

  /** `0 ≤ x < 1` (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }
}

/** Values for arguments. `odd` is the share of invalid ones. */
export class Values {
  constructor(
    readonly random: Random,
    readonly odd: number,
  ) {}

  /** A valid value, or, with probability `odd`, any value. */
  maybe<T>(good: () => T): T {
    return this.random.chance(this.odd) ? (this.anything() as T) : good();
  }

  number(from = -2, to = 2): number {
    return this.maybe(() => this.random.one([from + (to - from) * this.random.next(), from, to, 0, 1]));
  }

  index(end = 4): number {
    return this.maybe(() => this.random.below(end));
  }

  vector(length = 3, reach = 2): number[] {
    return this.maybe(() => Array.from({ length }, () => this.number(-reach, reach)));
  }

  rotation(): number[] {
    return this.maybe(() => [0, Math.sin(this.random.next()), 0, 1]);
  }

  /** A list of numbers, as an array or a typed array. */
  list(length: number, number: () => number = () => this.random.next()): ArrayLike<number> {
    return this.maybe<ArrayLike<number>>(() => {
      const numbers = Array.from({ length }, number);
      return this.random.one<() => ArrayLike<number>>([
        () => numbers,
        // A number may be a BigInt, which a typed array refuses.
        () => Float32Array.from(numbers, (one) => (typeof one === 'bigint' ? NaN : one)),
        () => Float64Array.from(numbers, (one) => (typeof one === 'bigint' ? NaN : one)),
        () => this.changing(numbers),
      ])();
    });
  }

  word(...words: string[]): string {
    return this.maybe(() => this.random.one(words));
  }

  /** A random subset of the options, each created by its function. */
  options(all: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    return this.maybe(() => {
      const chosen = Object.entries(all).filter(() => this.random.chance(0.4));
      return Object.fromEntries(chosen.map(([name, value]) => [name, value()]));
    });
  }

  /** A list whose length differs at each read. */
  changing(numbers: readonly number[]): number[] {
    let reads = 0;
    return new Proxy([...numbers], {
      get: (list, key, receiver) =>
        key === 'length'
          ? Math.max(0, numbers.length + (reads++ % 3) * 500 - (reads % 2))
          : (Reflect.get(list, key, receiver) as unknown),
    });
  }

  /** An object that resembles a string, with a length that grows at each read. */
  growing(): object {
    let length = 0;
    return {
      get length() {
        return (length += 70);
      },
      charCodeAt: () => 65,
      toString: () => 'Head',
    };
  }

  /** A value of any type; most are invalid for every function. */
  anything(): unknown {
    const throwing = {
      get: (): never => {
        throw new Thrown('a getter');
      },
    };
    const detached = (): Float32Array => {
      const list = new Float32Array(8);
      structuredClone(list.buffer, { transfer: [list.buffer] });
      return list;
    };
    return this.random.one<() => unknown>([
      () => undefined,
      () => null,
      () => NaN,
      () => Infinity,
      () => -1,
      () => 2 ** 32,
      () => 1e300,
      () => 0.5,
      () => true,
      () => '',
      () => 'no such name',
      () => '__proto__',
      () => Symbol('odd'),
      () => 10n,
      () => ({}),
      () => [],
      () => [NaN, 1, 2],
      () => ['1', '2', '3'],
      () => new Date(NaN),
      () => () => 1,
      () => new Proxy({}, throwing),
      () => new Proxy([1, 2, 3], throwing),
      () => ({ length: 3 }),
      () => ({
        [Symbol.iterator]: () => {
          throw new Thrown('an iterator');
        },
      }),
      () => ({
        valueOf: () => {
          throw new Thrown('valueOf');
        },
        toString: () => {
          throw new Thrown('toString');
        },
      }),
      () => Object.create(null) as unknown,
      detached,
      () => new Float32Array(3),
      () => new Uint8Array(5),
      () => this.changing([0, 1, 2, 3]),
      () => new ArrayBuffer(4),
      () => this.growing(),
      () => new String('Head'),
      () => document.body,
      () => window,
    ])();
  }
}
