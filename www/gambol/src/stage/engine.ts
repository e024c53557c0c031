// What turns calls into frames: the stage, one animation frame in flight, and the events in their order.

import { CameraControls, type GrabbedPoint } from '../camera/controls.ts';
import { CameraMotion, lessMotion, type MotionSource } from '../camera/motion.ts';
import { Clock } from './clock.ts';
import { checkedRgba, type Rgba } from '../values/color.ts';
import { ownContext, sharedContext, type Screen } from './graphics-context.ts';
import { NOTHING, measured, ticked, type Core, type CoreStage, type Hit, type StageEvent } from '../wasm/core.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { Followers } from './followers.ts';
import { FrameLoop } from './frame-loop.ts';
import type { JointNames } from './joint-names.ts';
import type { LastPicture } from './last-picture.ts';
import { checkedBudget, type CameraControlSettings, type ViewerOptions } from '../values/options.ts';
import { placeAndNormal, type Vector } from '../values/transforms.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import { StageHost } from './stage-host.ts';
import { CanvasObserver } from './canvas-observer.ts';
import { moment } from '../base/scheduling.ts';
import { lazily } from '../base/lazily.ts';
import { guarded } from '../wasm/guarded.ts';

export interface EngineListener {
  /** Time is about to move, and a frame to be drawn. */
  frameBegins(): void;
  cameraMoved(source: MotionSource): void;
  contextLost(): void;
  contextRestored(): void;
  /** After this nothing is drawn any more if `fatal`. */
  failed(error: GambolError, fatal: boolean): void;
}

/** Somebody on stage. */
export interface Enrolled {
  /** Never called while Rust is borrowed, so it may call anything. */
  stageEvent(event: StageEvent): void;
  /** A frame was drawn; those added to `waiting` wait until it is presented. */
  drawn(waiting: Deferred[]): void;
  /** All is over. */
  abort(error: GambolError): void;
}

export class Engine {
  readonly core: Core;
  readonly host: StageHost;
  /** Of loads that say no other. */
  readonly textureBudget: number | undefined;
  /** Elements that follow joints. */
  readonly followers: Followers;
  /** What moves the timeline. */
  readonly clock: Clock;
  readonly #cast = new Map<number, Enrolled>();
  #listener: EngineListener | undefined;
  readonly #observer: CanvasObserver;
  readonly #loop: FrameLoop;
  /** Where the camera goes. */
  readonly motion: CameraMotion;
  readonly #canvas: HTMLCanvasElement;
  #controls: CameraControls | undefined;
  /** The names of joints, once they have been shown; whether they are to be. */
  #names: JointNames | undefined;
  #named = false;
  #settings: CameraControlSettings | null = null;
  #background: Rgba | undefined;
  /** Asked before each frame, which makes no garbage. */
  readonly #lessMotion = lessMotion();
  /** `true` if the stage was told that the automatic camera glides. */
  #glides = true;
  #maxFps = Infinity;
  readonly #forgetPanic: () => void;
  readonly #picture: LastPicture | undefined;
  /** How many frames there were when the picture was last looked at. */
  #frames = 0;
  readonly #events: StageEvent[] = [];
  /** See {@link Engine.measure}. */
  #measured: Float64Array = NOTHING;
  readonly #waiting: Deferred[] = [];
  #delivering = false;
  #cameraMoved: MotionSource | undefined;
  #ended: GambolError | undefined;

  /** @throws {@link GambolError} `render/webgl2-unsupported` */
  constructor(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions, given?: Screen) {
    this.core = core;
    this.textureBudget = checkedBudget(options.textureBudget);
    this.followers = new Followers(canvas);
    this.#loop = new FrameLoop((now) => this.#frame(now));
    this.clock = new Clock({
      stage: () => (this.#ended ? undefined : this.host.stage),
      moved: () => this.flush(),
      anchor: (stage) => {
        for (const actor of this.#cast.keys()) {
          if (!stage.query.paused(actor, 0)) stage.playback.setStartTime(actor, 0, 0);
        }
      },
    });
    const screen = given ?? (options.renderer === 'shared' ? sharedContext(core, canvas) : ownContext(core, canvas, options.antialias ?? true));
    this.#picture = screen.lastPicture;
    this.host = new StageHost(core, screen, (options.skinOn ?? options.skinning) === 'cpu', {
      lost: () => {
        this.#picture?.show();
        this.#gate();
        this.#listener?.contextLost();
      },
      restored: () => {
        this.#drawn(false);
        this.#picture?.hide();
        this.#gate();
        this.#listener?.contextRestored();
      },
      failed: (error) => this.#fail(error),
    });
    this.background = checkedRgba(options.background ?? null);
    this.#observer = new CanvasObserver(canvas, options.maxDpr ?? 2, {
      resized: (width, height, ratio) => this.#resized(width, height, ratio),
      visible: () => this.#gate(),
    });
    this.#canvas = canvas;
    this.motion = new CameraMotion({
      state: () => this.cameraState(),
      set: (azimuth, polar, distance, x, y, z, fovY) => this.#camera(({ camera }) => camera.set(azimuth, polar, distance, x, y, z, fovY)),
      reset: () => this.#camera(({ camera }) => camera.reset()),
      request: () => this.#loop.request(),
    });
    const { cameraControls = true, touchAction = 'none', keyboard = true } = options;
    if (cameraControls) this.controls = { touchAction, keyboard, ...(typeof cameraControls === 'object' ? cameraControls : {}) };
    this.#forgetPanic = core.onPanic((error) => this.#fail(error));
    this.#tellMotion();
    this.#gate();
  }

  /** What is behind the actors; nothing is transparent. */
  get background(): Rgba | undefined {
    return this.#background;
  }

  set background(color: Rgba | undefined) {
    this.#background = color;
    this.host.setBackground(color);
  }

  /** How the page's fingers, buttons and keys move the camera now; `undefined` if they do not. */
  get hands(): CameraControls | undefined {
    return this.#controls;
  }

  /** The most frames a second. */
  get maxFps(): number {
    return this.#maxFps;
  }

  set maxFps(fps: number) {
    this.#maxFps = fps;
    this.#loop.interval = 1000 / fps;
  }

  /** Whether frames are drawn: seen, and with a context. */
  get running(): boolean {
    return !this.#loop.held;
  }

  /** How hands move the camera; null if they do not. */
  get controls(): CameraControlSettings | null {
    return this.#settings;
  }

  set controls(settings: CameraControlSettings | null) {
    this.#controls?.dispose();
    this.#settings = settings;
    this.#controls = settings ? new CameraControls(this.#canvas, this.motion, settings, (x, y) => this.#surfaceAt(x, y)) : undefined;
  }

  /**
   * Shows the names of joints, or no longer. What does it is a script of its own.
   * @throws {@link GambolError} `wasm/load`
   */
  async showNames(on: boolean): Promise<void> {
    this.#named = on;
    if (!on) return this.#names?.show(false);
    const { JointNames } = await lazily('what shows the names of joints', () => import('./joint-names.ts'));
    if (!this.#named || this.#ended) return;
    this.#names ??= new JointNames(this.#canvas, this.host);
    this.#names.show(true);
    this.#moveFollowers();
  }

  /** `true` if there is nothing to call any more. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Throws if there is nothing to call any more. */
  check(): void {
    if (this.#ended) throw this.#ended;
  }

  /** The point of the world that is seen at a place of the canvas; null for none, `undefined` while what finds it is on its way. */
  #surfaceAt(x: number, y: number): GrabbedPoint {
    if (this.core.isComplete()) return this.pick(x, y)?.position ?? null;
    // A page does not stand still for it.
    this.core.loadRest().catch(() => undefined);
    return undefined;
  }

  /** The surface that is seen at a place of the canvas: the hit, a point of the world and a direction. Null for none, and after the end. */
  pick(x: number, y: number): { readonly hit: Hit; readonly position: Vector; readonly normal: Vector } | null {
    const hit = this.read(({ query }) => query.pick(x, y), undefined);
    const place = hit && placeAndNormal(hit.place);
    return place ? { hit, ...place } : null;
  }

  /** Who is told what happens. */
  listen(listener: EngineListener): void {
    this.#listener = listener;
  }

  /** From now on events of an actor go to this one. */
  enrol(actor: number, enrolled: Enrolled): void {
    this.#cast.set(actor, enrolled);
  }

  /** Takes an actor off the stage. */
  dismiss(actor: number): void {
    this.#cast.delete(actor);
    if (!this.#ended) this.call(() => this.host.remove(actor));
  }

  /** Changes something: delivers the events of it and asks for a frame. */
  call<T>(change: (stage: CoreStage) => T): T {
    this.clock.catchUp();
    const result = guarded(() => change(this.#stage()));
    this.flush();
    this.#loop.request();
    return result;
  }

  /** Moves the timeline by so many seconds, and delivers what happens on the way. */
  elapse(seconds: number): void {
    this.clock.catchUp();
    if (guarded(elapsed, this.#stage(), seconds)) this.flush();
    this.#loop.request();
  }

  /** Least and greatest corner of the box of an actor's pose; nothing if nothing is shown, and after the end. Good until the next call. */
  measure(actor: number): Float64Array {
    const { stage } = this.host;
    if (!stage || this.#ended || !guarded(measured, stage, actor)) return NOTHING;
    if (this.#measured.length === 0) this.#measured = guarded(measuredAt, stage);
    return this.#measured;
  }

  /** Azimuth, polar angle, distance, target X, Y, Z, vertical field of view; nothing after the end. */
  cameraState(): Float64Array {
    return this.read(({ query }) => query.camera(), NOTHING);
  }

  /** Moves the camera on behalf of the page. */
  moveCamera(change: (stage: CoreStage) => void): void {
    this.motion.settle();
    this.call(change);
    this.#cameraMoved ??= 'none';
  }

  /** Looks something up. */
  look<T>(look: (stage: CoreStage) => T): T {
    return guarded(() => look(this.#stage()));
  }

  /** Looks something up; after the end there is only the fallback. */
  read<T>(look: (stage: CoreStage) => T, fallback: T): T {
    const { stage } = this.host;
    return stage && !this.#ended ? guarded(() => look(stage)) : fallback;
  }

  /**
   * Hands out what Rust has queued. A listener may call back in; what that queues comes after what was there before.
   */
  flush(): void {
    const { stage } = this.host;
    if (stage && !this.#ended && guarded(hasEvents, stage)) guarded(takeEvents, stage, this.#events);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let event = this.#events.shift(); event; event = this.#events.shift()) this.#cast.get(event.actor)?.stageEvent(event);
    } finally {
      this.#delivering = false;
    }
  }

  /** Brings the light that was set to the GPU, and asks for a frame. */
  async light(signal: AbortSignal): Promise<void> {
    await this.host.light(signal);
    this.call(() => undefined);
  }

  /** Draws now, whatever that takes. */
  draw(): void {
    // Until its models are in the renderer that came after a loss, a stage has nothing to draw.
    if (!this.host.lost) guarded(() => this.host.stage?.draw());
    this.#drawn(false);
  }

  /** Draws a still of now to the canvas. {@link draw} is to be called in the same task, so that nobody sees it. */
  drawStill(): void {
    if (this.host.lost || this.host.screen.context.lost) return;
    const { width, height } = this.#canvas;
    this.look((stage) => stage.drawStill(width, height));
    this.host.present();
  }

  /** Resolves after a frame with everything called so far was presented. */
  presented(): Promise<void> {
    const wait = deferred();
    this.#waiting.push(wait);
    if (this.#loop.held) {
      // Nobody sees it, so it is drawn once where no animation frame comes.
      setTimeout(() => {
        if (this.#loop.held) this.#still();
      });
    } else {
      this.#loop.request();
    }
    return wait.promise;
  }

  dispose(): void {
    for (const enrolled of this.#cast.values()) enrolled.abort(new GambolError('play/aborted', 'The viewer was disposed of.'));
    this.#end(new GambolError('viewer/disposed', 'This viewer has been disposed of.'));
    this.host.dispose();
    this.#picture?.hide();
  }

  #stage(): CoreStage {
    this.check();
    const { stage } = this.host;
    if (!stage) throw new GambolError('render/context-lost', 'The graphics context is lost and could not be made anew.');
    return stage;
  }

  #camera(change: (stage: CoreStage) => void): void {
    if (this.#ended || !this.host.stage) return;
    this.call(change);
    if (this.#cameraMoved !== 'user-interaction') this.#cameraMoved = this.motion.source;
  }

  #frame(now: number): boolean {
    try {
      this.#listener?.frameBegins();
      this.#tellMotion();
      const moving = this.motion.update(now);
      const asks = this.clock.update();
      const more = ticked(this.#stage(), now);
      this.clock.drawn(now, more);
      if (guarded(cameraGlided, this.#stage())) this.#cameraMoved ??= 'none';
      this.#drawn(asks || more || moving, now);
      this.#afterFrame();
      return (asks || more || moving) && !this.#ended;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Tells the stage whether the automatic camera may glide. */
  #tellMotion(): void {
    const glides = !this.#lessMotion.matches;
    if (glides === this.#glides) return;
    this.#glides = glides;
    guarded(() => this.#stage().camera.setGlides(glides));
  }

  /** A frame for those who wait, without time passing. */
  #still(): void {
    try {
      if (!this.#ended) {
        guarded(() => {
          const stage = this.#stage();
          this.clock.catchUp();
          stage.resetClock();
          ticked(stage, performance.now());
        });
        this.#drawn(false);
      }
      this.#afterFrame();
    } catch (error) {
      this.#fail(error);
    }
  }

  #afterFrame(): void {
    this.flush();
    const source = this.#cameraMoved;
    this.#cameraMoved = undefined;
    if (source) this.#listener?.cameraMoved(source);
    this.#moveFollowers();
    this.#cast.forEach(this.#tellDrawn);
    if (this.#waiting.length > 0) this.#resolve(this.#waiting.splice(0));
  }

  /** The browser paints at the end of this task; the next one comes after that. */
  #resolve(waiting: readonly Deferred[]): void {
    void (this.host.screen.shown?.() ?? moment(0)).then(() => waiting.forEach(({ resolve }) => resolve()));
  }

  readonly #tellDrawn = (enrolled: Enrolled): void => enrolled.drawn(this.#waiting);

  /** Keeps the picture, if a frame was drawn in this task. */
  #drawn(moves: boolean, now = performance.now()): void {
    const { stage, lost } = this.host;
    if (!stage || lost || this.#ended) return;
    const frames = guarded(framesOf, stage);
    if (frames === this.#frames) return;
    this.#frames = frames;
    if (this.host.present()) this.#picture?.keep(now, moves);
  }

  #moveFollowers(): void {
    const { stage } = this.host;
    if (stage && !this.#ended) guarded(this.#followed, stage);
  }

  readonly #followed = (stage: CoreStage): void => {
    this.followers.update(stage);
    if (this.#names) this.#nameJoints(this.#names, stage);
  };

  #nameJoints(names: JointNames, stage: CoreStage): void {
    names.update((actor) => stage.query.projectJoints(actor));
  }

  #resized(width: number, height: number, ratio: number): void {
    if (this.#ended) return;
    try {
      this.host.resize(width, height, ratio);
      // A canvas is cleared by its new size, and this is before the browser paints.
      if (!this.host.lost) this.draw();
      if (this.#picture?.shown) this.#picture.show();
      this.#moveFollowers();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Lets frames through, or not. Time stands still meanwhile. */
  #gate(): void {
    if (this.#ended || this.host.lost || !this.#observer.visible) {
      if (!this.#loop.held) this.clock.hold();
      this.#loop.hold();
      if (this.#waiting.length > 0) setTimeout(() => this.#loop.held && this.#still());
    } else if (this.#loop.held) {
      this.clock.release();
      this.#loop.release();
    } else {
      this.#loop.request();
    }
  }

  #fail(thrown: unknown): void {
    if (this.#ended) return;
    const error = asGambolError(thrown, 'viewer/failed');
    // Whatever a frame throws, the next one would throw again.
    this.#end(error);
    if (error.code === 'wasm/panic') this.host.abandon();
    else this.host.stop();
    this.#listener?.failed(error, true);
  }

  #end(error: GambolError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#loop.hold();
    this.clock.dispose();
    this.#observer.dispose();
    this.#controls?.dispose();
    this.#forgetPanic();
    this.followers.clear();
    this.#names?.show(false);
    this.#events.length = 0;
    for (const enrolled of this.#cast.values()) enrolled.abort(error);
    this.#cast.clear();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

// Functions of their own, since a frame makes no garbage, and each `() =>` is an object.

function elapsed(stage: CoreStage, seconds: number): boolean {
  return stage.elapse(seconds);
}

function cameraGlided(stage: CoreStage): boolean {
  return stage.events.cameraGlided();
}

function measuredAt(stage: CoreStage): Float64Array {
  return stage.query.measured();
}

function hasEvents(stage: CoreStage): boolean {
  return stage.query.hasEvents();
}

function takeEvents({ events }: CoreStage, taken: StageEvent[]): void {
  while (events.next()) {
    taken.push({
      actor: events.actor, track: events.track, playback: events.playback, type: events.type, time: events.time, skipped: events.skipped,
      iteration: events.iteration, from: events.from ?? -1, to: events.to ?? -1, name: events.name ?? '',
    });
  }
}

function framesOf(stage: CoreStage): number {
  return stage.query.frames();
}
