// The statistics of the crowd page. After a change the numbers are cleared, until frames with the change were measured.

import type { Crowd, Stats, Viewer } from 'gambol';
import { element } from '../app/dom.ts';
import { count as thousands } from '../app/format.ts';

/** The interval of the display in ms. */
const INTERVAL = 250;
/** The least time in ms over which frames are counted. */
const WINDOW = 450;
const NOTHING = '–';

/** A row: the term, its explanation, and the text of a measurement. */
const ROWS: readonly [
  term: string,
  plain: string,
  text: (now: Stats, frames: number, seconds: number, crowd: Crowd) => string,
][] = [
  ['Frames/s', 'Frames drawn in a second', (_now, frames, seconds) => thousands(Math.round(frames / seconds))],
  [
    'CPU per frame',
    'Time of the processor for a frame',
    ({ updateTime, drawTime }) => `${(updateTime + drawTime).toFixed(1)} ms`,
  ],
  ['Draw calls', 'Commands to the graphics card for a frame', ({ drawCalls }) => thousands(drawCalls)],
  ['Visible', 'Characters that were not culled', (_now, _frames, _seconds, crowd) => thousands(crowd.visibleCount)],
  ['Triangles', 'Triangles of a frame', ({ triangles }) => thousands(triangles)],
  ['Joints', 'Joints that were posed for a frame', ({ joints }) => thousands(joints)],
];

export class Numbers {
  readonly #viewer: Viewer;
  readonly #crowd: Crowd;
  readonly #list: HTMLElement;
  readonly #cells = ROWS.map(() => element('dd', '', NOTHING));
  /** The first frame that is counted, and its time; undefined until the first frame after a change. */
  #from: { readonly frames: number; readonly time: number } | undefined;
  /** The number of frames before the last change. */
  #changed = 0;

  constructor(viewer: Viewer, crowd: Crowd, list: HTMLElement) {
    [this.#viewer, this.#crowd, this.#list] = [viewer, crowd, list];
    list.append(
      ...ROWS.map(([term, plain], i) => {
        const row = element('div', '', element('dt', '', term), this.#cells[i] ?? '');
        row.title = plain;
        return row;
      }),
    );
    this.clear();
    setInterval(() => this.#update(), INTERVAL);
  }

  /** Clears the numbers, because they are about to change. */
  clear(): void {
    this.#from = undefined;
    this.#changed = this.#viewer.stats.frames;
    this.#list.ariaBusy = 'true';
    for (const cell of this.#cells) cell.textContent = NOTHING;
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
      // Nothing is drawn, for example because the crowd is paused: the numbers would not be those of now.
      if (passed > 4 * WINDOW) this.clear();
      return;
    }
    if (passed < WINDOW) return;
    ROWS.forEach(([, , text], i) => {
      const cell = this.#cells[i];
      if (cell) cell.textContent = text(stats, frames, passed / 1000, this.#crowd);
    });
    this.#list.ariaBusy = null;
    this.#from = { frames: stats.frames, time };
  }
}
