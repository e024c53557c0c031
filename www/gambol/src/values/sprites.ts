// The options of flip-books and billboards, and their checks.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { checkedLoopMode, checkedNumber, checkedOptions, checkedWord } from './options.ts';
import type { LoopMode } from './words.ts';

/**
 * The rotation of a billboard, whose local +Z faces the camera:
 *
 * - `full`: parallel to the picture, local +Y upwards in the picture;
 * - `axis`: only about its local Y axis, towards the position of the camera. A tree stays upright.
 * @category Sprites and materials
 */
export type BillboardMode = 'full' | 'axis';

/**
 * Options of {@link Material.flipbook}. Cells are counted from the upper left by rows, from 0 on.
 * @category Sprites and materials
 */
export interface FlipbookOptions {
  /** The number of columns of the textures. */
  readonly columns: number;
  /** The number of rows of the textures. */
  readonly rows: number;
  /** The index of the first cell. Default: 0. */
  readonly start?: number;
  /** The number of cells. Default: all cells from `start` on. */
  readonly frames?: number;
  /** Cells per second; negative plays backwards, from the last cell. Default: 12. */
  readonly fps?: number;
  /** The loop mode at the end of the cells. Default: `repeat`. */
  readonly loopMode?: LoopMode;
  /**
   * The clock: the viewer's `timeline`, from the time of the call on; or the playhead of the `clip`, so that it pauses, seeks and
   * changes its speed with the clip. Default: `timeline`.
   */
  readonly clock?: 'timeline' | 'clip';
}

const OPTIONS = ['columns', 'rows', 'start', 'frames', 'fps', 'loopMode', 'clock'] as const;

/** A flip-book as the core takes it. @throws {@link GambolError} `argument/invalid` */
export function coreFlipbook(
  options: FlipbookOptions,
): Required<Omit<FlipbookOptions, 'start' | 'clock'>> & { readonly first: number; readonly byClip: boolean } {
  checkedOptions(options, OPTIONS, 'flipbook()');
  const { columns, rows, start = 0, fps = 12, loopMode = 'repeat', clock = 'timeline' } = options;
  whole(columns, 'columns', 1, 4096);
  whole(rows, 'rows', 1, 4096);
  const cells = columns * rows;
  whole(start, 'start', 0, cells - 1);
  const { frames = cells - start } = options;
  whole(frames, 'frames', 1, cells - start);
  checkedWord(clock, ['timeline', 'clip'], 'clock');
  return {
    columns,
    rows,
    first: start,
    frames,
    fps: checkedNumber(fps, 'fps'),
    loopMode: checkedLoopMode(loopMode),
    byClip: clock === 'clip',
  };
}

/** `true` for a billboard about an axis, and undefined for none. @throws {@link GambolError} `argument/invalid` */
export function isByAxis(mode: BillboardMode | null): boolean | undefined {
  return mode === null ? undefined : checkedWord(mode, ['full', 'axis'], 'billboard') === 'axis';
}

function whole(value: number, name: string, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new GambolError(
      'argument/invalid',
      `${name} must be a whole number from ${least} to ${most}, not ${shown(value)}.`,
    );
}
