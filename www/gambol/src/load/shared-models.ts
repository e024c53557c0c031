// Models that the viewers of one context share: loaded and uploaded to the GPU once, and freed with the last viewer that shows
// them.

import type { CoreAsset } from '../wasm/core.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { importModel, type ImportContext, type LoadedModel, type ModelOptions } from './import-model.ts';
import { Model } from './model.ts';
import type { ProgressMeter } from '../base/progress.ts';
import { addressOf, type AssetSource } from './source.ts';

/** The instances of all contexts, so that an element does not fetch a model that another element has. */
const everywhere = new Set<SharedModels>();

/** `true` if a model with a URL is loading or shown already, with the same options. */
export function isShared(from: AssetSource, options: ModelOptions): boolean {
  const key = keyOf(from, options);
  return key !== undefined && [...everywhere].some((models) => models.has(key));
}

/** The models of a context. Models that viewers can share are stored by their URL and options. */
export class SharedModels {
  readonly #several: boolean;
  readonly #records = new Map<string, Shared>();
  /** The last pending upload of each model; uploads of one model run one after the other. */
  readonly #turns = new Map<CoreAsset, Promise<unknown>>();
  /** The models that are uploaded, including their images. */
  #there = new WeakSet<CoreAsset>();

  /** `several`: `true` if the context can have several viewers. */
  constructor(several: boolean) {
    this.#several = several;
    if (several) everywhere.add(this);
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  /** Loads a model, or shares the load of another viewer; `anew` loads it even if it is loaded already. */
  async load(from: AssetSource, options: ModelOptions, context: ImportContext, anew: boolean): Promise<Model> {
    const key = this.#several ? keyOf(from, options) : undefined;
    if (key === undefined) return new Model(await importModel(from, options, context));
    throwIfAborted(context.signal);
    let record = anew ? undefined : this.#records.get(key);
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
  async turn(asset: CoreAsset, work: (there: boolean) => Promise<boolean>): Promise<boolean> {
    const before = this.#turns.get(asset);
    const turn = (async () => {
      await before?.catch(() => undefined);
      const done = await work(this.#there.has(asset));
      if (done) this.#there.add(asset);
      return done;
    })();
    this.#turns.set(asset, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(asset) === turn) this.#turns.delete(asset);
    }
  }

  /** Forgets all uploads after a loss of the context. */
  lose(): void {
    this.#there = new WeakSet();
  }

  /** Ends sharing, with the context. */
  end(): void {
    everywhere.delete(this);
  }
}

/** A shared model, with the number of its users. */
class Shared {
  readonly #stop = new AbortController();
  readonly #model: Promise<LoadedModel>;
  readonly #gone: () => void;
  readonly #meters = new Set<Pick<ProgressMeter, 'step'>>();
  #step: Parameters<ProgressMeter['step']> | undefined;
  #users = 0;

  /** `gone`: called when the model cannot be shared any more. */
  constructor(read: (shared: Pick<ImportContext, 'signal' | 'meter'>) => Promise<LoadedModel>, gone: () => void) {
    this.#gone = gone;
    const step: ProgressMeter['step'] = (...args) => {
      this.#step = args;
      for (const meter of this.#meters) meter.step(...args);
    };
    this.#model = read({ signal: this.#stop.signal, meter: { step } });
    // After a failure, the next load tries again.
    this.#model.catch(gone);
  }

  async join({ signal, meter }: Pick<ImportContext, 'signal' | 'meter'>): Promise<Model> {
    this.#users += 1;
    this.#meters.add(meter);
    let give: () => void = () => undefined;
    try {
      if (this.#step) meter.step(...this.#step);
      const givenUp = new Promise<never>((_, reject) => {
        give = () => reject(abortError(signal.reason));
        signal.addEventListener('abort', give);
        if (signal.aborted) give();
      });
      const model = await Promise.race([this.#model, givenUp]);
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
      signal.removeEventListener('abort', give);
      this.#meters.delete(meter);
    }
  }

  /** Removes a user; the last one frees the model. */
  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#gone();
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
    limits = {},
    textureBudget,
    mapURL,
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
    ordered,
    String(textureBudget),
    numberOf(mapURL),
  ]);
}
