// The events of `<gambol-viewer>`; see docs/element.md.

import type { ViewerEventDetails } from '../../values/events.ts';
import type { GambolError, Warning } from '../../base/errors.ts';
import type { Progress } from '../../base/progress.ts';

/** A point or a direction, as plain data. @category Options and results of the element */
export interface Point {
  /** The coordinate along X. */
  readonly x: number;
  /** The coordinate along Y, which is up in model space. */
  readonly y: number;
  /** The coordinate along Z. */
  readonly z: number;
}

/** A point on the surface, in model space. @category Options and results of the element */
export interface SurfacePoint {
  /** The position in metres. */
  readonly position: Point;
  /** The surface normal: a unit vector outwards. */
  readonly normal: Point;
  /** The name of the joint with the largest weight at this point, or null. */
  readonly joint: string | null;
  /** 0 for the element's own model; the `<extra-model>` children count from 1, and their points are in their own space. */
  readonly modelIndex: number;
}

type Forwarded =
  | 'play'
  | 'pause'
  | 'seeking'
  | 'seeked'
  | 'finished'
  | 'ended'
  | 'ratechange'
  | 'clipchange'
  | 'clipschange'
  | 'contextlost'
  | 'contextrestored'
  | 'statechange'
  | 'stateenter'
  | 'stateleave'
  | 'frame'
  | 'before-render';

/** The `detail` of every event of the element, by its name: plain data. @category Events of the element */
export interface ElementEventDetails extends Pick<ViewerEventDetails, Forwarded> {
  /** The first frame of a model is drawn. */
  firstframe: Record<string, never>;
  /** The first frame of a model is drawn, and every method works. */
  load: {
    /** The URL of the model's file; null for other sources. */
    readonly url: string | null;
  };
  /** Loading failed, or the viewer ended. */
  error: {
    /** The kind of error, as in `<model-viewer>`. */
    readonly type: 'loadfailure' | 'webglcontextlost';
    /** The stable code, `area/kebab-case`. */
    readonly code: string;
    /** A message for users. */
    readonly message: string;
    /** JSON pointer to the fault inside the glTF file, if the error has a place in the file. */
    readonly pointer: string | undefined;
    /** The file or URL of the error, if there is one. */
    readonly url: string | undefined;
    /** The error itself. */
    readonly sourceError: GambolError;
  };
  /** A part of the file was repaired, ignored or replaced, or an attribute or call has no effect. */
  warning: Warning;
  /** A load made progress. */
  progress: Progress & {
    /** The progress of all concurrent loads, `0..=1`; see `totalRatio`. */
    readonly totalProgress: number;
    /** Always `model-load`. */
    readonly reason: string;
  };
  /** The poster is hidden and the model is visible. */
  'poster-dismissed': Record<string, never>;
  /** The model has entered or left the viewport. */
  'model-visibility': {
    /** `true` if a model is shown and a part of the element is in the viewport. */
    readonly visible: boolean;
  };
  /** The playhead has moved, by playback or seeking; sent a few times per second. */
  timeupdate: ViewerEventDetails['timeupdate'] & {
    /** The playhead as a fraction of the segment, `0..=1`. */
    readonly progress: number;
    /** The nearest frame of the clip; 0 is the first. */
    readonly frame: number;
  };
  /** A repetition has ended and the next one has begun. */
  loop: ViewerEventDetails['loop'] & {
    /** The same as `iteration`, by its name in `<model-viewer>`. */
    readonly count: number;
    /** The name of the clip; empty for a blend space. */
    readonly name: string;
    /** The id of the clip; empty for a blend space. */
    readonly uuid: string;
  };
  /** A marker was passed. */
  marker: ViewerEventDetails['marker'] & {
    /** The same as `clip`, by the name of the attribute of `<gambol-marker>`. */
    readonly animation: string | null;
  };
  /** The camera has moved. */
  'camera-change': {
    /** The cause: user input, `interact()` (`automatic`), or attributes and scripts (`none`). */
    readonly source: 'user-interaction' | 'automatic' | 'none';
  };
  /** User input is released and the camera is at rest; or `interact()` has ended. */
  'interact-stopped': {
    /** The cause: user input, the end of `interact()` (`automatic`), or an attribute (`none`). */
    readonly source: 'user-interaction' | 'automatic' | 'none';
  };
  /** The surface of a joint was clicked. It is sent only if the feature `picking` was used: `features="picking"`. */
  'joint-click': SurfacePoint;
  /** The size of the picture in pixels has changed. */
  'render-scale': {
    /** Device pixels per CSS pixel of the screen. */
    readonly reportedDpr: number;
    /** Device pixels per CSS pixel of the picture. */
    readonly renderedDpr: number;
    /** The same as `renderedDpr`: the resolution does not adapt to the load. */
    readonly minimumDpr: number;
    /** The width of the picture in device pixels. */
    readonly pixelWidth: number;
    /** The height of the picture in device pixels. */
    readonly pixelHeight: number;
    /** Always `resize`. */
    readonly reason: string;
  };
  /** The environment map was changed, or the first model is lit by the default one. */
  'environment-change': null;
  /** The material variant has changed. */
  'variant-applied': null;
  /** `appendAnimation()` has added a clip. */
  'append-animation': Record<string, never>;
  /** Augmented reality has begun or ended, or has failed. */
  'ar-status': {
    /** The new state, which the attribute `ar-status` has, too. */
    readonly status: 'not-presenting' | 'session-started' | 'object-placed' | 'failed';
  };
  /** The device has found or lost its place in the surroundings, in a session of WebXR. */
  'ar-tracking': {
    /** The new state, which the attribute `ar-tracking` has, too. */
    readonly status: 'tracking' | 'not-tracking';
  };
  /** The button in the banner of Quick Look was tapped. */
  'quick-look-button-tapped': null;
  /** Attributes of an `<extra-model>` child have changed. It bubbles from the child. */
  'extra-model-changed': {
    /** `true` if `src` has changed. */
    readonly srcChanged: boolean;
    /** The attribute of this name. */
    readonly src: string | null;
    /** The attribute of this name. */
    readonly offset: string | null;
    /** The attribute of this name. */
    readonly orientation: string | null;
    /** The attribute of this name. */
    readonly scale: string | null;
    /** The attribute of this name. */
    readonly background: boolean;
  };
  /** `detachAnimation()` has removed a clip. */
  'detach-animation': Record<string, never>;
}

/**
 * The `detail` of the events of elements that add a model, by name. They do not bubble.
 * @category Events of the element
 */
export interface ModelChildEventDetails {
  /** The model is loaded and on stage. */
  load: ElementEventDetails['load'];
  /** The model could not be loaded. */
  error: ElementEventDetails['error'];
}

/** The events of elements that add a model, for the types of `addEventListener`. @category Events of the element */
export type ModelChildEventMap = Omit<HTMLElementEventMap, keyof ModelChildEventDetails> & {
  [Name in keyof ModelChildEventDetails]: CustomEvent<ModelChildEventDetails[Name]>;
};

/** The events of the element, for the types of `addEventListener`. @category Events of the element */
export type ElementEventMap = Omit<HTMLElementEventMap, keyof ElementEventDetails> & {
  [Name in keyof ElementEventDetails]: CustomEvent<ElementEventDetails[Name]>;
};

/** `addEventListener()` of an element, with the types of its events. @category Events of the element */
export interface AddListener<EventMap> {
  /** Adds a listener for one of the events of the element. */
  <Name extends keyof EventMap>(
    type: Name,
    listener: (event: EventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /** Adds a listener for events of any other type. */
  (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** `removeEventListener()` of an element, with the types of its events. @category Events of the element */
export interface RemoveListener<EventMap> {
  /** Removes a listener of one of the events of the element. */
  <Name extends keyof EventMap>(
    type: Name,
    listener: (event: EventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  /** Removes a listener of events of any other type. */
  (type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}
