// What this browser can do.

/** `(func (result v128) i32.const 0 i8x16.splat)`, as a module. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];

/** What the page wants of what there is. */
export const wanted = { simd: true };

/** What of gambol's needs is here. */
export interface Support {
  /** Without it nothing works. */
  readonly wasm: boolean;
  /** Without it everything works, but more slowly. */
  readonly simd: boolean;
  /** Without it there are no pictures; {@link loadAsset} works. */
  readonly webgl2: boolean;
}

/** Asks what there is. A page's Content-Security-Policy may still forbid WebAssembly, which only loading it tells. */
export function support(): Support {
  const wasm = typeof WebAssembly !== 'undefined';
  return { wasm, simd: wasm && hasSimd(), webgl2: hasWebGl2() };
}

/** Whether WebAssembly has SIMD. */
export function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(SIMD));
}

function hasWebGl2(): boolean {
  if (typeof document === 'undefined') return false;
  const gl = document.createElement('canvas').getContext('webgl2');
  // Pages have few contexts.
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return gl !== null;
}
