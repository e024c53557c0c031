// What the camera attributes ask for, in metres and radians.

import type { CameraState } from '../events.ts';
import type { Vector } from '../place.ts';
import type { Viewer } from '../viewer.ts';
import type { ViewerAttributes } from './attributes.ts';
import { followsScroll, parseValues } from './values.ts';

const DEGREE = Math.PI / 180;
/** The distance at which all is in view is this much of what 100 % is, as in <model-viewer>. */
const FRAMED = 1.05;
const FIELD_OF_VIEW = { whole: 30 * DEGREE };
/** How near and far hands may go, unless said. */
const [NEAREST, FARTHEST] = [0.1, 2];

export class OrbitCamera {
  readonly #viewer: Viewer;
  readonly #wish: Readonly<ViewerAttributes>;
  /** 100 % of a radius, in metres. */
  #whole = 1;
  #center: Vector = [0, 0, 0];
  /** Whether a hand has moved the camera since it was put where attributes say. */
  #touched = false;

  constructor(viewer: Viewer, wish: Readonly<ViewerAttributes>) {
    this.#viewer = viewer;
    this.#wish = wish;
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') this.#touched = true;
    });
  }

  /** The middle of what is framed. */
  get center(): Vector {
    return this.#center;
  }

  get followsScroll(): boolean {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#wish;
    return [cameraOrbit, cameraTarget, fieldOfView].some(followsScroll);
  }

  /** Is there at once: for a model that is new, and looked at from the same side as the one before. */
  jump(keepDirection = false): void {
    const { azimuth, polar, fovY } = this.#goal();
    const from = keepDirection ? this.#viewer.camera : { azimuth, polar };
    this.#viewer.camera = { azimuth: from.azimuth, polar: from.polar, fovY };
    this.#viewer.frame();
    const { distance, target } = this.#viewer.camera;
    this.#whole = distance / FRAMED;
    this.#center = target;
    const { cameraOrbit, cameraTarget } = this.#wish;
    // What is all automatic stays in view when the canvas changes its shape.
    if (!/(^|\s)(auto|105%)\s*$/.test(cameraOrbit) || !/^\s*auto(\s+auto)*\s*$/.test(cameraTarget)) {
      const goal = this.#goal();
      this.#viewer.camera = { distance: goal.distance, target: goal.target };
    }
    this.#touched = false;
    this.limit();
  }

  /** Goes there smoothly. */
  move(): void {
    this.limit();
    this.#viewer.moveCamera(this.#goal());
    this.#touched = false;
  }

  /** The canvas has another shape, so that all in view means another distance. */
  reshaped(): void {
    if (!this.#touched) this.jump();
  }

  /** Sets how far hands may go. */
  limit(): void {
    const { minCameraOrbit, maxCameraOrbit, minFieldOfView, maxFieldOfView } = this.#wish;
    const whole = this.#whole;
    const { distance } = this.#goal();
    const ends = (text: string, azimuth: number, polar: number, radius: number): number[] => parseValues(text, [
      { whole: 2 * Math.PI, auto: azimuth }, { whole: Math.PI, auto: polar }, { whole, auto: radius },
    ]);
    const least = ends(minCameraOrbit, -Infinity, 22.5 * DEGREE, Math.min(NEAREST * whole, distance));
    const most = ends(maxCameraOrbit, Infinity, 157.5 * DEGREE, Math.max(FARTHEST * whole, distance));
    const range = (i: number): readonly [number, number] => [least[i] ?? 0, Math.max(least[i] ?? 0, most[i] ?? 0)];
    const { fovY } = this.#viewer.cameraGoal;
    const [narrow = fovY, wide = fovY] = [
      ...parseValues(minFieldOfView, [{ ...FIELD_OF_VIEW, auto: Math.min(fovY, 12 * DEGREE) }]),
      ...parseValues(maxFieldOfView, [{ ...FIELD_OF_VIEW, auto: fovY }]),
    ];
    this.#viewer.cameraLimits = { azimuth: range(0), polar: range(1), distance: range(2), fovY: [narrow, Math.max(narrow, wide)] };
    // Where it is already counts, too.
    this.#viewer.moveCamera({});
  }

  /** Where the attributes want the camera. */
  #goal(): CameraState {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#wish;
    const [azimuth = 0, polar = 0, distance = 1] = parseValues(cameraOrbit, [
      { whole: 2 * Math.PI, auto: 0 }, { whole: Math.PI, auto: 75 * DEGREE }, { whole: this.#whole, auto: FRAMED * this.#whole },
    ]);
    const [x = 0, y = 0, z = 0] = parseValues(cameraTarget, this.#center.map((whole) => ({ whole })));
    const [fovY = 1] = parseValues(fieldOfView, [FIELD_OF_VIEW]);
    return { azimuth, polar, distance, target: [x, y, z], fovY };
  }
}

/** From which side it is looked at, as words of a live description: `upper-`, `` or `lower-` and `front`, `right` … */
export function sideOf({ azimuth, polar }: CameraState): string {
  const around = ['front', 'right', 'back', 'left'][Math.round(azimuth / (Math.PI / 2)) % 4] ?? 'front';
  const over = ['upper-', '', 'lower-'][Math.min(2, Math.floor(polar / (Math.PI / 3)))] ?? '';
  return over + around;
}
