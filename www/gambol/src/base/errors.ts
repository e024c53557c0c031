/**
 * The details of a {@link GambolError} beside its message.
 * @category Errors and warnings
 */
export interface GambolErrorDetails {
  /** JSON pointer to the fault inside the glTF file, or the place in a file that is converted. */
  readonly pointer?: string | undefined;
  /** The file or URL of the error. */
  readonly url?: string | undefined;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * The class of all errors that gambol throws, rejects with or dispatches.
 *
 * `code` is stable and has the form `area/kebab-case`. Codes of this package:
 *
 * | code | when |
 * |---|---|
 * | `argument/invalid` | a value of the wrong type or range was passed |
 * | `asset/disposed` | the asset was used after `dispose()` |
 * | `clip/not-found` | the model has no clip of this name, id or index |
 * | `fetch/failed`, `fetch/http` | the network failed (or CORS forbids it); the server answered with an error |
 * | `load/aborted` | the signal was aborted, or a later `load()` replaced this one |
 * | `load/foreign-resource` | the model references a file of another origin or folder, and `externalResources` forbids that |
 * | `load/missing-resource` | a required buffer is missing; if a part can be shown, it is a warning `import/buffer-missing` |
 * | `load/no-model` | none of the passed files, or of those in an archive, is a model |
 * | `load/not-a-model` | the bytes are something else: a web page, a pointer of Git LFS, nothing |
 * | `convert/no-fbx`, `convert/panic` | this build has no reader of FBX; the converter of a file has stopped, because of a bug in gambol |
 * | `tools/nothing-to-compare`, `tools/panic` | a file has no vertices to compare; the tools have stopped, because of a bug in gambol |
 * | `load/archive-broken` | a `.zip` is cut off or damaged; the checksum of each file that is read is compared |
 * | `load/archive-unsupported` | a `.zip` is encrypted, split, or compressed by another method than deflate |
 * | `load/too-large` | more bytes than gambol reads, also in a `.zip` that unpacks to more than 64 times its size (and 64 MiB) |
 * | `mask/no-such-joint`, `joint/not-found` | no joint matches the pattern of a mask, or has this name or index |
 * | `morph/not-found`, `expression/not-found`, `material/not-found` | the model has no morph target, expression or material of this name |
 * | `blend-space/no-points`, `-/same-place`, `-/not-finite`, `-/markers` | invalid points, or markers that do not match |
 * | `layer/removed`, `actor/removed`, `actor/cycle` | the layer or actor was removed before; an actor would follow itself |
 * | `states/…` | a state machine is invalid; `states/removed`: it has ended |
 * | `record/aborted`, `record/unsupported`, `record/failed` | the signal of a recording was aborted; the browser cannot encode the format; an encoder failed |
 * | `play/aborted` | another clip, `stop()`, `load()` or `dispose()` ended this playback |
 * | `viewer/disposed` | the viewer was used after `dispose()` |
 * | `viewer/no-picture` | the browser could not make a picture of the canvas |
 * | `viewer/picture-too-large` | the requested picture has more pixels than the GPU can draw |
 * | `xr/unsupported`, `xr/denied`, `xr/busy`, `xr/failed` | AR or VR: there is no such device; it is not allowed; another session is open; another reason |
 * | `load/chunk` | a part of gambol that is loaded when it is first needed (a script, a decoder, the module of a feature) cannot be had; the next call tries again |
 * | `feature/not-used` | a synchronous call needs a feature that was not used before: {@link use} |
 * | `wasm/load`, `wasm/unsupported` | the WebAssembly module cannot be loaded |
 * | `wasm/panic` | the module has stopped, because of a bug in gambol |
 * | `render/webgl2-unsupported`, `render/context-lost` | no WebGL 2; the context is lost and will not be restored |
 *
 * Errors inside a file have a code that starts with `import/`, or with `bvh/`, `fbx/`, `x/` or `convert/` for a file that is converted,
 * and a `pointer`.
 * @category Errors and warnings
 */
export class GambolError extends Error {
  /** The stable code of the error, e.g. `import/accessor-out-of-range`. */
  readonly code: string;
  /**
   * JSON pointer to the fault inside the glTF file, e.g. `/accessors/3`. Of a file that is converted, the place in it: `line 3, column 5`,
   * or `byte 96` and the names of the objects around it.
   */
  readonly pointer?: string;
  /** The file or address the error is about. */
  readonly url?: string;

  constructor(code: string, message: string, details: GambolErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    // The name of aborts on the web platform, by which code recognises them.
    this.name = code.endsWith('/aborted') ? 'AbortError' : 'GambolError';
    this.code = code;
    if (details.pointer !== undefined && details.pointer !== '') this.pointer = details.pointer;
    if (details.url !== undefined) this.url = details.url;
  }
}

/**
 * A warning: a part of a model that was repaired, ignored or replaced, or a call or an attribute without effect.
 * @category Errors and warnings
 */
export interface Warning {
  /** The stable code, `area/kebab-case`. */
  readonly code: string;
  /** A message for users. */
  readonly message: string;
  /** JSON pointer into the glTF file, or the place in a file that is converted; empty if the warning has no place in the file. */
  readonly pointer: string;
}

/** `true` for a trap of WebAssembly, including a stack overflow, after which the instance must not be called. */
export function isTrap(error: unknown): boolean {
  if (error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')) return true;
  return typeof WebAssembly !== 'undefined' && error instanceof WebAssembly.RuntimeError;
}

/** Converts any thrown value to a `GambolError`; errors from Rust have `code` and `pointer` as plain fields. */
export function asGambolError(error: unknown, fallbackCode: string, url?: string): GambolError {
  if (error instanceof GambolError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new GambolError(stringField(error, 'code') ?? fallbackCode, message, {
    pointer: stringField(error, 'pointer'),
    url,
    cause: error,
  });
}

/** The error of a module that has stopped. */
export function panicError(cause: unknown): GambolError {
  const [reason, url] =
    cause instanceof GambolError
      ? [cause.message, cause.url]
      : [`This is a bug in gambol (${String(cause)}); please report it.`];
  return new GambolError('wasm/panic', `gambol stopped. ${reason} Create new viewers; the existing ones have ended.`, {
    cause,
    url,
  });
}

/**
 * The error of a synchronous call of a feature that was not used before. `call`: the name of the call, where it is known.
 */
export function notUsed(feature: string, call = 'This call'): GambolError {
  return new GambolError(
    'feature/not-used',
    `${call} needs the feature \`${feature}\`: await viewer.use('${feature}') first.`,
  );
}

/** The error of a load that was aborted by a signal or by another load. */
export function abortError(reason?: unknown): GambolError {
  return new GambolError('load/aborted', 'The load was aborted by its signal, a later load() or dispose().', {
    cause: reason,
  });
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
