// The rest of the module: what playing a character does not call (xtask/rare.txt says what that is). It starts at the first call
// of it, for which the page has to wait, or ahead, wherever that can be foreseen.

import type { Core } from './core.ts';
import { GambolError } from '../base/errors.ts';
import { fileNow } from '../base/local-files.ts';
import { hasSimd, wanted } from './support.ts';
import { compile, type WasmSource } from './compile.ts';

/** See `init.ts`. */
declare const ONE_FILE: boolean;

let module: WebAssembly.Module | undefined;
let coming: Promise<WebAssembly.Module> | undefined;
let given: WasmSource | undefined;
/** What came out of a script. */
let held: Uint8Array<ArrayBuffer> | undefined;

/** Says where the rest comes from, if that is not beside this script. */
export function giveRest(source: WasmSource): void {
  given = source;
  // It may be nothing that can be had at once when it is needed.
  restSoon().catch(() => undefined);
}

/** Both modules out of a script. */
export async function fromScript(): Promise<{ first: Uint8Array<ArrayBuffer>; rest: Uint8Array<ArrayBuffer> }> {
  const { default: first, more } = await import('../pkg/inline.js');
  const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0) - 32);
  const both = { first: bytes(first), rest: bytes(more) };
  held = both.rest;
  return both;
}

/** The rest, compiled in the background. @throws {@link GambolError} `load/chunk` */
export function restSoon(): Promise<WebAssembly.Module> {
  coming ??= find().then((compiled) => module = compiled).catch((error: unknown) => {
    coming = undefined;
    throw missing(error);
  });
  return coming;
}

async function find(): Promise<WebAssembly.Module> {
  try {
    return await compile(given ?? held ?? address(), NAME);
  } catch (error) {
    // The file got lost where the first one did not: a page that copied only that.
    if (given !== undefined || held || ONE_FILE) throw error;
    return WebAssembly.compile((await fromScript()).rest);
  }
}

/** Has the rest started when the page has nothing else to do; if it cannot be had now, it may be when it is called. */
export function prepareSoon(core: Core): void {
  const prepare = (): void => void core.prepare().catch(() => undefined);
  if (typeof requestIdleCallback === 'function') requestIdleCallback(prepare);
  else setTimeout(prepare, 1);
}

function missing(cause: unknown, url = cause instanceof GambolError ? cause.url : undefined): GambolError {
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  return new GambolError('load/chunk', `${NAME} cannot be had${url ? ` (${url})` : ''}.${why} Are all files of gambol on the server? The next call tries again.`, { url, cause });
}

/** The rest at once: the page stands still until it is there. @throws {@link GambolError} `load/chunk` */
export function restNow(): WebAssembly.Module {
  if (module) return module;
  let url: URL | undefined;
  const beside = (): Uint8Array<ArrayBuffer> => fileNow(url = address()) ?? fetchNow(url);
  try {
    return module = new WebAssembly.Module(held ?? beside());
  } catch (cause) {
    throw missing(cause, url?.href);
  }
}

const NAME = 'gambol.more.wasm';

/** Bundlers look for exactly these words. */
function address(): URL {
  return wanted.simd && hasSimd() ? new URL('./gambol.more.wasm', import.meta.url) : new URL('./gambol.base.more.wasm', import.meta.url);
}

function fetchNow(url: URL): Uint8Array<ArrayBuffer> {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  // Bytes as such cannot be asked for here: this makes each of them a character.
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`HTTP ${request.status}`);
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
}
