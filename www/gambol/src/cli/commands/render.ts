// `gambol render`: pictures and films, drawn by a browser without a window.

import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { each, type FileAnswer } from '../base/batch.ts';
import { clipOf, type ChosenClip } from '../base/clip.ts';
import { FORCE, MODELS, NAME, OUTPUT, OUTSIDE, type Call, type Command } from '../base/command.ts';
import { usage } from '../base/failure.ts';
import { STREAM, ending, expand, stem } from '../base/files.ts';
import { open } from '../base/model.ts';
import { reportWarnings } from '../base/report.ts';
import { checkDistinct, free, target, write, type Target } from '../base/results.ts';
import { bytesText } from '../base/units.ts';
import { findBrowser } from '../browser/find.ts';
import type { Job } from '../browser/job.ts';
import { Session } from '../browser/session.ts';
import { ENDINGS, FORMATS, shotOf, type Shot } from './shot.ts';

/** The most frames of a film: an hour at 60 a second. */
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
      help: 'The name or the index of a clip, or “none” for the rest pose. Default: the first clip that lasts.',
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
    { name: 'turns', value: 'NUMBER', help: 'As --turntable, with a number of turns; negative for clockwise ones.' },
    {
      name: 'samples',
      value: 'NUMBER',
      words: ['1', '4', '9', '16'],
      help: 'Pictures whose mean is a picture of the film, for smoother edges. Default: 1.',
    },
    {
      name: 'columns',
      value: 'NUMBER',
      help: 'The columns of a sprite sheet. Default: so many that it is nearly square.',
    },
    { name: 'quality', value: 'NUMBER', help: 'The quality of a video, 0 to 1. Default: 0.9.' },
    { name: 'bitrate', value: 'NUMBER', help: 'The bits per second of a video, in place of --quality.' },
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
    OUTSIDE,
    NAME,
    FORCE,
  ],
  examples: [
    ['gambol render hero.glb -o hero.png --clip Walk --time 0.5s', 'A picture.'],
    ['gambol render models/*.glb -o thumbnails/ --width 256 --background white', 'A picture of each model.'],
    ['gambol render hero.glb -o frames/ --format png-sequence --fps 24', 'All frames of the first clip.'],
  ],
  run: async (call) => {
    const { operands, values, output, signal } = call;
    const inputs = await expand(operands);
    const shot = shotOf(values);
    const limit = values.quantity('timeout', 'time', { least: 1 }) ?? 120;
    await checkDistinct(inputs, values.text('output'), `.${ENDINGS[shot.format]}`);
    if (values.text('output') === STREAM) output.reserveStdout();
    const options = { browser: findBrowser(values.text('browser')), limit, signal };
    return Session.use(options, (session) =>
      each(inputs, call, (input) => draw(input, inputs.length > 1, shot, session, call)),
    );
  },
};

interface Written {
  readonly path: string;
  readonly bytes: number;
}

async function draw(input: string, several: boolean, shot: Shot, session: Session, call: Call): Promise<FileAnswer> {
  const { values, output } = call;
  const { format, picture } = shot;
  const force = values.flag('force');
  const place = await target(input, values.text('output'), `.${ENDINGS[format]}`, {
    force,
    several,
    alone: format !== 'png-sequence',
  });
  if (place.path === STREAM) {
    if (format === 'png-sequence')
      throw usage('The pictures of a sequence cannot be written to stdout. Name a folder.');
    output.reserveStdout();
  }
  const { glb, warnings } = await open(input, call);
  reportWarnings(output, input, warnings);
  const clip = await clipOf(glb, values.text('clip'));
  const range = format === 'png' ? undefined : rangeOf(shot, clip);
  const places = range && format === 'png-sequence' ? await sequence(place, range.frames, force) : [place];
  const outputs: Written[] = [];
  const save = async (to: Target | undefined, bytes: Uint8Array): Promise<void> => {
    if (!to) return;
    await write(to, bytes, call);
    outputs.push({ path: to.path, bytes: bytes.byteLength });
  };
  const { sheet } = await session.run({
    job: jobOf(shot, clip, range),
    files: new Map([['model.glb', glb]]),
    progress: (label, fraction) => output.progress(`${input}: ${label}`, fraction),
    warning: (message) => output.warn(`${input}: ${message}`),
    result: async (_, bytes) => {
      if (format !== 'png-sequence') return save(places[0], bytes);
      const frames = Object.entries(unzipSync(bytes)).sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [i, [, frame]] of frames.entries()) await save(places[i], frame);
    },
  });
  const size = outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = outputs[0]?.path ?? '';
  const names = outputs.length > 1 ? `${outputs.length} pictures, ${first} …` : first;
  const { width, height } = picture;
  output.print(
    `${input} → ${names} (${width} × ${height}, ${range ? `${range.frames} frames, ` : ''}${bytesText(size)})`,
  );
  const film = range && { from: range.from, to: range.to, fps: shot.fps, frames: range.frames };
  return {
    result: {
      outputs,
      format,
      width,
      height,
      clip: clip?.name ?? null,
      ...(film ?? { time: shot.time }),
      ...(sheet !== undefined && { sheet }),
      warnings,
    },
  };
}

function jobOf(
  { format, picture, time, fps, film }: Shot,
  clip: ChosenClip | null,
  range: FrameRange | undefined,
): Job {
  const job = { model: 'model.glb', clip: clip?.index ?? null, name: `result.${ENDINGS[format]}`, ...picture };
  if (!range || format === 'png') return { ...job, time };
  const { from, to } = range;
  return { ...job, film: { ...film, format: format === 'sheet' ? 'sprite-sheet' : format, from, to, fps } };
}

interface FrameRange {
  readonly from: number;
  readonly to: number;
  readonly frames: number;
}

/** The times of a film. */
function rangeOf({ from, to, fps }: Shot, clip: ChosenClip | null): FrameRange {
  const end = to ?? clip?.duration ?? 0;
  if (to === undefined && end <= from)
    throw usage(`The film has no frames: the clip is ${end} s long, and the film begins at ${from} s. Set --to.`);
  // A millionth of a frame, because durations are rounded to single precision.
  const frames = Math.max(1, Math.ceil((end - from) * fps - 1e-6));
  if (frames > MAX_FRAMES) throw usage(`The film has ${frames} frames, more than ${MAX_FRAMES}. Set --to or --fps.`);
  return { from, to: end, frames };
}

/** The files of a sequence: `OUT-0000.png` and so on. */
async function sequence(place: Target, count: number, force: boolean): Promise<Target[]> {
  const digits = Math.max(4, String(count - 1).length);
  const base = ending(place.path) === 'png' ? join(dirname(place.path), stem(place.path)) : place.path;
  return Promise.all(
    Array.from({ length: count }, (_, i) => free(`${base}-${String(i).padStart(digits, '0')}.png`, force)),
  );
}
