// `gambol inspect`: the findings of the animation doctor.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AssetSource } from 'gambol';
import type { Finding, GltfValidator, InspectReport } from 'gambol/tools';
import { each, type FileAnswer } from '../base/batch.ts';
import { MODELS, NAME, OUTSIDE, type Call, type Command } from '../base/command.ts';
import { EXIT, Failure, failureOf, type ExitCode } from '../base/failure.ts';
import { STREAM, checkReadable, expand, isAddress, readStdin } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { urlOf } from '../base/model.ts';
import type { Output } from '../base/output.ts';
import { resourcesOf, withHint } from '../base/outside.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
/** Codes of {@link isUnreadable}. */
const UNREADABLE: readonly string[] = [
  'import/unknown-format',
  'import/invalid-json',
  'import/glb-no-json',
  'import/glb-truncated',
  'import/unsupported-version',
];
const COLORS = { error: 'red', warning: 'yellow', info: 'dim' } as const;

export const inspect: Command = {
  name: 'inspect',
  summary: 'Find faults: seams of loops, sliding feet, weights, jumps, limits of players.',
  usage: 'FILE… [--fail-on SEVERITY]',
  details: `Prints the findings of each file, with their code, their place in the file and, where there is one, a way to mend them. The exit code is 1 if a finding has the severity of --fail-on or a higher one, and 3 if a file is no model.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    {
      name: 'fail-on',
      value: 'SEVERITY',
      words: [...SEVERITIES, 'never'],
      help: 'The least severity for exit code 1. Default: error.',
    },
    { name: 'ignore', value: 'CODE', multiple: true, help: 'Leave out the findings of a code.' },
    { name: 'least', value: 'SEVERITY', words: SEVERITIES, help: 'The least severity that is printed. Default: info.' },
    {
      name: 'khronos',
      help: "Add what Khronos's validator says: the npm package gltf-validator, which must be installed.",
    },
    OUTSIDE,
    NAME,
  ],
  examples: [
    ['gambol inspect hero.glb', 'Prints all findings.'],
    ['gambol inspect models/*.glb --fail-on warning --json', 'For other programs.'],
  ],
  run: async (call) => {
    const { operands, values, output, signal } = call;
    const inputs = await expand(operands);
    const failOn = SEVERITIES.findIndex((severity) => severity === (values.text('fail-on') ?? 'error'));
    const shown = SEVERITIES.findIndex((severity) => severity === (values.text('least') ?? 'info'));
    const validator = values.flag('khronos') ? await khronos() : undefined;
    const { inspect: examine } = await import('gambol/tools');
    return each(inputs, call, async (input): Promise<FileAnswer> => {
      output.progress(`${input}: inspecting`);
      const source = await sourceOf(input, call);
      const options = { ignore: values.texts('ignore'), validator, signal, ...resourcesOf(call) };
      const report = await examine(source, options).catch((error: unknown) => {
        throw failureOf(error, input);
      });
      await checkInterrupted(signal);
      print(
        output,
        input,
        report,
        report.findings.filter((finding) => level(finding) <= shown),
      );
      return { exit: exitOf(report, failOn), result: { ...report } };
    });
  },
};

const level = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);

/** `true` for the finding of a file of which nothing can be read: it is no model, or is cut off. */
function isUnreadable({ code, severity, pointer }: Finding): boolean {
  // JSON of something else has no `asset`.
  const isOther = code === 'import/invalid-value' && /^(?:\/asset(?:\/.*)?)?$/.test(pointer);
  return severity === 'error' && (isOther || UNREADABLE.includes(code));
}

function exitOf({ findings }: InspectReport, failOn: number): ExitCode {
  if (findings.some(isUnreadable)) return EXIT.input;
  return findings.some((finding) => level(finding) <= failOn) ? EXIT.findings : EXIT.ok;
}

/** Khronos's validator, from the folder of the project or from that of gambol. */
async function khronos(): Promise<GltfValidator> {
  for (const base of [join(process.cwd(), 'package.json'), fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(base)('gltf-validator') as GltfValidator;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Failure(
    EXIT.missing,
    'cli/no-validator',
    "--khronos needs Khronos's validator, which is not installed: npm install gltf-validator",
  );
}

/** The file itself, so that places in it are those of the finding. */
async function sourceOf(input: string, { values, signal }: Call): Promise<AssetSource> {
  const name = values.text('name');
  if (input === STREAM) {
    const bytes = await readStdin(signal);
    return name === undefined ? bytes : [new File([bytes as Uint8Array<ArrayBuffer>], name)];
  }
  if (!isAddress(input)) await checkReadable(input);
  return urlOf(input);
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function print(
  output: Output,
  input: string,
  { summary, findings: all }: InspectReport,
  findings: readonly Finding[],
): void {
  const { errors, warnings, infos } = summary;
  const counts =
    all.length === 0
      ? 'no findings'
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(infos, 'info')}`;
  output.print([{ color: 'bold', text: input }, `: ${counts}`]);
  for (const { severity, code, message, pointer, fix } of findings) {
    const place = pointer === '' ? '' : ` at ${pointer}`;
    output.print([
      '  ',
      { color: COLORS[severity], text: severity.padEnd(7) },
      `  ${withHint(message)} [${code}${place}]`,
    ]);
    if (fix) output.print(['           ', { color: 'dim', text: `→ ${fix.description}` }]);
  }
}
