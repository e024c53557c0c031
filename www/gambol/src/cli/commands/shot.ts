// The pictures that `gambol render` draws of each file, by its options.

import { usage } from '../base/failure.ts';
import { ending } from '../base/files.ts';
import { quantity } from '../base/units.ts';
import type { Values } from '../base/values.ts';
import type { Job, JobCamera, JobFilm } from '../browser/job.ts';

/** The formats, with the ending of each. */
export const ENDINGS = {
  png: 'png',
  'png-sequence': 'png',
  sheet: 'png',
  apng: 'apng',
  gif: 'gif',
  webm: 'webm',
  mp4: 'mp4',
} as const;
export type Format = keyof typeof ENDINGS;
export const FORMATS = Object.keys(ENDINGS) as readonly Format[];
/** The largest width and height of a picture that browsers draw. */
const MAX_SIZE = 8192;

/** The picture or film of each file. */
export interface Shot {
  readonly format: Format;
  readonly time: number;
  readonly from: number;
  readonly to: number | undefined;
  readonly fps: number;
  readonly film: Pick<JobFilm, 'turntable' | 'samples' | 'columns' | 'quality' | 'bitrate'>;
  readonly picture: Pick<Job, 'width' | 'height' | 'background' | 'camera'>;
}

/** @throws `Failure` for wrong options */
export function shotOf(values: Values): Shot {
  const format = formatOf(values);
  const isFilm = format !== 'png';
  for (const name of ['from', 'to', 'fps', 'turntable', 'turns', 'quality', 'bitrate', 'samples'])
    if (!isFilm && values.flag(name)) throw usage(`--${name} is for films; the format is png.`);
  if (isFilm && values.flag('time')) throw usage(`--time is for pictures; the format is ${format}.`);
  if (values.flag('columns') && format !== 'sheet') throw usage('--columns is for the format sheet.');
  const size = { least: 1, most: MAX_SIZE, whole: true };
  const [width, height] = [values.quantity('width', 'count', size), values.quantity('height', 'count', size)];
  const [from, to] = [values.quantity('from', 'time') ?? 0, values.quantity('to', 'time')];
  if (to !== undefined && to <= from) throw usage('--to must be after --from.');
  return {
    format,
    time: values.quantity('time', 'time') ?? 0,
    from,
    to,
    fps: values.quantity('fps', 'rate', { least: 0, above: true, most: 240 }) ?? 30,
    film: {
      turntable: values.quantity('turns', 'count') ?? (values.flag('turntable') ? 1 : 0),
      samples: SAMPLES.find((samples) => String(samples) === values.text('samples')) ?? 1,
      ...optional('columns', values.quantity('columns', 'count', { least: 1, whole: true })),
      ...optional('quality', values.quantity('quality', 'factor', { least: 0, most: 1 })),
      ...optional('bitrate', values.quantity('bitrate', 'count', { least: 1 })),
    },
    picture: {
      width: width ?? height ?? 512,
      height: height ?? width ?? 512,
      background: values.text('background') ?? null,
      camera: cameraOf(values),
    },
  };
}

const SAMPLES = [1, 4, 9, 16] as const;

/** A property that is left out without a value. */
const optional = <K extends string>(name: K, value: number | undefined): { [key in K]?: number } =>
  value === undefined ? {} : ({ [name]: value } as { [key in K]?: number });

function formatOf(values: Values): Shot['format'] {
  const given = FORMATS.find((format) => format === values.text('format'));
  if (given) return given;
  const out = values.text('output') ?? '';
  const named = ending(out);
  if (named === '' || named === 'png') return 'png';
  const found = FORMATS.find((format) => ENDINGS[format] === named);
  if (found) return found;
  throw usage(`The ending of ${out} is no format of a picture or a film. Use .png, .apng, .gif, .webm or .mp4.`);
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
