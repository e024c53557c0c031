// The timeline slider, which shows and sets the playhead.

import type { Viewer } from '../../api/viewer.ts';
import { make, setAttribute } from '../base/dom.ts';
import { step, timeWords } from './actions.ts';
import type { Player } from './player.ts';

/** The least distance of two ticks in CSS pixels; closer ticks would merge into a grey line. */
const CLOSEST_TICKS = 5;

export class Scrubber {
  readonly element: HTMLElement;
  readonly #host: Player;
  readonly #viewer: Viewer;
  readonly #input: HTMLInputElement;
  readonly #markers: HTMLElement;
  readonly #changed: () => void;
  /** While the thumb is held: the time before, and `playing` if playback resumes after the release. */
  #held: { readonly time: number; readonly playing: boolean } | undefined;
  #spoken = '';

  constructor(host: Player, viewer: Viewer, changed: () => void) {
    this.#input = make('input', { type: 'range', min: '0', step: 'any', part: 'timeline', 'aria-label': 'Time' });
    this.#markers = make('div', { class: 'markers' });
    const thumb = make('div', { class: 'thumb', part: 'timeline-thumb' });
    this.#host = host;
    this.#viewer = viewer;
    this.#changed = changed;
    this.element = make(
      'div',
      { class: 'timeline' },
      make('div', { class: 'track' }),
      make('div', { class: 'fill' }),
      make('div', { class: 'ticks' }),
      this.#markers,
      this.#input,
      thumb,
    );
    const input = this.#input;
    input.addEventListener('pointerdown', (event) => event.button === 0 && this.#hold());
    input.addEventListener('input', () => this.#seek(input.valueAsNumber));
    for (const type of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(type, () => this.#release());
    input.addEventListener('keydown', (event) => this.#key(event));
  }

  /** `true` if the thumb is held and playback resumes after its release, so that buttons keep showing “playing”. */
  get playsOn(): boolean {
    return this.#held?.playing ?? false;
  }

  /** Updates the slider to the current time. */
  show(): void {
    const { currentTime, duration, clip } = this.#viewer;
    const input = this.#input;
    input.disabled = !(duration > 0);
    setAttribute(input, 'max', String(duration > 0 ? duration : 1));
    if (!this.#held) input.value = String(currentTime);
    this.element.style.setProperty('--at', String(duration > 0 ? currentTime / duration : 0));
    const frame = clip ? `, frame ${Math.round(currentTime * clip.fps)}` : '';
    const spoken = `${timeWords(currentTime)} of ${timeWords(duration)} seconds${frame}`;
    if (spoken !== this.#spoken) setAttribute(input, 'aria-valuetext', (this.#spoken = spoken));
  }

  /**
   * Shows the markers of the current clip, and ticks at the smallest step (1, 5 or 10 frames, then seconds) that keeps them
   * apart.
   */
  showMarkers(): void {
    const { duration, clip, clips } = this.#viewer;
    const width = this.element.clientWidth;
    const steps = clip && clip.fps > 0 && duration > 0 ? [1 / clip.fps, 5 / clip.fps, 10 / clip.fps, 1, 5, 10, 60] : [];
    const step = steps.find((time) => (time / duration) * width >= CLOSEST_TICKS) ?? duration;
    this.element.style.setProperty('--tick', `${duration > 0 ? (100 * step) / duration : 100}%`);
    const markers = clips.find(({ index }) => index === clip?.index)?.markers ?? [];
    this.#markers.replaceChildren(
      ...markers
        .filter(({ time }) => time >= 0 && time <= duration)
        .map(({ name, time }) => {
          const mark = make('div', { part: 'timeline-marker', title: name });
          mark.style.left = `${(100 * time) / duration}%`;
          return mark;
        }),
    );
  }

  #seek(time: number): void {
    this.#host.currentTime = time;
    this.show();
  }

  #hold(): void {
    this.#held = { time: this.#host.currentTime, playing: !this.#host.paused };
    // Paused, so that playback does not move the thumb while it is dragged.
    this.#host.pause();
  }

  #release(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    if (held.playing) void this.#host.play();
    this.#changed();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { currentTime, duration } = this.#host;
    const by = (frames: number) => () => step(this.#host, frames);
    const steps: Record<string, () => void> = {
      ArrowLeft: by(-1),
      ArrowDown: by(-1),
      ArrowRight: by(1),
      ArrowUp: by(1),
      PageDown: () => this.#seek(Math.max(0, currentTime - 1)),
      PageUp: () => this.#seek(Math.min(duration, currentTime + 1)),
      Home: () => this.#seek(0),
      End: () => this.#seek(duration),
    };
    const action = event.key === 'Escape' && this.#held ? () => this.#cancel() : steps[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
    this.show();
  }

  #cancel(): void {
    this.#seek(this.#held?.time ?? 0);
    this.#release();
  }
}
