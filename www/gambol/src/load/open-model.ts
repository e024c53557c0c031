// The bytes of a model's glTF file, from any source.

import { GambolError, throwIfAborted } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { isLfsPointer } from './fetch.ts';
import { converted, isForeign } from './foreign.ts';
import {
  archiveSource,
  isArchive,
  openSource,
  type AssetSource,
  type Source,
  type SourceOptions,
  type Transfer,
} from './source.ts';

/** A glTF file, not parsed yet, and the source of its other files. */
export interface OpenedModel {
  readonly bytes: Uint8Array;
  readonly source: Source;
}

/**
 * Reads the glTF file of a source: archives are opened, and files of other formats are converted, to at most `decodedBytes`.
 * @throws {@link GambolError} `load/not-a-model`, and those of `openSource`, of its requests and of conversions
 */
export async function openModel(
  from: AssetSource,
  options: SourceOptions,
  transfer: Transfer,
  decodedBytes?: number,
): Promise<OpenedModel> {
  let source: Source = { ...openSource(from, options), decoders: options.decoders, up: options.up };
  const { signal } = transfer;
  let bytes = await source.model(transfer);
  // An archive of this name is no folder of glTF.
  if (/\.usdz$/i.test(source.name)) await refuseOtherFormats(bytes, source);
  if (isArchive(bytes)) {
    source = await archiveSource(bytes, source);
    throwIfAborted(signal);
    bytes = await source.model({ signal });
  }
  await refuseOtherFormats(bytes, source);
  throwIfAborted(signal);
  if (!isForeign(bytes, source.name)) return { bytes, source };
  const model = await converted(bytes, source, { up: source.up, decodedBytes, signal });
  throwIfAborted(signal);
  return model;
}

/** Throws a specific error for common files that are no glTF: web pages, models of other formats. */
async function refuseOtherFormats(bytes: Uint8Array, source: Source): Promise<void> {
  const refuse = (words: string): never => {
    throw new GambolError('load/not-a-model', `The file ${source.name} is ${words}`, { url: source.url });
  };
  if (bytes.byteLength === 0) refuse('empty. Export or download it again.');
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64)).replace(/^ï»¿/, '').trimStart();
  if (/^(?:glTF|\{|\[)/.test(head)) return;
  if (!isForeign(bytes, source.name)) {
    const { otherFormat } = await lazily('the script for other formats', () => import('./other-formats.ts'));
    const words = otherFormat(bytes, source.name);
    if (words !== undefined) refuse(words);
  }
  if (head.startsWith('<')) refuse('a web page or XML, not a glTF model. Check the URL.');
  if (head.startsWith('PK\x03\x04')) refuse('a ZIP archive inside another one. Unpack it and open the folder.');
  if (isLfsPointer(bytes)) refuse('a Git LFS pointer, not the model itself. Run `git lfs pull`.');
}
