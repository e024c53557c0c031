// The description of a command, from which its arguments are parsed, its help is written and shells complete it.

import type { ExitCode } from './failure.ts';
import type { OptionSpec } from './option.ts';
import type { Output } from './output.ts';
import type { Values } from './values.ts';

/** A call of a command, with its arguments. */
export interface Call {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly values: Values;
  readonly output: Output;
  /** Is aborted by SIGINT, SIGTERM and SIGHUP, with a `Failure` as reason. */
  readonly signal: AbortSignal;
  /** The version of gambol. */
  readonly version: string;
}

/** The fields of the JSON document that a command adds. */
export type Result = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly exit: ExitCode;
  readonly result: Result;
}

export interface Command {
  readonly name: string;
  /** A sentence. */
  readonly summary: string;
  /** The operands and the most used options, as in `IN [OUT] --error LENGTH`. */
  readonly usage: string;
  /** Paragraphs for the help. */
  readonly details: string;
  /** The least and the greatest number of operands. */
  readonly operands: readonly [least: number, most: number];
  /** The endings of files that the operands name, or the words that they may be. */
  readonly complete?: { readonly files?: readonly string[]; readonly words?: readonly string[] };
  readonly options: readonly OptionSpec[];
  /** Command lines, each with a sentence. */
  readonly examples: readonly (readonly [line: string, sentence: string])[];
  /** `true` if the command has its own output, so that `--json` means nothing. */
  readonly plain?: boolean;
  run(call: Call): Promise<Answer>;
}

/** The options of every command. */
export const COMMON: readonly OptionSpec[] = [
  { name: 'json', help: 'Write the result as one JSON document to stdout; warnings and errors go to stderr, too.' },
  { name: 'quiet', short: 'q', help: 'Write no progress and no notes.' },
  { name: 'help', short: 'h', help: 'Show the help of the command.' },
];

export const OUTPUT: OptionSpec = {
  name: 'output',
  short: 'o',
  value: 'OUT',
  file: true,
  help: 'The file to write, or a folder (existing, or with a “/” at its end); - for stdout.',
};

export const FORCE: OptionSpec = { name: 'force', short: 'f', help: 'Overwrite files that exist.' };

export const NAME: OptionSpec = {
  name: 'name',
  value: 'NAME',
  help: 'The name of the file that is read from stdin, for its format and its clips.',
};

export const UP: OptionSpec = {
  name: 'up',
  value: 'AXIS',
  words: ['y', 'z'],
  help: 'The axis that points up in BVH files. Default: y, unless the figure stands along z.',
};

export const OUTSIDE: OptionSpec = {
  name: 'allow-outside',
  help: 'Read files outside the folder of the model, and addresses, if the model names them.',
};

export const MODELS = ['glb', 'gltf', 'vrm', 'vrma', 'fbx', 'bvh', 'x', 'zip'] as const;

/** The options of a command, with those of every command. */
export function optionsOf(command: Command): readonly OptionSpec[] {
  return [...command.options, ...COMMON.filter(({ name }) => name !== 'json' || !command.plain)];
}
