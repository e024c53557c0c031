// Models that the viewers of one context share: loaded and uploaded to the GPU once, and freed with the last viewer that shows
// them.

import type { CoreAsset } from '../wasm/core.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { importModel, type ImportContext, type LoadedModel, type ModelOptions } from './import-model.ts';
import { Model } from './model.ts';
import type { ProgressMeter } from '../base/progress.ts';
import { addressOf, type AssetSource } from './source.ts';

/** The instances of all contexts, so that an element does not fetch a model that another element has. */
const allInstances = new Set<SharedModels>();

/** `true` if a model with a URL is loading or shown already, with the same options. */
export function isShared(from: AssetSource, options: ModelOptions): boolean {
  const key = keyOf(from, options);
  return key !== undefined && [...allInstances].some((models) => models.has(key));
}

/** The models of a context. Models that viewers can share are stored by their URL and options. */
export class SharedModels {
  readonly #canShare: boolean;
  readonly #records = new Map<string, Shared>();
  /** The last pending upload of each model; uploads of one model run one after the other. */
  readonly #uploads = new Map<CoreAsset, Promise<unknown>>();
  /** The models that are uploaded, including their images. */
  #uploaded = new WeakSet<CoreAsset>();

  /** `canShare`: `true` if the context can have several viewers. */
  constructor(canShare: boolean) {
    this.#canShare = canShare;
    if (canShare) allInstances.add(this);
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  /** Loads a model, or shares the load of another viewer; `reload` loads it even if it is loaded already. */
  async load(from: AssetSource, options: ModelOptions, context: ImportContext, reload: boolean): Promise<Model> {
    const key = this.#canShare ? keyOf(from, options) : undefined;
    if (key === undefined) return new Model(await importModel(from, options, context));
    throwIfAborted(context.signal);
    let record = reload ? undefined : this.#records.get(key);
    if (!record) {
      const made: Shared = (record = new Shared(
        (shared) => importModel(from, options, { ...context, ...shared }),
        () => {
          if (this.#records.get(key) === made) this.#records.delete(key);
        },
      ));
      this.#records.set(key, made);
    }
    return record.join(context);
  }

  /**
   * Runs the upload of a model after pending uploads of it. The argument of `work` is `true` if the model was uploaded before;
   * `work` returns `true` if the model is uploaded afterwards.
   */
  async queueUpload(asset: CoreAsset, work: (wasUploaded: boolean) => Promise<boolean>): Promise<boolean> {
    const before = this.#uploads.get(asset);
    const queueUpload = (async () => {
      await before?.catch(() => undefined);
      const done = await work(this.#uploaded.has(asset));
      if (done) this.#uploaded.add(asset);
      return done;
    })();
    this.#uploads.set(asset, queueUpload);
    try {
      return await queueUpload;
    } finally {
      if (this.#uploads.get(asset) === queueUpload) this.#uploads.delete(asset);
    }
  }

  /** Forgets all uploads after a loss of the context. */
  lose(): void {
    this.#uploaded = new WeakSet();
  }

  /** Ends sharing, with the context. */
  end(): void {
    allInstances.delete(this);
  }
}

/** A shared model, with the number of its users. */
class Shared {
  readonly #stop = new AbortController();
  readonly #model: Promise<LoadedModel>;
  readonly #onEnd: () => void;
  readonly #meters = new Set<Pick<ProgressMeter, 'step'>>();
  #step: Parameters<ProgressMeter['step']> | undefined;
  #users = 0;

  /** `onEnd`: called when the model cannot be shared any more. */
  constructor(read: (shared: Pick<ImportContext, 'signal' | 'meter'>) => Promise<LoadedModel>, onEnd: () => void) {
    this.#onEnd = onEnd;
    const step: ProgressMeter['step'] = (...args) => {
      this.#step = args;
      for (const meter of this.#meters) meter.step(...args);
    };
    this.#model = read({ signal: this.#stop.signal, meter: { step } });
    // After a failure, the next load tries again.
    this.#model.catch(onEnd);
  }

  async join({ signal, meter }: Pick<ImportContext, 'signal' | 'meter'>): Promise<Model> {
    this.#users += 1;
    this.#meters.add(meter);
    let onAbort: () => void = () => undefined;
    try {
      if (this.#step) meter.step(...this.#step);
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => reject(abortError(signal.reason));
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      });
      const model = await Promise.race([this.#model, aborted]);
      let held = true;
      return new Model({
        ...model,
        free: () => {
          if (held) this.#leave();
          held = false;
        },
      });
    } catch (error) {
      this.#leave();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#meters.delete(meter);
    }
  }

  /** Removes a user; the last one frees the model. */
  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#onEnd();
    this.#stop.abort();
    this.#model.then(
      (model) => model.free(),
      () => undefined,
    );
  }
}

const functions = new WeakMap<object, number>();
let functionCount = 0;

/** A unique number for an object, or 0 for none. */
function numberOf(of: object | undefined): number {
  if (!of) return 0;
  let number = functions.get(of);
  if (number === undefined) functions.set(of, (number = ++functionCount));
  return number;
}

/** The key of a load: equal for loads of the same model. Undefined for bytes and files, which have no URL. */
function keyOf(from: AssetSource, options: ModelOptions): string | undefined {
  const {
    animations = [],
    baseURL,
    credentials = 'same-origin',
    externalResources = 'any',
    decoders = 'auto',
    up,
    limits = {},
    textureBudget,
    mapURL,
    retarget = 'auto',
    scene,
  } = options;
  const addresses = [from, ...animations].map(addressOf);
  if (addresses.includes(undefined)) return undefined;
  const ordered = Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    addresses,
    baseURL && String(baseURL),
    credentials,
    externalResources,
    decoders,
    up,
    ordered,
    String(textureBudget),
    numberOf(mapURL),
    animations.length > 0 && retarget,
    scene,
  ]);
}
