// The camera: its attributes and its controls.

import type { Viewer } from '../../api/viewer.ts';
import type { CameraState } from '../../values/events.ts';
import type { Vector } from '../../values/transforms.ts';
import type { Framing } from '../../values/words.ts';
import { flag, index, number, one, words, type AttributeHost, type AttributeTable } from '../base/attributes.ts';
import { followsScroll, parseFinite, parseValues } from '../base/css-values.ts';
import type { Scene } from './scene.ts';

/** @internal */
export interface CameraScene extends Scene<CameraAttributes> {
  readonly camera: OrbitCamera;
}

/** Attributes of the camera. */
export interface CameraAttributes {
  /** Enables camera controls by pointer, touch and keys. @category Camera */
  cameraControls: boolean;
  /**
   * The azimuth, polar angle and distance of the camera, such as `30deg 75deg 2m`; `105%` shows the whole model.
   * @category Camera
   */
  cameraOrbit: string;
  /**
   * The target of the camera in model space: three lengths, each of which may be `auto`, the centre of the model.
   * @category Camera
   */
  cameraTarget: string;
  /** The vertical field of view: an angle, or `auto` (30°). @category Camera */
  fieldOfView: string;
  /** The lower limit of each part of `cameraOrbit`. @category Camera */
  minCameraOrbit: string;
  /** The upper limit of each part of `cameraOrbit`. @category Camera */
  maxCameraOrbit: string;
  /** The smallest field of view of zooming. @category Camera */
  minFieldOfView: string;
  /** The largest field of view of zooming. @category Camera */
  maxFieldOfView: string;
  /** The poses that the automatic camera frames. @category Camera */
  framing: Framing;
  /**
   * The index of a camera in the file, from 0; without it, the view is that of the element's own camera.
   * @category Camera
   */
  cameraIndex: number | null;
  /** The time in milliseconds, at least 0, in which the camera does most of a movement. @category Camera */
  interpolationDecay: number;
  /** A factor on orbiting by user input; a negative one reverses it. @category Camera */
  orbitSensitivity: number;
  /** A factor on zooming by user input; a negative one reverses it. @category Camera */
  zoomSensitivity: number;
  /** A factor on panning by user input; a negative one reverses it. @category Camera */
  panSensitivity: number;
  /** Disables zooming by user input. @category Camera */
  disableZoom: boolean;
  /** Disables panning by user input. @category Camera */
  disablePan: boolean;
  /** Disables the reset of the camera by a double tap. @category Camera */
  disableTap: boolean;
  /** The touch gestures that scroll the page, as in the CSS property `touch-action`. @category Camera */
  touchAction: string;
  /** Keys work while the element has the focus (`focus`), or never (`none`). @category Camera */
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
  viewer.cameraControls = !host.cameraControls
    ? null
    : {
        orbitSensitivity,
        zoomSensitivity,
        panSensitivity,
        touchAction,
        zoom: !host.disableZoom,
        pan: !host.disablePan,
        keyboard: host.keyboard !== 'none',
        tap: !host.disableTap && (() => camera.move()),
      };
}

const DEGREE = Math.PI / 180;
/** The distance of the framed camera as a multiple of 100 %, as in <model-viewer>. */
const FRAMED = 1.05;
const FIELD_OF_VIEW = { whole: 30 * DEGREE };
/** The default of the smallest field of view of user input. */
const MIN_FIELD_OF_VIEW = 12 * DEGREE;
/** The default of the smallest distance in radii of the model, so that the camera stays outside; as in <model-viewer>. */
const MIN_RADII = 2.2;

/** The tolerance of comparisons: dividing by 1.05 and multiplying again may not give the same number. */
const ROUNDING = 1e-9;

/** @internal */
export class OrbitCamera {
  readonly #viewer: Viewer;
  readonly #attributes: Readonly<CameraAttributes>;
  /** The distance of 100 %, in metres. */
  #whole = 1;
  /** The target of the framed camera. */
  #center: Vector = [0, 0, 0];
  /** `#center` at the last {@link jump}. It stays for other clips, so that a model on the turntable does not jump. */
  #pivot: Vector = [0, 0, 0];
  /** The sphere around the model in the pose in which it was framed, in metres. */
  #sphere: { readonly center: Vector; readonly radius: number } = { center: [0, 0, 0], radius: 0 };
  /** `true` if user input has moved the camera since it was last set from the attributes. */
  #touched = false;
  /** The defaults of the smallest and the largest field of view of user input. */
  #fields: readonly [number, number] = [MIN_FIELD_OF_VIEW, FIELD_OF_VIEW.whole];

  constructor(viewer: Viewer, attributes: Readonly<CameraAttributes>) {
    this.#viewer = viewer;
    this.#attributes = attributes;
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') this.#touched = true;
    });
    viewer.addEventListener('clipchange', () => this.follow());
  }

  /** The point on the axis of the turntable. */
  get pivot(): Vector {
    return this.#pivot;
  }

  get followsScroll(): boolean {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#attributes;
    return [cameraOrbit, cameraTarget, fieldOfView].some(followsScroll);
  }

  /** Frames another model. With `keepDirection` the camera keeps its direction. */
  begin(keepDirection: boolean): void {
    const [wanted = NaN] = parseFinite(this.#attributes.fieldOfView, [FIELD_OF_VIEW]);
    this.#fields = [Math.min(MIN_FIELD_OF_VIEW, wanted), Math.max(FIELD_OF_VIEW.whole, wanted)];
    this.jump(keepDirection);
  }

  /** Sets the camera from the attributes without easing. */
  jump(keepDirection = false): void {
    const { azimuth, polar, fovY } = this.#goal();
    const from = keepDirection ? this.#viewer.camera : { azimuth, polar };
    this.#viewer.camera = { azimuth: from.azimuth, polar: from.polar, fovY };
    this.#viewer.frame();
    const { distance, target } = this.#viewer.camera;
    this.#whole = distance / FRAMED;
    this.#center = this.#pivot = target;
    const {
      min: [a, b, c],
      max: [x, y, z],
    } = this.#viewer.measure() ?? { min: target, max: target };
    this.#sphere = { center: [(a + x) / 2, (b + y) / 2, (c + z) / 2], radius: Math.hypot(x - a, y - b, z - c) / 2 };
    const { cameraOrbit, cameraTarget } = this.#attributes;
    // If distance and target are automatic, they stay those of `frame()`, which adapts to the shape of the canvas.
    if (!/(^|\s)(auto|105%)\s*$/.test(cameraOrbit) || !/^\s*auto(\s+auto)*\s*$/.test(cameraTarget)) {
      const goal = this.#goal();
      this.#viewer.camera = { distance: goal.distance, target: goal.target };
    }
    this.#touched = false;
    this.limit();
  }

  /** Updates the distance of 100 % after a change of clips. The viewer's automatic camera moves there by itself. */
  follow(): void {
    const framed = this.#viewer.framedCamera;
    if (!framed) return;
    this.#whole = framed.distance / FRAMED;
    this.#center = framed.target;
    this.limit();
  }

  /** Moves the camera smoothly to the state of the attributes. */
  move(): void {
    this.#setLimits();
    this.#viewer.moveCamera(this.#goal());
    this.#touched = false;
  }

  /** Frames the model again after a change of the canvas's shape, unless user input has moved the camera. */
  reshaped(): void {
    if (!this.#touched) this.jump();
  }

  /** Sets the limits of user input, and clamps the camera to them without easing. */
  limit(): void {
    this.#setLimits();
    const viewer = this.#viewer;
    const { framedCamera: framed } = viewer;
    // An automatic camera may be gliding; it stays automatic if its goal is within the limits.
    if (framed && isSame(viewer.camera, viewer.cameraGoal)) {
      const goal = { ...viewer.camera, ...framed };
      const within = viewer.cameraInput.motion.limited(goal);
      if (!isSame(goal, within)) viewer.camera = within;
      return;
    }
    viewer.moveCamera({});
    if (!isSame(viewer.camera, viewer.cameraGoal)) viewer.camera = viewer.cameraGoal;
  }

  #setLimits(): void {
    const { minCameraOrbit, maxCameraOrbit } = this.#attributes;
    const whole = this.#whole;
    const { distance, target } = this.#goal();
    const { center, radius } = this.#sphere;
    // A percentage is of the value of `auto`, as in <model-viewer>.
    const ends = (text: string, ...auto: readonly number[]): number[] =>
      parseValues(
        text,
        auto.map((limit) => ({ whole: limit })),
      );
    const least = ends(minCameraOrbit, -Infinity, 0, Math.min(MIN_RADII * radius, distance));
    const most = ends(maxCameraOrbit, Infinity, Math.PI, Math.max(FRAMED * whole, distance));
    const range = (i: number): readonly [number, number] => [least[i] ?? 0, Math.max(least[i] ?? 0, most[i] ?? 0)];
    const away = Math.hypot(target[0] - center[0], target[1] - center[1], target[2] - center[2]);
    this.#viewer.cameraLimits = {
      azimuth: range(0),
      polar: range(1),
      distance: range(2),
      fovY: this.#fieldOfView(),
      target: { center: target, radius: radius + away },
    };
  }

  /** The smallest and the largest field of view. */
  #fieldOfView(): readonly [number, number] {
    const { minFieldOfView, maxFieldOfView } = this.#attributes;
    const [narrow = 0] = parseValues(minFieldOfView, [{ whole: this.#fields[0] }]);
    const [wide = 0] = parseValues(maxFieldOfView, [{ whole: this.#fields[1] }]);
    return [narrow, Math.max(narrow, wide)];
  }

  /** The state of the camera by the attributes. */
  #goal(): CameraState {
    const { cameraOrbit, cameraTarget, fieldOfView } = this.#attributes;
    const [azimuth = 0, polar = 0, distance = 1] = parseFinite(cameraOrbit, [
      { whole: 0 },
      { whole: 75 * DEGREE },
      { whole: this.#whole, auto: FRAMED * this.#whole },
    ]);
    const [x = 0, y = 0, z = 0] = parseFinite(
      cameraTarget,
      this.#center.map((whole) => ({ whole })),
    );
    const [wanted = 1] = parseFinite(fieldOfView, [FIELD_OF_VIEW]);
    const [narrow, wide] = this.#fieldOfView();
    return { azimuth, polar, distance, target: [x, y, z], fovY: Math.min(Math.max(wanted, narrow), wide) };
  }
}

/** The side from which the camera looks, as a key for texts: `upper-`, `` or `lower-`, then `front`, `right` … @internal */
export function sideOf({ azimuth, polar }: CameraState): string {
  const quarters = Math.round(azimuth / (Math.PI / 2));
  const around = ['front', 'right', 'back', 'left'][((quarters % 4) + 4) % 4] ?? 'front';
  const over = ['upper-', '', 'lower-'][Math.min(2, Math.floor(polar / (Math.PI / 3)))] ?? '';
  return over + around;
}

/** `true` if directions, distances and fields of view differ by rounding at most. */
function isSame(a: CameraState, b: CameraState): boolean {
  return (
    Math.abs(a.azimuth - b.azimuth) +
      Math.abs(a.polar - b.polar) +
      Math.abs(a.fovY - b.fovY) +
      Math.abs(a.distance / b.distance - 1) <
    ROUNDING
  );
}
