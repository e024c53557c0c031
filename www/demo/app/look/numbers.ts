import type { Stats, Viewer } from 'gambol';
import { byId, element } from '../dom.ts';
import { count } from '../format.ts';

/** What is told, four times a second. */
const ROWS: readonly [term: string, words: (now: Stats, before: Stats, seconds: number) => string][] = [
  ['Frames a second', (now, before, seconds) => count(Math.round((now.frames - before.frames) / seconds))],
  ['Update', ({ updateTime }) => `${updateTime.toFixed(2)} ms`],
  ['Drawing', ({ drawTime }) => `${drawTime.toFixed(2)} ms`],
  ['Draw calls', ({ drawCalls }) => count(drawCalls)],
  ['Triangles', ({ triangles }) => count(triangles)],
  ['State changes', ({ stateChanges }) => count(stateChanges)],
  ['Uploaded a frame', ({ uploadedBytes }) => bytes(uploadedBytes)],
  ['of which matrices', ({ paletteBytes }) => bytes(paletteBytes)],
  ['Joints and nodes', ({ joints }) => count(joints)],
  ['Buffers', ({ live }) => count(live.buffers)],
  ['Textures', ({ live }) => count(live.textures)],
  ['Programs', ({ live }) => count(live.programs)],
  ['Memory', ({ memoryBytes }) => bytes(memoryBytes)],
];

/** What frames cost, as long as it is wanted. */
export class Numbers {
  readonly #viewer: Viewer;
  readonly #root = byId('numbers');
  readonly #values: readonly HTMLElement[];
  #before: Stats;
  #timer = 0;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    this.#before = viewer.stats;
    this.#values = ROWS.map(() => element('dd'));
    this.#root.append(...ROWS.map(([term], i) => element('div', '', element('dt', '', term), this.#values[i] ?? '')));
    const box = byId<HTMLInputElement>('numbers-on');
    box.addEventListener('change', () => this.#run(box.checked));
  }

  #run(on: boolean): void {
    clearInterval(this.#timer);
    this.#root.hidden = !on;
    if (!on) return;
    let last = performance.now();
    this.#before = this.#viewer.stats;
    const show = (): void => {
      const time = performance.now();
      const now = this.#viewer.stats;
      ROWS.forEach(([, words], i) => {
        const value = this.#values[i];
        if (value) value.textContent = words(now, this.#before, Math.max(0.001, (time - last) / 1000));
      });
      [this.#before, last] = [now, time];
    };
    show();
    this.#timer = window.setInterval(show, 250);
    this.#root.scrollIntoView({ block: 'nearest' });
  }
}

function bytes(size: number): string {
  if (size < 10_000) return `${count(size)} B`;
  return size < 10_000_000 ? `${count(Math.round(size / 1000))} kB` : `${count(Math.round(size / 1e6))} MB`;
}
