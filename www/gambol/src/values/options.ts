import type { ClipRef } from './clips.ts';
import { checkedRgba, type Rgba } from './color.ts';
import { FRAMINGS, LOOP_MODES, SKINNINGS, SYNCS, TRANSITIONS, type Framing, type LoopMode, type Skinning, type SyncMode, type TransitionMode } from './words.ts';
import { GambolError } from '../base/errors.ts';
import { elementsOf } from '../base/elements.ts';
import { shown } from '../base/shown.ts';

/** Options of {@link createViewer}. */
export interface ViewerOptions {
  /** Mouse, touch and pen move the camera; also how, see {@link Viewer.cameraControls}. Default: true. */
  readonly cameraControls?: boolean | CameraControlSettings;
  /** With camera controls: the arrow keys, `+`, `-` and Page Up/Down move it while the canvas has focus. Default: true. */
  readonly keyboard?: boolean;
  /**
   * What the browser keeps of touches on the canvas, as in CSS `touch-action`. Default: `none`; `pan-y` lets a finger
   * scroll the page, as `<model-viewer>` does.
   */
  readonly touchAction?: string;
  /** Play the first clip of a model as soon as it is shown. Default: false. */
  readonly autoplay?: boolean;
  /** Whether `autoplay` does nothing for people who asked their system for less motion. Default: `respect`. */
  readonly reducedMotion?: 'respect' | 'ignore';
  /**
   * Who draws. `own`: a WebGL2 context of the canvas's own. `shared`: one for all viewers who share, of which the canvas is given copies;
   * browsers allow a page 8 to 16 contexts, and one that is shared has its programs and its light once, and smooth edges. `worker`: one
   * in a worker, with poses and all else that a frame costs; the page keeps the times, and answers by itself what is asked. The canvas is
   * the worker's for ever, so another viewer needs another canvas. Where that cannot be had, it is `shared`, with a `warning`
   * (`render/no-worker`). Default: `own`.
   */
  readonly renderer?: 'own' | 'shared' | 'worker';
  /** Smooth edges, in a context that is not shared. Default: true. */
  readonly antialias?: boolean;
  /** The processor that deforms the meshes. The picture is the same; `cpu` is slower, and there to compare with. Default: `gpu`. */
  readonly skinOn?: 'gpu' | 'cpu';
  /** @deprecated The same as {@link skinOn}; {@link Viewer.skinning} is the method of blending joints. It goes with version 0.2. */
  readonly skinning?: 'gpu' | 'cpu';
  /** The most device pixels per CSS pixel that are drawn. Default: 2. */
  readonly maxDpr?: number;
  /**
   * The most bytes that the textures of a model take on the GPU, mipmaps included. The largest images are reduced until all keep to it,
   * with a warning (`image/downscaled`); of KTX2 the largest levels are left out. Default: 64 MiB for each GiB of the device's memory, as
   * far as the browser tells it (`navigator.deviceMemory`), up to 1 GiB; 384 MiB where it does not.
   */
  readonly textureBudget?: number;
  /** Colour behind the model: a CSS colour, or red, green, blue and alpha, each `0..=1`, sRGB. Default: transparent. */
  readonly background?: Rgba | string | null;
}

/** How hands move the camera. */
export interface CameraControlSettings {
  /** The keys of {@link ViewerOptions.keyboard}. Default: true. */
  readonly keyboard?: boolean;
  /** See {@link ViewerOptions.touchAction}. Default: `none`. */
  readonly touchAction?: string;
  /** Wheel, pinch and keys go closer and farther; without it the wheel scrolls the page. Default: true. */
  readonly zoom?: boolean;
  /** Two fingers, the right button and Shift move sideways. Default: true. */
  readonly pan?: boolean;
  /** Two clicks in a row reset the camera (true), do what is given here, or nothing (false). Default: true. */
  readonly tap?: boolean | (() => void);
  /** Factors on movements. Default: 1. */
  readonly orbitSensitivity?: number;
  readonly panSensitivity?: number;
  readonly zoomSensitivity?: number;
}

/**
 * What happens while nobody sees the canvas, because the page is hidden or it is out of view: time stands still (`pause`), is
 * made up for when it is seen again (`catch-up`), or goes on, with all events (`run`).
 */
export type Visibility = 'pause' | 'catch-up' | 'run';

/** What is played of a clip, in seconds. */
export type Segment = readonly [begin: number, end: number];


/** How to play. The options are those of one playback; what is left out is as the properties of the same name say. */
export interface PlayOptions {
  readonly loopMode?: LoopMode;
  /** How often to play before `finished`: a whole number of at least 1, or `Infinity`. */
  readonly repetitions?: number;
  /** Speed; any finite number. */
  readonly playbackRate?: number;
}

/** Options of {@link Performer.play}. */
export interface PerformOptions extends PlayOptions {
  /** How another clip takes over. Default: {@link Performer.transition}. */
  readonly transition?: TransitionMode;
  /** The same as `transition`. */
  readonly mode?: TransitionMode;
  /** Duration of the transition in seconds. Default: {@link Performer.transitionDuration}. */
  readonly transitionDuration?: number;
  /** @deprecated The same as `transitionDuration`; the duration is a clip's everywhere else. It goes with version 0.2. */
  readonly duration?: number;
}

/** Options of {@link Performer.transitionTo}. */
export interface TransitionToOptions extends PerformOptions {
  /** Begins where the phase of what it follows is; in a crossfade both keep step. Default: `none`. */
  readonly sync?: SyncMode;
  /** Where it begins, in its seconds; goes before `sync`. Default: its beginning. */
  readonly at?: number;
}

/**
 * Blend mode of a layer: in place of the layers below (`override`); averaged with what the performer plays and the other averaged layers, each
 * channel by the weights of those that animate it, scaled down to 1 where they are more (`average`, as the mixer of three.js does); or
 * added as the difference to a reference pose (`additive`).
 */
export type LayerMode = 'override' | 'average' | 'additive';

/** What an additive layer is the difference to: the pose of the file, the clip's own first keys, or a clip at a time. */
export type LayerReference = 'rest' | 'first' | { readonly clip: ClipRef; readonly time: number };

/**
 * Joints: a pattern, several, or patterns with weights `0..=1`; of several that match a joint the last counts.
 *
 * | pattern | joints |
 * |---|---|
 * | `Hand`, `Arm/Hand` | those called so; below a parent called so |
 * | `Spine*`, `*_L` | `*` stands for any letters of one name |
 * | `Spine1/**` | `Spine1` and all below |
 * | `/Root/*` | from the root on |
 * | `!Head/**` | not these; if it comes first, all others are meant |
 *
 * `\\` takes the sign after it as it is. A pattern that fits no joint to the letter is compared as {@link Performer.joint} compares
 * names: case, separators and what stands before a `:` do not matter (`left_hand` finds `mixamorig:LeftHand`). A separator beside a `*`
 * is the end of a word: `*_L` finds `Hand.L` and `HandL`, and not `Tail`.
 */
export type Mask = string | readonly string[] | Readonly<Record<string, number>>;

/** Options of {@link Layers.add}. */
export interface LayerOptions extends PlayOptions {
  /** What it is called, unlike the others. Default: the clip's id, with `~2`, `~3` … if that is taken. */
  readonly name?: string;
  /** Default: `override`. */
  readonly mode?: LayerMode;
  /** Of an additive layer. Default: `rest`. */
  readonly reference?: LayerReference;
  /** The joints that it moves. Default: all. */
  readonly mask?: Mask | null;
  /** `0..=1`; of an averaged layer at least 0, of an additive layer any number. Default: 1. */
  readonly weight?: number;
  /** Seconds in which it fades in, 0 for at once. Default: it comes as {@link Performer.transition} says. */
  readonly fade?: number;
  /** Default: `none`. With another its own playhead, rate and segment count for nothing, and it tells of no markers. */
  readonly sync?: SyncMode;
}

/** In what a picture is unlike the canvas. What is left out is as it is there. */
export interface StillOptions {
  /** The time of the clip, in seconds: the viewer's own model is seen as if it had been sought to. Layers and others stay as they are. */
  readonly time?: number | undefined;
  /** Pixels; of one alone the other follows by the shape of the canvas. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Width by height, in place of one of them: the picture is cut to it, around its middle. */
  readonly aspect?: number | undefined;
  /** What is behind the model; null is transparent. */
  readonly background?: Rgba | string | null | undefined;
}

/** Options of {@link Viewer.toBlob}. */
export interface PictureOptions extends StillOptions {
  /** `image/png` (the default), `image/jpeg`, `image/webp`. */
  readonly mimeType?: string;
  /** `0..=1`, for the formats that lose detail. */
  readonly quality?: number;
}

/** Options of a still as plain values, which a worker can be sent too: finite numbers, and a background without CSS. */
export interface PlainStill extends Omit<StillOptions, 'background'> {
  readonly background?: Rgba | null;
}

/** Those of the options that a still has. @throws {@link GambolError} `argument/invalid` */
export function checkedStill({ time, width, height, aspect, background }: StillOptions): PlainStill {
  const given = Object.entries({ time, width, height, aspect }).filter(([, value]) => value !== undefined);
  const numbers = given.map(([name, value]) => [name, checkedNumber(value as number, name)] as const);
  return { ...Object.fromEntries(numbers), ...(background !== undefined && { background: checkedRgba(background) ?? null }) };
}

/** The encoding of a picture. @throws {@link GambolError} `argument/invalid` */
export function checkedEncoding({ mimeType = 'image/png', quality }: PictureOptions): readonly [mimeType: string, quality: number | undefined] {
  return [checkedText(mimeType, 'mimeType'), quality === undefined ? undefined : checkedNumber(quality, 'quality')];
}

const CREDENTIALS = ['omit', 'same-origin', 'include'] as const satisfies readonly RequestCredentials[];

export const PLAY_OPTIONS = ['loopMode', 'repetitions', 'playbackRate'] as const satisfies readonly (keyof PlayOptions)[];
export const PERFORM_OPTIONS = [...PLAY_OPTIONS, 'transition', 'mode', 'transitionDuration', 'duration'] as const satisfies readonly (keyof PerformOptions)[];
export const TRANSITION_OPTIONS = [...PERFORM_OPTIONS, 'sync', 'at'] as const satisfies readonly (keyof TransitionToOptions)[];
export const LAYER_OPTIONS = [...PLAY_OPTIONS, 'name', 'mode', 'reference', 'mask', 'weight', 'fade', 'sync'] as const satisfies readonly (keyof LayerOptions)[];

export function checkedText(value: string, what: string): string {
  if (typeof value === 'string') return value;
  throw new GambolError('argument/invalid', `${what} must be a string, not ${shown(value)}.`);
}

function checkedFlag(value: boolean | undefined, what: string): void {
  if (value !== undefined && typeof value !== 'boolean') throw new GambolError('argument/invalid', `${what} must be true or false, not ${shown(value)}.`);
}

/** Checks how hands are to move the camera. @throws {@link GambolError} `argument/invalid` */
export function checkedControls(settings: CameraControlSettings): void {
  checkedObject(settings, 'cameraControls');
  const { keyboard, touchAction, zoom, pan, tap, orbitSensitivity, panSensitivity, zoomSensitivity } = settings;
  for (const [name, flag] of Object.entries({ keyboard, zoom, pan })) checkedFlag(flag, name);
  if (typeof tap !== 'function') checkedFlag(tap, 'tap');
  if (touchAction !== undefined) checkedText(touchAction, 'touchAction');
  for (const [name, factor] of Object.entries({ orbitSensitivity, panSensitivity, zoomSensitivity })) if (factor !== undefined) checkedNumber(factor, name);
}

/** Checks the options of a viewer, before anything is made for it. @throws {@link GambolError} `argument/invalid` */
export function checkedViewer(options: ViewerOptions): void {
  checkedObject(options, 'createViewer()');
  const { antialias, autoplay, background, cameraControls, keyboard, maxDpr, reducedMotion, renderer, skinOn, skinning, textureBudget, touchAction } = options;
  for (const [name, flag] of Object.entries({ antialias, autoplay, keyboard })) checkedFlag(flag, name);
  if (typeof cameraControls === 'object') checkedControls(cameraControls);
  else checkedFlag(cameraControls, 'cameraControls');
  if (touchAction !== undefined) checkedText(touchAction, 'touchAction');
  if (renderer !== undefined) checkedWord(renderer, ['own', 'shared', 'worker'], 'renderer');
  for (const [name, processor] of Object.entries({ skinOn, skinning })) if (processor !== undefined) checkedWord(processor, ['gpu', 'cpu'], name);
  if (reducedMotion !== undefined) checkedWord(reducedMotion, ['respect', 'ignore'], 'reducedMotion');
  if (maxDpr !== undefined && !(typeof maxDpr === 'number' && maxDpr > 0)) throw new GambolError('argument/invalid', `maxDpr must be a number above 0, not ${shown(maxDpr)}.`);
  checkedBudget(textureBudget);
  checkedRgba(background ?? null);
}

/** Checks that the options of a call are an object. @throws {@link GambolError} `argument/invalid` */
export function checkedObject(options: object, call: string): void {
  if (typeof options === 'object' && (options as object | null) !== null) return;
  throw new GambolError('argument/invalid', `The options of ${call} must be an object, not ${shown(options)}.`);
}

/**
 * Checks what a load from the network may be told.
 * @throws {@link GambolError} `argument/invalid`
 */
export function checkedTransfer(options: { readonly signal?: AbortSignal | undefined; readonly credentials?: RequestCredentials | undefined }, call: string): void {
  checkedObject(options, call);
  const { signal, credentials } = options;
  // One of another window is none of this one's class.
  const isSignal = signal === undefined || (typeof signal === 'object' && (signal as AbortSignal | null) !== null && typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function');
  if (!isSignal) throw new GambolError('argument/invalid', `signal must be an AbortSignal, not ${shown(signal)}.`);
  if (credentials !== undefined) checkedWord(credentials, CREDENTIALS, 'credentials');
}

/** A function of the page, or nothing. @throws {@link GambolError} `argument/invalid` */
export function checkedFunction(value: unknown, what: string): void {
  if (value !== undefined && typeof value !== 'function') throw new GambolError('argument/invalid', `${what} must be a function, not ${shown(value)}.`);
}

/**
 * Checks that options are an object with no other members than these.
 * @throws {@link GambolError} `argument/invalid`, which names those that there are
 */
export function checkedOptions(options: object, known: readonly string[], call: string): void {
  checkedObject(options, call);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new GambolError('argument/invalid', `${call} has no option “${name}”. Use ${known.join(', ')}.`);
  }
}

export function checkedNumber(value: number, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GambolError('argument/invalid', `${what} must be a finite number, not ${shown(value)}.`);
}

export function checkedRepetitions(value: number): number {
  if (value === Infinity || (Number.isInteger(value) && value >= 1)) return value;
  throw new GambolError('argument/invalid', `repetitions must be a whole number of at least 1 or Infinity, not ${shown(value)}.`);
}

/** Throws unless the value is one of the words. */
export function checkedWord<Word extends string>(value: Word, words: readonly Word[], what: string): Word {
  if (words.includes(value)) return value;
  throw new GambolError('argument/invalid', `${what} must be one of ${words.join(', ')}, not ${shown(value)}.`);
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

/** Checks how to play without playing. */
export function checkedPlaying({ loopMode, repetitions, playbackRate }: PlayOptions): void {
  if (loopMode !== undefined) checkedLoopMode(loopMode);
  if (repetitions !== undefined) checkedRepetitions(repetitions);
  if (playbackRate !== undefined) checkedNumber(playbackRate, 'playbackRate');
}

export function checkedSeconds(value: number, what: string): number {
  if (checkedNumber(value, what) >= 0) return value;
  throw new GambolError('argument/invalid', `${what} must be 0 seconds or more, not ${value}.`);
}

/** Begin and end; nothing for all. */
export function checkedSegment(value: Segment | null): Partial<Segment> {
  if (value === null) return [];
  const [begin, end, ...more] = (elementsOf(value) ?? [NaN, NaN]) as unknown as Segment;
  if (more.length === 0 && checkedNumber(begin, 'segment') <= checkedNumber(end, 'segment')) return [begin, end];
  throw new GambolError('argument/invalid', `segment must be a begin and an end, not ${shown(value)}.`);
}

/** Patterns and their weights, as the core takes them. */
export function checkedMask(mask: Mask | null): readonly [patterns: string[] | undefined, weights: Float32Array] {
  if (mask === null) return [undefined, Float32Array.of()];
  const patterns = typeof mask === 'string' ? [mask] : elementsOf(mask);
  const entries: readonly (readonly [pattern: string, weight: number])[] = patterns ? patterns.map((pattern) => [pattern as string, 1] as const)
    : typeof mask === 'object' ? Object.entries(mask as Readonly<Record<string, number>>) : [];
  const fits = entries.every(([pattern, weight]) => typeof pattern === 'string' && typeof weight === 'number' && weight >= 0 && weight <= 1);
  if (fits && entries.length > 0) return [entries.map(([pattern]) => pattern), Float32Array.from(entries, ([, weight]) => weight)];
  throw new GambolError('argument/invalid', 'A mask is a pattern, a list of patterns, or an object of patterns with weights from 0 to 1.');
}

const WEIGHTS: { readonly [Mode in LayerMode]: readonly [least: number, most: number, words: string] } = {
  override: [0, 1, 'override layer must be from 0 to 1'],
  average: [0, Infinity, 'averaged layer must be a finite number of at least 0'],
  additive: [-Infinity, Infinity, 'additive layer must be a finite number'],
};

export function layerWeight(value: number, mode: LayerMode): number {
  checkedWord(mode, ['override', 'average', 'additive'], 'mode');
  const [least, most, words] = WEIGHTS[mode];
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new GambolError('argument/invalid', `The weight of an ${words}, not ${shown(value)}.`);
}

/** A number of bytes that textures may take, or the default. @throws {@link GambolError} `argument/invalid` */
export function checkedBudget(bytes: number | undefined): number | undefined {
  if (bytes === undefined || (typeof bytes === 'number' && bytes > 0)) return bytes;
  throw new GambolError('argument/invalid', 'textureBudget is a number of bytes above 0, or Infinity.');
}
