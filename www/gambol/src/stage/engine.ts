// The engine of a viewer: calls to the stage, the frame loop, and the delivery of events in order.

import type { CameraControls, GrabbedPoint } from '../camera/camera-controls.ts';
import { CameraMotion, reducedMotionQuery, type MotionSource } from '../camera/motion.ts';
import { cameraControlsPart } from '../camera/part.ts';
import { Clock } from './clock.ts';
import { checkedRgba, type Rgba } from '../values/color.ts';
import { ownContext, sharedContext, type Screen } from './graphics-context.ts';
import { NOTHING, measured, ticked, type Core, type CoreStage, type Hit, type StageEvent } from '../wasm/core.ts';
import { GambolError, asGambolError, notUsed } from '../base/errors.ts';
import { Followers } from './followers.ts';
import { FrameLoop } from './frame-loop.ts';
import type { JointNames } from './joint-names.ts';
import type { LastPicture } from './last-picture.ts';
import { checkedBudget, type CameraControlSettings, type ViewerOptions } from '../values/options.ts';
import { vectorAt, type Vector } from '../values/transforms.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import { Settings } from './settings.ts';
import { StageHost } from './stage-host.ts';
import { CanvasObserver } from './canvas-observer.ts';
import { delay } from '../base/scheduling.ts';
import { lazily } from '../base/lazily.ts';
import type { FeatureName } from '../values/words.ts';
import { guarded } from '../wasm/guarded.ts';

export interface EngineListener {
  /** Called before the timeline advances and a frame is drawn. */
  frameBegins(): void;
  cameraMoved(source: MotionSource): void;
  contextLost(): void;
  contextRestored(): void;
  /** Called with the error of a feature that a setting waits for. */
  settingFailed(error: unknown): void;
  /** Called after an error. If `fatal`, no more frames are drawn. */
  failed(error: GambolError, fatal: boolean): void;
}

/** A receiver of the events of one actor. */
export interface ActorListener {
  /** Handles an event. It is never called during a call into the module, so it may call any method. */
  stageEvent(event: StageEvent): void;
  /** Called after a frame was drawn. Promises added to `waiting` are resolved when it is presented. */
  drawn(waiting: Deferred[]): void;
  /** Called when the viewer has failed or was disposed of. */
  abort(error: GambolError): void;
}

/** Advances a stage to a time of the page's clock in milliseconds, and draws it; returns `true` if another frame is needed. */
export type Tick = (stage: CoreStage, now: number) => boolean;

/** Receives the events of a crowd. */
type CrowdListener = Pick<ActorListener, 'stageEvent'>;

export class Engine {
  readonly core: Core;
  readonly host: StageHost;
  /** The settings that wait for a feature. */
  readonly settings: Settings;
  /** The default texture budget of loads. */
  readonly textureBudget: number | undefined;
  /** Elements that follow joints. */
  readonly followers: Followers;
  /** The clock of the timeline. */
  readonly clock: Clock;
  readonly #actors = new Map<number, ActorListener>();
  /** The crowds with listeners. They have numbers of actors, but no transport. */
  readonly #crowds = new Map<number, CrowdListener>();
  #listener: EngineListener | undefined;
  readonly #observer: CanvasObserver;
  readonly #loop: FrameLoop;
  /** The movement of the camera. */
  readonly motion: CameraMotion;
  readonly #canvas: HTMLCanvasElement;
  #controls: CameraControls | undefined;
  /** The overlay of joint names, after it was first shown. */
  #names: JointNames | undefined;
  /** `true` if joint names shall be shown. */
  #named = false;
  #settings: CameraControlSettings | null = null;
  #background: Rgba | undefined;
  /** The media query for reduced motion. Created once, because it is read in each frame. */
  readonly #reducedMotionQuery = reducedMotionQuery();
  /** The value that was last set on the stage: `true` if the automatic camera may glide. */
  #glides = true;
  #maxFps = Infinity;
  readonly #forgetPanic: () => void;
  readonly #picture: LastPicture | undefined;
  /** The number of drawn frames at the last call of `#drawn`. */
  #frames = 0;
  readonly #events: StageEvent[] = [];
  /** See {@link Engine.measure}. */
  #measured: Float64Array = NOTHING;
  readonly #waiting: Deferred[] = [];
  #delivering = false;
  #cameraMoved: MotionSource | undefined;
  #ended: GambolError | undefined;
  /** Advances the stage and draws it; a session of WebXR replaces it. */
  #tick: Tick = ticked;

  /** @throws {@link GambolError} `render/webgl2-unsupported` */
  constructor(core: Core, canvas: HTMLCanvasElement, options: ViewerOptions, given?: Screen) {
    this.core = core;
    this.settings = new Settings({
      core,
      isEnded: () => this.ended,
      call: (change) => this.call(change),
      failed: (error) => this.#listener?.settingFailed(error),
    });
    this.textureBudget = checkedBudget(options.textureBudget);
    this.followers = new Followers(canvas);
    this.#loop = new FrameLoop(canvas, (now) => this.#frame(now));
    this.clock = new Clock({
      stage: () => (this.#ended ? undefined : this.host.stage),
      moved: () => this.flush(),
      anchor: (stage) => {
        for (const actor of this.#actors.keys()) {
          if (!stage.query.paused(actor, 0)) stage.playback.setStartTime(actor, 0, 0);
        }
      },
    });
    const screen =
      given ??
      (options.renderer === 'shared'
        ? sharedContext(core, canvas)
        : ownContext(core, canvas, options.antialias ?? true));
    this.#picture = screen.lastPicture;
    this.host = new StageHost(core, screen, options.skinOn === 'cpu', {
      lost: () => {
        this.#picture?.show();
        this.#updateLoop();
        this.#listener?.contextLost();
      },
      restored: () => {
        this.#drawn(false);
        this.#picture?.hide();
        this.#updateLoop();
        this.#listener?.contextRestored();
      },
      failed: (error) => this.#fail(error),
    });
    this.background = checkedRgba(options.background ?? null);
    this.#observer = new CanvasObserver(canvas, options.maxDpr ?? 2, {
      resized: (width, height, ratio) => this.#resized(width, height, ratio),
      visible: () => this.#updateLoop(),
    });
    this.#canvas = canvas;
    this.motion = new CameraMotion({
      state: () => this.cameraState(),
      heading: () => this.cameraHeading(),
      set: (azimuth, polar, distance, x, y, z, fovY) =>
        this.#camera(({ camera }) => camera.set(azimuth, polar, distance, x, y, z, fovY)),
      reset: () => this.#camera(({ camera }) => camera.reset()),
      request: () => this.#loop.request(),
    });
    this.#forgetPanic = core.onPanic((error) => this.#fail(error));
    this.#updateReducedMotion();
    this.#updateLoop();
  }

  /** The background colour; undefined for transparent. */
  get background(): Rgba | undefined {
    return this.#background;
  }

  set background(color: Rgba | undefined) {
    this.#background = color;
    this.host.setBackground(color);
  }

  /** The camera controls; `undefined` without any, and until their script is loaded. */
  get cameraControls(): CameraControls | undefined {
    return this.#controls;
  }

  /** The upper limit of frames per second. */
  get maxFps(): number {
    return this.#maxFps;
  }

  set maxFps(fps: number) {
    this.#maxFps = fps;
    this.#loop.interval = 1000 / fps;
  }

  /** `true` if frames are drawn: the canvas is visible and has a context. */
  get running(): boolean {
    return !this.#loop.held;
  }

  /** The settings of the camera controls; null for no controls. */
  get controls(): CameraControlSettings | null {
    return this.#settings;
  }

  /**
   * Replaces the camera controls, at once if their script is loaded; null for no controls.
   * @throws {@link GambolError} `load/chunk`
   */
  async setControls(settings: CameraControlSettings | null): Promise<void> {
    this.#controls?.dispose();
    this.#controls = undefined;
    this.#settings = settings;
    if (!settings) return;
    const { CameraControls } = cameraControlsPart.loaded ?? (await cameraControlsPart.load());
    if (this.#settings !== settings || this.#ended) return;
    this.#controls = new CameraControls(this.#canvas, this.motion, settings, (x, y) => this.#surfaceAt(x, y));
  }

  /**
   * Shows or hides the names of joints. Their script is loaded lazily.
   * @throws {@link GambolError} `wasm/load`
   */
  async showNames(on: boolean): Promise<void> {
    this.#named = on;
    if (!on) return this.#names?.show(false);
    const { JointNames } = await lazily('the script for joint names', () => import('./joint-names.ts'));
    if (!this.#named || this.#ended) return;
    this.#names ??= new JointNames(this.#canvas, this.host);
    this.#names.show(true);
    this.#moveFollowers();
  }

  /** The largest width or height of a texture. */
  get maxTextureSize(): number {
    return this.host.capacity.maxTextureSize;
  }

  /** `true` after the viewer has failed or was disposed of. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Throws the final error after the viewer has failed or was disposed of. */
  check(): void {
    if (this.#ended) throw this.#ended;
  }

  /** Throws unless the feature that the call `name` needs runs. @throws {@link GambolError} `feature/not-used` */
  needs(feature: FeatureName, name: string): void {
    if (this.core.features.has(feature)) return;
    this.check();
    throw notUsed(feature, name);
  }

  /** The surface point in world space at a point of the canvas; null for none, `undefined` while `picking` is loading. */
  #surfaceAt(x: number, y: number): GrabbedPoint {
    if (this.core.features.has('picking')) return this.pick(x, y)?.position ?? null;
    // The user's first gesture asks for it. The camera controls do not wait for it.
    this.core.loadFeatures(['picking']).catch(() => undefined);
    return undefined;
  }

  /**
   * The surface at a point of the canvas: the hit, and its position and normal in world space. Null for none, and after the end.
   */
  pick(x: number, y: number): { readonly hit: Hit; readonly position: Vector; readonly normal: Vector } | null {
    const hit = this.read(({ query }) => query.pick(x, y), undefined);
    return hit ? { hit, position: vectorAt(hit.position), normal: vectorAt(hit.normal) } : null;
  }

  /**
   * Replaces the frames of the window by those of a session of WebXR, which calls the returned function for each; `undefined` ends that.
   */
  immerse(tick: Tick | undefined): (now: number) => void {
    this.#tick = tick ?? ticked;
    if (!tick) this.#loop.release();
    this.#updateLoop();
    if (!tick) this.#observer.refresh();
    return (now) => void this.#frame(now);
  }

  /** Draws in another window if the canvas has moved to its document. Each frame calls it, too. */
  follow(): void {
    this.#observer.follow();
    this.#loop.follow();
  }

  /** Sets the listener of the engine. */
  listen(listener: EngineListener): void {
    this.#listener = listener;
  }

  /** Sets the receiver of an actor's events. */
  register(actor: number, listener: ActorListener): void {
    this.#actors.set(actor, listener);
  }

  /** The receiver of an actor's events: its performer. */
  performer(actor: number): ActorListener | undefined {
    return this.#actors.get(actor);
  }

  /** Sets the receiver of a crowd's events. */
  registerCrowd(crowd: number, listener: CrowdListener): void {
    this.#crowds.set(crowd, listener);
  }

  /** The receiver of a crowd's events: the object that the page has. */
  crowd(crowd: number): CrowdListener | undefined {
    return this.#crowds.get(crowd);
  }

  /** Removes an actor from the stage. */
  removeActor(actor: number): void {
    this.#actors.delete(actor);
    this.#crowds.delete(actor);
    if (!this.#ended) this.call(() => this.host.remove(actor));
  }

  /** Calls `change` with the stage, delivers its events, and requests a frame. */
  call<T>(change: (stage: CoreStage) => T): T {
    this.clock.catchUp();
    const result = guarded(() => change(this.#stage()));
    this.flush();
    this.#loop.request();
    return result;
  }

  /** Advances the timeline by `seconds`, and delivers the events. */
  elapse(seconds: number): void {
    this.clock.catchUp();
    if (guarded(elapsed, this.#stage(), seconds)) this.flush();
    this.#loop.request();
  }

  /**
   * The minimum and maximum of the box of an actor's pose, valid until the next call. Empty without a model, and after the end.
   */
  measure(actor: number): Float64Array {
    const { stage } = this.host;
    if (!stage || this.#ended || !guarded(measured, stage, actor)) return NOTHING;
    if (this.#measured.length === 0) this.#measured = guarded(measuredAt, stage);
    return this.#measured;
  }

  /** Azimuth, polar angle, distance, target X, Y, Z, vertical field of view; empty after the end. */
  cameraState(): Float64Array {
    return this.read(({ query }) => query.camera(), NOTHING);
  }

  /** The angle in radians from +Z to the front of the models, from which the azimuth of the camera is counted. */
  cameraHeading(): number {
    return this.read(({ query }) => query.heading(), 0);
  }

  /** Moves the camera by a call of the page, and ends its other movements. */
  moveCamera(change: (stage: CoreStage) => void): void {
    this.motion.settle();
    this.call(change);
    this.#cameraMoved ??= 'none';
  }

  /** Returns the result of `read`; throws after the end. */
  readOrThrow<T>(read: (stage: CoreStage) => T): T {
    return guarded(() => read(this.#stage()));
  }

  /** Returns the result of `read`, or the fallback after the end. */
  read<T>(read: (stage: CoreStage) => T, fallback: T): T {
    const { stage } = this.host;
    return stage && !this.#ended ? guarded(() => read(stage)) : fallback;
  }

  /**
   * Delivers the events that the module has queued. A listener may call the engine; events of that call are delivered after the
   * others.
   */
  flush(): void {
    const { stage } = this.host;
    if (stage && !this.#ended && guarded(hasEvents, stage)) guarded(takeEvents, stage, this.#events);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let event = this.#events.shift(); event; event = this.#events.shift())
        (this.#actors.get(event.actor) ?? this.#crowds.get(event.actor))?.stageEvent(event);
    } finally {
      this.#delivering = false;
    }
  }

  /** Uploads the lighting that was set to the GPU, and requests a frame. */
  async light(signal: AbortSignal): Promise<void> {
    await this.host.light(signal);
    this.call(() => undefined);
  }

  /** Draws a frame synchronously. */
  draw(): void {
    // After a loss of the context, a stage has nothing to draw until its models are uploaded again.
    if (!this.host.lost) guarded(() => this.host.stage?.draw());
    this.#drawn(false);
  }

  /** Draws a still of the current time to the canvas. Call {@link draw} in the same task, before the browser paints. */
  drawStill(): void {
    if (this.host.lost || this.host.screen.context.lost) return;
    const { width, height } = this.#canvas;
    this.readOrThrow((stage) => stage.drawStill({ width, height, pose: undefined, background: undefined }));
    this.host.present();
  }

  /** Resolves after a frame with all calls so far was presented. */
  presented(): Promise<void> {
    const wait = deferred();
    this.#waiting.push(wait);
    if (this.#loop.held) {
      // While the canvas is not visible there are no animation frames, so one frame is drawn in a timeout.
      setTimeout(() => {
        if (this.#loop.held) this.#still();
      });
    } else {
      this.#loop.request();
    }
    return wait.promise;
  }

  dispose(): void {
    for (const listener of this.#actors.values())
      listener.abort(new GambolError('play/aborted', 'Playback aborted: the viewer was disposed of.'));
    this.#end(new GambolError('viewer/disposed', 'This viewer was disposed of. Create another one.'));
    this.host.dispose();
    this.#picture?.hide();
  }

  #stage(): CoreStage {
    this.check();
    const { stage } = this.host;
    if (!stage)
      throw new GambolError(
        'render/context-lost',
        'The WebGL context was lost and could not be restored. Reload the page.',
      );
    return stage;
  }

  #camera(change: (stage: CoreStage) => void): void {
    if (this.#ended || !this.host.stage) return;
    this.call(change);
    if (this.#cameraMoved !== 'user-interaction') this.#cameraMoved = this.motion.source;
  }

  #frame(now: number): boolean {
    try {
      this.#observer.follow();
      this.#listener?.frameBegins();
      this.#updateReducedMotion();
      const moving = this.motion.update(now);
      const clockMoves = this.clock.update();
      const more = this.#tick(this.#stage(), now);
      this.clock.drawn(now, more);
      if (guarded(cameraGlided, this.#stage())) this.#cameraMoved ??= 'none';
      this.#drawn(clockMoves || more || moving, now);
      this.#afterFrame();
      return (clockMoves || more || moving) && !this.#ended;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Enables or disables gliding of the automatic camera on the stage, by the media query for reduced motion. */
  #updateReducedMotion(): void {
    const glides = !this.#reducedMotionQuery.matches;
    if (glides === this.#glides) return;
    this.#glides = glides;
    guarded(() => this.#stage().camera.setGlides(glides));
  }

  /** Draws a frame for waiting promises while the canvas is not visible, without advancing time. */
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
    this.#actors.forEach(this.#notifyDrawn);
    if (this.#waiting.length > 0) this.#resolve(this.#waiting.splice(0));
  }

  /** Resolves promises in the next task, after the browser has painted. */
  #resolve(waiting: readonly Deferred[]): void {
    void (this.host.screen.shown?.() ?? delay(0)).then(() => waiting.forEach(({ resolve }) => resolve()));
  }

  readonly #notifyDrawn = (listener: ActorListener): void => listener.drawn(this.#waiting);

  /** Presents the picture and keeps a copy of it, if a frame was drawn in this task. */
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
    if (this.#ended || this.#immersed) return;
    try {
      this.host.resize(width, height, ratio);
      // A new size clears the canvas, so it is drawn again before the browser paints.
      if (!this.host.lost) this.draw();
      if (this.#picture?.shown) this.#picture.show();
      this.#moveFollowers();
    } catch (error) {
      this.#fail(error);
    }
  }

  get #immersed(): boolean {
    return this.#tick !== ticked;
  }

  /** Holds or releases the frame loop and the clock, by the visibility of the canvas and its context. */
  #updateLoop(): void {
    if (this.#immersed && !this.#ended) {
      // The timeline goes on.
      if (this.#loop.held) this.clock.release();
      this.#loop.hold();
    } else if (this.#ended || this.host.lost || !this.#observer.visible) {
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
    // The error is final, because the next frame would throw it again.
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
    for (const listener of this.#actors.values()) listener.abort(error);
    this.#actors.clear();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

// Top-level functions, because a closure is an object, and a frame must not allocate.

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
      actor: events.actor,
      track: events.track,
      playback: events.playback,
      type: events.type,
      time: events.time,
      skipped: events.skipped,
      iteration: events.iteration,
      from: events.from ?? -1,
      to: events.to ?? -1,
      name: events.name ?? '',
    });
  }
}

function framesOf(stage: CoreStage): number {
  return stage.query.frames();
}
