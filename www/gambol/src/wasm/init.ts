// Finds and compiles the WebAssembly module, and starts instances of it. One instance serves every viewer of a page, until it stops.

import { compileBeside, setSources, type BesideSources } from './beside.ts';
import type { Core } from './core.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { checkedNames, checkedObject, checkedOptions, optionNames } from '../values/options.ts';
import type { FeatureName } from '../values/words.ts';
import { startInstance } from './instance.ts';
import { compile, compileBytes, compileError, type WasmSource } from './compile.ts';
import type { FeatureSources } from './feature-sources.ts';
import { MODULES, compileFeature, fromScript, setFeatureSources } from './features.ts';
import { hasWasm } from './support.ts';

/** Options of {@link init}. @category The WebAssembly module */
export interface InitOptions extends BesideSources {
  /** The source of the module. Default: `gambol.wasm` beside this script. */
  readonly wasm?: WasmSource;
  /**
   * The folder of the modules of features (`gambol.body.wasm` …), or their sources. Each is loaded for the first call that needs its
   * feature. Default: beside this script.
   */
  readonly features?: string | URL | FeatureSources;
  /** The URL of the worker script for `renderer: 'worker'`, on the page's own origin. Default: `worker.js` beside this script. */
  readonly worker?: string | URL;
}

const OPTIONS = optionNames<InitOptions>({
  wasm: 0,
  features: 0,
  worker: 0,
  draco: 0,
  basis: 0,
  formats: 0,
  exr: 0,
  tools: 0,
});

/** `true` in the single file of `dist/cdn`, which contains the module; the build defines it. */
declare const ONE_FILE: boolean;

/** The module, compiled once. It is instantiated again after a panic. */
let compiled: Promise<WebAssembly.Module> | undefined;
let running: Promise<Core> | undefined;
/** The features that have run. The next instance starts them again. */
const used = new Set<FeatureName>();
/** The URL of the worker script that the page has set. */
let workerScript: InitOptions['worker'];

/**
 * Loads the WebAssembly module. {@link createViewer} calls it; call it before to set the source of the module, or to preload it.
 * Only the first call counts; after a failure the next call tries again. The sources of features, decoders and converters can be set
 * until they are needed.
 *
 * @throws {@link GambolError} `wasm/load`, with the URLs that were tried; `wasm/unsupported` if the browser has no WebAssembly with
 * SIMD, or the page's Content-Security-Policy lacks `'wasm-unsafe-eval'`.
 * @category The WebAssembly module
 */
export async function init(options: InitOptions = {}): Promise<void> {
  checkedOptions(options, OPTIONS, 'init()');
  const { wasm, features, worker, ...beside } = options;
  if (features !== undefined && typeof features !== 'string' && !(features instanceof URL)) {
    checkedObject(features, 'features');
    checkedNames(features, MODULES, 'The option features of init()');
  }
  workerScript = worker ?? workerScript;
  setSources(beside);
  if (features !== undefined) setFeatureSources(features);
  await loadCore(wasm);
}

/** The version of gambol. Loads the WebAssembly module if it is not loaded yet. @category The WebAssembly module */
export async function version(): Promise<string> {
  return (await loadCore()).version();
}

/** The shared instance, or a new one after the last one has stopped. @internal */
export function loadCore(source?: WasmSource): Promise<Core> {
  running ??= start(source).catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

async function start(source: WasmSource | undefined): Promise<Core> {
  compiled ??= find(source).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  const module = await compiled;
  let core: Core;
  try {
    core = await startInstance(module, compileFeature, () => {
      running = undefined;
    });
  } catch (error) {
    throw compileError(error, undefined, 'gambol.wasm');
  }
  // A failure is reported by the next call that needs the feature.
  await core.loadFeatures([...used]).catch(() => undefined);
  core.onFeature((modules) => {
    for (const [name] of modules) if (name !== 'humanoid') used.add(name);
  });
  return core;
}

/** Compiles the module from the source of the page, or else from beside this script. */
async function find(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (!hasWasm()) {
    throw new GambolError('wasm/unsupported', 'This browser has no WebAssembly with SIMD, which gambol needs.');
  }
  if (source !== undefined) return compile(source, 'gambol.wasm');
  if (ONE_FILE) return inlined();
  let failure: GambolError;
  try {
    // Bundlers detect exactly this form of expression. It throws if a bundler's output is not a module, because there is no
    // base URL.
    return await compile(new URL('./gambol.wasm', import.meta.url), 'gambol.wasm');
  } catch (error) {
    failure = asGambolError(error, 'wasm/load');
  }
  if (failure.code === 'wasm/unsupported') throw failure;
  // The fallback for a file that a bundler, a server or a policy has lost: scripts are rarely lost.
  return inlined().catch((cause: unknown) => {
    throw new GambolError(
      'wasm/load',
      `${failure.message} The fallback script cannot be loaded either. Put all files of the package on the server.`,
      { url: failure.url, cause },
    );
  });
}

/** Compiles the module from the inline script. */
async function inlined(): Promise<WebAssembly.Module> {
  return compileBytes(await fromScript(), undefined, 'gambol.wasm');
}

/** The module and the script that a worker needs to start its own instance. */
export interface WorkerNeeds {
  readonly module: Promise<WebAssembly.Module> | undefined;
  readonly script: string | URL | undefined;
}

export function workerNeeds(): WorkerNeeds {
  return { module: compiled, script: workerScript };
}

/** The function by which the decoders, which do not import the core, get their modules. */
export type CompileDecoder = typeof compileDecoder;

/** {@link compileBeside} of a decoder. */
export function compileDecoder(which: 'draco' | 'basis', beside: URL): Promise<WebAssembly.Module> {
  // Of `beside.ts` itself, `load/` would not need this file, and bundling would put the two into separate scripts.
  return compileBeside(which, beside);
}
