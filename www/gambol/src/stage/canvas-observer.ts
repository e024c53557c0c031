// Observes the layout of a canvas: its size in device pixels, and its visibility.

import { windowOf, type View } from '../base/window.ts';

export interface CanvasListener {
  /**
   * Called with the size in device pixels and their ratio to CSS pixels of the canvas: first in the constructor, then before the
   * browser paints.
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
  /** Ends the observation in the window of {@link #view}. */
  #stop = new AbortController();
  #view: View;
  #inView = true;
  #visible = true;
  #size: readonly [width: number, height: number, ratio: number] = [0, 0, 0];

  constructor(canvas: HTMLCanvasElement, maxDpr: number, listener: CanvasListener) {
    this.#canvas = canvas;
    this.#maxDpr = maxDpr;
    this.#listener = listener;
    this.#view = windowOf(canvas);
    this.#observe();
    this.#visible = this.#view.document.visibilityState !== 'hidden';
  }

  get visible(): boolean {
    return this.#visible;
  }

  /** Observes the canvas in another window if it has moved there. */
  follow(): void {
    const view = windowOf(this.#canvas);
    if (view === this.#view) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#view = view;
    this.#observe();
    this.#see();
  }

  /** Reports the size again. */
  refresh(): void {
    this.#size = [0, 0, 0];
    this.#measure();
  }

  dispose(): void {
    this.#stop.abort();
  }

  #observe(): void {
    const [canvas, view] = [this.#canvas, this.#view];
    const { signal } = this.#stop;
    this.#measure();

    // Those of the window, because others may sleep with the window that made them.
    if (typeof view.ResizeObserver === 'function') {
      const observer = new view.ResizeObserver((entries) => this.#measure(entries.at(-1)));
      try {
        // The size in whole device pixels as the browser snaps them; other sizes blur the canvas at fractional zoom.
        observer.observe(canvas, { box: 'device-pixel-content-box' });
      } catch {
        observer.observe(canvas);
      }
      signal.addEventListener('abort', () => observer.disconnect());
    }
    // Page zoom and a change of screen change the pixel ratio, but not always the box.
    view.addEventListener('resize', () => this.#measure(), { signal });

    if (typeof view.IntersectionObserver === 'function') {
      const observer = new view.IntersectionObserver((entries) => {
        this.#inView = entries.at(-1)?.isIntersecting ?? true;
        this.#see();
      });
      observer.observe(canvas);
      signal.addEventListener('abort', () => observer.disconnect());
    }
    view.document.addEventListener('visibilitychange', () => this.#see(), { signal });
  }

  #see(): void {
    const visible = this.#inView && this.#view.document.visibilityState !== 'hidden';
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#listener.visible(visible);
  }

  #measure(entry?: ResizeObserverEntry): void {
    const canvas = this.#canvas;
    // CSS zoom makes the pixels of the canvas larger than those of the page.
    const zoom = canvas.currentCSSZoom ?? 1;
    const dpr = this.#view.devicePixelRatio || 1;
    const ratio = dpr * zoom;
    const exact = entry?.devicePixelContentBoxSize?.[0];
    const css = canvas.getBoundingClientRect();
    // The client size, without CSS transforms, so that an animated transform does not resize the canvas in each frame.
    let width = exact?.inlineSize ?? (canvas.clientWidth * ratio || css.width * dpr);
    let height = exact?.blockSize ?? (canvas.clientHeight * ratio || css.height * dpr);
    const scale = Math.min(1, this.#maxDpr / dpr);
    width = Math.max(1, Math.round(width * scale));
    height = Math.max(1, Math.round(height * scale));
    const size = [width, height, ratio * scale] as const;
    if (size.every((value, i) => value === this.#size[i])) return;
    this.#size = size;
    this.#listener.resized(...size);
  }
}
