// Emulated devices for WebXR: a headset, and a phone that knows a floor. https://github.com/meta-quest/immersive-web-emulation-runtime

import { XRDevice, XRRay, metaQuest3 } from 'iwer';
import type { Viewer } from 'gambol';
import type { T } from '../../page/api.ts';

/** A view of a frame: its viewport in pixels, and its matrices, column by column. */
export interface SeenView {
  readonly viewport: readonly [x: number, y: number, width: number, height: number];
  readonly view: Float32Array;
  readonly projection: Float32Array;
}

/** The pixels of the whole framebuffer of a session after a frame, the lowest row first, and its views. */
export interface SeenFrame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly views: readonly SeenView[];
}

type Vec = readonly [x: number, y: number, z: number];

interface Surface {
  readonly point: Vec;
  /** A unit vector along an axis. */
  readonly normal: Vec;
}

/** The floor of emulated devices. */
export const FLOOR: Surface = { point: [0, 0, 0], normal: [0, 1, 0] };

interface Options {
  /** The surface that hit tests find; none by default. */
  readonly surface?: Surface;
  /** `screen-space` for a phone. */
  readonly interactionMode?: string;
  /** One view instead of two. */
  readonly mono?: boolean;
}

/** Installs an emulated device in this page, until the end of the test. */
export function device(t: T, { surface, interactionMode, mono = false }: Options = {}): XRDevice {
  const made = new XRDevice(
    { ...metaQuest3, ...(interactionMode !== undefined && { interactionMode: interactionMode as never }) },
    { stereoEnabled: !mono, visibilityMask: null } as never,
  );
  made.installRuntime({ forceInstall: true } as never);
  if (surface) made.installSEM(environmentOf(surface) as never);
  t.after(() => {
    void made.activeSession?.end().catch(() => undefined);
    (made as unknown as { uninstallRuntime?(): void }).uninstallRuntime?.();
  });
  return made;
}

/** The context in which a viewer draws. */
export const glOf = ({ engine }: Viewer): WebGL2RenderingContext => engine.host.screen.context.gl;

/** The pixels of the next frame that is drawn. */
export async function seen(t: T, { activeSession }: XRDevice, viewer: Viewer): Promise<SeenFrame> {
  const gl = glOf(viewer);
  const session = t.some(activeSession, 'a session');
  const space = await session.requestReferenceSpace('local-floor' as never);
  return new Promise((resolve, reject) => {
    session.requestAnimationFrame((_, frame) => {
      const pose = frame.getViewerPose(space);
      const layer = session.renderState.baseLayer;
      if (!pose || !layer) return reject(new Error('no pose or no layer'));
      const { framebufferWidth: width, framebufferHeight: height } = layer;
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, layer.framebuffer);
      const data = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
      const views = pose.views.map((view): SeenView => {
        const { x, y, width, height } = t.some(layer.getViewport(view));
        return {
          viewport: [x, y, width, height],
          view: view.transform.inverse.matrix as Float32Array,
          projection: view.projectionMatrix as Float32Array,
        };
      });
      resolve({ width, height, data, views });
    });
  });
}

/** The pixel in which a view shows a point of the session, as red, green, blue and alpha. */
export function pixelAt(
  { width, height, data }: SeenFrame,
  { viewport: [left, bottom, wide, high], view, projection }: SeenView,
  point: readonly [x: number, y: number, z: number],
): readonly number[] {
  const times = (matrix: Float32Array, [x = 0, y = 0, z = 0, w = 0]: readonly number[]): number[] =>
    [0, 1, 2, 3].map(
      (row) =>
        (matrix[row] ?? 0) * x + (matrix[4 + row] ?? 0) * y + (matrix[8 + row] ?? 0) * z + (matrix[12 + row] ?? 0) * w,
    );
  const [x = 0, y = 0, , w = 1] = times(projection, times(view, [...point, 1]));
  const column = Math.floor(left + ((x / w + 1) / 2) * wide);
  const row = Math.floor(bottom + ((y / w + 1) / 2) * high);
  if (column < 0 || row < 0 || column >= width || row >= height)
    throw new Error(`${String(point)} is outside the view`);
  return [...data.subarray(4 * (row * width + column), 4 * (row * width + column) + 4)];
}

// The matrix of a ray in iwer 2.5.0 is the inverse of that of the specification, which turns −Z to the direction.
Object.defineProperty(XRRay.prototype, 'matrix', {
  get(this: XRRay): Float32Array {
    const { origin, direction } = this;
    const back = [-direction.x, -direction.y, -direction.z] as const;
    const length = Math.hypot(back[0], back[2]);
    const right = [back[2] / length, 0, -back[0] / length] as const;
    const up = [back[1] * right[2], back[2] * right[0] - back[0] * right[2], -back[1] * right[0]] as const;
    return Float32Array.of(...right, 0, ...up, 0, ...back, 0, origin.x, origin.y, origin.z, 1);
  },
});

/** A synthetic environment of one plane, as `installSEM` takes it: a point of it, and its normal along an axis. */
function environmentOf({ point, normal }: Surface): unknown {
  return class {
    readonly environmentCanvas = document.createElement('canvas');
    readonly trackedPlanes = new Set();
    readonly trackedMeshes = new Set();
    render(): void {
      // The test reads the layer of the page only.
    }
    computeHitTestResults(ray: ArrayLike<number>): Float32Array[] {
      const at = (i: number): number => ray[i] ?? 0;
      const dot = (x: number, y: number, z: number): number => x * normal[0] + y * normal[1] + z * normal[2];
      const [px, py, pz] = point;
      const length = dot(px - at(12), py - at(13), pz - at(14)) / -dot(at(8), at(9), at(10));
      if (!(length > 0)) return [];
      const hit = [at(12) - at(8) * length, at(13) - at(9) * length, at(14) - at(10) * length] as const;
      // Y is the normal, and any X is right.
      const x = normal[0] === 0 ? ([1, 0, 0] as const) : ([0, 1, 0] as const);
      const z = [
        x[1] * normal[2] - x[2] * normal[1],
        x[2] * normal[0] - x[0] * normal[2],
        x[0] * normal[1] - x[1] * normal[0],
      ] as const;
      return [Float32Array.of(...x, 0, ...normal, 0, ...z, 0, ...hit, 1)];
    }
  };
}
