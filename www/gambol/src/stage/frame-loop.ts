// The frame loop of a canvas, in the window in which the canvas is shown.

import { timeOffset, windowOf, type View } from '../base/window.ts';

/** Calls back once per animation frame while frames are requested. At most one request is pending. */
export class FrameLoop {
  readonly #canvas: HTMLCanvasElement;
  readonly #frame: (now: number) => boolean;
  /** The window of the last request, whose times have an origin of their own. */
  #view: View;
  #offset = 0;
  #handle: number | undefined;
  #held = false;
  /** The least time between two frames, in milliseconds. */
  interval = 0;
  /** The time at which the last frame was due. */
  #last = 0;

  /** `frame` returns `true` to request another frame. */
  constructor(canvas: HTMLCanvasElement, frame: (now: number) => boolean) {
    this.#canvas = canvas;
    this.#view = windowOf(canvas);
    this.#frame = frame;
  }

  /** Requests a frame. While the loop is held it does nothing, because a release requests one. */
  request(): void {
    if (this.#held || this.#handle !== undefined) return;
    const view = windowOf(this.#canvas);
    if (view !== this.#view) {
      this.#view = view;
      this.#offset = timeOffset(view);
    }
    this.#handle = view.requestAnimationFrame(this.#due);
  }

  readonly #due = (time: number): void => {
    this.#handle = undefined;
    const now = time + this.#offset;
    // The tolerance of half a millisecond is for the jitter of displays.
    if (now < this.#last + this.interval - 0.5) return this.request();
    this.#last = Math.max(this.#last + this.interval, now - this.interval);
    if (this.#frame(now)) this.request();
  };

  /**
   * Stops frames until {@link FrameLoop.release}: the page is hidden, the canvas is off-screen, the context is lost, or disposed.
   */
  hold(): void {
    this.#held = true;
    this.#cancel();
  }

  release(): void {
    this.#held = false;
    this.request();
  }

  /** Requests a frame of another window if the canvas has moved there: that of the window before may never come. */
  follow(): void {
    if (windowOf(this.#canvas) === this.#view) return;
    this.#cancel();
    this.request();
  }

  get held(): boolean {
    return this.#held;
  }

  #cancel(): void {
    if (this.#handle !== undefined) this.#view.cancelAnimationFrame(this.#handle);
    this.#handle = undefined;
  }
}
