// A canvas goes blank when its context is lost, and what it showed cannot be read any more. So there is a copy.


/** Milliseconds from copy to copy while the picture moves. */
const INTERVAL = 1000;
/** What the copy has in common with the canvas. */
const LOOKS = ['zIndex', 'transform', 'transformOrigin', 'borderRadius', 'opacity', 'visibility', 'objectFit', 'objectPosition'] as const;

/** The last picture of a canvas, to be seen in its place while there is no other. */
export class LastPicture {
  readonly #canvas: HTMLCanvasElement;
  #copy: HTMLCanvasElement | undefined;
  #context: CanvasRenderingContext2D | null = null;
  #kept = -Infinity;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Copies the picture, in the task that drew it; one that will move on only now and then. */
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
    // In place of what is there, transparent parts too.
    context.globalCompositeOperation = 'copy';
    context.drawImage(from, 0, 0);
  }

  /** Shows the copy over the canvas, or, if it does already, where the canvas is now. */
  show(): void {
    const [canvas, copy] = [this.#canvas, this.#copy];
    if (!copy || !this.#context || !canvas.isConnected) return;
    const computed = getComputedStyle(canvas);
    const fixed = computed.position === 'fixed';
    const box = canvas.getBoundingClientRect();
    const [left, top] = fixed ? [box.left, box.top] : [canvas.offsetLeft, canvas.offsetTop];
    // Out of the flow, so that nothing else moves.
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
