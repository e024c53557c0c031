// The keys, while the element has focus. Those that move the camera are the canvas's own.

import { changeClip, changeSpeed, nextLoopMode, savePicture, setSpeed, toggle, toggleFullscreen } from './actions.ts';
import type { GambolViewer } from './viewer-element.ts';

type Act = (element: GambolViewer) => string | void;

const seekBy = (seconds: number): Act => (element) => {
  element.currentTime = Math.min(element.duration, Math.max(0, element.currentTime + seconds));
};
const seekTo = (fraction: number): Act => (element) => {
  element.currentTime = fraction * element.duration;
};

const KEYS: Readonly<Record<string, Act>> = {
  ' ': toggle,
  k: toggle,
  ',': (element) => void element.step(-1),
  '.': (element) => void element.step(1),
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
  b: (element) => {
    element.debug = element.debug === 'skeleton' ? null : 'skeleton';
  },
  h: (element) => void element.updateFraming(),
  '?': (element) => element.showKeys(LIST),
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, seekTo(Number(digit) / 10)])),
};

/** For people: keys, a tab, and what they do. */
const LIST = `Space K\tplay, pause
, .\ta frame back, on
J L\ta second back, on
Home End\tfirst frame, last
0 … 9\ttenths
[ ] \\\tslower, faster, normal
N P\tnext clip, the one before
R\tloop mode
F S\tfull screen, picture
B H\tskeleton, framing
← ↑ → ↓\tturn; with Shift, move
+ −\tzoom`;

/** Whether the key means something to what has focus. */
function keepsKey(target: EventTarget | undefined, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input:not([type=range]), textarea, select, [contenteditable]')) return true;
  // A button is pressed by Space.
  return target.matches('button, a, summary') && key === ' ';
}

export function listenToKeys(element: GambolViewer): void {
  element.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (element.keyboard === 'none' || !(element.cameraControls || element.hasBar) || !element.viewer?.model) return;
    const key = event.key.toLowerCase();
    const act = KEYS[key];
    if (!act || keepsKey(event.composedPath()[0], key)) return;
    event.preventDefault();
    const said = act(element);
    if (said) element.say(said);
  });
}
