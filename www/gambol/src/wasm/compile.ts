// Compiles WebAssembly from all kinds of sources.

import { GambolError } from '../base/errors.ts';
import { localFile, refusal } from '../base/local-files.ts';

/**
 * The source of a WebAssembly module: a URL, a response, the bytes, or a compiled module.
 * @category The WebAssembly module
 */
export type WasmSource = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

const MAGIC = [0x00, 0x61, 0x73, 0x6d] as const;

/** Compiles the module `name`, by streaming if the server allows it. */
export async function compile(given: WasmSource, name: string): Promise<WebAssembly.Module> {
  if (given instanceof WebAssembly.Module) return given;
  // A cast, because for TypeScript `Module` has no members, so that every type matches it.
  const source = given as string | URL | Response | Promise<Response> | BufferSource;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compileBytes(source, undefined, name);

  let url = typeof source === 'string' || source instanceof URL ? String(source) : undefined;
  let response: Response | Uint8Array<ArrayBuffer>;
  try {
    response =
      url === undefined ? await (source as Response | Promise<Response>) : await (localFile(url) ?? fetch(url));
  } catch (error) {
    throw new GambolError(
      'wasm/load',
      `${name} cannot be fetched${at(url)}: ${refusal(url) ?? 'the server cannot be reached.'}`,
      { url, cause: error },
    );
  }
  if (response instanceof Uint8Array) return compileBytes(response, url, name);
  url ??= response.url;
  if (!response.ok) {
    throw new GambolError('wasm/load', `${name} cannot be fetched${at(url)}: HTTP ${response.status}.`, { url });
  }

  // Streaming compilation needs the right MIME type, which many servers do not send, and fails in some WebViews. The fallback
  // compiles the bytes of a clone of the response.
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

export async function compileBytes(
  bytes: BufferSource,
  url: string | undefined,
  name: string,
): Promise<WebAssembly.Module> {
  const view =
    bytes instanceof ArrayBuffer
      ? new Uint8Array(bytes)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!MAGIC.every((byte, i) => view[i] === byte)) {
    // For example, a development server returns its index.html for an unknown path.
    throw new GambolError('wasm/load', `The server's answer for ${name} is not WebAssembly${at(url)}. Check the URL.`, {
      url,
    });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw compileError(error, url, name);
  }
}

export function compileError(error: unknown, url: string | undefined, name: string): GambolError {
  const words = error instanceof Error ? error.message : String(error);
  if (/content.security|unsafe-eval|CSP/i.test(words)) {
    return new GambolError(
      'wasm/unsupported',
      "The page's Content-Security-Policy forbids WebAssembly: allow 'wasm-unsafe-eval' in script-src.",
      { url, cause: error },
    );
  }
  return new GambolError('wasm/load', `${name} cannot be started${at(url)}: ${words}`, { url, cause: error });
}

function at(url: string | undefined): string {
  return url ? ` (${url})` : '';
}
