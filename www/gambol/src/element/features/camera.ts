// The camera: its place by attributes, in metres and radians, and its controls.

import type { Viewer } from '../../api/viewer.ts';
import type { CameraState } from '../../values/events.ts';
import type { Vector } from '../../values/transforms.ts';
import type { Framing } from '../../values/words.ts';
import { flag, index, number, one, words, type AttributeHost, type AttributeTable } from '../base/attributes.ts';
import { followsScroll, parseValues } from '../base/css-values.ts';
import type { Scene } from './scene.ts';

/** @internal */
export interface CameraScene extends Scene<CameraAttributes> {
  readonly camera: OrbitCamera;
}

/** Attributes about the camera. */
export interface CameraAttributes {
  /** Pointers, touch and keys move the camera. */
  cameraControls: boolean;
  /** Angle around, angle from above, distance; `105%` shows the whole model. */
  cameraOrbit: string;
  /** The place that the camera looks at: three lengths, or `auto`. */
  cameraTarget: string;
  /** The vertical field of view: an angle, or `auto`. */
  fieldOfView: string;
  /** The least of each part of `cameraOrbit`. */
  minCameraOrbit: string;
  /** The most of each part of `cameraOrbit`. */
  maxCameraOrbit: string;
  /** The least angle that zooming goes to. */
  minFieldOfView: string;
  /** The greatest angle that zooming goes to. */
  maxFieldOfView: string;
  /** What the camera shows by itself. */
  framing: Framing;
  /** A camera of the file, by its place there. */
  cameraIndex: number | null;
  /** Milliseconds in which the camera does most of a movement. */
  interpolationDecay: number;
  /** A factor for turning the camera. */
  orbitSensitivity: number;
  /** A factor for zooming. */
  zoomSensitivity: number;
  /** A factor for moving the camera sideways. */
  panSensitivity: number;
  /** No zooming by hand. */
  disableZoom: boolean;
  /** No moving sideways by hand. */
  disablePan: boolean;
  /** Two taps in a row do not put the camera back. */
  disableTap: boolean;
  /** The touches that scroll the page, as in CSS. */
  touchAction: string;
  /** Keys count while the element has focus, or never. */
  keyboard: 'focus' | 'none';
}

/** @internal */
export const CAMERA: AttributeTable<CameraAttributes, CameraScene> = {
  cameraControls: { ...flag, effect: setControls, changed: (element) => element.changeControls() },
  cameraOrbit: { ...words('0deg 75deg 105%'), values: 3, effect: move, changed: endInteraction },
  cameraTarget: { ...words('auto auto auto'), values: 3, effect: move, changed: endInteraction },
  fieldOfView: { ...words('auto'), values: 1, effect: move, changed: endInteraction },
  minCameraOrbit: { ...words('auto'), values: 3, effect: limit },
  maxCameraOrbit: { ...words('auto'), values: 3, effect: limit },
  minFieldOfView: { ...words('auto'), values: 1, effect: limit },
  maxFieldOfView: { ...words('auto'), values: 1, effect: limit },
  framing: {
    ...one('clip', 'all-clips', 'pose', 'rest'),
    effect: ({ viewer, camera, host }) => {
      viewer.framing = host.framing;
      if (viewer.model) camera.reshaped();
    },
  },
  cameraIndex: {
    ...index,
    effect: ({ viewer, host }) => {
      if (viewer.model) viewer.activeCamera = host.cameraIndex;
    },
  },
  interpolationDecay: {
    ...number(50, 0, 1e6),
    effect: ({ viewer, host }) => {
      viewer.cameraSmoothing = host.interpolationDecay / 1000;
    },
  },
  orbitSensitivity: { ...number(1), effect: setControls },
  zoomSensitivity: { ...number(1), effect: setControls },
  panSensitivity: { ...number(1), effect: setControls },
  disableZoom: { ...flag, effect: setControls },
  disablePan: { ...flag, effect: setControls },
  disableTap: { ...flag, effect: setControls },
  touchAction: { ...words('pan-y'), effect: setControls },
  keyboard: { ...one('focus', 'none'), effect: setControls },
};

function endInteraction(element: AttributeHost): void {
  element.endInteraction();
}

function move({ viewer, camera }: CameraScene): void {
  if (viewer.model) camera.move();
}

function limit({ viewer, camera }: CameraScene): void {
  if (viewer.model) camera.limit();
}

function setControls({ viewer, camera, host }: CameraScene): void {
  const { orbitSensitivity, zoomSensitivity, panSensitivity, touchAction } = host;
  viewer.cameraControls = !host.cameraControls ? null : {
    orbitSensitivity, zoomSensitivity, panSensitivity, touchAction,
    zoom: !host.disableZoom, pan: !host.disablePan, keyboard: host.keyboard !== 'none',
    tap: !host.disableTap && (() => camera.move()),
  };
}

const DEGREE = Math.PI / 180;
/** The distance at which all is in view is this much of what 100 % is, as in <model-viewer>. */
const FRAMED = 1.05;
const FIELD_OF_VIEW = { whole: 30 * DEGREE };
/** The narrowest field of view of hands, unless attributes say another. */
const NARROWEST = 12 * DEGREE;
/** Hands come no nearer to the target than this many radii of the model, so that the camera stays outside; as in <model-viewer>. */
const NEAREST = 2.2;

/** Smaller differences are rounding: 105 % of a 105th part is not always the same number. */
const ROUNDING = 1e-9;

/** @internal */
export class OrbitCamera {
  readonly #viewer: Viewer;
  readonly #wish: Readonly<CameraAttributes>;
  /** 100 % of a radius, in metres. */
  #whole = 1;
  /** The middle of the picture that frames all. */
  #center: Vector = [0, 0, 0];
  /** The same when the camera was pointed; a model that turns must not jump when another clip starts. */
  #pivot: Vector = [0, 0, 0];
  /** Around the model as it was posed when it was framed, in metres. */
  #sphere: { readonly center: Vector; readonly radius: number } = { center: [0, 0, 0], radius: 0 };
  /** Whether a hand has moved the camera since it was put where attributes say. */
  #touched = false;
  /** The least and the greatest field of view of hands, unless attributes say others. */
  #fields: readonly [number, number] = [NARROWEST, FIELD_OF_VIEW.whole];

  constructor(viewer: Viewer, wish: Readonly<CameraAttributes>) {
    this.#viewer = viewer;
    this.#wish = wish;
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') this.#touched = true;
    });
    viewer.addEventListener('clipchange', () => this.follow());
  }

  /** The point that the turntable turns the model about. */
  get pivot(): Vector {
    return this.#pivot;
  }

  get followsScroll(): boolean {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#wish;
    return [cameraOrbit, cameraTarget, fieldOfView].some(followsScroll);
  }

  /** Another model is there, which is looked at from the same side as the one before, if there was one. */
  begin(keepDirection: boolean): void {
    const [wanted = NaN] = parseValues(this.#wish.fieldOfView, [FIELD_OF_VIEW]);
    this.#fields = [Math.min(NARROWEST, wanted), Math.max(FIELD_OF_VIEW.whole, wanted)];
    this.jump(keepDirection);
  }

  /** Is at once where attributes say. */
  jump(keepDirection = false): void {
    const { azimuth, polar, fovY } = this.#goal();
    const from = keepDirection ? this.#viewer.camera : { azimuth, polar };
    this.#viewer.camera = { azimuth: from.azimuth, polar: from.polar, fovY };
    this.#viewer.frame();
    const { distance, target } = this.#viewer.camera;
    this.#whole = distance / FRAMED;
    this.#center = this.#pivot = target;
    const { min: [a, b, c], max: [x, y, z] } = this.#viewer.measure() ?? { min: target, max: target };
    this.#sphere = { center: [(a + x) / 2, (b + y) / 2, (c + z) / 2], radius: Math.hypot(x - a, y - b, z - c) / 2 };
    const { cameraOrbit, cameraTarget } = this.#wish;
    // What is all automatic stays in view when the canvas changes its shape.
    if (!/(^|\s)(auto|105%)\s*$/.test(cameraOrbit) || !/^\s*auto(\s+auto)*\s*$/.test(cameraTarget)) {
      const goal = this.#goal();
      this.#viewer.camera = { distance: goal.distance, target: goal.target };
    }
    this.#touched = false;
    this.limit();
  }

  /** Other clips play: 100 % is what frames them. The viewer's automatic camera goes there by itself. */
  follow(): void {
    const framed = this.#viewer.framedCamera;
    if (!framed) return;
    this.#whole = framed.distance / FRAMED;
    this.#center = framed.target;
    this.limit();
  }

  /** Goes there smoothly. */
  move(): void {
    this.#setLimits();
    this.#viewer.moveCamera(this.#goal());
    this.#touched = false;
  }

  /** The canvas has another shape, so that all in view means another distance. */
  reshaped(): void {
    if (!this.#touched) this.jump();
  }

  /** Sets how far hands may go; a camera that is farther is within at once. */
  limit(): void {
    this.#setLimits();
    const viewer = this.#viewer;
    const { framedCamera: framed } = viewer;
    // An automatic camera may be on its way; it stays automatic if its goal is within.
    if (framed && isSame(viewer.camera, viewer.cameraGoal)) {
      const meant = { ...viewer.camera, ...framed };
      const within = viewer.hands.motion.limited(meant);
      if (!isSame(meant, within)) viewer.camera = within;
      return;
    }
    viewer.moveCamera({});
    if (!isSame(viewer.camera, viewer.cameraGoal)) viewer.camera = viewer.cameraGoal;
  }

  #setLimits(): void {
    const { minCameraOrbit, maxCameraOrbit } = this.#wish;
    const whole = this.#whole;
    const { distance, target } = this.#goal();
    const { center, radius } = this.#sphere;
    const ends = (text: string, azimuth: number, polar: number, far: number): number[] => parseValues(text, [
      { whole: 2 * Math.PI, auto: azimuth }, { whole: Math.PI, auto: polar }, { whole, auto: far },
    ]);
    const least = ends(minCameraOrbit, -Infinity, 0, Math.min(NEAREST * radius, distance));
    const most = ends(maxCameraOrbit, Infinity, Math.PI, Math.max(FRAMED * whole, distance));
    const range = (i: number): readonly [number, number] => [least[i] ?? 0, Math.max(least[i] ?? 0, most[i] ?? 0)];
    const away = Math.hypot(target[0] - center[0], target[1] - center[1], target[2] - center[2]);
    this.#viewer.cameraLimits = {
      azimuth: range(0), polar: range(1), distance: range(2), fovY: this.#fieldOfView(), target: { center: target, radius: radius + away },
    };
  }

  /** The least and the greatest field of view. */
  #fieldOfView(): readonly [number, number] {
    const { minFieldOfView, maxFieldOfView } = this.#wish;
    const [narrow = 0] = parseValues(minFieldOfView, [{ ...FIELD_OF_VIEW, auto: this.#fields[0] }]);
    const [wide = 0] = parseValues(maxFieldOfView, [{ ...FIELD_OF_VIEW, auto: this.#fields[1] }]);
    return [narrow, Math.max(narrow, wide)];
  }

  /** Where the attributes want the camera. */
  #goal(): CameraState {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#wish;
    const [azimuth = 0, polar = 0, distance = 1] = parseValues(cameraOrbit, [
      { whole: 2 * Math.PI, auto: 0 }, { whole: Math.PI, auto: 75 * DEGREE }, { whole: this.#whole, auto: FRAMED * this.#whole },
    ]);
    const [x = 0, y = 0, z = 0] = parseValues(cameraTarget, this.#center.map((whole) => ({ whole })));
    const [wanted = 1] = parseValues(fieldOfView, [FIELD_OF_VIEW]);
    const [narrow, wide] = this.#fieldOfView();
    return { azimuth, polar, distance, target: [x, y, z], fovY: Math.min(Math.max(wanted, narrow), wide) };
  }
}

/** From which side it is looked at, as words of a live description: `upper-`, `` or `lower-` and `front`, `right` … @internal */
export function sideOf({ azimuth, polar }: CameraState): string {
  const quarters = Math.round(azimuth / (Math.PI / 2));
  const around = ['front', 'right', 'back', 'left'][((quarters % 4) + 4) % 4] ?? 'front';
  const over = ['upper-', '', 'lower-'][Math.min(2, Math.floor(polar / (Math.PI / 3)))] ?? '';
  return over + around;
}

/** `true` if directions, distances and fields of view differ by rounding at most. */
function isSame(a: CameraState, b: CameraState): boolean {
  return Math.abs(a.azimuth - b.azimuth) + Math.abs(a.polar - b.polar) + Math.abs(a.fovY - b.fovY) + Math.abs(a.distance / b.distance - 1) < ROUNDING;
}
