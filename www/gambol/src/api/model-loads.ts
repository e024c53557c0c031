// Loads of the viewer's own model: a new load aborts the one before, and an abort rejects without waiting for pending work.

import type { Core } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { LOAD_OPTIONS, checkedLoad, type LoadOptions } from '../load/import-model.ts';
import type { Model } from '../load/model.ts';
import { ProgressMeter, TotalProgress, type Progress, type ViewerProgress } from '../base/progress.ts';
import { addressOf, type AssetSource } from '../load/source.ts';

export interface ModelLoadsListener {
  progress(progress: ViewerProgress): void;
  /** Prepares the light of the model's file. It rejects by an abort alone. */
  light(model: Model, signal: AbortSignal): Promise<void>;
  /** Puts the model on stage, and takes over its ownership. */
  show(model: Model): void;
  /** Called when the model's first frame is on screen. */
  shown(model: Model): void;
}

export class ModelLoads {
  readonly #core: Core;
  readonly #engine: Engine;
  readonly #listener: ModelLoadsListener;
  #current: AbortController | undefined;
  /** The URL of the viewer's own model; undefined for other sources. */
  #address: string | undefined;
  /** The loads of further actors and crowds. */
  readonly #others = new Set<AbortController>();
  readonly #total = new TotalProgress();

  constructor(core: Core, engine: Engine, listener: ModelLoadsListener) {
    this.#core = core;
    this.#engine = engine;
    this.#listener = listener;
  }

  /** `true` while a model is loading and not yet on stage. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Aborts the load of the viewer's own model. */
  cancel(): void {
    this.#current?.abort();
    this.#current = undefined;
  }

  /** Aborts all loads. */
  dispose(): void {
    this.cancel();
    for (const other of this.#others) other.abort();
  }

  /**
   * Loads the viewer's own model, with the features that its file needs. Resolves when the model is on screen. Its first frame has all
   * settings that wait for features.
   */
  async load(from: AssetSource, options: LoadOptions): Promise<Model> {
    checkedLoad(options, 'load()', LOAD_OPTIONS);
    this.cancel();
    const abort = new AbortController();
    this.#current = abort;
    try {
      return await this.#abortable(abort, options, async (meter) => {
        // The URL that the viewer shows already is fetched again, because the file may have changed.
        const address = addressOf(from);
        const reload = address !== undefined && address === this.#address;
        const model = await this.#loadOwned(from, options, abort.signal, meter, reload);
        // They reject only by an abort, which the check reports.
        await withAbort(this.#listener.light(model, abort.signal), abort.signal).catch(() => undefined);
        await withAbort(this.#engine.settings.settled(), abort.signal).catch(() => undefined);
        this.#check(abort.signal, model);
        // There is no `await` between the check and `show`, so no abort can come in between.
        this.#current = undefined;
        this.#address = address;
        this.#listener.show(model);
        await this.#engine.presented();
        this.#listener.shown(model);
        return model;
      });
    } finally {
      if (this.#current === abort) this.#current = undefined;
    }
  }

  /** Loads a model for a further actor or a crowd; the caller owns it. */
  async fetch(from: AssetSource, options: LoadOptions): Promise<Model> {
    checkedLoad(options, 'load');
    const abort = new AbortController();
    this.#others.add(abort);
    try {
      return await this.#abortable(abort, options, (meter) =>
        this.#loadOwned(from, options, abort.signal, meter, false),
      );
    } finally {
      this.#others.delete(abort);
    }
  }

  /** Runs `work` with progress reports, and forwards the abort of the page's signal to `abort`. */
  async #abortable<T>(
    abort: AbortController,
    options: LoadOptions,
    work: (meter: ProgressMeter) => Promise<T>,
  ): Promise<T> {
    const { signal } = abort;
    const outer = options.signal;
    const onOuter = (): void => abort.abort(outer?.reason);
    if (outer?.aborted) onOuter();
    outer?.addEventListener('abort', onOuter);
    let last: Progress = { phase: 'fetch', loaded: 0, total: 0, ratio: 0 };
    this.#total.begin(abort);
    const meter = new ProgressMeter((progress) => {
      last = progress;
      if (signal.aborted) return;
      this.#listener.progress({ ...progress, totalRatio: this.#total.update(abort, progress.ratio) });
      options.onProgress?.(progress);
    });
    try {
      const result = await work(meter);
      last = { phase: 'upload', loaded: 1, total: 1, ratio: 1 };
      if (!signal.aborted) options.onProgress?.(last);
      return result;
    } finally {
      outer?.removeEventListener('abort', onOuter);
      const totalRatio = this.#total.end(abort);
      // Also after a failure, so that a progress bar of the page ends.
      this.#listener.progress({ ...last, totalRatio });
    }
  }

  async #loadOwned(
    from: AssetSource,
    options: LoadOptions,
    signal: AbortSignal,
    meter: ProgressMeter,
    reload: boolean,
  ): Promise<Model> {
    const model = await withAbort(this.#read(from, options, signal, meter, reload), signal);
    this.#check(signal, model);
    return model;
  }

  async #read(
    from: AssetSource,
    options: LoadOptions,
    signal: AbortSignal,
    meter: ProgressMeter,
    reload: boolean,
  ): Promise<Model> {
    const { host, textureBudget } = this.#engine;
    const { limits = {} } = options;
    const given = { ...options, limits, textureBudget: options.textureBudget ?? textureBudget };
    const context = { core: this.#core, signal, meter, limits, figure: true };
    const model = await host.models.load(from, given, context, reload);
    try {
      await host.prepare(model, signal, meter);
    } catch (error) {
      host.discard(model);
      throw error;
    }
    this.#check(signal, model);
    return model;
  }

  /** Discards the model and throws if the load was aborted. */
  #check(signal: AbortSignal, model: Model): void {
    if (signal.aborted) this.#engine.host.discard(model);
    throwIfAborted(signal);
  }
}

/** Settles like `work`, or rejects with `load/aborted` as soon as the signal aborts; the work cleans up after itself. */
function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
