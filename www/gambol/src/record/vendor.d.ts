// The encoder of GIF, whose package brings no declarations.

declare module 'gifenc/dist/gifenc.esm.js' {
  export interface GifStream {
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: {
        palette?: number[][];
        transparent?: boolean;
        transparentIndex?: number;
        /** In milliseconds; a file has hundredths of a second. */
        delay?: number;
        /** 0 without an end, −1 for once. */
        repeat?: number;
        dispose?: number;
        first?: boolean;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
    reset(): void;
  }
  export function GIFEncoder(): GifStream;
}
