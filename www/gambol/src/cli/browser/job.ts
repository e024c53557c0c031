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
  /** The name of the result. */
  readonly name: string;
  /** The time of a picture in seconds. */
  readonly time?: number;
  /** A film, in place of a picture. */
  readonly film?: JobFilm;
}

/** Options of `record`. */
export interface JobFilm {
  readonly format: 'webm' | 'mp4' | 'gif' | 'apng' | 'png-sequence' | 'sprite-sheet';
  readonly from: number;
  readonly to: number;
  readonly fps: number;
  /** The turns of the camera around the model; 0 for none. */
  readonly turntable: number;
  readonly samples: 1 | 4 | 9 | 16;
  readonly columns?: number;
  readonly quality?: number;
  readonly bitrate?: number;
}
