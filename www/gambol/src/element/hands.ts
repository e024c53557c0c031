// When hands have moved the camera and let go, and what they click on.

/** So long after the last movement the camera is at rest, in milliseconds. */
const REST = 200;
/** A press that moves further than so many CSS pixels is no click. */
const CLICK = 5;

/**
 * Calls `rested` when no finger, button or key is held on the canvas and what they moved is at rest, and `clicked` for a click that
 * is no drag. What is returned is to be called at each movement of the camera by hand.
 */
export function watchHands(canvas: HTMLCanvasElement, rested: () => void, clicked: (event: MouseEvent) => void): () => void {
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
