// Sessions: the calls of a page and the input of its user, recorded live.

import type { Viewer } from '../api/viewer.ts';
import { useIn } from '../api/features.ts';
import { FEATURES } from '../values/words.ts';
import { checkedOptions, checkedTransfer } from '../values/options.ts';
import type { CoreStage } from '../wasm/core.ts';
import { STAGE_METHODS, TOPICS, actorCount, isAllowed } from './allowed.ts';
import { actorsOf, toData } from './calls.ts';
import { checkViewer, throwIfAborted } from './check.ts';
import { checkedSession } from './checked-session.ts';
import { Replay } from './replay.ts';
import type { Session, SessionCall, SessionTopic, SessionValue } from './session-data.ts';

/** A session that is being recorded. @category Recordings */
export interface SessionRecording {
  /** Ends the recording and returns the session. Later calls return the same one. */
  stop(): Session;
}

/** Options of {@link replaySession}. @category Recordings */
export interface ReplayOptions {
  /** Ends the replay. */
  readonly signal?: AbortSignal;
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Records what is done with a viewer, until `stop()`: by the page and by the user, in playback, layers, joints, camera, crowds and
 * settings of the picture. {@link replaySession} repeats it, and `record(viewer, { session })` films it.
 *
 * The session begins with the camera, the background, and the clip, time and playback of each actor. Anything else must be the same
 * when it is replayed: models, actors and crowds in the same order, clips, layers, expressions, state machines. Models that are loaded,
 * clips that are added or edited during a session, and environments, are not part of it.
 *
 * ```js
 * const recording = await recordSession(viewer);
 * // … the user turns the model and plays clips …
 * const session = recording.stop();
 * const film = await record(viewer, { session, format: 'mp4' });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `viewer/disposed`, `load/chunk`
 * @category Recordings
 */
export async function recordSession(viewer: Viewer): Promise<SessionRecording> {
  checkViewer(viewer);
  viewer.engine.check();
  // A session may have calls of any feature.
  await useIn(viewer.engine.core, FEATURES);
  viewer.engine.check();
  return new Recording(viewer);
}

class Recording implements SessionRecording {
  readonly #viewer: Viewer;
  readonly #actors: readonly number[];
  readonly #calls: SessionCall[] = [];
  readonly #undo: (() => void)[] = [];
  /** The time of the session, and those of the page and of the timeline, at the last call. */
  #at: { readonly session: number; readonly page: number; readonly timeline: number };
  /** The timeline's time at the start. */
  #origin: number;
  #session: Session | undefined;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    this.#actors = actorsOf(viewer);
    this.#origin = viewer.now;
    this.#at = { session: 0, page: performance.now(), timeline: 0 };
    viewer.engine.readOrThrow((stage) => {
      this.#start(stage);
      for (const topic of TOPICS) {
        if (topic === 'stage') for (const name of [...STAGE_METHODS, 'setClock']) this.#watch(stage, name);
        else this.#watchTopic(stage, topic);
      }
    });
  }

  stop(): Session {
    if (this.#session) return this.#session;
    const { session: duration, timeline } = this.#now();
    for (const undo of this.#undo) undo();
    return (this.#session = { version: 3, duration, timeline, calls: this.#calls });
  }

  /** Replaces a topic of the stage by one that records its calls. */
  #watchTopic(stage: CoreStage, topic: Exclude<SessionTopic, 'stage'>): void {
    const original = stage[topic];
    const watched = new Proxy(original, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function' || typeof name !== 'string' || !isAllowed(topic, name)) return value;
        return (...args: unknown[]): unknown => {
          const call = this.#noted(topic, name, args);
          const result: unknown = value.apply(target, args);
          this.#push(call, topic === 'layers' && name === 'add' ? result : undefined);
          return result;
        };
      },
    });
    const topics = stage as unknown as Record<string, object>;
    topics[topic] = watched;
    this.#undo.push(() => {
      topics[topic] = original;
    });
  }

  /** Replaces a method of the stage by one that records its calls. */
  #watch(stage: CoreStage, name: string): void {
    const methods = stage as unknown as Methods;
    const original = methods[name];
    if (!original) return;
    methods[name] = (...args) => {
      // A new label of the same moment.
      if (name === 'setClock') this.#origin += (args[0] as number) - stage.query.time();
      const call = name === 'setClock' ? undefined : this.#noted('stage', name, args);
      const result = original.apply(stage, args);
      this.#push(call, undefined);
      return result;
    };
    this.#undo.push(() => {
      methods[name] = original;
    });
  }

  /** The present moment of the session. While the timeline stands, the clock of the page goes on. */
  #now(): { readonly session: number; readonly page: number; readonly timeline: number } {
    const before = this.#at;
    // The timeline of a viewer that was disposed of is at 0.
    if (this.#viewer.engine.ended) return before;
    const page = performance.now();
    const timeline = this.#viewer.now - this.#origin;
    const passed = this.#viewer.timeline === 'manual' ? 0 : (page - before.page) / 1000;
    const session = before.session + Math.max(0, passed, timeline - before.timeline);
    return (this.#at = { session, page, timeline });
  }

  /** A call as data; undefined if it cannot be repeated. */
  #noted(topic: SessionTopic, name: string, args: readonly unknown[]): SessionCall | undefined {
    const { session: time, timeline } = this.#now();
    return this.#call(topic, name, args, time, timeline);
  }

  #call(
    topic: SessionTopic,
    name: string,
    args: readonly unknown[],
    time: number,
    timeline: number,
  ): SessionCall | undefined {
    const actors = actorCount(topic, name);
    const values = args.map((arg, i) => (i < actors ? this.#actors.indexOf(arg as number) : toData(arg)));
    if (values.includes(undefined) || values.slice(0, actors).includes(-1)) return undefined;
    return { time, timeline, topic, name, args: values as SessionValue[] };
  }

  #push(call: SessionCall | undefined, layer: unknown): void {
    if (call) this.#calls.push(typeof layer === 'number' ? { ...call, layer } : call);
  }

  /** The calls that set the state at the start. */
  #start({ query }: CoreStage): void {
    const viewer = this.#viewer;
    const note = (topic: SessionTopic, name: string, ...args: unknown[]): void =>
      this.#push(this.#call(topic, name, args, 0, 0), undefined);
    const own = viewer.readActor<number | undefined>((_, actor) => actor, undefined);
    for (const [actor] of viewer.engine.host.cast()) {
      let clip: number | undefined;
      try {
        clip = query.clip(actor);
      } catch {
        // A crowd has no clip of its own.
        continue;
      }
      if (clip === undefined || query.states(actor)) continue;
      note('playback', 'setTransition', actor, { mode: 'cut', duration: 0 });
      note('playback', 'setClip', actor, clip);
      note('playback', 'configure', actor, 0, {
        rate: query.rate(actor, 0),
        loopMode: query.loopMode(actor, 0),
        repetitions: query.repetitions(actor, 0),
      });
      note('playback', 'setSegment', actor, 0, query.segmentBegin(actor, 0), query.segmentEnd(actor, 0));
      note('playback', 'seek', actor, 0, query.currentTime(actor, 0));
      note('playback', query.paused(actor, 0) ? 'pause' : 'play', actor, 0);
      const { transition: mode, transitionDuration: duration } = viewer;
      note(
        'playback',
        'setTransition',
        actor,
        actor === own ? { mode, duration } : { mode: 'inertial', duration: 0.3 },
      );
    }
    note('camera', 'set', ...query.camera());
    // An automatic camera that shows the frame of an earlier clip cannot be repeated, so it stays where it is.
    if (query.framedCamera() !== undefined && query.framesAsStill()) note('camera', 'frame');
    const camera = own === undefined ? undefined : query.viewCamera(own);
    if (camera !== undefined) note('camera', 'setViewCamera', own, camera);
    note('stage', 'setBackground', viewer.background ? Float32Array.from(viewer.background) : undefined);
  }
}

/**
 * Repeats a session on a viewer, from the present moment on. Each call is made at its time of the timeline, between two frames if
 * necessary, so the poses are those of the session. Meanwhile the {@link Viewer.timeline} is `manual`. Resolves at the end. Layers and
 * state machines that the session has added stay, as `viewer.layers` and `viewer.states`. Settings that it has changed, such as
 * `viewer.exposure`, and the joints that actors follow are those of the page from then on.
 *
 * A session may come from a file: it can make the calls of a session and no others, and their arguments are checked.
 *
 * @throws {@link GambolError} `argument/invalid`, `viewer/disposed`, `record/aborted`, `load/chunk`
 * @category Recordings
 */
export async function replaySession(viewer: Viewer, session: Session, options: ReplayOptions = {}): Promise<void> {
  checkViewer(viewer);
  checkedSession(session);
  checkedOptions(options, ['signal'], 'replaySession()');
  const { signal } = options;
  checkedTransfer({ signal }, 'replaySession()');
  const { engine } = viewer;
  engine.check();
  await useIn(engine.core, FEATURES);
  engine.check();
  const { timeline } = viewer;
  viewer.timeline = 'manual';
  try {
    const origin = viewer.now;
    const replay = engine.call((stage) => new Replay(session, viewer, stage, true));
    const move = (to: number): void => engine.elapse(origin + to - viewer.now);
    const begun = performance.now();
    for (;;) {
      throwIfAborted(signal);
      engine.check();
      const time = Math.min(session.duration, (performance.now() - begun) / 1000);
      replay.advance(time, move);
      move(replay.timelineAt(time));
      if (time >= session.duration) break;
      await new Promise(requestAnimationFrame);
    }
    // An environment of the session is uploaded in steps.
    await engine.light(new AbortController().signal);
    await engine.presented();
  } finally {
    if (!engine.ended) viewer.timeline = timeline;
  }
}
