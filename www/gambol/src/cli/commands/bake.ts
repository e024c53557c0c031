// `gambol bake`: the frames of clips, computed ahead.

import type { BakeReport } from 'gambol/tools';
import { each, type FileAnswer } from '../base/batch.ts';
import { FORCE, MODELS, NAME, OUTPUT, OUTSIDE, type Command } from '../base/command.ts';
import { usage } from '../base/failure.ts';
import { STREAM, ending } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { open } from '../base/model.ts';
import { inputsAndOutput } from '../base/operands.ts';
import { reportWarnings } from '../base/report.ts';
import { checkDistinct, target, write } from '../base/results.ts';
import { bytesText, lengthText } from '../base/units.ts';

const FORMS = ['morphs', 'palette', 'vertices'] as const;

export const bake: Command = {
  name: 'bake',
  summary: 'Compute each frame of clips ahead: morph targets, matrices or vertices.',
  usage: 'IN… [OUT] [--as FORM] [--clip NAME] [--fps RATE]',
  details: `The form “morphs” is a .glb with a morph target for each frame, which any player of glTF shows without joints. The forms “palette” (matrices of joints) and “vertices” (positions and normals) are binary, with a header in JSON; readBaked() of gambol/tools reads them. Without OUT, and in a folder OUT, the result of hero.glb is hero.baked.glb or hero.baked.bin.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    { name: 'as', value: 'FORM', words: FORMS, help: 'The form. Default: morphs, or vertices if OUT ends in .bin.' },
    { name: 'clip', value: 'NAME', multiple: true, help: 'A clip, by its name or its index. Default: all.' },
    { name: 'fps', value: 'RATE', help: 'Frames a second; the end of a clip is a frame, too. Default: 30fps.' },
    { name: 'step', help: 'Show each frame until the next one, instead of moving between them. For morphs.' },
    OUTPUT,
    OUTSIDE,
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol bake hero.glb --clip Walk --fps 24', 'Writes hero.baked.glb.'],
    ['gambol bake hero.glb hero.bin --as palette', 'Matrices for an engine of your own.'],
  ],
  run: async (call) => {
    const { values, output, signal } = call;
    const [inputs, out] = await inputsAndOutput(call, []);
    const named = out === undefined ? '' : ending(out);
    const form = FORMS.find((one) => one === values.text('as')) ?? (named === 'bin' ? 'vertices' : 'morphs');
    const suffix = form === 'morphs' ? 'glb' : 'bin';
    if (['glb', 'bin', 'gltf'].includes(named) && named !== suffix)
      throw usage(`The form ${form} is a .${suffix}, not a .${named}.`);
    if (values.flag('step') && form !== 'morphs') throw usage('--step is for the form morphs.');
    const fps = values.quantity('fps', 'rate', { least: 0, above: true, most: 1000 }) ?? 30;
    await checkDistinct(inputs, out, `.baked.${suffix}`);
    if (out === STREAM) output.reserveStdout();
    const { bake: compute } = await import('gambol/tools');
    const options = { force: values.flag('force'), several: inputs.length > 1 };
    return each(inputs, call, async (input): Promise<FileAnswer> => {
      const place = await target(input, out, `.baked.${suffix}`, options);
      if (place.path === STREAM) output.reserveStdout();
      const { glb, warnings } = await open(input, call);
      reportWarnings(output, input, warnings);
      output.progress(`${input}: baking`);
      const clips = values.texts('clip');
      const { bytes, report } = await compute(glb, {
        as: form,
        fps,
        signal,
        interpolation: values.flag('step') ? 'step' : 'linear',
        ...(clips.length > 0 && { clips }),
      });
      await checkInterrupted(signal);
      await write(place, bytes, call);
      output.print(`${input} → ${place.path} (${bytesText(bytes.byteLength)}${report ? `; ${words(report)}` : ''})`);
      return { result: { output: place.path, bytes: bytes.byteLength, as: form, fps, ...report, warnings } };
    });
  },
};

function words({ frames, targets, vertices, error }: BakeReport): string {
  const between = error === undefined ? '' : `; at most ${lengthText(error)} off between frames`;
  return `${frames} frames, ${targets} targets of ${vertices} vertices${between}`;
}
