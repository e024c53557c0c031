// Features of the package: the requests for their modules, and servers that lose them.

import type { FeatureName } from 'gambol';
import type { T } from '../../page/api.ts';

/** All features. */
export const FEATURES: readonly FeatureName[] = [
  'body',
  'crowds',
  'decoding',
  'extras',
  'faces',
  'light',
  'materials',
  'picking',
  'retargeting',
  'states',
];

/** The feature of an address, if it is that of the module of one. The shared module has the name `humanoid`. */
function featureOf(address: string): string | undefined {
  const name = /\/gambol\.(\w+)\.wasm\b/.exec(address)?.[1];
  return name === 'humanoid' || FEATURES.includes(name as FeatureName) ? name : undefined;
}

/** The sorted names without repetitions, and without the shared module, which comes with the features that need it. */
function names(found: readonly (string | undefined)[]): string[] {
  return [...new Set(found)].filter((name) => name !== undefined && name !== 'humanoid').sort() as string[];
}

/** The features whose modules the page has asked the server for so far. */
export async function fetched(t: T): Promise<string[]> {
  return names((await t.requests()).map(({ path }) => featureOf(path)));
}

/** Checks that the server has not been asked for any module of a feature, or for the script with the same bytes. */
export async function nothingFetched(t: T): Promise<void> {
  const paths = (await t.requests()).map(({ path }) => path);
  t.equal(
    paths.filter((path) => featureOf(path) !== undefined || path.includes('wasm-inline')),
    [],
  );
}

export interface Blocked {
  /** The features that were asked for since the last call of this function. */
  asked(): string[];
  /** Ends the block. */
  release(): Promise<void>;
}

/** Lets all requests for modules of features fail, and those for the script with the same bytes. */
export async function blocked(t: T): Promise<Blocked> {
  const { fetch } = globalThis;
  const seen: (string | undefined)[] = [];
  globalThis.fetch = (input, options) => {
    const feature = featureOf(input instanceof Request ? input.url : String(input));
    if (feature === undefined) return fetch(input, options);
    seen.push(feature);
    return Promise.reject(new TypeError('offline'));
  };
  t.after(() => {
    globalThis.fetch = fetch;
  });
  await t.refuse('wasm-inline', 9999);
  t.expectTrouble(/503|Failed to load|wasm-inline|[Mm]odule/);
  return {
    asked: () => names(seen.splice(0)),
    release: async () => {
      globalThis.fetch = fetch;
      await t.refuse('wasm-inline', 0);
    },
  };
}

/** Checks that a message names the files of exactly these features. */
export function namesFiles(t: T, message: string, features: readonly string[]): void {
  const found = [...message.matchAll(/gambol\.(\w+)\.wasm/g)].map(([, name]) => name);
  t.ok(found.length > 0 && found.every((name) => name === 'humanoid' || features.includes(name ?? '')), message);
}
