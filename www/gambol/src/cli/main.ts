// The command line → a call of a command → its exit code.

import { optionsOf, type Answer, type Command } from './base/command.ts';
import { EXIT, failureOf, type ExitCode } from './base/failure.ts';
import { commandHelp, generalHelp, unknownCommand } from './base/help.ts';
import { interruptible } from './base/interrupt.ts';
import { Output, type OutputOptions } from './base/output.ts';
import { errorFields, report } from './base/report.ts';
import { parse } from './base/values.ts';

export type Streams = Pick<OutputOptions, 'stdout' | 'stderr' | 'env'>;

/** Runs a command line; returns the exit code. It never throws. */
export async function main(
  args: readonly string[],
  commands: readonly Command[],
  version: string,
  streams: Streams,
): Promise<ExitCode> {
  const [first, ...rest] = args;
  const has = (name: string, short?: string): boolean => {
    const end = args.indexOf('--');
    return (end < 0 ? args : args.slice(0, end)).some(
      (one) => one === `--${name}` || (short !== undefined && one === `-${short}`),
    );
  };
  // Known before the arguments are parsed, for the errors of parsing.
  const output = new Output({ json: has('json'), quiet: has('quiet', 'q'), ...streams });
  const command = commands.find(({ name }) => name === first);
  let answer: Answer;
  try {
    if (first === '--version' || first === '-V') return line(output, version);
    if (first === '--help' || first === '-h') return line(output, generalHelp(commands, version));
    if (first === undefined) {
      output.error('a command is missing.', ['', ...generalHelp(commands, version).split('\n')]);
      return EXIT.usage;
    }
    if (!command) throw unknownCommand(first, commands);
    if (rest.some((one) => one === '--help' || one === '-h')) return line(output, commandHelp(command));
    const { operands, values } = parse(command, optionsOf(command), rest);
    answer = await interruptible((signal) => command.run({ command, operands, values, output, signal, version }));
  } catch (error) {
    const failure = failureOf(error);
    report(output, failure);
    answer = { exit: failure.exit, result: { error: errorFields(failure) } };
  }
  if (output.json && !command?.plain)
    output.document({ gambol: version, command: command?.name ?? null, exit: answer.exit, ...answer.result });
  return answer.exit;
}

function line(output: Output, text: string): ExitCode {
  output.text(text);
  return EXIT.ok;
}
