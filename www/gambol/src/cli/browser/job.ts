// The work that the command gives to its page. Both sides import these types.

/** Angles in radians, lengths in metres. */
export interface JobCamera {
  readonly azimuth?: number;
  readonly polar?: number;
  readonly distance?: number;
  readonly target?: readonly [x: number, y: number, z: number];
  readonly fovY?: number;
  /** The name or index of a camera of the file. */
  readonly own?: string | number;
}

export interface Job {
  /** The address of the model, relative to the page. */
  readonly model: string;
  /** The index of the clip; null for the rest pose. */
  readonly clip: number | null;
  readonly width: number;
  readonly height: number;
  /** A CSS colour; null for transparent. */
  readonly background: string | null;
  readonly camera: JobCamera;
  /** Stills: the times in seconds, and the name of each result. */
  readonly stills: readonly { readonly time: number; readonly name: string }[];
  /** `true` to turn the camera once around the model, over all stills or over the film. */
  readonly turntable: boolean;
}
