// `gambol help`: the help of all commands, or of one.

import type { Command } from '../base/command.ts';
import { EXIT } from '../base/failure.ts';
import { commandHelp, generalHelp, unknownCommand } from '../base/help.ts';

/** The command, for these commands and itself. */
export function helpOf(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Show the help of all commands, or of one.',
    usage: '[COMMAND]',
    details: '',
    operands: [0, 1],
    complete: { words: [] },
    options: [],
    plain: true,
    examples: [],
    run: async ({ operands: [name], output, version }) => {
      const command = commands().find((one) => one.name === name);
      if (name !== undefined && !command) throw unknownCommand(name, commands());
      output.text(command ? commandHelp(command) : generalHelp(commands(), version));
      return { exit: EXIT.ok, result: {} };
    },
  };
}
