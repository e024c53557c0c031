// Feature detection of the browser.

/** `(func (result v128) i32.const 0 i8x16.splat)`, as a module. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];

/** The browser features that gambol uses. @category The WebAssembly module */
export interface Support {
  /** `true` if WebAssembly with SIMD is supported, which is required. */
  readonly wasm: boolean;
  /** `true` if WebGL 2 is supported, which viewers require; {@link loadAsset} does not. */
  readonly webgl2: boolean;
}

/**
 * Detects the browser features. A Content-Security-Policy may still forbid WebAssembly, which only its load detects.
 * @category The WebAssembly module
 */
export function support(): Support {
  return { wasm: hasWasm(), webgl2: hasWebGl2() };
}

/** `true` if there is WebAssembly, with SIMD. */
export function hasWasm(): boolean {
  return typeof WebAssembly !== 'undefined' && WebAssembly.validate(new Uint8Array(SIMD));
}

function hasWebGl2(): boolean {
  if (typeof document === 'undefined') return false;
  const gl = document.createElement('canvas').getContext('webgl2');
  // Released, because the number of contexts of a page is limited.
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return gl !== null;
}
