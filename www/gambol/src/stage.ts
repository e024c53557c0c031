// One stage with the models that its actors show, and how it comes back from a lost context.

import type { BlockFormat, Core, CoreAsset, CoreStage } from './core.ts';
import { GambolError, abortError, throwIfAborted } from './errors.ts';
import { closeImage, giveImage, type DecodedImage, type ImageLibrary } from './images.ts';
import type { LoadedModel } from './load.ts';
import type { Model } from './model.ts';
import { breathe, inSlices, moment } from './tasks.ts';
import { guarded } from './wasm.ts';

export interface StageSettings {
  readonly antialias: boolean;
  readonly cpuSkinning: boolean;
}

export interface ContextListener {
  lost(): void;
  /** The stage is complete again, textures included. */
  restored(): void;
  failed(error: unknown): void;
}

/**
 * Owns the Rust stage of a canvas and the models on it, and gives it new GL objects when the browser gives a lost context
 * back. Actors and camera need no GPU, so the API keeps working meanwhile.
 */
export class StageHost {
  readonly #core: Core;
  readonly #canvas: HTMLCanvasElement;
  readonly #settings: StageSettings;
  readonly #listener: ContextListener;
  readonly #stop = new AbortController();
  #stage: CoreStage | undefined;
  /** The actors of each model; a model without any is freed. */
  readonly #models = new Map<Model, Set<number>>();
  #lost = false;
  /** Whether the context of the stage's GL objects is gone. */
  #dead = false;
  /** How often the context was lost. */
  #losses = 0;
  #usable: Promise<void> = Promise.resolve();
  #becomeUsable: () => void = () => undefined;

  constructor(core: Core, canvas: HTMLCanvasElement, settings: StageSettings, listener: ContextListener) {
    this.#core = core;
    this.#canvas = canvas;
    this.#settings = settings;
    this.#listener = listener;
    this.#stage = this.#create();
    const { signal } = this.#stop;
    canvas.addEventListener('webglcontextlost', (event) => this.#onLost(event), { signal });
    canvas.addEventListener('webglcontextrestored', () => void this.#onRestored(), { signal });
    // Models need it; what goes wrong is told to those who load them.
    this.light(signal).catch(() => undefined);
  }

  /** Undefined once disposed. */
  get stage(): CoreStage | undefined {
    return this.#stage;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Resolves as soon as there is a context, or all is over. */
  get usable(): Promise<void> {
    return this.#usable;
  }

  /** The largest width and height of a texture. */
  get maxTextureSize(): number {
    const gl = this.#canvas.getContext('webgl2');
    const size: unknown = gl?.getParameter(gl.MAX_TEXTURE_SIZE);
    return typeof size === 'number' && size > 0 ? size : 2048;
  }

  /** The packed image formats that the GPU takes, both as colours and as data. */
  get blockFormats(): ReadonlySet<BlockFormat> {
    const names = new Set(this.#canvas.getContext('webgl2')?.getSupportedExtensions());
    const formats: BlockFormat[] = [];
    if (names.has('WEBGL_compressed_texture_astc')) formats.push('astc-4x4');
    if (names.has('EXT_texture_compression_bptc')) formats.push('bc7');
    if (names.has('WEBGL_compressed_texture_etc')) formats.push('etc2-rgb', 'etc2-rgba');
    if (names.has('WEBGL_compressed_texture_s3tc') && names.has('WEBGL_compressed_texture_s3tc_srgb')) formats.push('bc1', 'bc3');
    return new Set(formats);
  }

  /** Whether an actor shows the model, so that it is not freed. */
  shows(model: Model): boolean {
    return this.#models.has(model);
  }

  /** Who is on stage, and what they show. */
  *cast(): Generator<readonly [actor: number, model: Model]> {
    for (const [model, actors] of this.#models) for (const actor of actors) yield [actor, model];
  }

  /** Brings the light to the GPU; resolves when it is there. */
  light(signal: AbortSignal): Promise<void> {
    return this.#unbroken(signal, (stage, goOn) => lit(stage, goOn));
  }

  /** Brings a model to the GPU; resolves when putting it on stage takes no time. Its images are used up. */
  async prepare({ asset, images, library }: LoadedModel, signal: AbortSignal): Promise<void> {
    let left: readonly DecodedImage[] | undefined = images;
    try {
      await this.#unbroken(signal, async (stage, goOn) => {
        const decoded = left ?? await this.#decoded(library, signal);
        left = undefined;
        try {
          if (!goOn()) return false;
          guarded(() => stage.prepare(asset));
          // Side by side, since the GPU may be at work for one while there is something to do for the other.
          const both = await Promise.allSettled([lit(stage, goOn), uploaded(stage, asset, decoded, goOn)]);
          for (const one of both) if (one.status === 'rejected') throw one.reason;
          return both.every((one) => one.status === 'fulfilled' && one.value);
        } finally {
          decoded.forEach(closeImage);
        }
      });
    } catch (error) {
      left?.forEach(closeImage);
      guarded(() => this.#stage?.release(asset));
      throw error;
    }
  }

  /** Puts an actor on stage and returns its number. A model that nobody else shows is freed when this throws. */
  add(model: Model, place: Float32Array): number {
    const stage = this.#stage;
    try {
      if (!stage) throw new Error('disposed');
      const actor = guarded(() => stage.add(model.asset, place));
      const actors = this.#models.get(model) ?? new Set();
      this.#models.set(model, actors.add(actor));
      return actor;
    } catch (error) {
      if (!this.shows(model)) this.discard(model);
      throw error;
    }
  }

  /** Frees what was loaded and is not on stage. */
  discard({ asset, images = [] }: Pick<LoadedModel, 'asset'> & Partial<Pick<LoadedModel, 'images'>>): void {
    images.forEach(closeImage);
    guarded(() => this.#stage?.release(asset));
    guarded(() => asset.free());
  }

  /** Takes an actor off the stage, and frees its model if nobody else shows it. */
  remove(actor: number): void {
    guarded(() => this.#stage?.remove(actor));
    for (const [model, actors] of this.#models) {
      if (!actors.delete(actor) || actors.size > 0) continue;
      this.#models.delete(model);
      guarded(() => model.asset.free());
    }
  }

  resize(width: number, height: number, ratio: number): void {
    // Setting a size clears the canvas, even if it is the same.
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    guarded(() => this.#stage?.resize(width, height, ratio));
  }

  setBackground(rgba: Float32Array | undefined): void {
    guarded(() => this.#stage?.setBackground(rgba));
  }

  /** Gives up what is on its way. */
  stop(): void {
    this.#stop.abort();
    this.#becomeUsable();
  }

  /** Deletes every GL object and the models. After a panic nothing may be called, so all is left to the browser. */
  dispose(): void {
    this.stop();
    const stage = this.#stage;
    this.#stage = undefined;
    const models = [...this.#models.keys()];
    this.#models.clear();
    const free = (): void => stage && guarded(() => stage.free());
    if (this.#dead) withoutDeleting(this.#canvas, free);
    else free();
    for (const model of models) guarded(() => model.asset.free());
  }

  /** Forgets the handles without calling them. */
  abandon(): void {
    this.stop();
    this.#stage = undefined;
    this.#models.clear();
  }

  #create(): CoreStage {
    return guarded(() => new this.#core.Stage(this.#canvas, this.#settings));
  }

  #onLost(event: Event): void {
    // Says that this page knows how to go on; otherwise the context never comes back.
    event.preventDefault();
    this.#losses += 1;
    this.#dead = true;
    if (this.#lost) return;
    this.#lost = true;
    this.#usable = new Promise((resolve) => {
      this.#becomeUsable = resolve;
    });
    this.#listener.lost();
  }

  /** Brings everything to the GPU again. If the context is lost meanwhile, this is given up, and done when it is back. */
  async #onRestored(): Promise<void> {
    const stage = this.#stage;
    if (!stage) return;
    const { signal } = this.#stop;
    const loss = this.#losses;
    const goOn = (): boolean => this.#stage === stage && loss === this.#losses && !signal.aborted;
    try {
      withoutDeleting(this.#canvas, () => guarded(() => stage.restore()));
      this.#dead = false;
      await lit(stage, goOn);
      for (const model of [...this.#models.keys()]) {
        // Its last actor may go meanwhile.
        const needed = (): boolean => goOn() && this.#models.has(model);
        let images: readonly DecodedImage[] = [];
        try {
          if (needed()) images = await this.#decoded(model.library, signal);
          await uploaded(stage, model.asset, images, needed);
        } catch (error) {
          if (needed()) throw error;
        } finally {
          images.forEach(closeImage);
        }
      }
      if (!goOn()) return;
      guarded(() => stage.draw());
      this.#lost = false;
      this.#becomeUsable();
      this.#listener.restored();
    } catch (error) {
      if (goOn() && !isLoss(error)) this.#listener.failed(error);
    }
  }

  #decoded(library: ImageLibrary, signal: AbortSignal): Promise<DecodedImage[]> {
    return library.decode({ signal, maxSize: this.maxTextureSize, blocks: this.blockFormats });
  }

  /** Does something in one context from beginning to end: begins again if it is lost meanwhile, when there is another. */
  async #unbroken(signal: AbortSignal, work: (stage: CoreStage, goOn: () => boolean) => Promise<boolean>): Promise<void> {
    for (;;) {
      await this.#usable;
      throwIfAborted(signal);
      throwIfAborted(this.#stop.signal);
      const [stage, loss] = [this.#stage, this.#losses];
      if (!stage) throw abortError();
      const goOn = (): boolean => this.#stage === stage && loss === this.#losses && !signal.aborted && !this.#stop.signal.aborted;
      try {
        if (await work(stage, goOn)) return;
      } catch (error) {
        if (goOn() && !isLoss(error)) throw error;
        // The event of it may still be on its way.
        while (goOn()) await moment();
      }
    }
  }
}

/** The browser took the context away, which is no error: it gives it back. */
function isLoss(error: unknown): boolean {
  return error instanceof GambolError && error.code === 'render/context-lost';
}

function lit(stage: CoreStage, goOn: () => boolean): Promise<boolean> {
  return inSlices((bytes, patience) => guarded(() => stage.advanceLight(bytes, patience)), goOn);
}

/** Brings what is missing of a model to the GPU. */
async function uploaded(stage: CoreStage, asset: CoreAsset, images: readonly DecodedImage[], goOn: () => boolean): Promise<boolean> {
  for (const image of images) {
    if (!goOn()) return false;
    giveImage(stage, asset, image);
    // Pixels that are no bitmap are copied.
    if (!(image.pixels instanceof ImageBitmap)) await breathe();
  }
  return inSlices((bytes, patience) => guarded(() => stage.advance(asset, bytes, patience)), goOn);
}

/**
 * Runs `change` while the context deletes nothing: the objects went with the lost context, and the one that came back
 * takes deleting them for an error.
 */
function withoutDeleting(canvas: HTMLCanvasElement, change: () => void): void {
  const gl = canvas.getContext('webgl2') as unknown as Record<string, unknown> | null;
  if (!gl) return change();
  const kinds = ['Buffer', 'Framebuffer', 'Program', 'Renderbuffer', 'Sampler', 'Shader', 'Sync', 'Texture', 'VertexArray'];
  for (const kind of kinds) gl[`delete${kind}`] = () => undefined;
  try {
    change();
  } finally {
    // Uncovers those of the prototype.
    for (const kind of kinds) delete gl[`delete${kind}`];
  }
}
