// Placeholder until the real package lands: loads the module and says its version.
import init, { version as wasmVersion } from './pkg/gambol.js';

/** Loads the WebAssembly beside this script, once, and gives its version. */
export async function version(): Promise<string> {
  await init({ module_or_path: new URL('./gambol.wasm', import.meta.url) });
  return wasmVersion();
}
