// The picture of Pip on the first screen. The poster shows the same pose from the same camera (`cargo xtask pictures`).

/** Pip's height up to the ears in metres, and its share of the height of the picture. */
export const [FIGURE, SHARE] = [1.13, 0.8];

const FOV = 0.45;

/** Turned a little, so that Pip faces the text. The space above the ears is for jumps. */
export const CAMERA = {
  azimuth: 0.3,
  polar: 1.5,
  fovY: FOV,
  target: [0, 0.62, 0],
  distance: FIGURE / SHARE / (2 * Math.tan(FOV / 2)),
} as const;

/** The pose: a clip, and a time in seconds. */
export const POSE = { clip: 'Wave', time: 0.9 } as const;

export const SHADOW = 0.5;
