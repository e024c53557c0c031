// HTML elements that follow joints: moved after each frame by CSS.

import type { CoreStage } from '../wasm/core.ts';

/** The joint that an element follows. */
export interface FollowTarget {
  /** Returns the actor id, or undefined while the actor is not on stage. */
  readonly actor: () => number | undefined;
  /** The joint; reading its index throws if the current model has no such joint. */
  readonly joint: { readonly index: number };
  readonly point: Float32Array;
  /** `true` if the point is in the joint's own space. */
  readonly ownUnits: boolean;
}

interface Follower extends FollowTarget {
  readonly element: HTMLElement;
  /** The inline style before the element was attached. */
  readonly style: string | null;
  translate: string;
}

export class Followers {
  readonly #canvas: HTMLCanvasElement;
  readonly #all = new Map<HTMLElement, Follower>();

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Attaches an element, in place of its previous target; returns a function that detaches it and restores its style. */
  add(element: HTMLElement, target: FollowTarget): () => void {
    this.#drop(element);
    const follower = { ...target, element, style: element.getAttribute('style'), translate: '' };
    this.#all.set(element, follower);
    Object.assign(element.style, { position: 'absolute', left: '0', top: '0' });
    // Hidden until the first update.
    show(element, false);
    return () => {
      if (this.#all.get(element) === follower) this.#drop(element);
    };
  }

  /** Moves all elements to their joints in the frame that was just drawn. */
  update(stage: CoreStage): void {
    if (this.#all.size === 0) return;
    const { offsetLeft, offsetTop, clientLeft, clientTop } = this.#canvas;
    for (const follower of this.#all.values()) {
      const { element, point } = follower;
      const actor = follower.actor();
      const index = indexOf(follower.joint);
      if (actor === undefined || index === undefined) {
        show(element, false);
        continue;
      }
      const [px = 0, py = 0, pz = 0] = point;
      const [x = 0, y = 0, depth = 0] = stage.query.projectJoint(actor, index, follower.ownUnits, px, py, pz);
      show(element, depth > 0);
      if (!(depth > 0)) continue;
      // Rounded to 0.01 pixels, so that the style of a resting element does not change.
      const at = (pixels: number): string => `${Math.round(100 * pixels) / 100}px`;
      const translate = `${at(offsetLeft + clientLeft + x)} ${at(offsetTop + clientTop + y)}`;
      if (translate !== follower.translate) {
        follower.translate = translate;
        element.style.translate = translate;
      }
    }
  }

  clear(): void {
    for (const element of [...this.#all.keys()]) this.#drop(element);
  }

  /** Detaches and hides the elements that follow a removed actor. */
  forget(actor: () => number | undefined): void {
    for (const follower of [...this.#all.values()]) {
      if (follower.actor === actor) this.#drop(follower.element, true);
    }
  }

  #drop(element: HTMLElement, hide = false): void {
    const follower = this.#all.get(element);
    if (!follower) return;
    this.#all.delete(element);
    if (follower.style === null) element.removeAttribute('style');
    else element.setAttribute('style', follower.style);
    element.hidden = hide;
    element.removeAttribute('data-visible');
  }
}

/** The index of a joint; undefined if the current model has no such joint. */
function indexOf(joint: FollowTarget['joint']): number | undefined {
  try {
    return joint.index;
  } catch {
    return undefined;
  }
}

function show(element: HTMLElement, visible: boolean): void {
  if (element.hidden === visible) element.hidden = !visible;
  if (element.hasAttribute('data-visible') !== visible) element.toggleAttribute('data-visible', visible);
}
