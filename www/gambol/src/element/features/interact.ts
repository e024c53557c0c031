// Simulated fingers: `interact()` demonstrates the camera controls. A script that is loaded lazily, by elements with
// `camera-controls`.

import { GambolError } from '../../base/errors.ts';
import type { Viewer } from '../../api/viewer.ts';
import { nextFrame } from '../../base/window.ts';
import { elementsOf } from '../../base/elements.ts';
import { shown } from '../../base/shown.ts';
import { checkedFunction, checkedOptions } from '../../values/options.ts';

// With `loadAsset`, this script needs the same files as the entries, so bundling puts these into one script.
export { loadAsset } from '../../api/asset.ts';

/**
 * The animation of one coordinate of a finger, in fractions of the element's width or height.
 * @category Options and results of the element
 */
export interface FingerPath {
  /** The coordinate at the start. */
  readonly initialValue: number;
  /** The keyframes, which the finger reaches one after the other. */
  readonly keyframes: readonly {
    /** The coordinate at this keyframe. */
    readonly value: number;
    /** The time from the keyframe before to this one, at least 0, relative to the sum of all `frames`. */
    readonly frames: number;
    /** The easing on the way to this keyframe, from a fraction of the time to one of the way. Default: smoothstep. */
    readonly ease?: (part: number) => number;
  }[];
}

/** A simulated finger of {@link GambolViewer.interact}. @category Options and results of the element */
export interface Finger {
  /** The path from left (0) to right (1). */
  readonly x: FingerPath;
  /** The path from top (0) to bottom (1). */
  readonly y: FingerPath;
}

export type InteractionSource = 'user-interaction' | 'automatic' | 'none';

/** Moves the camera by one or two fingers for a while. */
export class Interaction {
  readonly #viewer: Viewer;
  readonly #fingers: readonly Finger[];
  readonly #dots: readonly HTMLElement[];
  readonly #ended: (source: InteractionSource) => void;
  readonly #milliseconds: number;
  #begun = performance.now();
  #cancel: () => void;

  /**
   * - `milliseconds`: the duration.
   * - `dots`: elements that are moved to the positions of the fingers.
   * - `ended`: called once, with the cause; `automatic` is the end of the duration.
   */
  constructor(
    viewer: Viewer,
    milliseconds: number,
    fingers: readonly Finger[],
    dots: readonly HTMLElement[],
    ended: (source: InteractionSource) => void,
  ) {
    this.#fingers = fingers.map(checkedFinger);
    if (!(typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds < Infinity))
      throw new GambolError(
        'argument/invalid',
        `duration of interact() must be a number of milliseconds of at least 0, not ${shown(milliseconds)}.`,
      );
    this.#viewer = viewer;
    this.#milliseconds = milliseconds;
    this.#dots = dots;
    this.#ended = ended;
    this.#each(0, (id, x, y, dot) => {
      viewer.cameraInput.controls?.press(id, x, y);
      dot?.classList.add('touches');
    });
    this.#cancel = nextFrame(viewer.canvas, (now) => this.#move(now));
  }

  /** Releases the fingers and ends the interaction. */
  stop(source: InteractionSource): void {
    this.#cancel();
    this.#each(0, (id, _x, _y, dot) => {
      this.#viewer.cameraInput.controls?.release(id);
      dot?.classList.remove('touches');
    });
    this.#ended(source);
  }

  #move(now: number): void {
    const part = this.#milliseconds > 0 ? Math.min(1, Math.max(0, now - this.#begun) / this.#milliseconds) : 1;
    this.#each(part, (id, x, y) => this.#viewer.cameraInput.controls?.drag(id, x, y, 'automatic'));
    if (part === 1) this.stop('automatic');
    else this.#cancel = nextFrame(this.#viewer.canvas, (next) => this.#move(next));
  }

  /**
   * Calls `action` for each finger, with its pointer id, its position in CSS pixels of the canvas, and its dot, which is moved there.
   */
  #each(part: number, action: (id: number, x: number, y: number, dot: HTMLElement | undefined) => void): void {
    const { clientWidth: width, clientHeight: height } = this.#viewer.canvas;
    for (const [i, { x, y }] of this.#fingers.entries()) {
      const [right, down] = [width * valueAt(x, part), height * valueAt(y, part)];
      const dot = this.#dots[i];
      if (dot) dot.style.translate = `${right}px ${down}px`;
      // Negative ids do not collide with those of real pointers.
      action(-1 - i, right, down, dot);
    }
  }
}

function checkedFinger(finger: Finger): Finger {
  checkedOptions(finger, ['x', 'y'], 'A finger of interact()');
  return { x: checkedPath(finger.x), y: checkedPath(finger.y) };
}

function checkedPath(path: FingerPath): FingerPath {
  checkedOptions(path, ['initialValue', 'keyframes'], 'x or y of a finger');
  const { initialValue } = path;
  const keyframes = elementsOf(path.keyframes) as FingerPath['keyframes'] | undefined;
  keyframes?.forEach((each) => {
    checkedOptions(each, ['value', 'frames', 'ease'], 'A keyframe of a finger');
  });
  const numbers = [initialValue, ...(keyframes ?? []).flatMap(({ value, frames }) => [value, frames])];
  if (!keyframes || !numbers.every(Number.isFinite) || keyframes.some(({ frames }) => frames < 0))
    throw new GambolError(
      'argument/invalid',
      'x and y of a finger must have a finite initialValue, and keyframes with a finite value and frames of at least 0.',
    );
  for (const { ease } of keyframes) checkedFunction(ease, 'ease');
  return { initialValue, keyframes };
}

/** The value of a path at a fraction of its duration, `0..=1`. */
function valueAt({ initialValue, keyframes }: FingerPath, part: number): number {
  const frames = keyframes.reduce((sum, each) => sum + each.frames, 0);
  let [from, left] = [initialValue, part * frames];
  for (const { value, frames: length, ease = smooth } of keyframes) {
    if (left < length) return from + (value - from) * ease(left / length);
    [from, left] = [value, left - length];
  }
  return from;
}

/** The default easing: smoothstep. */
function smooth(part: number): number {
  return part * part * (3 - 2 * part);
}
