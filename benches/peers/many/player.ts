// The interface that every player of the comparison implements.

/** The scene to render. */
export interface Scene {
  /** A binary glTF. */
  readonly file: Uint8Array<ArrayBuffer>;
  /** The number of copies. */
  readonly count: number;
  /** The approximate height of a copy, in metres. */
  readonly height: number;
}

export interface Player {
  readonly gl: WebGL2RenderingContext;
  /** Advances time and computes everything for a frame, up to the skinning matrices, without uploads or draw calls. */
  update(): void;
  /** The milliseconds of the last update alone, if `update` also does other work. */
  updateTime?(): number;
  /** Renders a whole frame. */
  frame(): void;
  /** The size of wasm's memory, which browsers do not include in their measurement. */
  wasmBytes?(): number;
}

/** The width and height of nearly all pictures: few pixels, so that the GPU's work is short. */
export const SIZE = 64;
/** Seconds from frame to frame. */
export const STEP = 1 / 60;

/** The positions of the characters: a square that begins at the origin and extends backwards. */
export function places({ count, height }: Scene): [x: number, y: number, z: number][] {
  const side = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, i) => [
    height * ((i % side) - (side - 1) / 2),
    0,
    -height * Math.floor(i / side),
  ]);
}

/** The start time of each copy in its clip, in seconds. */
export function phase(i: number, duration: number): number {
  return (i * 0.37) % duration;
}

/** A camera with all copies in view. */
export function camera({ count, height }: Scene): {
  position: [number, number, number];
  target: [number, number, number];
  fovY: number;
  near: number;
  far: number;
} {
  const side = Math.ceil(Math.sqrt(count)) * height;
  const distance = 2.2 * side;
  return {
    position: [0, height + 0.4 * distance, distance],
    target: [0, height / 2, -side / 2],
    fovY: 0.8,
    near: distance / 100,
    far: distance * 10,
  };
}

/** A square canvas on the page, with one pixel per CSS pixel. */
export function canvas(size = SIZE): HTMLCanvasElement {
  const made = document.createElement('canvas');
  Object.assign(made, { width: size, height: size });
  // All canvases have the same position, so that none is out of view, where gambol skips drawing.
  made.style.cssText = `position: fixed; top: 0; left: 0; width: ${size}px; height: ${size}px`;
  document.body.append(made);
  return made;
}

/** The existing context of a canvas. */
export function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  const gl = canvas.getContext('webgl2');
  if (!gl) throw new Error('no WebGL2');
  return gl;
}

/** Waits for the GPU by reading a pixel: `finish` does not wait in Chromium. */
export function finish(gl: WebGL2RenderingContext): void {
  const bound = gl.getParameter(gl.READ_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  // A multisampled framebuffer cannot be read.
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, bound);
}
