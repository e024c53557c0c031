import type { Viewer } from 'gambol';
import { byId } from './dom.ts';
import { seconds } from './format.ts';

/** Ticks closer than this, in pixels, only make a grey line. */
const CLOSEST_TICKS = 5;

/** The slider that shows and sets the time, also while the clip plays. */
export class Timeline {
  readonly #viewer: Viewer;
  readonly #root = byId('timeline');
  readonly #input = byId<HTMLInputElement>('seek');
  readonly #now = byId('time-now');
  readonly #rest = byId('time-rest');
  /** While somebody holds the thumb: where it was, and whether to play on afterwards. */
  #held: { time: number; playing: boolean } | undefined;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    this.#input.addEventListener('pointerdown', (event) => event.button === 0 && this.#hold());
    this.#input.addEventListener('input', () => this.#seek(this.#input.valueAsNumber));
    for (const type of ['pointerup', 'pointercancel', 'blur']) this.#input.addEventListener(type, () => this.#release());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#ticks()).observe(this.#root);
    for (const type of ['frame', 'seeked', 'clipchange', 'load'] as const) viewer.addEventListener(type, () => this.show());
    for (const type of ['clipchange', 'load'] as const) viewer.addEventListener(type, () => this.#ticks());
  }

  /** Whether the thumb is held; the buttons then still say what will be after it. */
  get playsOn(): boolean {
    return this.#held?.playing ?? false;
  }

  show(): void {
    const { currentTime, duration, clip, blend } = this.#viewer;
    const usable = duration > 0;
    const plays = clip !== null || blend !== null;
    this.#input.disabled = !usable;
    this.#input.max = String(usable ? duration : 1);
    if (!this.#held) this.#input.value = String(currentTime);
    this.#root.style.setProperty('--at', String(usable ? currentTime / duration : 0));
    this.#now.textContent = plays ? `${seconds(currentTime)} s` : '–';
    const frame = clip ? Math.round(currentTime * clip.fps) : 0;
    const frames = clip ? Math.round(duration * clip.fps) : 0;
    this.#rest.replaceChildren(plays ? `of ${seconds(duration)} s` : '');
    if (clip && frames > 0) {
      const words = document.createElement('span');
      words.className = 'time-frames';
      words.textContent = ` · frame ${frame} of ${frames}`;
      this.#rest.append(words);
    }
    this.#input.setAttribute('aria-valuetext', plays ? `${seconds(currentTime)} of ${seconds(duration)} seconds${clip ? `, frame ${frame}` : ''}` : 'nothing to play');
  }

  #seek(time: number): void {
    this.#viewer.currentTime = time;
    this.show();
  }

  #hold(): void {
    this.#held = { time: this.#viewer.currentTime, playing: !this.#viewer.paused };
    // The clip stands still under the finger.
    this.#viewer.pause();
    this.#root.classList.add('scrubbing');
  }

  #release(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    this.#root.classList.remove('scrubbing');
    if (held.playing) this.#viewer.play();
    this.show();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { currentTime, duration } = this.#viewer;
    const steps: Record<string, () => void> = {
      ArrowLeft: () => void this.#viewer.step(-1),
      ArrowDown: () => void this.#viewer.step(-1),
      ArrowRight: () => void this.#viewer.step(1),
      ArrowUp: () => void this.#viewer.step(1),
      PageDown: () => this.#seek(currentTime - 1),
      PageUp: () => this.#seek(currentTime + 1),
      Home: () => this.#seek(0),
      End: () => this.#seek(duration),
      Escape: () => {
        if (!this.#held) return;
        this.#seek(this.#held.time);
        this.#release();
      },
    };
    const step = steps[event.key];
    if (!step || (event.key === 'Escape' && !this.#held)) return;
    event.preventDefault();
    event.stopPropagation();
    step();
    this.show();
  }

  /** One tick a frame, or every tenth, or every second, whichever does not run together. */
  #ticks(): void {
    const { duration, clip } = this.#viewer;
    const fps = clip?.fps ?? 0;
    const width = this.#root.clientWidth;
    if (!(duration > 0) || !(fps > 0)) return;
    const step = [1 / fps, 5 / fps, 10 / fps, 1, 5, 10, 60].find((time) => (time / duration) * width >= CLOSEST_TICKS) ?? duration;
    this.#root.style.setProperty('--step', `${(step / duration) * 100}%`);
  }
}
