// The protocol between a page and its drawing worker. It relies only on the order of messages.

import type { FeatureModules, Topics } from '../wasm/core.ts';
import type { ErrorDetail } from '../values/events.ts';
import type { StillPixels } from '../stage/graphics-context.ts';
import type { PlainStill } from '../values/options.ts';
import type { Stats } from '../values/stats.ts';

/** The first message of the page: the module, and those of the features that the page has used. */
export interface Start {
  readonly module: WebAssembly.Module;
  readonly features: FeatureModules;
}

/** The second message, after the worker is ready: the canvas and its settings. */
export interface Show {
  readonly canvas: OffscreenCanvas;
  readonly antialias: boolean;
  readonly cpuSkinning: boolean;
}

/** The topics whose methods change a stage, and which are called on both stages. */
export type ChangingTopic = Exclude<keyof Topics, 'query' | 'events' | 'mirror'>;

/**
 * The target of a call: the worker's {@link Commands}, an initial object of its instance, or, by its number, an object that was
 * made.
 */
export type Target = 'worker' | 'context' | 'stage' | ChangingTopic | number;

/**
 * A call: the target, the name of the method, the arguments, and the number of the result, if it is an object. Later messages are
 * lists of calls. Arguments that are objects of the instance are a {@link Reference}. A number in place of a list is a {@link
 * Commands.tick}, the most frequent call.
 */
export type Call = readonly [target: Target, name: string, args: readonly unknown[], made?: number];

export interface Reference {
  readonly object: number;
}

/** The commands of the worker, in addition to the methods of the instance. */
export interface Commands {
  /** Makes an object of a class of the instance. */
  make(number: number, name: 'Import' | 'Hdr' | 'CubeFaces' | TopicClass, ...args: unknown[]): void;
  /** Forgets an object that was consumed. */
  forget(number: number): void;
  /** Starts features that the page has started. */
  features(modules: FeatureModules): void;
  /** Sets the size of the picture from the next frame on. */
  resize(width: number, height: number): void;
  /** Advances the stage to a time of the page's clock. It is drawn after the pending messages. */
  tick(now: number): void;
  /** Draws the stage even if nothing has changed. */
  draw(): void;
  /** Draws pending changes, and answers with {@link Numbers}. */
  report(number: number): void;
  /** Answers with {@link Numbers} immediately. */
  numbers(): void;
  /** Starts the upload of a model: a job of many steps, whose end is answered, like those below. */
  advance(job: number, asset: object): void;
  light(job: number): void;
  crowd(job: number, actor: number): void;
  still(job: number, actor: number | undefined, options: PlainStill): void;
  /** Draws a still of a film, and answers with its pixels. */
  pixels(job: number, film: object, options: PlainStill): void;
}

/** The classes of the topics of a film. */
export type TopicClass = Capitalize<ChangingTopic>;

/** The worker is ready: the limits of its GPU by their GL numbers, and the names of extensions. */
export interface Ready {
  readonly ready: Readonly<Record<number, unknown>>;
  readonly extensions: readonly string[];
}

/**
 * Statistics of the worker's last frame: those of the stage, the visible members of crowds, and the number of the `report` that it
 * answers.
 */
export interface Numbers {
  readonly stats: Stats;
  readonly crowds: ReadonlyMap<number, number>;
  readonly report?: number;
}

/** The end of a job, with its error or its result. */
export interface Done {
  readonly done: number;
  readonly error?: ErrorDetail;
  readonly picture?: ImageBitmap;
  readonly pixels?: StillPixels;
}

/** A message of the worker. */
export type Answer =
  | Ready
  /** The worker cannot draw, with the reason. */
  | { readonly refused: string }
  /** The canvas has its context. */
  | { readonly shown: true }
  /** Statistics; also sent without a request, after the last frame of a movement. */
  | Numbers
  | Done
  | { readonly context: 'lost' | 'restored'; readonly picture?: ImageBitmap }
  /** The worker has failed. */
  | { readonly failed: ErrorDetail };
