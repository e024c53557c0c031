// The second WebAssembly module, with the features that the first frame does not need (src/web/features.rs). It is loaded after
// the first frame, or earlier for a call that waits for it; see `Core.loadRest`.

import { GambolError } from '../base/errors.ts';
import { compile, type WasmSource } from './compile.ts';

/** See `init.ts`. */
declare const ONE_FILE: boolean;

let loading: Promise<WebAssembly.Module> | undefined;
/** The error of the last attempt to load it. */
let failure: GambolError | undefined;
let customSource: WasmSource | undefined;
/** The bytes of the second module from the inline script. */
let inlineBytes: Uint8Array<ArrayBuffer> | undefined;

/** Sets the source of the second module. Default: beside this script. */
export function setRestSource(source: WasmSource): void {
  customSource = source;
  // A rejected promise is reported when the module is needed.
  if (source instanceof Promise) source.catch(() => undefined);
}

/** Loads the bytes of both modules from the inline script. */
export async function fromScript(): Promise<{ first: Uint8Array<ArrayBuffer>; rest: Uint8Array<ArrayBuffer> }> {
  const { default: first, more } = await import('../pkg/inline.js');
  const bytes = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(text, (character) => character.charCodeAt(0) - 32);
  const both = { first: bytes(first), rest: bytes(more) };
  inlineBytes = both.rest;
  return both;
}

/** Loads and compiles the second module, once. @throws {@link GambolError} `load/chunk`; the next call tries again */
export function loadRest(): Promise<WebAssembly.Module> {
  loading ??= find().then(
    (module) => {
      failure = undefined;
      return module;
    },
    (error: unknown) => {
      loading = undefined;
      throw (failure = missing(error));
    },
  );
  return loading;
}

async function find(): Promise<WebAssembly.Module> {
  try {
    return await compile(customSource ?? inlineBytes ?? address(), NAME);
  } catch (error) {
    // The fallback for a server that has only the first module.
    if (customSource !== undefined || inlineBytes || ONE_FILE) throw error;
    const { rest } = await fromScript().catch(() => {
      throw error;
    });
    return WebAssembly.compile(rest);
  }
}

/** The error of a call that needs the second module before it has started. */
export function notLoadedError(): GambolError {
  return (
    failure ??
    new GambolError('load/chunk', `${NAME} is still loading. Wait for load() before this call.`, {
      url: customSource === undefined && !ONE_FILE ? address().href : undefined,
    })
  );
}

function missing(cause: unknown, url = cause instanceof GambolError ? cause.url : undefined): GambolError {
  const reason = cause instanceof Error ? ` ${cause.message}` : '';
  return new GambolError(
    'load/chunk',
    `${NAME} cannot be loaded${url ? ` (${url})` : ''}.${reason} Put all files of the package on the server. The next call tries again.`,
    { url, cause },
  );
}

const NAME = 'gambol.more.wasm';

/** The default URL of the second module. Bundlers detect exactly this form of expression. */
function address(): URL {
  return new URL('./gambol.more.wasm', import.meta.url);
}
