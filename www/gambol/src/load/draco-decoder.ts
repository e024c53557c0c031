// The decoder of Draco meshes, of which the script is loaded when a file needs it. The only place that names the script.

import { lazily } from '../base/lazily.ts';
import type { CompileDecoder } from '../wasm/init.ts';
import type { DecodeDraco } from './draco.ts';

/** Loads the decoder. @throws {@link GambolError} `load/chunk` */
export async function dracoDecoder(compile: CompileDecoder): Promise<DecodeDraco> {
  const { loadDraco } = await lazily('the decoder for Draco meshes', () => import('./draco.ts'));
  return loadDraco(compile);
}
