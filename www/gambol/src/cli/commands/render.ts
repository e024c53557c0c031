// `gambol render`: pictures and films, drawn by a browser without a window.

import { dirname, join } from 'node:path';
import { each } from '../base/batch.ts';
import { FORCE, MODELS, NAME, OUTPUT, type Call, type Command } from '../base/command.ts';
import { EXIT, Failure, usage } from '../base/failure.ts';
import { STREAM, ending, expand, free, stem, target, write, type Target } from '../base/files.ts';
import { open } from '../base/model.ts';
import { reportWarnings } from '../base/report.ts';
import { bytesText, quantity } from '../base/units.ts';
import type { Values } from '../base/values.ts';
import { findBrowser } from '../browser/find.ts';
import type { Job, JobCamera } from '../browser/job.ts';
import { Session } from '../browser/session.ts';
import { clipOf, type ChosenClip } from '../base/clip.ts';

const FORMATS = ['png', 'png-sequence'] as const;
/** The largest width and height of a picture that browsers draw. */
const MAX_SIZE = 8192;
/** The most pictures of a sequence: an hour at 60 a second. */
const MAX_FRAMES = 216_000;

export const render: Command = {
  name: 'render',
  summary: 'Draw a picture or a film of a model, without a window and without a GPU.',
  usage: 'FILE… [-o OUT] [--clip NAME] [--time TIME]',
  details: `A browser of this machine draws: Chromium, Chrome, Edge or Firefox. Without one, the command says how to get it (exit code 4). The picture is a still of gambol: the same file, clip, time and size give the same pixels on the same machine.
Without --camera, the camera frames the model from the front. Frame i of a film is the pose at i / fps, from --from up to but without --to, so that loops close.`,
  operands: [1, Infinity],
  complete: { files: MODELS },
  options: [
    OUTPUT,
    {
      name: 'format',
      value: 'FORMAT',
      words: FORMATS,
      help: 'The format of the result. Default: by the ending of OUT, or png.',
    },
    {
      name: 'clip',
      value: 'NAME',
      help: 'The name or the index of a clip, or “none” for the rest pose. Default: the first clip.',
    },
    { name: 'time', value: 'TIME', help: 'The time of a picture, in the clip. Default: 0s.' },
    { name: 'from', value: 'TIME', help: 'The beginning of a film. Default: 0s.' },
    { name: 'to', value: 'TIME', help: 'The end of a film. Default: the end of the clip.' },
    { name: 'fps', value: 'RATE', help: 'Frames a second of a film. Default: 30fps.' },
    { name: 'width', value: 'PIXELS', help: 'The width. Default: 512, or the height.' },
    { name: 'height', value: 'PIXELS', help: 'The height. Default: 512, or the width.' },
    { name: 'background', value: 'COLOR', help: 'A CSS colour. Default: transparent.' },
    {
      name: 'camera',
      value: 'ANGLES',
      help: 'The direction of the camera: “AZIMUTH POLAR” or “AZIMUTH POLAR DISTANCE”, such as “30deg 75deg 2m”. The azimuth is 0 at the front, the polar angle is 90deg at the height of the target.',
    },
    {
      name: 'target',
      value: 'POINT',
      help: 'The point that the camera looks at: “X Y Z”, lengths in the space of the model.',
    },
    { name: 'fov', value: 'ANGLE', help: 'The vertical field of view.' },
    { name: 'file-camera', value: 'NAME', help: 'A camera of the file, by its name or its index.' },
    { name: 'turntable', help: 'Turn the camera once around the model, over the film.' },
    {
      name: 'browser',
      value: 'PATH',
      file: true,
      help: 'The browser. Default: the environment variable GAMBOL_BROWSER, or the first that is found.',
    },
    {
      name: 'timeout',
      value: 'TIME',
      help: 'The time without any answer of the browser after which the command fails. Default: 120s.',
    },
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol render hero.glb -o hero.png --clip Walk --time 0.5s', 'A picture.'],
    ['gambol render models/*.glb -o thumbnails/ --width 256 --background white', 'A picture of each model.'],
    ['gambol render hero.glb -o frames/ --format png-sequence --fps 24', 'All frames of the first clip.'],
  ],
  run: async (call) => {
    const { operands, values, output } = call;
    const inputs = await expand(operands);
    const shot = shotOf(values);
    const limit = values.quantity('timeout', 'time', { least: 1 }) ?? 120;
    if (values.text('output') === STREAM) output.reserveStdout();
    const options = { browser: findBrowser(values.text('browser')), limit };
    return Session.use(options, (session) =>
      each(inputs, output, (input) => draw(input, inputs.length > 1, shot, session, call)),
    );
  },
};

/** What is drawn of each file. */
interface Shot {
  readonly format: (typeof FORMATS)[number];
  readonly time: number;
  readonly from: number;
  readonly to: number | undefined;
  readonly fps: number;
  readonly turntable: boolean;
  readonly picture: Pick<Job, 'width' | 'height' | 'background' | 'camera'>;
}

function shotOf(values: Values): Shot {
  const format = formatOf(values);
  const isFilm = format !== 'png';
  for (const name of ['from', 'to', 'fps', 'turntable'])
    if (!isFilm && values.flag(name)) throw usage(`--${name} is for films; the format is png.`);
  if (isFilm && values.flag('time')) throw usage(`--time is for pictures; the format is ${format}.`);
  const size = { least: 1, most: MAX_SIZE, whole: true };
  const [width, height] = [values.quantity('width', 'count', size), values.quantity('height', 'count', size)];
  const [from, to] = [values.quantity('from', 'time') ?? 0, values.quantity('to', 'time')];
  if (to !== undefined && to <= from) throw usage('--to must be after --from.');
  return {
    format,
    time: values.quantity('time', 'time') ?? 0,
    from,
    to,
    fps: values.quantity('fps', 'rate', { least: 0, above: true, most: 1000 }) ?? 30,
    turntable: values.flag('turntable'),
    picture: {
      width: width ?? height ?? 512,
      height: height ?? width ?? 512,
      background: values.text('background') ?? null,
      camera: cameraOf(values),
    },
  };
}

function formatOf(values: Values): Shot['format'] {
  const given = FORMATS.find((format) => format === values.text('format'));
  if (given) return given;
  const out = values.text('output') ?? '';
  const named = ending(out);
  if (named === '' || named === 'png') return 'png';
  throw usage(`The ending of ${out} is no format of a picture. Use ${FORMATS.join(', ')}.`);
}

function cameraOf(values: Values): JobCamera {
  const radians = (text: string, name: string): number => (quantity(text, 'angle', name) * Math.PI) / 180;
  const camera: { -readonly [K in keyof JobCamera]: JobCamera[K] } = {};
  const angles = values
    .text('camera')
    ?.trim()
    .split(/[\s,]+/);
  if (angles) {
    const [azimuth, polar, distance] = angles;
    if (azimuth === undefined || polar === undefined || angles.length > 3)
      throw usage('--camera must be “AZIMUTH POLAR” or “AZIMUTH POLAR DISTANCE”, such as “30deg 75deg 2m”.');
    camera.azimuth = radians(azimuth, '--camera');
    camera.polar = radians(polar, '--camera');
    if (distance !== undefined) camera.distance = quantity(distance, 'length', '--camera', { least: 0, above: true });
  }
  const point = values
    .text('target')
    ?.trim()
    .split(/[\s,]+/);
  if (point) {
    const [x, y, z, ...rest] = point.map((one) => quantity(one, 'length', '--target'));
    if (x === undefined || y === undefined || z === undefined || rest.length > 0)
      throw usage('--target must be three lengths “X Y Z”, such as “0 1.2m 0”.');
    camera.target = [x, y, z];
  }
  const fov = values.quantity('fov', 'angle', { least: 1, most: 170 });
  if (fov !== undefined) camera.fovY = (fov * Math.PI) / 180;
  const own = values.text('file-camera');
  if (own !== undefined) {
    if (Object.keys(camera).length > 0) throw usage('--file-camera excludes --camera, --target and --fov.');
    camera.own = /^\d+$/.test(own) ? Number(own) : own;
  }
  return camera;
}

/** The times of a film's frames. */
function timesOf({ from, to, fps }: Shot, clip: ChosenClip | null): number[] {
  const end = to ?? clip?.duration ?? 0;
  if (to === undefined && end <= from)
    throw usage(`The film has no frames: the clip is ${end} s long, and begins at ${from} s. Set --to.`);
  // Half a nanosecond of a frame, because durations are rounded to single precision.
  const count = Math.max(1, Math.ceil((end - from) * fps - 1e-6));
  if (count > MAX_FRAMES) throw usage(`The film has ${count} frames, more than ${MAX_FRAMES}. Set --to or --fps.`);
  return Array.from({ length: count }, (_, i) => from + i / fps);
}

async function draw(input: string, several: boolean, shot: Shot, session: Session, call: Call) {
  const { values, output } = call;
  const { format, picture, turntable } = shot;
  const force = values.flag('force');
  const signal = new AbortController().signal;
  // A picture beside the model would be taken for a texture, so it has a name of its own only here.
  const place = await target(input, values.text('output'), '.png', { force, several });
  if (place.path === STREAM) {
    if (format !== 'png') throw usage(`The format ${format} cannot be written to stdout.`);
    output.reserveStdout();
  }
  const { glb, warnings } = await open(input, { signal, name: values.text('name') });
  reportWarnings(output, input, warnings);
  const clip = await clipOf(glb, values.text('clip'));
  const times = format === 'png' ? [shot.time] : timesOf(shot, clip);
  const places = await placesOf(format, place, times.length, force);
  const stills = times.map((time, i) => ({ time, name: `${i}.png` }));
  const outputs: { path: string; bytes: number; time: number }[] = [];
  const job: Job = { model: 'model.glb', clip: clip?.index ?? null, stills, turntable, ...picture };
  await session.run({
    job,
    files: new Map([['model.glb', glb]]),
    progress: (label, fraction) => output.progress(`${input}: ${label}`, fraction),
    warning: (message) => output.warn(`${input}: ${message}`),
    result: async (name, bytes) => {
      const index = Number.parseInt(name, 10);
      const to = places[index];
      if (!to)
        throw new Failure(EXIT.failed, 'cli/failed', `The page has sent a picture that was not asked for: ${name}.`);
      await write(to, bytes, output);
      outputs.push({ path: to.path, bytes: bytes.byteLength, time: times[index] ?? 0 });
    },
  });
  const size = outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = outputs[0]?.path ?? '';
  const names = outputs.length > 1 ? `${outputs.length} pictures, ${first} …` : first;
  output.print(`${input} → ${names} (${picture.width} × ${picture.height}, ${bytesText(size)})`);
  const { width, height } = picture;
  return { result: { outputs, width, height, format, clip: clip?.name ?? null, warnings } };
}

/** The files of the pictures: \`OUT\`, or \`OUT-0001.png\` and so on for a sequence. */
async function placesOf(format: Shot['format'], place: Target, count: number, force: boolean): Promise<Target[]> {
  if (format === 'png') return [place];
  const digits = Math.max(4, String(count - 1).length);
  const name = (i: number): string =>
    join(dirname(place.path), `${stem(place.path)}-${String(i).padStart(digits, '0')}.png`);
  return Promise.all(Array.from({ length: count }, (_, i) => free(name(i), force)));
}
