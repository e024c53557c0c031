// What plays: the base of a performer, or a layer. One track of an actor, with the controls of a media element.

import type { CoreStage, StageEvent } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { GambolError } from '../base/errors.ts';
import { TypedEventTarget, type TimeDetail, type ViewerEventDetails, type ViewerEventListener, type ViewerEventName } from '../values/events.ts';
import { checkedLoopMode, checkedNumber, checkedPlaying, checkedRepetitions, checkedSegment, type PlayOptions, type Segment } from '../values/options.ts';
import { Playbacks, type Playback } from './playback.ts';
import type { LoopMode } from '../values/words.ts';

/**
 * The controls of something that plays: a {@link Viewer}, an {@link Actor}, a {@link Layer}.
 *
 * Times are seconds of the clip. Calls take effect in their order and at once: what is read after a call is what it made.
 * Events are dispatched before the call that caused them returns.
 */
export abstract class Transport extends TypedEventTarget {
  /** @internal */
  protected readonly engine: Engine;
  /** @internal */
  protected readonly playbacks = new Playbacks();
  /** What somebody has ever listened to. @internal */
  protected readonly asked = new Set<string>();
  /** The defaults of playbacks. */
  #rate = 1;
  #loopMode: LoopMode = 'repeat';
  #repetitions = Infinity;
  /** The options of the playback that is current; they end with it. */
  #own: PlayOptions = {};

  /** @internal */
  constructor(engine: Engine) {
    super();
    this.engine = engine;
  }

  /** Changes something of the track; nothing if it is not on stage. @internal */
  protected abstract tell(change: (stage: CoreStage, actor: number, track: number) => void): void;

  /** Looks something up; there is only the fallback if it is not on stage. @internal */
  protected abstract ask<T>(look: (stage: CoreStage, actor: number, track: number) => T, fallback: T): T;

  /** Plays: on from where it is, or from the start once finished. */
  abstract play(options?: PlayOptions): Playback;

  /** Stops where it is; `play()` goes on from there. */
  pause(): void {
    this.playbacks.pause();
    this.tell(({ playback }, actor, track) => playback.pause(actor, track));
  }

  /** Stops and goes back to the start of the {@link segment}. */
  stop(): void {
    this.abortPlaying('It was stopped.');
    this.tell(({ playback }, actor, track) => playback.stop(actor, track));
    this.configure();
  }

  /**
   * Goes to a time; playing goes on from there if it was. Of several calls before the next frame the last one counts.
   * @param time Seconds, clamped to `0..=duration`; independent of the playback rate.
   * @returns Resolves after the frame that shows it was presented.
   */
  seek(time: number): Promise<void> {
    this.currentTime = time;
    return this.engine.presented();
  }

  /** Pauses and moves by whole frames of the clip (see {@link Clip.fps}); negative is back. */
  step(frames: number): Promise<void> {
    checkedNumber(frames, 'The number of frames');
    this.playbacks.pause();
    this.tell(({ playback }, actor, track) => playback.step(actor, track, frames));
    return this.engine.presented();
  }

  /** Seconds, `0..=duration`. Setting it seeks. */
  get currentTime(): number {
    return this.ask(({ query }, actor, track) => query.currentTime(actor, track), 0);
  }

  set currentTime(time: number) {
    checkedNumber(time, 'The time');
    this.tell(({ playback }, actor, track) => playback.seek(actor, track, time));
  }

  /** Seconds of what is played; 0 without a clip. */
  get duration(): number {
    return this.ask(({ query }, actor, track) => query.duration(actor, track), 0);
  }

  /**
   * How far the playhead is in the {@link segment}, `0..=1`. Setting it moves the playhead as a clock that tells progress does (see
   * {@link Viewer.timeline}): markers on the way there happen, in either direction, and there is no `seeking`.
   */
  get progress(): number {
    const [begin, end] = this.#segment();
    return end > begin ? Math.min(1, Math.max(0, (this.currentTime - begin) / (end - begin))) : 0;
  }

  set progress(progress: number) {
    checkedNumber(progress, 'progress');
    this.tell(({ playback }, actor, track) => playback.setProgress(actor, track, progress));
  }

  /** True while nothing moves by itself. */
  get paused(): boolean {
    return this.ask(({ query }, actor, track) => query.paused(actor, track), true);
  }

  /** True after the last repetition ended, until something else happens. */
  get ended(): boolean {
    return this.ask(({ query }, actor, track) => query.finished(actor, track), false);
  }

  /** How many repetitions have ended since `play()` or the last seek. */
  get iteration(): number {
    return this.ask(({ query }, actor, track) => query.iteration(actor, track), 0);
  }

  /**
   * Speed of playbacks that have none of their own: 1 is as made, negative is backwards, 0 stands still. Setting it changes the
   * current playback, too, also one that was started with an option; it never moves the playhead.
   */
  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = checkedNumber(rate, 'playbackRate');
    this.#default({ playbackRate: undefined });
  }

  /** The same as {@link playbackRate}, as `<model-viewer>` calls it. */
  get timeScale(): number {
    return this.playbackRate;
  }

  set timeScale(rate: number) {
    this.playbackRate = rate;
  }

  /** What playbacks do at the end that have no option of their own for it. Setting it changes the current playback, too. */
  get loopMode(): LoopMode {
    return this.#loopMode;
  }

  set loopMode(mode: LoopMode) {
    this.#loopMode = checkedLoopMode(mode);
    this.#default({ loopMode: undefined });
  }

  /** Whether it starts again at its end; a plain view of {@link loopMode}. */
  get loop(): boolean {
    return this.loopMode !== 'once';
  }

  set loop(on: boolean) {
    if (on !== this.loop) this.loopMode = on ? 'repeat' : 'once';
  }

  /**
   * How often playbacks are played before they have finished that have no option of their own for it: a whole number of at least 1,
   * or `Infinity`. Setting it changes the current playback, too.
   */
  get repetitions(): number {
    return this.#repetitions;
  }

  set repetitions(count: number) {
    this.#repetitions = checkedRepetitions(count);
    this.#default({ repetitions: undefined });
  }

  /**
   * What is played of the clip: begin and end in seconds, clamped to `0..=duration`; null for all of it, as after every
   * choice of a clip. The playhead does not move: from outside it runs on until the segment's end, past that it begins anew.
   *
   * Throws `argument/invalid` unless it is two numbers in order, or null.
   */
  get segment(): Segment | null {
    const [begin, end] = this.#segment();
    return begin === 0 && end === this.duration ? null : [begin, end];
  }

  set segment(segment: Segment | null) {
    const [begin, end] = checkedSegment(segment);
    this.tell(({ playback }, actor, track) => playback.setSegment(actor, track, begin, end));
  }

  /**
   * The time of the viewer's timeline at which playing began, or would have begun had it never been paused or moved; null while
   * paused and at rate 0. Setting it plays so that it began then, or will: with `0`, a clip is where a video on
   * {@link Viewer.timeline} is.
   */
  get startTime(): number | null {
    return this.ask<number | undefined>(({ query }, actor, track) => query.startTime(actor, track), undefined) ?? null;
  }

  set startTime(time: number | null) {
    if (time === null) this.pause();
    else this.#startAt(checkedNumber(time, 'startTime'));
  }

  override addEventListener<Name extends ViewerEventName>(type: Name, listener: ViewerEventListener<Name> | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void {
    this.asked.add(type);
    super.addEventListener(type, listener, options);
  }

  /** Something happened to it on stage. @internal */
  stageEvent(event: StageEvent): void {
    const { type } = event;
    // Only of the end more is made than an event.
    if (type !== 'finished' && !this.asked.has(type)) return;
    const detail: TimeDetail = { time: event.time, ...(event.skipped ? { skipped: event.skipped } : {}), ...this.whose() };
    switch (type) {
      case 'loop':
        return this.send(type, { ...detail, iteration: event.iteration });
      case 'marker':
        return this.send(type, { ...detail, name: event.name, clip: this.heardClip() });
      case 'ratechange':
        return this.send(type, { ...detail, rate: this.ask(({ query }, actor, track) => query.rate(actor, track), this.#rate) });
      case 'finished':
        this.playbacks.finish(event.playback);
        return this.send('finished', detail);
      case 'clipchange':
        return;
      default:
        return this.send(type, detail);
    }
  }

  /** Which layer its events come from. @internal */
  protected whose(): { readonly layer?: string } {
    return {};
  }

  /** The id of the clip that the event being delivered is about. @internal */
  protected abstract heardClip(): string | null;

  /** Sets the defaults of playbacks to come and of the current one. @internal */
  protected setDefaults(options: PlayOptions): void {
    checkedPlaying(options);
    this.#rate = options.playbackRate ?? this.#rate;
    this.#loopMode = options.loopMode ?? this.#loopMode;
    this.#repetitions = options.repetitions ?? this.#repetitions;
    this.configure({});
  }

  /**
   * Tells the stage how to play: by the options of a playback, else by the defaults.
   *
   * - `goesOn`: the playback is the one of before, whose other options stay.
   *
   * @internal
   */
  protected configure(options: PlayOptions = {}, goesOn = false): void {
    checkedPlaying(options);
    const { loopMode, repetitions, playbackRate } = options;
    this.#own = {
      ...(goesOn && this.#own),
      ...(loopMode !== undefined && { loopMode }), ...(repetitions !== undefined && { repetitions }), ...(playbackRate !== undefined && { playbackRate }),
    };
    this.#configure();
  }

  /** A default has changed, which the current playback takes over. */
  #default(changed: { readonly [Name in keyof PlayOptions]: undefined }): void {
    this.#own = { ...this.#own, ...changed } as PlayOptions;
    this.#configure();
  }

  #configure(): void {
    const { loopMode = this.#loopMode, repetitions = this.#repetitions, playbackRate: rate = this.#rate } = this.#own;
    this.tell(({ playback, query }, actor, track) => {
      // Even the same value makes Rust reckon anew.
      if (query.rate(actor, track) !== rate) playback.setRate(actor, track, rate);
      if (query.loopMode(actor, track) !== loopMode) playback.setLoopMode(actor, track, loopMode);
      if (query.repetitions(actor, track) !== repetitions) playback.setRepetitions(actor, track, repetitions);
    });
  }

  /** @internal */
  protected abortPlaying(why: string): void {
    this.playbacks.abort(new GambolError('play/aborted', why));
  }

  /** Tells those who have ever listened. @internal */
  protected send<Name extends ViewerEventName>(name: Name, detail: ViewerEventDetails[Name]): void {
    // A thousand actors make many events that nobody asked for.
    if (this.asked.has(name)) this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #startAt(time: number): void {
    this.tell(({ playback }, actor, track) => {
      this.playbacks.begin(playback.setStartTime(actor, track, time));
    });
  }

  #segment(): readonly [begin: number, end: number] {
    return this.ask(({ query }, actor, track) => [query.segmentBegin(actor, track), query.segmentEnd(actor, track)] as const, [0, 0]);
  }
}
