// What hands do: when they have moved the camera and let go, what they click on, and the keys they press.

import type { Player } from './bar/player.ts';
import { controlsPart } from './bar/part.ts';

/** So long after the last movement the camera is at rest, in milliseconds. */
const REST = 200;
/** A press that moves further than so many CSS pixels is no click. */
const CLICK = 5;

/** What is told of hands. */
export interface GestureListener {
  /** No finger, button or key is held on the canvas, and what they moved is at rest. */
  rested(): void;
  /** A click that is no drag. */
  clicked(event: MouseEvent): void;
  /** Somebody does something that may move the camera. */
  acted(): void;
}

/** Watches what hands do on a canvas. What is returned is to be called at each movement of the camera by hand. */
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
    // While it is moving it says itself when it is at rest.
    if (timer === undefined) rest();
  };
  for (const type of ['pointerdown', 'wheel', 'keydown'] as const) canvas.addEventListener(type, acted, { passive: true });
  canvas.addEventListener('pointermove', () => held.size > 0 && acted());
  canvas.addEventListener('pointerdown', (event) => {
    held.add(event.pointerId);
    [x, y] = [event.clientX, event.clientY];
  });
  for (const type of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(type, ({ pointerId }) => release(pointerId));
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

/** The keys of `keyboard.ts`. Those that move the camera are the canvas's own. */
const KEYS = /^([ kjl,.[\]\\nprfsbgh?\d]|home|end)$/;

/** Whether the key means something to what has focus. */
function keepsKey(target: EventTarget | undefined, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input:not([type=range]), textarea, select, [contenteditable]')) return true;
  // A button is pressed by Space.
  return target.matches('button, a, summary') && key === ' ';
}

/** The element as keys see it, with what decides whether they count. */
interface KeyHost extends Player {
  readonly cameraControls: boolean;
  readonly hasBar: boolean;
  readonly keyboard: 'focus' | 'none';
  warn(error: unknown): void;
}

/** Listens to keys while the element has focus. */
export function listenToKeys(element: KeyHost): void {
  const listens = (): boolean => element.keyboard !== 'none' && (element.cameraControls || element.hasBar) && Boolean(element.viewer?.model);
  element.addEventListener('focusin', () => {
    if (listens()) void controlsPart.soon();
  });
  element.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !listens()) return;
    const key = event.key.toLowerCase();
    if (!KEYS.test(key) || keepsKey(event.composedPath()[0], key)) return;
    event.preventDefault();
    if (controlsPart.now) controlsPart.now.press(element, key);
    else controlsPart.load().then(({ press }) => press(element, key), (error: unknown) => element.warn(error));
  });
}
