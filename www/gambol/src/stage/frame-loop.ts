/** Calls back once per animation frame while frames are requested. At most one request is pending. */
export class FrameLoop {
  readonly #frame: (now: number) => boolean;
  #handle: number | undefined;
  #held = false;
  /** The least time between two frames, in milliseconds. */
  interval = 0;
  /** The time at which the last frame was due. */
  #last = 0;

  /** `frame` returns `true` to request another frame. */
  constructor(frame: (now: number) => boolean) {
    this.#frame = frame;
  }

  /** Requests a frame. While the loop is held it does nothing, because a release requests one. */
  request(): void {
    if (this.#held || this.#handle !== undefined) return;
    this.#handle = requestAnimationFrame(this.#due);
  }

  readonly #due = (now: number): void => {
    this.#handle = undefined;
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
    if (this.#handle === undefined) return;
    cancelAnimationFrame(this.#handle);
    this.#handle = undefined;
  }

  release(): void {
    this.#held = false;
    this.request();
  }

  get held(): boolean {
    return this.#held;
  }
}
