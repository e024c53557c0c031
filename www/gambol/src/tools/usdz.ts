// glTF files as USDZ, for Quick Look.

import { GambolError, throwIfAborted, type Warning } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { shown } from '../base/shown.ts';
import type { AssetSource } from '../load/source.ts';
import { checkedText, optionNames } from '../values/options.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { filesOf, readInput, runTool, type Input } from './run.ts';

/** Options of {@link exportUsdz}. @category Exports and baked clips */
export interface UsdzOptions extends ToolOptions {
  /**
   * The clip that plays, by its name in the file or by its index; null for the rest pose. A USDZ has one. Default: the first one that
   * lasts.
   */
  readonly animation?: string | number | null | undefined;
  /** The name of the variant of the materials; null for none. Default: null. */
  readonly variant?: string | null | undefined;
  /**
   * The largest width and height of an image, in pixels, at least 1. Larger ones are reduced in pages and workers; in Node they stay as
   * they are, with a warning. Default: any size.
   */
  readonly maxTextureSize?: number | undefined;
}

const OPTIONS = optionNames<Omit<UsdzOptions, keyof ToolOptions>>({ animation: 0, variant: 0, maxTextureSize: 0 });

/** A USDZ file. @category Exports and baked clips */
export interface UsdzFile {
  /** The bytes of the archive, of the type `model/vnd.usdz+zip`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The parts of the model that USDZ cannot show, with codes `usdz/…`, and the repairs of the import. */
  readonly warnings: readonly Warning[];
}

/** The part of a file that becomes USDZ, after checks. @internal */
export interface UsdzChoice {
  readonly clip: string[];
  readonly still: boolean;
  readonly variant: string[];
  readonly size: number | undefined;
}

/**
 * Converts a model to USDZ, the format of Quick Look: meshes, skins, morph targets, one clip, materials and images. Vertices are
 * within a thousandth of the size of the model, at any time of the clip.
 *
 * PNG and JPEG images stay as they are. Others are encoded as PNG in pages and workers; in Node they are left out, with a warning.
 *
 * ```js
 * const { bytes, warnings } = await exportUsdz('hero.glb', { animation: 'Walk', maxTextureSize: 1024 });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `clip/not-found`, `tools/option`, `tools/too-large`, `load/aborted`, `tools/panic`,
 * and the errors of loading and import
 * @category Exports and baked clips
 */
export async function exportUsdz(source: AssetSource, options: UsdzOptions = {}): Promise<UsdzFile> {
  const signal = checkedTool(options, 'exportUsdz()', OPTIONS);
  const choice = checkedChoice(options);
  const input = await readInput(source, options, signal);
  const written = await writtenUsdz(input, choice, options.decoders !== 'none', signal);
  options.onProgress?.(1);
  return written;
}

/** The size option. @throws {@link GambolError} `argument/invalid` @internal */
export function checkedSize(size: number | undefined): number | undefined {
  if (size === undefined || size === Infinity) return undefined;
  if (typeof size !== 'number' || !(size >= 1))
    throw new GambolError('argument/invalid', `maxTextureSize must be at least 1, not ${shown(size)}.`);
  return Math.min(Math.floor(size), 2 ** 31);
}

function checkedChoice({ animation, variant, maxTextureSize }: UsdzOptions): UsdzChoice {
  const isIndex = typeof animation === 'number' && Number.isInteger(animation) && animation >= 0;
  if (animation !== undefined && animation !== null && typeof animation !== 'string' && !isIndex)
    throw new GambolError(
      'argument/invalid',
      `animation must be the name or the index of a clip, or null, not ${shown(animation)}.`,
    );
  if (variant !== undefined && variant !== null) checkedText(variant, 'variant');
  return {
    clip: animation === undefined || animation === null ? [] : [String(animation)],
    still: animation === null,
    variant: variant === undefined || variant === null ? [] : [variant],
    size: checkedSize(maxTextureSize),
  };
}

/** Writes a file that was read. `decoders`: `false` to leave out images that need one. @internal */
export async function writtenUsdz(
  input: Input,
  choice: UsdzChoice,
  decoders: boolean,
  signal: AbortSignal,
): Promise<UsdzFile> {
  return runTool(input.url, signal, async (tools) => {
    const writer = new tools.UsdzWriter(input.bytes, filesOf(tools, input), choice);
    const pending = writer.pending();
    if (pending.length > 0 && typeof OffscreenCanvas !== 'undefined') {
      const script = await lazily('the encoder for images', () => import('./usdz-images.ts'));
      for (const index of pending) {
        throwIfAborted(signal);
        const encoded = await script.encoded(writer.image(index), choice.size ?? Infinity, decoders);
        // One that cannot be decoded is left out, with a warning.
        if (encoded) writer.provide(index, encoded);
      }
    }
    throwIfAborted(signal);
    const { bytes, warnings } = writer.finish(input.name);
    return { bytes, warnings };
  });
}
