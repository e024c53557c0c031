// The layout of sprite sheets, which the file itself holds: a chunk `iTXt` with JSON, section 11.3.3 of PNG.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { chunk } from './png.ts';

/** The layout of a sprite sheet: frames from the upper left by rows. @category Recordings */
export interface SheetLayout {
  /** The number of frames in a row. */
  readonly columns: number;
  /** The number of rows. */
  readonly rows: number;
  /** The number of frames. */
  readonly frames: number;
  /** Frames per second. */
  readonly fps: number;
  /** `true` if the first frame follows the last one. */
  readonly loop: boolean;
  /** The width of a frame in pixels. */
  readonly width: number;
  /** The height of a frame in pixels. */
  readonly height: number;
  /** The duration of all frames in seconds. */
  readonly duration: number;
  /** The times of the frames in seconds after the first one. */
  readonly times: readonly number[];
}

const KEYWORD = 'gambol sprite sheet';

/** The chunk of a layout. */
export function sheetChunk(layout: SheetLayout): Uint8Array<ArrayBuffer>[] {
  // The keyword and its end; not compressed; no language and no translated keyword.
  return chunk('iTXt', new TextEncoder().encode(`${KEYWORD}\0\0\0\0\0${JSON.stringify(layout)}`));
}

/**
 * Reads the layout of a sprite sheet that {@link record} has made.
 *
 * ```js
 * const sheet = await record(viewer, { clip: 'Run', format: 'sprite-sheet', width: 64, height: 64 });
 * const { columns, rows, frames, fps } = await sheetLayout(sheet);
 * await viewer.addSprite(sheet, { flipbook: { columns, rows, frames, fps } });
 * ```
 *
 * @throws {@link GambolError} `argument/invalid` if the blob is not such a sheet
 * @category Recordings
 */
export async function sheetLayout(sheet: Blob): Promise<SheetLayout> {
  if (!(sheet instanceof Blob)) throw notASheet(`not ${shown(sheet)}`);
  const view = new DataView(await sheet.arrayBuffer());
  const text = (at: number, length: number): string =>
    new TextDecoder().decode(new Uint8Array(view.buffer, at, length));
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const length = view.getUint32(at);
    if (at + 12 + length > view.byteLength) break;
    if (text(at + 4, 4) === 'iTXt') {
      const parts = text(at + 8, length).split('\0');
      if (parts[0] === KEYWORD) return JSON.parse(parts.at(-1) ?? '') as SheetLayout;
    }
    at += 12 + length;
  }
  throw notASheet('a file without a layout');
}

function notASheet(words: string): GambolError {
  return new GambolError('argument/invalid', `sheetLayout() needs a sprite sheet of record(), ${words}.`);
}
