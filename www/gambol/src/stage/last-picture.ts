// A copy of the last picture: a canvas becomes blank when its context is lost, and its content cannot be read afterwards.

/** The time between two copies in milliseconds while the picture changes. */
const INTERVAL = 1000;
/** The style properties that the copy takes from the canvas. */
const LOOKS = [
  'zIndex',
  'transform',
  'transformOrigin',
  'borderRadius',
  'opacity',
  'visibility',
  'objectFit',
  'objectPosition',
] as const;

/** The last picture of a canvas, which is shown in its place while the context is lost. */
export class LastPicture {
  readonly #canvas: HTMLCanvasElement;
  #copy: HTMLCanvasElement | undefined;
  #context: CanvasRenderingContext2D | null = null;
  #kept = -Infinity;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Copies the picture, in the task that drew it; while it changes (`moves`), at most once per interval. */
  keep(now: number, moves: boolean, from: HTMLCanvasElement | ImageBitmap = this.#canvas): void {
    if (moves && now - this.#kept < INTERVAL) return;
    const { width, height } = from;
    if (!this.#copy) {
      this.#copy = document.createElement('canvas');
      this.#copy.setAttribute('aria-hidden', 'true');
      this.#context = this.#copy.getContext('2d');
    }
    this.#kept = now;
    if (this.#copy.width !== width) this.#copy.width = width;
    if (this.#copy.height !== height) this.#copy.height = height;
    const context = this.#context;
    if (!context) return;
    // Replaces the old picture, including its transparent parts.
    context.globalCompositeOperation = 'copy';
    context.drawImage(from, 0, 0);
  }

  /** Shows the copy over the canvas, or updates its position. */
  show(): void {
    const [canvas, copy] = [this.#canvas, this.#copy];
    if (!copy || !this.#context || !canvas.isConnected) return;
    const computed = getComputedStyle(canvas);
    const fixed = computed.position === 'fixed';
    const box = canvas.getBoundingClientRect();
    const [left, top] = fixed ? [box.left, box.top] : [canvas.offsetLeft, canvas.offsetTop];
    // Out of the flow, so that the layout of the page does not change.
    Object.assign(copy.style, {
      position: fixed ? 'fixed' : 'absolute',
      left: `${left + canvas.clientLeft}px`,
      top: `${top + canvas.clientTop}px`,
      width: `${canvas.clientWidth}px`,
      height: `${canvas.clientHeight}px`,
      margin: '0',
      maxWidth: 'none',
      maxHeight: 'none',
      pointerEvents: 'none',
    });
    for (const name of LOOKS) copy.style[name] = computed[name];
    if (!copy.isConnected) canvas.after(copy);
  }

  get shown(): boolean {
    return this.#copy?.isConnected ?? false;
  }

  hide(): void {
    this.#copy?.remove();
  }
}
