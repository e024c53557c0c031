// What the element shows besides the model: poster, progress, prompt, words for what went wrong; its shadow tree.

import { adoptStyle, icon, make, setAttribute } from './dom.ts';
import css from './style.css';

const HAND = 'M9 11.5V5.2a1.5 1.5 0 0 1 3 0V11m0-1.6a1.5 1.5 0 0 1 3 0v2m0-.7a1.5 1.5 0 0 1 3 0v4.4c0 3.300-2.300 5.400-5.500 5.400-2.600 0-4-.9-5.300-3l-2.300-3.900c-.9-1.600 1-2.700 2-1.400L9 13.800';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export class ShadowTree {
  /** Holds the canvas and what lies over it. */
  readonly stage: HTMLElement;
  readonly hotspots: HTMLElement;
  /** Go where the fingers of `interact()` are. */
  readonly dots: readonly HTMLElement[];
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #poster: HTMLElement;
  readonly #picture = make('img', { alt: '', part: 'poster-image' });
  readonly #progress: HTMLElement;
  readonly #bar = make('div', { class: 'progress-bar' });
  readonly #prompt: HTMLElement;
  readonly #error: HTMLElement;
  readonly #status = make('div', { class: 'unseen', role: 'status' });
  /** What the page puts between the picture and the bar. */
  readonly #own = make('slot', { name: 'controls' });
  #canvas = make('canvas', { part: 'canvas' });

  constructor(host: HTMLElement, acts: { reveal(): void; retry(): void }) {
    this.#host = host;
    this.#root = host.attachShadow({ mode: 'open', delegatesFocus: true });
    adoptStyle(this.#root, css);
    this.hotspots = make('div', { class: 'hotspots' });
    this.#poster = make('div', { class: 'poster', part: 'poster', id: 'default-poster' }, make('slot', { name: 'poster' }, this.#picture));
    this.#poster.addEventListener('click', acts.reveal);
    this.#poster.addEventListener('keydown', (event) => {
      if (event.target !== this.#poster || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      acts.reveal();
    });
    this.#progress = make('slot', { name: 'progress-bar' }, make('div', {
      class: 'progress', part: 'progress-bar default-progress-bar', role: 'progressbar', 'aria-label': 'Loading', 'aria-valuemin': '0', 'aria-valuemax': '100',
    }, this.#bar));
    this.#prompt = make('div', { class: 'prompt', part: 'prompt', 'aria-hidden': 'true', hidden: true }, make('slot', { name: 'interaction-prompt' }, icon(HAND)));
    const retry = make('button', { type: 'button', part: 'retry-button' }, 'Try again');
    retry.addEventListener('click', acts.retry);
    this.#error = make('div', { class: 'error', part: 'error', role: 'alert', hidden: true }, make('p'), make('code'), retry);
    this.dots = ['finger0', 'finger1'].map((name) => make('div', { class: 'finger', 'aria-hidden': 'true' }, make('slot', { name })));
    // The page's own children lie over the picture.
    const own = make('div', { class: 'own' }, make('slot'));
    this.stage = make('div', { class: 'stage' }, this.#canvas, own, this.hotspots, ...this.dots, this.#poster, this.#progress, this.#prompt, this.#error);
    // Pages say `display: block` to the element, so it is not itself what lays out.
    this.#root.append(make('div', { class: 'frame' }, this.stage, this.#own, make('div', { class: 'fallback', hidden: true }, make('slot', { name: 'fallback' })), this.#status));
  }

  get canvas(): HTMLCanvasElement {
    return this.#canvas;
  }

  /** Another canvas, since one that had a context keeps it. */
  newCanvas(): HTMLCanvasElement {
    const { tabIndex } = this.#canvas;
    const canvas = make('canvas', { part: 'canvas' });
    for (const name of ['role', 'aria-roledescription', 'aria-label']) setAttribute(canvas, name, this.#canvas.getAttribute(name));
    canvas.tabIndex = tabIndex;
    this.stage.querySelectorAll('canvas').forEach((each) => each.remove());
    this.stage.prepend(canvas);
    this.#canvas = canvas;
    return canvas;
  }

  /** The name of the picture and its role, from the beginning: the canvas is there before the model. */
  describe(label: string, interactive: boolean): void {
    setAttribute(this.#canvas, 'role', interactive ? 'application' : 'img');
    setAttribute(this.#canvas, 'aria-roledescription', interactive ? '3D model' : null);
    setAttribute(this.#canvas, 'aria-label', label);
    this.#canvas.tabIndex = interactive ? 0 : -1;
  }

  /** Says something to those who listen. */
  say(words: string): void {
    this.#status.textContent = words;
  }

  /** The poster, which may be a button that reveals the model: `press` is its name then. */
  poster(address: string | null, shown: boolean, press: string | null): void {
    // A poster of the page brings its own buttons.
    if (!shown && this.#root.activeElement === this.#poster) this.#canvas.focus();
    const isButton = shown && press !== null && !this.#host.querySelector(':scope > [slot=poster]');
    setAttribute(this.#poster, 'role', isButton ? 'button' : null);
    setAttribute(this.#poster, 'tabindex', isButton ? '0' : null);
    setAttribute(this.#poster, 'aria-label', isButton ? press : null);
    if (address !== null && this.#picture.getAttribute('src') !== address) this.#picture.src = address;
    this.#picture.hidden = address === null;
    this.#poster.classList.toggle('gone', !shown);
    this.#poster.inert = !shown;
  }

  /** How far it is, `0..=1`; null for nothing under way. */
  progress(ratio: number | null): void {
    const element = this.#progress.firstElementChild;
    this.#progress.classList.toggle('gone', ratio === null);
    if (ratio === null || !element) return;
    setAttribute(element, 'aria-valuenow', String(Math.round(100 * ratio)));
    this.#bar.style.scale = `${ratio} 1`;
  }

  prompt(shown: boolean, wiggles: boolean): void {
    this.#prompt.hidden = !shown;
    this.#prompt.classList.toggle('wiggles', wiggles);
  }

  /** The words for what went wrong; null for nothing. Without WebGL the page's own children are shown in their place. */
  fail(failure: Failure | null, hopeless = false): void {
    const [words, code] = this.#error.children;
    if (words) words.textContent = failure?.message ?? '';
    if (code) code.textContent = failure?.code ?? '';
    const fallback = this.#root.querySelector<HTMLElement>('.fallback');
    const own = hopeless && [...this.#host.childNodes].some((node) => (node instanceof Element ? (!node.slot || node.slot === 'fallback') && !node.localName.startsWith('gambol-') : node.textContent?.trim()));
    if (fallback) fallback.hidden = !own;
    this.#error.hidden = failure === null || own;
  }

  /** Adds the bar below the picture, or takes it away. */
  bar(element: HTMLElement | null): void {
    this.#root.querySelector('.controls')?.remove();
    if (element) this.#own.after(element);
  }
}
