// `gambol retarget`: clips of other characters in the file of a model.

import type { HumanBone } from 'gambol';
import { FORCE, MODELS, NAME, OUTPUT, OUTSIDE, UP, type Call, type Command } from '../base/command.ts';
import { EXIT, usage } from '../base/failure.ts';
import { STREAM, expand, stem } from '../base/files.ts';
import { checkInterrupted } from '../base/interrupt.ts';
import { open } from '../base/model.ts';
import { reportWarnings } from '../base/report.ts';
import { target, write } from '../base/results.ts';
import { bytesText } from '../base/units.ts';

export const retarget: Command = {
  name: 'retarget',
  summary: "Put clips of other characters into a model's file.",
  usage: 'CLIPS… --onto MODEL [-o OUT]',
  details: `CLIPS are files of any format with clips. Joints are paired by their names if the skeletons are equal, and otherwise as human bones. The other parts of MODEL stay as they are. Without OUT, the result of hero.glb is hero.retargeted.glb.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    { name: 'onto', value: 'MODEL', file: true, help: 'The model that gets the clips.' },
    OUTPUT,
    { name: 'clip', value: 'NAME', multiple: true, help: 'A clip of CLIPS, by its name or its index. Default: all.' },
    { name: 'replace', help: 'Remove the clips that the model has.' },
    { name: 'names', help: 'Pair joints by their names only.' },
    {
      name: 'keep-hips',
      help: 'Keep the way of the hips in metres; else it is multiplied by the ratio of the leg lengths.',
    },
    { name: 'foot-lock', help: 'Keep the ankles in place while those of the source are.' },
    {
      name: 'rotations',
      value: 'WORD',
      help: '“directions”: bones have the directions of CLIPS; “relative”: they turn from the rest pose as those of CLIPS. Default: relative for .vrma on VRM, otherwise directions.',
    },
    {
      name: 'bone',
      value: 'BONE=JOINT',
      multiple: true,
      help: 'A human bone of the model, such as leftUpperArm=Arm_L; “leftUpperArm=” for none.',
    },
    { name: 'source-bone', value: 'BONE=JOINT', multiple: true, help: 'A human bone of CLIPS.' },
    UP,
    OUTSIDE,
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol retarget walk.fbx run.bvh --onto hero.glb -o moves.glb', 'Adds two clips.'],
    ['gambol retarget mocap.glb --onto hero.glb --clip Walk --foot-lock', 'Adds one clip, whose feet do not slide.'],
  ],
  run: async (call) => {
    const { operands, values, output, signal } = call;
    const onto = values.text('onto');
    if (onto === undefined) throw usage('--onto MODEL is missing: the model that gets the clips.');
    const inputs = await expand(operands);
    if (onto === STREAM && inputs.includes(STREAM)) throw usage('Stdin can be read only once.');
    const how = pairing(call);
    const options = { force: values.flag('force'), several: false };
    const place = await target(onto, values.text('output'), '.retargeted.glb', options);
    if (place.path === STREAM) output.reserveStdout();
    const name = values.text('name');
    const up = values.text('up') as 'y' | 'z' | undefined;
    const model = await open(onto, call, { up });
    reportWarnings(output, onto, model.warnings);
    const clips: File[] = [];
    for (const input of inputs) {
      const { glb, warnings } = await open(input, call, { up });
      reportWarnings(output, input, warnings);
      // The name is that of clips without one.
      clips.push(
        new File([glb as Uint8Array<ArrayBuffer>], `${stem(input === STREAM ? (name ?? 'clip') : input)}.glb`),
      );
    }
    const { retarget: convert } = await import('gambol/tools');
    const { bytes, files } = await convert(
      model.glb,
      clips.map((file) => [file]),
      {
        clips: values.texts('clip'),
        keep: !values.flag('replace'),
        retarget: how,
        signal,
        onProgress: (fraction) => output.progress('retargeting', fraction),
      },
    );
    await checkInterrupted(signal);
    await write(place, bytes, call);
    output.print(`${onto} → ${place.path} (${bytesText(bytes.byteLength)})`);
    for (const [i, report] of files.entries()) {
      const { conventions, mapped, named, scale, warnings } = report;
      const pairs = conventions
        ? `${mapped.length} human bones (${conventions.join(' → ')}), scale ${scale.toFixed(3)}`
        : 'joints of the same names';
      output.print(
        `  ${inputs[i]}: ${report.clips.map((clip) => `“${clip}”`).join(', ')}; ${pairs}${named > 0 ? `, ${named} joints by name` : ''}`,
      );
      for (const warning of warnings) output.warn(`${inputs[i]}: ${warning}.`);
    }
    const reports = files.map((report, i) => ({ file: inputs[i], ...report }));
    return { exit: EXIT.ok, result: { onto, output: place.path, bytes: bytes.byteLength, files: reports } };
  },
};

type Bones = Partial<Record<HumanBone, string | null>>;

/** The option `retarget` of the package. */
function pairing({ values }: Call) {
  if (values.flag('names')) {
    const other = ['keep-hips', 'foot-lock', 'rotations', 'bone', 'source-bone'].find((name) => values.flag(name));
    if (other !== undefined) throw usage(`--names excludes --${other}.`);
    return 'names' as const;
  }
  const given = values.text('rotations');
  const rotations = (['directions', 'relative'] as const).find((word) => word === given);
  if (given !== undefined && !rotations) throw usage(`--rotations must be directions or relative, not “${given}”.`);
  return {
    ...(rotations && { rotations }),
    source: bones(values.texts('source-bone'), '--source-bone'),
    target: bones(values.texts('bone'), '--bone'),
    hips: values.flag('keep-hips') ? ('kept' as const) : ('scaled' as const),
    footLock: values.flag('foot-lock'),
  };
}

function bones(pairs: readonly string[], option: string): Bones {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, bone, joint] = /^([A-Za-z]+)=(.*)$/.exec(pair) ?? [];
      if (bone === undefined || joint === undefined)
        throw usage(`${option} must be BONE=JOINT, such as leftUpperArm=Arm_L, not “${pair}”.`);
      return [bone, joint === '' ? null : joint];
    }),
  );
}
