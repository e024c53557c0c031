// What moves a stage's timeline: the page's clock, the page itself, or another clock; and what happens while nobody looks.

import type { CoreStage } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import { checkedVisibility, type Visibility } from '../values/options.ts';
import { guarded } from '../wasm/guarded.ts';

/**
 * What moves a viewer's timeline:
 *
 * - `auto`: the page's clock, while something plays;
 * - `manual`: {@link Viewer.advance} alone;
 * - a function that tells the time in seconds, asked once a frame;
 * - an `AnimationTimeline`: `document.timeline` tells time; a `ScrollTimeline` or `ViewTimeline` tells progress, and everybody's
 *   clip is at that fraction of its {@link Transport.segment};
 * - an `<audio>` or `<video>`: clips are where it is. What plays already is counted from the medium's beginning
 *   ({@link Transport.startTime} 0).
 */
export type Timeline = 'auto' | 'manual' | (() => number) | AnimationTimeline | HTMLMediaElement;

/** How often a stage that runs unseen is moved, in milliseconds; browsers may do it more seldom. */
const UNSEEN_INTERVAL = 100;

/** @internal */
export interface ClockListener {
  /** The stage, while there is one. */
  stage(): CoreStage | undefined;
  /** The timeline was moved while no frames are drawn. */
  moved(): void;
  /** All who play shall have begun at 0. */
  anchor(stage: CoreStage): void;
}

/** @internal */
export class Clock {
  readonly #listener: ClockListener;
  #timeline: Timeline = 'auto';
  #visibility: Visibility = 'pause';
  /** Whether the timeline has not been told its time yet. */
  #fresh = false;
  /** The page's time at the last frame, while another one is to come. */
  #frame: number | undefined;
  /** While no frames are drawn: up to when the timeline was moved. */
  #since: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(listener: ClockListener) {
    this.#listener = listener;
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  /** @throws {@link GambolError} `argument/invalid` */
  set timeline(timeline: Timeline) {
    if (!isTimeline(timeline)) {
      throw new GambolError('argument/invalid', 'timeline must be auto, manual, a function, an AnimationTimeline or a media element.');
    }
    this.catchUp();
    this.#timeline = timeline;
    this.#fresh = true;
    this.#onStage((stage) => stage.setManual(timeline !== 'auto'));
    this.update();
  }

  get visibility(): Visibility {
    return this.#visibility;
  }

  set visibility(visibility: Visibility) {
    checkedVisibility(visibility);
    this.catchUp();
    this.#visibility = visibility;
    this.#onStage((stage) => stage.setCatchingUp(visibility !== 'pause'));
    // What has passed so far belongs to the policy of before.
    if (this.#since !== undefined) this.hold();
  }

  /** Asks the other clock, if there is one; true if it has to be asked again next frame. */
  update(): boolean {
    const timeline = this.#timeline;
    if (typeof timeline === 'string') return false;
    this.#follow(timeline);
    return true;
  }

  /** A frame was drawn at `now`; `more` says whether the page's clock moves on from there. */
  drawn(now: number, more: boolean): void {
    this.#frame = more ? now : undefined;
  }

  /** No frames from now on. */
  hold(): void {
    this.#since = this.#frame ?? performance.now();
    this.#frame = undefined;
    clearInterval(this.#timer);
    this.#timer = this.#visibility === 'run' ? setInterval(() => this.catchUp(), UNSEEN_INTERVAL) : undefined;
  }

  /** Frames again. */
  release(): void {
    this.catchUp();
    this.#since = undefined;
    clearInterval(this.#timer);
    this.#onStage((stage) => stage.resetClock());
  }

  /** Before anything is called while no frames are drawn: moves the timeline to the present time, if the policy says so. */
  catchUp(): void {
    if (this.#since === undefined || this.#visibility === 'pause') return;
    const now = performance.now();
    const passed = Math.max(0, now - this.#since) / 1000;
    this.#since = now;
    if (this.#timeline === 'auto') this.#onStage((stage) => stage.elapse(passed));
    else this.update();
    this.#listener.moved();
  }

  dispose(): void {
    this.#since = undefined;
    clearInterval(this.#timer);
  }

  #follow(timeline: Exclude<Timeline, string>): void {
    const { seconds, progress } = this.#read(timeline);
    this.#onStage((stage) => {
      if (progress !== undefined) stage.scrub(progress);
      if (seconds === undefined) return;
      if (this.#fresh) {
        // Another clock counts from elsewhere: nobody moves by that.
        this.#fresh = false;
        stage.setClock(seconds);
        if (isMedia(timeline)) this.#listener.anchor(stage);
      }
      stage.setTime(seconds);
    });
  }

  #onStage(change: (stage: CoreStage) => void): void {
    const stage = this.#listener.stage();
    if (stage) guarded(() => change(stage));
  }

  /** What another clock shows. One that throws is not asked again. */
  #read(timeline: Exclude<Timeline, string>): Reading {
    try {
      return reading(timeline);
    } catch (error) {
      this.#timeline = 'manual';
      reportError(error);
      return {};
    }
  }
}

/** Neither while a clock stands nowhere. */
interface Reading {
  readonly seconds?: number;
  readonly progress?: number;
}

function isMedia(timeline: Timeline): timeline is HTMLMediaElement {
  return typeof HTMLMediaElement === 'function' && timeline instanceof HTMLMediaElement;
}

function isTimeline(value: unknown): value is Timeline {
  if (value === 'auto' || value === 'manual' || typeof value === 'function') return true;
  return isMedia(value as Timeline) || (typeof AnimationTimeline === 'function' && value instanceof AnimationTimeline);
}

function reading(timeline: Exclude<Timeline, string>): Reading {
  const { value, scale } = read(timeline);
  if (typeof value === 'number') return Number.isFinite(value) ? { seconds: value * scale } : {};
  // A CSSNumericValue of percent: the progress of a scroll or view timeline.
  const percent = typeof value === 'object' && value !== null && 'value' in value ? value.value : undefined;
  return typeof percent === 'number' && Number.isFinite(percent) ? { progress: percent / 100 } : {};
}

function read(timeline: Exclude<Timeline, string>): { readonly value: unknown; readonly scale: number } {
  if (typeof timeline === 'function') return { value: timeline(), scale: 1 };
  return { value: timeline.currentTime, scale: isMedia(timeline) ? 1 : 0.001 };
}
