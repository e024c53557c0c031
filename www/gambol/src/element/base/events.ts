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

/** A place of the surface, in the model's own space. */
export interface SurfacePoint {
  /** Metres. */
  readonly position: Point;
  /** Of length 1, outwards. */
  readonly normal: Point;
  /** The joint that moves it most, or null. */
  readonly joint: string | null;
}

type Nothing = Record<string, never>;
type Same = 'play' | 'pause' | 'seeking' | 'seeked' | 'finished' | 'ended' | 'ratechange' | 'clipchange' | 'contextlost' | 'contextrestored' | 'frame' | 'before-render';

/** `detail` of every event of the element by its name: plain data. */
export interface ElementEventDetails extends Pick<ViewerEventDetails, Same> {
  /** The first frame of a model is drawn. */
  firstframe: Nothing;
  /** The same, and every method may be called. */
  load: { readonly url: string | null };
  /** Loading failed, or the viewer ended. */
  error: {
    readonly type: 'loadfailure' | 'webglcontextlost';
    readonly code: string;
    readonly message: string;
    /** Where in the file, as a JSON pointer. */
    readonly pointer: string | undefined;
    readonly url: string | undefined;
    readonly sourceError: GambolError;
  };
  /** Something was repaired, left out or replaced. */
  warning: Warning;
  /** A load goes on. */
  progress: Progress & { readonly totalProgress: number; readonly reason: string };
  /** The poster has gone and the model is seen. */
  'poster-dismissed': Nothing;
  /** The model came into view, or left it. */
  'model-visibility': { readonly visible: boolean };
  /** The time has moved, by playing or seeking; a few times a second. */
  timeupdate: ViewerEventDetails['timeupdate'] & { readonly progress: number; readonly frame: number };
  /** A repetition ended and the next one began. */
  loop: ViewerEventDetails['loop'] & { readonly count: number; readonly name: string; readonly uuid: string };
  /** A marker was passed. */
  marker: ViewerEventDetails['marker'] & { readonly animation: string | null };
  /** The camera has moved: by hands, by `interact()` (`automatic`), or by attributes and scripts. */
  'camera-change': { readonly source: 'user-interaction' | 'automatic' | 'none' };
  /** No finger, button or key is held any more, and the camera is at rest; or `interact()` has ended, by itself (`automatic`) or by others. */
  'interact-stopped': { readonly source: 'user-interaction' | 'automatic' | 'none' };
  /** A joint was clicked on. */
  'joint-click': SurfacePoint;
  /** The picture has another size in pixels. */
  'render-scale': {
    /** Device pixels per CSS pixel: of the screen, of the picture, and the least that the picture may have. */
    readonly reportedDpr: number;
    readonly renderedDpr: number;
    readonly minimumDpr: number;
    readonly pixelWidth: number;
    readonly pixelHeight: number;
    readonly reason: string;
  };
  /** Another environment lights the model. */
  'environment-change': null;
  /** Another variant of materials is shown. */
  'variant-applied': null;
  /** A clip was added over the current one. */
  'append-animation': Nothing;
  /** A clip that was added has been taken away. */
  'detach-animation': Nothing;
}

/** The events of the element, as `addEventListener` knows them. */
export type ElementEventMap = Omit<HTMLElementEventMap, keyof ElementEventDetails> & {
  [Name in keyof ElementEventDetails]: CustomEvent<ElementEventDetails[Name]>;
};
