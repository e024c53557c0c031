// Stills: pictures with another size or time than the canvas, and frames of films. They are drawn to the viewer's drawing buffer
// and copied in the same task, before the browser paints.

import { GambolError } from '../base/errors.ts';
import { fit, type Canvas, type StillPixels, type StillSource } from './graphics-context.ts';
import type { PlainStill } from '../values/options.ts';
import type { CoreStill } from '../wasm/core.ts';
import { shown } from '../base/shown.ts';

type Size = readonly [width: number, height: number];

/** Draws a still on a new canvas. @throws `GambolError` as {@link stillOn} */
export function drawStill(options: PlainStill, source: StillSource): HTMLCanvasElement {
  return stillOn(document.createElement('canvas'), options, source);
}

/**
 * Draws a still on `copy`.
 *
 * @throws `GambolError` `argument/invalid`, `viewer/picture-too-large`, `viewer/no-picture`, `render/context-lost`
 */
export function stillOn<C extends Canvas>(copy: C, options: PlainStill, source: StillSource): C {
  const { visibleCanvas, gl } = source;
  const [crop, whole] = sizes(options, visibleCanvas);
  [copy.width, copy.height] = crop;
  const context = copy.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (!context) throw noContext();
  drawn(options, whole, source, (bottom) => {
    const [x, y] = [Math.floor((whole[0] - crop[0]) / 2), Math.floor((whole[1] - crop[1]) / 2)];
    context.drawImage(gl.canvas, x, bottom - whole[1] + y, ...crop, 0, 0, ...crop);
  });
  return copy;
}

/**
 * Draws a still, and reads its pixels. They are those of the drawing buffer, without a canvas in between, which rounds colours.
 *
 * @throws `GambolError` as {@link stillOn}
 */
export function stillPixels(options: PlainStill, source: StillSource): StillPixels {
  const { visibleCanvas, gl } = source;
  const [whole] = sizes(options, visibleCanvas);
  const [width, height] = whole;
  const [data, row] = [new Uint8Array(4 * width * height), new Uint8Array(4 * width)];
  drawn(options, whole, source, () => gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data));
  // The first row of WebGL is the lowest one.
  for (let y = 0; 2 * y < height - 1; y++) {
    const [top, bottom] = [4 * width * y, 4 * width * (height - 1 - y)];
    row.set(data.subarray(top, top + 4 * width));
    data.copyWithin(top, bottom, bottom + 4 * width);
    data.set(row, bottom);
  }
  return { width, height, data };
}

function noContext(): GambolError {
  return new GambolError(
    'viewer/no-picture',
    'The browser has no canvas context for the picture. Close other pages, and try again.',
  );
}

/**
 * Draws a still into the lower left part of the drawing buffer, calls `read` with the height of the buffer, and restores the visible
 * picture.
 */
function drawn(
  { time, background }: PlainStill,
  [width, height]: Size,
  { actor, visibleCanvas, gl, draw, restore = draw }: StillSource,
  read: (bottom: number) => void,
): void {
  const still: CoreStill = {
    width,
    height,
    pose: actor === undefined || time === undefined ? undefined : { actor, time },
    background: background === undefined ? undefined : Float32Array.from(background ?? [0, 0, 0, 0]),
  };
  const drawingCanvas = gl.canvas;
  const lost = (): GambolError =>
    new GambolError('render/context-lost', 'The WebGL context was lost while the picture was drawn. Try again.');
  // A lost context returns null for all queries.
  if (gl.isContextLost()) throw lost();
  const tooLarge = (): GambolError =>
    new GambolError(
      'viewer/picture-too-large',
      `A picture of ${width} × ${height} pixels is larger than this GPU can draw. Use a smaller size.`,
    );
  const most = [gl.MAX_RENDERBUFFER_SIZE, gl.MAX_TEXTURE_SIZE].map((name) => gl.getParameter(name) as number);
  const [wide = 0, high = 0] = gl.getParameter(gl.MAX_VIEWPORT_DIMS) as Int32Array;
  if (width > Math.min(wide, ...most) || height > Math.min(high, ...most)) throw tooLarge();

  const before: Size = [drawingCanvas.width, drawingCanvas.height];
  const room: Size = [Math.max(width, drawingCanvas.width), Math.max(height, drawingCanvas.height)];
  try {
    fit(drawingCanvas, ...room);
    // A browser may make the drawing buffer smaller than requested.
    if (gl.drawingBufferWidth < room[0] || gl.drawingBufferHeight < room[1]) throw tooLarge();
    draw(still);
    if (gl.isContextLost()) throw lost();
    read(room[1]);
    // A context that is lost meanwhile reads zeros.
    if (gl.isContextLost()) throw lost();
  } finally {
    fit(drawingCanvas, ...before);
    // Restores the picture of the canvas.
    if (drawingCanvas === visibleCanvas)
      restore({ width: before[0], height: before[1], pose: undefined, background: undefined });
  }
}

/** The size of the crop, and the size of the whole picture. */
function sizes({ width, height, aspect }: PlainStill, canvas: Canvas): readonly [crop: Size, whole: Size] {
  const refuse = (words: string): never => {
    throw new GambolError('argument/invalid', words);
  };
  for (const [name, pixels] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (pixels !== undefined && !(Number.isInteger(pixels) && pixels >= 1))
      refuse(`${name} must be a whole number of pixels of at least 1, not ${shown(pixels)}.`);
  }
  const shape = canvas.width / canvas.height;
  const round = (pixels: number): number => Math.max(1, Math.round(pixels));
  const by = (ratio: number, whole: Size): Size => [
    width ?? (height === undefined ? whole[0] : round(height * ratio)),
    height ?? (width === undefined ? whole[1] : round(width / ratio)),
  ];
  if (aspect === undefined) {
    const whole = by(shape, [canvas.width, canvas.height]);
    return [whole, whole];
  }
  if (!(aspect > 0 && aspect < Infinity)) refuse(`aspect must be a number above 0, not ${shown(aspect)}.`);
  if (width !== undefined && height !== undefined)
    refuse('aspect cannot be combined with both width and height. Omit one of the three.');
  // The largest crop of this aspect ratio.
  const wider = aspect > shape;
  const crop = by(
    aspect,
    wider ? [canvas.width, round(canvas.width / aspect)] : [round(canvas.height * aspect), canvas.height],
  );
  return [
    crop,
    wider ? [crop[0], Math.max(crop[1], round(crop[0] / shape))] : [Math.max(crop[0], round(crop[1] * shape)), crop[1]],
  ];
}
