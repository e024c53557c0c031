// `<gambol-model-view>`: the child of a `<model>` element that shows the model. An unknown element can have no shadow root of its own.

import { adoptStyle, make, readoptStyles, setAttribute } from '../element/base/dom.ts';
import css from './view.css';

const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export const VIEW_NAME = 'gambol-model-view';

export interface ViewListener {
  connected(): void;
  disconnected(): void;
  adopted(): void;
}

export class ModelView extends Base {
  /** Undefined for a copy, which shows nothing. */
  listener: ViewListener | undefined;
  readonly #root = this.attachShadow({ mode: 'closed' });
  readonly #poster = make('img', { alt: '', hidden: true });
  #canvas = make('canvas', { class: 'waiting' });

  constructor() {
    super();
    adoptStyle(this.#root, css);
    this.#root.append(this.#poster, this.#canvas);
  }

  connectedCallback(): void {
    this.listener?.connected();
  }

  disconnectedCallback(): void {
    this.listener?.disconnected();
  }

  adoptedCallback(): void {
    readoptStyles(this.#root);
    this.listener?.adopted();
  }

  /** Replaces the canvas by a new one, because a canvas belongs to one viewer. */
  newCanvas(): HTMLCanvasElement {
    const { className } = this.#canvas;
    const canvas = make('canvas', { class: className });
    this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
    return canvas;
  }

  /** Shows the model, or the poster; neither without a poster. */
  show(model: boolean, poster: string): void {
    this.#canvas.className = model ? '' : 'waiting';
    this.#poster.hidden = model || poster === '';
    // An image without an address that is not shown makes no request.
    setAttribute(this.#poster, 'src', this.#poster.hidden ? null : poster);
  }

  /** Sets the text for screen readers; an empty text hides the model from them. `turns`: arrow keys rotate the model. */
  describe(text: string, turns: boolean): void {
    const hidden = text === '' && !turns;
    for (const element of [this.#canvas, this.#poster]) {
      setAttribute(element, 'role', hidden ? null : 'img');
      setAttribute(element, 'aria-label', hidden ? null : text || '3D model');
      setAttribute(element, 'aria-hidden', hidden ? 'true' : null);
    }
    setAttribute(this.#canvas, 'tabindex', turns ? '0' : null);
  }
}
