// The frames of a recording: the still of each time, from a film.

import type { Viewer } from '../api/viewer.ts';
import type { StillPixels } from '../stage/graphics-context.ts';
import type { CoreStage } from '../wasm/core.ts';
import { Reel } from './film.ts';
import { durationOf, timeOf, type Plan } from './options.ts';
import { Replay } from './replay.ts';

/** A frame: its pixels, with colours that are multiplied by alpha, and its time and duration in seconds. */
export interface Frame extends StillPixels {
  readonly index: number;
  readonly time: number;
  readonly duration: number;
}

/** The directions from which a turntable measures its distance, in one turn. */
const DIRECTIONS = 16;

export class Frames {
  readonly #plan: Plan;
  readonly #reel: Reel;
  readonly #replay: Replay | undefined;
  /** The timeline's time of the film. */
  #now: number;
  /** The camera of a turntable at the first frame. */
  #start: Camera | undefined;

  /** @throws `GambolError` as {@link Reel} */
  constructor(viewer: Viewer, plan: Plan) {
    this.#plan = plan;
    this.#now = -plan.warmup;
    this.#reel = new Reel(viewer);
    try {
      const actor = viewer.readActor<number | undefined>((_, number) => number, undefined);
      this.#stage.setClock(this.#now);
      if (plan.session) this.#replay = new Replay(plan.session, viewer, this.#stage);
      if (plan.clip !== undefined && actor !== undefined) this.#play(actor, plan.clip, viewer.uses('states'));
      this.#aim(actor, plan);
      this.#run(0);
    } catch (error) {
      this.#reel.free();
      throw error;
    }
  }

  get #stage(): CoreStage {
    return this.#reel.stage;
  }

  /**
   * Draws frame `i`; the calls must be in order.
   *
   * @throws `GambolError` as {@link Reel.pixels}
   */
  async frame(i: number, throwIfAborted: () => void): Promise<Frame> {
    const { width, height, grid, background, turns, clip, from } = this.#plan;
    const time = timeOf(this.#plan, i);
    this.#run(clip === undefined ? from + time : time);
    if (turns !== 0) this.#turn(time);
    const still = { width: width * grid, height: height * grid, background };
    const pixels = await this.#reel.pixels(still, throwIfAborted);
    return { ...mean(pixels, grid), index: i, time, duration: durationOf(this.#plan, i) };
  }

  free(): void {
    this.#reel.free();
  }

  /** Plays the clip such that it is at `from` when the timeline is at 0. `hasStates`: `true` if there are state machines. */
  #play(actor: number, clip: number, hasStates: boolean): void {
    const { playback } = this.#stage;
    const { from, duration, warmup, loop } = this.#plan;
    // A state machine would choose clips of its own.
    if (hasStates && this.#stage.query.states(actor)) this.#stage.layers.setStates(actor, undefined);
    playback.setTransition(actor, { mode: 'cut', duration: 0 });
    playback.setClip(actor, clip);
    const loopMode = loop && warmup > 0 ? 'repeat' : 'once';
    playback.configure(actor, 0, { rate: 1, loopMode, repetitions: Infinity });
    playback.setSegment(
      actor,
      0,
      ...(loop && warmup > 0 && duration > 0 ? ([from, from + duration] as const) : [undefined, undefined]),
    );
    const before = duration > 0 ? warmup % duration : 0;
    playback.seek(actor, 0, before > 0 ? from + duration - before : from);
    // A clip that is at its end would begin anew.
    if (duration > 0) playback.play(actor, 0);
    else playback.pause(actor, 0);
  }

  /** Chooses the camera. */
  #aim(actor: number | undefined, { camera, turns }: Plan): void {
    const stage = this.#stage;
    if (camera !== undefined && actor !== undefined) stage.camera.setViewCamera(actor, camera ?? undefined);
    if (turns === 0) return;
    const automatic = stage.query.framedCamera() !== undefined;
    const [azimuth = 0, polar = 0, , , , , fovY = 1] = stage.query.camera();
    if (!automatic) return;
    // One distance and one target for all directions, so that the model neither swells nor sways.
    const { width, height } = this.#plan;
    stage.resize(width, height, 1);
    stage.camera.setPadding(0, 0, 0, 0);
    const states = Array.from({ length: DIRECTIONS }, (_, i) => {
      const turned = azimuth + (2 * Math.PI * i) / DIRECTIONS;
      const [, , ...rest] = stage.query.camera() as unknown as Camera;
      stage.camera.set(turned, polar, ...rest);
      stage.camera.frame();
      return stage.query.camera() as unknown as Camera;
    });
    const distance = Math.max(...states.map((state) => state[2]));
    const center = (axis: 3 | 4 | 5): number => states.reduce((sum, state) => sum + state[axis], 0) / DIRECTIONS;
    stage.camera.set(azimuth, polar, distance, center(3), center(4), center(5), fovY);
  }

  /** Turns the camera to its angle at a time of the recording. */
  #turn(time: number): void {
    const { duration, turns } = this.#plan;
    const [azimuth, ...rest] = (this.#start ??= this.#stage.query.camera() as unknown as Camera);
    const angle = duration > 0 ? (2 * Math.PI * turns * time) / duration : 0;
    this.#stage.camera.set(azimuth + angle, ...rest);
  }

  /** Moves the timeline of the film to a time in steps of a frame, so that springs and feet swing in the same way each time. */
  #run(to: number): void {
    const { fps } = this.#plan;
    const from = this.#now;
    const steps = Math.max(1, Math.ceil((to - from) * fps - 1e-6));
    for (let i = 1; i <= steps; i++) this.#move(i === steps ? to : from + i / fps);
    this.#now = to;
  }

  #move(to: number): void {
    this.#replay?.advance(to, (time) => this.#stage.setTime(time));
    this.#stage.setTime(this.#replay ? this.#replay.timelineAt(to) : to);
    const { events } = this.#stage;
    while (events.next());
  }
}

type Camera = readonly [
  azimuth: number,
  polar: number,
  distance: number,
  x: number,
  y: number,
  z: number,
  fovY: number,
];

/** The means of squares of `grid` × `grid` pixels. */
function mean({ width, height, data }: StillPixels, grid: number): StillPixels {
  if (grid === 1) return { width, height, data };
  const [wide, high] = [width / grid, height / grid];
  const out = new Uint8Array(4 * wide * high);
  const sums = new Uint32Array(4 * wide);
  const samples = grid * grid;
  for (let y = 0; y < high; y++) {
    sums.fill(0);
    for (let row = 0; row < grid; row++) {
      let at = 4 * width * (y * grid + row);
      for (let x = 0; x < wide; x++) {
        for (let i = 0; i < grid; i++, at += 4) {
          for (let channel = 0; channel < 4; channel++)
            sums[4 * x + channel] = (sums[4 * x + channel] as number) + (data[at + channel] as number);
        }
      }
    }
    // Rounded to the nearest, so that equal samples keep their value.
    for (let i = 0; i < 4 * wide; i++) out[4 * wide * y + i] = ((sums[i] as number) + samples / 2) / samples;
  }
  return { width: wide, height: high, data: out };
}
