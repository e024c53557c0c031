import type { LoopMode, Viewer } from 'gambol';
import { byId, label, useIcon } from './dom.ts';
import { speed } from './format.ts';
import type { Timeline } from './timeline.ts';

const SPEEDS = [-1, -0.5, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

const LOOPS: Record<LoopMode, { words: string; icon: string; next: LoopMode }> = {
  repeat: { words: 'Repeats', icon: 'repeat', next: 'pingpong' },
  pingpong: { words: 'Back and forth', icon: 'pingpong', next: 'once' },
  once: { words: 'Plays once', icon: 'once', next: 'repeat' },
};

/** Play, frame steps, speed and loop mode: the row below the timeline. */
export class Transport {
  readonly #viewer: Viewer;
  readonly #timeline: Timeline;
  readonly #play = byId<HTMLButtonElement>('play');
  readonly #playIcon = byId<SVGUseElement>('play-icon');
  readonly #speed = byId<HTMLSelectElement>('speed');
  readonly #loop = byId<HTMLButtonElement>('loop');
  readonly #loopIcon = byId<SVGUseElement>('loop-icon');
  readonly #needClips: readonly (HTMLButtonElement | HTMLSelectElement)[];

  constructor(viewer: Viewer, timeline: Timeline) {
    this.#viewer = viewer;
    this.#timeline = timeline;
    const back = byId<HTMLButtonElement>('step-back');
    const forward = byId<HTMLButtonElement>('step-forward');
    this.#needClips = [this.#play, back, forward, this.#speed, this.#loop];
    this.#speed.append(...SPEEDS.map((rate) => new Option(speed(rate), String(rate), rate === 1, rate === 1)));

    this.#play.addEventListener('click', () => this.toggle());
    back.addEventListener('click', () => void viewer.step(-1));
    forward.addEventListener('click', () => void viewer.step(1));
    this.#speed.addEventListener('change', () => {
      viewer.playbackRate = Number(this.#speed.value);
    });
    this.#loop.addEventListener('click', () => this.nextLoopMode());
    for (const type of ['play', 'pause', 'finished', 'seeking', 'seeked', 'ratechange', 'clipchange', 'load', 'error'] as const) {
      viewer.addEventListener(type, () => this.show());
    }
    this.show();
  }

  toggle(): void {
    if (this.#viewer.clips.length === 0) return;
    if (this.#viewer.paused) this.#viewer.play();
    else this.#viewer.pause();
  }

  nextLoopMode(): string {
    const next = LOOPS[this.#viewer.loopMode].next;
    this.#viewer.loopMode = next;
    this.show();
    return LOOPS[next].words;
  }

  /** The next speed up or down; the new one in words. */
  changeSpeed(direction: 1 | -1): string {
    const rate = this.#viewer.playbackRate;
    const next = direction > 0 ? SPEEDS.find((other) => other > rate + 1e-9) : SPEEDS.findLast((other) => other < rate - 1e-9);
    if (next !== undefined) this.#viewer.playbackRate = next;
    return speed(this.#viewer.playbackRate);
  }

  show(): void {
    const { paused, ended, playbackRate, loopMode, clips } = this.#viewer;
    const playing = !paused || this.#timeline.playsOn;
    for (const control of this.#needClips) control.disabled = clips.length === 0;
    useIcon(this.#playIcon, playing ? 'pause' : ended ? 'replay' : 'play');
    label(this.#play, playing ? 'Pause' : ended ? 'Play again' : 'Play', 'Space');
    useIcon(this.#loopIcon, LOOPS[loopMode].icon);
    label(this.#loop, LOOPS[loopMode].words, 'R');
    byId('app').classList.toggle('playing', playing && !ended);

    const value = String(playbackRate);
    // The keys of a page's address may have asked for a speed that is not in the list.
    if (![...this.#speed.options].some((option) => option.value === value)) this.#speed.append(new Option(speed(playbackRate), value));
    this.#speed.value = value;
  }
}
