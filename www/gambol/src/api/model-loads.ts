// One load of the viewer's own model at a time: the last one wins, and an abort is answered at once, whatever is still under way.

import type { Core } from '../wasm/core.ts';
import type { Engine } from '../stage/engine.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { checkedLoad, type LoadOptions } from '../load/import-model.ts';
import type { Model } from '../load/model.ts';
import { ProgressMeter, TotalProgress, type Progress, type ViewerProgress } from '../base/progress.ts';
import { addressOf, type AssetSource } from '../load/source.ts';

export interface ModelLoadsListener {
  progress(progress: ViewerProgress): void;
  /** Puts the model on stage; from here on it is not the loader's any more. */
  show(model: Model): void;
  /** `true` if something is to be played of the model when it comes. */
  intends(): boolean;
  /** Its first frame is on screen. */
  seen(model: Model): void;
}

export class ModelLoads {
  readonly #core: Core;
  readonly #engine: Engine;
  readonly #listener: ModelLoadsListener;
  #current: AbortController | undefined;
  /** Where the viewer's own model came from, if from an address. */
  #address: string | undefined;
  /** Loads beside the current one. */
  readonly #others = new Set<AbortController>();
  readonly #total = new TotalProgress();

  constructor(core: Core, engine: Engine, listener: ModelLoadsListener) {
    this.#core = core;
    this.#engine = engine;
    this.#listener = listener;
  }

  /** Whether a model is on its way and not yet on stage. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Gives the current load up. */
  cancel(): void {
    this.#current?.abort();
    this.#current = undefined;
  }

  /** Gives all loads up. */
  dispose(): void {
    this.cancel();
    for (const other of this.#others) other.abort();
  }

  /**
   * Resolves when the model is on screen and the rest of the module is there, which all calls may use from then on. If it cannot be had,
   * the model plays all the same; a call that needs it throws `load/chunk` then.
   */
  async load(from: AssetSource, options: LoadOptions): Promise<Model> {
    checkedLoad(options, 'load()');
    this.cancel();
    const abort = new AbortController();
    this.#current = abort;
    try {
      return await this.#abortable(abort, options, async (meter) => {
        // The address that the viewer shows already is fetched again, because the file may have changed.
        const address = addressOf(from);
        const anew = address !== undefined && address === this.#address;
        const model = await this.#taken(from, options, abort.signal, meter, anew);
        // Playback that was asked for before it came may need the rest.
        if (this.#listener.intends()) {
          await raced(this.#core.loadRest().catch(() => undefined), abort.signal);
          this.#check(abort.signal, model);
        }
        // `show` belongs to this task: nothing can come between the check and it.
        this.#current = undefined;
        this.#address = address;
        this.#listener.show(model);
        await this.#engine.presented();
        this.#listener.seen(model);
        await raced(this.#core.loadRest().catch(() => undefined), abort.signal);
        return model;
      });
    } finally {
      if (this.#current === abort) this.#current = undefined;
    }
  }

  /** Loads a model beside the others; it is the caller's. */
  async fetch(from: AssetSource, options: LoadOptions): Promise<Model> {
    checkedLoad(options, 'a load');
    const abort = new AbortController();
    this.#others.add(abort);
    try {
      return await this.#abortable(abort, options, (meter) => this.#taken(from, options, abort.signal, meter, false));
    } finally {
      this.#others.delete(abort);
    }
  }

  /** Lets the page's signal abort the work too, and meters it. */
  async #abortable<T>(abort: AbortController, options: LoadOptions, work: (meter: ProgressMeter) => Promise<T>): Promise<T> {
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
      // A load that has failed ends what a page shows of it, too.
      this.#listener.progress({ ...last, totalRatio });
    }
  }

  async #taken(from: AssetSource, options: LoadOptions, signal: AbortSignal, meter: ProgressMeter, anew: boolean): Promise<Model> {
    const model = await raced(this.#read(from, options, signal, meter, anew), signal);
    this.#check(signal, model);
    return model;
  }

  async #read(from: AssetSource, options: LoadOptions, signal: AbortSignal, meter: ProgressMeter, anew: boolean): Promise<Model> {
    const { host, textureBudget } = this.#engine;
    const { limits = {} } = options;
    const given = { ...options, limits, textureBudget: options.textureBudget ?? textureBudget };
    const model = await host.models.load(from, given, { core: this.#core, signal, meter, limits }, anew);
    try {
      await host.prepare(model, signal, meter);
    } catch (error) {
      host.discard(model);
      throw error;
    }
    this.#check(signal, model);
    return model;
  }

  /** What nobody waits for any more is freed. */
  #check(signal: AbortSignal, model: Model): void {
    if (signal.aborted) this.#engine.host.discard(model);
    throwIfAborted(signal);
  }
}

/** `work`, or `load/aborted` as soon as the signal says so; the work cleans up after itself. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
