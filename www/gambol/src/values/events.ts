import type { GambolError, Warning } from '../base/errors.ts';
import type { ViewerProgress } from '../base/progress.ts';

/** Where the camera is. */
export interface CameraState {
  /** Angle around the vertical axis in radians, any number of turns; 0 looks at the model's front. */
  readonly azimuth: number;
  /** Angle from straight above in radians, `0..=π`. */
  readonly polar: number;
  /** Metres from the target. */
  readonly distance: number;
  /** The point that is looked at, in metres. */
  readonly target: readonly [x: number, y: number, z: number];
  /** Vertical field of view in radians. */
  readonly fovY: number;
}

/** Where hands and {@link Viewer.moveCamera} may take the camera: the least and the most of each; no limit for what is left out. */
export interface CameraLimits {
  /** Radians; infinite for no limit. */
  readonly azimuth?: readonly [least: number, most: number];
  readonly polar?: readonly [least: number, most: number];
  /** Metres. */
  readonly distance?: readonly [least: number, most: number];
  /** Radians. With it hands zoom by distance and field of view, which come to their limits together; else by the distance alone. */
  readonly fovY?: readonly [least: number, most: number];
  /** A sphere that hands do not take the target out of, in metres. When they have zoomed out as far as they may, the target is its centre. */
  readonly target?: { readonly center: readonly [x: number, y: number, z: number]; readonly radius: number };
}

/** `detail` of every event by its name: plain data, so that it can be cloned, stored and sent. */
export interface ViewerEventDetails {
  /** Another model is on stage; its first frame is not drawn yet. */
  modelchange: { readonly name: string; readonly url: string | null };
  /** Its first frame is on screen. */
  firstframe: { readonly name: string; readonly url: string | null };
  /** The same, and the rest of the module is there, which some calls need. */
  load: { readonly name: string; readonly url: string | null };
  /** Something failed: a load, the module, the context. */
  error: ErrorDetail;
  /** A load goes on. */
  progress: ViewerProgress;
  /** Something was repaired, left out or replaced; `render/no-worker`: the page draws in place of a worker. */
  warning: Warning;
  /** Playing begins. */
  play: TimeDetail;
  /** Playing stops. */
  pause: TimeDetail;
  /** A seek was asked for; `time` is where to, in seconds. */
  seeking: TimeDetail;
  /** The frame of the seek is drawn. */
  seeked: TimeDetail;
  /** The time has moved, by playing or seeking; a few times a second. */
  timeupdate: TimeDetail;
  /** One repetition ended and the next one began; `iteration` counts those that ended. */
  loop: TimeDetail & { readonly iteration: number };
  /** A marker was passed, or landed on; see {@link Clip.markers}. `clip` is an id, null for a blend space. */
  marker: TimeDetail & { readonly name: string; readonly clip: string | null };
  /** The last repetition ended. */
  finished: TimeDetail;
  /** The same moment as `finished`, under the name that media elements use. */
  ended: TimeDetail;
  /** Another clip became current; ids, null for none. */
  clipchange: TimeDetail & { readonly from: string | null; readonly to: string | null };
  /** The playback rate is another. */
  ratechange: TimeDetail & { readonly rate: number };
  /** The camera has moved; `automatic`: by `interact()` of the element. */
  'camera-change': CameraState & { readonly source: 'user-interaction' | 'automatic' | 'none' };
  /** A frame is about to be drawn: what is changed now is in it. Sent only while somebody listens. */
  'before-render': TimeDetail;
  /** A frame was drawn. Sent only while somebody listens. */
  frame: TimeDetail;
  /** The browser has taken the WebGL context away. */
  contextlost: Record<string, never>;
  /** The WebGL context is back, and the picture with it. */
  contextrestored: Record<string, never>;
}

export interface TimeDetail {
  /** Seconds of the clip; where it happened, which need not be a frame's time. */
  readonly time: number;
  /** How many events were left out before this one, after a long gap. */
  readonly skipped?: number;
  /** The name of the layer that it happened to. */
  readonly layer?: string;
}

export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
  readonly url?: string;
}

export type ViewerEventName = keyof ViewerEventDetails;
export type ViewerEvent<Name extends ViewerEventName = ViewerEventName> = CustomEvent<ViewerEventDetails[Name]>;

export type ViewerEventListener<Name extends ViewerEventName> =
  | ((event: ViewerEvent<Name>) => void)
  | { handleEvent(event: ViewerEvent<Name>): void };

/** `EventTarget` that knows which events there are. */
export interface ViewerEventTarget extends EventTarget {
  addEventListener<Name extends ViewerEventName>(type: Name, listener: ViewerEventListener<Name> | null, options?: AddEventListenerOptions | boolean): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
  removeEventListener<Name extends ViewerEventName>(type: Name, listener: ViewerEventListener<Name> | null, options?: EventListenerOptions | boolean): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: EventListenerOptions | boolean): void;
}

/** The constructor that {@link Viewer} extends: `EventTarget` at run time, the above to the compiler. */
export const TypedEventTarget = EventTarget as unknown as new () => ViewerEventTarget;

export function errorDetail({ code, message, pointer, url }: GambolError): ErrorDetail {
  return { code, message, ...(pointer === undefined ? {} : { pointer }), ...(url === undefined ? {} : { url }) };
}
