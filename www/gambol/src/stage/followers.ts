// HTML elements that follow joints: moved after each frame, by CSS alone.

import type { CoreStage } from '../wasm/core.ts';

/** The joint that an element follows. */
export interface FollowTarget {
  /** The actor's number, while it is on stage. */
  readonly actor: () => number | undefined;
  /** The joint; reading its index throws while the model has none such. */
  readonly joint: { readonly index: number };
  readonly point: Float32Array;
  /** Whether the point is in the joint's own units. */
  readonly ownUnits: boolean;
}

interface Follower extends FollowTarget {
  readonly element: HTMLElement;
  /** The inline style from before. */
  readonly style: string | null;
  translate: string;
}

export class Followers {
  readonly #canvas: HTMLCanvasElement;
  readonly #all = new Map<HTMLElement, Follower>();

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Takes the place of what the element followed before; returns how to end it, after which it looks as before. */
  add(element: HTMLElement, target: FollowTarget): () => void {
    this.#drop(element);
    const follower = { ...target, element, style: element.getAttribute('style'), translate: '' };
    this.#all.set(element, follower);
    Object.assign(element.style, { position: 'absolute', left: '0', top: '0' });
    // Nobody knows yet where it belongs.
    show(element, false);
    return () => {
      if (this.#all.get(element) === follower) this.#drop(element);
    };
  }

  /** Moves all of them to where their joints are in the frame that was just drawn. */
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
      // Hundredths of a pixel are enough, and a resting element is not touched.
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

  /** Ends those that followed an actor that is gone. */
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

/** Undefined while the model of now has no such joint. */
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
