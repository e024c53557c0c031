// The statistics of a page. After a change the numbers are cleared, until frames with the change were measured.

import type { Stats, Viewer } from 'gambol';
import { element } from './dom.ts';
import { count as thousands } from './format.ts';

/** The interval of the display in ms. */
const INTERVAL = 250;
/** The least time in ms over which frames are counted. */
const WINDOW = 450;
const NOTHING = '–';

/** A row: the term, its explanation, and the text of a measurement. */
export type Row = readonly [term: string, plain: string, text: (now: Stats, frames: number, seconds: number) => string];

export const FRAME_RATE: Row = [
  'Frames/s',
  'Frames drawn in a second',
  (_now, frames, seconds) => thousands(Math.round(frames / seconds)),
];

export class Numbers {
  readonly #viewer: Viewer;
  readonly #list: HTMLElement;
  readonly #rows: readonly { readonly cell: HTMLElement; readonly text: Row[2] }[];
  /** The first frame that is counted, and its time; undefined until the first frame after a change. */
  #from: { readonly frames: number; readonly time: number } | undefined;
  /** The number of frames before the last change. */
  #changed = 0;

  constructor(viewer: Viewer, list: HTMLElement, rows: readonly Row[]) {
    [this.#viewer, this.#list] = [viewer, list];
    this.#rows = rows.map(([term, plain, text]) => {
      const cell = element('dd', '', NOTHING);
      const row = element('div', '', element('dt', '', term), cell);
      row.title = plain;
      list.append(row);
      return { cell, text };
    });
    this.clear();
    setInterval(() => this.#update(), INTERVAL);
  }

  /** Clears the numbers, because they are about to change. */
  clear(): void {
    this.#from = undefined;
    this.#changed = this.#viewer.stats.frames;
    this.#list.ariaBusy = 'true';
    for (const { cell } of this.#rows) cell.textContent = NOTHING;
  }

  #update(): void {
    const { stats } = this.#viewer;
    const time = performance.now();
    // The frame after a change may still be that of before; the one after it is counted.
    if (!this.#from) {
      if (stats.frames > this.#changed + 1) this.#from = { frames: stats.frames, time };
      return;
    }
    const [frames, passed] = [stats.frames - this.#from.frames, time - this.#from.time];
    if (frames === 0) {
      // Nothing is drawn, for example because the viewer is paused: the numbers would not be those of now.
      if (passed > 4 * WINDOW) this.clear();
      return;
    }
    if (passed < WINDOW) return;
    for (const { cell, text } of this.#rows) cell.textContent = text(stats, frames, passed / 1000);
    this.#list.ariaBusy = null;
    this.#from = { frames: stats.frames, time };
  }
}
