// The events of `<gambol-viewer>`; see docs/element.md.

import type { ViewerEventDetails } from '../events.ts';
import type { GambolError, Warning } from '../errors.ts';
import type { Progress } from '../progress.ts';

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
  load: { readonly url: string | null };
  error: {
    readonly type: 'loadfailure' | 'webglcontextlost';
    readonly code: string;
    readonly message: string;
    /** Where in the file, as a JSON pointer. */
    readonly pointer: string | undefined;
    readonly url: string | undefined;
    readonly sourceError: GambolError;
  };
  warning: Warning;
  progress: Progress & { readonly totalProgress: number; readonly reason: string };
  'poster-dismissed': Nothing;
  'model-visibility': { readonly visible: boolean };
  timeupdate: ViewerEventDetails['timeupdate'] & { readonly progress: number; readonly frame: number };
  loop: ViewerEventDetails['loop'] & { readonly count: number; readonly name: string; readonly uuid: string };
  marker: ViewerEventDetails['marker'] & { readonly animation: string | null };
  'camera-change': { readonly source: 'user-interaction' | 'none' };
  'interact-stopped': Nothing;
  'joint-click': SurfacePoint;
  'render-scale': {
    /** Device pixels per CSS pixel: of the screen, of the picture, and the least that the picture may have. */
    readonly reportedDpr: number;
    readonly renderedDpr: number;
    readonly minimumDpr: number;
    readonly pixelWidth: number;
    readonly pixelHeight: number;
    readonly reason: string;
  };
  'environment-change': null;
  'variant-applied': null;
  'append-animation': Nothing;
  'detach-animation': Nothing;
}

/** The events of the element, as `addEventListener` knows them. */
export type ElementEventMap = Omit<HTMLElementEventMap, keyof ElementEventDetails> & {
  [Name in keyof ElementEventDetails]: CustomEvent<ElementEventDetails[Name]>;
};
