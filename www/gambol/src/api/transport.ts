// Transport: the playback controls of one track of an actor (its base track or a layer), like those of a media element.

import type { CoreStage, StageEvent } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { GambolError } from '../base/errors.ts';
import {
  TypedEventTarget,
  type TimeDetail,
  type ViewerEventDetails,
  type ViewerEventListener,
  type ViewerEventName,
} from '../values/events.ts';
import {
  checkedLoopMode,
  checkedNumber,
  checkedPlaying,
  checkedRepetitions,
  checkedSegment,
  type PlayOptions,
  type Segment,
} from '../values/options.ts';
import { Playbacks, type Playback } from './playback.ts';
import type { States } from './states.ts';
import type { LoopMode } from '../values/words.ts';

/**
 * The playback controls of a {@link Viewer}, an {@link Actor} or a {@link Layer}.
 *
 * Times are seconds of the clip. Calls are synchronous: a property read after a call has its new value. Events are dispatched
 * before the call that caused them returns.
 * @category Playback
 */
export abstract class Transport extends TypedEventTarget {
  /** @internal */
  readonly engine: Engine;
  /** @internal */
  protected readonly playbacks = new Playbacks();
  /** The event types for which a listener was ever added. @internal */
  protected readonly listenedTypes = new Set<string>();
  /** The defaults of playbacks. */
  #rate = 1;
  #loopMode: LoopMode = 'repeat';
  #repetitions = Infinity;
  /** The options of the current playback, which end with it. */
  #own: PlayOptions = {};

  /** @internal */
  constructor(engine: Engine) {
    super();
    this.engine = engine;
  }

  /** Calls `change` with the track; does nothing if its actor is not on stage. @internal */
  protected abstract changeTrack(change: (stage: CoreStage, actor: number, track: number) => void): void;

  /** Returns the result of `read`, or the fallback if the actor is not on stage. @internal */
  protected abstract readTrack<T>(read: (stage: CoreStage, actor: number, track: number) => T, fallback: T): T;

  /** Resumes playback at the playhead, or restarts it if it has finished. @category Playback */
  abstract play(options?: PlayOptions): Playback;

  /** Pauses at the playhead; `play()` resumes from there. @category Playback */
  pause(): void {
    this.playbacks.pause();
    this.changeTrack(({ playback }, actor, track) => playback.pause(actor, track));
  }

  /** Stops playback and moves the playhead to the start of the {@link segment}. @category Playback */
  stop(): void {
    this.abortPlaying('Playback aborted: it was stopped.');
    this.changeTrack(({ playback }, actor, track) => playback.stop(actor, track));
    this.configure();
  }

  /**
   * Moves the playhead; playback continues there if it was running. Of several calls before the next frame, the last one counts.
   *
   * @param time Seconds, clamped to `0..=duration`; independent of the playback rate.
   * @returns Resolves after the frame that shows it was presented.
   * @throws {@link GambolError} `argument/invalid` if `time` is not a finite number
   * @category Playback
   */
  seek(time: number): Promise<void> {
    this.currentTime = time;
    return this.engine.presented();
  }

  /**
   * Pauses and moves the playhead by whole frames of the clip (see {@link Clip.fps}); a negative number moves it back. It stops at
   * the ends of the clip. Resolves as {@link seek} does.
   *
   * @throws {@link GambolError} `argument/invalid` if `frames` is not a finite number
   * @category Playback
   */
  step(frames: number): Promise<void> {
    checkedNumber(frames, 'frames');
    this.playbacks.pause();
    this.changeTrack(({ playback }, actor, track) => playback.step(actor, track, frames));
    return this.engine.presented();
  }

  /**
   * The playhead in seconds, `0..=duration`. Setting it seeks; a time outside this range is clamped. Throws `argument/invalid` when
   * set to anything but a finite number.
   * @category Playback
   */
  get currentTime(): number {
    return this.readTrack(({ query }, actor, track) => query.currentTime(actor, track), 0);
  }

  set currentTime(time: number) {
    checkedNumber(time, 'time');
    this.changeTrack(({ playback }, actor, track) => playback.seek(actor, track, time));
  }

  /** The duration of the clip or blend space in seconds; 0 without one. @category Playback */
  get duration(): number {
    return this.readTrack(({ query }, actor, track) => query.duration(actor, track), 0);
  }

  /**
   * The playhead as a fraction of the {@link segment}, `0..=1`; other numbers are clamped. Setting it moves the playhead like a
   * scroll timeline (see {@link Viewer.timeline}). Markers in between are sent, in either direction, and there is no `seeking`
   * event.
   * @category Playback
   */
  get progress(): number {
    const [begin, end] = this.#segment();
    return end > begin ? Math.min(1, Math.max(0, (this.currentTime - begin) / (end - begin))) : 0;
  }

  set progress(progress: number) {
    checkedNumber(progress, 'progress');
    this.changeTrack(({ playback }, actor, track) => playback.setProgress(actor, track, progress));
  }

  /** `true` while playback is paused, stopped or finished. @category Playback */
  get paused(): boolean {
    return this.readTrack(({ query }, actor, track) => query.paused(actor, track), true);
  }

  /** `true` after the last repetition has ended, until the next call that changes playback. @category Playback */
  get ended(): boolean {
    return this.readTrack(({ query }, actor, track) => query.finished(actor, track), false);
  }

  /** The number of repetitions that have ended since `play()` or the last seek. @category Playback */
  get iteration(): number {
    return this.readTrack(({ query }, actor, track) => query.iteration(actor, track), 0);
  }

  /**
   * The default speed of playbacks: 1 is the speed of the file, negative plays backwards, 0 stands still. Setting it changes the
   * current playback, too, even if that was started with a speed of its own. It never moves the playhead.
   * @category Playback
   */
  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = checkedNumber(rate, 'playbackRate');
    this.#default({ playbackRate: undefined });
  }

  /** The same as {@link playbackRate}, by its name in `<model-viewer>`. @category Playback */
  get timeScale(): number {
    return this.playbackRate;
  }

  set timeScale(rate: number) {
    this.playbackRate = rate;
  }

  /** The default loop mode of playbacks. Setting it changes the current playback, too. @category Playback */
  get loopMode(): LoopMode {
    return this.#loopMode;
  }

  set loopMode(mode: LoopMode) {
    this.#loopMode = checkedLoopMode(mode);
    this.#default({ loopMode: undefined });
  }

  /**
   * `true` if {@link loopMode} is not `once`. Setting it to `true` sets `repeat`, unless the mode loops already.
   * @category Playback
   */
  get loop(): boolean {
    return this.loopMode !== 'once';
  }

  set loop(on: boolean) {
    if (on !== this.loop) this.loopMode = on ? 'repeat' : 'once';
  }

  /**
   * The default number of repetitions until a playback has finished: a whole number of at least 1, or `Infinity`. Setting it
   * changes the current playback, too.
   * @category Playback
   */
  get repetitions(): number {
    return this.#repetitions;
  }

  set repetitions(count: number) {
    this.#repetitions = checkedRepetitions(count);
    this.#default({ repetitions: undefined });
  }

  /**
   * The part of the clip that is played: begin and end in seconds, clamped to `0..=duration`; null for the whole clip. Each
   * change of clip resets it to null. Setting it does not move the playhead. A playhead before the segment plays up to its end;
   * one past the end continues at its begin.
   *
   * Throws `argument/invalid` unless it is two numbers in order, or null.
   * @category Playback
   */
  get segment(): Segment | null {
    const [begin, end] = this.#segment();
    return begin === 0 && end === this.duration ? null : [begin, end];
  }

  set segment(segment: Segment | null) {
    const [begin, end] = checkedSegment(segment);
    this.changeTrack(({ playback }, actor, track) => playback.setSegment(actor, track, begin, end));
  }

  /**
   * The time of the viewer's timeline at which playback began, or would have begun without any pause or seek; null while paused
   * and at rate 0. Setting it plays the clip as if it had begun at that time; the time may be in the future. With `0`, the
   * playhead of a clip is the time of a video on {@link Viewer.timeline}.
   * @category Playback
   */
  get startTime(): number | null {
    return (
      this.readTrack<number | undefined>(({ query }, actor, track) => query.startTime(actor, track), undefined) ?? null
    );
  }

  set startTime(time: number | null) {
    if (time === null) this.pause();
    else this.#startAt(checkedNumber(time, 'startTime'));
  }

  /**
   * Adds a listener for one of the events of {@link ViewerEventDetails}, whose `detail` has the type that is listed there.
   *
   * ```js
   * viewer.addEventListener('loop', ({ detail }) => console.log(detail.iteration));
   * ```
   * @category Events
   */
  override addEventListener<Name extends ViewerEventName>(
    type: Name,
    listener: ViewerEventListener<Name> | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  /** Adds a listener for events of any other type, which the page dispatches. */
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void {
    this.listenedTypes.add(type);
    super.addEventListener(type, listener, options);
  }

  /** Handles an event of the stage for this track. @internal */
  stageEvent(event: StageEvent): void {
    const { type } = event;
    // Other types than `finished` do nothing but dispatch, so they need a listener.
    if (type !== 'finished' && !this.listenedTypes.has(type)) return;
    const detail: TimeDetail = {
      time: event.time,
      ...(event.skipped ? { skipped: event.skipped } : {}),
      ...this.layerDetail(),
    };
    switch (type) {
      case 'loop':
        return this.send(type, { ...detail, iteration: event.iteration });
      case 'marker':
        return this.send(type, { ...detail, name: event.name, clip: this.sentClip() });
      case 'ratechange':
        return this.send(type, {
          ...detail,
          rate: this.readTrack(({ query }, actor, track) => query.rate(actor, track), this.#rate),
        });
      case 'finished':
        this.playbacks.finish(event.playback);
        return this.send('finished', detail);
      case 'clipchange':
        return;
      default:
        return this.send(type, detail);
    }
  }

  /** The layer's name for event details; empty for the base track. @internal */
  protected layerDetail(): { readonly layer?: string } {
    return {};
  }

  /** The id of the clip that the event being delivered is about. @internal */
  protected abstract sentClip(): string | null;

  /** Sets the defaults for the current playback and for later ones. @internal */
  protected setDefaults(options: PlayOptions): void {
    checkedPlaying(options);
    this.#rate = options.playbackRate ?? this.#rate;
    this.#loopMode = options.loopMode ?? this.#loopMode;
    this.#repetitions = options.repetitions ?? this.#repetitions;
    this.configure({});
  }

  /**
   * Sends loop mode, repetitions and rate to the stage: from the options of a playback, else from the defaults.
   *
   * - `continues`: the playback continues, so its other options stay.
   *
   * @internal
   */
  protected configure(options: PlayOptions = {}, continues = false): void {
    checkedPlaying(options);
    const { loopMode, repetitions, playbackRate } = options;
    this.#own = {
      ...(continues && this.#own),
      ...(loopMode !== undefined && { loopMode }),
      ...(repetitions !== undefined && { repetitions }),
      ...(playbackRate !== undefined && { playbackRate }),
    };
    this.#configure();
  }

  /** Removes options of the current playback, so that it uses a default that has changed. */
  #default(changed: { readonly [Name in keyof PlayOptions]: undefined }): void {
    this.#own = { ...this.#own, ...changed } as PlayOptions;
    this.#configure();
  }

  /** The state machine that plays the track; null without one. @internal */
  protected readonly states: Pick<States, 'setRate'> | null = null;

  #configure(): void {
    const { loopMode = this.#loopMode, repetitions = this.#repetitions, playbackRate: rate = this.#rate } = this.#own;
    // A state has a loop mode and a rate of its own, which the default multiplies.
    if (this.states) return this.states.setRate(rate);
    this.changeTrack(({ playback }, actor, track) => playback.configure(actor, track, { rate, loopMode, repetitions }));
  }

  /** @internal */
  protected abortPlaying(reason: string): void {
    this.playbacks.abort(new GambolError('play/aborted', reason));
  }

  /** Dispatches an event if a listener was ever added for its type. @internal */
  protected send<Name extends ViewerEventName>(name: Name, detail: ViewerEventDetails[Name]): void {
    // A thousand actors cause many events without a listener.
    if (this.listenedTypes.has(name)) this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #startAt(time: number): void {
    this.changeTrack(({ playback }, actor, track) => {
      this.playbacks.begin(playback.setStartTime(actor, track, time));
    });
  }

  #segment(): readonly [begin: number, end: number] {
    return this.readTrack(
      ({ query }, actor, track) => [query.segmentBegin(actor, track), query.segmentEnd(actor, track)] as const,
      [0, 0],
    );
  }
}
