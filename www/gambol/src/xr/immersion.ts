// A session of WebXR in which a stage is drawn: its frames, views and end. What is drawn, and where, is up to its scene.

import { GambolError, asGambolError } from '../base/errors.ts';
import { deferred } from '../base/deferred.ts';
import type { Engine } from '../stage/engine.ts';
import { fit } from '../stage/graphics-context.ts';
import type { CoreStage } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';
import { multiply } from './math.ts';
import {
  supports,
  xrGlobals,
  xrSystem,
  type XrFrame,
  type XrLayer,
  type XrMode,
  type XrSession,
  type XrSessionInit,
  type XrSpace,
  type XrViewerPose,
} from './webxr.ts';

/** The numbers of a view for `drawViews` of the stage. */
const VIEW = 36;

/** A picture of the stage in a session. */
export interface Shown {
  /** `session_from_stage` */
  readonly matrix: Float32Array;
  /** Lines in the space of the stage: the two ends of each. */
  readonly marks: Float32Array;
  /** `true` to show the surroundings behind the stage. */
  readonly transparent: boolean;
}

/** The scene of a session. */
export interface XrScene {
  /**
   * Called in each frame; `undefined` draws nothing.
   * - `pose`: undefined while the device has lost its place.
   * - `seconds`: the time since the frame before.
   */
  update(frame: XrFrame, pose: XrViewerPose | undefined, seconds: number): Shown | undefined;
  /** Called after the end of the session. */
  ended(): void;
}

/** `true` while a session is open or is being opened: a device shows one at a time. */
let busy = false;

/** Opens a session. Call it in a handler of a gesture of the user. @throws `GambolError` `xr/…`, `viewer/disposed` */
export async function requestSession(engine: Engine, mode: XrMode, options: XrSessionInit): Promise<XrSession> {
  engine.check();
  if (engine.host.screen.films)
    throw new GambolError('xr/unsupported', 'A viewer with renderer: worker has no sessions. Use shared or own.');
  if (busy) throw new GambolError('xr/busy', 'Another session of AR or VR is open. End it first.');
  busy = true;
  try {
    const xr = xrSystem();
    if (!xr || !xrGlobals.XRWebGLLayer || !(await supports(mode))) {
      const secure = globalThis.isSecureContext === false ? ' It needs a page on https.' : '';
      throw new GambolError('xr/unsupported', `This device or browser has no WebXR session ${mode}.${secure}`);
    }
    const session = await xr.requestSession(mode, options);
    session.addEventListener('end', () => (busy = false), { once: true });
    return session;
  } catch (cause) {
    busy = false;
    if (cause instanceof GambolError) throw cause;
    const name = (cause as { readonly name?: string } | null)?.name ?? '';
    if (name === 'NotAllowedError' || name === 'SecurityError')
      throw new GambolError(
        'xr/denied',
        'The user or the page has not allowed the session: the camera or the sensors, or there was no tap or click.',
        { cause },
      );
    if (name === 'NotSupportedError')
      throw new GambolError('xr/unsupported', `This device has no WebXR session ${mode}.`, { cause });
    throw failure(cause);
  }
}

export class Immersion {
  readonly session: XrSession;
  /** The space of poses. */
  readonly space: XrSpace;
  /** Resolves when the session has ended. */
  readonly ended: Promise<void>;
  readonly gl: WebGL2RenderingContext;
  readonly #engine: Engine;
  #scene: XrScene | undefined;
  #layer: XrLayer | undefined;
  #views = new Float32Array(2 * VIEW);
  #tick: (now: number) => void = () => undefined;
  #frame: XrFrame | undefined;
  #before: number | undefined;
  #over = false;

  private constructor(engine: Engine, session: XrSession, space: XrSpace, gl: WebGL2RenderingContext) {
    const ended = deferred();
    this.#engine = engine;
    this.session = session;
    this.space = space;
    this.gl = gl;
    this.ended = ended.promise;
    session.addEventListener(
      'end',
      () => {
        this.#over = true;
        this.#frame = undefined;
        if (!engine.ended) engine.immerse(undefined);
        this.#scene?.ended();
        ended.resolve();
      },
      { once: true },
    );
  }

  /** Prepares a session for a stage; it is ended if that fails. @throws `GambolError` `xr/…`, `load/chunk`, `viewer/disposed` */
  static async open(engine: Engine, session: XrSession, spaces: readonly string[]): Promise<Immersion> {
    let over = false;
    session.addEventListener('end', () => (over = true), { once: true });
    try {
      await engine.core.loadFeatures(['extras', 'light']);
      const { gl } = engine.host.screen.context;
      await compatible(gl);
      // Some browsers lose the context to move it to the GPU of the device.
      await engine.host.usable;
      const space = await firstSpace(session, spaces);
      engine.check();
      if (over) throw new GambolError('xr/failed', 'The session has ended already.');
      const opened = new Immersion(engine, session, space, gl);
      opened.#addLayer();
      return opened;
    } catch (error) {
      if (!over) await session.end().catch(() => (busy = false));
      throw error instanceof GambolError ? error : failure(error);
    }
  }

  /** Begins the frames of a scene. */
  start(scene: XrScene): void {
    if (this.#over) return scene.ended();
    this.#scene = scene;
    this.#tick = this.#engine.immerse((stage, now) => this.#advance(stage, now));
    this.session.requestAnimationFrame(this.#onFrame);
  }

  /** Ends the session; resolves when that is done. */
  async end(): Promise<void> {
    if (!this.#over) await this.session.end().catch(() => undefined);
    await this.ended;
  }

  readonly #onFrame = (time: number, frame: XrFrame): void => {
    if (this.#over) return;
    if (this.#engine.ended) {
      void this.end();
      return;
    }
    this.session.requestAnimationFrame(this.#onFrame);
    this.#frame = frame;
    this.#tick(time);
    this.#frame = undefined;
  };

  /** Advances the timeline, and draws the views of the current frame. */
  #advance(stage: CoreStage, now: number): boolean {
    guarded(() => stage.mirror.pass(now));
    const [frame, scene] = [this.#frame, this.#scene];
    if (!frame || !scene) return true;
    const seconds = Math.min(0.1, Math.max(0, (now - (this.#before ?? now)) / 1000));
    this.#before = now;
    const pose = frame.getViewerPose(this.space) ?? undefined;
    const shown = scene.update(frame, pose, seconds);
    if (this.#engine.host.lost || this.gl.isContextLost()) {
      // A layer is lost with its context.
      this.#layer = undefined;
    } else if (!this.#layer) {
      void compatible(this.gl).then(() => this.#addLayer());
    } else if (shown && pose) {
      this.#draw(stage, this.#layer, pose, shown);
    }
    return true;
  }

  #draw(stage: CoreStage, layer: XrLayer, { views }: XrViewerPose, { matrix, marks, transparent }: Shown): void {
    const { framebuffer } = layer;
    if (this.#views.length < VIEW * views.length) this.#views = new Float32Array(VIEW * views.length);
    let count = 0;
    for (const view of views) {
      const { x = 0, y = 0, width = 0, height = 0 } = layer.getViewport(view) ?? {};
      if (width === 0 || height === 0) continue;
      const at = VIEW * count++;
      this.#views.set([x, y, width, height], at);
      multiply(view.transform.inverse.matrix, matrix, this.#views, at + 4);
      this.#views.set(view.projectionMatrix, at + 20);
      // The backdrop of transmissive materials is drawn there, because a framebuffer of a layer cannot be read.
      if (framebuffer) {
        const { canvas } = this.gl;
        fit(canvas, Math.max(canvas.width, width), Math.max(canvas.height, height));
      }
    }
    const numbers = this.#views.subarray(0, VIEW * count);
    guarded(() => stage.drawViews(framebuffer ?? undefined, numbers, marks, transparent));
  }

  #addLayer(): void {
    const { XRWebGLLayer } = xrGlobals;
    if (this.#over || this.#layer || !XRWebGLLayer || this.gl.isContextLost()) return;
    const antialias = this.gl.getContextAttributes()?.antialias ?? true;
    try {
      this.#layer = new XRWebGLLayer(this.session, this.gl, { antialias, alpha: true, depth: true });
      this.session.updateRenderState({ baseLayer: this.#layer, depthNear: 0.05, depthFar: 200 });
    } catch (error) {
      // Thrown to the caller of `open`; later, the session cannot go on.
      if (!this.#scene) throw error;
      void this.end();
    }
  }
}

async function compatible(gl: WebGL2RenderingContext): Promise<void> {
  await (gl as { readonly makeXRCompatible?: () => Promise<void> }).makeXRCompatible?.();
}

async function firstSpace(session: XrSession, types: readonly string[]): Promise<XrSpace> {
  let reason: unknown;
  for (const type of types) {
    try {
      return await session.requestReferenceSpace(type);
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}

function failure(cause: unknown): GambolError {
  const { message } = asGambolError(cause, 'xr/failed');
  return new GambolError('xr/failed', `The session could not be opened. ${message}`, { cause });
}
