// What attributes mean: one table says how each is read and written; properties are made of it.

import type { DebugView } from '../../api/debug-views.ts';
import type { Framing, LoopMode, RootMotion, Skinning, TransitionMode } from '../../values/words.ts';
import type { Visibility } from '../../values/options.ts';

/** How an attribute is read and written. */
export interface Kind<Value> {
  read(text: string | null): Value;
  /** Null takes the attribute away. */
  write(value: Value): string | null;
}

/** The properties of `<gambol-viewer>` that are attributes, too; see docs/element.md. Camel case here is kebab case there. */
export interface ViewerAttributes {
  /** The address of a `.glb` or `.gltf`. */
  src: string | null;
  /** What the model shows, in words. */
  alt: string | null;
  /** The address of a picture that is shown until the model is. */
  poster: string | null;
  /** Structured data about the model in the head of the page, for search engines. */
  generateSchema: boolean;
  /** When loading begins: near the viewport (`auto`, `lazy`), or at once (`eager`). */
  loading: 'auto' | 'lazy' | 'eager';
  /** Whether the model is shown when it is loaded, or waits for `dismissPoster()`. */
  reveal: 'auto' | 'manual';
  /** Cookies and the like for other origins. */
  withCredentials: boolean;
  /** Which files a `.gltf` may name. */
  externalResources: 'any' | 'same-origin';
  /** Whether the package's decoders may be fetched. */
  decoders: 'auto' | 'none';
  /** A bar with play, timeline, clips and more; `minimal` has play and timeline. */
  controls: boolean | 'minimal';

  /** Play as soon as the model is shown, unless people asked for less motion. */
  autoplay: boolean;
  /**
   * The clip: its id or name, or `*` for all at once. The property tells the clip that plays, also after `viewer.play()`: the words of
   * the attribute as long as they name that clip, else its id; null for the first clip, or that of `animation-index`, without the attribute.
   */
  animationName: string | null;
  /** The clip by its place in the file. */
  animationIndex: number | null;
  /** Addresses of files with more clips, separated by spaces. */
  animationSrc: string | null;
  /** Milliseconds in which one clip gives way to another. */
  animationCrossfadeDuration: number;
  /** How one clip gives way to another. */
  transition: TransitionMode;
  /** What comes after the end of a clip: the clip again, nothing, or the clip backwards. */
  loopMode: LoopMode;
  /** How often it is played: a whole number, or Infinity. */
  repetitions: number;
  /** Speed as a factor; negative is backwards. */
  timeScale: number;
  /** What is played of the clip: `"0.2 0.8"` in seconds, or `"marker:name"`, from that marker to the next. */
  segment: string | null;
  /** What moves the time. */
  timeline: string;
  /** A selector: the scroller, the subject or the medium of `timeline`. */
  timelineSource: string | null;
  /** Frames a second for frame steps and display; `auto` is the clip's. */
  fps: number | 'auto';
  /** What becomes of the way that clips go over the ground. */
  rootMotion: RootMotion;
  /** What happens out of sight. */
  visibility: Visibility;
  /** `ignore` plays by itself even where the system asks for less motion. */
  reducedMotion: 'respect' | 'ignore';

  /** Pointers, touch and keys move the camera. */
  cameraControls: boolean;
  /** Angle around, angle from above, distance; `105%` shows the whole model. */
  cameraOrbit: string;
  /** The place that the camera looks at: three lengths, or `auto`. */
  cameraTarget: string;
  /** The vertical field of view: an angle, or `auto`. */
  fieldOfView: string;
  /** The least of each part of `cameraOrbit`. */
  minCameraOrbit: string;
  /** The most of each part of `cameraOrbit`. */
  maxCameraOrbit: string;
  /** The least angle that zooming goes to. */
  minFieldOfView: string;
  /** The greatest angle that zooming goes to. */
  maxFieldOfView: string;
  /** What the camera shows by itself. */
  framing: Framing;
  /** A camera of the file, by its place there. */
  cameraIndex: number | null;
  /** Milliseconds in which the camera does most of a movement. */
  interpolationDecay: number;
  /** A factor for turning the camera. */
  orbitSensitivity: number;
  /** A factor for zooming. */
  zoomSensitivity: number;
  /** A factor for moving the camera sideways. */
  panSensitivity: number;
  /** No zooming by hand. */
  disableZoom: boolean;
  /** No moving sideways by hand. */
  disablePan: boolean;
  /** Two taps in a row do not put the camera back. */
  disableTap: boolean;
  /** The touches that scroll the page, as in CSS. */
  touchAction: string;
  /** A moving hand shows that the model can be turned. */
  interactionPrompt: 'auto' | 'none';
  /** The hand moves from side to side, or stands still. */
  interactionPromptStyle: 'wiggle' | 'basic';
  /** Milliseconds until the prompt is shown. */
  interactionPromptThreshold: number;
  /** The model turns by itself. */
  autoRotate: boolean;
  /** Milliseconds without input until it turns. */
  autoRotateDelay: number;
  /** Speed of `autoRotate`: an angle. */
  rotationPerSecond: string;
  /** Keys count while the element has focus, or never. */
  keyboard: 'focus' | 'none';

  /** The address of the light, a `.hdr` picture; `neutral` is a studio, `none` only the file's own lights. */
  environmentImage: string | null;
  /** The address of a `.hdr` picture that is seen behind the model. */
  skyboxImage: string | null;
  /** How high above the ground the sky was taken, to lie on it: a length. */
  skyboxHeight: string;
  /** Brightness as a factor. */
  exposure: number;
  /** The curve from light to colours of the screen. */
  toneMapping: string;
  /** Darkness of the shadow on the ground, 0 to 1. */
  shadowIntensity: number;
  /** Softness of the shadow's edge, 0 to 1. */
  shadowSoftness: number;
  /** A CSS colour that is drawn behind the model, so that pictures have it, too. */
  background: string | null;
  /** A variant of the materials, by its name (KHR_materials_variants). */
  variantName: string | null;
  /** How joints are blended. */
  skinning: Skinning;
  /** Roll, pitch and yaw of the model: three angles. */
  orientation: string;
  /** Three factors of the model's size: x, y, z. */
  scale: string;
  /** Debug views, separated by spaces; see `Viewer.debug`. */
  debug: string | null;
  /** Device pixels per CSS pixel, at most; read once. */
  maxDpr: number;
  /** The most that the textures of a model take on the GPU, in MiB. */
  textureBudget: number | null;
  /** The most frames a second, at least 15. */
  maxFps: number;
  /** Whether it draws in the context that elements of a page share, in one of its own, or in a worker. */
  renderer: 'shared' | 'own' | 'worker';
  /** JSON with the words of the live description. */
  a11y: string | null;
}

export const text: Kind<string | null> = { read: (value) => value, write: (value) => value };

/** An empty attribute is the default, too. */
export const words = (fallback: string): Kind<string> => ({ read: (value) => value || fallback, write: String });

export const flag: Kind<boolean> = { read: (value) => value !== null, write: (value) => (value ? '' : null) };

/** One of these words, the first unless said. */
export const one = <Word extends string>(...words: readonly [Word, ...Word[]]): Kind<Word> => ({
  read: (value) => words.find((word) => word === value?.toLowerCase()) ?? words[0],
  write: String,
});

/** A number that is no less than `least`. */
export const number = (fallback: number, least = -Infinity, most = Infinity): Kind<number> => ({
  read: (value) => {
    const read = value === null || value.trim() === '' ? NaN : Number(value);
    return Number.isNaN(read) ? fallback : Math.min(most, Math.max(least, read));
  },
  write: String,
});

/** A number above 0, or null. */
export const positive: Kind<number | null> = {
  read: (value) => (Number(value) > 0 ? Number(value) : null),
  write: (value) => (value === null ? null : String(value)),
};

export const index: Kind<number | null> = {
  read: (value) => (/^\s*\d+\s*$/.test(value ?? '') ? Number(value) : null),
  write: (value) => (value === null ? null : String(value)),
};

export const ATTRIBUTES: { readonly [Name in keyof ViewerAttributes]: Kind<ViewerAttributes[Name]> } = {
  src: text,
  alt: text,
  poster: text,
  generateSchema: flag,
  loading: one('auto', 'lazy', 'eager'),
  reveal: one('auto', 'manual'),
  withCredentials: flag,
  externalResources: one('any', 'same-origin'),
  decoders: one('auto', 'none'),
  controls: {
    read: (value) => (value === 'minimal' ? value : value !== null),
    write: (value) => (typeof value === 'string' ? value : flag.write(value)),
  },
  autoplay: flag,
  animationName: text,
  animationIndex: index,
  animationSrc: text,
  animationCrossfadeDuration: number(300, 0, 1e6),
  transition: one('inertial', 'crossfade', 'cut'),
  loopMode: one('repeat', 'once', 'pingpong'),
  repetitions: { ...number(Infinity, 1), read: (value) => (value === null ? Infinity : Math.max(1, Math.round(Number(value)) || Infinity)) },
  timeScale: number(1, -1e6, 1e6),
  segment: { read: text.read, write: (value: unknown) => (Array.isArray(value) ? value.join(' ') : (value as string | null)) },
  timeline: words('auto'),
  timelineSource: text,
  fps: { read: (value) => (Number(value) > 0 ? Number(value) : 'auto'), write: String },
  rootMotion: words('keep') as Kind<RootMotion>,
  visibility: one('pause', 'catch-up', 'run'),
  reducedMotion: one('respect', 'ignore'),
  cameraControls: flag,
  cameraOrbit: words('0deg 75deg 105%'),
  cameraTarget: words('auto auto auto'),
  fieldOfView: words('auto'),
  minCameraOrbit: words('auto'),
  maxCameraOrbit: words('auto'),
  minFieldOfView: words('auto'),
  maxFieldOfView: words('auto'),
  framing: one('clip', 'all-clips', 'pose', 'rest'),
  cameraIndex: index,
  interpolationDecay: number(50, 0, 1e6),
  orbitSensitivity: number(1),
  zoomSensitivity: number(1),
  panSensitivity: number(1),
  disableZoom: flag,
  disablePan: flag,
  disableTap: flag,
  touchAction: words('pan-y'),
  interactionPrompt: one('auto', 'none'),
  interactionPromptStyle: one('wiggle', 'basic'),
  interactionPromptThreshold: number(3000, 0, 1e9),
  autoRotate: flag,
  autoRotateDelay: number(3000, 0, 1e9),
  rotationPerSecond: words('auto'),
  keyboard: one('focus', 'none'),
  environmentImage: text,
  skyboxImage: text,
  skyboxHeight: words('0'),
  exposure: number(1, 0, 1e6),
  toneMapping: words('auto'),
  shadowIntensity: number(0, 0, 1),
  shadowSoftness: number(1, 0, 1),
  background: text,
  variantName: text,
  skinning: one('linear', 'dual-quaternion'),
  orientation: words('0 0 0'),
  scale: words('1 1 1'),
  debug: { read: text.read, write: (value: string | readonly DebugView[] | null) => (Array.isArray(value) ? value.join(' ') : (value as string | null)) },
  maxDpr: number(2, 0.1, 16),
  textureBudget: positive,
  maxFps: number(Infinity),
  renderer: one('shared', 'own', 'worker'),
  a11y: { read: text.read, write: (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null)) },
};

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The properties by the names of their attributes. */
export const PROPERTY_OF: ReadonlyMap<string, keyof ViewerAttributes> = new Map(
  (Object.keys(ATTRIBUTES) as (keyof ViewerAttributes)[]).map((name) => [kebab(name), name]),
);

/** Gives a class a property for each attribute: the attribute is where the value is. */
export function reflect<Values extends object>(prototype: HTMLElement, kinds: { readonly [Name in keyof Values]: Kind<Values[Name]> }): void {
  for (const name of Object.keys(kinds) as (keyof Values & string)[]) {
    // A class may have one of its own.
    if (Object.hasOwn(prototype, name)) continue;
    const attribute = kebab(name);
    const kind = kinds[name];
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return kind.read(this.getAttribute(attribute));
      },
      set(this: HTMLElement, value: Values[typeof name] | undefined) {
        const written = value === undefined || value === null ? null : kind.write(value);
        if (written === null) this.removeAttribute(attribute);
        else this.setAttribute(attribute, written);
      },
    });
  }
}

/** Properties that a framework set before the class was there would hide those of the class. */
export function upgradeProperties(element: HTMLElement, names: Iterable<string>): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}
