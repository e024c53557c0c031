// The options of recordings, and the frames that follow from them.

import type { Viewer } from '../api/viewer.ts';
import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { findClip, type ClipRef } from '../values/clips.ts';
import { checkedRgba, type Rgba } from '../values/color.ts';
import { choices } from '../base/suggestions.ts';
import {
  checkedFlag,
  checkedFunction,
  checkedNumber,
  checkedOptions,
  checkedSeconds,
  checkedTransfer,
  checkedWord,
} from '../values/options.ts';
import { checkedSession } from './checked-session.ts';
import type { Session } from './session-data.ts';

/** The formats of {@link record}, those that every browser can write last. @internal */
export const FORMATS: readonly RecordFormat[] = ['webm', 'mp4', 'gif', 'apng', 'png-sequence', 'sprite-sheet'];

/** The formats of videos, which need an encoder of the browser. */
export const VIDEOS = ['webm', 'mp4'] as const;

/** @internal */
export const isVideo = (format: RecordFormat): format is (typeof VIDEOS)[number] =>
  VIDEOS.some((video) => video === format);

/**
 * The format of a recording:
 *
 * | format | colours | transparent | file |
 * |---|---|---|---|
 * | `webm` | lossy | with VP9 and VP8 | `.webm`: VP9, VP8 or AV1 |
 * | `mp4` | lossy | no | `.mp4`: AVC or AV1 |
 * | `gif` | 256 colours a frame | pixels that are at least half transparent | `.gif` |
 * | `apng` | lossless | yes | `.png` with all frames |
 * | `png-sequence` | lossless | yes | `.zip` of `frame-0000.png`, `frame-0001.png` … |
 * | `sprite-sheet` | lossless | yes | `.png` with all frames in a grid; see {@link sheetLayout} |
 * @category Recordings
 */
export type RecordFormat = 'webm' | 'mp4' | 'gif' | 'apng' | 'png-sequence' | 'sprite-sheet';

/** A video codec of `webm` and `mp4`. @category Recordings */
export type RecordCodec = 'vp9' | 'vp8' | 'av1' | 'avc';

const CODECS: Readonly<Record<'webm' | 'mp4', readonly RecordCodec[]>> = {
  webm: ['vp9', 'vp8', 'av1'],
  mp4: ['avc', 'av1'],
};

/** The progress of a recording. @category Recordings */
export interface RecordProgress {
  /** The number of frames that are encoded, `1..=frames`. */
  readonly frame: number;
  /** The number of all frames. */
  readonly frames: number;
}

/** The error of a format that the browser cannot write. @category Recordings */
export interface RecordUnsupported extends GambolError {
  readonly code: 'record/unsupported';
  /** The formats that the browser can write. */
  readonly formats: readonly RecordFormat[];
}

/** Options of {@link record}. @category Recordings */
export interface RecordOptions {
  /**
   * The clip of the viewer's own model. Default: the current clip. `null` records what plays, from the present moment on: layers,
   * transitions and state machines, too.
   */
  readonly clip?: ClipRef | null;
  /** The time of the first frame in seconds of the clip, of the session, or after the present moment. Default: the start. */
  readonly from?: number;
  /** The end in seconds, at least `from`. Default: the end of the clip or the session. With `clip: null` it is required. */
  readonly to?: number;
  /** A session of {@link recordSession} in place of a clip. */
  readonly session?: Session;
  /** Frames per second, above 0 and at most 240; of a GIF at most 50, because browsers slow down faster ones. Default: 30. */
  readonly fps?: number;
  /** The width in pixels. Default: from `height` by the aspect ratio of the canvas, else the width of the canvas. */
  readonly width?: number;
  /** The height in pixels. Default: from `width` by the aspect ratio of the canvas, else the height of the canvas. */
  readonly height?: number;
  /** The format. Default: `webm`. */
  readonly format?: RecordFormat;
  /** The background: a CSS colour or four numbers, null for transparent. Default: that of the viewer. */
  readonly background?: Rgba | string | null;
  /** The number of pictures, in a grid, of whose pixels each pixel is the mean: 1, 4, 9 or 16. Default: 1. */
  readonly samples?: 1 | 4 | 9 | 16;
  /** The turns of the camera around the model in the whole recording, clockwise if negative; `true` for 1. Default: 0. */
  readonly turntable?: number | boolean;
  /** The camera of the model's file, by name or index; null for the viewer's own. Default: the active camera. */
  readonly cameraName?: string | number | null;
  /**
   * `true` to leave out the frame at `to`, which is the first one of the next pass, and to mark the file as endless. Default: `true`
   * for clips.
   */
  readonly loop?: boolean;
  /**
   * The time in seconds that a loop plays before its first frame, unseen, so that springs and feet swing at its start as at its end.
   * Default: 0.
   */
  readonly warmup?: number;
  /** Sound for `webm` (Opus) and `mp4` (AAC or Opus), from the first frame on. */
  readonly audio?: AudioBuffer;
  /** The codec of a video. Default: the first of the format that the browser can encode. */
  readonly codec?: RecordCodec;
  /**
   * The chroma of a video. `4:2:0` has one colour for four pixels, which all players read. `4:4:4` keeps the colour of each pixel, which
   * Safari and hardware decoders may not read. Default: `4:2:0`.
   */
  readonly chroma?: '4:2:0' | '4:4:4';
  /** The quality of a video, `0..=1`. Default: 0.9. */
  readonly quality?: number;
  /** The bits per second of a video, in place of `quality`. */
  readonly bitrate?: number;
  /** The number of columns of a sprite sheet. Default: the number for which the sheet is nearly square. */
  readonly columns?: number;
  /** Aborts the recording. */
  readonly signal?: AbortSignal;
  /** Called after each frame. */
  readonly onProgress?: (progress: RecordProgress) => void;
}

const KNOWN = [
  'clip',
  'from',
  'to',
  'session',
  'fps',
  'width',
  'height',
  'format',
  'background',
  'samples',
  'turntable',
  'cameraName',
  'loop',
  'warmup',
  'audio',
  'codec',
  'chroma',
  'quality',
  'bitrate',
  'columns',
  'signal',
  'onProgress',
] as const satisfies readonly (keyof RecordOptions)[];

/** The most frames of a recording: an hour at 30 frames per second. */
const MOST_FRAMES = 108_000;

/** The difference of a count of frames from a whole number that is due to rounding. */
const ROUNDING = 1e-6;

/** The frames of a recording. */
export interface Plan {
  readonly format: RecordFormat;
  /** The index of the clip; undefined without a clip. */
  readonly clip: number | undefined;
  readonly session: Session | undefined;
  /** The time of the first frame in seconds. */
  readonly from: number;
  /** The duration of the recording in seconds. */
  readonly duration: number;
  readonly fps: number;
  /** The number of frames. */
  readonly count: number;
  readonly loop: boolean;
  readonly warmup: number;
  readonly width: number;
  readonly height: number;
  readonly background: Rgba | null;
  /** The width and height of the grid of samples. */
  readonly grid: number;
  readonly turns: number;
  /** The camera of the file; null for the viewer's own, undefined for the active one. */
  readonly camera: number | null | undefined;
  readonly audio: AudioBuffer | undefined;
  readonly codecs: readonly RecordCodec[];
  readonly chroma: '4:2:0' | '4:4:4';
  readonly quality: number;
  readonly bitrate: number | undefined;
  readonly columns: number;
}

function invalid(words: string): GambolError {
  return new GambolError('argument/invalid', words);
}

/** The time after the first frame at which frame `i` begins, in seconds. */
export function timeOf({ fps }: Plan, i: number): number {
  return i / fps;
}

/** The duration of frame `i` in seconds; the last one of a loop ends with the recording. */
export function durationOf(plan: Plan, i: number): number {
  if (plan.loop && i === plan.count - 1) return Math.max(plan.duration, ROUNDING) - timeOf(plan, i);
  return 1 / plan.fps;
}

/** Checks options and computes the frames. @throws {@link GambolError} `argument/invalid`, `clip/not-found` */
export function planOf(viewer: Viewer, options: RecordOptions): Plan {
  checkedOptions(options, KNOWN, 'record()');
  const {
    format = 'webm',
    fps = 30,
    samples = 1,
    turntable = 0,
    warmup = 0,
    quality = 0.9,
    chroma = '4:2:0',
  } = options;
  const { signal, audio, bitrate, session } = options;
  checkedTransfer({ signal }, 'record()');
  checkedFunction(options.onProgress, 'onProgress');
  checkedWord(format, FORMATS, 'format');
  checkedFlag(options.loop, 'loop');
  const most = format === 'gif' ? 50 : 240;
  if (!(checkedNumber(fps, 'fps') > 0 && fps <= most))
    throw invalid(`fps must be above 0 and at most ${most} for ${format}, not ${shown(fps)}.`);
  if (![1, 4, 9, 16].includes(samples)) throw invalid(`samples must be 1, 4, 9 or 16, not ${shown(samples)}.`);
  checkedWord(chroma, ['4:2:0', '4:4:4'], 'chroma');
  if (!(checkedNumber(quality, 'quality') >= 0 && quality <= 1))
    throw invalid(`quality must be from 0 to 1, not ${shown(quality)}.`);
  if (bitrate !== undefined && !(checkedNumber(bitrate, 'bitrate') > 0))
    throw invalid(`bitrate must be above 0, not ${shown(bitrate)}.`);
  checkedSeconds(warmup, 'warmup');
  if (audio !== undefined && !(isVideo(format) && typeof AudioBuffer === 'function' && audio instanceof AudioBuffer))
    throw invalid(
      isVideo(format)
        ? `audio must be an AudioBuffer, not ${shown(audio)}.`
        : `audio needs the format webm or mp4, not ${format}.`,
    );
  const codecs = isVideo(format) ? CODECS[format] : [];
  if (options.codec !== undefined) {
    if (!isVideo(format)) throw invalid(`codec needs the format webm or mp4, not ${format}.`);
    checkedWord(options.codec, codecs, 'codec');
  }
  if (session !== undefined) checkedSession(session);
  const { clip, begin, end, defaults } = subjectOf(viewer, options);
  const { from = defaults[0], to = defaults[1] } = options;
  if (to === undefined)
    throw invalid('record() needs `to`, in seconds after the present moment, because it records no clip.');
  if (!(checkedNumber(from, 'from') >= begin && from <= checkedNumber(to, 'to') && to <= end))
    throw invalid(
      `from and to must be ${begin} ≤ from ≤ to${end < Infinity ? ` ≤ ${end}` : ''}, not ${shown(from)} and ${shown(to)}.`,
    );
  const { loop = clip !== undefined } = options;
  const duration = to - from;
  const count = frameCount(duration, fps, loop);
  if (count > MOST_FRAMES) throw invalid(`record() makes at most ${MOST_FRAMES} frames, not ${count}. Use less fps.`);
  if (warmup > 0 && !(loop && clip !== undefined)) throw invalid('warmup needs a loop of a clip.');
  const [width, height] = sizeOf(viewer, options);
  const turns = typeof turntable === 'boolean' ? Number(turntable) : checkedNumber(turntable, 'turntable');
  const camera = cameraOf(viewer, options);
  if (turns !== 0 && typeof camera === 'number')
    throw invalid('turntable turns the own camera of the viewer, so it cannot be combined with cameraName.');
  if (options.columns !== undefined && !(Number.isInteger(options.columns) && options.columns >= 1))
    throw invalid(`columns must be a whole number of at least 1, not ${shown(options.columns)}.`);
  return {
    format,
    clip,
    session,
    from,
    duration,
    fps,
    count,
    loop,
    warmup,
    width,
    height,
    background: (options.background === undefined ? viewer.background : checkedRgba(options.background)) ?? null,
    grid: Math.sqrt(samples),
    turns,
    camera,
    audio,
    codecs: options.codec === undefined ? codecs : [options.codec],
    chroma,
    quality,
    bitrate,
    columns: Math.min(count, options.columns ?? Math.ceil(Math.sqrt((count * height) / width))),
  };
}

/** The number of frames: a loop has no frame at its end. */
function frameCount(duration: number, fps: number, loop: boolean): number {
  const frames = duration * fps;
  const whole = Math.round(frames);
  if (Math.abs(frames - whole) < ROUNDING) return Math.max(1, loop ? whole : whole + 1);
  return loop ? Math.ceil(frames) : Math.floor(frames) + 1;
}

/** The range of times that can be recorded, and the defaults of `from` and `to`. */
interface Subject {
  readonly clip: number | undefined;
  readonly begin: number;
  readonly end: number;
  readonly defaults: readonly [from: number, to: number | undefined];
}

function subjectOf(viewer: Viewer, { clip, session }: RecordOptions): Subject {
  if (session !== undefined) {
    if (clip !== undefined) throw invalid('record() needs a clip or a session, not both.');
    return { clip: undefined, begin: 0, end: session.duration, defaults: [0, session.duration] };
  }
  const current = clip === undefined ? viewer.clip : clip === null ? null : findClip(viewer.clips, clip);
  if (current === null) return { clip: undefined, begin: 0, end: Infinity, defaults: [0, undefined] };
  const { index, duration } = current;
  const [from, to] = clip === undefined ? (viewer.segment ?? [0, duration]) : [0, duration];
  return { clip: index, begin: 0, end: duration, defaults: [from, to] };
}

function sizeOf(viewer: Viewer, { width, height }: RecordOptions): readonly [width: number, height: number] {
  for (const [name, pixels] of Object.entries({ width, height })) {
    if (pixels !== undefined && !(Number.isInteger(pixels) && pixels >= 1))
      throw invalid(`${name} must be a whole number of pixels of at least 1, not ${shown(pixels)}.`);
  }
  const { canvas } = viewer;
  const round = (pixels: number): number => Math.max(1, Math.round(pixels));
  return [
    width ?? (height === undefined ? round(canvas.width) : round((height * canvas.width) / canvas.height)),
    height ?? (width === undefined ? round(canvas.height) : round((width * canvas.height) / canvas.width)),
  ];
}

function cameraOf({ cameras }: Viewer, { cameraName: name }: RecordOptions): number | null | undefined {
  if (name === undefined || name === null) return name;
  const index = typeof name === 'number' ? name : cameras.indexOf(name);
  if (cameras[index] === undefined) throw invalid(`The model has no camera ${shown(name)}${choices(name, cameras)}`);
  return index;
}
