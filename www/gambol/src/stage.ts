// One stage with the models that its actors show, and how it comes back from a lost context.

import type { BlockFormat, Core, CoreAsset, CoreStage } from './core.ts';
import { closeImage, uploadImage, type DecodedImage } from './images.ts';
import type { Model } from './model.ts';
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
  }

  /** Undefined once disposed. */
  get stage(): CoreStage | undefined {
    return this.#stage;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Resolves as soon as there is a context. */
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

  /** Has the programs of a model built; resolves when putting it on stage does not freeze the page. */
  async prepare(asset: CoreAsset, signal: AbortSignal): Promise<void> {
    guarded(() => this.#stage?.prepare(asset));
    while (!signal.aborted && !this.#lost && guarded(() => this.#stage?.isPrepared()) === false) {
      // Frames stand still while a page is hidden.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.usable;
  }

  /**
   * Puts an actor on stage and returns its number. The images are used up; a model that is on stage needs none. A model
   * that nobody else shows is freed when this throws.
   */
  add(model: Model, images: readonly DecodedImage[], place: Float32Array): number {
    const stage = this.#stage;
    try {
      if (!stage) throw new Error('disposed');
      const actor = guarded(() => stage.add(model.asset, place));
      const actors = this.#models.get(model) ?? new Set();
      this.#models.set(model, actors.add(actor));
      upload(stage, actor, images);
      return actor;
    } catch (error) {
      images.forEach(closeImage);
      if (!this.shows(model)) guarded(() => model.asset.free());
      throw error;
    }
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

  /** Deletes every GL object and the models. After a panic nothing may be called, so all is left to the browser. */
  dispose(): void {
    this.#stop.abort();
    this.#becomeUsable();
    const stage = this.#stage;
    this.#stage = undefined;
    const models = [...this.#models.keys()];
    this.#models.clear();
    if (stage) guarded(() => stage.free());
    for (const model of models) guarded(() => model.asset.free());
  }

  /** Forgets the handles without calling them. */
  abandon(): void {
    this.#stop.abort();
    this.#becomeUsable();
    this.#stage = undefined;
    this.#models.clear();
  }

  #create(): CoreStage {
    return guarded(() => new this.#core.Stage(this.#canvas, this.#settings));
  }

  #onLost(event: Event): void {
    // Says that this page knows how to go on; otherwise the context never comes back.
    event.preventDefault();
    if (this.#lost) return;
    this.#lost = true;
    this.#losses += 1;
    this.#usable = new Promise((resolve) => {
      this.#becomeUsable = resolve;
    });
    this.#listener.lost();
  }

  async #onRestored(): Promise<void> {
    const stage = this.#stage;
    if (!stage) return;
    const { signal } = this.#stop;
    const loss = this.#losses;
    try {
      withoutDeleting(this.#canvas, () => guarded(() => stage.restore()));
      const models = [...this.#models.keys()];
      const decoded = await Promise.all(models.map(async (model) => {
        const images = await model.library.decode({ signal, maxSize: this.maxTextureSize, blocks: this.blockFormats });
        return { model, images };
      }));
      const current = this.#stage === stage && loss === this.#losses;
      for (const { model, images } of decoded) {
        // Its last actor may have gone meanwhile, the context may be lost again, or all be over.
        const [actor] = this.#models.get(model) ?? [];
        if (current && actor !== undefined) upload(stage, actor, images);
        else images.forEach(closeImage);
      }
      if (!current) return;
      guarded(() => stage.draw());
      this.#lost = false;
      this.#becomeUsable();
      this.#listener.restored();
    } catch (error) {
      if (!signal.aborted) this.#listener.failed(error);
    }
  }
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

function upload(stage: CoreStage, actor: number, images: readonly DecodedImage[]): void {
  for (const image of images) uploadImage(stage, actor, image);
}
