// The actions of keys; `element/gestures.ts` listens for the keys.

import { adoptStyle, make } from '../base/dom.ts';
import {
  changeClip,
  changeSpeed,
  nextLoopMode,
  savePicture,
  setSpeed,
  step,
  toggle,
  toggleFullscreen,
} from './actions.ts';
import css from './controls.css';
import type { Player } from './player.ts';

type Action = (element: Player) => string | void;

const seekBy =
  (seconds: number): Action =>
  (element) => {
    element.currentTime = Math.min(element.duration, Math.max(0, element.currentTime + seconds));
  };
const seekTo =
  (fraction: number): Action =>
  (element) => {
    element.currentTime = fraction * element.duration;
  };

/** Returns an action that toggles a debug view. */
const view =
  (name: string): Action =>
  (element) => {
    const shown = (element.debug ?? '').split(/\s+/).filter(Boolean);
    const views = shown.includes(name) ? shown.filter((other) => other !== name) : [...shown, name];
    element.debug = views.join(' ') || null;
  };

const KEYS: Readonly<Record<string, Action>> = {
  ' ': toggle,
  k: toggle,
  ',': (element) => step(element, -1),
  '.': (element) => step(element, 1),
  j: seekBy(-1),
  l: seekBy(1),
  home: seekTo(0),
  end: seekTo(1),
  '[': (element) => changeSpeed(element, -1),
  ']': (element) => changeSpeed(element, 1),
  '\\': (element) => setSpeed(element, 1),
  n: (element) => changeClip(element, 1),
  p: (element) => changeClip(element, -1),
  r: nextLoopMode,
  f: toggleFullscreen,
  s: (element) => void savePicture(element),
  b: view('skeleton'),
  g: view('grid'),
  h: (element) => void element.updateFraming(),
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, seekTo(Number(digit) / 10)])),
};

/** The list of keys for users: in each line the keys, a tab, and their action. */
const LIST = `Space K\tplay, pause
, .\tprevious frame, next frame
J L\t1 second back, forward
Home End\tfirst frame, last frame
0 … 9\tseek to 0 % … 90 %
[ ] \\\tslower, faster, normal speed
N P\tnext clip, previous clip
R\tloop mode
F S\tfull screen, save screenshot
B G H\tskeleton, grid, frame the model
← ↑ → ↓\trotate; with Shift, pan
+ −\tzoom`;

/** Runs the action of a key. */
export function press(element: Player, key: string): void {
  const message = key === '?' ? showKeys(element) : KEYS[key]?.(element);
  if (message) element.announce(message);
}

/** Opens the dialog with the list of keys, or closes it. */
function showKeys({ shadowRoot: root }: Player): void {
  if (!root) return;
  const shown = root.querySelector<HTMLDialogElement>('dialog[part="keys"]');
  if (shown) return shown.close();
  adoptStyle(root, css);
  const rows = LIST.split('\n').map((line) => make('tr', {}, ...line.split('\t').map((cell) => make('td', {}, cell))));
  const dialog = make(
    'dialog',
    { part: 'keys', 'aria-label': 'Keyboard shortcuts' },
    make('table', {}, ...rows),
    make('button', { type: 'button' }, 'Close'),
  );
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}
