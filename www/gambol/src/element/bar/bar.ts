// The bar below the picture: time, play, clips, speed and more.

import type { LoopMode } from '../../values/words.ts';
import type { ViewerEventName } from '../../values/events.ts';
import type { Viewer } from '../../api/viewer.ts';
import { adoptStyle, drawIcon, icon, isHtmlElement, make, setAttribute } from '../base/dom.ts';
import {
  LOOPS,
  SPEEDS,
  canFullscreen,
  isFullscreen,
  nextLoopMode,
  openRecorder,
  savePicture,
  setSpeed,
  speedWords,
  step,
  timeWords,
  toggle,
  toggleFullscreen,
} from './actions.ts';
import css from './controls.css';
import { Scrubber } from './scrubber.ts';
import type { Player } from './player.ts';

/** The paths of an icon: one that is stroked, and one that is filled. */
type Drawing = readonly [strokes: string, solid?: string];

const PLAY: Drawing = ['', 'M8 5.500v13a.9.9 0 0 0 1.400.7l10-6.500a.9.9 0 0 0 0-1.400l-10-6.500A.9.9 0 0 0 8 5.500Z'];
const PAUSE: Drawing = [
  '',
  'M7.500 5h2A1 1 0 0 1 10.500 6v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm7 0h2a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
];
const REPLAY: Drawing = ['M4.500 12a7.500 7.500 0 1 0 2.400-5.500L4.500 8.700M4.500 4.500v4.200h4.200'];
const BACK: Drawing = [
  'M6 6.500v11',
  'M17 6.800v10.400a.6.6 0 0 1-.9.5l-7.400-5.200a.6.6 0 0 1 0-1l7.400-5.200a.6.6 0 0 1 .9.5Z',
];
const FORWARD: Drawing = [
  'M18 6.500v11',
  'M7 6.800v10.400a.6.6 0 0 0 .9.5l7.400-5.200a.6.6 0 0 0 0-1L7.900 6.300a.6.6 0 0 0-.9.5Z',
];
const CAMERA: Drawing = [
  'M4 8.600A1.600 1.600 0 0 1 5.600 7h2.200l1.400-2h5.600l1.400 2h2.200A1.600 1.600 0 0 1 20 8.600v8.800a1.600 1.600 0 0 1-1.600 1.600H5.600A1.600 1.600 0 0 1 4 17.400ZM15.300 12.700a3.300 3.300 0 1 1-6.600 0 3.300 3.300 0 0 1 6.600 0Z',
];
const RECORD: Drawing = [
  'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z',
  'M15.500 12a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0Z',
];
const EXPAND: Drawing = ['M9.500 4.500h-5v5M14.500 19.500h5v-5M4.800 4.800l5.400 5.400M19.200 19.200l-5.400-5.400'];
const SHRINK: Drawing = ['M4.500 10H10V4.500M19.500 14H14v5.500M9.700 9.700 4.500 4.500M14.300 14.300l5.200 5.200'];
const LOOP: Readonly<Record<LoopMode, Drawing>> = {
  repeat: [
    'M4.500 11V9.500a3 3 0 0 1 3-3h11M16 3.800l2.700 2.700L16 9.200M19.500 13v1.500a3 3 0 0 1-3 3h-11M8 20.200l-2.700-2.700L8 14.800',
  ],
  pingpong: ['M4 12h16M7.200 8.600 3.800 12l3.400 3.400M16.800 8.600l3.400 3.400-3.400 3.400'],
  once: ['M4 12h12M12.800 8.600l3.400 3.400-3.400 3.400M20 6v12'],
};

const EVENTS: readonly ViewerEventName[] = ['play', 'pause', 'finished', 'seeked', 'ratechange', 'clipchange'];

export class Bar {
  readonly element: HTMLElement;
  readonly kind: true | 'minimal';
  readonly #host: Player;
  readonly #viewer: Viewer;
  readonly #scrubber: Scrubber;
  readonly #toolbar: HTMLElement;
  readonly #time: HTMLElement;
  readonly #rest: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #loop: HTMLButtonElement;
  readonly #fullscreen: HTMLButtonElement;
  readonly #clips: HTMLSelectElement;
  readonly #speeds: HTMLSelectElement;
  readonly #stop = new AbortController();

  constructor(host: Player, viewer: Viewer, kind: true | 'minimal') {
    if (host.shadowRoot) adoptStyle(host.shadowRoot, css);
    this.#time = make('span', { class: 'now' });
    this.#rest = make('span', { class: 'rest', part: 'duration' });
    this.#frame = make('span', { class: 'rest', part: 'frame' });
    this.#clips = make('select', { part: 'clip-select', class: 'clips', 'aria-label': 'Clip', title: 'Clip (N, P)' });
    this.#speeds = make('select', { part: 'speed', 'aria-label': 'Speed', title: 'Speed ([, ])' });
    this.#host = host;
    this.#viewer = viewer;
    this.kind = kind;
    const button = (part: string, drawing: Drawing, act: () => unknown): HTMLButtonElement => {
      const made = make('button', { type: 'button', part, class: part }, icon(...drawing));
      made.addEventListener('click', () => act());
      return made;
    };
    this.#scrubber = new Scrubber(host, viewer, () => this.show());
    this.#play = button('play-button', PLAY, () => toggle(host));
    this.#loop = button('loop-button', LOOP.repeat, () => host.announce(nextLoopMode(host)));
    this.#fullscreen = button('fullscreen-button', EXPAND, () => toggleFullscreen(host));
    this.#fullscreen.hidden = !canFullscreen(host);
    const [back, forward, save, film] = [
      button('step-back-button', BACK, () => step(host, -1)),
      button('step-forward-button', FORWARD, () => step(host, 1)),
      button('picture-button', CAMERA, () => savePicture(host)),
      button('record-button', RECORD, () => openRecorder(host)),
    ];
    this.#name(back, 'Previous frame', ',');
    this.#name(forward, 'Next frame', '.');
    this.#name(save, 'Save screenshot', 'S');
    for (const name of ['aria-label', 'title']) setAttribute(film, name, 'Record');
    this.#clips.addEventListener('change', () => {
      host.animationName = this.#clips.value;
    });
    this.#speeds.append(...SPEEDS.map((rate) => new Option(speedWords(rate), String(rate))));
    this.#speeds.addEventListener('change', () => setSpeed(host, Number(this.#speeds.value)));

    const time = make('div', { class: 'time', part: 'time' }, this.#time, this.#rest, this.#frame);
    const tools =
      kind === 'minimal'
        ? [this.#play]
        : [this.#play, back, forward, this.#clips, this.#speeds, this.#loop, save, film, this.#fullscreen];
    this.#toolbar = make('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Playback' }, ...tools);
    this.#play.after(...(kind === 'minimal' ? [] : [time]));
    this.element = make(
      'div',
      { class: `controls ${kind === 'minimal' ? 'minimal' : 'full'}`, part: 'controls' },
      this.#scrubber.element,
      this.#toolbar,
      ...(kind === 'minimal' ? [time] : []),
    );
    this.#rove(tools);

    const { signal } = this.#stop;
    for (const event of EVENTS) viewer.addEventListener(event, () => this.show(), { signal });
    for (const event of ['frame', 'seeked'] as const)
      viewer.addEventListener(event, () => this.#showTime(), { signal });
    for (const event of ['modelchange', 'clipschange'] as const)
      viewer.addEventListener(event, () => this.#fill(), { signal });
    host.ownerDocument.addEventListener('fullscreenchange', () => this.show(), { signal });
    this.#fill();
  }

  /** Updates all controls to the state of the viewer. */
  show(): void {
    const { paused, ended, loopMode, playbackRate, clip, clips } = this.#viewer;
    const playing = !paused || this.#scrubber.playsOn;
    this.#redraw(this.#play, playing ? PAUSE : ended ? REPLAY : PLAY);
    this.#name(this.#play, playing ? 'Pause' : ended ? 'Replay' : 'Play', 'Space');
    for (const control of [this.#play, this.#loop, this.#speeds]) control.disabled = clips.length === 0;
    this.#redraw(this.#loop, LOOP[loopMode]);
    this.#name(this.#loop, LOOPS[loopMode].words, 'R');
    const full = isFullscreen(this.#host);
    this.#redraw(this.#fullscreen, full ? SHRINK : EXPAND);
    this.#name(this.#fullscreen, full ? 'Exit full screen' : 'Full screen', 'F');
    this.#clips.value = clip?.id ?? '';
    const rate = String(playbackRate);
    // A speed that is not in the list is added to it.
    if (![...this.#speeds.options].some(({ value }) => value === rate))
      this.#speeds.append(new Option(speedWords(playbackRate), rate));
    this.#speeds.value = rate;
    this.#scrubber.showMarkers();
    this.#showTime();
  }

  dispose(): void {
    this.#stop.abort();
    this.element.remove();
  }

  /** Fills the list of clips after a change of model. */
  #fill(): void {
    const { clips } = this.#viewer;
    this.#clips.replaceChildren(...clips.map(({ id, index }) => new Option(id || `Clip ${index + 1}`, id)));
    this.#clips.hidden = clips.length < 2;
    this.show();
  }

  #showTime(): void {
    const { currentTime, duration, clip } = this.#viewer;
    this.#time.textContent = timeWords(currentTime);
    this.#rest.textContent = ` / ${timeWords(duration)} s`;
    const frames = Math.round(duration * (clip?.fps ?? 0));
    this.#frame.textContent = clip && frames > 0 ? ` · frame ${Math.round(currentTime * clip.fps)} of ${frames}` : '';
    this.#scrubber.show();
  }

  #redraw(button: HTMLElement, drawing: Drawing): void {
    const svg = button.querySelector('svg');
    if (svg) drawIcon(svg, ...drawing);
  }

  #name(button: HTMLElement, words: string, key: string): void {
    setAttribute(button, 'aria-label', words);
    setAttribute(button, 'title', `${words} (${key})`);
  }

  /** Roving tabindex: one tab stop, and arrow keys between tools. https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/ */
  #rove(tools: readonly HTMLElement[]): void {
    const only = (chosen: HTMLElement): void => tools.forEach((tool) => (tool.tabIndex = tool === chosen ? 0 : -1));
    only(this.#play);
    this.#toolbar.addEventListener('focusin', ({ target }) => isHtmlElement(target) && only(target));
    this.#toolbar.addEventListener('keydown', (event) => {
      const usable = tools.filter((tool) => tool.offsetParent !== null && !tool.matches(':disabled'));
      const at = usable.indexOf(event.target as HTMLElement);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: usable.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      usable[(to + usable.length) % usable.length]?.focus();
    });
  }
}
