// Arguments → values of options and operands, by `parseArgs` of Node, with messages that name the nearest option.

import { parseArgs } from 'node:util';
import { nearest } from '../../base/suggestions.ts';
import { usage } from './failure.ts';
import type { OptionSpec } from './option.ts';
import { quantity, type Kind, type Range } from './units.ts';

/** The values of a call's options. */
export class Values {
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(given: ReadonlyMap<string, readonly string[]>) {
    this.#given = given;
  }

  flag(name: string): boolean {
    return this.#given.has(name);
  }

  /** The last value of an option. */
  text(name: string): string | undefined {
    return this.#given.get(name)?.at(-1);
  }

  texts(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  /** The value in the base unit of its kind: see {@link quantity}. */
  quantity(name: string, kind: Kind, range?: Range): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : quantity(text, kind, `--${name}`, range);
  }
}

/** The parts of a command that its arguments must fit. */
interface Parsed {
  readonly name: string;
  readonly usage: string;
  readonly operands: readonly [least: number, most: number];
}

/** The arguments of a command. Options may stand anywhere; after `--` everything is an operand. */
export function parse(
  command: Parsed,
  specs: readonly OptionSpec[],
  args: readonly string[],
): { readonly operands: readonly string[]; readonly values: Values } {
  const { tokens } = parseArgs({
    args: [...args],
    // The messages of the strict mode suggest nothing.
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      specs.map(({ name, short, value }) => [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          ...(short !== undefined && { short }),
        },
      ]),
    ),
  });
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const spec = specs.find((one) => one.name === name);
    if (!spec) throw unknownOption(command, rawName, specs);
    given.set(name, [...(given.get(name) ?? []), checked(spec, rawName, value, inlineValue ?? false)]);
  }
  if (!given.has('help')) checkCounts(command, specs, given, operands);
  return { operands, values: new Values(given) };
}

function checked(spec: OptionSpec, rawName: string, value: string | undefined, inline: boolean): string {
  if (spec.value === undefined) {
    if (value !== undefined) throw usage(`${rawName} takes no value, but was given “${value}”.`);
    return '';
  }
  if (value === undefined || (!inline && value.startsWith('--')))
    throw usage(`${rawName} needs a value: ${rawName} ${spec.value}.`);
  if (spec.words && !spec.words.includes(value)) {
    const [near] = nearest(value, spec.words);
    throw usage(
      `${rawName} has no value “${value}”; ${near ? `did you mean “${near}”? It is` : 'it is'} one of ${spec.words.join(', ')}.`,
    );
  }
  return value;
}

function checkCounts(
  { name, usage: line, operands: [least, most] }: Parsed,
  specs: readonly OptionSpec[],
  given: ReadonlyMap<string, readonly string[]>,
  operands: readonly string[],
): void {
  const repeated = specs.find(
    (spec) => spec.value !== undefined && !spec.multiple && (given.get(spec.name)?.length ?? 0) > 1,
  );
  if (repeated) throw usage(`--${repeated.name} is given several times.`);
  if (operands.length < least)
    throw usage(`${operands.length === 0 ? 'Operands are' : 'An operand is'} missing: gambol ${name} ${line}`);
  if (operands.length > most) throw usage(`“${operands[most]}” is one operand too many: gambol ${name} ${line}`);
}

function unknownOption(command: Parsed, rawName: string, specs: readonly OptionSpec[]): Error {
  const names = specs.map(({ name }) => `--${name}`);
  const near = nearest(rawName, names);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `see “gambol help ${command.name}”.`;
  return usage(`gambol ${command.name} has no option ${rawName}; ${hint}`);
}
