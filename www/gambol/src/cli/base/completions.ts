// Scripts by which shells complete the commands, made from their descriptions.

import { optionsOf, type Command } from './command.ts';
import type { OptionSpec } from './option.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script for a shell. */
export function completions(shell: Shell, commands: readonly Command[]): string {
  const words = commands.map(({ name }) => name);
  // `help` takes the name of any command.
  const known = commands.map((one) => (one.complete?.words?.length === 0 ? { ...one, complete: { words } } : one));
  return { bash, zsh, fish }[shell](known);
}

const flags = ({ name, short }: OptionSpec): string[] => [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
/** A sentence within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const values = options.flatMap((option) => {
      if (option.value === undefined) return [];
      const action = option.words
        ? `COMPREPLY=($(compgen -W "${option.words.join(' ')}" -- "$cur"))`
        : option.file
          ? '_gambol_files'
          : ':';
      return [`        ${flags(option).join('|')}) ${action}; return ;;`];
    });
    const operands = command.complete?.words
      ? `COMPREPLY=($(compgen -W "${command.complete.words.join(' ')}" -- "$cur"))`
      : `_gambol_files ${(command.complete?.files ?? []).join(' ')}`.trimEnd();
    return `    ${command.name})
      case "$prev" in
${[...values, '        *) ;;'].join('\n')}
      esac
      if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "${options.flatMap(flags).join(' ')}" -- "$cur"))
      else
        ${operands}
      fi
      ;;`;
  });
  return `# Completions of gambol for bash: eval "$(gambol completions bash)"

# Files with one of the endings, or all files, and folders.
_gambol_files() {
  local ending
  COMPREPLY=($(compgen -d -- "$cur"))
  if (($# == 0)); then COMPREPLY+=($(compgen -f -- "$cur")); fi
  for ending in "$@"; do COMPREPLY+=($(compgen -f -X "!*.$ending" -- "$cur")); done
  compopt -o filenames 2>/dev/null
}

_gambol() {
  local IFS=$' \\t\\n' cur prev command="" i
  COMPREPLY=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  # "--format=png" is three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then
      command="\${COMP_WORDS[i]}"
      break
    fi
  done
  case "$command" in
    "") COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$cur")) ;;
${cases.join('\n')}
  esac
}

complete -F _gambol gambol
`;
}

/** A text within \`[…]\` of \`_arguments\`. */
const described = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');

function zsh(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const lines = optionsOf(command).map((option) => {
      const { value, words, file, multiple, help } = option;
      const action =
        value === undefined ? '' : `:${value.toLowerCase()}:${words ? `(${words.join(' ')})` : file ? '_files' : ' '}`;
      const all = flags(option);
      const name = all.length > 1 ? `{${all.join(',')}}` : all.join('');
      const once = multiple ? "'*'" : all.length > 1 ? `'(${all.join(' ')})'` : '';
      return `        ${once}${name}${quoted(`[${described(help)}]${action}`)}`;
    });
    const { words, files } = command.complete ?? {};
    const operands = words ? `(${words.join(' ')})` : files ? `_files -g "*.(${files.join('|')})"` : '_files';
    return `    ${command.name})
      _arguments -s \\
${[...lines, `        ${quoted(`*:file:${operands}`)}`].join(' \\\n')}
      ;;`;
  });
  return `#compdef gambol
# Completions of gambol for zsh: eval "$(gambol completions zsh)"

_gambol() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _arguments -C '(-h --help)'{-h,--help}'[Show the help.]' '(-V --version)'{-V,--version}'[Show the version.]' \\
    '1:command:->command' '*::argument:->argument'
  if [[ $state == command ]]; then
    _describe -t commands command commands
    return
  fi
  case $line[1] in
${cases.join('\n')}
  esac
}

if [[ $funcstack[1] == _gambol ]]; then _gambol "$@"; else compdef _gambol gambol; fi
`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const when = `-n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`;
    const options = optionsOf(command).map(({ name, short, value, words, file, help }) => {
      const takes = value === undefined ? '' : words ? ` -x -a ${quoted(words.join(' '))}` : file ? ' -r' : ' -x';
      return `complete -c gambol ${when}${short === undefined ? '' : ` -s ${short}`} -l ${name}${takes} -d ${quoted(help)}`;
    });
    const { words, files } = command.complete ?? {};
    const operands = words
      ? [`complete -c gambol ${when} -x -a ${quoted(words.join(' '))}`]
      : (files ?? []).map((one) => `complete -c gambol ${when} -k -x -a ${quoted(`(__fish_complete_suffix .${one})`)}`);
    return [
      `complete -c gambol -n __fish_use_subcommand -x -a ${command.name} -d ${quoted(command.summary)}`,
      ...options,
      ...operands,
    ];
  });
  return `# Completions of gambol for fish: gambol completions fish | source
complete -c gambol -n __fish_use_subcommand -s h -l help -d 'Show the help.'
complete -c gambol -n __fish_use_subcommand -s V -l version -d 'Show the version.'
${lines.join('\n')}
`;
}
