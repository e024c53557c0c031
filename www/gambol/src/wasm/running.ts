// The features that run in an instance.

import { GambolError } from '../base/errors.ts';
import { allSettled } from '../base/settled.ts';
import type { FeatureName } from '../values/words.ts';
import type { Core, CoreImport, FeatureModules, ModuleName } from './core.ts';
import { guarded } from './guarded.ts';

/** The part of an instance that starts its features. */
export type FeatureStarter = Pick<Core, 'features' | 'loadFeatures' | 'loadNeeds' | 'startFeatures' | 'onFeature'>;

/**
 * - `begin`: tells the core that the module of a feature is instantiated.
 * - `imports`: those of the modules.
 * - `find`: compiles the module of a feature.
 */
export function featureStarter(
  begin: (feature: FeatureName) => void,
  imports: WebAssembly.Imports,
  find: (feature: FeatureName) => Promise<FeatureModules>,
): FeatureStarter {
  const features = new Map<FeatureName, FeatureModules>();
  const instances = new Map<ModuleName, Promise<unknown>>();
  const loading = new Map<FeatureName, Promise<void>>();
  const listeners = new Set<(modules: FeatureModules) => void>();

  /** Starts a feature whose modules are instantiated. */
  const start = (feature: FeatureName, modules: FeatureModules): void => {
    guarded(() => begin(feature));
    features.set(feature, modules);
    for (const listener of listeners) listener(modules);
  };

  /** Instantiates a module once. The page does not block meanwhile. */
  const instantiate = (name: ModuleName, module: WebAssembly.Module): Promise<unknown> => {
    const known = instances.get(name);
    if (known) return known;
    const pending = WebAssembly.instantiate(module, imports).catch((error: unknown) => {
      instances.delete(name);
      const words = error instanceof Error ? error.message : String(error);
      throw new GambolError('load/chunk', `gambol.${name}.wasm cannot be started: ${words}`, { cause: error });
    });
    instances.set(name, pending);
    return pending;
  };

  const load = async (feature: FeatureName): Promise<void> => {
    const modules = await find(feature);
    // One after the other, because a module uses functions of those before it.
    for (const [name, module] of modules) await instantiate(name, module);
    start(feature, modules);
  };

  const loadFeatures = (names: readonly FeatureName[]): Promise<void> =>
    allSettled(
      names.map((name) => {
        const known = loading.get(name);
        if (known) return known;
        const pending = load(name).catch((error: unknown) => {
          loading.delete(name);
          throw error;
        });
        loading.set(name, pending);
        return pending;
      }),
    );

  return {
    features,
    loadFeatures,
    loadNeeds: async (pending: CoreImport) => {
      const needs = guarded(() => pending.needs());
      await loadFeatures(needs);
      return needs;
    },
    startFeatures: (modules) => {
      for (const [name, module] of modules) {
        if (instances.has(name)) continue;
        instances.set(name, Promise.resolve(new WebAssembly.Instance(module, imports)));
        if (name !== 'humanoid') start(name, modules);
      }
    },
    onFeature: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
