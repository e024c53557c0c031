import type { Framing, LoopMode } from './core.ts';
import { GambolError } from './errors.ts';

/** Options of {@link createViewer}. */
export interface ViewerOptions {
  /** Mouse, touch and pen move the camera. Default: true. */
  readonly cameraControls?: boolean;
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
  /** Smooth edges. Default: true. */
  readonly antialias?: boolean;
  /** Who deforms the meshes. The picture is the same; `cpu` is slower, and there to compare with. Default: `gpu`. */
  readonly skinning?: 'gpu' | 'cpu';
  /** The most device pixels per CSS pixel that are drawn. Default: 2. */
  readonly maxDpr?: number;
  /** Colour behind the model: red, green, blue and alpha, each `0..=1`, sRGB. Default: transparent. */
  readonly background?: Rgba | null;
}

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Options of {@link Viewer.play}. What is left out stays as it is. */
export interface PlayOptions {
  readonly loopMode?: LoopMode;
  /** How often to play before `finished`: a whole number of at least 1, or `Infinity`. */
  readonly repetitions?: number;
}

/** Options of {@link Viewer.toBlob}. */
export interface PictureOptions {
  /** `image/png` (the default), `image/jpeg`, `image/webp`. */
  readonly mimeType?: string;
  /** `0..=1`, for the formats that lose detail. */
  readonly quality?: number;
}

const FRAMINGS: readonly string[] = ['clip', 'all-clips', 'pose', 'rest'] satisfies readonly Framing[];
const LOOP_MODES: readonly string[] = ['repeat', 'once', 'pingpong'] satisfies readonly LoopMode[];

export function checkedNumber(value: number, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GambolError('argument/invalid', `${what} must be a finite number, not ${String(value)}.`);
}

export function checkedRepetitions(value: number): number {
  if (value === Infinity || (Number.isInteger(value) && value >= 1)) return value;
  throw new GambolError('argument/invalid', `repetitions must be a whole number of at least 1 or Infinity, not ${String(value)}.`);
}

export function checkedLoopMode(value: LoopMode): LoopMode {
  if (LOOP_MODES.includes(value)) return value;
  throw new GambolError('argument/invalid', `loopMode must be repeat, once or pingpong, not “${String(value)}”.`);
}

export function checkedFraming(value: Framing): Framing {
  if (FRAMINGS.includes(value)) return value;
  throw new GambolError('argument/invalid', `framing must be clip, all-clips, pose or rest, not “${String(value)}”.`);
}

export function checkedRgba(value: Rgba | null): Float32Array | undefined {
  if (value === null) return undefined;
  if (value.length === 4 && value.every((channel) => channel >= 0 && channel <= 1)) return Float32Array.from(value);
  throw new GambolError('argument/invalid', 'background must be four numbers from 0 to 1, or null.');
}
