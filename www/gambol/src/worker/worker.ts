// The drawing worker of a page; see `remote.ts`. The build makes it a script without imports, because bundlers would rewrite
// imports.

import { ticked, type Core, type CoreAsset, type CoreContext, type CoreStage, type StepResult } from '../wasm/core.ts';
import { asGambolError } from '../base/errors.ts';
import { errorDetail, type ErrorDetail } from '../values/events.ts';
import { startInstance } from '../wasm/instance.ts';
import type { Answer, Call, ChangingTopic, Commands, Reference, Show, Start } from './protocol.ts';
import { stillOn, stillPixels } from '../stage/still.ts';
import { webgl2Of } from '../stage/webgl.ts';
import { yieldToPage, delay } from '../base/scheduling.ts';

type Callable = Record<string, (...args: unknown[]) => unknown>;

function post(answer: Answer, transfer: Transferable[] = []): void {
  self.postMessage(answer, { transfer });
}

/** The names of the GL parameters that the page's null context needs. */
const LIMITS = /^(MAX_|VERSION$|SAMPLES$|UNIFORM_BUFFER_OFFSET_ALIGNMENT$)/;

/** The upper limit of bytes that one step uploads to the GPU. */
const BYTES_AT_ONCE = 1 << 20;

/** The number of frames that the GPU may be behind. Two, so that it always has work. */
const BEHIND = 2;

/** The least delay of the page's frame in milliseconds after which previews begin. */
const LATE = 30;

/** The timeout in milliseconds after which a fence of the GPU counts as passed. */
const LONG = 1000;

let core: Core;

async function start({ module, features }: Start): Promise<void> {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl) return post({ refused: 'This browser has no WebGL 2 in workers.' });
  const limits: Record<number, unknown> = {};
  for (const [name, number] of Object.entries(Object.getOwnPropertyDescriptors(WebGL2RenderingContext))) {
    if (LIMITS.test(name)) limits[number.value as number] = gl.getParameter(number.value as number);
  }
  const extensions = gl.getSupportedExtensions() ?? [];
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  core = await startInstance(
    module,
    // The page compiles the modules of features, and sends them.
    () => Promise.reject(new Error('A worker has no modules of its own.')),
    () => undefined,
  );
  core.onPanic((error) => post({ failed: errorDetail(error) }));
  core.startFeatures(features);
  post({ ready: limits, extensions });
}

/** One stage on one canvas. */
class WorkerStage {
  readonly #canvas: OffscreenCanvas;
  readonly #gl: WebGL2RenderingContext;
  readonly #stage: CoreStage;
  readonly #context: CoreContext;
  /** The objects that the page has made, by their numbers. */
  readonly #objects = new Map<number, Callable>();
  #size: readonly [width: number, height: number];
  /** `true` if the context is lost, or the stage is not restored yet. */
  #lost = false;
  /** The time of the last tick, on the page's clock. */
  #now = 0;
  /** The time of the last tick, on the worker's clock. */
  #received = 0;
  /** The time in milliseconds after which the next tick is late; undefined if none is expected. */
  #patience: number | undefined;
  /** The timer of the first preview; see {@link WorkerStage.#preview}. */
  #late: ReturnType<typeof setTimeout> | undefined;
  /** The time of the last preview, on the page's clock; undefined without one since the last message. */
  #previewed: number | undefined;
  /** `true` if further frames will follow without a change. */
  #isAnimating = false;
  /** `true` if a frame is due. */
  #due = false;
  /** `true` if the frame must be drawn even if nothing has changed. */
  #forced = false;
  /** The fences of frames that the GPU may not have finished, and their times, the oldest first. */
  readonly #drawing: (readonly [WebGLSync | null, number])[] = [];
  /** Defers drawing behind the pending messages, so that a worker that is behind draws only once. */
  readonly #later = new MessageChannel();
  /** A recent picture, because some browsers clear a canvas whose context is lost. */
  #last: ImageBitmap | undefined;
  /** The time at which `#last` was copied. */
  #taken = -Infinity;
  /** The pending jobs, and the models that they are for. */
  readonly #jobs = new Map<number, CoreAsset | undefined>();
  /** The errors of models that are being uploaded; the next `advance` throws them. */
  readonly #broken = new Map<unknown, unknown>();
  readonly #crowds = new Set<number>();

  constructor({ canvas, antialias, cpuSkinning }: Show) {
    this.#gl = webgl2Of(canvas, antialias);
    const context: CoreContext = new core.Context(this.#gl);
    this.#canvas = canvas;
    this.#size = [canvas.width, canvas.height];
    this.#later.port1.onmessage = ({ data }) => attempt(() => (data === 'preview' ? this.#preview() : this.#draw()));
    this.#context = context;
    this.#stage = core.openStage(context, cpuSkinning);
    canvas.addEventListener('webglcontextlost', (event) => {
      // Allows a restore; the page decides about it when the context is restored.
      event.preventDefault();
      this.#lost = true;
      context.lose();
      this.#drawing.length = 0;
      this.#jobs.clear();
      const picture = this.#last;
      this.#last = undefined;
      if (picture) post({ context: 'lost', picture }, [picture]);
      else post({ context: 'lost' });
    });
    canvas.addEventListener('webglcontextrestored', () => post({ context: 'restored' }));
  }

  do(calls: readonly Call[]): void {
    this.#endPreview();
    for (const call of calls) this.#do(call);
    // Discards the events, because the page's stage has the same ones.
    while (this.#stage.events.next());
  }

  #do([target, name, given, made]: Call): void {
    const args = given.map((arg) => this.#resolved(arg));
    const [first] = args as [CoreAsset?];
    try {
      if (target === 'worker') return (this.#commands[name as keyof Commands] as (...args: unknown[]) => void)(...args);
      this.#note(target, name, first);
      const result = this.#targetOf(target)?.[name]?.(...args);
      if (made !== undefined) this.#objects.set(made, result as never);
      if (name === 'free' && typeof target === 'number') this.#objects.delete(target);
      if (name === 'restore' && target === 'stage') this.#lost = false;
    } catch (error) {
      // After a loss of the context, the page will repeat the necessary calls for the new one.
      if (this.#isLost) return;
      if (target === 'stage' && (name === 'prepare' || name.startsWith('setImage'))) this.#broken.set(first, error);
      else throw error;
    }
  }

  readonly #commands: Commands = {
    make: (number, name, ...args) =>
      void this.#objects.set(number, new (core[name] as new (...given: unknown[]) => object)(...args) as never),
    forget: (number) => void this.#objects.delete(number),
    features: (modules) => core.startFeatures(modules),
    resize: (...size) => {
      this.#size = size;
    },
    tick: (now) => {
      const { mirror } = this.#stage;
      const draws = mirror.pass(now);
      this.#isAnimating = mirror.goesOn();
      this.#patience = this.#isAnimating ? Math.max(LATE, 2 * (now - this.#now)) : undefined;
      this.#now = now;
      this.#received = performance.now();
      clearTimeout(this.#late);
      if (this.#isAnimating) this.#late = setTimeout(this.#askPreview, this.#patience);
      if (draws) this.#request();
    },
    draw: () => {
      this.#forced = true;
      this.#request();
    },
    report: (number) => {
      this.#draw(true);
      this.#report(number);
    },
    numbers: () => this.#report(),
    advance: (job, asset) =>
      this.#work(
        job,
        (bytes, mayWait) => {
          const broken = this.#broken.get(asset);
          this.#broken.delete(asset);
          if (broken !== undefined) throw broken;
          return this.#stage.advance(asset as CoreAsset, bytes, mayWait);
        },
        asset as CoreAsset,
      ),
    light: (job) => this.#work(job, (bytes) => this.#stage.advanceLight(bytes)),
    crowd: (job, actor) => this.#work(job, () => (this.#stage.crowds.prepare(actor) ? 'done' : 'busy')),
    still: (job, actor, options) => {
      try {
        this.#fit();
        const still = stillOn(new OffscreenCanvas(1, 1), options, {
          actor,
          visibleCanvas: this.#canvas,
          gl: this.#gl,
          draw: (still) => this.#stage.drawStill(still),
        });
        const picture = still.transferToImageBitmap();
        post({ done: job, picture }, [picture]);
      } catch (error) {
        post({ done: job, error: this.#detail(error) });
      }
    },
    pixels: (job, film, options) => {
      const stage = film as CoreStage;
      try {
        this.#fit();
        while (stage.advanceLight(BYTES_AT_ONCE) !== 'done');
        const pixels = stillPixels(options, {
          actor: undefined,
          visibleCanvas: this.#canvas,
          gl: this.#gl,
          draw: (still) => stage.drawStill(still),
          // A still, so that frames are not counted; the camera of a still differs only while the automatic camera glides.
          restore: (still) => (this.#stage.query.framesAsStill() ? this.#stage.drawStill(still) : this.#stage.draw()),
        });
        post({ done: job, pixels }, [pixels.data.buffer]);
      } catch (error) {
        post({ done: job, error: this.#detail(error) });
      }
    },
  };

  get #isLost(): boolean {
    return this.#lost || this.#gl.isContextLost();
  }

  /** Tracks crowds and the jobs of models. */
  #note(target: Call[0], name: string, first: unknown): void {
    if (target === 'crowds' && name === 'make') this.#crowds.add(first as number);
    // The page sends no frames from now on, for example because the canvas is out of view.
    if (target === 'stage' && name === 'resetClock') this.#patience = undefined;
    if (target === 'stage' && (name === 'prepare' || name === 'release')) {
      this.#broken.delete(first);
      for (const [job, asset] of this.#jobs) if (asset === first) this.#jobs.delete(job);
    }
  }

  #targetOf(target: 'context' | 'stage' | ChangingTopic | number): Callable | undefined {
    if (typeof target === 'number') return this.#objects.get(target);
    const known = target === 'context' ? this.#context : target === 'stage' ? this.#stage : this.#stage[target];
    return known as unknown as Callable;
  }

  /** Applies a new size directly before a frame, because it clears the canvas. */
  #fit(): void {
    const [width, height] = this.#size;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  readonly #askPreview = (): void => this.#later.port2.postMessage('preview');

  /**
   * Moves the stage while the page is busy and sends no frames. The next message restores the state before, so the page's frames
   * lead to the same state with and without previews.
   */
  #preview(): void {
    const passed = performance.now() - this.#received;
    // Jobs change the stage that the page knows.
    if (this.#lost || this.#jobs.size > 0 || this.#patience === undefined || passed < this.#patience) return;
    this.#previewed = this.#now + passed;
    if (!this.#stage.mirror.preview(this.#previewed)) return;
    this.#request();
    if (typeof requestAnimationFrame === 'function') requestAnimationFrame(this.#askPreview);
    else this.#late = setTimeout(this.#askPreview, 16);
  }

  #endPreview(): void {
    if (this.#previewed === undefined) return;
    this.#previewed = undefined;
    this.#stage.mirror.endPreview();
  }

  #request(): void {
    if (this.#due) return;
    this.#due = true;
    this.#later.port2.postMessage(null);
  }

  /**
   * `true` if the GPU has enough pending frames. Nothing else throttles a worker: browsers queue its GL calls without a limit,
   * and the calls of all other contexts of the page wait for them.
   */
  #behind(now: number): boolean {
    const gl = this.#gl;
    for (let first = this.#drawing[0]; first; first = this.#drawing[0]) {
      const [sync, asked] = first;
      if (sync && now - asked < LONG && gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) break;
      gl.deleteSync(sync);
      this.#drawing.shift();
    }
    return this.#drawing.length >= BEHIND;
  }

  /** Draws the frame that is due: now if the page waits for it (`waited`), else when the GPU is ready. */
  #draw(waited = false): void {
    if (!this.#due || this.#lost) return;
    const now = performance.now();
    if (this.#behind(now) && !waited) return void setTimeout(() => attempt(() => this.#draw()), 4);
    this.#due = false;
    this.#fit();
    try {
      if (this.#forced) this.#stage.draw();
      // If nothing moves, the page sends no tick; but not everything could be drawn yet, so the worker tries again.
      else if (ticked(this.#stage, this.#previewed ?? this.#now) && !this.#isAnimating)
        setTimeout(() => this.#request(), 16);
    } catch (error) {
      if (!this.#isLost) throw error;
    }
    this.#forced = false;
    this.#drawing.push([this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0), now]);
    // Without a flush the fence may never be sent.
    this.#gl.flush();
    this.#keep();
    if (!this.#isAnimating) this.#report();
  }

  /** Copies the picture, in the task that drew it; while it changes, at most once per second. */
  #keep(): void {
    const now = performance.now();
    if (this.#isAnimating && now - this.#taken < 1000) return;
    this.#taken = now;
    createImageBitmap(this.#canvas)
      .then((picture) => {
        this.#last?.close();
        this.#last = picture;
      })
      .catch(() => undefined);
  }

  #report(report?: number): void {
    const crowds = new Map<number, number>();
    for (const id of this.#crowds) {
      try {
        crowds.set(id, this.#stage.query.crowdVisible(id));
      } catch {
        this.#crowds.delete(id);
      }
    }
    post({ stats: this.#stage.query.stats(), crowds, ...(report === undefined ? {} : { report }) });
  }

  #work(job: number, step: (bytes: number, mayWait: boolean) => StepResult, asset?: CoreAsset): void {
    this.#jobs.set(job, asset);
    const work = async (): Promise<void> => {
      while (this.#jobs.has(job)) {
        const left = step(BYTES_AT_ONCE, true);
        if (left === 'done') return post({ done: job });
        // Yields, so that frames can be drawn in between.
        await (left === 'more' ? yieldToPage() : delay());
      }
    };
    work()
      .catch((error: unknown) => post({ done: job, error: this.#detail(error) }))
      .finally(() => this.#jobs.delete(job));
  }

  #resolved(arg: unknown): unknown {
    return typeof arg === 'object' && arg !== null && 'object' in arg
      ? this.#objects.get((arg as Reference).object)
      : arg;
  }

  #detail(error: unknown): ErrorDetail {
    const { code, message, ...more } = errorDetail(asGambolError(error, 'viewer/failed'));
    return { code: this.#isLost ? 'render/context-lost' : code, message, ...more };
  }
}

let workerStage: WorkerStage | undefined;

/** Calls `action`; an error ends the viewer. */
function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    post({ failed: errorDetail(asGambolError(error, 'viewer/failed')) });
  }
}

self.onmessage = ({ data }: MessageEvent<Start | Show | number | readonly Call[]>) =>
  attempt(() => {
    if (typeof data === 'number') {
      workerStage?.do([['worker', 'tick', [data]]]);
    } else if (Array.isArray(data)) {
      workerStage?.do(data as readonly Call[]);
    } else if ('module' in data) {
      start(data).catch((error: unknown) => post({ refused: String(error) }));
    } else if ('canvas' in data) {
      workerStage = new WorkerStage(data);
      post({ shown: true });
    }
  });
