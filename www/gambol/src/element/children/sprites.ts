// Applies `<gambol-flipbook>`, `<gambol-billboard>` and `<gambol-sprite>` to the viewer or to an actor.

import type { Performer } from '../../api/performer.ts';
import type { Viewer } from '../../api/viewer.ts';
import { parseVector } from '../base/css-values.ts';
import { Applied } from './applied.ts';
import { cellsOf, defineSpriteElements, GambolBillboard, GambolFlipbook, GambolSprite } from './sprite-elements.ts';

defineSpriteElements();

type SpriteElement = GambolFlipbook | GambolBillboard | GambolSprite;

export class Sprites {
  readonly #host: HTMLElement;
  readonly #viewer: Viewer;
  /** The viewer or an actor, to which the children belong. */
  readonly #performer: Performer;
  readonly #warn: (error: unknown) => void;
  /** The elements, with functions that take back their effects. */
  readonly #applied: Applied<SpriteElement, () => void>;

  constructor(host: HTMLElement, viewer: Viewer, performer: Performer, warn: (error: unknown) => void) {
    this.#host = host;
    this.#viewer = viewer;
    this.#performer = performer;
    this.#warn = warn;
    this.#applied = new Applied(() => this.sync(), warn);
  }

  /** Forgets flip-books and billboards of the model before, after a change of model. Sprites follow the new one. */
  renew(): void {
    this.#applied.forget((element) => !(element instanceof GambolSprite));
  }

  /** Applies elements that were added or changed, and reverts removed ones. */
  sync(): void {
    if (!this.#performer.model) return;
    const elements = [...this.#host.children].filter(
      (child) => child instanceof GambolFlipbook || child instanceof GambolBillboard || child instanceof GambolSprite,
    );
    this.#applied.sync(elements, { apply: (element) => this.#apply(element), revert: (_, stop) => stop() });
  }

  dispose(): void {
    for (const [element, stop] of this.#applied.end()) if (element instanceof GambolSprite) stop();
  }

  #apply(element: SpriteElement): (() => void) | undefined {
    if (element instanceof GambolSprite) return this.#add(element);
    if (element instanceof GambolFlipbook) {
      if (element.material === null) return undefined;
      const material = this.#performer.material(element.material);
      material.flipbook({ ...cellsOf(element), clock: element.clock });
      return () => material.flipbook(null);
    }
    if (element.joint === null) return undefined;
    const joint = this.#performer.joint(element.joint);
    joint.billboard(element.mode);
    return () => joint.billboard(null);
  }

  #add(element: GambolSprite): (() => void) | undefined {
    const { src, joint, offset, space, size, billboard, columns, rows } = element;
    if (src === null) return undefined;
    const point = parseVector(offset);
    if (!point)
      this.#warn(new Error(`offset="${offset}" of <gambol-sprite> must be three numbers, such as "0 0.1 0".`));
    const sides = size
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const abort = new AbortController();
    const { signal } = abort;
    this.#viewer
      .addSprite(src, {
        signal,
        size: (sides.length === 1 ? sides[0] : sides) as number,
        billboard: billboard === 'none' ? null : billboard,
        ...((columns !== 1 || rows !== 1) && { flipbook: cellsOf(element) }),
        ...(joint === null
          ? { position: point ?? [0, 0, 0] }
          : { attachTo: { actor: this.#performer, joint, space, offset: point ?? [0, 0, 0] } }),
      })
      .then(
        (actor) => {
          if (signal.aborted) return this.#applied.try(() => actor.remove());
          signal.addEventListener('abort', () => this.#applied.try(() => actor.remove()));
        },
        (error: unknown) => {
          if (!signal.aborted) this.#warn(error);
        },
      );
    return () => abort.abort();
  }
}
