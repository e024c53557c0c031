import { GambolError, abortError, throwIfAborted } from '../base/errors.ts';
import { localFile, refusal } from '../base/local-files.ts';

/** No file may be larger; a wasm32 address space holds the file, the model and the GL copies of it. */
export const MAX_FILE_BYTES = 1 << 30;

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Called for every piece that arrives. `total` is 0 while unknown; `container` says that the bytes are a `.glb`,
   * which contains all it needs.
   */
  onBytes?(loaded: number, total: number, container: boolean): void;
}

/** Answers that nobody has asked for yet, by their addresses. */
const early = new Map<string, { readonly answer: Promise<Response>; readonly abort: AbortController }>();

/** Asks for an address that {@link fetchBytes} will ask for in a moment; returns how to give that up. */
export function fetchEarly(url: URL, credentials: RequestCredentials = 'same-origin'): () => void {
  const { href } = url;
  if (!/^https?:/.test(href) || early.has(href)) return () => undefined;
  const abort = new AbortController();
  const begun = { answer: fetch(url, { signal: abort.signal, credentials }), abort };
  // Told to who takes it.
  begun.answer.catch(() => undefined);
  early.set(href, begun);
  return () => {
    if (early.get(href) !== begun) return;
    early.delete(href);
    abort.abort();
  };
}

function answer(url: URL, { signal, credentials = 'same-origin' }: FetchOptions): Promise<Response> {
  const begun = early.get(url.href);
  if (!begun) return fetch(url, { signal, credentials });
  early.delete(url.href);
  signal.addEventListener('abort', () => begun.abort.abort(), { once: true });
  return begun.answer;
}

/** Fetches an address as bytes; in Node also that of a file. */
export async function fetchBytes(url: URL, options: FetchOptions): Promise<Uint8Array> {
  const { signal } = options;
  throwIfAborted(signal);
  const local = await localFile(url).catch((error: unknown) => {
    throw new GambolError('fetch/failed', `${called(url)} cannot be read. Check its path.`, { url: url.href, cause: error });
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
    throw new GambolError('fetch/failed', `${called(url)} cannot be fetched: ${refusal(url) ?? 'the server cannot be reached or does not allow this page to read it (CORS). Check the address and the server.'}`, { url: url.href, cause: error });
  }
  // WebKit rejects, with nobody to hear it, when the body of an aborted answer is looked at.
  throwIfAborted(signal);
  if (!response.ok) {
    response.body?.cancel().catch(() => undefined);
    const words = response.status === 404 ? 'it is not there (HTTP 404)' : `HTTP ${response.status}`;
    throw new GambolError('fetch/http', `${called(url)} cannot be fetched: ${words}. Check the address.`, { url: url.href });
  }
  try {
    return await readBody(response, options);
  } catch (error) {
    if (signal.aborted) throw abortError(signal.reason);
    if (error instanceof GambolError) throw error;
    throw new GambolError('fetch/failed', `${called(url)} stopped to arrive half-way. Load it again.`, { url: url.href, cause: error });
  }
}

async function readBody(response: Response, options: FetchOptions): Promise<Uint8Array> {
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
      throw new GambolError('load/too-large', `The file is larger than ${MAX_FILE_BYTES / 2 ** 20} MB. Simplify the model.`, { url: response.url });
    }
    if (container === undefined && loaded >= 12) container = glbLength(pieces);
    const total = container || declared;
    options.onBytes?.(loaded, loaded <= total ? total : 0, Boolean(container));
  }
  return joined(pieces, loaded);
}

/**
 * `Content-Length` counts what travels, compressed or not, and the encoding of another origin's answer is hidden from
 * the page; so it is believed only where it must be the length of the file.
 */
function declaredLength(response: Response): number {
  if (response.type !== 'basic' || response.headers.has('content-encoding')) return 0;
  const length = Number(response.headers.get('content-length'));
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** `true` for the text that Git LFS leaves in the place of a file. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 23)) === 'version https://git-lfs';
}

/** The length that a GLB header declares, whatever the transfer did to the bytes; 0 if this is no GLB. */
function glbLength(pieces: readonly Uint8Array[]): number {
  const head = new DataView(joined(pieces, pieces.reduce((sum, piece) => sum + piece.byteLength, 0)).buffer);
  return head.getUint32(0, true) === 0x46546c67 ? head.getUint32(8, true) : 0;
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

/** A file at an address, at the beginning of a sentence. */
function called(url: URL): string {
  const name = nameOf(url);
  return name === 'The file' ? name : `The file ${name}`;
}

/** What to call an address: its last part. */
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
