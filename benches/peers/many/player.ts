// What every player of the comparison is asked for.

/** What is to be seen. */
export interface Scene {
  /** A binary glTF. */
  readonly file: Uint8Array<ArrayBuffer>;
  /** How many copies of it. */
  readonly count: number;
  /** About how tall one is, in metres. */
  readonly height: number;
}

export interface Player {
  readonly gl: WebGL2RenderingContext;
  /** Time moves on, and everything is worked out for a frame, up to the matrices that skin; nothing is uploaded or drawn. */
  update(): void;
  /** How many milliseconds of the last update were that, if it does more. */
  updateTime?(): number;
  /** A whole frame. */
  frame(): void;
  /** The size of wasm's memory, which browsers leave out of what they measure. */
  wasmBytes?(): number;
}

/** The width and height of nearly all pictures. Few pixels: what the GPU does shall be over soon. */
export const SIZE = 64;
/** Seconds from frame to frame. */
export const STEP = 1 / 60;

/** Where the characters stand: in a square that begins at the origin and goes back. */
export function places({ count, height }: Scene): [x: number, y: number, z: number][] {
  const side = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, i) => [height * (i % side - (side - 1) / 2), 0, -height * Math.floor(i / side)]);
}

/** At which second of its clip each one begins. */
export function phase(i: number, duration: number): number {
  return (i * 0.37) % duration;
}

/** Who sees all of them. */
export function camera({ count, height }: Scene): { position: [number, number, number]; target: [number, number, number]; fovY: number; near: number; far: number } {
  const side = Math.ceil(Math.sqrt(count)) * height;
  const distance = 2.2 * side;
  return {
    position: [0, height + 0.4 * distance, distance], target: [0, height / 2, -side / 2], fovY: 0.8, near: distance / 100, far: distance * 10,
  };
}

/** A square canvas in the page, with a pixel for each of CSS. */
export function canvas(size = SIZE): HTMLCanvasElement {
  const made = document.createElement('canvas');
  Object.assign(made, { width: size, height: size });
  // All in the same place, so that none is out of view, where gambol draws nothing.
  made.style.cssText = `position: fixed; top: 0; left: 0; width: ${size}px; height: ${size}px`;
  document.body.append(made);
  return made;
}

/** The context that a canvas has already. */
export function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  const gl = canvas.getContext('webgl2');
  if (!gl) throw new Error('no WebGL2');
  return gl;
}

/** Waits for the GPU, by asking for a pixel: `finish` does not wait in Chromium. */
export function finish(gl: WebGL2RenderingContext): void {
  const bound = gl.getParameter(gl.READ_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  // One with several samples could not be read.
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, bound);
}
