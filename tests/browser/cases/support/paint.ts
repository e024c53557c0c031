// Generated textures. None has hard edges, which would show differences between filters.

import type { Scene } from './scene.ts';

/** A texture of 64 × 64 texels, from the upper left corner; `color` maps coordinates from 0 to 1 to bytes. */
export function painted(scene: Scene, color: (u: number, v: number) => readonly number[]): number {
  const EDGE = 64;
  const image = new ImageData(EDGE, EDGE);
  for (let i = 0; i < EDGE * EDGE; i++) {
    const [r = 0, g = 0, b = 0, a = 255] = color(((i % EDGE) + 0.5) / EDGE, (Math.floor(i / EDGE) + 0.5) / EDGE);
    image.data.set([r, g, b, a], 4 * i);
  }
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: EDGE, height: EDGE });
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return scene.add('textures', { source: scene.add('images', { uri: canvas.toDataURL() }) });
}

/**
 * A checkerboard pattern between 0 and 1 with `count` fields. Its edges are several texels wide, because renderers
 * choose mipmap levels and samples of anisotropic filters differently, which is visible at hard edges.
 */
export function fields(count: number, u: number, v: number): number {
  return soft(Math.sin(count * Math.PI * u) * Math.sin(count * Math.PI * v));
}

/** Vertical stripes, with the same edges as {@link fields}. */
export function stripes(count: number, u: number): number {
  return soft(Math.sin(count * Math.PI * u));
}

const soft = (wave: number): number => Math.min(1, Math.max(0, 0.5 + 0.8 * wave));

/** Interpolates two colours, for {@link painted}. */
export function between(from: readonly number[], to: readonly number[], share: number): readonly number[] {
  return from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share));
}

/** A pattern of dark and light fields. */
export function checks(
  count: number,
  [dark = 40, light = 220]: readonly number[] = [],
): (u: number, v: number) => readonly number[] {
  return (u, v) => between([dark, dark, dark], [light, light, light], fields(count, u, v));
}

/** A normal map of bumps: eight across, four down. */
export function bumps(u: number, v: number): readonly number[] {
  // The normals of the height cos(16πu) + cos(8πv), which is symmetric; green is up, and V points down.
  const [x, y] = [0.7 * Math.sin(u * 16 * Math.PI), -0.7 * Math.sin(v * 8 * Math.PI)];
  const length = Math.hypot(x, y, 1);
  return [x / length, y / length, 1 / length].map((value) => Math.round(127.5 + 127.5 * value));
}
