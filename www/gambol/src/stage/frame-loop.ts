/** Calls back once a frame while there is something to do; never more than one request is in flight. */
export class FrameLoop {
  readonly #frame: (now: number) => boolean;
  #handle: number | undefined;
  #held = false;
  /** The least milliseconds from frame to frame. */
  interval = 0;
  /** When the last frame was due. */
  #last = 0;

  /** `frame` says whether it wants another one. */
  constructor(frame: (now: number) => boolean) {
    this.#frame = frame;
  }

  /** Asks for a frame; while held, for the time after. */
  request(): void {
    if (this.#held || this.#handle !== undefined) return;
    this.#handle = requestAnimationFrame(this.#due);
  }

  readonly #due = (now: number): void => {
    this.#handle = undefined;
    // Half a millisecond is what displays are off.
    if (now < this.#last + this.interval - 0.5) return this.request();
    this.#last = Math.max(this.#last + this.interval, now - this.interval);
    if (this.#frame(now)) this.request();
  };

  /** No frames until {@link FrameLoop.release}: hidden, off-screen, the context lost, disposed. */
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
