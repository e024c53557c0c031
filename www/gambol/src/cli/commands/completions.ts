// `gambol completions`: the script by which a shell completes gambol.

import { SHELLS, completions, type Shell } from '../base/completions.ts';
import type { Command } from '../base/command.ts';
import { EXIT, usage } from '../base/failure.ts';

/** The command, for these commands and itself. */
export function completionsOf(commands: () => readonly Command[]): Command {
  return {
    name: 'completions',
    summary: 'Print a script that completes commands, options and files in a shell.',
    usage: SHELLS.join('|'),
    details: '',
    operands: [1, 1],
    complete: { words: SHELLS },
    options: [],
    plain: true,
    examples: [
      ['eval "$(gambol completions bash)"', 'In ~/.bashrc.'],
      ['eval "$(gambol completions zsh)"', 'In ~/.zshrc, after compinit.'],
      ['gambol completions fish | source', 'In ~/.config/fish/config.fish.'],
    ],
    run: async ({ operands: [shell = ''], output }) => {
      if (!SHELLS.some((one) => one === shell))
        throw usage(`There are completions for ${SHELLS.join(', ')}, not for “${shell}”.`);
      output.text(completions(shell as Shell, commands()));
      return { exit: EXIT.ok, result: {} };
    },
  };
}
