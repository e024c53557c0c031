// Canvases over the picture of the viewer.

import type { Session } from './session.ts';

/** A canvas in the overlay of the page that covers the canvas of the viewer. */
export class Layer {
  readonly canvas = document.createElement('canvas');
  readonly #session: Session;

  constructor(session: Session, name: string) {
    this.#session = session;
    this.canvas.className = name;
    this.canvas.ariaHidden = 'true';
    session.host.overlay.append(this.canvas);
  }

  /** Moves it over the viewer's canvas, which may be smaller than the overlay; returns the size in CSS pixels. */
  place(): readonly [width: number, height: number] {
    const { viewer, host } = this.#session;
    const [inner, outer] = [viewer.canvas, host.overlay].map((element) => element.getBoundingClientRect()) as [
      DOMRect,
      DOMRect,
    ];
    const { style } = this.canvas;
    style.left = `${inner.left - outer.left}px`;
    style.top = `${inner.top - outer.top}px`;
    style.width = `${inner.width}px`;
    style.height = `${inner.height}px`;
    return [Math.round(inner.width), Math.round(inner.height)];
  }

  remove(): void {
    this.canvas.remove();
  }
}
