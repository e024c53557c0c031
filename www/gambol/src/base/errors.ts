/**
 * What an error of gambol may add to its message.
 */
export interface GambolErrorDetails {
  /** JSON pointer to the fault inside the glTF file. */
  readonly pointer?: string | undefined;
  /** The file or address the error is about. */
  readonly url?: string | undefined;
  /** The error below this one. */
  readonly cause?: unknown;
}

/**
 * Every error that gambol throws, rejects with or dispatches.
 *
 * `code` is stable and has the form `area/kebab-case`. Codes of this package:
 *
 * | code | when |
 * |---|---|
 * | `argument/invalid` | a value of the wrong type or range was passed |
 * | `asset/disposed` | the asset was used after `dispose()` |
 * | `clip/not-found` | the model has no clip of that name, id or index |
 * | `fetch/failed`, `fetch/http` | the network failed (or CORS forbids it); the server answered with an error |
 * | `load/aborted` | the signal was aborted, or a later `load()` replaced this one |
 * | `load/foreign-resource` | the model names a file of another origin, and `externalResources` forbids that |
 * | `load/missing-resource` | a buffer is not there without which nothing can be shown; if a part can be shown, `import/buffer-missing` is a warning |
 * | `load/no-model` | none of the given files, or of those in an archive, is a `.glb` or `.gltf` |
 * | `load/not-a-model` | the bytes are something else: a web page, a pointer of Git LFS, nothing |
 * | `load/archive-broken` | a `.zip` is cut off or damaged; the checksum of each file that is read is compared |
 * | `load/archive-unsupported` | a `.zip` is encrypted, split, or compressed by another method than deflate |
 * | `load/too-large` | more bytes than gambol reads, also in a `.zip` that unpacks to more than 64 times its size (and 64 MiB) |
 * | `mask/no-such-joint`, `joint/not-found` | no joint matches the pattern of a mask, or has that name or index |
 * | `blend-space/no-points`, `-/same-place`, `-/not-finite`, `-/markers` | the points make no blend space, or the clips' markers do not match |
 * | `layer/removed`, `actor/removed`, `actor/cycle` | it was taken away before; an actor would follow itself |
 * | `play/aborted` | another clip, `stop()`, `load()` or `dispose()` ended this playback |
 * | `viewer/disposed` | the viewer was used after `dispose()` |
 * | `viewer/no-picture` | the browser could not make a picture of the canvas |
 * | `viewer/picture-too-large` | a picture of more pixels than the GPU draws was asked for |
 * | `load/chunk` | a part of gambol that is loaded when it is first needed (a script, a decoder, `gambol.more.wasm`) cannot be had; the next call tries again |
 * | `wasm/load`, `wasm/unsupported` | the module cannot be had |
 * | `wasm/panic` | it stopped, by a bug of ours |
 * | `render/webgl2-unsupported`, `render/context-lost` | no WebGL 2; the browser took the context away for good |
 *
 * What is wrong inside a file has a code that starts with `import/` and comes with a `pointer`.
 */
export class GambolError extends Error {
  /** Stable name of what went wrong, e.g. `import/accessor-out-of-range`. */
  readonly code: string;
  /** JSON pointer to the fault inside the glTF file, e.g. `/accessors/3`. */
  readonly pointer?: string;
  /** The file or address the error is about. */
  readonly url?: string;

  constructor(code: string, message: string, details: GambolErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    // What the platform calls an abort is recognised by this name everywhere.
    this.name = code.endsWith('/aborted') ? 'AbortError' : 'GambolError';
    this.code = code;
    if (details.pointer !== undefined && details.pointer !== '') this.pointer = details.pointer;
    if (details.url !== undefined) this.url = details.url;
  }
}

/** Something that was repaired, left out or replaced so that the model can be shown. */
export interface Warning {
  /** Stable name, `area/kebab-case`. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  /** JSON pointer into the glTF file; empty if it is about no place in it. */
  readonly pointer: string;
}

/** Whether WebAssembly stopped, also for want of stack: the instance must not be called again. */
export function isTrap(error: unknown): boolean {
  if (error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')) return true;
  return typeof WebAssembly !== 'undefined' && error instanceof WebAssembly.RuntimeError;
}

/** Whatever was thrown, as a `GambolError`; errors made in Rust carry `code` and `pointer` as plain fields. */
export function asGambolError(error: unknown, fallbackCode: string, url?: string): GambolError {
  if (error instanceof GambolError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new GambolError(stringField(error, 'code') ?? fallbackCode, message, {
    pointer: stringField(error, 'pointer'),
    url,
    cause: error,
  });
}

/** The error of a module that stopped. */
export function panicError(cause: unknown): GambolError {
  const [why, url] = cause instanceof GambolError ? [cause.message, cause.url] : [`This is a fault of its own (${String(cause)}).`];
  return new GambolError('wasm/panic', `gambol stopped. ${why} Viewers made from now on work again.`, { cause, url });
}

/** The error of a load that was given up, by a signal or because another took its place. */
export function abortError(reason?: unknown): GambolError {
  return new GambolError('load/aborted', 'The load was given up.', { cause: reason });
}

/** Throws `load/aborted` once the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal.reason);
}

function stringField(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const field: unknown = (value as Record<string, unknown>)[key];
  return typeof field === 'string' && field !== '' ? field : undefined;
}
