// The modules beside the main one, which are compiled when a file needs them: decoders and converters.

import { GambolError, asGambolError } from '../base/errors.ts';
import { compile, type WasmSource } from './compile.ts';

/** The sources of these modules that a page may set. */
export interface BesideSources {
  /** The source of the decoder for Draco meshes, loaded if a file needs it. Default: `draco.wasm` beside this script. */
  readonly draco?: WasmSource;
  /** The source of the decoder for KTX2 images, loaded if a file needs it. Default: `basis.wasm` beside this script. */
  readonly basis?: WasmSource;
  /**
   * The source of the converters of other formats, loaded for the first file that needs them. Default: `gambol.formats.wasm` beside
   * this script.
   */
  readonly formats?: WasmSource;
  /** The source of the reader of OpenEXR images, loaded for the first one. Default: `gambol.exr.wasm` beside this script. */
  readonly exr?: WasmSource;
  /** The source of the tools (`gambol/tools`), loaded for their first call. Default: `gambol.tools.wasm` beside their script. */
  readonly tools?: WasmSource;
}

let sources: BesideSources = {};

/** Sets the sources of a page, in addition to those that it has set before. */
export function setSources(given: BesideSources): void {
  sources = { ...sources, ...given };
}

/**
 * Compiles a module, from the source of the page, or else from `beside` its script. `file` and `part` are for messages.
 * @throws {@link GambolError} `load/chunk`; the next call tries again.
 */
export async function compileBeside(
  which: keyof BesideSources,
  beside: URL,
  file = `${which}.wasm`,
  part = 'a decoder',
): Promise<WebAssembly.Module> {
  try {
    return await compile(sources[which] ?? beside, file);
  } catch (error) {
    const { code, message, url } = asGambolError(error, 'wasm/load');
    if (code !== 'wasm/load') throw error;
    throw new GambolError('load/chunk', `Cannot load ${part}: ${message} The next call tries again.`, {
      url,
      cause: error,
    });
  }
}
