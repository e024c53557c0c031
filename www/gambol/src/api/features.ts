// Features: each has a module, and some have a script with classes of the API. Both are loaded for the first call that needs them.

import { GambolError, notUsed } from '../base/errors.ts';
import { Part } from '../base/part.ts';
import { allSettled } from '../base/settled.ts';
import { shown } from '../base/shown.ts';
import { FEATURES, type FeatureName } from '../values/words.ts';
import type { Core } from '../wasm/core.ts';
import { compileFeature } from '../wasm/features.ts';

/** The scripts of features. */
const SCRIPTS = {
  body: new Part('the script of the feature body', () => import('./body-script.ts')),
  crowds: new Part('the script of the feature crowds', () => import('./crowd.ts')),
  extras: new Part('the script of the feature extras', () => import('./extras.ts')),
  faces: new Part('the script of the feature faces', () => import('./faces.ts')),
  materials: new Part('the script of the feature materials', () => import('./material-values.ts')),
  states: new Part('the script of the feature states', () => import('./states.ts')),
};

type WithScript = keyof typeof SCRIPTS;
type Script<Name extends WithScript> = NonNullable<(typeof SCRIPTS)[Name]['loaded']>;

/** The script of a feature; undefined for one that has none. */
function partOf(feature: FeatureName): Part<unknown> | undefined {
  return (SCRIPTS as { readonly [Name in FeatureName]?: Part<unknown> })[feature];
}

/** The checked names of features; all of them for an empty list. @throws {@link GambolError} `argument/invalid` */
export function checkedFeatures(names: readonly FeatureName[]): readonly FeatureName[] {
  for (const name of names)
    if (!FEATURES.includes(name))
      throw new GambolError('argument/invalid', `There is no feature ${shown(name)}. Use ${FEATURES.join(', ')}.`);
  return names.length > 0 ? names : FEATURES;
}

/** Fetches modules and scripts, beside the core. A failure is reported when they are needed. */
export function preloadFeatures(names: readonly FeatureName[]): void {
  for (const name of names) {
    compileFeature(name).catch(() => undefined);
    void partOf(name)?.preload();
  }
}

/** Loads features with their scripts. @throws {@link GambolError} `load/chunk`, after the others have loaded */
export async function useIn(core: Pick<Core, 'loadFeatures'>, names: readonly FeatureName[]): Promise<void> {
  const scripts = names.flatMap((name) => partOf(name)?.load() ?? []);
  await allSettled([core.loadFeatures(names), ...scripts]);
}

/** `true` if the synchronous calls of a feature work: its module runs, and its script is loaded. */
export function isUsed(core: Pick<Core, 'features'>, name: FeatureName): boolean {
  const script = partOf(name);
  return core.features.has(name) && (!script || script.loaded !== undefined);
}

/** Loads a feature, and returns its script. @throws {@link GambolError} `load/chunk`; the next call tries again */
export async function loadScript<Name extends WithScript>(
  core: Pick<Core, 'loadFeatures'>,
  name: Name,
): Promise<Script<Name>> {
  await useIn(core, [name]);
  return scriptOf(name);
}

/** The script of a feature, for the synchronous call `call`. @throws {@link GambolError} `feature/not-used` */
export function scriptOf<Name extends WithScript>(name: Name, call?: string): Script<Name> {
  const { loaded } = SCRIPTS[name];
  if (!loaded) throw notUsed(name, call);
  return loaded as Script<Name>;
}
