// Finds and compiles the WebAssembly module, and starts instances of it. One instance serves every viewer of a page, until it stops.

import type { Core } from './core.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { startInstance } from './instance.ts';
import { localFile, refusal } from '../base/local-files.ts';
import { fromScript, giveRest, restNow, restSoon } from './rest.ts';
import { hasSimd, wanted } from './support.ts';

/** Where the WebAssembly comes from: an address, a response, the bytes, or a compiled module. */
export type WasmSource = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Options of {@link init}. */
export interface InitOptions {
  /** `off` takes `gambol.base.wasm`, which does without: the same bits, more slowly. Default: `auto`, where the browser has it. */
  readonly simd?: 'auto' | 'off';
  /** Where the module comes from. Default: `gambol.wasm` beside this script, `gambol.base.wasm` where there is no SIMD. */
  readonly wasm?: WasmSource;
  /** Where the rest of that module comes from, which few pages need. Default: `gambol.more.wasm` (`gambol.base.more.wasm`) beside this script. */
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

const MAGIC = [0x00, 0x61, 0x73, 0x6d] as const;

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

/** Runs a call into the module, maybe with something; whatever it throws becomes a `GambolError`. */
export function guarded<T>(call: () => T): T;
export function guarded<T, A>(call: (about: A) => T, about: A): T;
export function guarded<T, A, B>(call: (about: A, more: B) => T, about: A, more: B): T;
export function guarded<T, A, B>(call: (about: A, more: B) => T, about?: A, more?: B): T {
  try {
    return call(about as A, more as B);
  } catch (error) {
    throw asGambolError(error, 'viewer/failed');
  }
}

async function start(source: WasmSource | undefined): Promise<Core> {
  compiled ??= find(source).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  const module = await compiled;
  try {
    return await startInstance(module, restNow, restSoon, () => {
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
  return { module: compiled, rest: restSoon(), script: elsewhere.worker };
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

/** The module of this `name`, compiled while it arrives where the server lets us. */
export async function compile(given: WasmSource, name: string): Promise<WebAssembly.Module> {
  if (given instanceof WebAssembly.Module) return given;
  // To TypeScript a Module has no members, so that everything is one.
  const source = given as string | URL | Response | Promise<Response> | BufferSource;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compileBytes(source, undefined, name);

  let url = typeof source === 'string' || source instanceof URL ? String(source) : undefined;
  let response: Response | Uint8Array<ArrayBuffer>;
  try {
    response = url === undefined ? await (source as Response | Promise<Response>) : await localFile(url) ?? await fetch(url);
  } catch (error) {
    throw new GambolError('wasm/load', `${name} cannot be fetched${at(url)}: ${refusal(url) ?? 'the server cannot be reached.'}`, { url, cause: error });
  }
  if (response instanceof Uint8Array) return compileBytes(response, url, name);
  url ??= response.url;
  if (!response.ok) {
    throw new GambolError('wasm/load', `${name} cannot be fetched${at(url)}: HTTP ${response.status}.`, { url });
  }

  // Compiling while it arrives needs the right MIME type, which many a server does not send; some WebViews refuse
  // even then. The bytes always do, so they are the second try, from a copy of the same answer.
  const type = response.headers.get('content-type') ?? '';
  if (typeof WebAssembly.compileStreaming === 'function' && type.startsWith('application/wasm')) {
    const copy = response.clone();
    try {
      return await WebAssembly.compileStreaming(response);
    } catch {
      return compileBytes(await copy.arrayBuffer(), url, name);
    }
  }
  return compileBytes(await response.arrayBuffer(), url, name);
}

async function compileBytes(bytes: BufferSource, url: string | undefined, name: string): Promise<WebAssembly.Module> {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!MAGIC.every((byte, i) => view[i] === byte)) {
    // A development server answers a path it does not know with its index.html.
    throw new GambolError('wasm/load', `What came as ${name} is not WebAssembly${at(url)}.`, { url });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw compileError(error, url, name);
  }
}

function compileError(error: unknown, url: string | undefined, name: string): GambolError {
  const words = error instanceof Error ? error.message : String(error);
  if (/content.security|unsafe-eval|CSP/i.test(words)) {
    return new GambolError('wasm/unsupported', "The page's Content-Security-Policy forbids WebAssembly: allow 'wasm-unsafe-eval' in script-src.", { url, cause: error });
  }
  return new GambolError('wasm/load', `${name} does not start${at(url)}: ${words}`, { url, cause: error });
}

/** How often parts were asked for in vain, by what they do. */
const failed = new Map<string, { readonly url: string; readonly times: number }>();

/**
 * A part of the package that only some files need, as a script of its own. A failure can be tried again: some browsers remember for as
 * long as the page lives that a script failed, so it is asked for at another address then.
 * @throws {@link GambolError} `load/chunk`
 */
export async function lazily<T>(what: string, load: () => Promise<T>): Promise<T> {
  const before = failed.get(what);
  const since = performance.now();
  try {
    return await load();
  } catch (error) {
    const url = scriptOf(error, since) ?? before?.url;
    if (before && url !== undefined) {
      try {
        return await import(/* webpackIgnore: true */ /* @vite-ignore */ `${url}${url.includes('?') ? '&' : '?'}retry=${before.times}`) as T;
      } catch {
        // Told below.
      }
    }
    if (url !== undefined) failed.set(what, { url, times: (before?.times ?? 0) + 1 });
    throw new GambolError('load/chunk', `Cannot load ${what}${at(url)}: ${refusal(globalThis.location?.href) ?? 'put all scripts of gambol on the server.'} The next call tries again.`, { url, cause: error });
  }
}

/** The address of the script that failed: Chromium and Firefox say it; elsewhere it is the only script that was asked for since then. */
function scriptOf(error: unknown, since: number): string | undefined {
  const said = error instanceof Error ? /https?:[^\s'"]+/.exec(error.message)?.[0] : undefined;
  if (said !== undefined || typeof performance.getEntriesByType !== 'function') return said;
  const entries = performance.getEntriesByType('resource').filter(({ name, startTime }) => startTime >= since && /\.m?js(\?|$)/.test(name));
  const scripts = new Set(entries.map(({ name }) => name));
  return scripts.size === 1 ? [...scripts][0] : undefined;
}

function at(url: string | undefined): string {
  return url ? ` (${url})` : '';
}
