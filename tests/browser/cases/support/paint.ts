// Textures that are computed. None has hard edges where a filter would show them.

import type { Scene } from './scene.ts';

/** A texture of 64 × 64 texels, from the upper left corner; `color` gets places from 0 to 1 and gives bytes. */
export function painted(scene: Scene, color: (u: number, v: number) => readonly number[]): number {
  const EDGE = 64;
  const image = new ImageData(EDGE, EDGE);
  for (let i = 0; i < EDGE * EDGE; i++) {
    const [r = 0, g = 0, b = 0, a = 255] = color((i % EDGE + 0.5) / EDGE, (Math.floor(i / EDGE) + 0.5) / EDGE);
    image.data.set([r, g, b, a], 4 * i);
  }
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: EDGE, height: EDGE });
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return scene.add('textures', { source: scene.add('images', { uri: canvas.toDataURL() }) });
}

/**
 * From 0 to 1 and back in fields, so many across. Their edges are soft, as wide as some texels: renderers choose mipmap levels
 * and samples of anisotropic filters in their own ways, which is seen at hard edges.
 */
export function fields(count: number, u: number, v: number): number {
  return soft(Math.sin(count * Math.PI * u) * Math.sin(count * Math.PI * v));
}

/** As {@link fields}, from left to right alone. */
export function stripes(count: number, u: number): number {
  return soft(Math.sin(count * Math.PI * u));
}

const soft = (wave: number): number => Math.min(1, Math.max(0, 0.5 + 0.8 * wave));

/** The colours between two, for {@link painted}. */
export function between(from: readonly number[], to: readonly number[], share: number): readonly number[] {
  return from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share));
}

/** Dark and light fields. */
export function checks(count: number, [dark = 40, light = 220]: readonly number[] = []): (u: number, v: number) => readonly number[] {
  return (u, v) => between([dark, dark, dark], [light, light, light], fields(count, u, v));
}

/** Bumps as a normal map: eight across, four down. */
export function bumps(u: number, v: number): readonly number[] {
  // Of the height cos(16πu) + cos(8πv), which is the same from both sides; green is up, and V goes down.
  const [x, y] = [0.7 * Math.sin(u * 16 * Math.PI), -0.7 * Math.sin(v * 8 * Math.PI)];
  const length = Math.hypot(x, y, 1);
  return [x / length, y / length, 1 / length].map((value) => Math.round(127.5 + 127.5 * value));
}
