// The modules of features (src/web/features.rs). Each is fetched for the first call that needs its feature, and compiled once.

import { GambolError, asGambolError } from '../base/errors.ts';
import type { FeatureName } from '../values/words.ts';
import { compile, compileBytes } from './compile.ts';
import type { FeatureModules, ModuleName } from './core.ts';
import type { FeatureSources } from './feature-sources.ts';

/** See `init.ts`. */
declare const ONE_FILE: boolean;

/** The features whose modules use functions of the shared module `humanoid`, which is instantiated before them. */
const WITH_HUMANOID: readonly FeatureName[] = ['body', 'faces', 'retargeting'];

/** The addresses beside the script. Bundlers detect exactly this form of expression. */
const BESIDE: { readonly [Name in ModuleName]: () => URL } = {
  body: () => new URL('./gambol.body.wasm', import.meta.url),
  crowds: () => new URL('./gambol.crowds.wasm', import.meta.url),
  decoding: () => new URL('./gambol.decoding.wasm', import.meta.url),
  extras: () => new URL('./gambol.extras.wasm', import.meta.url),
  faces: () => new URL('./gambol.faces.wasm', import.meta.url),
  humanoid: () => new URL('./gambol.humanoid.wasm', import.meta.url),
  light: () => new URL('./gambol.light.wasm', import.meta.url),
  materials: () => new URL('./gambol.materials.wasm', import.meta.url),
  picking: () => new URL('./gambol.picking.wasm', import.meta.url),
  retargeting: () => new URL('./gambol.retargeting.wasm', import.meta.url),
  states: () => new URL('./gambol.states.wasm', import.meta.url),
};

/** The names of the modules that a page may give the sources of. */
export const MODULES: readonly string[] = Object.keys(BESIDE);

/** The modules, compiled or pending. */
const compiled = new Map<ModuleName, Promise<WebAssembly.Module>>();
let folder: string | URL | undefined;
let sources: FeatureSources = {};
/** The bytes of the modules as text, if the first module came from the inline script. */
let inline: Readonly<Record<string, string>> | undefined;

/** Sets the folder of the modules, or sources of some, in addition to those set before. */
export function setFeatureSources(given: string | URL | FeatureSources): void {
  if (typeof given === 'string' || given instanceof URL) {
    folder = given;
    return;
  }
  sources = { ...sources, ...given };
  // A rejected promise is reported when the module is needed.
  for (const source of Object.values(given)) if (source instanceof Promise) source.catch(() => undefined);
}

/** Loads the inline script, and returns the bytes of the first module. The modules of features come from there, too, from then on. */
export async function fromScript(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: first, features } = await import('../pkg/inline.js');
  inline = features;
  return bytesOf(first);
}

/**
 * Loads and compiles the module of a feature, after the shared one if it needs that: each once.
 * @throws {@link GambolError} `load/chunk`; the next call tries again
 */
export function compileFeature(feature: FeatureName): Promise<FeatureModules> {
  const names: readonly ModuleName[] = WITH_HUMANOID.includes(feature) ? ['humanoid', feature] : [feature];
  return Promise.all(names.map(async (name) => [name, await compileOnce(name)] as const));
}

function compileOnce(name: ModuleName): Promise<WebAssembly.Module> {
  const known = compiled.get(name);
  if (known) return known;
  const pending = find(name).catch((error: unknown) => {
    compiled.delete(name);
    throw missing(name, error);
  });
  compiled.set(name, pending);
  return pending;
}

async function find(name: ModuleName): Promise<WebAssembly.Module> {
  const file = fileOf(name);
  const given = sources[name] ?? (folder === undefined ? undefined : inFolder(folder, file));
  if (given !== undefined) return compile(given, file);
  if (ONE_FILE && !inline) await fromScript();
  if (inline) return compileInline(name, inline);
  try {
    return await compile(BESIDE[name](), file);
  } catch (error) {
    // The fallback for a server that has lost the file.
    const { features } = await import('../pkg/inline.js').catch(() => {
      throw error;
    });
    return compileInline(name, features);
  }
}

function compileInline(name: ModuleName, texts: Readonly<Record<string, string>>): Promise<WebAssembly.Module> {
  return compileBytes(bytesOf(texts[name] ?? ''), undefined, fileOf(name));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) - 32);
}

function fileOf(name: ModuleName): string {
  return `gambol.${name}.wasm`;
}

function inFolder(of: string | URL, file: string): URL {
  const base = globalThis.document?.baseURI;
  return new URL(file, new URL(String(of).replace(/\/?$/, '/'), base));
}

function missing(name: ModuleName, cause: unknown): GambolError {
  const { message, url } = asGambolError(cause, 'wasm/load');
  const words = message.includes(fileOf(name)) ? message : `${fileOf(name)} cannot be loaded: ${message}`;
  return new GambolError(
    'load/chunk',
    `${words} Put all files of the package on the server. The next call tries again.`,
    { url, cause },
  );
}
