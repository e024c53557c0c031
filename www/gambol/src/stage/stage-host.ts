// One stage with the models that its actors show, and how it comes back from a lost context.

import { isLoss, type Screen, type Tenant } from './graphics-context.ts';
import type { BlockFormat, Core, CoreAsset, CoreStage } from '../wasm/core.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { closeImage, giveImage, type DecodedImage, type ImageLibrary } from '../load/images.ts';
import type { Model } from '../load/model.ts';
import type { Rgba } from '../values/color.ts';
import type { ProgressMeter } from '../base/progress.ts';
import type { SharedModels } from '../load/shared-models.ts';
import { inSlices, moment } from '../base/scheduling.ts';
import { guarded } from '../wasm/guarded.ts';

export interface ContextListener {
  lost(): void;
  /** The stage is complete again, textures included. */
  restored(): void;
  failed(error: unknown): void;
}

/** Why decoding stops where nobody needs the images any more. */
const STOPPED = new Error('stopped');

/**
 * Owns a Rust stage and the models on it, and gives it new GL objects when the browser gives a lost context back. Actors and
 * camera need no GPU, so the API keeps working meanwhile.
 */
export class StageHost {
  /** Where it is seen. */
  readonly screen: Screen;
  readonly #listener: ContextListener;
  readonly #stop = new AbortController();
  #stage: CoreStage | undefined;
  /** The actors of each model; a model without any is freed. */
  readonly #models = new Map<Model, Set<number>>();
  /** How many of each model are to be added or discarded yet. */
  readonly #prepared = new Map<CoreAsset, number>();
  readonly #core: Core;
  #lost = false;
  /** How often the context was lost. */
  #losses = 0;
  #usable: Promise<void> = Promise.resolve();
  #becomeUsable: () => void = () => undefined;
  readonly #tenant: Tenant = {
    lost: () => this.#onLost(),
    returned: () => guarded(() => this.#stage?.restore()),
    rebuild: () => void this.#rebuild(),
    failed: (error) => this.#listener.failed(error),
  };

  constructor(core: Core, screen: Screen, cpuSkinning: boolean, listener: ContextListener) {
    this.#core = core;
    this.screen = screen;
    this.#listener = listener;
    screen.context.join(this.#tenant);
    try {
      this.#stage = guarded(() => core.openStage(screen.context.core, cpuSkinning));
    } catch (error) {
      // A context that was made for this stage ends with it.
      screen.leave(this.#tenant, () => undefined);
      throw error;
    }
    if (screen.context.lost) this.#missContext();
    // Models need it; what goes wrong is told to those who load them.
    this.light(this.#stop.signal).catch(() => undefined);
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

  /** What of images the GPU takes. */
  get capacity(): { readonly maxTextureSize: number; readonly blockFormats: ReadonlySet<BlockFormat> } {
    const { maxTextureSize, blockFormats } = this.screen.context;
    return { maxTextureSize, blockFormats };
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

  /** The models that are read, which other viewers of the context may share. */
  get models(): SharedModels {
    return this.screen.context.models;
  }

  /** Brings a model to the GPU; resolves when putting it on stage takes no time. Then it is to be added or discarded, also after an error. */
  async prepare({ asset, library }: Model, signal: AbortSignal, meter?: Pick<ProgressMeter, 'step'>): Promise<void> {
    this.#prepared.set(asset, (this.#prepared.get(asset) ?? 0) + 1);
    await this.#unbroken(signal, (stage, goOn) => this.models.turn(asset, async (there) => {
      if (!goOn()) return false;
      if (guarded(() => stage.needsRest(asset))) await this.#core.loadRest();
      if (!goOn()) return false;
      guarded(() => stage.prepare(asset));
      // Side by side, since the GPU may be at work for one while there is something to do for the other.
      const both = await Promise.allSettled([lit(stage, goOn), this.#brought(stage, asset, library, there, goOn, signal, meter)]);
      for (const one of both) if (one.status === 'rejected') throw one.reason;
      return both.every((one) => one.status === 'fulfilled' && one.value);
    }));
  }

  /** Puts an actor on stage and returns its number. A model that nobody else shows is freed when this throws. */
  add(model: Model, place: Float32Array): number {
    const stage = this.#stage;
    try {
      if (!stage) throw new Error('disposed');
      const actor = guarded(() => stage.add(model.asset, place));
      const actors = this.#models.get(model) ?? new Set();
      if (actors.size === 0) this.#unprepare(model.asset);
      this.#models.set(model, actors.add(actor));
      return actor;
    } catch (error) {
      if (!this.shows(model)) this.discard(model);
      throw error;
    }
  }

  /** Frees what was loaded and is not on stage. */
  discard(model: Model): void {
    // Another load on this stage may wait for the same model.
    if (this.#unprepare(model.asset) === 0) guarded(() => this.#stage?.release(model.asset));
    model.free();
  }

  /** One less is to be added or discarded: how many are left of the model. */
  #unprepare(asset: CoreAsset): number {
    const left = (this.#prepared.get(asset) ?? 1) - 1;
    if (left > 0) this.#prepared.set(asset, left);
    else this.#prepared.delete(asset);
    return left;
  }

  /** Takes an actor off the stage, and frees its model if nobody else shows it. */
  remove(actor: number): void {
    guarded(() => this.#stage?.remove(actor));
    for (const [model, actors] of this.#models) {
      if (!actors.delete(actor) || actors.size > 0) continue;
      this.#models.delete(model);
      model.free();
    }
  }

  resize(width: number, height: number, ratio: number): void {
    this.screen.resize(width, height);
    guarded(() => this.#stage?.resize(width, height, ratio));
  }

  setBackground(rgba: Rgba | undefined): void {
    guarded(() => this.#stage?.setBackground(rgba && Float32Array.from(rgba)));
  }

  /** Gives up what is on its way. */
  stop(): void {
    this.#stop.abort();
    this.#becomeUsable();
  }

  /** Shows what was drawn in this task; false if the context is gone, though its event is still to come. */
  present(): boolean {
    if (this.screen.context.lost) return false;
    this.screen.present();
    return true;
  }

  /** Deletes every GL object and the models. After a panic nothing may be called, so all is left to the browser. */
  dispose(): void {
    this.stop();
    const stage = this.#stage;
    this.#stage = undefined;
    const models = [...this.#models.keys()];
    this.#models.clear();
    this.screen.leave(this.#tenant, () => stage?.free());
    for (const model of models) model.free();
  }

  /** Forgets the handles without calling them. */
  abandon(): void {
    this.stop();
    this.#stage = undefined;
    this.#models.clear();
    this.screen.context.abandon(this.#tenant);
  }

  #onLost(): void {
    this.#losses += 1;
    if (this.#lost) return;
    this.#missContext();
    this.#listener.lost();
  }

  #missContext(): void {
    this.#lost = true;
    this.#usable = new Promise((resolve) => {
      this.#becomeUsable = resolve;
    });
  }

  /** Brings everything to the GPU again. If the context is lost meanwhile, this is given up, and done when it is back. */
  async #rebuild(): Promise<void> {
    const stage = this.#stage;
    if (!stage) return;
    const { signal } = this.#stop;
    const loss = this.#losses;
    const goOn = (): boolean => this.#stage === stage && loss === this.#losses && !signal.aborted;
    try {
      await lit(stage, goOn);
      for (const model of [...this.#models.keys()]) {
        // Its last actor may go meanwhile.
        const needed = (): boolean => goOn() && this.#models.has(model);
        try {
          const { asset, library } = model;
          await this.models.turn(asset, (there) => this.#brought(stage, asset, library, there, needed, signal));
        } catch (error) {
          if (needed()) throw error;
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

  /**
   * Brings what is missing of a model to the GPU, an image at a time; whether all is there. `there`: whether it was there before, of which
   * the stage knows more.
   */
  async #brought(
    stage: CoreStage, asset: CoreAsset, library: ImageLibrary, there: boolean, goOn: () => boolean, signal: AbortSignal, meter?: Pick<ProgressMeter, 'step'>,
  ): Promise<boolean> {
    if (!goOn()) return false;
    if (there && guarded(() => stage.isComplete(asset))) return true;
    const upload = (): Promise<boolean> => inSlices((bytes, patience) => guarded(() => stage.advance(asset, bytes, patience)), goOn);
    // All but the images, while the first of them are decoded.
    let last = upload();
    // Told at the end.
    last.catch(() => undefined);
    meter?.step('decode', 0, 0);
    const { maxTextureSize: maxSize, blockFormats: blocks } = this.capacity;
    const use = (image: DecodedImage): Promise<boolean> => (last = last.then(async (done) => {
      if (!done || !goOn()) {
        closeImage(image);
        throw STOPPED;
      }
      // Pixels that are no bitmap are copied by the rest of the module.
      if (!(image.pixels instanceof ImageBitmap)) await this.#core.loadRest();
      giveImage(stage, asset, image);
      return upload();
    }, (error: unknown) => {
      closeImage(image);
      throw error;
    }));
    try {
      await library.decode({
        signal, maxSize, blocks,
        onImage: (done, total) => {
          meter?.step('decode', done, total);
          // The rest goes to the GPU.
          if (done === total) meter?.step('upload', 0, 0);
        },
      }, use);
    } catch (error) {
      // The steps that were begun end before another viewer has its turn.
      await last.catch(() => undefined);
      if (error === STOPPED) return false;
      throw error;
    }
    meter?.step('upload', 0, 0);
    return last;
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

function lit(stage: CoreStage, goOn: () => boolean): Promise<boolean> {
  return inSlices((bytes) => guarded(() => stage.advanceLight(bytes)), goOn);
}
