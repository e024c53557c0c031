// Generated from README.md and docs by `runner/readme.ts`.

declare module 'readme:examples' {
  import type { Crowd, Viewer } from 'gambol';

  /** The names that an example may use without declaring them. */
  export interface Given {
    readonly viewer: Viewer;
    readonly crowd: Crowd | undefined;
    readonly canvas: HTMLCanvasElement;
    readonly slider: HTMLInputElement;
    readonly positions: Float32Array;
    readonly rates: Float64Array;
    readonly tints: Float32Array;
    readonly starts: Float64Array;
    readonly x: number;
    readonly y: number;
  }

  /** An example in HTML: its document, its line and its code. */
  export interface PageExample {
    readonly document: string;
    readonly line: number;
    readonly code: string;
  }

  /** An example in JavaScript, also as a function, which returns the viewer that it creates. */
  export interface ScriptExample extends PageExample {
    /** The HTML before it in the document, if that is its page. */
    readonly markup: string;
    run(given: Given): Promise<Viewer | undefined>;
  }

  export const scripts: readonly ScriptExample[];
  /** The state machine that the examples load as `hero.json`. */
  export const machine: string;
  export const pages: readonly PageExample[];
}
