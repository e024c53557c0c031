// A stage with the models of its actors, and its restore after a lost context.

import { isLoss, type Screen, type ContextUser } from './graphics-context.ts';
import type { BlockFormat, Core, CoreAsset, CoreStage } from '../wasm/core.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { closeImage, setImage, type DecodedImage, type ImageLibrary } from '../load/images.ts';
import type { Model } from '../load/model.ts';
import type { Rgba } from '../values/color.ts';
import type { ProgressMeter } from '../base/progress.ts';
import type { SharedModels } from '../load/shared-models.ts';
import { inSlices, delay } from '../base/scheduling.ts';
import { guarded } from '../wasm/guarded.ts';

export interface ContextListener {
  lost(): void;
  /** The stage is complete again, textures included. */
  restored(): void;
  failed(error: unknown): void;
}

/** The internal error that stops the decoding of images that are not needed any more. */
const STOPPED = new Error('stopped');

/**
 * Owns a Rust stage and its models, and uploads them again after the browser has restored a lost context. Actors and camera need
 * no GPU, so the API works while the context is lost.
 */
export class StageHost {
  /** The canvas of the stage. */
  readonly screen: Screen;
  readonly #listener: ContextListener;
  readonly #stop = new AbortController();
  #stage: CoreStage | undefined;
  /** The actors of each model; a model without any is freed. */
  readonly #models = new Map<Model, Set<number>>();
  /** Functions that remove the listeners of the models on stage. */
  readonly #listening = new Map<Model, () => void>();
  /** The number of prepared uses of each model that are not added or discarded yet. */
  readonly #prepared = new Map<CoreAsset, number>();
  readonly #core: Core;
  #lost = false;
  /** The number of losses of the context. */
  #losses = 0;
  #usable: Promise<void> = Promise.resolve();
  #resolveUsable: () => void = () => undefined;
  readonly #contextUser: ContextUser = {
    lost: () => this.#onLost(),
    contextRestored: () => guarded(() => this.#stage?.restore()),
    rebuild: () => void this.#rebuild(),
    failed: (error) => this.#listener.failed(error),
  };

  constructor(core: Core, screen: Screen, cpuSkinning: boolean, listener: ContextListener) {
    this.#core = core;
    this.screen = screen;
    this.#listener = listener;
    screen.context.join(this.#contextUser);
    try {
      this.#stage = guarded(() => core.openStage(screen.context.core, cpuSkinning));
    } catch (error) {
      // A context that was made for this stage ends with it.
      screen.leave(this.#contextUser, () => undefined);
      throw error;
    }
    if (screen.context.lost) this.#awaitContext();
    // Starts early, because models need it; each load of a model reports its errors.
    this.light(this.#stop.signal).catch(() => undefined);
  }

  /** The stage; undefined after its disposal. */
  get stage(): CoreStage | undefined {
    return this.#stage;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Resolves when the context is usable, or when the stage has stopped. */
  get usable(): Promise<void> {
    return this.#usable;
  }

  /** The limits of the GPU for images. */
  get capacity(): { readonly maxTextureSize: number; readonly blockFormats: ReadonlySet<BlockFormat> } {
    const { maxTextureSize, blockFormats } = this.screen.context;
    return { maxTextureSize, blockFormats };
  }

  /** `true` if an actor shows the model. */
  shows(model: Model): boolean {
    return this.#models.has(model);
  }

  /** The actors on stage with their models. */
  *cast(): Generator<readonly [actor: number, model: Model]> {
    for (const [model, actors] of this.#models) for (const actor of actors) yield [actor, model];
  }

  /** Uploads the lighting to the GPU; resolves when that is done. */
  light(signal: AbortSignal): Promise<void> {
    return this.#retryAfterLoss(signal, (stage, isCurrent) => uploadLight(stage, isCurrent));
  }

  /** The loaded models, which viewers with the same context may share. */
  get models(): SharedModels {
    return this.screen.context.models;
  }

  /**
   * Uploads a model to the GPU, so that {@link add} takes no time. Each call must be followed by `add` or `discard`, even if it
   * throws.
   */
  async prepare({ asset, library }: Model, signal: AbortSignal, meter?: Pick<ProgressMeter, 'step'>): Promise<void> {
    this.#prepared.set(asset, (this.#prepared.get(asset) ?? 0) + 1);
    await this.#retryAfterLoss(signal, (stage, isCurrent) =>
      this.models.queueUpload(asset, async (wasUploaded) => {
        if (!isCurrent()) return false;
        if (guarded(() => stage.deformsOnCpu(asset))) await this.#core.loadFeatures(['extras']);
        if (!isCurrent()) return false;
        guarded(() => stage.prepare(asset));
        // In parallel, because the GPU may be busy with one while the other can proceed.
        const both = await Promise.allSettled([
          uploadLight(stage, isCurrent),
          this.#upload(stage, asset, library, wasUploaded, isCurrent, signal, meter),
        ]);
        for (const one of both) if (one.status === 'rejected') throw one.reason;
        return both.every((one) => one.status === 'fulfilled' && one.value);
      }),
    );
  }

  /** Puts an actor on stage and returns its id. If it throws, the model is freed unless another actor shows it. */
  add(model: Model, place: Float32Array): number {
    const stage = this.#stage;
    try {
      if (!stage) throw new Error('disposed');
      const actor = guarded(() => stage.add(model.asset, place));
      const actors = this.#models.get(model) ?? new Set();
      if (actors.size === 0) {
        this.#unprepare(model.asset);
        const update = (): void => guarded(() => this.#stage?.updateClips(model.asset));
        this.#listening.set(model, model.onClipChange(update));
      }
      this.#models.set(model, actors.add(actor));
      return actor;
    } catch (error) {
      if (!this.shows(model)) this.discard(model);
      throw error;
    }
  }

  /** Frees a prepared model that is not on stage. */
  discard(model: Model): void {
    // Another load on this stage may wait for the same model.
    if (this.#unprepare(model.asset) === 0) guarded(() => this.#stage?.release(model.asset));
    model.free();
  }

  /** Decrements the number of prepared uses of a model, and returns it. */
  #unprepare(asset: CoreAsset): number {
    const left = (this.#prepared.get(asset) ?? 1) - 1;
    if (left > 0) this.#prepared.set(asset, left);
    else this.#prepared.delete(asset);
    return left;
  }

  /** Removes an actor from the stage, and frees its model if no other actor shows it. */
  remove(actor: number): void {
    guarded(() => this.#stage?.remove(actor));
    for (const [model, actors] of this.#models) {
      if (!actors.delete(actor) || actors.size > 0) continue;
      this.#models.delete(model);
      this.#free(model);
    }
  }

  resize(width: number, height: number, ratio: number): void {
    this.screen.resize(width, height);
    guarded(() => this.#stage?.resize(width, height, ratio));
  }

  setBackground(rgba: Rgba | undefined): void {
    guarded(() => this.#stage?.setBackground(rgba && Float32Array.from(rgba)));
  }

  /** Aborts pending uploads. */
  stop(): void {
    this.#stop.abort();
    this.#resolveUsable();
  }

  /** Shows the frame that was drawn in this task; returns `false` if the context is lost, even before its event. */
  present(): boolean {
    if (this.screen.context.lost) return false;
    this.screen.present();
    return true;
  }

  /** Deletes all GL objects and the models. Do not call it after a panic; see {@link abandon}. */
  dispose(): void {
    this.stop();
    const stage = this.#stage;
    this.#stage = undefined;
    const models = [...this.#models.keys()];
    this.#models.clear();
    this.screen.leave(this.#contextUser, () => stage?.free());
    for (const model of models) this.#free(model);
  }

  /** Frees a model that was on stage. */
  #free(model: Model): void {
    this.#listening.get(model)?.();
    this.#listening.delete(model);
    model.free();
  }

  /** Drops all handles without a call into the module, after a panic; the browser frees the GL objects. */
  abandon(): void {
    this.stop();
    this.#stage = undefined;
    this.#models.clear();
    this.screen.context.abandon(this.#contextUser);
  }

  #onLost(): void {
    this.#losses += 1;
    if (this.#lost) return;
    this.#awaitContext();
    this.#listener.lost();
  }

  #awaitContext(): void {
    this.#lost = true;
    this.#usable = new Promise((resolve) => {
      this.#resolveUsable = resolve;
    });
  }

  /** Uploads all data again. If the context is lost meanwhile, it stops, and starts again after the next restore. */
  async #rebuild(): Promise<void> {
    const stage = this.#stage;
    if (!stage) return;
    const { signal } = this.#stop;
    const loss = this.#losses;
    const isCurrent = (): boolean => this.#stage === stage && loss === this.#losses && !signal.aborted;
    try {
      await uploadLight(stage, isCurrent);
      for (const model of [...this.#models.keys()]) {
        // The last actor of the model may be removed meanwhile.
        const needed = (): boolean => isCurrent() && this.#models.has(model);
        try {
          const { asset, library } = model;
          await this.models.queueUpload(asset, (wasUploaded) =>
            this.#upload(stage, asset, library, wasUploaded, needed, signal),
          );
        } catch (error) {
          if (needed()) throw error;
        }
      }
      if (!isCurrent()) return;
      guarded(() => stage.draw());
      this.#lost = false;
      this.#resolveUsable();
      this.#listener.restored();
    } catch (error) {
      if (isCurrent() && !isLoss(error)) this.#listener.failed(error);
    }
  }

  /**
   * Uploads the missing data of a model, one image at a time; returns `true` if the model is complete. `wasUploaded` is `true` if the
   * model was uploaded before; the stage knows if it is still complete.
   */
  async #upload(
    stage: CoreStage,
    asset: CoreAsset,
    library: ImageLibrary,
    wasUploaded: boolean,
    isCurrent: () => boolean,
    signal: AbortSignal,
    meter?: Pick<ProgressMeter, 'step'>,
  ): Promise<boolean> {
    if (!isCurrent()) return false;
    if (wasUploaded && guarded(() => stage.isComplete(asset))) return true;
    const upload = (): Promise<boolean> =>
      inSlices((bytes, mayWait) => guarded(() => stage.advance(asset, bytes, mayWait)), isCurrent);
    // Uploads everything but the images while the first images are decoded.
    let last = upload();
    // An error is thrown at the end.
    last.catch(() => undefined);
    meter?.step('decode', 0, 0);
    const { maxTextureSize: maxSize, blockFormats: blocks } = this.capacity;
    const use = (image: DecodedImage): Promise<boolean> =>
      (last = last.then(
        (done) => {
          if (!done || !isCurrent()) {
            closeImage(image);
            throw STOPPED;
          }
          setImage(stage, asset, image);
          return upload();
        },
        (error: unknown) => {
          closeImage(image);
          throw error;
        },
      ));
    try {
      await library.decode(
        {
          signal,
          maxSize,
          blocks,
          onImage: (done, total) => {
            meter?.step('decode', done, total);
            // All images are decoded; only uploads remain.
            if (done === total) meter?.step('upload', 0, 0);
          },
        },
        use,
      );
    } catch (error) {
      // Pending steps must end before another viewer's upload starts.
      await last.catch(() => undefined);
      if (error === STOPPED) return false;
      throw error;
    }
    meter?.step('upload', 0, 0);
    return last;
  }

  /** Runs `work` in one context; if the context is lost meanwhile, it runs `work` again after the restore. */
  async #retryAfterLoss(
    signal: AbortSignal,
    work: (stage: CoreStage, isCurrent: () => boolean) => Promise<boolean>,
  ): Promise<void> {
    for (;;) {
      await this.#usable;
      throwIfAborted(signal);
      throwIfAborted(this.#stop.signal);
      const [stage, loss] = [this.#stage, this.#losses];
      if (!stage) throw abortError();
      const isCurrent = (): boolean =>
        this.#stage === stage && loss === this.#losses && !signal.aborted && !this.#stop.signal.aborted;
      try {
        if (await work(stage, isCurrent)) return;
      } catch (error) {
        if (isCurrent() && !isLoss(error)) throw error;
        // The event of the loss may still follow.
        while (isCurrent()) await delay();
      }
    }
  }
}

function uploadLight(stage: CoreStage, isCurrent: () => boolean): Promise<boolean> {
  return inSlices((bytes) => guarded(() => stage.advanceLight(bytes)), isCurrent);
}
