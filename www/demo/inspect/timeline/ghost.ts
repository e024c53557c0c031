// The ghost: the pose before a drag, over the model that follows the drag.

import { Layer } from './layer.ts';
import type { Session } from './session.ts';
import { tinted, TINTS } from './onion.ts';

/** The opacity, by which the model is seen through it. */
const OPACITY = 0.5;

export class Ghost {
  readonly #session: Session;
  readonly #layer: Layer;
  /** Counts the drags, because a picture may come after the end of its drag. */
  #drag = 0;

  constructor(session: Session) {
    this.#session = session;
    this.#layer = new Layer(session, 'tl-onion');
    session.ghost = this;
  }

  /** Shows the pose of now, until {@link hide}. */
  async show(): Promise<void> {
    const { viewer, time } = this.#session;
    const drag = ++this.#drag;
    const [width, height] = this.#layer.place();
    if (width === 0 || height === 0) return;
    // Without a picture, such as after a loss of the context, the drag has no ghost.
    const picture = await viewer.renderAt(time, { width, height, background: null }).catch(() => null);
    if (!picture) return;
    if (drag === this.#drag) {
      const { canvas } = this.#layer;
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.globalAlpha = OPACITY;
      context.drawImage(tinted(picture, TINTS.before), 0, 0);
      canvas.dataset['shown'] = '';
    }
    picture.close();
  }

  hide(): void {
    this.#drag += 1;
    const { canvas } = this.#layer;
    canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
    delete canvas.dataset['shown'];
  }

  dispose(): void {
    this.hide();
    this.#session.ghost = null;
    this.#layer.remove();
  }
}
