// The texts of `gambol help`.

import { nearest } from '../../base/suggestions.ts';
import { COMMON, optionsOf, type Command } from './command.ts';
import { usage, type Failure } from './failure.ts';
import type { OptionSpec } from './option.ts';

const WIDTH = 80;

/** Text in lines of at most 80 characters. */
function wrapped(text: string, indent = 0, first = indent): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      [line, empty] = [' '.repeat(indent), true];
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}

function optionLines(options: readonly OptionSpec[]): string {
  const column = 26;
  return options
    .map(({ name, short, value, words, multiple, help }) => {
      const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
      const right = `${help}${words ? ` One of ${words.join(', ')}.` : ''}${multiple ? ' May be given several times.' : ''}`;
      const text = wrapped(right, column);
      return left.length < column - 1 ? left + text.slice(left.length) : `${left}\n${text}`;
    })
    .join('\n');
}

/** The help of all commands. */
export function generalHelp(commands: readonly Command[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return `gambol ${version}: animated glTF characters, from the command line

Usage: gambol COMMAND [OPTIONS] [FILES]

Commands:
${commands.map(({ name, summary }) => wrapped(summary, width + 2).replace(/^ +/, `  ${name.padEnd(width)}`)).join('\n')}

Options of every command:
${optionLines([...COMMON, { name: 'version', short: 'V', help: 'Show the version of gambol.' }])}

Exit codes:
  0  fine
  1  a check failed: findings, or a difference above the tolerance
  2  the command line is wrong
  3  an input file cannot be read, or has a fault
  4  something is missing: a browser, the reader of FBX
  5  anything else, such as a result that cannot be written
  130  interrupted

“gambol help COMMAND” has the options of a command. Lengths, times and rates have
units: 0.1mm, 2s, 24fps. “-” is stdin or stdout.
Guide: https://github.com/gambol-player/gambol/blob/main/docs/guides/command-line.md`;
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, summary, usage, details, examples } = command;
  const paragraphs =
    details === ''
      ? ''
      : `\n${details
          .split('\n')
          .map((line) => wrapped(line))
          .join('\n')}\n`;
  const shown = examples.map(([line, sentence]) => `  ${line}\n${wrapped(sentence, 6)}`).join('\n');
  return `${wrapped(`gambol ${name}: ${summary}`)}

Usage: gambol ${name} ${usage}
${paragraphs}
Options:
${optionLines(optionsOf(command))}
${examples.length > 0 ? `\nExamples:\n${shown}\n` : ''}`.trimEnd();
}

/** The error for a command that does not exist. */
export function unknownCommand(name: string, commands: readonly Command[]): Failure {
  const names = commands.map((one) => one.name);
  if (name.startsWith('-'))
    return usage(
      `The command comes before its options: gambol COMMAND ${name}; COMMAND is one of ${names.join(', ')}.`,
    );
  const near = nearest(name, names);
  const hint = near.length > 0 ? `did you mean “${near.join('” or “')}”?` : `it is one of ${names.join(', ')}.`;
  return usage(`gambol has no command “${name}”; ${hint}`);
}
