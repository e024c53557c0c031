// The operands `IN… [OUT]`.

import type { Call } from './command.ts';
import { ending, expand } from './files.ts';

/**
 * The inputs and the output: `-o OUT`, or the last operand.
 *
 * @param foreign endings of files that are inputs only, so that the last of `*.bvh` is no output
 */
export async function inputsAndOutput(
  { operands, values }: Call,
  foreign: readonly string[],
): Promise<[inputs: string[], out: string | undefined]> {
  const given = values.text('output');
  if (given !== undefined) return [await expand(operands), given];
  const end = operands.at(-1) ?? '';
  const last = operands.length > 1 && !foreign.includes(ending(end)) ? end : undefined;
  return [await expand(last === undefined ? operands : operands.slice(0, -1)), last];
}
