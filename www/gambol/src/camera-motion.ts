// How the camera goes from where it is to where it shall be.

import type { CameraLimits, CameraState } from './events.ts';

/** What moves the camera; see `CoreStage`. */
export interface CameraTarget {
  /** Azimuth, polar angle, distance, target X, Y, Z, vertical field of view. */
  state(): Float64Array;
  /** Radians. */
  orbit(azimuth: number, polar: number): void;
  /** Fractions of the canvas height. */
  pan(x: number, y: number): void;
  /** Factor on the distance. */
  zoom(factor: number): void;
  /** Added to the state. */
  shift(x: number, y: number, z: number, fovY: number): void;
  reset(): void;
  /** Asks for a frame, in which {@link CameraMotion.update} is called. */
  request(): void;
}

/** What is still to be done. */
export interface Movement {
  azimuth: number;
  polar: number;
  /** Across the picture. */
  x: number;
  y: number;
  /** Natural logarithm of the factor. */
  zoom: number;
  /** Of the target, in the world. */
  toX: number;
  toY: number;
  toZ: number;
  fovY: number;
}

export type MotionSource = 'user-interaction' | 'none';

const NOTHING: Movement = { azimuth: 0, polar: 0, x: 0, y: 0, zoom: 0, toX: 0, toY: 0, toZ: 0, fovY: 0 };
const KEYS = Object.keys(NOTHING) as (keyof Movement)[];
const TURN = 2 * Math.PI;

export class CameraMotion {
  readonly #target: CameraTarget;
  #pending: Movement = { ...NOTHING };
  #before = 0;
  /** Who asked for what is still to be done. */
  source: MotionSource = 'none';
  limits: CameraLimits = {};
  /** Seconds in which most of a movement is done; it takes the edge off a mouse's steps without lagging behind. */
  smoothing = 0.045;

  constructor(target: CameraTarget) {
    this.#target = target;
  }

  /** Adds to where a hand wants the camera, within the limits. */
  add(delta: Partial<Movement>): void {
    for (const key of KEYS) this.#pending[key] += delta[key] ?? 0;
    this.#limit();
    this.#begin('user-interaction');
  }

  /** Goes somewhere, the short way round; what is left out stays as it was meant. */
  moveTo(to: Partial<CameraState>): void {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.#target.state();
    const p = this.#pending;
    if (to.azimuth !== undefined) p.azimuth = shortest(to.azimuth - azimuth);
    if (to.polar !== undefined) p.polar = to.polar - polar;
    if (to.distance !== undefined) p.zoom = Math.log(Math.max(to.distance, Number.MIN_VALUE) / distance);
    if (to.target !== undefined) {
      [p.toX, p.toY, p.toZ] = [to.target[0] - x, to.target[1] - y, to.target[2] - z];
      p.x = p.y = 0;
    }
    if (to.fovY !== undefined) p.fovY = to.fovY - fovY;
    this.#limit();
    this.#begin('none');
  }

  /** Where it goes; what is panned across the picture is not in the target yet. */
  get goal(): CameraState {
    const [azimuth = 0, polar = 0, distance = 1, x = 0, y = 0, z = 0, fovY = 1] = this.#target.state();
    const p = this.#pending;
    return {
      azimuth: (azimuth + p.azimuth + TURN) % TURN,
      polar: polar + p.polar,
      distance: distance * Math.exp(p.zoom),
      target: [x + p.toX, y + p.toY, z + p.toZ],
      fovY: fovY + p.fovY,
    };
  }

  /** Moves the camera by what this frame's share is; says whether there is more to come. */
  update(now: number): boolean {
    const left = amount(this.#pending);
    if (left === 0) {
      this.#before = 0;
      return false;
    }
    const dt = this.#before === 0 ? 1000 / 60 : Math.min(now - this.#before, 100);
    this.#before = now;
    const share = left < 1e-4 || this.smoothing <= 0 || reducedMotion() ? 1 : 1 - Math.exp(-dt / (1000 * this.smoothing));
    this.#go(share);
    return share < 1;
  }

  /** Is at once where it goes. */
  finish(): void {
    this.#go(1);
  }

  /** Forgets movements that are still to come, so that a new camera stays where it was put. */
  settle(): void {
    this.#pending = { ...NOTHING };
  }

  reset(): void {
    this.settle();
    this.source = 'user-interaction';
    this.#target.reset();
  }

  #begin(source: MotionSource): void {
    this.source = source;
    this.#target.request();
  }

  #go(share: number): void {
    const p = this.#pending;
    const target = this.#target;
    if (p.azimuth !== 0 || p.polar !== 0) target.orbit(p.azimuth * share, p.polar * share);
    if (p.x !== 0 || p.y !== 0) target.pan(p.x * share, p.y * share);
    if (p.zoom !== 0) target.zoom(Math.exp(p.zoom * share));
    if (p.toX !== 0 || p.toY !== 0 || p.toZ !== 0 || p.fovY !== 0) target.shift(p.toX * share, p.toY * share, p.toZ * share, p.fovY * share);
    for (const key of KEYS) p[key] *= 1 - share;
  }

  /** Moves the goal to within the limits. */
  #limit(): void {
    const { azimuth: around, polar: over, distance: far, fovY: wide } = this.limits;
    if (!around && !over && !far && !wide) return;
    const [azimuth = 0, polar = 0, distance = 1, , , , fovY = 1] = this.#target.state();
    const p = this.#pending;
    if (around) {
      const [least, most] = around;
      const middle = (least + most) / 2;
      // The same direction by the number that is next to the limits.
      const from = Number.isFinite(middle) ? middle + shortest(azimuth - middle) : azimuth;
      p.azimuth = clamp(from + p.azimuth, around) - from;
    }
    if (over) p.polar = clamp(polar + p.polar, over) - polar;
    if (far) {
      const wanted = Math.log(distance) + p.zoom;
      const zoom = Math.log(clamp(Math.exp(wanted), far));
      p.zoom = zoom - Math.log(distance);
      // Where it may not come nearer, it looks closer.
      if (wide) p.fovY = clamp((fovY + p.fovY) * Math.exp(wanted - zoom), wide) - fovY;
    } else if (wide) {
      p.fovY = clamp(fovY + p.fovY, wide) - fovY;
    }
  }
}

/** How much there is to be done: 0 for nothing. Name by name, since it is asked each frame, and what is read by its key is an object. */
function amount({ azimuth, polar, x, y, zoom, toX, toY, toZ, fovY }: Movement): number {
  return Math.abs(azimuth) + Math.abs(polar) + Math.abs(x) + Math.abs(y) + Math.abs(zoom)
    + Math.abs(toX) + Math.abs(toY) + Math.abs(toZ) + Math.abs(fovY);
}

function clamp(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(Math.max(value, least), most);
}

/** The same turn, by less than half of a full one. */
function shortest(angle: number): number {
  return angle - TURN * Math.round(angle / TURN);
}

export function reducedMotion(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}
