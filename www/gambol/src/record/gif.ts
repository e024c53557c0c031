// GIF: a palette of its own for each frame. This script is loaded for the first one.

import { GIFEncoder } from 'gifenc/dist/gifenc.esm.js';
import { quantize } from './quantize.ts';

/** The frames of a recording; see `Frame` and `Plan`, which this script does not import, so that it stands alone. */
interface GifFrame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly index: number;
  readonly time: number;
  readonly duration: number;
}

/** A pixel with less alpha is transparent, since GIF has no other alpha. */
const OPAQUE = 128;

/** Encodes frames as GIF. */
export function gif({ loop }: { readonly loop: boolean }): {
  add(frame: GifFrame): Promise<void>;
  finish(): Promise<Blob>;
  close(): void;
} {
  const encoder = GIFEncoder();
  /** The time in units of GIF, hundredths of a second. */
  const unit = (seconds: number): number => Math.round(100 * seconds);
  return {
    add({ width, height, data, index, time, duration }) {
      const colors = opaque(data);
      let transparent = false;
      for (let at = 3; at < data.length; at += 4) if ((data[at] as number) < OPAQUE) transparent = true;
      const { palette, indices } = quantize(colors, transparent ? 255 : 256, (alpha) => alpha >= OPAQUE);
      const transparentIndex = palette.length;
      if (transparent) {
        palette.push([0, 0, 0]);
        for (let i = 0; i < indices.length; i++)
          if ((data[4 * i + 3] as number) < OPAQUE) indices[i] = transparentIndex;
      }
      encoder.writeFrame(indices, width, height, {
        palette,
        transparent,
        transparentIndex: transparent ? transparentIndex : 0,
        // The differences of rounded times, so that rounding does not add up.
        delay: 10 * Math.max(1, unit(time + duration) - unit(time)),
        repeat: loop ? 0 : -1,
        // The next frame begins with an empty picture, because a transparent pixel does not erase.
        dispose: 2,
        ...(index === 0 && { first: true }),
      });
      return Promise.resolve();
    },
    finish() {
      encoder.finish();
      return Promise.resolve(new Blob([encoder.bytes()], { type: 'image/gif' }));
    },
    close: () => encoder.reset(),
  };
}

/** The colours of pixels without their alpha. */
function opaque(premultiplied: Uint8Array): Uint8Array {
  const out = premultiplied.slice();
  for (let at = 0; at < out.length; at += 4) {
    const alpha = out[at + 3] as number;
    if (alpha < OPAQUE || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      out[channel] = Math.min(255, Math.round((255 * (out[channel] as number)) / alpha));
  }
  return out;
}
