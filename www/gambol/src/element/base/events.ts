// The events of `<gambol-viewer>`; see docs/element.md.

import type { ViewerEventDetails } from '../../values/events.ts';
import type { GambolError, Warning } from '../../base/errors.ts';
import type { Progress } from '../../base/progress.ts';

/** A point or a direction, as plain data. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A point on the surface, in model space. */
export interface SurfacePoint {
  /** The position in metres. */
  readonly position: Point;
  /** The surface normal: a unit vector outwards. */
  readonly normal: Point;
  /** The name of the joint with the largest weight at this point, or null. */
  readonly joint: string | null;
}

type NoDetail = Record<string, never>;
type Forwarded =
  | 'play'
  | 'pause'
  | 'seeking'
  | 'seeked'
  | 'finished'
  | 'ended'
  | 'ratechange'
  | 'clipchange'
  | 'contextlost'
  | 'contextrestored'
  | 'frame'
  | 'before-render';

/** The `detail` of every event of the element, by its name: plain data. */
export interface ElementEventDetails extends Pick<ViewerEventDetails, Forwarded> {
  /** The first frame of a model is drawn. */
  firstframe: NoDetail;
  /** The first frame of a model is drawn, and every method works. */
  load: { readonly url: string | null };
  /** Loading failed, or the viewer ended. */
  error: {
    readonly type: 'loadfailure' | 'webglcontextlost';
    readonly code: string;
    readonly message: string;
    /** The place in the file, as a JSON pointer. */
    readonly pointer: string | undefined;
    readonly url: string | undefined;
    readonly sourceError: GambolError;
  };
  /** A part of the file was repaired, ignored or replaced, or an attribute or call has no effect. */
  warning: Warning;
  /** A load made progress. */
  progress: Progress & { readonly totalProgress: number; readonly reason: string };
  /** The poster is hidden and the model is visible. */
  'poster-dismissed': NoDetail;
  /** The model has entered or left the viewport. */
  'model-visibility': { readonly visible: boolean };
  /** The playhead has moved, by playback or seeking; sent a few times per second. */
  timeupdate: ViewerEventDetails['timeupdate'] & { readonly progress: number; readonly frame: number };
  /** A repetition has ended and the next one has begun. */
  loop: ViewerEventDetails['loop'] & { readonly count: number; readonly name: string; readonly uuid: string };
  /** A marker was passed. */
  marker: ViewerEventDetails['marker'] & { readonly animation: string | null };
  /** The camera has moved: by user input, by `interact()` (`automatic`), or by attributes and scripts (`none`). */
  'camera-change': { readonly source: 'user-interaction' | 'automatic' | 'none' };
  /**
   * User input is released and the camera is at rest; or `interact()` has ended, after its duration (`automatic`) or by other
   * causes.
   */
  'interact-stopped': { readonly source: 'user-interaction' | 'automatic' | 'none' };
  /** The surface of a joint was clicked. */
  'joint-click': SurfacePoint;
  /** The size of the picture in pixels has changed. */
  'render-scale': {
    /** Device pixels per CSS pixel: of the screen, of the picture, and the lower limit of the picture. */
    readonly reportedDpr: number;
    readonly renderedDpr: number;
    readonly minimumDpr: number;
    readonly pixelWidth: number;
    readonly pixelHeight: number;
    readonly reason: string;
  };
  /** The environment map was changed, or the first model is lit by the default one. */
  'environment-change': null;
  /** The material variant has changed. */
  'variant-applied': null;
  /** `appendAnimation()` has added a clip. */
  'append-animation': NoDetail;
  /** `detachAnimation()` has removed a clip. */
  'detach-animation': NoDetail;
}

/** The events of the element, for the types of `addEventListener`. */
export type ElementEventMap = Omit<HTMLElementEventMap, keyof ElementEventDetails> & {
  [Name in keyof ElementEventDetails]: CustomEvent<ElementEventDetails[Name]>;
};
