import type { ClipRef } from './clips.ts';
import { checkedRgba, type Rgba } from './color.ts';
import {
  FRAMINGS,
  LOOP_MODES,
  SKINNINGS,
  SYNCS,
  TRANSITIONS,
  type Framing,
  type LoopMode,
  type Skinning,
  type SyncMode,
  type TransitionMode,
} from './words.ts';
import { GambolError } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { choices } from '../base/suggestions.ts';
import { shown } from '../base/shown.ts';

/** Options of {@link createViewer}. @category Viewers and actors */
export interface ViewerOptions {
  /** `true` for camera controls by mouse, touch and pen, or their settings; see {@link Viewer.cameraControls}. Default: true. */
  readonly cameraControls?: boolean | CameraControlSettings;
  /**
   * With camera controls: the arrow keys, `+`, `-` and Page Up/Down move the camera while the canvas has the focus. Default:
   * true.
   */
  readonly keyboard?: boolean;
  /**
   * The touch gestures on the canvas that the browser handles, as in CSS `touch-action`. Default: `none`; `pan-y` lets a finger
   * scroll the page, as `<model-viewer>` does.
   */
  readonly touchAction?: string;
  /** `true` to play the first clip that lasts as soon as a model is shown. Default: false. */
  readonly autoplay?: boolean;
  /**
   * `respect` disables `autoplay` if the system asks for reduced motion; `ignore` does not. Calls of the page, such as `play()` and
   * `blink()`, always act. Default: `respect`.
   */
  readonly reducedMotion?: 'respect' | 'ignore';
  /**
   * The context that draws. Default: `own`.
   *
   * - `own`: a WebGL2 context of the canvas.
   * - `shared`: one context for all viewers with `shared`; each frame is copied to the canvas. A browser allows a page 8 to 16
   *   contexts. Shader programs and lighting exist only once. Edges are always antialiased.
   * - `worker`: a context in a worker, which also computes poses. The page computes times and answers queries. The canvas stays
   *   with the worker, so another viewer needs another canvas. Without support for it, the fallback is `shared`, with a `warning`
   *   (`render/no-worker`).
   */
  readonly renderer?: 'own' | 'shared' | 'worker';
  /** `true` for antialiased edges, in a context that is not shared. Default: true. */
  readonly antialias?: boolean;
  /**
   * The processor of skinning and morphing. The picture is the same; `cpu` is slower, and is meant for comparison. Default:
   * `gpu`.
   */
  readonly skinOn?: 'gpu' | 'cpu';
  /** The upper limit of device pixels per CSS pixel, above 0. Default: 2. */
  readonly maxDpr?: number;
  /**
   * The upper limit of bytes that the textures of a model take on the GPU, mipmaps included. To keep it, the largest images are
   * reduced, with a warning (`image/downscaled`); of KTX2 images, the largest mipmap levels are skipped. Default: 64 MiB for each
   * GiB of the device's memory (`navigator.deviceMemory`), up to 1 GiB; 384 MiB if the browser does not report it.
   */
  readonly textureBudget?: number;
  /** The background: a CSS colour, or red, green, blue and alpha, each `0..=1`, sRGB. Default: transparent. */
  readonly background?: Rgba | string | null;
}

/** Settings of the camera controls. @category Camera */
export interface CameraControlSettings {
  /** `true` for the keys of {@link ViewerOptions.keyboard}. Default: true. */
  readonly keyboard?: boolean;
  /** See {@link ViewerOptions.touchAction}. Default: `none`. */
  readonly touchAction?: string;
  /** `true` for zooming by wheel, pinch and keys; with `false`, the wheel scrolls the page. Default: true. */
  readonly zoom?: boolean;
  /** `true` for panning by two fingers, the right button and Shift. Default: true. */
  readonly pan?: boolean;
  /** The action of a double click: reset the camera (true), a function, or none (false). Default: true. */
  readonly tap?: boolean | (() => void);
  /** A factor on orbiting; a negative one reverses it. Default: 1. */
  readonly orbitSensitivity?: number;
  /** A factor on panning; a negative one reverses it. Default: 1. */
  readonly panSensitivity?: number;
  /** A factor on zooming; a negative one reverses it. Default: 1. */
  readonly zoomSensitivity?: number;
}

/**
 * The behaviour of time while the canvas is not visible, because the page is hidden or the canvas is outside the viewport. Time
 * stands still (`pause`), advances by the gap when the canvas is visible again (`catch-up`), or goes on, with all events (`run`).
 * @category Viewers and actors
 */
export type Visibility = 'pause' | 'catch-up' | 'run';

/** The part of a clip that is played, in seconds. @category Playback */
export type Segment = readonly [begin: number, end: number];

/** Options of one playback. The defaults are the properties of the same name. @category Playback */
export interface PlayOptions {
  /** The behaviour at the end of the clip: begin again, stop, or play back and forth in turn. */
  readonly loopMode?: LoopMode;
  /** The number of repetitions until `finished`: a whole number of at least 1, or `Infinity`. */
  readonly repetitions?: number;
  /** The speed; any finite number. */
  readonly playbackRate?: number;
}

/** Options of {@link Performer.play}. @category Playback */
export interface PerformOptions extends PlayOptions {
  /** The transition to another clip. Default: {@link Performer.transition}. */
  readonly transition?: TransitionMode;
  /** The same as `transition`. */
  readonly mode?: TransitionMode;
  /** The duration of the transition in seconds, at least 0. Default: {@link Performer.transitionDuration}. */
  readonly transitionDuration?: number;
}

/** Options of {@link Performer.transitionTo}. @category Playback */
export interface TransitionToOptions extends PerformOptions {
  /** The synchronisation with the clip before: of the start, and, in a crossfade, of both clips. Default: `none`. */
  readonly sync?: SyncMode;
  /** The start time in seconds of the new clip; takes precedence over `sync`. Default: its beginning. */
  readonly at?: number;
}

/**
 * The blend mode of a layer:
 *
 * - `override` replaces the layers below.
 * - `average` averages with the performer's own clip and the other averaged layers, as the mixer of three.js does. Each channel
 *   uses the weights of the clips that animate it, normalised if their sum is above 1.
 * - `additive` adds the difference to a reference pose.
 * @category Mixing
 */
export type LayerMode = 'override' | 'average' | 'additive';

/**
 * The reference pose of an additive layer: the rest pose, the first keyframes of the layer's clip, or a clip at a time.
 * @category Mixing
 */
export type LayerReference =
  | 'rest'
  | 'first'
  | {
      /** The clip of the pose. */
      readonly clip: ClipRef;
      /** The time of the pose in seconds of the clip. */
      readonly time: number;
    };

/**
 * A set of joints: a pattern, several patterns, or patterns with weights `0..=1`. The last pattern that matches a joint counts.
 *
 * | pattern | joints |
 * |---|---|
 * | `Hand`, `Arm/Hand` | joints of this name; with this parent |
 * | `Spine*`, `*_L` | `*` stands for any characters of one name |
 * | `Spine1/**` | `Spine1` and all its descendants |
 * | `/Root/*` | a path from the root |
 * | `!Head/**` | excludes these joints; as the first pattern, it includes all others |
 *
 * `\\` escapes the next character. A pattern without an exact match is compared like the names of {@link Performer.joint}: case,
 * separators and a prefix before `:` are ignored (`left_hand` finds `mixamorig:LeftHand`). A separator beside a `*` is a word
 * boundary: `*_L` finds `Hand.L` and `HandL`, but not `Tail`.
 * @category Mixing
 */
export type Mask = string | readonly string[] | Readonly<Record<string, number>>;

/** Options of {@link Layers.add}. @category Mixing */
export interface LayerOptions extends PlayOptions {
  /** The name, unique among the layers. Default: the clip's id, with `~2`, `~3` … if a layer has this name. */
  readonly name?: string;
  /** The blend mode. Default: `override`. */
  readonly mode?: LayerMode;
  /** The reference pose of an additive layer. Default: `rest`. */
  readonly reference?: LayerReference;
  /** The joints that the layer moves. Default: all. */
  readonly mask?: Mask | null;
  /** The weight: `0..=1`; at least 0 for an averaged layer, any number for an additive layer. Default: 1. */
  readonly weight?: number;
  /** The duration of the fade-in in seconds; 0 for none. Default: {@link Performer.transition}. */
  readonly fade?: number;
  /**
   * The synchronisation. Default: `none`. With other values, the layer ignores its own playhead, rate and segment, and sends no
   * markers.
   */
  readonly sync?: SyncMode;
}

/** The options of a picture that differ from the canvas. The defaults are those of the canvas. @category Pictures */
export interface StillOptions {
  /**
   * The time in seconds of the clip to which the viewer's own model is posed. Its layers, other actors and crowds are not
   * changed.
   */
  readonly time?: number | undefined;
  /** The width in pixels. Default: from `height` by the aspect ratio of the canvas, else the width of the canvas. */
  readonly width?: number | undefined;
  /** The height in pixels. Default: from `width` by the aspect ratio of the canvas, else the height of the canvas. */
  readonly height?: number | undefined;
  /** The aspect ratio (width / height), in place of one of both: the picture is cropped to it, around its centre. */
  readonly aspect?: number | undefined;
  /** The background; null is transparent. */
  readonly background?: Rgba | string | null | undefined;
}

/** Options of {@link Viewer.toBlob}. @category Pictures */
export interface PictureOptions extends StillOptions {
  /** The image format: `image/png` (the default), `image/jpeg`, `image/webp`. */
  readonly mimeType?: string;
  /** The quality of lossy formats, `0..=1`. */
  readonly quality?: number;
}

/** The options of a still as plain data that can be sent to a worker: finite numbers, and a background without CSS. */
export interface PlainStill extends Omit<StillOptions, 'background'> {
  readonly background?: Rgba | null;
}

/** The checked options of a still. @throws {@link GambolError} `argument/invalid` */
export function checkedStill({ time, width, height, aspect, background }: StillOptions): PlainStill {
  const given = Object.entries({ time, width, height, aspect }).filter(([, value]) => value !== undefined);
  const numbers = given.map(([name, value]) => [name, checkedNumber(value as number, name)] as const);
  return {
    ...Object.fromEntries(numbers),
    ...(background !== undefined && { background: checkedRgba(background) ?? null }),
  };
}

/** The checked encoding of a picture. @throws {@link GambolError} `argument/invalid` */
export function checkedEncoding({
  mimeType = 'image/png',
  quality,
}: PictureOptions): readonly [mimeType: string, quality: number | undefined] {
  return [checkedText(mimeType, 'mimeType'), quality === undefined ? undefined : checkedNumber(quality, 'quality')];
}

const CONTROLS = optionNames<CameraControlSettings>({
  keyboard: 0,
  touchAction: 0,
  zoom: 0,
  pan: 0,
  tap: 0,
  orbitSensitivity: 0,
  panSensitivity: 0,
  zoomSensitivity: 0,
});
const VIEWER_OPTIONS = optionNames<ViewerOptions>({
  cameraControls: 0,
  keyboard: 0,
  touchAction: 0,
  autoplay: 0,
  reducedMotion: 0,
  renderer: 0,
  antialias: 0,
  skinOn: 0,
  maxDpr: 0,
  textureBudget: 0,
  background: 0,
});
/** The names of the options of stills and pictures. */
export const STILL_OPTIONS = optionNames<StillOptions>({ time: 0, width: 0, height: 0, aspect: 0, background: 0 });
export const PICTURE_OPTIONS: readonly string[] = [...STILL_OPTIONS, 'mimeType', 'quality'];

const CREDENTIALS = ['omit', 'same-origin', 'include'] as const satisfies readonly RequestCredentials[];

export const PLAY_OPTIONS = [
  'loopMode',
  'repetitions',
  'playbackRate',
] as const satisfies readonly (keyof PlayOptions)[];
export const PERFORM_OPTIONS = [
  ...PLAY_OPTIONS,
  'transition',
  'mode',
  'transitionDuration',
] as const satisfies readonly (keyof PerformOptions)[];
export const TRANSITION_OPTIONS = [
  ...PERFORM_OPTIONS,
  'sync',
  'at',
] as const satisfies readonly (keyof TransitionToOptions)[];
export const LAYER_OPTIONS = [
  ...PLAY_OPTIONS,
  'name',
  'mode',
  'reference',
  'mask',
  'weight',
  'fade',
  'sync',
] as const satisfies readonly (keyof LayerOptions)[];

export function checkedText(value: string, name: string): string {
  if (typeof value === 'string') return value;
  throw new GambolError('argument/invalid', `${name} must be a string, not ${shown(value)}.`);
}

/** Checks a flag. @throws {@link GambolError} `argument/invalid` */
export function checkedFlag(value: boolean | undefined, name: string): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw new GambolError('argument/invalid', `${name} must be true or false, not ${shown(value)}.`);
}

/** Checks the settings of the camera controls. @throws {@link GambolError} `argument/invalid` */
export function checkedControls(settings: CameraControlSettings): void {
  checkedObject(settings, 'cameraControls');
  checkedNames(settings, CONTROLS, 'cameraControls');
  const { keyboard, touchAction, zoom, pan, tap, orbitSensitivity, panSensitivity, zoomSensitivity } = settings;
  for (const [name, flag] of Object.entries({ keyboard, zoom, pan })) checkedFlag(flag, name);
  if (typeof tap !== 'function') checkedFlag(tap, 'tap');
  if (touchAction !== undefined) checkedText(touchAction, 'touchAction');
  for (const [name, factor] of Object.entries({ orbitSensitivity, panSensitivity, zoomSensitivity }))
    if (factor !== undefined) checkedNumber(factor, name);
}

/** Checks the options of a viewer before it is created. @throws {@link GambolError} `argument/invalid` */
export function checkedViewer(options: ViewerOptions): void {
  checkedOptions(options, VIEWER_OPTIONS, 'createViewer()');
  const {
    antialias,
    autoplay,
    background,
    cameraControls,
    keyboard,
    maxDpr,
    reducedMotion,
    renderer,
    skinOn,
    textureBudget,
    touchAction,
  } = options;
  for (const [name, flag] of Object.entries({ antialias, autoplay, keyboard })) checkedFlag(flag, name);
  if (typeof cameraControls === 'object') checkedControls(cameraControls);
  else checkedFlag(cameraControls, 'cameraControls');
  if (touchAction !== undefined) checkedText(touchAction, 'touchAction');
  if (renderer !== undefined) checkedWord(renderer, ['own', 'shared', 'worker'], 'renderer');
  if (skinOn !== undefined) checkedWord(skinOn, ['gpu', 'cpu'], 'skinOn');
  if (reducedMotion !== undefined) checkedWord(reducedMotion, ['respect', 'ignore'], 'reducedMotion');
  if (maxDpr !== undefined && !(typeof maxDpr === 'number' && maxDpr > 0))
    throw new GambolError('argument/invalid', `maxDpr must be a number above 0, not ${shown(maxDpr)}.`);
  checkedBudget(textureBudget);
  checkedRgba(background ?? null);
}

/** Checks that a value is an object. @throws {@link GambolError} `argument/invalid` */
export function checkedObject(value: object, name: string): void {
  if (typeof value === 'object' && (value as object | null) !== null) return;
  throw new GambolError('argument/invalid', `${name} must be an object, not ${shown(value)}.`);
}

/**
 * Checks the options of a network request.
 * @throws {@link GambolError} `argument/invalid`
 */
export function checkedTransfer(
  options: { readonly signal?: AbortSignal | undefined; readonly credentials?: RequestCredentials | undefined },
  call: string,
): void {
  checkedObject(options, `options of ${call}`);
  const { signal, credentials } = options;
  // No `instanceof`: a signal of another window has another class.
  const isSignal =
    signal === undefined ||
    (typeof signal === 'object' &&
      (signal as AbortSignal | null) !== null &&
      typeof signal.aborted === 'boolean' &&
      typeof signal.addEventListener === 'function');
  if (!isSignal) throw new GambolError('argument/invalid', `signal must be an AbortSignal, not ${shown(signal)}.`);
  if (credentials !== undefined) checkedWord(credentials, CREDENTIALS, 'credentials');
}

/** Checks that a value is a function or undefined. @throws {@link GambolError} `argument/invalid` */
export function checkedFunction(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'function')
    throw new GambolError('argument/invalid', `${name} must be a function, not ${shown(value)}.`);
}

/** The names of all options of a type. A name that is missing does not compile. */
export function optionNames<Options>(names: Readonly<Record<keyof Options, 0>>): readonly string[] {
  return Object.keys(names);
}

/**
 * Checks that options are an object with no other properties than `known`.
 * @throws {@link GambolError} `argument/invalid`, which lists the known options, the most similar ones first
 */
export function checkedOptions(options: object, known: readonly string[], call: string): void {
  checkedObject(options, `options of ${call}`);
  checkedNames(options, known, call);
}

/** Checks that an object has no other properties than `known`. @throws {@link GambolError} as {@link checkedOptions} */
export function checkedNames(options: object, known: readonly string[], call: string): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw new GambolError('argument/invalid', `${call} has no option “${name}”${choices(name, known)}`);
  }
}

/** The elements of a list; typed by `list`, but unchecked. @throws {@link GambolError} `argument/invalid` */
export function checkedList<T>(list: Iterable<T>, name: string): T[] {
  const elements = elementsOf(list);
  if (elements) return elements as T[];
  throw new GambolError('argument/invalid', `${name} must be a list, not ${shown(list)}.`);
}

export function checkedNumber(value: number, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GambolError('argument/invalid', `${name} must be a finite number, not ${shown(value)}.`);
}

/** The nearest single-precision number, as which the core stores it. @throws {@link GambolError} `argument/invalid` */
export function checkedFloat(value: number, name: string): number {
  return checkedNumber(Math.fround(checkedNumber(value, name)), name);
}

export function checkedRepetitions(value: number): number {
  if (value === Infinity || (Number.isInteger(value) && value >= 1)) return value;
  throw new GambolError(
    'argument/invalid',
    `repetitions must be a whole number of at least 1 or Infinity, not ${shown(value)}.`,
  );
}

/** Throws unless the value is one of the words. */
export function checkedWord<Word extends string>(value: Word, words: readonly Word[], name: string): Word {
  if (words.includes(value)) return value;
  throw new GambolError('argument/invalid', `${name} must be one of ${words.join(', ')}, not ${shown(value)}.`);
}

export function checkedLoopMode(value: LoopMode): LoopMode {
  return checkedWord(value, LOOP_MODES, 'loopMode');
}

export function checkedFraming(value: Framing): Framing {
  return checkedWord(value, FRAMINGS, 'framing');
}

export function checkedSkinning(value: Skinning): Skinning {
  return checkedWord(value, SKINNINGS, 'skinning');
}

export function checkedTransition(value: TransitionMode): TransitionMode {
  return checkedWord(value, TRANSITIONS, 'transition');
}

export function checkedSync(value: SyncMode): SyncMode {
  return checkedWord(value, SYNCS, 'sync');
}

export function checkedVisibility(value: Visibility): Visibility {
  return checkedWord(value, ['pause', 'catch-up', 'run'], 'visibility');
}

/** Checks the options of a playback. @throws {@link GambolError} `argument/invalid` */
export function checkedPlaying({ loopMode, repetitions, playbackRate }: PlayOptions): void {
  if (loopMode !== undefined) checkedLoopMode(loopMode);
  if (repetitions !== undefined) checkedRepetitions(repetitions);
  if (playbackRate !== undefined) checkedNumber(playbackRate, 'playbackRate');
}

export function checkedSeconds(value: number, name: string): number {
  if (checkedNumber(value, name) >= 0) return value;
  throw new GambolError('argument/invalid', `${name} must be at least 0, not ${value}.`);
}

/** The checked begin and end of a segment; empty for the whole clip. */
export function checkedSegment(value: Segment | null): Partial<Segment> {
  if (value === null) return [];
  const [begin, end, ...more] = (elementsOf(value) ?? [NaN, NaN]) as unknown as Segment;
  if (more.length === 0 && checkedNumber(begin, 'segment') <= checkedNumber(end, 'segment')) return [begin, end];
  throw new GambolError(
    'argument/invalid',
    `segment must be [begin, end] with begin ≤ end, or null, not ${shown(value)}.`,
  );
}

/** The patterns of a mask and their weights, in the form that the core takes. */
export function checkedMask(
  mask: Mask | null,
): { readonly patterns: readonly { readonly pattern: string; readonly weight: number }[] } | undefined {
  if (mask === null) return undefined;
  const patterns = typeof mask === 'string' ? [mask] : elementsOf(mask);
  const entries: readonly (readonly [pattern: string, weight: number])[] = patterns
    ? patterns.map((pattern) => [pattern as string, 1] as const)
    : typeof mask === 'object'
      ? Object.entries(mask as Readonly<Record<string, number>>)
      : [];
  const fits = entries.every(
    ([pattern, weight]) => typeof pattern === 'string' && typeof weight === 'number' && weight >= 0 && weight <= 1,
  );
  if (fits && entries.length > 0) return { patterns: entries.map(([pattern, weight]) => ({ pattern, weight })) };
  throw new GambolError(
    'argument/invalid',
    `mask must be a pattern, a list of patterns, an object of patterns with weights from 0 to 1, or null, not ${shown(mask)}.`,
  );
}

const WEIGHTS: { readonly [Mode in LayerMode]: readonly [least: number, most: number, words: string] } = {
  override: [0, 1, 'override layer must be from 0 to 1'],
  average: [0, Infinity, 'average layer must be a finite number of at least 0'],
  additive: [-Infinity, Infinity, 'additive layer must be a finite number'],
};

export function layerWeight(value: number, mode: LayerMode): number {
  checkedWord(mode, ['override', 'average', 'additive'], 'mode');
  const [least, most, words] = WEIGHTS[mode];
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new GambolError('argument/invalid', `The weight of an ${words}, not ${shown(value)}.`);
}

/** A checked texture budget in bytes; undefined for the default. @throws {@link GambolError} `argument/invalid` */
export function checkedBudget(bytes: number | undefined): number | undefined {
  if (bytes === undefined || (typeof bytes === 'number' && bytes > 0)) return bytes;
  throw new GambolError(
    'argument/invalid',
    `textureBudget must be a number of bytes above 0, or Infinity, not ${shown(bytes)}.`,
  );
}
