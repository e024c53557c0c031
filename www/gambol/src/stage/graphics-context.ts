// The WebGL2 context of stages: that of a viewer's own canvas, or one that many viewers share.

import type { BlockFormat, Core, CoreContext, CoreStage, CoreStill } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import type { PlainStill, ViewerOptions } from '../values/options.ts';
import { SharedModels } from '../load/shared-models.ts';
import { LastPicture } from './last-picture.ts';
import { guarded } from '../wasm/guarded.ts';
import { webgl2Of } from './webgl.ts';

/** The time in milliseconds for which an unused shared context is kept, because a moved element leaves it and joins it again. */
const IDLE_TIMEOUT = 5000;

/** The number of losses within a period in milliseconds after which the context is abandoned. */
const LOSSES = 3;
const PERIOD = 60_000;

/** A stage in a context. */
export interface ContextUser {
  lost(): void;
  /** The context is restored: the stage must forget its GL objects, which are lost. */
  contextRestored(): void;
  /** The stage can upload its data again. */
  rebuild(): void;
  /** The context will not be restored. */
  failed(error: unknown): void;
}

/** A WebGL2 context, which is restored after a loss. */
export class GraphicsContext {
  readonly canvas: HTMLCanvasElement;
  readonly core: CoreContext;
  readonly models: SharedModels;
  readonly gl: WebGL2RenderingContext;
  readonly #users = new Set<ContextUser>();
  readonly #ended: () => void;
  readonly #stop = new AbortController();
  readonly #forgetPanic: () => void;
  /** The times of recent losses. */
  #losses: readonly number[] = [];
  #lost = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @throws {@link GambolError} `render/webgl2-unsupported` */
  constructor(
    core: Core,
    canvas: HTMLCanvasElement,
    antialias: boolean,
    ended: () => void = () => undefined,
    canShare = false,
  ) {
    this.canvas = canvas;
    this.models = new SharedModels(canShare);
    this.#ended = ended;
    this.gl = webgl2Of(canvas, antialias);
    this.core = guarded(() => new core.Context(this.gl));
    const { signal } = this.#stop;
    canvas.addEventListener('webglcontextlost', (event) => this.#onLost(event), { signal });
    canvas.addEventListener('webglcontextrestored', () => this.#restore(), { signal });
    // After a panic, no method of the instance may be called, so the browser frees the GL objects.
    this.#forgetPanic = core.onPanic(() => {
      clearTimeout(this.#idle);
      this.#users.clear();
      this.#close();
    });
  }

  /** `true` if the context is lost. */
  get lost(): boolean {
    return this.#lost || guarded(isLost, this.core);
  }

  /** The largest width and height of a texture. */
  get maxTextureSize(): number {
    const size: unknown = this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE);
    return typeof size === 'number' && size > 0 ? size : 2048;
  }

  /** The compressed texture formats that the GPU supports for both sRGB and linear data. */
  get blockFormats(): ReadonlySet<BlockFormat> {
    const names = new Set(this.gl.getSupportedExtensions());
    const formats: BlockFormat[] = [];
    if (names.has('WEBGL_compressed_texture_astc')) formats.push('astc-4x4');
    if (names.has('EXT_texture_compression_bptc')) formats.push('bc7');
    if (names.has('WEBGL_compressed_texture_etc')) formats.push('etc2-rgb', 'etc2-rgba');
    if (names.has('WEBGL_compressed_texture_s3tc') && names.has('WEBGL_compressed_texture_s3tc_srgb'))
      formats.push('bc1', 'bc3');
    return new Set(formats);
  }

  join(user: ContextUser): void {
    clearTimeout(this.#idle);
    this.#users.add(user);
  }

  /** Removes a stage and frees it by `free`. After the last one, the context is freed after `delay` milliseconds. */
  leave(user: ContextUser, free: () => void, delay = 0): void {
    if (!this.#users.delete(user)) return;
    guarded(free);
    if (this.#users.size > 0) return;
    if (delay > 0) this.#idle = setTimeout(() => this.#end(), delay);
    else this.#end();
  }

  /** Forgets a stage of an instance that has stopped. */
  abandon(user: ContextUser): void {
    this.#users.delete(user);
  }

  #end(): void {
    this.#forgetPanic();
    this.#close();
    guarded(() => this.core.free());
  }

  /** Ends the context for new stages, and stops its restore. */
  #close(): void {
    this.#stop.abort();
    this.models.end();
    this.#ended();
  }

  #onLost(event: Event): void {
    const now = performance.now();
    this.#losses = [...this.#losses.filter((time) => now - time < PERIOD), now];
    const abandoned = this.#losses.length >= LOSSES;
    // Without preventDefault() the browser never restores the context.
    if (!abandoned) event.preventDefault();
    this.#lost = true;
    guarded(() => this.core.lose());
    this.models.lose();
    const users = [...this.#users];
    for (const user of users) user.lost();
    if (!abandoned) return;
    this.#close();
    const message = `The WebGL context was lost ${LOSSES} times in a minute. Show fewer models, or use smaller textures.`;
    for (const user of users) user.failed(new GambolError('render/context-lost', message));
  }

  #restore(): void {
    // If the context is lost again, another event will follow. If it is not lost, it was restored already.
    if (!this.#lost || this.gl.isContextLost()) return;
    const users = [...this.#users];
    try {
      guarded(() => this.core.restore());
      for (const user of users) user.contextRestored();
    } catch (error) {
      // After another loss, its event will follow.
      if (!isLoss(error)) for (const user of users) user.failed(error);
      return;
    }
    this.#lost = false;
    for (const user of users) user.rebuild();
  }
}

/**
 * A canvas that shows the frames of a context: the context's own canvas, or another one. A browser allows a page 8 to 16
 * contexts, so many viewers share one, and each frame is copied.
 */
export interface Screen {
  readonly context: GraphicsContext;
  /** A copy of the picture, for a canvas that goes blank when the context is lost. */
  readonly lastPicture?: LastPicture;
  /** Sets the size of the picture. */
  resize(width: number, height: number): void;
  /** Shows the frame that was drawn in this task. */
  present(): void;
  leave(user: ContextUser, free: () => void): void;
  /** Resolves when all frames so far are presented; undefined if {@link present} does it. */
  shown?(): Promise<void>;
  /** The drawing of stills, if the context is in a worker. */
  readonly stills?: { drawStill(options: PlainStill, source: StillSource): Promise<HTMLCanvasElement> };
  /** The films of a stage, if its context is in a worker. */
  readonly films?: { open(stage: CoreStage): Film };
}

/** A copy of a stage for a recording, which another drawing does not disturb. */
export interface Film {
  /** The copy, with all topics. */
  readonly stage: CoreStage;
  /** Uploads the light again after a restore of the context. */
  prepare(): Promise<void>;
  /** Draws a still of the copy. @throws `GambolError` as `stillPixels` of `still.ts` */
  pixels(options: PlainStill): StillPixels | Promise<StillPixels>;
  /** Frees the copy. */
  free(): void;
}

export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** The pixels of a still: red, green, blue and alpha of each, colours multiplied by alpha, the top row first. */
export interface StillPixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The part of a viewer that draws a still. */
export interface StillSource {
  /** The actor to which the time of the still applies. */
  readonly actor: number | undefined;
  /** The canvas of the page. */
  readonly visibleCanvas: Canvas;
  /** The context that is drawn with: of that canvas, or one that viewers share. */
  readonly gl: WebGL2RenderingContext;
  /** Draws into the lower left part of its canvas. */
  readonly draw: (still: CoreStill) => void;
  /** Draws the visible picture again. Default: `draw`. */
  readonly restore?: (still: CoreStill) => void;
}

/** A canvas with a context of its own. */
export function ownContext(core: Core, canvas: HTMLCanvasElement, antialias: boolean): Screen {
  const context = new GraphicsContext(core, canvas, antialias);
  return {
    context,
    lastPicture: new LastPicture(canvas),
    resize: (width, height) => fit(canvas, width, height),
    present: () => undefined,
    leave: (user, free) => context.leave(user, free),
  };
}

const shared = new WeakMap<Core, GraphicsContext>();

/** The shared contexts that have not ended. */
const inUse = new Set<GraphicsContext>();
/** The canvas of a context that the next viewer shares. */
let waiting: HTMLCanvasElement | undefined;

/** Creates the context of a viewer while the module is on its way. @throws {@link GambolError} `render/webgl2-unsupported` */
export function openContext(
  canvas: HTMLCanvasElement,
  { renderer = 'own', antialias = true }: Pick<ViewerOptions, 'renderer' | 'antialias'>,
): void {
  if (renderer === 'own') prepare(webgl2Of(canvas, antialias));
  if (renderer !== 'shared' || inUse.size > 0 || waiting) return;
  const drawing = document.createElement('canvas');
  prepare(webgl2Of(drawing, true));
  waiting = drawing;
}

/** Enables all extensions: the module asks for nearly all of them, and the first request for each waits for the GPU process. */
function prepare(gl: WebGL2RenderingContext): void {
  for (const name of gl.getSupportedExtensions() ?? []) gl.getExtension(name);
}

/** The canvas of {@link openContext}, or a new one if there is none, or its context is lost. */
function drawingCanvas(): HTMLCanvasElement {
  const drawing = waiting;
  waiting = undefined;
  return drawing && !webgl2Of(drawing, true).isContextLost() ? drawing : document.createElement('canvas');
}

/** A canvas to which frames are copied from the shared context. */
export function sharedContext(core: Core, canvas: HTMLCanvasElement): Screen {
  const target = canvas.getContext('2d');
  let context = shared.get(core);
  if (!context) {
    const made = new GraphicsContext(
      core,
      drawingCanvas(),
      true,
      () => {
        inUse.delete(made);
        // An abandoned context ends later, when another one may have replaced it.
        if (shared.get(core) === made) shared.delete(core);
      },
      true,
    );
    inUse.add(made);
    shared.set(core, (context = made));
  }
  const from = context;
  return {
    context: from,
    resize(width, height) {
      fit(canvas, width, height);
      // The drawing buffer only grows, because a reallocation for each viewer would take longer than drawing.
      fit(from.canvas, Math.max(from.canvas.width, width), Math.max(from.canvas.height, height));
    },
    present() {
      if (!target) return;
      const { width, height } = canvas;
      // Replaces the old frame, including its transparent parts.
      target.globalCompositeOperation = 'copy';
      target.drawImage(from.canvas, 0, from.canvas.height - height, width, height, 0, 0, width, height);
    },
    leave: (user, free) => from.leave(user, free, IDLE_TIMEOUT),
  };
}

/** `true` for the error of a lost context, which is not reported, because the browser restores the context. */
export function isLoss(error: unknown): boolean {
  return error instanceof GambolError && error.code === 'render/context-lost';
}

/** Sets the size of a canvas if it differs, because setting an equal size clears the canvas, too. */
export function fit(canvas: Canvas, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** A top-level function, because it is called in each frame, which must not allocate a closure. */
function isLost(core: CoreContext): boolean {
  return core.lost;
}
