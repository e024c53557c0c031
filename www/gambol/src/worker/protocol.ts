// What a page and its worker say to each other. Messages come in the order in which they were sent, and nothing else is relied on.

import type { Topics } from '../wasm/core.ts';
import type { ErrorDetail } from '../values/events.ts';
import type { PlainStill } from '../values/options.ts';
import type { Stats } from '../values/stats.ts';

/** The page's first message. */
export interface Start {
  readonly module: WebAssembly.Module;
  readonly rest: WebAssembly.Module;
}

/** The second, once the worker is ready: the canvas that is seen. */
export interface Show {
  readonly canvas: OffscreenCanvas;
  readonly antialias: boolean;
  readonly cpuSkinning: boolean;
}

/** The topics whose calls change a stage, and reach both stages. */
export type ChangingTopic = Exclude<keyof Topics, 'query' | 'events' | 'mirror'>;

/**
 * What is called: a command of the worker ({@link Commands}), an object of its instance that there is from the beginning, or, by its
 * number, one that is made.
 */
export type Target = 'worker' | 'context' | 'stage' | ChangingTopic | number;

/**
 * From then on, lists of calls: of which object, which function, with what, and what to call the result, if anything. Objects of the
 * instance among the arguments are a {@link Reference}. A number in place of a list is a {@link Commands.tick}, since most are that.
 */
export type Call = readonly [target: Target, name: string, args: readonly unknown[], made?: number];

export interface Reference {
  readonly object: number;
}

/** What the worker does besides what the instance does. */
export interface Commands {
  /** Makes an object of a class of the instance. */
  make(number: number, name: 'Import' | 'Hdr', ...args: unknown[]): void;
  /** An object was used up. */
  forget(number: number): void;
  /** The size of the picture from the next frame on. */
  resize(width: number, height: number): void;
  /** Moves the stage to a time of the page's clock. It is drawn when there is nothing else to do. */
  tick(now: number): void;
  /** Has the stage drawn, whatever that takes. */
  draw(): void;
  /** Answered with {@link Numbers} when all that was said is drawn. */
  tell(number: number): void;
  /** Answered with {@link Numbers} at once. */
  numbers(): void;
  /** Works that take many steps, and are answered. */
  advance(job: number, asset: object): void;
  light(job: number): void;
  crowd(job: number, actor: number): void;
  still(job: number, actor: number | undefined, options: PlainStill): void;
}

/** It is there, and so are limits of its GPU by their GL numbers, and names of extensions. */
export interface Ready {
  readonly ready: Readonly<Record<number, unknown>>;
  readonly extensions: readonly string[];
}

/** Facts of the last frame that only the worker has: those of the stage, the visible members of crowds, and the question that this answers, if any. */
export interface Numbers {
  readonly stats: Stats;
  readonly crowds: ReadonlyMap<number, number>;
  readonly told?: number;
}

/** What the worker says. */
export type Answer =
  | Ready
  /** It cannot draw. */
  | { readonly refused: string }
  /** The canvas has its context. */
  | { readonly shown: true }
  /** Also unasked, when the picture has come to rest. */
  | Numbers
  | { readonly done: number; readonly error?: ErrorDetail; readonly picture?: ImageBitmap }
  | { readonly context: 'lost' | 'restored'; readonly picture?: ImageBitmap }
  /** Nothing goes on. */
  | { readonly failed: ErrorDetail };
