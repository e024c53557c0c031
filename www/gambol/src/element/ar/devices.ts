// The ways in which a device can show a model in the user's surroundings.

/** A way to show a model: see the attribute `ar-modes`. */
export type ArMode = 'webxr' | 'scene-viewer' | 'quick-look';

const MODES: readonly string[] = ['webxr', 'scene-viewer', 'quick-look'] satisfies readonly ArMode[];

/** The part of `navigator` that the checks read. */
export interface Device {
  readonly userAgent: string;
  readonly platform?: string;
  readonly maxTouchPoints?: number;
  readonly xr?: { isSessionSupported(mode: string): Promise<boolean> };
  readonly userAgentData?: {
    getHighEntropyValues?(names: readonly string[]): Promise<{ readonly formFactors?: readonly string[] }>;
  };
}

/** The modes of the attribute `ar-modes`, each once; unknown words are ignored. */
export function modesOf(text: string): readonly ArMode[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter((word): word is ArMode => MODES.includes(word));
}

/** `true` if the page can open a session of WebXR in the user's surroundings. */
export async function canWebXr({ xr }: Pick<Device, 'xr'>): Promise<boolean> {
  try {
    return (await xr?.isSessionSupported('immersive-ar')) === true;
  } catch {
    // A frame without the permission policy `xr-spatial-tracking` rejects.
    return false;
  }
}

/** `true` if the browser can open Scene Viewer: those of Android but Firefox and the browser of Quest, and headsets with Android. */
export async function canSceneViewer({ userAgent, userAgentData }: Device): Promise<boolean> {
  if (/android/i.test(userAgent) && !/firefox|oculusbrowser/i.test(userAgent)) return true;
  try {
    const { formFactors } = (await userAgentData?.getHighEntropyValues?.(['formFactors'])) ?? {};
    return formFactors?.includes('XR') === true;
  } catch {
    return false;
  }
}

/** `true` if the browser can open Quick Look: Safari of iOS, and other browsers there that forward it. */
export function canQuickLook({ userAgent, platform, maxTouchPoints = 0 }: Device, links: ArLinks): boolean {
  // Safari of iPads says that it runs on a Mac.
  const isIos = /iphone|ipad|ipod/i.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
  // The app of Google opens no links to Quick Look.
  if (!isIos || /\bGSA\//.test(userAgent)) return false;
  return /CriOS|EdgiOS|FxiOS|DuckDuckGo/.test(userAgent) || links.supports('ar');
}

/** The `relList` of a link. */
export interface ArLinks {
  supports(rel: string): boolean;
}

/** What a choice of a mode depends on, beside the device. */
export interface Wish {
  readonly modes: readonly ArMode[];
  /** `true` if there is a model that Scene Viewer and WebXR can load. */
  readonly hasModel: boolean;
  /** `true` if there is a file for Quick Look. */
  readonly hasIosFile: boolean;
  /** Modes that have failed on this page. */
  readonly blocked: ReadonlySet<ArMode>;
}

/** The first mode that the device can open; null for none. A file for Quick Look is used even if `ar-modes` does not name that mode. */
export async function chosenMode(
  { modes, hasModel, hasIosFile, blocked }: Wish,
  device: Device,
  links: ArLinks,
): Promise<ArMode | null> {
  const can: Readonly<Record<ArMode, () => boolean | Promise<boolean>>> = {
    webxr: () => canWebXr(device),
    'scene-viewer': () => canSceneViewer(device),
    'quick-look': () => canQuickLook(device, links),
  };
  if (hasModel) for (const mode of modes) if (!blocked.has(mode) && (await can[mode]())) return mode;
  return hasIosFile && !blocked.has('quick-look') && canQuickLook(device, links) ? 'quick-look' : null;
}
