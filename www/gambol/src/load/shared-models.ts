// Models that the viewers of one context share: fetched, read and brought to the GPU once, and freed with the last viewer that shows them.

import type { CoreAsset } from '../wasm/core.ts';
import { abortError, throwIfAborted } from '../base/errors.ts';
import { importModel, type ImportContext, type LoadedModel, type ModelOptions } from './import-model.ts';
import { Model } from './model.ts';
import { ProgressMeter } from '../base/progress.ts';
import { addressOf, type AssetSource } from './source.ts';

/** All of them, so that an element does not begin to fetch what another one has. */
const everywhere = new Set<SharedModels>();

/** Whether a model that has an address is being loaded or shown already, with these options. */
export function isShared(from: AssetSource, options: ModelOptions): boolean {
  const key = keyOf(from, options);
  return key !== undefined && [...everywhere].some((models) => models.has(key));
}

/** The models of a context; those that several viewers may show by where they come from and how they are read. */
export class SharedModels {
  readonly #several: boolean;
  readonly #records = new Map<string, Shared>();
  /** What happens to models on their way to the GPU, one after the other. */
  readonly #turns = new Map<CoreAsset, Promise<unknown>>();
  /** Those that are there, with their images. */
  #there = new WeakSet<CoreAsset>();

  /** `several`: whether there may be several viewers. */
  constructor(several: boolean) {
    this.#several = several;
    if (several) everywhere.add(this);
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  /** Reads a model, or waits for the one that another viewer reads; `anew` if the one that is there must not be taken. */
  async load(from: AssetSource, options: ModelOptions, context: ImportContext, anew: boolean): Promise<Model> {
    const key = this.#several ? keyOf(from, options) : undefined;
    if (key === undefined) return new Model(await importModel(from, options, context));
    throwIfAborted(context.signal);
    let record = anew ? undefined : this.#records.get(key);
    if (!record) {
      const made: Shared = record = new Shared((shared) => importModel(from, options, { ...context, ...shared }), () => {
        if (this.#records.get(key) === made) this.#records.delete(key);
      });
      this.#records.set(key, made);
    }
    return record.join(context);
  }

  /**
   * Does what brings a model to the GPU, when nobody else does; `work` is told whether the model is there already, and says whether it
   * is afterwards.
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

  /** The context is lost, and all that was in it. */
  lose(): void {
    this.#there = new WeakSet();
  }

  /** The context has ended. */
  end(): void {
    everywhere.delete(this);
  }
}

/** A model and those who wait for it or show it. */
class Shared {
  readonly #stop = new AbortController();
  readonly #model: Promise<LoadedModel>;
  readonly #gone: () => void;
  readonly #meters = new Set<Pick<ProgressMeter, 'step'>>();
  #step: Parameters<ProgressMeter['step']> | undefined;
  #users = 0;

  /** `gone`: called when nobody else can have it. */
  constructor(read: (shared: Pick<ImportContext, 'signal' | 'meter'>) => Promise<LoadedModel>, gone: () => void) {
    this.#gone = gone;
    const step: ProgressMeter['step'] = (...args) => {
      this.#step = args;
      for (const meter of this.#meters) meter.step(...args);
    };
    this.#model = read({ signal: this.#stop.signal, meter: { step } });
    // A load after a failure tries again.
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

  /** With the last user all of it goes. */
  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#gone();
    this.#stop.abort();
    this.#model.then((model) => model.free(), () => undefined);
  }
}

const functions = new WeakMap<object, number>();
let functionCount = 0;

/** A number for each function. */
function numberOf(of: object | undefined): number {
  if (!of) return 0;
  let number = functions.get(of);
  if (number === undefined) functions.set(of, number = ++functionCount);
  return number;
}

/** The same for loads that lead to the same model; undefined if that cannot be told: bytes and files have no address. */
function keyOf(from: AssetSource, options: ModelOptions): string | undefined {
  const { animations = [], baseURL, credentials = 'same-origin', externalResources = 'any', decoders = 'auto', limits = {}, textureBudget, mapURL } = options;
  const addresses = [from, ...animations].map(addressOf);
  if (addresses.includes(undefined)) return undefined;
  const ordered = Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([addresses, baseURL && String(baseURL), credentials, externalResources, decoders, ordered, String(textureBudget), numberOf(mapURL)]);
}
