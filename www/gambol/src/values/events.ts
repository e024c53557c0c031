import type { GambolError, Warning } from '../base/errors.ts';
import type { ViewerProgress } from '../base/progress.ts';

/** The state of the camera. @category Camera */
export interface CameraState {
  /** The angle around the vertical axis in radians, any number of turns; 0 looks at the model's front. */
  readonly azimuth: number;
  /** The angle from straight above in radians, `0..=π`. */
  readonly polar: number;
  /** The distance from the target in metres. */
  readonly distance: number;
  /** The point that the camera looks at, in metres. */
  readonly target: readonly [x: number, y: number, z: number];
  /** Vertical field of view in radians. */
  readonly fovY: number;
}

/** The parts of the canvas that something covers, in CSS pixels: see {@link Viewer.cameraPadding}. @category Camera */
export interface CameraPadding {
  /** The width of the covered part at the left. Default: 0. */
  readonly left?: number;
  /** The height of the covered part at the top. Default: 0. */
  readonly top?: number;
  /** The width of the covered part at the right. Default: 0. */
  readonly right?: number;
  /** The height of the covered part at the bottom. Default: 0. */
  readonly bottom?: number;
}

/**
 * The limits of the camera for user input and {@link Viewer.moveCamera}. Omitted properties have no limit.
 * @category Camera
 */
export interface CameraLimits {
  /** The range in radians; infinite for no limit. */
  readonly azimuth?: readonly [least: number, most: number];
  /** The range in radians from straight above; the camera stays 0.01 away from the poles in any case. */
  readonly polar?: readonly [least: number, most: number];
  /** The range in metres. */
  readonly distance?: readonly [least: number, most: number];
  /**
   * The range in radians. With it, user input zooms by distance and field of view, which reach their limits together; without it,
   * by the distance only.
   */
  readonly fovY?: readonly [least: number, most: number];
  /** A sphere in metres in which user input keeps the target. At the largest zoom-out, the target is the centre of the sphere. */
  readonly target?: {
    /** The centre of the sphere, in world space. */
    readonly center: readonly [x: number, y: number, z: number];
    /** The radius of the sphere. */
    readonly radius: number;
  };
}

/** The `detail` of every event, by its name: plain data, so that it can be cloned, stored and sent. @category Events */
export interface ViewerEventDetails {
  /** Another model is on stage; its first frame is not drawn yet. */
  modelchange: {
    /** The name of the model's file. */
    readonly name: string;
    /** The URL of the file; null for other sources. */
    readonly url: string | null;
  };
  /** The first frame of a model is on screen. */
  firstframe: {
    /** The name of the model's file. */
    readonly name: string;
    /** The URL of the file; null for other sources. */
    readonly url: string | null;
  };
  /** A load has ended: the first frame of the model is on screen, after `firstframe`. */
  load: {
    /** The name of the model's file. */
    readonly name: string;
    /** The URL of the file; null for other sources. */
    readonly url: string | null;
  };
  /** Something failed: a load, the module, the context. */
  error: ErrorDetail;
  /** A load made progress. */
  progress: ViewerProgress;
  /** A part of a file was repaired, ignored or replaced; `render/no-worker`: the page draws in place of a worker. */
  warning: Warning;
  /** Playback begins. */
  play: TimeDetail;
  /** Playback stops. */
  pause: TimeDetail;
  /** A seek begins; `time` is its target in seconds. */
  seeking: TimeDetail;
  /** The frame of the seek is drawn. */
  seeked: TimeDetail;
  /** The playhead has moved, by playback or seeking; sent a few times per second. */
  timeupdate: TimeDetail;
  /** A repetition has ended and the next one has begun. */
  loop: TimeDetail & {
    /** The number of ended repetitions. */
    readonly iteration: number;
  };
  /** The playhead has passed or reached a marker; see {@link Clip.markers}. */
  marker: TimeDetail & {
    /** The name of the marker. */
    readonly name: string;
    /** The id of the clip; null for a blend space. */
    readonly clip: string | null;
  };
  /** The last repetition has ended. */
  finished: TimeDetail;
  /** The same as `finished`, by its name in media elements. */
  ended: TimeDetail;
  /** The current clip has changed. */
  clipchange: TimeDetail & {
    /** The id of the clip before; null for none and for a blend space. */
    readonly from: string | null;
    /** The id of the current clip; null for none and for a blend space. */
    readonly to: string | null;
  };
  /**
   * Clips of the model were added, removed or edited; see `addClips()`, `createClip()` and `editClip()` of the model. The clips are
   * given by their ids.
   */
  clipschange: {
    /** The clips that the model has gained. */
    readonly added: readonly string[];
    /** The clips that it has lost. */
    readonly removed: readonly string[];
    /** The clips whose contents are others. */
    readonly edited: readonly string[];
  };
  /** A layer of the state machine is in another state; see `loadStates()`. */
  statechange: StateDetail & {
    /** The path of the state before; null for the first one. */
    readonly from: string | null;
    /** The path of the new state: the names of the machines around it and its own, joined by `/`. */
    readonly to: string;
  };
  /** A state was entered; of states within each other, the outermost is first. */
  stateenter: StateDetail & {
    /** The path of the state. */
    readonly state: string;
    /** The name that the file gives as `enter`; null without one. */
    readonly name: string | null;
  };
  /** A state was left; of states within each other, the innermost is first. */
  stateleave: StateDetail & {
    /** The path of the state. */
    readonly state: string;
    /** The name that the file gives as `leave`; null without one. */
    readonly name: string | null;
  };
  /** The playback rate has changed. */
  ratechange: TimeDetail & {
    /** The rate of the current playback. */
    readonly rate: number;
  };
  /** The camera has moved. */
  'camera-change': CameraState & {
    /** The cause: user input, `interact()` of the element (`automatic`), or scripts and attributes (`none`). */
    readonly source: 'user-interaction' | 'automatic' | 'none';
  };
  /** A controller has selected a surface in a session of VR. */
  'xr-select': {
    /** The point on the surface, in metres, in world space. */
    readonly position: readonly [x: number, y: number, z: number];
    /** The surface normal: a unit vector towards the user. */
    readonly normal: readonly [x: number, y: number, z: number];
    /** The name of the joint of the viewer's own model with the largest weight at this point; null for other actors and crowds. */
    readonly joint: string | null;
    /** The point in the meshes of the viewer's own model, for `surface()`; null for other actors and crowds. */
    readonly surface: readonly number[] | null;
  };
  /** A frame will be drawn; it includes the changes that listeners make. Sent only if a listener was ever added. */
  'before-render': TimeDetail;
  /** A frame was drawn. Sent only if a listener was ever added. */
  frame: TimeDetail;
  /** The WebGL context was lost. */
  contextlost: Record<string, never>;
  /** The WebGL context and the picture are restored. */
  contextrestored: Record<string, never>;
}

/** The `detail` of events of playback. @category Events */
export interface TimeDetail {
  /** The time of the event in seconds of the clip, which may be between two frames. */
  readonly time: number;
  /** The number of events that were skipped before this one, after a long gap. */
  readonly skipped?: number;
  /** The name of the layer of the event. */
  readonly layer?: string;
}

/** The `detail` of events of a state machine. @category Events */
export interface StateDetail {
  /** The name of the layer of the machine. */
  readonly layer: string;
  /** The time of the event in seconds of the machine, which may be between two frames. */
  readonly time: number;
  /** The number of events that were skipped before this one, after a long gap. */
  readonly skipped?: number;
}

/** The `detail` of `error` events: the properties of a {@link GambolError} as plain data. @category Events */
export interface ErrorDetail {
  /** The stable code, `area/kebab-case`. */
  readonly code: string;
  /** A message for users. */
  readonly message: string;
  /** JSON pointer to the fault inside the glTF file; omitted if the error has no place in the file. */
  readonly pointer?: string;
  /** The file or URL of the error, if there is one. */
  readonly url?: string;
}

/** The name of an event of a viewer, an actor or a layer. @category Events */
export type ViewerEventName = keyof ViewerEventDetails;
/** An event of a viewer, an actor or a layer. @category Events */
export type ViewerEvent<Name extends ViewerEventName = ViewerEventName> = CustomEvent<ViewerEventDetails[Name]>;

/** A listener of an event: a function, or an object with the method `handleEvent`. @category Events */
export type ViewerEventListener<Name extends ViewerEventName> =
  | ((event: ViewerEvent<Name>) => void)
  | {
      /** Called with each event. */
      handleEvent(event: ViewerEvent<Name>): void;
    };

/** An `EventTarget` with the types of the viewer's events. */
export interface ViewerEventTarget extends EventTarget {
  addEventListener<Name extends ViewerEventName>(
    type: Name,
    listener: ViewerEventListener<Name> | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  /** Removes a listener of an event. @category Events */
  removeEventListener<Name extends ViewerEventName>(
    type: Name,
    listener: ViewerEventListener<Name> | null,
    options?: EventListenerOptions | boolean,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: EventListenerOptions | boolean,
  ): void;
}

/** The constructor that {@link Viewer} extends: `EventTarget` at run time, {@link ViewerEventTarget} for the compiler. */
export const TypedEventTarget = EventTarget as unknown as new () => ViewerEventTarget;

export function errorDetail({ code, message, pointer, url }: GambolError): ErrorDetail {
  return { code, message, ...(pointer === undefined ? {} : { pointer }), ...(url === undefined ? {} : { url }) };
}
