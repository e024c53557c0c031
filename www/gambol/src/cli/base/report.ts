// Errors as text and as JSON.

import type { Warning } from '../../base/errors.ts';
import type { Failure } from './failure.ts';
import type { Output } from './output.ts';

/** Writes an error for people. */
export function report(output: Output, { headline, advice, code, file, pointer }: Failure): void {
  const place = file !== undefined && !headline.includes(file) ? `${file}: ` : '';
  const at = pointer !== undefined && !headline.includes(pointer) ? ` at ${pointer}` : '';
  output.error(`${place}${headline} [${code}${at}]`, advice);
}

/** Writes the warnings about a file. */
export function reportWarnings(output: Output, file: string, warnings: readonly Warning[]): void {
  for (const { code, message, pointer } of warnings)
    output.warn(`${file}: ${message} [${code}${pointer === '' || message.includes(pointer) ? '' : ` at ${pointer}`}]`);
}

/** An error for the JSON document. */
export function errorFields({ message, code, file, pointer }: Failure): object {
  return { code, message, ...(file !== undefined && { file }), ...(pointer !== undefined && { pointer }) };
}
