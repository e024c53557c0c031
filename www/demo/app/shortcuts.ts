import type { GambolViewer } from 'gambol/element';
import { byId, element } from './dom.ts';

/** What a key of the page does; `words` go to the help and nowhere else. */
export interface Shortcut {
  readonly key: string;
  /** How the help writes it, if not as it is. */
  readonly shown?: string;
  readonly words: string;
  run(): void;
}

/** The keys of the viewer, which are only explained here. */
const VIEWER_KEYS: readonly (readonly [shown: readonly string[], words: string])[] = [
  [['Space', 'K'], 'play, pause'],
  [[',', '.'], 'one frame back, forward'],
  [['J', 'L'], 'one second back, forward'],
  [['Home', 'End'], 'first, last frame'],
  [['0', '…', '9'], 'tenths of the clip'],
  [['[', ']', '\\'], 'slower, faster, normal speed'],
  [['N', 'P'], 'next, previous clip'],
  [['R'], 'repeat, back and forth, once'],
  [['H'], 'frame the model'],
  [['F'], 'full screen'],
  [['S'], 'save a picture'],
  [['B'], 'skeleton'],
];
/** Those of the picture, which has to be in focus. */
const CAMERA_KEYS: typeof VIEWER_KEYS = [
  [['←', '→', '↑', '↓'], 'turn the camera (view in focus)'],
  [['Shift ←'], 'move the camera sideways'],
  [['+', '−'], 'closer, farther'],
];

/**
 * Listens on the whole page, but never takes a key from a control, and none with a modifier. What is no key of the page is the
 * viewer's, wherever the focus is.
 */
export function installShortcuts(player: GambolViewer, shortcuts: readonly Shortcut[]): void {
  const byKey = new Map(shortcuts.map((shortcut) => [shortcut.key, shortcut]));
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector('dialog[open]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const path = event.composedPath();
    if (keepsKey(path[0], key)) return;
    const shortcut = byKey.get(key);
    if (shortcut) {
      event.preventDefault();
      shortcut.run();
    } else if (!path.includes(player) && !player.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, cancelable: true }))) {
      event.preventDefault();
    }
    // Before the viewer, which has a list of keys, too, but without those of the page.
  }, { capture: true });

  const shown = [...VIEWER_KEYS, ...shortcuts.map(({ key, shown: name = key.toUpperCase(), words }) => [[name], words] as const), ...CAMERA_KEYS];
  byId('keys').replaceChildren(...shown.map(([keys, words]) => (
    element('div', '', element('dt', '', ...keys.map((key) => element('kbd', '', key))), element('dd', '', words))
  )));
}

/** Whether the key means something to what has focus. */
function keepsKey(target: EventTarget | undefined, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input:not([type="range"]), textarea, [contenteditable]')) return true;
  if (target.matches('select')) return key !== 'Escape';
  // A button is pressed by Space and Enter.
  return target.matches('button, a, summary') && (key === ' ' || key === 'Enter');
}
