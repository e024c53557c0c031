// Finds, compiles and guards the WebAssembly module. One instance serves every viewer of a page.

// By name: for all of it together the bundler has a helper, which would be one more script to wait for.
import initGlue, { Context, Hdr, Import, Stage, version as coreVersion } from './pkg/gambol.js';
import type { Core } from './core.ts';
import { GambolError, asGambolError, isTrap, panicError } from './errors.ts';

/** Where the WebAssembly comes from: an address, a response, the bytes, or a compiled module. */
export type WasmSource = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Options of {@link init}. */
export interface InitOptions {
  /** Where the module comes from. Default: `gambol.wasm` beside this script. */
  readonly wasm?: WasmSource;
  /** Where the decoder of Draco meshes comes from, should a file need it. Default: `draco.wasm` beside this script. */
  readonly draco?: WasmSource;
  /** Where the decoder of KTX2 images comes from, should a file need it. Default: `basis.wasm` beside this script. */
  readonly basis?: WasmSource;
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d] as const;

let loading: Promise<Core> | undefined;
let panic: GambolError | undefined;
/** Where the page says that the decoders are. */
let decoders: Pick<InitOptions, 'draco' | 'basis'> = {};
const panicListeners = new Set<(error: GambolError) => void>();

/**
 * Loads the WebAssembly. {@link createViewer} does it by itself; call this to say where the module lies, or to have it
 * ready early. Only the first call counts; after a failure the next one tries again. Where the decoders lie may be said
 * until a file needs them.
 *
 * @throws {@link GambolError} `wasm/load` naming the address tried, `wasm/unsupported` where the browser has none or
 * the page's Content-Security-Policy lacks `'wasm-unsafe-eval'`.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const { wasm, ...others } = options;
  decoders = { ...decoders, ...others };
  await loadCore(wasm);
}

/** The version of gambol. Loads the WebAssembly if that has not happened yet. */
export async function version(): Promise<string> {
  return (await loadCore()).version();
}

/** The module, loaded once. */
export function loadCore(source?: WasmSource): Promise<Core> {
  loading ??= instantiate(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The error that stopped the module, if one did. */
export function panicked(): GambolError | undefined {
  return panic;
}

/** Calls `listener` once when the module stops; returns how to take it back. */
export function onPanic(listener: (error: GambolError) => void): () => void {
  panicListeners.add(listener);
  return () => panicListeners.delete(listener);
}

/**
 * Runs a call into the module. A trap poisons the whole instance: Rust may have been in the middle of anything, so
 * every viewer is told and no handle is touched again.
 */
export function guarded<T>(call: () => T): T {
  if (panic) throw panic;
  try {
    return call();
  } catch (error) {
    if (!isTrap(error)) throw asGambolError(error, 'viewer/failed');
    const stopped = panicError(error);
    panic = stopped;
    const listeners = [...panicListeners];
    panicListeners.clear();
    // Not now: the caller is somewhere inside a call of its own.
    queueMicrotask(() => {
      for (const listener of listeners) listener(stopped);
    });
    throw stopped;
  }
}

async function instantiate(source: WasmSource | undefined): Promise<Core> {
  if (typeof WebAssembly === 'undefined') {
    throw new GambolError('wasm/unsupported', 'This browser has no WebAssembly, which gambol needs.');
  }
  const module = await compile(source ?? new URL('./gambol.wasm', import.meta.url), 'gambol.wasm');
  try {
    await initGlue({ module_or_path: module });
  } catch (error) {
    throw compileError(error, undefined, 'gambol.wasm');
  }
  return { Context, Hdr, Import, Stage, version: coreVersion } as unknown as Core;
}

/** How the decoders, which import nothing of the core, get their modules. */
export type CompileDecoder = typeof compileDecoder;

/** The module of a decoder: where the page says, or else from `beside` its script. */
export function compileDecoder(which: 'draco' | 'basis', beside: URL): Promise<WebAssembly.Module> {
  return compile(decoders[which] ?? beside, `${which}.wasm`);
}

/** The module of this `name`, compiled while it arrives where the server lets us. */
async function compile(given: WasmSource, name: string): Promise<WebAssembly.Module> {
  if (given instanceof WebAssembly.Module) return given;
  // To TypeScript a Module has no members, so that everything is one.
  const source = given as string | URL | Response | Promise<Response> | BufferSource;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compileBytes(source, undefined, name);

  let url = typeof source === 'string' || source instanceof URL ? String(source) : undefined;
  let response: Response;
  try {
    response = url === undefined ? await (source as Response | Promise<Response>) : await fetch(url);
  } catch (error) {
    throw new GambolError('wasm/load', `${name} cannot be fetched${at(url)}.`, { url, cause: error });
  }
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

/**
 * A part of the package that only some files need, as a script of its own.
 * @throws {@link GambolError} `wasm/load`
 */
export async function lazily<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new GambolError('wasm/load', `${what} cannot be loaded. Are all scripts of gambol on the server?`, { cause: error });
  }
}

function at(url: string | undefined): string {
  return url ? ` (${url})` : '';
}
