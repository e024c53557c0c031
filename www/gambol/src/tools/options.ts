// The options that all tools share, and their checks.

import { GambolError } from '../base/errors.ts';
import { described } from '../base/shown.ts';
import { checkedSource, SOURCE_OPTIONS } from '../load/checked-source.ts';
import type { SourceOptions } from '../load/source.ts';

/** Options of all tools. @category Tools for files */
export interface ToolOptions extends SourceOptions {
  /** Aborts the call: it rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Is called with the share of the work that is done, `0..=1`. */
  readonly onProgress?: ((ratio: number) => void) | undefined;
}

/** Checks the options; `own`: the names of those that other tools do not have. @throws {@link GambolError} `argument/invalid` */
export function checkedTool(options: ToolOptions, call: string, own: readonly string[]): AbortSignal {
  checkedSource(options, call, [...own, ...SOURCE_OPTIONS, 'onProgress']);
  const { onProgress, signal } = options;
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new GambolError('argument/invalid', `onProgress must be a function, not ${described(onProgress)}.`);
  return signal ?? new AbortController().signal;
}
