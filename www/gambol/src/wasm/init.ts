// Finds and compiles the WebAssembly module, and starts instances of it. One instance serves every viewer of a page, until it stops.

import type { Core } from './core.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { startInstance } from './instance.ts';
import { compile, compileBytes, compileError, type WasmSource } from './compile.ts';
import { fromScript, giveRest, loadRest } from './rest.ts';
import { hasSimd, wanted } from './support.ts';

/** Options of {@link init}. */
export interface InitOptions {
  /** `off` takes `gambol.base.wasm`, which does without: the same bits, more slowly. Default: `auto`, where the browser has it. */
  readonly simd?: 'auto' | 'off';
  /** Where the module comes from. Default: `gambol.wasm` beside this script, `gambol.base.wasm` where there is no SIMD. */
  readonly wasm?: WasmSource;
  /** The source of the rest of that module, which is loaded behind the first frame. Default: `gambol.more.wasm` (`gambol.base.more.wasm`) beside this script. */
  readonly more?: WasmSource;
  /** Where the decoder of Draco meshes comes from, should a file need it. Default: `draco.wasm` beside this script. */
  readonly draco?: WasmSource;
  /** Where the decoder of KTX2 images comes from, should a file need it. Default: `basis.wasm` beside this script. */
  readonly basis?: WasmSource;
  /** The address of the script that draws for `renderer: 'worker'`, on the page's own origin. Default: `worker.js` beside this script. */
  readonly worker?: string | URL;
}

/** Whether this is part of the one file of `dist/cdn`, which holds the module itself; the build says so. */
declare const ONE_FILE: boolean;

/** Compiled once, started anew after a panic. */
let compiled: Promise<WebAssembly.Module> | undefined;
let running: Promise<Core> | undefined;
/** Where the page says that the decoders are, and the script for workers. */
let elsewhere: Pick<InitOptions, 'draco' | 'basis' | 'worker'> = {};

/**
 * Loads the WebAssembly. {@link createViewer} does it by itself; call this to say where the module lies, or to have it
 * ready early. Only the first call counts; after a failure the next one tries again. Where the decoders lie may be said
 * until a file needs them.
 *
 * @throws {@link GambolError} `wasm/load` naming the addresses tried, `wasm/unsupported` where the browser has none or
 * the page's Content-Security-Policy lacks `'wasm-unsafe-eval'`.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const { wasm, more, simd, ...others } = options;
  if (simd !== undefined && simd !== 'auto' && simd !== 'off') throw new GambolError('argument/invalid', 'simd is auto or off.');
  wanted.simd &&= simd !== 'off';
  elsewhere = { ...elsewhere, ...others };
  if (more !== undefined) giveRest(more);
  await loadCore(wasm);
}

/** The version of gambol. Loads the WebAssembly if that has not happened yet. */
export async function version(): Promise<string> {
  return (await loadCore()).version();
}

/** The instance that everybody shares, or a fresh one if that has stopped. @internal */
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
  try {
    return await startInstance(module, loadRest, () => {
      running = undefined;
    });
  } catch (error) {
    throw compileError(error, undefined, 'gambol.wasm');
  }
}

/** The module, from where the page says or else from beside this script. */
async function find(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === 'undefined') {
    throw new GambolError('wasm/unsupported', 'This browser has no WebAssembly, which gambol needs.');
  }
  if (source !== undefined) return compile(source, 'gambol.wasm');
  const simd = wanted.simd && hasSimd();
  // Bundlers look for exactly these words.
  if (!simd) return compile(new URL('./gambol.base.wasm', import.meta.url), 'gambol.base.wasm');
  if (ONE_FILE) return inlined();
  let failure: GambolError;
  try {
    // Bundlers that make no module of it leave no base to the address, which throws.
    return await compile(new URL('./gambol.wasm', import.meta.url), 'gambol.wasm');
  } catch (error) {
    failure = asGambolError(error, 'wasm/load');
  }
  if (failure.code === 'wasm/unsupported') throw failure;
  // The file got lost on the way through a bundler, a server or a policy; scripts rarely do.
  return inlined().catch((cause: unknown) => {
    throw new GambolError('wasm/load', `${failure.message} Nor does the script load that has the same bytes. Are all files of gambol on the server?`, { url: failure.url, cause });
  });
}

/** The module out of a script. */
async function inlined(): Promise<WebAssembly.Module> {
  return compileBytes((await fromScript()).first, undefined, 'gambol.wasm');
}

/** What a worker needs to start an instance of its own, once there is one here. */
export interface WorkerNeeds {
  readonly module: Promise<WebAssembly.Module> | undefined;
  readonly rest: Promise<WebAssembly.Module>;
  readonly script: string | URL | undefined;
}

export function workerNeeds(): WorkerNeeds {
  return { module: compiled, rest: loadRest(), script: elsewhere.worker };
}

/** How the decoders, which import nothing of the core, get their modules. */
export type CompileDecoder = typeof compileDecoder;

/**
 * The module of a decoder: where the page says, or else from `beside` its script.
 * @throws {@link GambolError} `load/chunk`; the next call tries again.
 */
export async function compileDecoder(which: 'draco' | 'basis', beside: URL): Promise<WebAssembly.Module> {
  try {
    return await compile(elsewhere[which] ?? beside, `${which}.wasm`);
  } catch (error) {
    const { code, message, url } = asGambolError(error, 'wasm/load');
    if (code !== 'wasm/load') throw error;
    throw new GambolError('load/chunk', `Cannot load a decoder: ${message} The next call tries again.`, { url, cause: error });
  }
}
