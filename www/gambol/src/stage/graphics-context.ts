// The WebGL2 context that stages draw in: that of a viewer's own canvas, or one that many viewers share.

import type { BlockFormat, Core, CoreContext } from '../wasm/core.ts';
import { GambolError } from '../base/errors.ts';
import type { PlainStill } from '../values/options.ts';
import { SharedModels } from '../load/shared-models.ts';
import { LastPicture } from './last-picture.ts';
import { guarded } from '../wasm/guarded.ts';

/** Milliseconds that a shared context is kept when nobody uses it: an element that moves in the page goes and comes. */
const IDLE = 5000;

/** So many losses within so many milliseconds, and it is given up: whatever this page shows, this device cannot. */
const LOSSES = 3;
const PERIOD = 60_000;

/** Milliseconds between two tries to get what restores a context: the first wait, doubled each time, up to the last. */
const FIRST_WAIT = 1000;
const LAST_WAIT = 30_000;

/** A stage in a context. */
export interface Tenant {
  lost(): void;
  /** The context came back: what was on the GPU is gone, and is to be forgotten now. */
  returned(): void;
  /** Now all may be brought to the GPU again. */
  rebuild(): void;
  /** There is no other context. */
  failed(error: unknown): void;
}

/** A context, and how it comes back when the browser takes it away. */
export class GraphicsContext {
  readonly canvas: HTMLCanvasElement;
  readonly core: CoreContext;
  readonly models: SharedModels;
  readonly #tenants = new Set<Tenant>();
  readonly #ended: () => void;
  /** Has the rest of the module, which restores, there. */
  readonly #loadRest: () => Promise<void>;
  readonly #stop = new AbortController();
  readonly #forgetPanic: () => void;
  /** When it was lost of late. */
  #losses: readonly number[] = [];
  #lost = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @throws {@link GambolError} `render/webgl2-unsupported` */
  constructor(core: Core, canvas: HTMLCanvasElement, antialias: boolean, ended: () => void = () => undefined, several = false) {
    this.canvas = canvas;
    this.models = new SharedModels(several);
    this.#ended = ended;
    this.#loadRest = () => core.loadRest();
    this.core = guarded(() => new core.Context(canvas, antialias));
    const { signal } = this.#stop;
    canvas.addEventListener('webglcontextlost', (event) => this.#onLost(event), { signal });
    canvas.addEventListener('webglcontextrestored', () => this.#onRestored(), { signal });
    // Nothing may be called any more, also when nobody is there: all is left to the browser.
    this.#forgetPanic = core.onPanic(() => {
      clearTimeout(this.#idle);
      this.#tenants.clear();
      this.#over();
    });
  }

  /** Whether it was taken away, or never came back. */
  get lost(): boolean {
    return this.#lost || guarded(isLost, this.core);
  }

  /** The largest width and height of a texture. */
  get maxTextureSize(): number {
    const gl = this.#gl;
    const size: unknown = gl?.getParameter(gl.MAX_TEXTURE_SIZE);
    return typeof size === 'number' && size > 0 ? size : 2048;
  }

  /** The packed image formats that the GPU takes, both as colours and as data. */
  get blockFormats(): ReadonlySet<BlockFormat> {
    const names = new Set(this.#gl?.getSupportedExtensions());
    const formats: BlockFormat[] = [];
    if (names.has('WEBGL_compressed_texture_astc')) formats.push('astc-4x4');
    if (names.has('EXT_texture_compression_bptc')) formats.push('bc7');
    if (names.has('WEBGL_compressed_texture_etc')) formats.push('etc2-rgb', 'etc2-rgba');
    if (names.has('WEBGL_compressed_texture_s3tc') && names.has('WEBGL_compressed_texture_s3tc_srgb')) formats.push('bc1', 'bc3');
    return new Set(formats);
  }

  join(tenant: Tenant): void {
    clearTimeout(this.#idle);
    this.#tenants.add(tenant);
  }

  /** Takes a stage out of the context, and frees it by `free`; with the last one the context goes, after `delay` milliseconds. */
  leave(tenant: Tenant, free: () => void, delay = 0): void {
    if (!this.#tenants.delete(tenant)) return;
    guarded(free);
    if (this.#tenants.size > 0) return;
    if (delay > 0) this.#idle = setTimeout(() => this.#end(), delay);
    else this.#end();
  }

  /** Forgets a stage of an instance that has stopped. */
  abandon(tenant: Tenant): void {
    this.#tenants.delete(tenant);
  }

  #end(): void {
    this.#forgetPanic();
    this.#over();
    guarded(() => this.core.free());
  }

  /** Nobody else comes in, and it does not come back. */
  #over(): void {
    this.#stop.abort();
    this.models.end();
    this.#ended();
  }

  get #gl(): WebGL2RenderingContext | null {
    return this.canvas.getContext('webgl2');
  }

  #onLost(event: Event): void {
    const now = performance.now();
    this.#losses = [...this.#losses.filter((time) => now - time < PERIOD), now];
    const givenUp = this.#losses.length >= LOSSES;
    // Says that this page knows how to go on; otherwise the context never comes back.
    if (!givenUp) event.preventDefault();
    this.#lost = true;
    guarded(() => this.core.lose());
    this.models.lose();
    const tenants = [...this.#tenants];
    for (const tenant of tenants) tenant.lost();
    if (!givenUp) {
      // To be there when the context is back.
      this.#loadRest().catch(() => undefined);
      return;
    }
    this.#over();
    const message = `The browser took the graphics context away ${LOSSES} times in a minute. Show less at once, or smaller textures.`;
    for (const tenant of tenants) tenant.failed(new GambolError('render/context-lost', message));
  }

  /** What restores is in the rest of the module; until that can be had, the context waits. */
  #onRestored(wait = FIRST_WAIT): void {
    const { signal } = this.#stop;
    this.#loadRest().then(() => {
      if (!signal.aborted) this.#restore();
    }, () => {
      if (!signal.aborted) setTimeout(() => this.#onRestored(Math.min(2 * wait, LAST_WAIT)), wait);
    });
  }

  #restore(): void {
    // Lost again: another event of this kind will come. Or restored twice.
    if (!this.#lost || this.#gl?.isContextLost()) return;
    const tenants = [...this.#tenants];
    try {
      guarded(() => this.core.restore());
      for (const tenant of tenants) tenant.returned();
    } catch (error) {
      // The event of another loss is on its way.
      if (!isLoss(error)) for (const tenant of tenants) tenant.failed(error);
      return;
    }
    this.#lost = false;
    for (const tenant of tenants) tenant.rebuild();
  }
}

/**
 * A canvas that shows what is drawn in a context: its own canvas, or another one. Browsers give a page 8 to 16 contexts, so many
 * viewers share one, and each picture is copied.
 */
export interface Screen {
  readonly context: GraphicsContext;
  /** A copy of the picture, for a canvas that goes blank when the context is lost. */
  readonly lastPicture?: LastPicture;
  /** Makes room for a picture. */
  resize(width: number, height: number): void;
  /** Shows what was drawn in this task. */
  present(): void;
  leave(tenant: Tenant, free: () => void): void;
  /** Resolves when all is seen that was drawn so far, if that is not now. */
  shown?(): Promise<void>;
  /** What draws stills, if the context is not here. */
  readonly stills?: { drawStill(options: PlainStill, source: StillSource): Promise<HTMLCanvasElement> };
}

export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** The parts of a viewer that draw a still. */
export interface StillSource {
  /** The actor to which the time of the still applies. */
  readonly actor: number | undefined;
  /** The canvas of the page. */
  readonly seen: Canvas;
  /** The canvas that is drawn to: the same, or one that viewers share. */
  readonly drawn: Canvas;
  /** Draws into the lower left part of it; without a background that of the viewer. */
  readonly draw: (width: number, height: number, time?: number, background?: Float32Array) => void;
}

/** A canvas with a context of its own. */
export function ownContext(core: Core, canvas: HTMLCanvasElement, antialias: boolean): Screen {
  const context = new GraphicsContext(core, canvas, antialias);
  return {
    context,
    lastPicture: new LastPicture(canvas),
    resize: (width, height) => fit(canvas, width, height),
    present: () => undefined,
    leave: (tenant, free) => context.leave(tenant, free),
  };
}

const shared = new WeakMap<Core, GraphicsContext>();

/** A canvas into which pictures are copied from the context that all such canvases share. */
export function sharedContext(core: Core, canvas: HTMLCanvasElement): Screen {
  const target = canvas.getContext('2d');
  let context = shared.get(core);
  if (!context) {
    const made = new GraphicsContext(core, document.createElement('canvas'), true, () => {
      // One that was given up ends later, when there may be another in its place.
      if (shared.get(core) === made) shared.delete(core);
    }, true);
    shared.set(core, context = made);
  }
  const from = context;
  return {
    context: from,
    resize(width, height) {
      fit(canvas, width, height);
      // Grows only: the next one to draw may be larger, and making room anew each time takes longer than all the rest.
      fit(from.canvas, Math.max(from.canvas.width, width), Math.max(from.canvas.height, height));
    },
    present() {
      if (!target) return;
      const { width, height } = canvas;
      // In place of what is there, transparent parts too.
      target.globalCompositeOperation = 'copy';
      target.drawImage(from.canvas, 0, from.canvas.height - height, width, height, 0, 0, width, height);
    },
    leave: (tenant, free) => from.leave(tenant, free, IDLE),
  };
}

/** The browser took the context away, which is no error: it gives it back. */
export function isLoss(error: unknown): boolean {
  return error instanceof GambolError && error.code === 'render/context-lost';
}

/** Sets the size of a canvas unless it has that size: setting it clears the canvas, even if it is the same. */
export function fit(canvas: Canvas, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** A function of its own: it is asked each frame, and a frame makes no garbage. */
function isLost(core: CoreContext): boolean {
  return core.lost;
}
