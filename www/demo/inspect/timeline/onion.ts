// The onion skin: paler pictures of the poses before and after the playhead, behind the model.

import type { Session } from './session.ts';
import { Layer } from './layer.ts';
import { Stills } from './thumbnails.ts';

/** The colours of the poses before and after the playhead, as in the legend of the panel. */
export const TINTS = { before: '#2f7bd8', after: '#d8742f' } as const;
/** The opacity of the nearest pose. */
const NEAREST = 0.5;
/** Pictures that are kept, each as large as the canvas: those of the longest onion skin, and some for the next one. */
const PICTURES = 16;

/** Draws the onion skin on a canvas over that of the viewer, while the clip is paused. */
export class OnionSkin {
  readonly #layer: Layer;
  readonly #session: Session;
  readonly #stills: Stills;
  #timer = 0;
  #shown = '';

  constructor(session: Session) {
    this.#session = session;
    this.#stills = new Stills(session, PICTURES);
    this.#layer = new Layer(session, 'tl-onion');
    session.on('change', () => this.update());
    session.on('time', () => this.update());
  }

  /** Draws again after a change of the camera or the light. */
  stale(): void {
    this.#stills.clear();
    this.#shown = '';
    this.update();
  }

  update(): void {
    const { onion, clip, viewer } = this.#session;
    clearTimeout(this.#timer);
    if (!onion.on || !clip || !viewer.paused) {
      this.#stills.cancel();
      if (this.#shown !== '') this.#clear();
      return;
    }
    // Waits for the end of a movement of the playhead or of the camera.
    this.#timer = setTimeout(() => this.#draw(), 90);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#stills.clear();
    this.#layer.remove();
  }

  #clear(): void {
    this.#shown = '';
    const { canvas } = this.#layer;
    canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
  }

  #draw(): void {
    const { onion, time, fps, duration, clip } = this.#session;
    const [width, height] = this.#layer.place();
    if (width === 0 || height === 0) return;
    const key = [clip?.index, time, fps, onion.count, onion.step, width, height].join(' ');
    if (key === this.#shown) return;
    const ghosts: { readonly at: number; readonly distance: number }[] = [];
    // The farthest first, so that nearer ones are over them.
    for (let i = onion.count; i >= 1; i--)
      for (const distance of [-i, i]) {
        const at = time + (distance * onion.step) / fps;
        if (at >= 0 && at <= duration) ghosts.push({ at, distance });
      }
    const pictures = new Map<number, ImageBitmap>();
    const all = [...ghosts.map(({ at }) => at), time];
    this.#stills.request(all, { width, height, background: null }, (at, picture) => {
      pictures.set(at, picture);
      if (pictures.size < new Set(all).size) return;
      this.#shown = key;
      this.#compose(ghosts, pictures, time, width, height);
    });
  }

  #compose(
    ghosts: readonly { readonly at: number; readonly distance: number }[],
    pictures: ReadonlyMap<number, ImageBitmap>,
    time: number,
    width: number,
    height: number,
  ): void {
    const { canvas } = this.#layer;
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    for (const { at, distance } of ghosts) {
      const picture = pictures.get(at);
      if (!picture) continue;
      context.globalAlpha = NEAREST / Math.abs(distance) ** 0.7;
      context.drawImage(tinted(picture, distance < 0 ? TINTS.before : TINTS.after), 0, 0);
    }
    // The model covers the onion skin: its own shape is cut out.
    const own = pictures.get(time);
    if (own) {
      context.globalCompositeOperation = 'destination-out';
      context.globalAlpha = 1;
      context.drawImage(own, 0, 0);
    }
  }
}

/** A picture of the model without its shadow, in a colour. */
export function tinted(picture: ImageBitmap, color: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const { width, height } = picture;
  Object.assign(canvas, { width, height });
  const brush = canvas.getContext('2d') as CanvasRenderingContext2D;
  brush.drawImage(picture, 0, 0);
  // The shadow is transparent in part. Its alpha to the eighth power leaves nothing of it.
  brush.globalCompositeOperation = 'destination-in';
  for (let i = 0; i < 3; i++) brush.drawImage(canvas, 0, 0);
  // Not all of the colour, so that the shape stays visible.
  brush.globalCompositeOperation = 'source-atop';
  brush.globalAlpha = 0.65;
  brush.fillStyle = color;
  brush.fillRect(0, 0, width, height);
  return canvas;
}
