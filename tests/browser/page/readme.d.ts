// Generated from README.md and docs/guides by `runner/readme.ts`.

declare module 'readme:examples' {
  import type { Viewer } from 'gambol';

  /** The names that an example may use without declaring them. */
  export interface Given {
    readonly viewer: Viewer;
    readonly canvas: HTMLCanvasElement;
    readonly slider: HTMLInputElement;
    readonly positions: Float32Array;
    readonly rates: Float64Array;
    readonly tints: Float32Array;
    readonly starts: Float64Array;
    readonly x: number;
    readonly y: number;
  }

  /** An example: its document and line, and its code as a function, which returns the viewer that it creates. */
  export interface Example {
    readonly document: string;
    readonly line: number;
    readonly code: string;
    run(given: Given): Promise<Viewer | undefined>;
  }

  export const examples: readonly Example[];
}
