import type { Frame } from './frames.ts';

/** An encoder of one recording. */
export interface Encoder {
  /** Encodes the next frame; the promise also waits for an encoder that is behind. */
  add(frame: Frame): Promise<void>;
  /** The file, after the last frame. */
  finish(): Promise<Blob>;
  /** Frees the encoder. Called once, also after an error. */
  close(): void;
}
