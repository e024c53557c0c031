import type { GambolViewer } from 'gambol/element';
import { byId, element } from './dom.ts';

/** A key of the page and its action; `words` describe it in the help. */
export interface Shortcut {
  readonly key: string;
  /** The label of the key in the help. Default: the key itself. */
  readonly shown?: string;
  readonly words: string;
  run(): void;
}

/** The keys of the viewer, for the help only. */
const VIEWER_KEYS: readonly (readonly [shown: readonly string[], words: string])[] = [
  [['Space', 'K'], 'play, pause'],
  [[',', '.'], 'previous, next frame'],
  [['J', 'L'], '1 second back, forward'],
  [['Home', 'End'], 'first, last frame'],
  [['0', '…', '9'], 'seek to 0 % … 90 %'],
  [['[', ']', '\\'], 'slower, faster, normal speed'],
  [['N', 'P'], 'next, previous clip'],
  [['R'], 'loop mode: repeat, ping-pong, once'],
  [['H'], 'frame the model'],
  [['F'], 'full screen'],
  [['S'], 'save screenshot'],
  [['B', 'G'], 'skeleton, grid'],
];
/** The keys of the camera, which need the focus on the picture, for the help only. */
const CAMERA_KEYS: typeof VIEWER_KEYS = [
  [['←', '→', '↑', '↓'], 'rotate the camera (view in focus)'],
  [['Shift ←'], 'pan the camera'],
  [['+', '−'], 'zoom in, out'],
];

/**
 * Handles keys on the whole page, except keys of a focused control and keys with a modifier. Keys that the page does not have are
 * forwarded to the viewer, independent of the focus.
 */
export function installShortcuts(player: GambolViewer, shortcuts: readonly Shortcut[]): void {
  const byKey = new Map(shortcuts.map((shortcut) => [shortcut.key, shortcut]));
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (document.querySelector('dialog[open]')) return;
      // A drag that Escape cancels.
      if (event.key === 'Escape' && document.querySelector('[data-cancels]')) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const path = event.composedPath();
      if (keepsKey(path[0], key)) return;
      const shortcut = byKey.get(key);
      if (shortcut) {
        event.preventDefault();
        shortcut.run();
      } else if (
        !path.includes(player) &&
        !player.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, cancelable: true }))
      ) {
        event.preventDefault();
      }
      // Captured before the viewer, whose own list of keys (`?`) does not have those of the page.
    },
    { capture: true },
  );

  const shown = [
    ...VIEWER_KEYS,
    ...shortcuts.map(({ key, shown: name = key.toUpperCase(), words }) => [[name], words] as const),
    ...CAMERA_KEYS,
  ];
  byId('keys').replaceChildren(
    ...shown.map(([keys, words]) =>
      element('div', '', element('dt', '', ...keys.map((key) => element('kbd', '', key))), element('dd', '', words)),
    ),
  );
}

/** `true` if the focused control handles the key itself. */
function keepsKey(target: EventTarget | undefined, key: string): boolean {
  if (!(target instanceof Element)) return false;
  // A part of the page with keys of its own lists them.
  const own = target.closest<HTMLElement>('[data-keys]')?.dataset['keys']?.split(' ');
  if (own?.includes(key === ' ' ? 'Space' : key)) return true;
  if (target.matches('input:not([type="range"]), textarea, [contenteditable]')) return true;
  if (target.matches('select')) return key !== 'Escape';
  // Space and Enter press buttons and links.
  return target.matches('button, a, summary') && (key === ' ' || key === 'Enter');
}
