// The slider that shows and sets the time, also while the clip plays.

import type { Viewer } from '../../api/viewer.ts';
import { make, setAttribute } from '../base/dom.ts';
import { step, timeWords } from './actions.ts';
import type { Player } from './player.ts';

/** Frames closer than this, in CSS pixels, would only make a grey line. */
const CLOSEST_TICKS = 5;

export class Scrubber {
  readonly element: HTMLElement;
  readonly #host: Player;
  readonly #viewer: Viewer;
  readonly #input: HTMLInputElement;
  readonly #markers: HTMLElement;
  readonly #changed: () => void;
  /** While somebody holds the thumb: where it was, and whether to play on afterwards. */
  #held: { readonly time: number; readonly playing: boolean } | undefined;
  #spoken = '';

  constructor(host: Player, viewer: Viewer, changed: () => void) {
    this.#input = make('input', { type: 'range', min: '0', step: 'any', part: 'timeline', 'aria-label': 'Time' });
    this.#markers = make('div', { class: 'markers' });
    const thumb = make('div', { class: 'thumb', part: 'timeline-thumb' });
    this.#host = host;
    this.#viewer = viewer;
    this.#changed = changed;
    this.element = make('div', { class: 'timeline' }, make('div', { class: 'track' }), make('div', { class: 'fill' }), make('div', { class: 'ticks' }), this.#markers, this.#input, thumb);
    const input = this.#input;
    input.addEventListener('pointerdown', (event) => event.button === 0 && this.#hold());
    input.addEventListener('input', () => this.#seek(input.valueAsNumber));
    for (const type of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(type, () => this.#release());
    input.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Whether the thumb is held; the buttons then still say what will be after it. */
  get playsOn(): boolean {
    return this.#held?.playing ?? false;
  }

  /** Shows the time of now. */
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

  /** Shows the markers of the clip of now, and its frames as ticks, or every tenth, or its seconds, whichever do not run together. */
  showMarkers(): void {
    const { duration, clip, clips } = this.#viewer;
    const width = this.element.clientWidth;
    const steps = clip && clip.fps > 0 && duration > 0 ? [1 / clip.fps, 5 / clip.fps, 10 / clip.fps, 1, 5, 10, 60] : [];
    const step = steps.find((time) => (time / duration) * width >= CLOSEST_TICKS) ?? duration;
    this.element.style.setProperty('--tick', `${duration > 0 ? (100 * step) / duration : 100}%`);
    const markers = clips.find(({ index }) => index === clip?.index)?.markers ?? [];
    this.#markers.replaceChildren(...markers.filter(({ time }) => time >= 0 && time <= duration).map(({ name, time }) => {
      const mark = make('div', { part: 'timeline-marker', title: name });
      mark.style.left = `${(100 * time) / duration}%`;
      return mark;
    }));
  }

  #seek(time: number): void {
    this.#host.currentTime = time;
    this.show();
  }

  #hold(): void {
    this.#held = { time: this.#host.currentTime, playing: !this.#host.paused };
    // The clip stands still under the finger.
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
    const act = event.key === 'Escape' && this.#held ? () => this.#cancel() : steps[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
    this.show();
  }

  #cancel(): void {
    this.#seek(this.#held?.time ?? 0);
    this.#release();
  }
}
