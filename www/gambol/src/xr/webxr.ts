// The parts of WebXR that gambol uses: TypeScript's library has no types of it. https://immersive-web.github.io/webxr/

export type XrMode = 'immersive-ar' | 'immersive-vr';

export interface XrSystem {
  isSessionSupported(mode: XrMode): Promise<boolean>;
  requestSession(mode: XrMode, options: XrSessionInit): Promise<XrSession>;
}

export interface XrSessionInit {
  readonly requiredFeatures?: readonly string[];
  readonly optionalFeatures?: readonly string[];
  readonly domOverlay?: { readonly root: Element };
}

export interface XrSession extends EventTarget {
  readonly inputSources: Iterable<XrInputSource>;
  /** `screen-space` on a phone, `world-space` in a headset. */
  readonly interactionMode?: string;
  readonly preferredReflectionFormat?: string;
  requestAnimationFrame(callback: (time: number, frame: XrFrame) => void): number;
  requestReferenceSpace(type: string): Promise<XrSpace>;
  requestHitTestSource?(options: { readonly space: XrSpace; readonly offsetRay?: unknown }): Promise<XrHitTestSource>;
  requestHitTestSourceForTransientInput?(options: { readonly profile: string }): Promise<XrHitTestSource>;
  requestLightProbe?(options?: { readonly reflectionFormat?: string | undefined }): Promise<XrLightProbe>;
  updateRenderState(state: {
    readonly baseLayer?: XrLayer;
    readonly depthNear?: number;
    readonly depthFar?: number;
  }): void;
  end(): Promise<void>;
}

/** A place in the surroundings. */
export type XrSpace = EventTarget;

export interface XrHitTestSource {
  cancel?(): void;
}

export type XrLightProbe = EventTarget;

export interface XrLightEstimate {
  /** Red, green and blue of nine coefficients. */
  readonly sphericalHarmonicsCoefficients: Float32Array;
  readonly primaryLightDirection: XrPoint;
  readonly primaryLightIntensity: XrPoint;
}

export interface XrPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface XrTransform {
  readonly matrix: Float32Array;
  readonly position: XrPoint;
  readonly inverse: XrTransform;
}

export interface XrPose {
  readonly transform: XrTransform;
  readonly emulatedPosition: boolean;
}

export interface XrView {
  readonly projectionMatrix: Float32Array;
  readonly transform: XrTransform;
}

export interface XrViewerPose extends XrPose {
  readonly views: readonly XrView[];
}

export interface XrHit {
  getPose(space: XrSpace): XrPose | null | undefined;
}

export interface XrFrame {
  getViewerPose(space: XrSpace): XrViewerPose | null | undefined;
  getPose(space: XrSpace, base: XrSpace): XrPose | null | undefined;
  getHitTestResults?(source: XrHitTestSource): readonly XrHit[];
  getHitTestResultsForTransientInput?(
    source: XrHitTestSource,
  ): readonly { readonly inputSource: XrInputSource; readonly results: readonly XrHit[] }[];
  getLightEstimate?(probe: XrLightProbe): XrLightEstimate | null | undefined;
}

export interface XrInputSource {
  readonly targetRayMode: string;
  readonly targetRaySpace: XrSpace;
  readonly gamepad?: { readonly axes: readonly number[] } | null | undefined;
}

export interface XrInputEvent extends Event {
  readonly inputSource: XrInputSource;
  readonly frame: XrFrame;
}

export interface XrLayer {
  readonly framebuffer: WebGLFramebuffer | null;
  getViewport(
    view: XrView,
  ): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
}

/** The constructors of WebXR, which only browsers with WebXR have. */
export interface XrGlobals {
  readonly XRWebGLLayer?: new (
    session: XrSession,
    context: WebGL2RenderingContext,
    options: { readonly antialias: boolean; readonly alpha: boolean; readonly depth: boolean },
  ) => XrLayer;
  readonly XRRay?: new (origin: DOMPointInit, direction: DOMPointInit) => unknown;
  readonly XRWebGLBinding?: new (
    session: XrSession,
    context: WebGL2RenderingContext,
  ) => { getReflectionCubeMap?(probe: XrLightProbe): WebGLTexture | null };
}

export const xrGlobals = globalThis as unknown as XrGlobals;

/** WebXR of this page; undefined without it, and on pages that are not secure. */
export function xrSystem(): XrSystem | undefined {
  return (globalThis.navigator as { readonly xr?: XrSystem } | undefined)?.xr;
}

/** `true` if the device and the page can open sessions of a mode. */
export async function supports(mode: XrMode): Promise<boolean> {
  try {
    return (await xrSystem()?.isSessionSupported(mode)) === true;
  } catch {
    // A frame without the permission policy `xr-spatial-tracking` rejects.
    return false;
  }
}
