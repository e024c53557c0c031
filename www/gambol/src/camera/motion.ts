// The smooth movement of the camera from its current state to its goal.

import type { CameraLimits, CameraState } from '../values/events.ts';
import type { Vector } from '../values/transforms.ts';

/** The camera that is moved; see `CoreStage`. */
export interface CameraTarget {
  /** Azimuth, polar angle, distance, target X, Y, Z, vertical field of view; empty after the end. */
  state(): Float64Array;
  /** The angle in radians from +Z to the direction with azimuth 0. */
  heading(): number;
  /** Sets the state, in radians and metres. */
  set(azimuth: number, polar: number, distance: number, x: number, y: number, z: number, fovY: number): void;
  reset(): void;
  /** Requests a frame, in which {@link CameraMotion.update} is called. */
  request(): void;
}

/** A movement of the camera by user input. */
export interface Movement {
  /** The orbit in radians. */
  readonly azimuth?: number;
  readonly polar?: number;
  /** The pan: the movement of the picture to the right and down, in fractions of the canvas height. */
  readonly x?: number;
  readonly y?: number;
  /**
   * The natural logarithm of the zoom factor on the field of view, or on the distance if that has no range; below 0 is closer.
   */
  readonly zoom?: number;
  /** The natural logarithm of the factor by which objects become smaller in the picture. */
  readonly shrink?: number;
  /** A surface point that keeps its place in the picture during `zoom` or `shrink`: the target moves. */
  readonly around?: Vector | null | undefined;
  /** A surface point that the camera does not pass: it stops in front of it. */
  readonly before?: Vector | null | undefined;
}

export type MotionSource = 'user-interaction' | 'automatic' | 'none';

interface State {
  /** The angle in radians from +Z to the direction with azimuth 0. */
  readonly heading: number;
  azimuth: number;
  polar: number;
  distance: number;
  x: number;
  y: number;
  z: number;
  fovY: number;
}

type Range = readonly [least: number, most: number];

const TURN = 2 * Math.PI;
/** The range of the polar angle, without the poles, where the up direction is undefined; as in `viewer/camera/mod.rs`. */
const POLES: Range = [0.01, Math.PI - 0.01];
/**
 * The factor from zoom to the logarithm of the distance, if the field of view has no range: 100 pixels of a wheel (0.133) give
 * 0.93.
 */
const DISTANCE_PER_ZOOM = 0.55;
/** The tolerance of comparisons. */
const ROUNDING = 1e-9;
/** The distance that the camera keeps from a surface, as a fraction of its distance from the target. */
const CLEAR = 0.1;

export class CameraMotion {
  readonly #target: CameraTarget;
  /** The current state and the goal of a pending movement. */
  #movement: { readonly now: State; readonly goal: State } | undefined;
  #before = 0;
  /** The source of the pending movement. */
  source: MotionSource = 'none';
  limits: CameraLimits = {};
  /** The time constant of the easing in seconds. The default smooths the steps of a mouse without a visible lag. */
  smoothing = 0.045;

  constructor(target: CameraTarget) {
    this.#target = target;
  }

  /** Adds a movement by user input to the goal, within the limits. */
  add(by: Movement, source: MotionSource = 'user-interaction'): void {
    const { goal } = this.#begin(source);
    goal.azimuth += by.azimuth ?? 0;
    goal.polar += by.polar ?? 0;
    if (by.x || by.y) pan(goal, by.x ?? 0, by.y ?? 0);
    if (by.zoom) this.#zoom(goal, by.zoom, by);
    if (by.shrink) this.#zoom(goal, by.shrink / this.#shrinking(goal, by.shrink), by);
    this.#limit(goal);
    keepNear(goal, this.limits.target);
  }

  /** Sets the goal, with the shortest way around. Omitted properties of the goal stay. */
  moveTo({ azimuth, polar, distance, target, fovY }: Partial<CameraState>): void {
    const { now, goal } = this.#begin('none');
    if (azimuth !== undefined) goal.azimuth = azimuth;
    if (polar !== undefined) goal.polar = polar;
    if (distance !== undefined) goal.distance = Math.max(distance, Number.MIN_VALUE);
    if (target !== undefined) [goal.x, goal.y, goal.z] = target;
    if (fovY !== undefined) goal.fovY = fovY;
    goal.azimuth = this.#nearest(goal.azimuth);
    this.#limit(goal);
    const from = this.#isBounded ? now.azimuth : goal.azimuth + shortest(now.azimuth - goal.azimuth);
    if (azimuth === undefined || from === now.azimuth) return;
    now.azimuth = from;
    this.#set(now);
  }

  /** A state, clamped to the limits. */
  limited({ azimuth, polar, distance, target: [x, y, z], fovY }: CameraState): CameraState {
    const state: State = { heading: 0, azimuth, polar, distance, x, y, z, fovY };
    this.#limit(state);
    return {
      azimuth: state.azimuth,
      polar: state.polar,
      distance: state.distance,
      target: [x, y, z],
      fovY: state.fovY,
    };
  }

  /** The goal of the movement; the current state without a movement. */
  get goal(): CameraState {
    const { azimuth, polar, distance, x, y, z, fovY } = this.#movement?.goal ?? this.#read();
    return { azimuth, polar, distance, target: [x, y, z], fovY };
  }

  /**
   * The point in world space at the depth of the target, for offsets from the middle of the picture in fractions of the canvas
   * height.
   */
  pointAt(right: number, down: number): Vector {
    const state = this.#movement?.goal ?? this.#read();
    const { x, y, z } = state;
    const { side, up } = axes(state);
    const height = 2 * state.distance * Math.tan(state.fovY / 2);
    return moved([x, y, z], [side, height * right], [up, -height * down]);
  }

  /** Moves the camera for this frame; returns `true` if the movement continues. */
  update(now: number): boolean {
    const movement = this.#movement;
    const left = movement ? difference(movement.now, movement.goal) : 0;
    if (!movement || left === 0) {
      this.settle();
      return false;
    }
    const dt = this.#before === 0 ? 1000 / 60 : Math.min(now - this.#before, 100);
    this.#before = now;
    if (left < 1e-4 || this.smoothing <= 0 || reducedMotion()) {
      this.finish();
      return false;
    }
    approach(movement.now, movement.goal, 1 - Math.exp(-dt / (1000 * this.smoothing)));
    this.#set(movement.now);
    return true;
  }

  /** Moves the camera to its goal without easing. */
  finish(): void {
    const movement = this.#movement;
    this.settle();
    if (movement && difference(movement.now, movement.goal) > 0) this.#set(movement.goal);
  }

  /** Ends the movement, so that the camera stays where it is. */
  settle(): void {
    this.#movement = undefined;
    this.#before = 0;
  }

  reset(): void {
    this.settle();
    this.source = 'user-interaction';
    this.#target.reset();
  }

  #begin(source: MotionSource): { readonly now: State; readonly goal: State } {
    this.source = source;
    this.#target.request();
    if (!this.#movement) {
      const now = this.#read();
      this.#movement = { now, goal: { ...now } };
    }
    return this.#movement;
  }

  #read(): State {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.#target.state();
    return { heading: this.#target.heading(), azimuth, polar, distance, x, y, z, fovY };
  }

  #set({ azimuth, polar, distance, x, y, z, fovY }: State): void {
    this.#target.set(azimuth, polar, distance, x, y, z, fovY);
  }

  /** `true` if the azimuth has finite limits on both sides, so that there is only one way around. */
  get #isBounded(): boolean {
    return Boolean(this.limits.azimuth?.every(Number.isFinite));
  }

  /**
   * The distance in metres per unit of the logarithm of the field of view, with which both reach their limits together; NaN
   * without limits.
   */
  #slope({ distance, fovY }: State, zoom: number): number {
    const { distance: far, fovY: wide } = this.limits;
    const end = zoom < 0 ? 0 : 1;
    const room = wide ? Math.log(wide[end] / fovY) : 0;
    const slope = far && Math.abs(room) > 1e-9 ? (far[end] - distance) / room : NaN;
    return Number.isFinite(slope) ? slope : NaN;
  }

  /** The change of the logarithm of the size in the picture per unit of zoom. */
  #shrinking(goal: State, zoom: number): number {
    const slope = this.#slope(goal, zoom);
    return Number.isNaN(slope) ? DISTANCE_PER_ZOOM : 1 + slope / goal.distance;
  }

  #zoom(goal: State, zoom: number, { around, before: surface }: Movement): void {
    const before = { ...goal };
    const slope = this.#slope(goal, zoom);
    if (Number.isNaN(slope)) {
      goal.distance *= Math.exp(DISTANCE_PER_ZOOM * zoom);
    } else {
      goal.distance = Math.max(goal.distance + slope * zoom, Number.MIN_VALUE);
      goal.fovY *= Math.exp(zoom);
    }
    this.#limit(goal);
    if (around) holdInPicture(before, goal, around);
    if (surface) stopBefore(before, goal, surface);
    if (zoom > 0) this.#recentre(before, goal);
  }

  /** Moves the target towards the centre of its limits while zooming out, so that at the end the whole scene is in view. */
  #recentre(before: State, goal: State): void {
    const { target: home, distance: far, fovY: wide } = this.limits;
    if (!home || !far) return;
    const room = ({ distance, fovY }: State): number =>
      Math.log(far[1] / distance) + (wide ? Math.log(wide[1] / fovY) : 0);
    const [had, left] = [room(before), room(goal)];
    if (!(had > 1e-9) || !Number.isFinite(left)) return;
    // Rounding errors count as 0, so that the target reaches the centre exactly.
    const share = left > ROUNDING ? left / had : 0;
    const [x, y, z] = home.center;
    [goal.x, goal.y, goal.z] = [x + share * (goal.x - x), y + share * (goal.y - y), z + share * (goal.z - z)];
  }

  /** The equivalent azimuth that is nearest to the limits. */
  #nearest(azimuth: number): number {
    const { azimuth: around } = this.limits;
    if (!around || !this.#isBounded || isIn(azimuth, around)) return azimuth;
    const middle = (around[0] + around[1]) / 2;
    return middle + shortest(azimuth - middle);
  }

  /** Clamps a state to the limits. */
  #limit(state: State): void {
    const { azimuth: around, polar: over, distance: far, fovY: wide } = this.limits;
    if (around) state.azimuth = clamp(state.azimuth, around);
    state.polar = clamp(over ? clamp(state.polar, over) : state.polar, POLES);
    if (far) state.distance = clamp(state.distance, far);
    if (wide) state.fovY = clamp(state.fovY, wide);
  }
}

/**
 * A distance of two states: 0 if they are equal. Written without loops over names, because it runs in each frame and must not
 * allocate.
 */
function difference(a: State, b: State): number {
  return (
    Math.abs(a.azimuth - b.azimuth) +
    Math.abs(a.polar - b.polar) +
    Math.abs(a.distance - b.distance) / a.distance +
    (Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.z - b.z)) / a.distance +
    Math.abs(a.fovY - b.fovY)
  );
}

/** Moves a state towards the goal by a fraction of the remaining difference. */
function approach(now: State, goal: State, share: number): void {
  now.azimuth += share * (goal.azimuth - now.azimuth);
  now.polar += share * (goal.polar - now.polar);
  now.distance *= (goal.distance / now.distance) ** share;
  now.x += share * (goal.x - now.x);
  now.y += share * (goal.y - now.y);
  now.z += share * (goal.z - now.z);
  now.fovY *= (goal.fovY / now.fovY) ** share;
}

/** Pans a state: moves the picture by fractions of the canvas height. */
function pan(state: State, right: number, down: number): void {
  const { side, up } = axes(state);
  const height = 2 * state.distance * Math.tan(state.fovY / 2);
  shift(state, [side, -height * right], [up, height * down]);
}

/**
 * Moves the target of a zoomed state so that a point keeps its place in the picture. The camera approaches the point by at most
 * the same factor as the target, so it never passes the surface of the point.
 */
function holdInPicture(before: State, after: State, point: Vector): void {
  const { side, up, toward } = axes(before);
  const from: Vector = [point[0] - before.x, point[1] - before.y, point[2] - before.z];
  const depth = depthOf(before, point);
  if (!(depth > 0)) return;
  const closer = (1 - after.distance / before.distance) * Math.min(depth, before.distance);
  // The ratio of the visible height at the depth of the point, after to before the zoom.
  const share = (Math.tan(after.fovY / 2) * (depth - closer)) / (Math.tan(before.fovY / 2) * depth);
  const [right, above] = [dot(from, side), dot(from, up)];
  shift(
    after,
    [side, (1 - share) * right],
    [up, (1 - share) * above],
    [toward, before.distance - after.distance - closer],
  );
}

/** Keeps a zoomed state in front of a surface, by a tenth of its distance. */
function stopBefore(before: State, after: State, point: Vector): void {
  const depth = depthOf(before, point);
  if (depth <= 0 || after.distance >= before.distance) return;
  const least = (before.distance - depth) / (1 - CLEAR);
  after.distance = Math.min(before.distance, Math.max(after.distance, least));
}

/** The depth of a point in metres in front of the camera, along the view direction. */
function depthOf(state: State, point: Vector): number {
  return state.distance - dot([point[0] - state.x, point[1] - state.y, point[2] - state.z], axes(state).toward);
}

/** Clamps the target to a sphere. */
function keepNear(state: State, sphere: CameraLimits['target']): void {
  if (!sphere) return;
  const {
    center: [x, y, z],
    radius,
  } = sphere;
  const far = Math.hypot(state.x - x, state.y - y, state.z - z);
  if (far <= radius) return;
  const share = radius / far;
  [state.x, state.y, state.z] = [x + share * (state.x - x), y + share * (state.y - y), z + share * (state.z - z)];
}

function shift(state: State, ...by: readonly (readonly [direction: Vector, metres: number])[]): void {
  [state.x, state.y, state.z] = moved([state.x, state.y, state.z], ...by);
}

function moved(point: Vector, ...by: readonly (readonly [direction: Vector, metres: number])[]): Vector {
  return by.reduce<Vector>(
    ([x, y, z], [[dx, dy, dz], metres]) => [x + metres * dx, y + metres * dy, z + metres * dz],
    point,
  );
}

/** The axes of the picture: right, up, and towards the viewer. */
function axes({ heading, azimuth, polar }: State): {
  readonly side: Vector;
  readonly up: Vector;
  readonly toward: Vector;
} {
  const angle = heading + azimuth;
  const [sinA, cosA, sinP, cosP] = [Math.sin(angle), Math.cos(angle), Math.sin(polar), Math.cos(polar)];
  return { side: [cosA, 0, -sinA], up: [-cosP * sinA, sinP, -cosP * cosA], toward: [sinP * sinA, cosP, sinP * cosA] };
}

function dot([ax, ay, az]: Vector, [bx, by, bz]: Vector): number {
  return ax * bx + ay * by + az * bz;
}

function isIn(value: number, [least, most]: Range): boolean {
  return value >= least && value <= most;
}

function clamp(value: number, [least, most]: Range): number {
  return Math.min(Math.max(value, least), most);
}

/** The equivalent angle in `-π..=π`. */
function shortest(angle: number): number {
  return angle - TURN * Math.round(angle / TURN);
}

/** The media query for reduced motion. */
export function reducedMotionQuery(): { readonly matches: boolean } {
  return typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : { matches: false };
}

export function reducedMotion(): boolean {
  return reducedMotionQuery().matches;
}
