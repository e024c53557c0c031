// Instances of the WebAssembly module, and their behaviour after a panic.

import instantiate, { type Exports } from '../pkg/glue.js';
import type { Stage } from '../pkg/module.d.ts';
import type { Core, CoreContext, CoreStage, FeatureModules } from './core.ts';
import { isTrap, notUsed, panicError, type GambolError } from '../base/errors.ts';
import type { FeatureName } from '../values/words.ts';
import { featureStarter } from './running.ts';

/** Starts an instance. `find` compiles the modules of a feature; `stopped` is called if the instance stops. */
export async function startInstance(
  module: WebAssembly.Module,
  find: (feature: FeatureName) => Promise<FeatureModules>,
  stopped: () => void,
): Promise<Core> {
  const guard = new Guard(stopped);
  const { featureImports, ...core } = await instantiate(
    module,
    (exports) => guard.watched(exports),
    guard.registry,
    (feature) => notUsed(feature),
  );
  return Object.assign(core, {
    openStage: (context: CoreContext, cpuSkinning: boolean) => openStage(core, context, cpuSkinning),
    onPanic: guard.onPanic,
    ...featureStarter(core.startFeature, featureImports, find),
  });
}

/** Creates a stage with its topics. */
function openStage(core: Exports, context: CoreContext, cpuSkinning: boolean): CoreStage {
  return withTopics(core, new core.Stage(context, cpuSkinning));
}

/** A stage with its topics. */
export function withTopics(core: Omit<Exports, 'Stage'>, stage: Stage): CoreStage {
  const topics = {
    playback: new core.Playback(stage),
    layers: new core.Layers(stage),
    joints: new core.Joints(stage),
    camera: new core.Camera(stage),
    lighting: new core.Lighting(stage),
    crowds: new core.Crowds(stage),
    mirror: new core.Mirror(stage),
    query: new core.Query(stage),
    events: new core.Events(stage),
  };
  const { free: freeStage } = stage;
  const free = (): void => {
    for (const topic of Object.values(topics)) topic.free();
    freeStage.call(stage);
  };
  return Object.assign(stage, topics, { free });
}

/**
 * Guards the calls to an instance. After a trap, the state of the instance is undefined. Then all calls throw, all viewers are
 * notified, and later viewers get a new instance.
 */
class Guard {
  #panic: GambolError | undefined;
  readonly #listeners = new Set<(error: GambolError) => void>();
  readonly #stopped: () => void;

  constructor(stopped: () => void) {
    this.#stopped = stopped;
  }

  /** The exports of the instance, guarded. */
  watched(exports: WebAssembly.Exports): WebAssembly.Exports {
    const failed = (error: unknown): unknown => (isTrap(error) ? this.#stop(error) : error);
    const watch =
      (call: (...given: unknown[]) => unknown) =>
      (...given: unknown[]): unknown => {
        if (this.#panic) throw this.#panic;
        try {
          return call(...given);
        } catch (error) {
          throw failed(error);
        }
      };
    // Without an array for each call: most functions have few arguments, and additional undefined arguments have no effect.
    const watchFew =
      (call: (...given: unknown[]) => unknown) =>
      (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown): unknown => {
        if (this.#panic) throw this.#panic;
        try {
          return call(a, b, c, d, e, f);
        } catch (error) {
          throw failed(error);
        }
      };
    // Without the functions that only the modules of features call: their names begin with `__`.
    const entries = Object.entries(exports)
      .filter(([name]) => !name.startsWith('__'))
      .map(([name, value]) => [
        name,
        typeof value === 'function' ? (value.length > 6 ? watch : watchFew)(value as () => unknown) : value,
      ]);
    return Object.fromEntries(entries) as WebAssembly.Exports;
  }

  /** Calls `listener` once if the instance stops; returns a function that removes it. */
  readonly onPanic = (listener: (error: GambolError) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The finalization registry that frees objects after garbage collection; it does nothing after the instance has stopped. */
  get registry(): unknown {
    const guard = this;
    if (typeof FinalizationRegistry === 'undefined') return undefined;
    return class extends FinalizationRegistry<number> {
      constructor(free: (address: number) => void) {
        super((address) => {
          if (!guard.#panic) free(address);
        });
      }
    };
  }

  #stop(cause: unknown): GambolError {
    const stopped = panicError(cause);
    this.#panic = stopped;
    this.#stopped();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    // Delayed, because the caller is inside another call.
    queueMicrotask(() => {
      for (const listener of listeners) listener(stopped);
    });
    return stopped;
  }
}
