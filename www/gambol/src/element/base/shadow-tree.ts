// The shadow tree of the element: canvas, poster, progress bar, interaction prompt and error message.

import { markCorners } from '../../base/page-points.ts';
import { adoptStyle, icon, make, setAttribute } from './dom.ts';
import css from './style.css';

const HAND =
  'M9 11.5V5.2a1.5 1.5 0 0 1 3 0V11m0-1.6a1.5 1.5 0 0 1 3 0v2m0-.7a1.5 1.5 0 0 1 3 0v4.4c0 3.300-2.300 5.400-5.500 5.400-2.600 0-4-.9-5.300-3l-2.300-3.900c-.9-1.600 1-2.700 2-1.400L9 13.800';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export class ShadowTree {
  /** The container of the canvas and of its overlays. */
  readonly stage: HTMLElement;
  readonly hotspots: HTMLElement;
  /** The elements that show the fingers of `interact()`. */
  readonly dots: readonly HTMLElement[];
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #poster: HTMLElement;
  readonly #picture = make('img', { alt: '', part: 'poster-image' });
  readonly #progress: HTMLElement;
  /** The growing part has the name that it has in <model-viewer>. */
  readonly #bar = make('div', { class: 'progress-bar', part: 'default-progress-bar' });
  readonly #prompt: HTMLElement;
  readonly #error: HTMLElement;
  readonly #status = make('div', { class: 'unseen', role: 'status' });
  /** The slot for the page's own controls, between the picture and the bar. */
  readonly #own = make('slot', { name: 'controls' });
  #canvas = make('canvas', { part: 'canvas' });

  constructor(host: HTMLElement, acts: { reveal(): void; retry(): void; slotted(): void }) {
    this.#host = host;
    this.#root = host.attachShadow({ mode: 'open', delegatesFocus: true });
    adoptStyle(this.#root, css);
    this.hotspots = make('div', { class: 'hotspots' });
    this.#poster = make(
      'div',
      { class: 'poster', part: 'poster', id: 'default-poster' },
      make('slot', { name: 'poster' }, this.#picture),
    );
    this.#poster.addEventListener('click', acts.reveal);
    this.#poster.addEventListener('keydown', (event) => {
      if (event.target !== this.#poster || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      acts.reveal();
    });
    this.#progress = make(
      'slot',
      { name: 'progress-bar' },
      make(
        'div',
        {
          class: 'progress',
          part: 'progress-bar',
          role: 'progressbar',
          'aria-label': 'Loading',
          'aria-valuemin': '0',
          'aria-valuemax': '100',
        },
        this.#bar,
      ),
    );
    this.#prompt = make(
      'div',
      { class: 'prompt', part: 'prompt', 'aria-hidden': 'true', hidden: true },
      make('slot', { name: 'interaction-prompt' }, icon(HAND)),
    );
    const retry = make('button', { type: 'button', part: 'retry-button' }, 'Try again');
    retry.addEventListener('click', acts.retry);
    this.#error = make(
      'div',
      { class: 'error', part: 'error', role: 'alert', hidden: true },
      make('p'),
      make('code'),
      retry,
    );
    this.dots = ['finger0', 'finger1'].map((name) =>
      make('div', { class: 'finger', 'aria-hidden': 'true' }, make('slot', { name })),
    );
    // Children of the page without a slot lie over the picture.
    const own = make('div', { class: 'own' }, make('slot'));
    own.addEventListener('slotchange', acts.slotted);
    this.stage = make(
      'div',
      { class: 'stage' },
      this.#canvas,
      own,
      this.hotspots,
      ...this.dots,
      this.#poster,
      this.#progress,
      this.#prompt,
      this.#error,
    );
    const corner = (left: string, top: string): HTMLElement => {
      const element = make('div', { class: 'corner' });
      Object.assign(element.style, { left, top });
      return element;
    };
    const corners = [corner('0', '0'), corner('100%', '0'), corner('100%', '100%'), corner('0', '100%')] as const;
    this.stage.append(...corners);
    markCorners(this.stage, corners);
    // An element of its own for the layout, because a page may set `display` of the host.
    this.#root.append(
      make(
        'div',
        { class: 'frame' },
        this.stage,
        this.#own,
        make('div', { class: 'fallback', hidden: true }, make('slot', { name: 'fallback' })),
        this.#status,
      ),
    );
  }

  get canvas(): HTMLCanvasElement {
    return this.#canvas;
  }

  /** Replaces the canvas, because a canvas keeps the context that it once had. */
  newCanvas(): HTMLCanvasElement {
    const { tabIndex } = this.#canvas;
    const canvas = make('canvas', { part: 'canvas' });
    for (const name of ['role', 'aria-roledescription', 'aria-label'])
      setAttribute(canvas, name, this.#canvas.getAttribute(name));
    canvas.tabIndex = tabIndex;
    this.stage.querySelectorAll('canvas').forEach((each) => each.remove());
    this.stage.prepend(canvas);
    this.#canvas = canvas;
    return canvas;
  }

  /** Sets the accessible name and the role of the canvas. */
  describe(label: string, interactive: boolean): void {
    setAttribute(this.#canvas, 'role', interactive ? 'application' : 'img');
    setAttribute(this.#canvas, 'aria-roledescription', interactive ? '3D model' : null);
    setAttribute(this.#canvas, 'aria-label', label);
    this.#canvas.tabIndex = interactive ? 0 : -1;
  }

  /** Announces a text to screen readers. */
  announce(words: string): void {
    this.#status.textContent = words;
  }

  /** Shows or hides the poster. With `press` it is a button of this name, which reveals the model. */
  poster(address: string | null, shown: boolean, press: string | null): void {
    // A slotted poster is not made a button, because it may contain its own.
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

  /** Shows the progress of a load, `0..=1`; null hides the progress bar. */
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

  /**
   * Shows an error message; null hides it. If `fatal`, the fallback content of the page, if it has any, is shown in its place.
   */
  fail(failure: Failure | null, fatal = false): void {
    const [words, code] = this.#error.children;
    if (words) words.textContent = failure?.message ?? '';
    if (code) code.textContent = failure?.code ?? '';
    const fallback = this.#root.querySelector<HTMLElement>('.fallback');
    const own =
      fatal &&
      [...this.#host.childNodes].some((node) =>
        'slot' in node
          ? (!node.slot || node.slot === 'fallback') && !(node as Element).localName.startsWith('gambol-')
          : node.textContent?.trim(),
      );
    if (fallback) fallback.hidden = !own;
    this.#error.hidden = failure === null || own;
  }

  /** Replaces the bar below the picture; null removes it. */
  bar(element: HTMLElement | null): void {
    this.#root.querySelector('.controls')?.remove();
    if (element) this.#own.after(element);
  }
}
