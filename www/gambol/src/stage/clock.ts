// The clock of a stage's timeline: the page's clock, calls of the page, or another clock; and its behaviour while nothing is
// visible.

import type { CoreStage } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { checkedVisibility, type Visibility } from '../values/options.ts';
import { guarded } from '../wasm/guarded.ts';

/**
 * The clock of a viewer's timeline:
 *
 * - `auto`: the page's clock, while an actor or a crowd plays;
 * - `manual`: only {@link Viewer.advance};
 * - a function that returns the time in seconds, called once per frame;
 * - an `AnimationTimeline`: `document.timeline` has a time; a `ScrollTimeline` or `ViewTimeline` has a progress, and the
 *   playheads of all clips are at this fraction of their {@link Transport.segment};
 * - an `<audio>` or `<video>`: its current time. Clips that are playing start at the beginning of the medium
 *   ({@link Transport.startTime} 0).
 * @category Playback
 */
export type Timeline = 'auto' | 'manual' | (() => number) | AnimationTimeline | HTMLMediaElement;

/** The interval in milliseconds at which an invisible stage advances with `run`; browsers may throttle it. */
const UNSEEN_INTERVAL = 100;

/** @internal */
export interface ClockListener {
  /** The stage; undefined after its disposal. */
  stage(): CoreStage | undefined;
  /** Called after the timeline has moved while no frames are drawn. */
  moved(): void;
  /** Sets the start time of all playing actors to 0. */
  anchor(stage: CoreStage): void;
}

/** @internal */
export class Clock {
  readonly #listener: ClockListener;
  #timeline: Timeline = 'auto';
  #visibility: Visibility = 'pause';
  /** `true` until the first reading of a new clock. */
  #fresh = false;
  /** The page's time at the last frame, if that requested another one. */
  #frame: number | undefined;
  /** The page's time up to which the timeline has advanced while no frames are drawn; undefined while frames are drawn. */
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
      throw new GambolError(
        'argument/invalid',
        `timeline must be auto, manual, a function, an AnimationTimeline or a media element, not ${shown(timeline)}.`,
      );
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
    // The time that has passed so far belongs to the policy before.
    if (this.#since !== undefined) this.hold();
  }

  /** Reads the other clock, if there is one; returns `true` if it must be read again in the next frame. */
  update(): boolean {
    const timeline = this.#timeline;
    if (typeof timeline === 'string') return false;
    this.#follow(timeline);
    return true;
  }

  /** Called after a frame was drawn at `now`; `more` is `true` if the page's clock continues from there. */
  drawn(now: number, more: boolean): void {
    this.#frame = more ? now : undefined;
  }

  /** Called when no frames are drawn from now on. */
  hold(): void {
    this.#since = this.#frame ?? performance.now();
    this.#frame = undefined;
    clearInterval(this.#timer);
    this.#timer = this.#visibility === 'run' ? setInterval(() => this.catchUp(), UNSEEN_INTERVAL) : undefined;
    this.#onStage((stage) => stage.resetClock());
  }

  /** Called when frames are drawn again. */
  release(): void {
    this.catchUp();
    this.#since = undefined;
    clearInterval(this.#timer);
    this.#onStage((stage) => stage.resetClock());
  }

  /**
   * Advances the timeline to the current time while no frames are drawn, unless the policy is `pause`. Called before other calls.
   */
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
        // The new clock has another origin, which must not move the playheads.
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

  /** Reads another clock. A clock that throws is replaced by `manual`. */
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

/** A reading of a clock: a time or a progress; neither if the clock has no current time. */
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
