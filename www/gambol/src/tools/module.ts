// The module of the tools. A separate script, loaded lazily.

import instantiate from '../pkg/tools-glue.js';
import type { compileBeside } from '../wasm/beside.ts';

/** An instance of the module. */
export type Tools = Awaited<ReturnType<typeof instantiate>>;

let compiled: Promise<WebAssembly.Module> | undefined;

/** A new instance. The module is compiled once; after a failure the next call tries again. */
export async function instance(compile: typeof compileBeside): Promise<Tools> {
  const beside = new URL('./gambol.tools.wasm', import.meta.url);
  compiled ??= compile('tools', beside, 'gambol.tools.wasm', 'the tools').catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return instantiate(await compiled);
}
