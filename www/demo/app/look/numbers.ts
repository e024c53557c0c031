import type { Stats } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId, element } from '../dom.ts';
import { count } from '../format.ts';

/** The statistics that are shown four times per second. */
const ROWS: readonly [term: string, words: (now: Stats, before: Stats, seconds: number) => string][] = [
  ['Frames per second', (now, before, seconds) => count(Math.round((now.frames - before.frames) / seconds))],
  ['CPU animation', ({ updateTime }) => `${updateTime.toFixed(2)} ms`],
  ['CPU drawing', ({ drawTime }) => `${drawTime.toFixed(2)} ms`],
  ['Draw calls', ({ drawCalls }) => count(drawCalls)],
  ['Triangles', ({ triangles }) => count(triangles)],
  ['State changes', ({ stateChanges }) => count(stateChanges)],
  ['Upload per frame', ({ uploadedBytes }) => bytes(uploadedBytes)],
  ['Joint matrices', ({ paletteBytes }) => bytes(paletteBytes)],
  ['Joints and nodes', ({ joints }) => count(joints)],
  ['Buffers', ({ live }) => count(live.buffers)],
  ['Textures', ({ live }) => count(live.textures)],
  ['Shader programs', ({ live }) => count(live.programs)],
  ['Wasm memory', ({ memoryBytes }) => bytes(memoryBytes)],
];

/** Installs the statistics of frames, which are updated while they are shown. */
export function installNumbers(player: GambolViewer): void {
  const root = byId('numbers');
  const values = ROWS.map(() => element('dd'));
  root.append(...ROWS.map(([term], i) => element('div', '', element('dt', '', term), values[i] ?? '')));
  let timer = 0;
  let before: Stats | undefined;
  let last = 0;
  const show = (): void => {
    const now = player.viewer?.stats;
    if (!now) return;
    const time = performance.now();
    ROWS.forEach(([, words], i) => {
      const value = values[i];
      if (value) value.textContent = words(now, before ?? now, Math.max(0.001, (time - last) / 1000));
    });
    [before, last] = [now, time];
  };
  const box = byId<HTMLInputElement>('numbers-on');
  box.addEventListener('change', () => {
    clearInterval(timer);
    root.hidden = !box.checked;
    if (!box.checked) return;
    before = undefined;
    show();
    timer = window.setInterval(show, 250);
    root.scrollIntoView({ block: 'nearest' });
  });
}

function bytes(size: number): string {
  if (size < 10_000) return `${count(size)} B`;
  return size < 10_000_000 ? `${count(Math.round(size / 1000))} kB` : `${count(Math.round(size / 1e6))} MB`;
}
