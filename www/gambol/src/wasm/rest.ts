// The second module, with the features that a first frame does not need (src/base/deferred.rs). It is loaded behind the first frame,
// or earlier for a call that waits for it; see `Core.loadRest`.

import { GambolError } from '../base/errors.ts';
import { hasSimd, wanted } from './support.ts';
import { compile, type WasmSource } from './compile.ts';

/** See `init.ts`. */
declare const ONE_FILE: boolean;

let coming: Promise<WebAssembly.Module> | undefined;
/** The error of the last attempt to load it. */
let failure: GambolError | undefined;
let given: WasmSource | undefined;
/** What came out of a script. */
let held: Uint8Array<ArrayBuffer> | undefined;

/** Says where the rest comes from, if that is not beside this script. */
export function giveRest(source: WasmSource): void {
  given = source;
  // A promise that is rejected is told of when the rest is needed.
  if (source instanceof Promise) source.catch(() => undefined);
}

/** Both modules out of a script. */
export async function fromScript(): Promise<{ first: Uint8Array<ArrayBuffer>; rest: Uint8Array<ArrayBuffer> }> {
  const { default: first, more } = await import('../pkg/inline.js');
  const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0) - 32);
  const both = { first: bytes(first), rest: bytes(more) };
  held = both.rest;
  return both;
}

/** The rest, compiled. @throws {@link GambolError} `load/chunk` */
export function loadRest(): Promise<WebAssembly.Module> {
  coming ??= find().then((module) => {
    failure = undefined;
    return module;
  }, (error: unknown) => {
    coming = undefined;
    throw failure = missing(error);
  });
  return coming;
}

async function find(): Promise<WebAssembly.Module> {
  try {
    return await compile(given ?? held ?? address(), NAME);
  } catch (error) {
    // The file got lost where the first one did not: a page that copied only that.
    if (given !== undefined || held || ONE_FILE) throw error;
    const { rest } = await fromScript().catch(() => {
      throw error;
    });
    return WebAssembly.compile(rest);
  }
}

/** The error of a call that needs the rest before it has started. */
export function notYet(): GambolError {
  return failure ?? new GambolError('load/chunk', `${NAME} is on its way: call this when load() has resolved.`, { url: given === undefined && !ONE_FILE ? address().href : undefined });
}

function missing(cause: unknown, url = cause instanceof GambolError ? cause.url : undefined): GambolError {
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  return new GambolError('load/chunk', `${NAME} cannot be had${url ? ` (${url})` : ''}.${why} Are all files of gambol on the server? The next call tries again.`, { url, cause });
}

const NAME = 'gambol.more.wasm';

/** Bundlers look for exactly these words. */
function address(): URL {
  return wanted.simd && hasSimd() ? new URL('./gambol.more.wasm', import.meta.url) : new URL('./gambol.base.more.wasm', import.meta.url);
}
