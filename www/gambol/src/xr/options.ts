// The public types of AR and VR.

/** Options of {@link Viewer.enterAr}. @category Augmented and virtual reality */
export interface ArOptions {
  /** `fixed` keeps the size of the model; with `auto`, two fingers scale it. Default: `auto`. */
  readonly scale?: 'auto' | 'fixed';
  /** The surface on which the model stands or hangs. Default: `floor`. */
  readonly placement?: 'floor' | 'wall' | 'ceiling';
  /** `true` to light the model by the light that the device estimates, where it does that. Default: false. */
  readonly estimateLight?: boolean;
  /** The element that is shown over the camera picture, if the device can show one. Default: none. */
  readonly overlay?: Element | undefined;
  /** Called when the model has its first place. */
  readonly placed?: () => void;
  /** Called when the device loses its place in the surroundings (`false`), and finds it again (`true`). */
  readonly tracking?: (tracks: boolean) => void;
}

/** A session of AR or VR. @category Augmented and virtual reality */
export interface ImmersiveSession {
  /** Resolves when the session has ended: by {@link end}, by the user, or with the viewer. */
  readonly ended: Promise<void>;
  /** Ends the session; resolves when that is done. */
  end(): Promise<void>;
}

/** Options of {@link Viewer.enterVr}. @category Augmented and virtual reality */
export interface VrOptions {
  /** The distance in metres between the user and the model, above 0. Default: by the size of the model. */
  readonly distance?: number | undefined;
}
