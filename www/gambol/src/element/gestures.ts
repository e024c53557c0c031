// User input on the canvas: the end of camera movements, clicks, and keys.

import type { Player } from './bar/player.ts';
import { controlsPart } from './bar/part.ts';

/** The time in milliseconds after the last movement at which the camera is at rest. */
const REST = 200;
/** The largest movement of a click in CSS pixels; a longer one is a drag. */
const CLICK = 5;

/** The callbacks of {@link watchGestures}. */
export interface GestureListener {
  /** No finger, button or key is held on the canvas, and the camera is at rest. */
  rested(): void;
  /** A click that is no drag. */
  clicked(event: MouseEvent): void;
  /** User input that may move the camera. */
  acted(): void;
}

/** Watches user input on a canvas. Returns a function that must be called at each movement of the camera by user input. */
export function watchGestures(canvas: HTMLCanvasElement, { rested, clicked, acted }: GestureListener): () => void {
  const held = new Set<unknown>();
  let [x, y] = [0, 0];
  let moved = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    timer = undefined;
    if (!moved || held.size > 0) return;
    moved = false;
    rested();
  };
  const release = (what: unknown): void => {
    held.delete(what);
    // While the camera still moves, the timer reports the rest.
    if (timer === undefined) rest();
  };
  for (const type of ['pointerdown', 'wheel', 'keydown'] as const)
    canvas.addEventListener(type, acted, { passive: true });
  canvas.addEventListener('pointermove', () => held.size > 0 && acted());
  canvas.addEventListener('pointerdown', (event) => {
    held.add(event.pointerId);
    [x, y] = [event.clientX, event.clientY];
  });
  for (const type of ['pointerup', 'pointercancel'] as const)
    canvas.addEventListener(type, ({ pointerId }) => release(pointerId));
  canvas.addEventListener('keydown', () => held.add('key'));
  for (const type of ['keyup', 'blur']) canvas.addEventListener(type, () => release('key'));
  canvas.addEventListener('click', (event) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) <= CLICK) clicked(event);
  });
  return () => {
    moved = true;
    clearTimeout(timer);
    timer = setTimeout(rest, REST);
  };
}

/** The keys of `keyboard.ts`. The camera controls of the canvas handle the keys that move the camera. */
const KEYS = /^([ kjl,.[\]\\nprfsbgh?\d]|home|end)$/;

/** `true` if the focused control handles the key itself. */
function keepsKey(target: EventTarget | undefined, key: string): boolean {
  // No `instanceof`: an element of another window has another class.
  if (!target || !('matches' in target)) return false;
  const element = target as Element;
  if (element.matches('input:not([type=range]), textarea, select, [contenteditable]')) return true;
  // The space bar presses buttons and links.
  return element.matches('button, a, summary') && key === ' ';
}

/** The part of the element that handles keys, with the properties that enable them. */
interface KeyHost extends Player {
  readonly cameraControls: boolean;
  readonly hasBar: boolean;
  readonly keyboard: 'focus' | 'none';
  warn(error: unknown): void;
}

/** Handles keys while the element has the focus. */
export function listenToKeys(element: KeyHost): void {
  const listens = (): boolean =>
    element.keyboard !== 'none' && (element.cameraControls || element.hasBar) && Boolean(element.viewer?.model);
  element.addEventListener('focusin', () => {
    if (listens()) void controlsPart.preload();
  });
  element.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !listens())
      return;
    const key = event.key.toLowerCase();
    if (!KEYS.test(key) || keepsKey(event.composedPath()[0], key)) return;
    event.preventDefault();
    if (controlsPart.loaded) controlsPart.loaded.press(element, key);
    else
      controlsPart
        .load()
        .then(({ press }) => press(element, key))
        .catch((error: unknown) => element.warn(error));
  });
}
