// `gambol convert`: FBX, BVH and DirectX .x files, archives and .gltf → .glb, .gltf or .usdz, and .glb → .gltf.

import { basename, dirname, join } from 'node:path';
import type { UsdzFile } from 'gambol/tools';
import { each } from '../base/batch.ts';
import { FORCE, MODELS, NAME, OUTPUT, OUTSIDE, UP, type Call, type Command } from '../base/command.ts';
import { unpack } from '../base/container.ts';
import { usage } from '../base/failure.ts';
import { STREAM, ending, stem } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { open } from '../base/model.ts';
import { inputsAndOutput } from '../base/operands.ts';
import { reportWarnings } from '../base/report.ts';
import { checkDistinct, free, target, write, type Target } from '../base/results.ts';
import { bytesText, quantity } from '../base/units.ts';

const FORMATS = ['glb', 'gltf', 'usdz'] as const;
/** Options of results with the ending .usdz. */
const OF_USDZ = ['clip', 'still'] as const;
const FOREIGN: readonly string[] = ['fbx', 'bvh', 'x', 'vrm', 'vrma', 'zip'];

export const convert: Command = {
  name: 'convert',
  summary: 'Convert files to glTF: FBX, BVH, DirectX .x, archives; also .gltf to .glb and back, and to .usdz.',
  usage: 'IN… [OUT] [--to glb|gltf|usdz]',
  details: `The first bytes decide the format of IN. The ending of OUT decides the result: a .glb with everything in it, a .gltf with its buffer in a .bin file beside it, or a .usdz with one clip, for Quick Look. Without OUT, the result is written beside IN. With several files, OUT is a folder.
Images are put into the .glb. An image that is not there stays a reference, with a warning.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    OUTPUT,
    { name: 'to', value: 'FORMAT', words: FORMATS, help: 'The format of the result, if its name does not tell it.' },
    {
      name: 'unit',
      value: 'LENGTH',
      help: 'The length of one unit of the file, such as 1cm. Default: what the format says; of BVH, what fits the height of the figure.',
    },
    UP,
    {
      name: 'clip',
      value: 'NAME',
      help: 'The clip of a .usdz, by its name or its index. Default: the first one that lasts.',
    },
    { name: 'still', help: 'Write the rest pose into a .usdz, without a clip.' },
    { name: 'embed', help: 'Write the buffer into the .gltf, as a data URI.' },
    { name: 'keep-images', help: 'Leave images in files of their own.' },
    OUTSIDE,
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol convert walk.fbx walk.glb', 'Converts one file.'],
    ['gambol convert mocap/*.bvh clips/', 'Converts all files of a folder into another one.'],
    ['gambol convert hero.glb hero.gltf', 'Writes hero.gltf and hero.bin.'],
    ['gambol convert hero.glb hero.usdz --clip Walk', 'Writes a file for Quick Look.'],
    ['gambol convert - - --name walk.bvh < walk.bvh > walk.glb', 'Converts in a pipe.'],
  ],
  run: async (call) => {
    const { values, output, signal } = call;
    const [inputs, out] = await inputsAndOutput(call, FOREIGN);
    const unit = values.text('unit');
    const metresPerUnit =
      unit === undefined ? undefined : quantity(unit, 'length', '--unit', { least: 0, above: true });
    const up = values.text('up') as 'y' | 'z' | undefined;
    const options = { force: values.flag('force'), several: inputs.length > 1 };
    const named = out === undefined ? '' : ending(out);
    const to = values.text('to') ?? FORMATS.find((format) => format === named) ?? 'glb';
    if (values.text('to') === undefined && named !== '' && !FORMATS.some((format) => format === named))
      throw usage(`The ending of ${out} is none of .glb, .gltf and .usdz. Name such a file or a folder, or add --to.`);
    if (FORMATS.some((format) => format === named) && named !== to)
      throw usage(`--to ${to} and the ending of ${out} differ.`);
    if (values.flag('embed') && to !== 'gltf') throw usage('--embed is for results with the ending .gltf.');
    const misplaced = OF_USDZ.find((name) => values.flag(name) && to !== 'usdz');
    if (misplaced) throw usage(`--${misplaced} is for results with the ending .usdz.`);
    if (values.flag('still') && values.text('clip') !== undefined) throw usage('Use either --clip or --still.');
    await checkDistinct(inputs, out, `.${to}`);
    if (out === STREAM) output.reserveStdout();
    return each(inputs, call, async (input) => {
      const place = await target(input, out, `.${to}`, options);
      if (place.path === STREAM) output.reserveStdout();
      output.progress(`Reading ${input}`);
      const keepImages = values.flag('keep-images');
      const { glb, file, warnings } = await open(input, call, { metresPerUnit, up, keepImages });
      await checkInterrupted(signal);
      const usdz = to === 'usdz' ? await converted(glb, file.name, call) : undefined;
      const all = [...warnings, ...(usdz?.warnings ?? [])];
      reportWarnings(output, input, all);
      const files =
        to === 'gltf' ? await writeGltf(glb, place, call) : [await writeOne(usdz?.bytes ?? glb, place, call)];
      const size = files.reduce((sum, { bytes }) => sum + bytes, 0);
      output.print(`${input} → ${files.map(({ path }) => path).join(', ')} (${bytesText(size)})`);
      return { result: { outputs: files, from: file.name, warnings: all } };
    });
  },
};

interface Written {
  readonly path: string;
  readonly bytes: number;
}

/** The bytes of a USDZ, and its warnings. */
async function converted(glb: Uint8Array, name: string, { values, signal }: Call): Promise<UsdzFile> {
  const { exportUsdz } = await import('gambol/tools');
  const animation = values.flag('still') ? null : values.text('clip');
  return exportUsdz(new File([glb as Uint8Array<ArrayBuffer>], name), { animation, signal });
}

async function writeOne(bytes: Uint8Array, place: Target, call: Call): Promise<Written> {
  await write(place, bytes, call);
  return { path: place.path, bytes: bytes.byteLength };
}

async function writeGltf(glb: Uint8Array, place: Target, call: Call): Promise<Written[]> {
  const embed = call.values.flag('embed');
  if (place.path === STREAM && !embed) throw usage('A .gltf on stdout has no file beside it. Add --embed.');
  const name = `${stem(place.path)}.bin`;
  const { text, buffer } = await unpack(glb, embed ? undefined : name);
  const written: Written[] = [];
  if (buffer) {
    const beside = await free(join(dirname(place.path), basename(name)), place.overwrite);
    written.push(await writeOne(buffer.bytes, beside, call));
  }
  const bytes = new TextEncoder().encode(text);
  return [await writeOne(bytes, place, call), ...written];
}
