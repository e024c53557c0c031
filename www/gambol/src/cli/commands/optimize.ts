// `gambol optimize`: smaller files within a bound that is measured on the skinned mesh.

import type { OptimizeReport, PartSizes } from 'gambol/tools';
import { each, type FileAnswer } from '../base/batch.ts';
import { FORCE, MODELS, NAME, OUTPUT, OUTSIDE, type Command } from '../base/command.ts';
import { EXIT, usage } from '../base/failure.ts';
import { STREAM } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { inputsAndOutput } from '../base/operands.ts';
import { open } from '../base/model.ts';
import type { Output } from '../base/output.ts';
import { reportWarnings } from '../base/report.ts';
import { checkDistinct, target, write } from '../base/results.ts';
import { bytesText, lengthText, timeText } from '../base/units.ts';

const COMPRESSIONS = ['meshopt', 'khr-meshopt', 'none'] as const;
/** With `--check`: the share of the bytes by which a file may be larger than its optimised form. */
const SLACK = 0.05;
/** The ending of a result whose name follows from the input, also in a folder. */
const SUFFIX = '.optimized.glb';

export const optimize: Command = {
  name: 'optimize',
  summary: 'Make files smaller: fewer keys, quantised and compressed data, no unused parts.',
  usage: 'IN… [OUT] [--error LENGTH]',
  details: `No vertex moves by more than the error, at any time of any clip: the result is measured on the skinned mesh, in metres. Unknown extensions and extras stay as they are. Without OUT, and in a folder OUT, the result of hero.glb is hero.optimized.glb. With several files, OUT is a folder.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    {
      name: 'error',
      short: 'e',
      value: 'LENGTH',
      help: 'The largest distance by which a vertex may be elsewhere, such as 0.1mm. Default: a ten-thousandth of the extent of the model.',
    },
    {
      name: 'compression',
      value: 'NAME',
      words: COMPRESSIONS,
      help: 'The encoding: EXT_meshopt_compression (the default), the newer KHR_meshopt_compression, or none, which every player reads.',
    },
    { name: 'check', help: 'Write nothing; exit code 1 if the file could be smaller by more than 5 %.' },
    OUTPUT,
    OUTSIDE,
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol optimize hero.glb --error 0.1mm', 'Writes hero.optimized.glb.'],
    ['gambol optimize models/*.glb small/', 'Writes smaller copies into a folder.'],
    ['gambol optimize models/*.glb --check', 'For pull requests: are the files as small as they can be?'],
  ],
  run: async (call) => {
    const { values, output, signal } = call;
    const [inputs, out] = await inputsAndOutput(call, []);
    const error = values.quantity('error', 'length', { least: 0, above: true });
    const compression = COMPRESSIONS.find((one) => one === values.text('compression'));
    const check = values.flag('check');
    if (check && out !== undefined) throw usage('--check writes nothing, so it takes no OUT.');
    if (!check) await checkDistinct(inputs, out, SUFFIX);
    if (out === STREAM) output.reserveStdout();
    const { optimize: shrink } = await import('gambol/tools');
    const several = inputs.length > 1;
    return each(inputs, call, async (input): Promise<FileAnswer> => {
      const place = check ? undefined : await target(input, out, SUFFIX, { force: values.flag('force'), several });
      if (place?.path === STREAM) output.reserveStdout();
      const { glb, warnings } = await open(input, call);
      reportWarnings(output, input, warnings);
      const { bytes, report } = await shrink(glb, {
        ...(error !== undefined && { error }),
        ...(compression !== undefined && { compression }),
        signal,
        onProgress: (fraction: number) => output.progress(`${input}: optimising`, fraction),
      });
      await checkInterrupted(signal);
      if (place) await write(place, bytes, call);
      print(output, input, place?.path, report);
      const saved = 1 - report.after.total / report.before.total;
      const isLarge = check && saved > SLACK;
      return {
        exit: isLarge ? EXIT.findings : EXIT.ok,
        result: { ...(place && { output: place.path }), ...report, warnings },
      };
    });
  },
};

/** The parts of a file, in the order of the table. */
const PARTS: readonly (readonly [label: string, part: keyof PartSizes, isBytes: boolean])[] = [
  ['file', 'total', true],
  ['  animation', 'animation', true],
  ['  geometry', 'geometry', true],
  ['  images', 'images', true],
  ['  JSON', 'json', true],
  ['  other', 'other', true],
  ['keys', 'keys', false],
  ['channels', 'channels', false],
  ['accessors', 'accessors', false],
  ['nodes', 'nodes', false],
];

function print(output: Output, input: string, path: string | undefined, report: OptimizeReport): void {
  const { before, after, bound, error, difference, unchanged } = report;
  const ratio = before.total / after.total;
  const words = unchanged ? 'as small as it can be' : `${ratio.toFixed(2)} times smaller`;
  output.print(`${input}${path === undefined ? '' : ` → ${path}`}: ${words}`);
  const text = (value: number, isBytes: boolean): string => (isBytes ? bytesText(value) : String(value));
  const change = (part: keyof PartSizes): string =>
    before[part] === 0 ? '' : `${Math.round(100 * (after[part] / before[part] - 1))} %`;
  const rows = PARTS.filter(([, part]) => before[part] > 0 || after[part] > 0).map(([label, part, isBytes]) => [
    label,
    text(before[part], isBytes),
    text(after[part], isBytes),
    change(part),
  ]);
  output.table([['', 'before', 'after', ''], ...rows]);
  const where = difference?.clip === undefined ? 'at rest' : `in “${difference.clip}” at ${timeText(difference.time)}`;
  output.print(
    `largest distance of a vertex: ${lengthText(error)}${error > 0 ? ` ${where}` : ''}; bound ${lengthText(bound)}`,
  );
}
