// The gaze: spine, neck, head and eyes turn to the pointer or the finger; when it rests, the eyes glance around.

import type { Joint, Vector, Viewer } from 'gambol';

/** The time in ms after which a pointer that rests is no longer looked at. */
const BORED = 4000;
/** The distance in metres from the head to the plane in front of it, towards the camera, on which the pointer lies. */
const BEFORE = 0.8;

export class Gaze {
  readonly #viewer: Viewer;
  readonly #head: Joint;
  readonly #eyes: readonly Joint[];
  #pointer: { readonly x: number; readonly y: number; readonly time: number } | undefined;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    this.#head = viewer.joint('Head');
    this.#eyes = ['EyeL', 'EyeR'].map((name) => viewer.joint(name));
    const follow = ({ clientX, clientY, timeStamp }: PointerEvent): void => {
      this.#pointer = { x: clientX, y: clientY, time: timeStamp };
    };
    // A look-at of an eye has priority.
    viewer.glance({ seed: 2 });
    document.addEventListener('pointermove', follow);
    document.addEventListener('pointerdown', follow);
  }

  /** Called in each frame. */
  update(): void {
    if (!this.#pointer) return;
    if (performance.now() - this.#pointer.time > BORED) {
      this.end();
      return;
    }
    const point = this.#point(this.#pointer.x, this.#pointer.y);
    this.#head.lookAt(point, { joints: { Spine: 0.1, Chest: 0.15, Neck: 0.35 }, limit: 1.2, speed: 5 });
    for (const eye of this.#eyes) eye.lookAt(point, { limit: 0.4 });
  }

  /** Glances around, until the pointer moves. */
  end(): void {
    this.#pointer = undefined;
    for (const joint of [this.#head, ...this.#eyes]) joint.lookAt(null);
  }

  /** The point below the pointer, in a plane in front of the head. */
  #point(clientX: number, clientY: number): Vector {
    const { azimuth, polar, distance, target, fovY } = this.#viewer.camera;
    const { left, top, width, height } = this.#viewer.canvas.getBoundingClientRect();
    const half = Math.tan(fovY / 2);
    const right = ((clientX - left - width / 2) / (height / 2)) * half;
    const up = ((top + height / 2 - clientY) / (height / 2)) * half;
    const [sinA, cosA, sinP, cosP] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(polar), Math.cos(polar)];
    // From the target to the camera, and the axes of the picture.
    const back = [sinA * sinP, cosP, cosA * sinP];
    const [across, above] = [
      [cosA, 0, -sinA],
      [-sinA * cosP, sinP, -cosA * cosP],
    ];
    const depth = distance - BEFORE;
    const at = (axis: 0 | 1 | 2): number =>
      target[axis] +
      distance * (back[axis] ?? 0) +
      depth * (right * (across?.[axis] ?? 0) + up * (above?.[axis] ?? 0) - (back[axis] ?? 0));
    return [at(0), at(1), at(2)];
  }
}
