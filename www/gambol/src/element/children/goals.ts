// Applies `<gambol-ik>` and `<gambol-look>`: IK and look-at with a target in model space, an element of the page, or the pointer.

import type { Joint } from '../../api/joint.ts';
import type { Performer } from '../../api/performer.ts';
import type { Vector } from '../../values/transforms.ts';
import type { Viewer } from '../../api/viewer.ts';
import { canvasPoint, type PagePoint } from '../../base/page-points.ts';
import { nextFrame, windowOf, type View } from '../../base/window.ts';
import { parseAngle, parseVector } from '../base/css-values.ts';
import { GambolIk, type GambolLook } from './elements.ts';

/** The depth of a look-at target on the page, as a fraction of the joint's distance from the camera. */
const BEFORE = 0.5;

interface Goal {
  /** The attributes that were applied, as a key for comparison. */
  readonly key: string;
  /** The window whose pointer and elements it follows. */
  readonly view: View;
  readonly stop: () => void;
}

export class Goals {
  readonly #host: HTMLElement;
  readonly #viewer: Viewer;
  /** The viewer or an actor. */
  readonly #performer: Performer;
  readonly #warn: (error: unknown) => void;
  readonly #goals = new Map<Element, Goal>();

  constructor(host: HTMLElement, viewer: Viewer, performer: Performer, warn: (error: unknown) => void) {
    this.#host = host;
    this.#viewer = viewer;
    this.#performer = performer;
    this.#warn = warn;
  }

  /** Ends all goals after a change of model; the next {@link sync} starts them again. */
  renew(): void {
    this.dispose();
  }

  dispose(): void {
    for (const { stop } of this.#goals.values()) stop();
    this.#goals.clear();
  }

  sync(elements: readonly (GambolIk | GambolLook)[], keyOf: (element: Element) => string): void {
    for (const [element, { stop }] of this.#goals) {
      if ((elements as readonly Element[]).includes(element)) continue;
      stop();
      this.#goals.delete(element);
    }
    for (const element of elements) {
      const [key, view] = [keyOf(element), windowOf(this.#host)];
      const before = this.#goals.get(element);
      if (before?.key === key && before.view === view) continue;
      before?.stop();
      let stop = (): void => undefined;
      try {
        stop = this.#start(element);
      } catch (error) {
        this.#warn(error);
      }
      this.#goals.set(element, { key, view, stop });
    }
  }

  #start(element: GambolIk | GambolLook): () => void {
    const { target, weight } = element;
    const own = (text: string | null): Vector | undefined => {
      const vector = parseVector(text);
      if (text !== null && !vector) throw new Error(`The direction “${text}” must be three numbers, such as "0 0 1".`);
      return vector ?? undefined;
    };
    const reaches = element instanceof GambolIk;
    const name = reaches ? element.end : element.joint;
    if (name === null || target === null) return () => undefined;
    const joint = this.#performer.joint(name);
    let act: (to: Vector | null, space: 'world' | 'model') => void;
    // The joint that determines the depth of a target on the page; the goal must not move it.
    let anchor = joint;
    if (reaches) {
      const { middle, root, pole, chain, solver } = element;
      const how = {
        weight,
        ...(middle !== null && { middle }),
        ...(root !== null && { root }),
        ...(chain > 0 && { chain, solver }),
      };
      const points = own(pole);
      // The pole stays in model space, so it turns with the model, and with the joint that an actor follows.
      act = (to, space) => joint.ik(to, { ...how, space, ...(points && { pole: points, poleSpace: 'model' }) });
      anchor = root === null ? (joint.parent?.parent ?? joint) : this.#performer.joint(root);
    } else {
      const axis = own(element.axis);
      const limit = parseAngle(element.limit);
      act = (to, space) => joint.lookAt(to, { weight, limit, space, ...(axis && { axis }) });
    }
    const place = parseVector(target);
    if (place) act(place, 'model');
    const end = place ? () => undefined : this.#track(target, anchor, reaches ? 1 : BEFORE, (to) => act(to, 'world'));
    return () => {
      end();
      try {
        act(null, 'model');
      } catch {
        // The joint was removed with its model.
      }
    };
  }

  /** Calls `found` with the position of a target on the page, whenever it changes. */
  #track(target: string, anchor: Joint, part: number, found: (place: Vector) => void): () => void {
    let at = (): PagePoint | undefined => pointer;
    let pointer: PagePoint | undefined;
    let known = '';
    const stop = new AbortController();
    const { signal } = stop;
    const update = (): void => {
      const point = at();
      if (!point || signal.aborted) return;
      const { x, y } = canvasPoint(this.#viewer.canvas, point.x, point.y);
      const place = placeAt(this.#viewer, x, y, anchor.world, part);
      if (!place || known === (known = place.map((value) => value.toFixed(4)).join())) return;
      try {
        found(place);
      } catch (error) {
        stop.abort();
        this.#warn(error);
      }
    };
    if (target === 'pointer') {
      windowOf(this.#host).addEventListener(
        'pointermove',
        ({ clientX: x, clientY: y }) => {
          pointer = { x, y };
          update();
        },
        { signal },
      );
    } else {
      const element = this.#elementFor(target);
      at = () => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      };
      whileVisible(this.#viewer.canvas, update, signal);
    }
    this.#viewer.addEventListener('before-render', update, { signal });
    return () => stop.abort();
  }

  #elementFor(target: string): Element {
    let element: Element | null = null;
    try {
      element = (this.#host.getRootNode() as Document | ShadowRoot).querySelector(target);
    } catch {
      // The text is not a valid selector.
    }
    if (!element)
      throw new Error(`target="${target}" must be three numbers, “pointer”, or a selector of an element of the page.`);
    return element;
  }
}

/** Calls `update` in each animation frame while the canvas is visible: the movement of an element has no event. */
function whileVisible(canvas: HTMLCanvasElement, update: () => void, signal: AbortSignal): void {
  let cancel = (): void => undefined;
  const again = (): void => {
    update();
    cancel = nextFrame(canvas, again);
  };
  const see = (seen: boolean): void => {
    cancel();
    if (seen && !signal.aborted) again();
  };
  see(true);
  // The browser suspends animation frames while the page is hidden.
  const observer = new (windowOf(canvas).IntersectionObserver)((entries) =>
    see(entries.at(-1)?.isIntersecting ?? true),
  );
  observer.observe(canvas);
  signal.addEventListener('abort', () => {
    observer.disconnect();
    see(false);
  });
}

/**
 * The point in world space at a point of the canvas, in CSS pixels, at a fraction of the depth of a joint. The canvas coordinates
 * times the depth are an affine function of the point, which four projections determine.
 */
function placeAt(viewer: Viewer, x: number, y: number, joint: Float32Array, part: number): Vector | null {
  const [px = 0, py = 0, pz = 0] = joint.subarray(12, 15);
  const seen = (dx: number, dy: number, dz: number): Vector | null => {
    const at = viewer.project([px + dx, py + dy, pz + dz]);
    return at && [at.x * at.depth, at.y * at.depth, at.depth];
  };
  const [from, byX, byY, byZ] = [seen(0, 0, 0), seen(1, 0, 0), seen(0, 1, 0), seen(0, 0, 1)];
  if (!from || !byX || !byY || !byZ || from[2] <= 0) return null;
  const depth = part * from[2];
  const wanted = [x * depth - from[0], y * depth - from[1], depth - from[2]] as const;
  const less = (a: Vector): Vector => [a[0] - from[0], a[1] - from[1], a[2] - from[2]];
  const columns = [less(byX), less(byY), less(byZ)] as const;
  const determinant = triple(...columns);
  const [a, b, c] = columns;
  const place: Vector = [
    px + triple(wanted, b, c) / determinant,
    py + triple(a, wanted, c) / determinant,
    pz + triple(a, b, wanted) / determinant,
  ];
  return place.every(Number.isFinite) ? place : null;
}

function triple([ax, ay, az]: Vector, [bx, by, bz]: Vector, [cx, cy, cz]: Vector): number {
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
