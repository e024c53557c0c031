import { GambolError, abortError, throwIfAborted } from '../base/errors.ts';
import { glbLength } from '../base/glb-header.ts';
import { localFile, refusal } from '../base/local-files.ts';

/** The upper limit of a file's size: a wasm32 address space must hold the file, the model and its data for GL. */
export const MAX_FILE_BYTES = 1 << 30;

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Called for every chunk of the transfer. `total` is 0 while it is unknown; `container` is `true` for a `.glb`, which needs no
   * other files.
   */
  onBytes?(loaded: number, total: number, container: boolean): void;
  /** Called with the URL of the answer if the server has redirected; it may throw. */
  readonly onRedirect?: ((url: URL) => void) | undefined;
}

type Early = Map<string, { readonly answer: Promise<Response>; readonly abort: AbortController }>;

/** A property of the global object, because the script of `gambol/model` has a copy of this file. */
const EARLY = Symbol.for('gambol.early');
const page = globalThis as typeof globalThis & { [EARLY]?: Early };

/** Starts the request of a URL that {@link fetchBytes} will use soon; returns a function that aborts it. */
export function fetchEarly(url: URL, credentials: RequestCredentials = 'same-origin'): () => void {
  const { href } = url;
  const early = (page[EARLY] ??= new Map());
  if (!/^https?:/.test(href) || early.has(href)) return () => undefined;
  const abort = new AbortController();
  const begun = { answer: fetch(url, { signal: abort.signal, credentials }), abort };
  // The load that uses the request reports its error.
  begun.answer.catch(() => undefined);
  early.set(href, begun);
  return () => {
    if (early.get(href) !== begun) return;
    early.delete(href);
    abort.abort();
  };
}

function answer(url: URL, { signal, credentials = 'same-origin' }: FetchOptions): Promise<Response> {
  const early = page[EARLY];
  const begun = early?.get(url.href);
  if (!begun) return fetch(url, { signal, credentials });
  early?.delete(url.href);
  signal.addEventListener('abort', () => begun.abort.abort(), { once: true });
  return begun.answer;
}

/** Fetches the bytes of a URL; in Node also of a `file:` URL. */
export async function fetchBytes(url: URL, options: FetchOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { signal } = options;
  throwIfAborted(signal);
  const local = await localFile(url)?.catch((error: unknown) => {
    throw new GambolError('fetch/failed', `${fileLabel(url)} cannot be read. Check its path.`, {
      url: url.href,
      cause: error,
    });
  });
  if (local) {
    options.onBytes?.(local.byteLength, local.byteLength, true);
    return local;
  }
  let response: Response;
  try {
    response = await answer(url, options);
  } catch (error) {
    if (signal.aborted) throw abortError(signal.reason);
    throw new GambolError(
      'fetch/failed',
      `${fileLabel(url)} cannot be fetched: ${refusal(url) ?? 'the server cannot be reached or does not allow this page to read it (CORS). Check the URL and the server.'}`,
      { url: url.href, cause: error },
    );
  }
  // In WebKit, access to the body of an aborted response causes an unhandled rejection.
  throwIfAborted(signal);
  if (!response.ok) {
    response.body?.cancel().catch(() => undefined);
    const words = response.status === 404 ? 'it does not exist (HTTP 404)' : `HTTP ${response.status}`;
    throw new GambolError('fetch/http', `${fileLabel(url)} cannot be fetched: ${words}. Check the URL.`, {
      url: url.href,
    });
  }
  if (response.redirected) options.onRedirect?.(new URL(response.url));
  try {
    return await readBody(response, options);
  } catch (error) {
    if (signal.aborted) throw abortError(signal.reason);
    if (error instanceof GambolError) throw error;
    throw new GambolError('fetch/failed', `${fileLabel(url)} is incomplete: the connection broke. Load it again.`, {
      url: url.href,
      cause: error,
    });
  }
}

async function readBody(response: Response, options: FetchOptions): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(response);
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());

  const pieces: Uint8Array[] = [];
  let loaded = 0;
  let container: number | undefined;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    loaded += value.byteLength;
    if (loaded > MAX_FILE_BYTES) {
      reader.cancel().catch(() => undefined);
      throw new GambolError(
        'load/too-large',
        `The file is larger than ${MAX_FILE_BYTES / 2 ** 20} MiB. Simplify the model.`,
        { url: response.url },
      );
    }
    // The length in the header does not depend on the encoding of the transfer.
    if (container === undefined && loaded >= 12) container = glbLength(joined(pieces, loaded));
    const total = container || declared;
    options.onBytes?.(loaded, loaded <= total ? total : 0, Boolean(container));
  }
  return joined(pieces, loaded);
}

/**
 * The length of the file, if the response declares it; else 0. `Content-Length` is the length of the possibly compressed
 * transfer, and the page cannot read the encoding of a response of another origin. So only same-origin responses without an
 * encoding are used.
 */
function declaredLength(response: Response): number {
  if (response.type !== 'basic' || response.headers.has('content-encoding')) return 0;
  const length = Number(response.headers.get('content-length'));
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** `true` for the pointer file that Git LFS stores in place of a file. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 23)) === 'version https://git-lfs';
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** The name of a file for the beginning of a message. */
function fileLabel(url: URL): string {
  const name = nameOf(url);
  return name === 'The file' ? name : `The file ${name}`;
}

/** The name of a URL: its last path segment. */
export function nameOf(url: URL): string {
  if (url.protocol === 'blob:' || url.protocol === 'data:') return 'The file';
  const last = url.pathname.split('/').pop();
  if (!last) return url.host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
