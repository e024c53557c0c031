// The time axis: the visible interval, and the ticks of the ruler.

/** The frame rates of the ruler. */
export const FRAME_RATES = [24, 25, 30, 60] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** The frame rate at whose frames the keys of a clip lie: a multiple of its rate; without one, the nearest. */
export function nearestRate(fps: number): FrameRate {
  const multiple = FRAME_RATES.find((rate) => rate % fps === 0);
  if (multiple !== undefined) return multiple;
  return FRAME_RATES.reduce((best, rate) => (Math.abs(rate - fps) < Math.abs(best - fps) ? rate : best));
}

/** Pixels between the edge and the first or last key of a fitted clip, so that its marks are not cut. */
const MARGIN = 14;
/** The shortest visible interval, in seconds. */
const SHORTEST = 0.02;

/** Maps times to pixels, for an area of some width. */
export class Axis {
  /** The first and the last visible time in seconds; null shows the whole clip. */
  visible: readonly [begin: number, end: number] | null = null;
  duration = 0;
  width = 1;

  get begin(): number {
    return this.visible?.[0] ?? -MARGIN * this.#fittedSeconds;
  }

  get secondsPerPixel(): number {
    return this.visible ? (this.visible[1] - this.visible[0]) / this.width : this.#fittedSeconds;
  }

  get end(): number {
    return this.begin + this.width * this.secondsPerPixel;
  }

  x(time: number): number {
    return (time - this.begin) / this.secondsPerPixel;
  }

  time(x: number): number {
    return this.begin + x * this.secondsPerPixel;
  }

  /** Zooms by a factor; the time at `x` stays there. */
  zoom(factor: number, x = this.width / 2): void {
    const fixed = this.time(x);
    const longest = 4 * Math.max(this.duration, 1);
    const length = Math.min(longest, Math.max(SHORTEST, (this.end - this.begin) / factor));
    const begin = fixed - (x / this.width) * length;
    this.#show(begin, begin + length);
  }

  pan(pixels: number): void {
    const shift = pixels * this.secondsPerPixel;
    this.#show(this.begin + shift, this.end + shift);
  }

  /** Pans as little as needed to show a time. */
  reveal(time: number): void {
    const [begin, end] = [this.begin, this.end];
    if (!this.visible || (time >= begin && time <= end)) return;
    const margin = 0.1 * (end - begin);
    this.pan((time < begin ? time - margin - begin : time + margin - end) / this.secondsPerPixel);
  }

  #show(begin: number, end: number): void {
    const length = end - begin;
    // At least one edge of the clip, or a part of it, stays in view.
    const first = Math.min(Math.max(begin, -0.9 * length), this.duration - 0.1 * length);
    this.visible = [first, first + length];
  }

  get #fittedSeconds(): number {
    return Math.max(this.duration, SHORTEST) / Math.max(1, this.width - 2 * MARGIN);
  }
}

/** A tick of the ruler; one with a label is major. */
export interface Tick {
  readonly time: number;
  readonly frame: number;
  readonly major: boolean;
}

/** Pixels between labels, and between ticks. */
const LABEL_DISTANCE = 62;
const TICK_DISTANCE = 7;

/** The ticks between the edges of an axis, at whole frames. */
export function ticks(axis: Axis, fps: number): Tick[] {
  const steps = [1, 2, 5, 10, fps, 2 * fps, 5 * fps, 10 * fps, 30 * fps, 60 * fps, 300 * fps, 600 * fps, 3600 * fps];
  const pixels = 1 / fps / axis.secondsPerPixel;
  const step = (distance: number): number =>
    steps.find((frames) => frames * pixels >= distance) ?? Math.ceil(distance / pixels);
  const major = step(LABEL_DISTANCE);
  // Each label has a tick, so the distance of ticks divides that of labels.
  const minor = [...steps].filter((frames) => frames * pixels >= TICK_DISTANCE && major % frames === 0)[0] ?? major;
  const list: Tick[] = [];
  const first = Math.ceil(Math.max(0, axis.begin * fps) / minor) * minor;
  for (let frame = first; frame / fps <= axis.end; frame += minor)
    list.push({ time: frame / fps, frame, major: frame % major === 0 });
  return list;
}

/** A time in words: seconds with milliseconds, and the frame. */
export function timeWords(time: number, fps: number): string {
  const frame = time * fps;
  const rounded = Math.round(frame);
  const near = Math.abs(frame - rounded) < 1e-3;
  return `${time.toFixed(3)} s, frame ${near ? rounded : frame.toFixed(2)}`;
}
