// `gambol diff`: the largest distance between the vertices of two files.

import type { DifferencePlace } from 'gambol/tools';
import { MODELS, NAME, OUTSIDE, type Command } from '../base/command.ts';
import { EXIT, Failure, failureOf, usage } from '../base/failure.ts';
import { STREAM } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { open } from '../base/model.ts';
import type { Painted } from '../base/output.ts';
import { reportWarnings } from '../base/report.ts';
import { lengthText, timeText } from '../base/units.ts';

export const diff: Command = {
  name: 'diff',
  summary: 'Measure the largest distance between the vertices of two files, over time.',
  usage: 'A B [--tolerance LENGTH]',
  details: `Compares the skinned and morphed vertices at rest and in each clip that both files have, at all keys and at times between. Vertices belong together by their index if both files have the same meshes, and otherwise by their places.
The exit code is 1 if a vertex is farther away than the tolerance, or if only one of the files has a clip.`,
  operands: [2, 2],
  complete: { files: MODELS },
  options: [
    { name: 'tolerance', short: 't', value: 'LENGTH', help: 'The largest distance that is no difference. Default: 0.' },
    { name: 'common', help: 'Ignore clips that only one of the files has.' },
    OUTSIDE,
    NAME,
  ],
  examples: [
    [
      'gambol diff hero.glb hero.optimized.glb --tolerance 0.1mm',
      'Proves that a file is still the same within 0.1 mm.',
    ],
  ],
  run: async (call) => {
    const { operands, values, output, signal } = call;
    const [a = '', b = ''] = operands;
    if (a === STREAM && b === STREAM) throw usage('Stdin can be read only once.');
    const tolerance = values.quantity('tolerance', 'length', { least: 0 }) ?? 0;
    const files: Uint8Array[] = [];
    for (const path of [a, b]) {
      const { glb, warnings } = await open(path, call);
      reportWarnings(output, path, warnings);
      files.push(glb);
    }
    const [first, second] = files;
    if (!first || !second) throw new Failure(EXIT.failed, 'cli/failed', 'A file has no bytes.');
    const { diff: compare } = await import('gambol/tools');
    const difference = await compare(first, second, {
      signal,
      onProgress: (fraction) => output.progress('comparing', fraction),
    }).catch((error: unknown) => {
      throw failureOf(error);
    });
    await checkInterrupted(signal);
    const { rest, clips, unmatched, distance } = difference;
    const row = (label: string, place: DifferencePlace, time: string): string[] => [
      label,
      lengthText(place.distance),
      time,
      place.distance > 0
        ? `node ${place.node}, mesh ${place.mesh}, primitive ${place.primitive}, vertex ${place.vertex}`
        : '',
    ];
    output.table([
      ['clip', 'distance', 'time', 'place in the first file'],
      row('(at rest)', rest, ''),
      ...clips.map((clip) => row(clip.name || `clip ${clip.clip}`, clip, timeText(clip.time))),
    ]);
    for (const clip of unmatched) output.print(`“${clip}” is in one of the files only`);
    const isDifferent = distance > tolerance || (unmatched.length > 0 && !values.flag('common'));
    const verdict: Painted = isDifferent ? { color: 'red', text: 'different' } : { color: 'green', text: 'the same' };
    output.print([`largest distance: ${lengthText(distance)}; tolerance ${lengthText(tolerance)}: `, verdict]);
    return {
      exit: isDifferent ? EXIT.findings : EXIT.ok,
      result: { a, b, tolerance, different: isDifferent, ...difference },
    };
  },
};
