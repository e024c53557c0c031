import type { Viewer } from 'gambol';
import { byId, element } from './dom.ts';
import type { Status } from './status.ts';

/** What the keys do; `words` go to the help and nowhere else. */
export interface Shortcut {
  readonly keys: readonly string[];
  /** How the help writes them, if not as they are. */
  readonly shown?: readonly string[];
  readonly words: string;
  run(key: string): void;
}

/** Keys of the camera are handled by the canvas; here they are only explained. */
const CAMERA_KEYS: readonly Shortcut[] = ([
  { shown: ['←', '→', '↑', '↓'], words: 'turn the camera (view in focus)' },
  { shown: ['Shift ←'], words: 'move the camera sideways' },
  { shown: ['+', '−'], words: 'closer, farther' },
]).map((shown) => ({ ...shown, keys: [], run: () => undefined }));

/** Listens on the whole page, but never takes a key from a control, and none with a modifier. */
export function installShortcuts(shortcuts: readonly Shortcut[]): void {
  const byKey = new Map(shortcuts.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut] as const)));
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector('dialog[open]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (keepsKey(event.target, key)) return;
    const shortcut = byKey.get(key);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(key);
  });

  byId('keys').replaceChildren(...[...shortcuts, ...CAMERA_KEYS].map((shortcut) => {
    const keys = (shortcut.shown ?? shortcut.keys).map((key) => element('kbd', '', key.length === 1 ? key.toUpperCase() : key));
    return element('div', '', element('dt', '', ...keys), element('dd', '', shortcut.words));
  }));
}

/** Whether the key means something to what has focus. */
function keepsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input:not([type="range"]), textarea, [contenteditable]')) return true;
  if (target.matches('select')) return key !== 'Escape';
  // A button is pressed by Space and Enter.
  return target.matches('button, a, summary') && (key === ' ' || key === 'Enter');
}

/** The camera's share of the page's keys, and the times. */
export function timeShortcuts(viewer: Viewer, status: Status): Shortcut[] {
  const usable = (): boolean => viewer.duration > 0;
  const seek = (time: number): void => {
    if (usable()) viewer.currentTime = time;
  };
  return [
    { keys: [',', '.'], words: 'one frame back, forward', run: (key) => usable() && void viewer.step(key === ',' ? -1 : 1) },
    { keys: ['j', 'l'], words: 'one second back, forward', run: (key) => seek(viewer.currentTime + (key === 'j' ? -1 : 1)) },
    { keys: ['Home', 'End'], words: 'first, last frame', run: (key) => seek(key === 'Home' ? 0 : viewer.duration) },
    { keys: [...'0123456789'], shown: ['0', '…', '9'], words: 'tenths of the clip', run: (key) => seek((Number(key) / 10) * viewer.duration) },
    {
      keys: ['h'],
      words: 'frame the model',
      run: () => {
        viewer.resetCamera();
        status.notice('Model framed');
      },
    },
  ];
}
