// One stage with everything that has to survive a lost context: the model, its images, the playhead, the camera.

import type { BlockFormat, Core, CoreAsset, CoreStage, LoopMode } from './core.ts';
import { closeImage, uploadImage, type DecodedImage, type ImageLibrary } from './images.ts';
import { discard } from './load.ts';
import { guarded } from './wasm.ts';

export interface StageSettings {
  readonly antialias: boolean;
  readonly cpuSkinning: boolean;
}

export interface ContextListener {
  lost(): void;
  /** The stage is new and complete, textures included. */
  restored(): void;
  failed(error: unknown): void;
}

/**
 * Owns the Rust stage of a canvas, and makes a new one when the browser gives a lost context back.
 *
 * While the context is lost the old stage stays: its player and camera need no GPU, so the API keeps working.
 */
export class StageHost {
  readonly #core: Core;
  readonly #canvas: HTMLCanvasElement;
  readonly #settings: StageSettings;
  readonly #listener: ContextListener;
  readonly #stop = new AbortController();
  #stage: CoreStage | undefined;
  #model: { asset: CoreAsset; library: ImageLibrary } | undefined;
  #background: Float32Array | undefined;
  #ratio = 1;
  #lost = false;
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

  /** Puts a model on stage and frees the one before. The bitmaps are used up. */
  show(asset: CoreAsset, library: ImageLibrary, images: readonly DecodedImage[]): void {
    const stage = this.#stage;
    if (!stage) return;
    const before = this.#model;
    try {
      guarded(() => stage.setAsset(asset));
    } catch (error) {
      // The stage is empty then.
      this.#model = undefined;
      discard({ asset, images });
      throw error;
    } finally {
      if (before) guarded(() => before.asset.free());
    }
    this.#model = { asset, library };
    upload(stage, images);
  }

  clear(): void {
    const stage = this.#stage;
    const model = this.#model;
    if (!stage || !model) return;
    guarded(() => stage.clear());
    this.#model = undefined;
    guarded(() => model.asset.free());
  }

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    // Setting a size clears the canvas, even if it is the same.
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    guarded(() => this.#stage?.resize(width, height, ratio));
  }

  setBackground(rgba: Float32Array | undefined): void {
    this.#background = rgba;
    guarded(() => this.#stage?.setBackground(rgba));
  }

  /** Deletes every GL object and the model. After a panic nothing may be called, so all is left to the browser. */
  dispose(): void {
    this.#stop.abort();
    this.#becomeUsable();
    const stage = this.#stage;
    this.#stage = undefined;
    const model = this.#model;
    this.#model = undefined;
    if (stage) guarded(() => stage.free());
    if (model) guarded(() => model.asset.free());
  }

  /** Forgets the handles without calling them. */
  abandon(): void {
    this.#stop.abort();
    this.#becomeUsable();
    this.#stage = undefined;
    this.#model = undefined;
  }

  #create(): CoreStage {
    return guarded(() => new this.#core.Stage(this.#canvas, this.#settings));
  }

  #onLost(event: Event): void {
    // Says that this page knows how to go on; otherwise the context never comes back.
    event.preventDefault();
    if (this.#lost) return;
    this.#lost = true;
    this.#usable = new Promise((resolve) => {
      this.#becomeUsable = resolve;
    });
    this.#listener.lost();
  }

  async #onRestored(): Promise<void> {
    const old = this.#stage;
    if (!old) return;
    try {
      const state = guarded(() => capture(old));
      // From here on nobody may find the freed one.
      this.#stage = undefined;
      withoutDeleting(this.#canvas, () => guarded(() => old.free()));
      const stage = this.#create();
      this.#stage = stage;
      const model = this.#model;
      guarded(() => {
        stage.resize(this.#canvas.width, this.#canvas.height, this.#ratio);
        stage.setBackground(this.#background);
        if (model) stage.setAsset(model.asset);
        restore(stage, state);
      });
      const images = model ? await model.library.decode({ signal: this.#stop.signal, maxSize: this.maxTextureSize, blocks: this.blockFormats }) : [];
      // Another model, another loss or the end may have come meanwhile.
      if (this.#stage === stage && this.#model === model) upload(stage, images);
      else images.forEach(closeImage);
      if (this.#stage !== stage) return;
      guarded(() => {
        stage.draw();
        // All of these repeat what listeners have long been told.
        stage.drainEvents();
      });
      this.#lost = false;
      this.#becomeUsable();
      this.#listener.restored();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#listener.failed(error);
    }
  }
}

/**
 * Runs `free` while the context deletes nothing: the objects went with the lost context, and the one that came back
 * takes deleting them for an error.
 */
function withoutDeleting(canvas: HTMLCanvasElement, free: () => void): void {
  const gl = canvas.getContext('webgl2') as unknown as Record<string, unknown> | null;
  if (!gl) return free();
  const kinds = ['Buffer', 'Framebuffer', 'Program', 'Renderbuffer', 'Sampler', 'Shader', 'Sync', 'Texture', 'VertexArray'];
  for (const kind of kinds) gl[`delete${kind}`] = () => undefined;
  try {
    free();
  } finally {
    // Uncovers those of the prototype.
    for (const kind of kinds) delete gl[`delete${kind}`];
  }
}

function upload(stage: CoreStage, images: readonly DecodedImage[]): void {
  for (const image of images) uploadImage(stage, image);
}

interface StageState {
  readonly clip: number;
  readonly time: number;
  readonly paused: boolean;
  readonly rate: number;
  readonly loopMode: LoopMode;
  readonly repetitions: number;
  readonly variant: number;
  readonly camera: Float64Array;
  readonly viewCamera: number;
}

function capture(stage: CoreStage): StageState {
  const { clip, currentTime: time, paused, rate, loopMode, repetitions, variant, viewCamera } = stage;
  return { clip, time, paused, rate, loopMode, repetitions, variant, camera: stage.cameraState(), viewCamera };
}

function restore(stage: CoreStage, state: StageState): void {
  stage.rate = state.rate;
  stage.loopMode = state.loopMode;
  stage.repetitions = state.repetitions;
  if (state.clip >= 0) {
    stage.choose(state.clip);
    stage.seek(state.time);
    if (!state.paused) stage.play(-1);
  }
  stage.setVariant(state.variant);
  // Afterwards, since whoever moves the stage's own camera sees through it.
  stage.setCameraState(state.camera);
  stage.setViewCamera(state.viewCamera);
}
