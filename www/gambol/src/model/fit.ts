// The initial transform of a model in its element, and the camera in front of it. The plane z = 0 is that of the page; the model is
// behind it.

import type { CameraState } from '../values/events.ts';

/** The metres of the model's scene in one CSS pixel, at 72 pixels per inch as the explainer of the element says. */
const METRES = 0.0254 / 72;
/** The distance of the camera from the plane of the page, in multiples of the longer side of the element. */
const DISTANCE = 1.8;

/** The width and height of an element in CSS pixels. */
export type Size = readonly [width: number, height: number];

/** The state of a model that outlives its player, which is freed while the element is not in a page. */
export interface ModelState {
  /** `true` after a model was shown; then the other values are those of that model. */
  known: boolean;
  center: DOMPointReadOnly;
  extents: DOMPointReadOnly;
  transform: DOMMatrixReadOnly;
  /** Seconds. */
  duration: number;
  time: number;
  paused: boolean;
}

/** The state before a model is shown. */
export function noModel(): ModelState {
  return {
    known: false,
    center: new DOMPointReadOnly(),
    extents: new DOMPointReadOnly(),
    transform: identity(),
    duration: 0,
    time: 0,
    paused: true,
  };
}

/** The transform in which the box fills the element, and touches the plane of the page from behind. */
export function boxFit({ center, extents: { x, y, z } }: ModelState, [width, height]: Size): DOMMatrix {
  return fitted(center, Math.min(ratio(width, x), ratio(height, y)), z);
}

/** The same for the sphere around the box, which stays in view in each orientation; `rotation` turns the model around its centre. */
export function sphereFit(
  { center, extents: { x, y, z } }: ModelState,
  [width, height]: Size,
  rotation: DOMMatrixReadOnly,
): DOMMatrix {
  const diameter = Math.hypot(x, y, z);
  return fitted(center, ratio(Math.min(width, height), diameter), diameter, rotation);
}

/** The camera for which the plane of the page fills the element. */
export function cameraOf([width, height]: Size): Omit<CameraState, 'azimuth'> {
  const distance = DISTANCE * Math.max(width, height);
  return {
    polar: Math.PI / 2,
    distance: distance * METRES,
    target: [0, 0, 0],
    fovY: 2 * Math.atan(height / 2 / distance),
  };
}

/** An identity that is not marked as 2D, as all transforms of models. */
export function identity(): DOMMatrix {
  return new DOMMatrix([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
}

/** The scale that maps an extent in metres to a side in pixels; infinite for an extent of 0, which fits any side. */
function ratio(side: number, extent: number): number {
  return (side * METRES) / extent;
}

function fitted(
  { x, y, z }: DOMPointReadOnly,
  factor: number,
  depth: number,
  rotation: DOMMatrixReadOnly = identity(),
): DOMMatrix {
  // A model of a single point has any size.
  const scale = Number.isFinite(factor) ? factor : 1;
  return identity()
    .translateSelf(0, 0, (-scale * depth) / 2)
    .multiplySelf(rotation)
    .scaleSelf(scale, scale, scale)
    .translateSelf(-x, -y, -z);
}
