// The API of test cases. It runs in the page, the same in every browser.
//
//   import { test } from '../page/api.ts';
//   test('a clip plays', async (t) => { t.equal(1 + 1, 2); });

import { beside, compare, type Comparison, type Tolerance } from './pixels.ts';

const query = new URLSearchParams(location.search);
const blessing = query.has('bless');

export type Browser = 'chromium' | 'firefox' | 'webkit';

/** The name of this browser. */
export const browser = query.get('browser') as Browser;

/** `true` if tests with a long form use it: `cargo xtask test --all`. */
export const long = query.has('long');

export interface TestOptions {
  /** Milliseconds after which the test fails; by default 60,000. */
  timeout?: number;
  /**
   * The reason for which the test is known to fail, everywhere or by browser. Such a test counts as passed while it
   * fails, and as failed as soon as it passes, so that the mark is removed.
   */
  fails?: string | Partial<Record<Browser, string>>;
  /** The reason for a separate page, in which no other case runs. */
  fresh?: string;
  /** `true` for a test that takes long, and runs only with `cargo xtask test --all`; or the browsers in which that is so. */
  all?: boolean | readonly Browser[];
}

export interface TestCase {
  name: string;
  body: (t: T) => void | Promise<void>;
  timeout: number;
  fails: string | undefined;
  fresh: boolean;
}

/** The cases of the file that this page has loaded. */
export const cases: TestCase[] = [];

let reasonForAll: string | undefined;
let onlyWithAll: NonNullable<TestOptions['all']> = false;

/** The browsers beside Chromium. A test that takes long and depends little on the browser runs there only with `--all`. */
export const OTHERS: readonly Browser[] = ['firefox', 'webkit'];

/** Sets {@link TestOptions.all} for each test that is declared later without it. */
export function longTests(all: NonNullable<TestOptions['all']> = true): void {
  onlyWithAll = all;
}

/** Runs each test that is declared later in a separate page, for the given reason. */
export function freshPages(reason: string): void {
  reasonForAll = reason;
}

/**
 * Declares a test. The tests of a file run in one page, one after the other; `clear` in `boot.ts` cleans up after each.
 */
export function test(name: string, body: (t: T) => void | Promise<void>, options: TestOptions = {}): void {
  const { fails, fresh = reasonForAll, all = onlyWithAll, timeout = 60_000 } = options;
  if (!long && (typeof all === 'boolean' ? all : all.includes(browser))) return;
  cases.push({
    name,
    body,
    timeout,
    fails: typeof fails === 'object' ? fails[browser] : fails,
    fresh: fresh !== undefined,
  });
}

export class Failure extends Error {}
export class Skip extends Error {}

declare global {
  interface Window {
    /** Errors that fail a test: console.error, uncaught exceptions, rejections. */
    gambolTrouble: string[];
    /** Other messages on the console since the page was opened. */
    gambolMessages: string[];
  }
}

/** The assertions, and requests to the runner outside the page. */
export class T {
  readonly #expected: RegExp[] = [];
  readonly #after: (() => void)[] = [];
  constructor(readonly name: string) {}

  ok(value: unknown, message = 'should be truthy'): void {
    if (!value) throw new Failure(`${message}: ${show(value)}`);
  }

  /** Returns the value if it is neither null nor undefined: `const gl = t.some(canvas.getContext('webgl2'))`. */
  some<V>(value: V, message = 'should be there'): NonNullable<V> {
    if (value === null || value === undefined) throw new Failure(`${message}: ${show(value)}`);
    return value;
  }

  /** Checks deep equality; NaN equals NaN. */
  equal(actual: unknown, expected: unknown, message = 'not equal'): void {
    if (!same(actual, expected)) throw new Failure(`${message}: ${show(actual)}, expected ${show(expected)}`);
  }

  /** Checks that numbers, or lists of numbers, are at most `tolerance` apart. */
  close(
    actual: number | ArrayLike<number>,
    expected: number | ArrayLike<number>,
    tolerance = 1e-6,
    message = 'not close',
  ): void {
    const [a, b] = [list(actual), list(expected)];
    const far = a.findIndex((value, i) => !(Math.abs(value - (b[i] ?? NaN)) <= tolerance));
    if (a.length !== b.length || far >= 0) {
      throw new Failure(`${message} (±${tolerance}, at ${far}): ${show(a)}, expected ${show(b)}`);
    }
  }

  /** Checks that `body` throws or rejects; returns the error. `pattern` must match its `code` or its message. */
  async throws(body: () => unknown, pattern?: RegExp | string): Promise<unknown> {
    let thrown: unknown;
    try {
      await body();
    } catch (error) {
      thrown = error;
      const { code, message } = Object(error) as { code?: unknown; message?: unknown };
      const texts = [code, message ?? error].map(String);
      const fits = texts.some((text) =>
        typeof pattern === 'string' ? text === pattern : (pattern?.test(text) ?? true),
      );
      if (!fits) throw new Failure(`threw ${texts.join(': ')}, expected ${String(pattern)}`);
      return thrown;
    }
    throw new Failure(`did not throw${pattern === undefined ? '' : ` ${String(pattern)}`}`);
  }

  fail(message: string): never {
    throw new Failure(message);
  }

  /** Ends the test as skipped, for features that a browser lacks, never for failures. */
  skip(reason: string): never {
    throw new Skip(reason);
  }

  /** Allows uncaught errors and errors on the console that match. */
  expectTrouble(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  trouble(): string[] {
    return window.gambolTrouble.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }

  /** Calls `undo` at the end of the test. */
  after(undo: () => void): void {
    this.#after.push(undo);
  }

  /** Calls the functions that `after` received, the last first. */
  undo(): void {
    for (let undo = this.#after.pop(); undo; undo = this.#after.pop()) undo();
  }

  /** Waits for the next animation frame, or for several. */
  async frames(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** Waits until the condition holds, or its promise becomes true. The limit ends tests that hang: software renderers of busy machines take long. */
  async until(condition: () => unknown, message = 'condition'): Promise<void> {
    const started = performance.now();
    while (!(await condition())) {
      if (performance.now() - started > 45_000) throw new Failure(`waited in vain for: ${message}`);
      await this.sleep(10);
    }
  }

  /** A canvas on the page, `width` × `height` in CSS pixels and in its own pixels. */
  canvas(width = 256, height = 256): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    canvas.style.cssText = `display: block; width: ${width}px; height: ${height}px`;
    document.body.append(canvas);
    return canvas;
  }

  /**
   * Opens another page of the server in a frame and waits for its load: `/` is the front page, `/examples/…` the examples.
   */
  async page(url: string, width = 800, height = 600): Promise<Window & typeof globalThis> {
    const frame = document.createElement('iframe');
    // Fixed, since the test's own page may scroll if its window is smaller.
    frame.style.cssText = `position: fixed; top: 0; left: 0; border: 0; width: ${width}px; height: ${height}px`;
    frame.src = url;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    return this.some(frame.contentWindow) as Window & typeof globalThis;
  }

  /** The pixels of a canvas, rows from the top. Call it in the task that drew, or preserve the drawing buffer. */
  pixels(source: HTMLCanvasElement | OffscreenCanvas | ImageBitmap): ImageData {
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: source.width, height: source.height });
    const context = this.some(copy.getContext('2d', { willReadFrequently: true }), 'a 2D context');
    context.drawImage(source, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height);
  }

  /** Compares two pictures pixel by pixel; throws if they differ by more than the tolerance allows. */
  samePixels(actual: ImageData, expected: ImageData, tolerance: Tolerance = {}): Comparison {
    const result = compare(actual, expected, tolerance);
    if (!result.ok) throw new Failure(result.message);
    return result;
  }

  /**
   * Compares with `tests/golden/pictures/NAME.png`. For a difference it writes one picture, expected | difference |
   * actual, to `target/pictures`. With `GAMBOL_BLESS=1` (or `--bless`) the first browser's picture becomes the new
   * golden picture, with which the other browsers are compared. Look at it before you commit it.
   */
  async golden(name: string, actual: ImageData, tolerance: Tolerance = {}): Promise<void> {
    const url = `/__tests/golden/${name}.png`;
    if (blessing) {
      await this.#send(`golden?name=${encodeURIComponent(name)}`, await png(actual));
      return;
    }
    const response = await fetch(url);
    if (!response.ok)
      throw new Failure(
        `there is no golden picture ${name}.png: what is drawn is in ${await this.#keep(name, actual)}`,
      );
    const expected = this.pixels(await createImageBitmap(await response.blob(), { colorSpaceConversion: 'none' }));
    const result = compare(actual, expected, tolerance);
    if (result.ok) return;
    const kept = await this.#keep(name, result.diff ? beside(expected, result.diff, actual) : beside(expected, actual));
    throw new Failure(`differs from the golden picture ${name}.png: ${result.message}; see ${kept}`);
  }

  /** Writes a picture to target/pictures and returns its path. */
  async #keep(name: string, picture: ImageData): Promise<string> {
    return (await this.#send(`picture?name=${encodeURIComponent(name)}`, await png(picture))).text();
  }

  /** Writes a file to tests/output, with the browser in its name. */
  async save(name: string, content: ImageData | Blob | string): Promise<void> {
    await this.#send(
      `file?name=${encodeURIComponent(name)}`,
      content instanceof ImageData ? await png(content) : content,
    );
  }

  /** A screenshot of the window; with a name it is also written to tests/output. */
  async screenshot(name?: string): Promise<ImageData> {
    const response = await this.#send(`screenshot${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`);
    return this.pixels(await createImageBitmap(await response.blob()));
  }

  /** Real input and window changes, by the browser's driver. */
  async act(...actions: Action[]): Promise<void> {
    await this.#send('act', JSON.stringify(actions));
  }

  /** The server answers the next `times` requests whose path contains `part` with 503, until the end of the test. */
  async refuse(part: string, times = 1): Promise<void> {
    await this.#send(`refuse?part=${encodeURIComponent(part)}&times=${times}`);
  }

  /** The requests of this page to the server so far, in order. */
  async requests(): Promise<{ method: string; path: string; status: number }[]> {
    return (await this.#send('requests')).json() as Promise<{ method: string; path: string; status: number }[]>;
  }

  async #send(what: string, body: BodyInit = ''): Promise<Response> {
    const response = await send(what, body);
    if (!response.ok) throw new Failure(`the runner says: ${await response.text()}`);
    return response;
  }
}

/** Keys are values of `KeyboardEvent.key`; positions are CSS pixels from the window's top left. */
export type Action =
  | { type: 'key'; key: string }
  | { type: 'move'; x: number; y: number }
  | { type: 'down' }
  | { type: 'up' }
  | { type: 'wheel'; x: number; y: number; deltaY: number }
  /** Only Chromium's driver supports these two; they do not apply to the next page. */
  | { type: 'force-colors'; on: boolean }
  | { type: 'reduce-motion'; on: boolean }
  | { type: 'resize'; width: number; height: number };

export function send(what: string, body: BodyInit): Promise<Response> {
  const url = new URL(`/__runner/${what}`, location.href);
  url.searchParams.set('run', query.get('run') ?? '');
  return fetch(url, { method: 'POST', body });
}

async function png(image: ImageData): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Failure('cannot write a PNG')))),
  );
}

function list(value: number | ArrayLike<number>): number[] {
  return typeof value === 'number' ? [value] : Array.from(value);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null || value instanceof Error) return String(value);
  const text = JSON.stringify(ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
