// WebGL2 contexts of canvases.

import { GambolError } from '../base/errors.ts';

/**
 * The WebGL2 context of a canvas: the one that it has, or a new one. The first context of a page starts the browser's GPU process, so
 * viewers ask for it while the module is on its way. In workers of Firefox, a second call for an OffscreenCanvas throws.
 *
 * @throws {@link GambolError} `render/webgl2-unsupported`
 */
export function webgl2Of(canvas: HTMLCanvasElement | OffscreenCanvas, antialias: boolean): WebGL2RenderingContext {
  const options: WebGLContextAttributes = {
    antialias,
    alpha: true,
    premultipliedAlpha: true,
    depth: true,
    stencil: false,
  };
  const gl = canvas.getContext('webgl2', options) as WebGL2RenderingContext | null;
  if (!gl) throw new GambolError('render/webgl2-unsupported', 'WebGL2 is not available in this browser');
  return gl;
}
