// Fingers and controllers in AR: one that begins at the model moves it, one beside it turns it, and two turn and scale it.

import { add, distance, meets, onPlane, rayOf, sub, type Box, type Placement, type Ray, type Vec } from './math.ts';
import type { XrFrame, XrInputEvent, XrInputSource, XrSession, XrSpace } from './webxr.ts';

/** The angle in radians by which a finger turns the model on its way across half the screen. */
const TURN = 2.5;
/** The range of scales. */
const [SMALLEST, LARGEST] = [0.05, 20];
/** Scales this near to 1 become 1. */
const SNAP = 0.05;
/** The part of the size of the model around it that still counts as the model. */
const MARGIN = 0.15;

export interface GestureOptions {
  /** `true` if two fingers scale the model. */
  readonly scales: boolean;
  /** The box of the model in the space of the stage. */
  readonly box: Box;
  /** `true` if the model moves along a wall, on which it does not turn. */
  readonly onWall: boolean;
  /** The angle in radians from +Z to the front of the model, in the space of the stage. */
  readonly heading: number;
  /** The surface under a finger, if the device knows it. */
  surface(frame: XrFrame, source: XrInputSource): Vec | undefined;
}

/** The position of a finger on the screen, or of a controller in the surroundings. */
interface Held {
  readonly source: XrInputSource;
  /** The last coordinates. */
  at: Vec;
}

/** A gesture in progress. */
type Gesture =
  | { readonly kind: 'move'; readonly offset: Vec }
  | { readonly kind: 'turn' }
  | { readonly kind: 'pinch'; readonly length: number; readonly scale: number; angle: number };

export class Gestures {
  readonly #space: XrSpace;
  readonly #goal: Placement;
  readonly #options: GestureOptions;
  readonly #box: Box;
  readonly #stop = new AbortController();
  readonly #held: Held[] = [];
  #gesture: Gesture | undefined;

  constructor(session: XrSession, space: XrSpace, goal: Placement, options: GestureOptions) {
    this.#space = space;
    this.#goal = goal;
    this.#options = options;
    const { min, max } = options.box;
    const margin = MARGIN * Math.max(...sub(max, min));
    this.#box = { min: sub(min, [margin, margin, margin]), max: add(max, [margin, margin, margin]) };
    const { signal } = this.#stop;
    const on = (name: string, act: (source: XrInputSource) => void): void =>
      session.addEventListener(name, (event) => act((event as XrInputEvent).inputSource), { signal });
    on('selectstart', (source) => {
      this.#held.push({ source, at: [NaN, 0, 0] });
      this.#gesture = undefined;
    });
    on('selectend', (source) => this.#release(source));
    session.addEventListener(
      'inputsourceschange',
      (event) => {
        for (const source of (event as Event & { readonly removed?: readonly XrInputSource[] }).removed ?? [])
          this.#release(source);
      },
      { signal },
    );
  }

  /** `true` while the model is moved over a surface. */
  get moves(): boolean {
    return this.#gesture?.kind === 'move';
  }

  /** Applies the gesture of a frame to the goal; `allowed`: `false` before the model has a place. */
  update(frame: XrFrame, allowed: boolean): void {
    const [first, second] = this.#held;
    if (!first || !allowed) return;
    if (second) this.#pinch(frame, first, second);
    else this.#drag(frame, first);
  }

  dispose(): void {
    this.#stop.abort();
    this.#held.length = 0;
  }

  #release(source: XrInputSource): void {
    const index = this.#held.findIndex((held) => held.source === source);
    if (index < 0) return;
    this.#held.splice(index, 1);
    this.#gesture = undefined;
  }

  #drag(frame: XrFrame, held: Held): void {
    const ray = this.#ray(frame, held.source);
    if (!ray) return;
    const at = coordinates(held.source, ray);
    const goal = this.#goal;
    const point = this.#options.surface(frame, held.source) ?? onPlane(ray, goal.position, this.#normal());
    if (!this.#gesture) {
      const onModel = point !== undefined && meets(goal.inStage(ray), this.#box);
      this.#gesture = onModel ? { kind: 'move', offset: sub(goal.position, point) } : { kind: 'turn' };
    } else if (this.#gesture.kind === 'move') {
      if (point) goal.position = this.#kept(add(point, this.#gesture.offset), point);
    } else {
      this.#turn(TURN * (at[0] - held.at[0]));
    }
    held.at = at;
  }

  /** A position on the surface of `point`: the offset keeps the model under the finger, and must not lift it. */
  #kept(position: Vec, point: Vec): Vec {
    return this.#options.onWall ? position : [position[0], point[1], position[2]];
  }

  #pinch(frame: XrFrame, first: Held, second: Held): void {
    const rays = [first, second].map(({ source }) => this.#ray(frame, source));
    const [a, b] = [
      rays[0] && coordinates(first.source, rays[0], true),
      rays[1] && coordinates(second.source, rays[1], true),
    ];
    if (!a || !b) return;
    const goal = this.#goal;
    const [right, , depth] = sub(b, a);
    // On the screen, Y points down, and a twist to the right turns the model clockwise.
    const angle = isScreen(first.source) ? -Math.atan2(b[1] - a[1], right) : -Math.atan2(depth, right);
    const length = Math.max(1e-3, distance(a, b));
    if (this.#gesture?.kind !== 'pinch') {
      this.#gesture = { kind: 'pinch', length, scale: goal.scale, angle };
      return;
    }
    const turn = angle - this.#gesture.angle;
    this.#turn(Math.atan2(Math.sin(turn), Math.cos(turn)));
    this.#gesture.angle = angle;
    if (!this.#options.scales) return;
    const scale = Math.min(LARGEST, Math.max(SMALLEST, (this.#gesture.scale * length) / this.#gesture.length));
    goal.scale = Math.abs(scale - 1) < SNAP ? 1 : scale;
  }

  /** The normal of the surface on which the model is. */
  #normal(): Vec {
    const angle = this.#goal.yaw + this.#options.heading;
    return this.#options.onWall ? [Math.sin(angle), 0, Math.cos(angle)] : [0, 1, 0];
  }

  #turn(angle: number): void {
    if (!this.#options.onWall) this.#goal.yaw += angle;
  }

  #ray(frame: XrFrame, { targetRaySpace }: XrInputSource): Ray | undefined {
    const pose = frame.getPose(targetRaySpace, this.#space);
    return pose ? rayOf(pose.transform.matrix) : undefined;
  }
}

function isScreen({ targetRayMode }: XrInputSource): boolean {
  return targetRayMode === 'screen';
}

/**
 * The coordinates that turn the model: those of a finger, from −1 to 1 of the screen, or the direction of a controller; with `place`, its
 * position in metres.
 */
function coordinates(source: XrInputSource, { origin, direction }: Ray, place = false): Vec {
  const axes = source.gamepad?.axes;
  if (isScreen(source) && axes && axes.length >= 2) {
    const wide = globalThis.innerWidth / Math.max(1, globalThis.innerHeight);
    return place ? [(axes[0] ?? 0) * wide, axes[1] ?? 0, 0] : [axes[0] ?? 0, axes[1] ?? 0, 0];
  }
  return place ? origin : [Math.atan2(direction[0], -direction[2]), 0, 0];
}
