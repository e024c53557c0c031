// Observes the layout of a canvas: its size in device pixels, and its visibility.

export interface CanvasListener {
  /**
   * Called with the size in device pixels and their ratio to CSS pixels: first in the constructor, then before the browser
   * paints.
   */
  resized(width: number, height: number, pixelRatio: number): void;
  visible(visible: boolean): void;
}

/**
 * Observes a canvas. Without observers in the browser, the canvas counts as visible, and is measured when the window is resized.
 */
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
        // The size in whole device pixels as the browser snaps them; other sizes blur the canvas at fractional zoom.
        observer.observe(canvas, { box: 'device-pixel-content-box' });
      } catch {
        observer.observe(canvas);
      }
      signal.addEventListener('abort', () => observer.disconnect());
    }
    // Page zoom and a change of screen change the pixel ratio, but not always the box.
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
    // The client size, without CSS transforms, so that an animated transform does not resize the canvas in each frame.
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
