// The canvas as the page lays it out: how many device pixels it has, and whether anybody can see it.

export interface CanvasListener {
  /** Device pixels, and how many a CSS pixel has; called at once for the first size and then before the browser paints. */
  resized(width: number, height: number, pixelRatio: number): void;
  visible(visible: boolean): void;
}

/** Watches a canvas. Where the browser has no observers it counts as visible and follows the window's size. */
export class CanvasObserver {
  readonly #canvas: HTMLCanvasElement;
  readonly #listener: CanvasListener;
  readonly #maxDpr: number;
  readonly #stop = new AbortController();
  #inView = true;
  #visible = true;
  #size: readonly [width: number, height: number, ratio: number] = [0, 0, 0];

  constructor(canvas: HTMLCanvasElement, maxDpr: number, listener: CanvasListener) {
    this.#canvas = canvas;
    this.#maxDpr = maxDpr;
    this.#listener = listener;
    const { signal } = this.#stop;
    this.#measure();

    if (typeof ResizeObserver === 'function') {
      const observer = new ResizeObserver((entries) => this.#measure(entries.at(-1)));
      try {
        // Whole device pixels as the browser snaps them; without it a canvas is blurred at fractional zoom.
        observer.observe(canvas, { box: 'device-pixel-content-box' });
      } catch {
        observer.observe(canvas);
      }
      signal.addEventListener('abort', () => observer.disconnect());
    }
    // Zooming the page and moving to another screen change the ratio, not always the box.
    window.addEventListener('resize', () => this.#measure(), { signal });

    if (typeof IntersectionObserver === 'function') {
      const observer = new IntersectionObserver((entries) => {
        this.#inView = entries.at(-1)?.isIntersecting ?? true;
        this.#see();
      });
      observer.observe(canvas);
      signal.addEventListener('abort', () => observer.disconnect());
    }
    document.addEventListener('visibilitychange', () => this.#see(), { signal });
    this.#visible = document.visibilityState !== 'hidden';
  }

  get visible(): boolean {
    return this.#visible;
  }

  dispose(): void {
    this.#stop.abort();
  }

  #see(): void {
    const visible = this.#inView && document.visibilityState !== 'hidden';
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#listener.visible(visible);
  }

  #measure(entry?: ResizeObserverEntry): void {
    const ratio = window.devicePixelRatio || 1;
    const exact = entry?.devicePixelContentBoxSize?.[0];
    const css = this.#canvas.getBoundingClientRect();
    // The rectangle includes transforms, the client size does not; a zoomed-out thumbnail needs no more pixels
    // than it shows, but a rotating one must not change its size all the time.
    let width = exact?.inlineSize ?? (this.#canvas.clientWidth || css.width) * ratio;
    let height = exact?.blockSize ?? (this.#canvas.clientHeight || css.height) * ratio;
    const scale = Math.min(1, this.#maxDpr / ratio);
    width = Math.max(1, Math.round(width * scale));
    height = Math.max(1, Math.round(height * scale));
    const size = [width, height, ratio * scale] as const;
    if (size.every((value, i) => value === this.#size[i])) return;
    this.#size = size;
    this.#listener.resized(...size);
  }
}
