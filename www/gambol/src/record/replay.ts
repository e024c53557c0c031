// The calls of a session on a stage, each at its time.

import type { Viewer } from '../api/viewer.ts';
import type { Rgba } from '../values/color.ts';
import type { CoreStage } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';
import { actorCount, isAboutLayer } from './allowed.ts';
import { actorsOf, fromData } from './calls.ts';
import { madeByPage, type StageCall } from './page-calls.ts';
import type { Session, SessionCall, SessionTopic } from './session-data.ts';

type Methods = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

/** Makes the calls of a session on a stage. Calls for actors that the stage does not have are left out. */
export class Replay {
  readonly #session: Session;
  readonly #stage: CoreStage;
  readonly #actors: readonly number[];
  /** The numbers of layers in the session, and those of the stage. */
  readonly #layers = new Map<string, number>();
  /** The viewer whose page knows the effects of the calls; undefined for a stage of its own. */
  readonly #page: Viewer | undefined;
  #next = 0;

  /** `onPage`: `true` if the stage is that of the viewer, and `false` for a film. */
  constructor(session: Session, viewer: Viewer, stage: CoreStage, onPage = false) {
    this.#session = session;
    this.#stage = stage;
    this.#page = onPage ? viewer : undefined;
    this.#actors = actorsOf(viewer);
    this.advance(0, () => undefined);
  }

  /** Makes all calls up to a time of the session in seconds; `move` sets the timeline to the time of each. */
  advance(to: number, move: (timeline: number) => void): void {
    const { calls } = this.#session;
    for (let call = calls[this.#next]; call && call.time <= to; call = calls[++this.#next]) {
      if (call.time > 0 || call.timeline !== 0) move(call.timeline);
      this.#make(call);
    }
  }

  /** The time of the timeline at a time of the session, after {@link advance} to it. */
  timelineAt(time: number): number {
    const { calls, timeline: end } = this.#session;
    const [last, next] = [calls[this.#next - 1], calls[this.#next]];
    const { time: from = 0, timeline = 0 } = last ?? {};
    // It runs first, and stands after the end of a clip.
    const passed = Math.min(time - from, (next?.timeline ?? end) - timeline);
    return timeline + Math.max(0, passed);
  }

  #make({ topic, name, args, layer }: SessionCall): void {
    const given = args.map(fromData);
    const actors = actorCount(topic, name);
    for (let i = 0; i < actors; i++) {
      const actor = this.#actors[given[i] as number];
      if (actor === undefined) return;
      given[i] = actor;
    }
    if (isAboutLayer(topic, name)) {
      const known = this.#layers.get(`${String(given[0])} ${String(given[1])}`);
      if (known !== undefined) given[1] = known;
    }
    const done = this.#madeByPage({ topic, name, args: given });
    const made = done ? done.layer : this.#madeByCore(topic, name, given);
    if (layer !== undefined && typeof made === 'number') this.#layers.set(`${String(given[0])} ${layer}`, made);
  }

  /** Makes a call by the API of the page; returns undefined if that has no such call. */
  #madeByPage(call: StageCall): { readonly layer?: number } | undefined {
    const page = this.#page;
    if (!page) return undefined;
    if (call.name === 'setBackground') {
      const [rgba] = call.args as [Float32Array | undefined];
      page.background = rgba ? ([...rgba] as unknown as Rgba) : null;
      return {};
    }
    return madeByPage(page, call);
  }

  #madeByCore(topic: SessionTopic, name: string, args: readonly unknown[]): unknown {
    const target = (topic === 'stage' ? this.#stage : this.#stage[topic]) as unknown as Methods;
    return guarded(() => target[name]?.(...args));
  }
}
