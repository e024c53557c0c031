// The lossless formats: APNG, sprite sheets and sequences of PNG files.

import { GambolError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { Part } from '../base/part.ts';
import type { Encoder } from './encoder.ts';
import { FORMATS, VIDEOS, timeOf, type Plan, type RecordFormat, type RecordUnsupported } from './options.ts';
import { chunk, compressed, header, numbers, png, straight, type Rectangle } from './png.ts';
import { sheetChunk } from './sheet.ts';

/** The encoder of videos, loaded lazily. */
const videoPart = new Part('the script for videos', () => import('./video.ts'));

/** The encoder of a recording. @throws {@link GambolError} `record/unsupported`, `argument/invalid`, `load/chunk` */
export async function encoderOf(plan: Plan): Promise<Encoder> {
  switch (plan.format) {
    case 'apng':
      return apng(plan);
    case 'sprite-sheet':
      return spriteSheet(plan);
    case 'png-sequence': {
      const { archive } = await lazily('the script for archives', () => import('./archive.ts'));
      return sequence(archive());
    }
    case 'gif': {
      const { gif } = await lazily('the script for GIF', () => import('./gif.ts'));
      return gif(plan);
    }
    default: {
      const { video, isTransparent } = await videoPart.load();
      const encoder = await video(plan);
      if (encoder) return encoder;
      throw unsupported(plan, isTransparent(plan), await usableFormats());
    }
  }
}

/** The formats that this browser can write, videos of any codec. */
export async function usableFormats(): Promise<readonly RecordFormat[]> {
  const { canEncode } = await videoPart.load();
  const usable = await Promise.all(VIDEOS.map(canEncode));
  return FORMATS.filter((format) => usable[VIDEOS.indexOf(format as 'webm')] ?? true);
}

function unsupported(
  { format, codecs, chroma, width, height, audio }: Plan,
  transparent: boolean,
  formats: readonly RecordFormat[],
): RecordUnsupported {
  const with_ = `${codecs.join(', ')}, ${chroma}, ${width} × ${height}${transparent ? ', transparent' : ''}${audio ? ', with sound' : ''}`;
  const error = new GambolError(
    'record/unsupported',
    `This browser cannot encode ${format} (${with_}). It can write ${formats.join(', ')}.`,
  );
  return Object.assign(error, { formats }) as RecordUnsupported;
}

/** A fraction whose terms have 16 bits each, nearest to a number of at most 65535. */
export function fraction(value: number): readonly [number, number] {
  // Convergents of the continued fraction.
  let [h0, k0, h1, k1] = [0, 1, 1, 0];
  let rest = value;
  for (;;) {
    const whole = Math.floor(rest);
    const [h, k] = [whole * h1 + h0, whole * k1 + k0];
    if (h > 65535 || k > 65535) break;
    [h0, k0, h1, k1] = [h1, k1, h, k];
    if (Math.abs(value - h / k) < 1e-9 || rest - whole < 1e-12) break;
    rest = 1 / (rest - whole);
  }
  return k1 === 0 ? [65535, 1] : [h1, k1];
}

function apng({ count, loop, width, height }: Plan): Encoder {
  const parts: Blob[] = [];
  let sequence = 0;
  let before: Uint8Array<ArrayBuffer> | undefined;
  return {
    async add(frame) {
      const { data } = straight(frame);
      const rectangle = changed(before, data, width, height);
      before = data;
      const [x, y, wide, high] = rectangle;
      const [numerator, denominator] = fraction(frame.duration);
      const control = new DataView(new ArrayBuffer(26));
      [sequence++, wide, high, x, y].forEach((value, i) => control.setUint32(4 * i, value));
      control.setUint16(20, numerator);
      control.setUint16(22, denominator);
      // The rectangle stays (0) and replaces the pixels before, alpha included (0).
      const pixels = await compressed(data, width, rectangle);
      const body = frame.index === 0 ? chunk('IDAT', pixels) : chunk('fdAT', numbers(sequence++), pixels);
      parts.push(new Blob([...chunk('fcTL', new Uint8Array(control.buffer)), ...body]));
    },
    finish: () =>
      Promise.resolve(
        new Blob(
          [...header(width, height), ...chunk('acTL', numbers(count, loop ? 0 : 1)), ...parts, ...chunk('IEND')],
          {
            type: 'image/apng',
          },
        ),
      ),
    close: () => undefined,
  };
}

/** The smallest rectangle around all pixels that differ; one pixel if none do. */
function changed(
  before: Uint8Array<ArrayBuffer> | undefined,
  now: Uint8Array<ArrayBuffer>,
  width: number,
  height: number,
): Rectangle {
  if (!before) return [0, 0, width, height];
  const [a, b] = [new Uint32Array(before.buffer), new Uint32Array(now.buffer)];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (a[at] === b[at]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

/** The largest width and height of a sheet in pixels, which browsers and GPUs can still read. */
const LARGEST_SHEET = 16_384;

function spriteSheet(plan: Plan): Encoder {
  const { columns, count, fps, loop, width, height } = plan;
  const rows = Math.ceil(count / columns);
  const [wide, high] = [columns * width, rows * height];
  if (wide > LARGEST_SHEET || high > LARGEST_SHEET)
    throw new GambolError(
      'argument/invalid',
      `A sprite sheet of ${columns} × ${rows} frames has ${wide} × ${high} pixels, more than ${LARGEST_SHEET}. Use a smaller width or less fps.`,
    );
  const data = new Uint8Array(4 * wide * high);
  return {
    add({ index, data: pixels }) {
      const [x, y] = [width * (index % columns), height * Math.floor(index / columns)];
      for (let row = 0; row < height; row++)
        data.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), 4 * ((y + row) * wide + x));
      return Promise.resolve();
    },
    finish: () => {
      const times = Array.from({ length: count }, (_, i) => timeOf(plan, i));
      const layout = { columns, rows, frames: count, fps, loop, width, height, duration: plan.duration, times };
      return png({ width: wide, height: high, data }, ...sheetChunk(layout));
    },
    close: () => undefined,
  };
}

/** An archive of files. */
export interface Archive {
  add(name: string, bytes: Uint8Array): void;
  finish(): Blob;
}

function sequence(archive: Archive): Encoder {
  return {
    async add(frame) {
      const file = await png(frame);
      const number = String(frame.index).padStart(4, '0');
      archive.add(`frame-${number}.png`, new Uint8Array(await file.arrayBuffer()));
    },
    finish: () => Promise.resolve(archive.finish()),
    close: () => undefined,
  };
}
