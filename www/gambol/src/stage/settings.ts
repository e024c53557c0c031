// Settings whose effect needs a feature: each is applied when the feature runs.

import type { FeatureName } from '../values/words.ts';
import type { Core, CoreStage } from '../wasm/core.ts';

type Change = (stage: CoreStage) => void;

export interface SettingsHost {
  readonly core: Core;
  isEnded(): boolean;
  /** Calls `change` with the stage, and requests a frame. */
  call(change: Change): void;
  /** Called with the error of a feature that a setting waits for. */
  failed(error: unknown): void;
}

export class Settings {
  readonly #host: SettingsHost;
  /** The last change of each setting that waits. */
  readonly #changes = new Map<string, Change>();
  readonly #pending = new Set<Promise<unknown>>();

  constructor(host: SettingsHost) {
    this.#host = host;
  }

  /**
   * Makes a change now if the feature runs, or else when it does, and begins to load it. Of several changes of one setting `key`
   * that wait, the last one is made.
   */
  whenRuns(feature: FeatureName, key: string, change: Change): void {
    const { core } = this.#host;
    this.#changes.set(key, change);
    if (core.features.has(feature)) return this.#apply(key, change);
    this.waitFor(
      core.loadFeatures([feature]).then(
        () => this.#apply(key, change),
        (error: unknown) => {
          // A later change reports it.
          if (this.#changes.get(key) === change && !this.#host.isEnded()) this.#host.failed(error);
        },
      ),
    );
  }

  /** Makes the first frame of a model wait, too, for something else. */
  waitFor(work: Promise<unknown>): void {
    const settled = work.catch(() => undefined).finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  /** Resolves when no setting waits. It never rejects. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #apply(key: string, change: Change): void {
    if (this.#changes.get(key) !== change) return;
    this.#changes.delete(key);
    if (!this.#host.isEnded()) this.#host.call(change);
  }
}
