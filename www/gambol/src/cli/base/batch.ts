// Commands on several files: each has a result or an error of its own, and the worst decides the exit code.

import type { Answer, Call } from './command.ts';
import { EXIT, failureOf, type ExitCode } from './failure.ts';
import { interruptionOf } from './interrupt.ts';
import { errorFields, report } from './report.ts';

/** The result of one file, and its exit code. */
export interface FileAnswer {
  readonly exit?: ExitCode;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Runs `work` on each file. A fault of one file does not stop the others; an interruption does. */
export async function each(
  files: readonly string[],
  { output, signal }: Pick<Call, 'output' | 'signal'>,
  work: (file: string, index: number) => Promise<FileAnswer>,
): Promise<Answer> {
  const results: object[] = [];
  let worst: ExitCode = EXIT.ok;
  for (const [i, file] of files.entries()) {
    if (files.length > 1) output.progress(`${i + 1} of ${files.length}: ${file}`, i / files.length);
    try {
      signal.throwIfAborted();
      const { exit = EXIT.ok, result } = await work(file, i);
      results.push({ file, ...result });
      if (exit > worst) worst = exit;
    } catch (error) {
      const interruption = interruptionOf(signal);
      if (interruption) {
        report(output, interruption);
        return { exit: interruption.exit, result: { files: results, error: errorFields(interruption) } };
      }
      const failure = failureOf(error, file);
      // A wrong command line is wrong for all files.
      if (failure.code === 'cli/usage') throw failure;
      report(output, failure);
      results.push({ file, error: errorFields(failure) });
      if (failure.exit > worst) worst = failure.exit;
    }
  }
  return { exit: worst, result: { files: results } };
}
