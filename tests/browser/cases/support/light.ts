// The reference shading: reflection of a surface (glTF 2.0, Appendix B), illumination by a punctual light
// (KHR_lights_punctual), and conversion to pixels (Khronos PBR Neutral, IEC 61966-2-1).

import type { Rgb } from './scene.ts';

type Vector = readonly [x: number, y: number, z: number];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
const unit = (a: Vector): Vector => scaled(a, 1 / Math.sqrt(dot(a, a)));
const UP: Vector = [0, 0, 1];

/** Converts sRGB, 0 … 255, to linear light, 0 … 1. */
export function decoded(byte: number): number {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** Converts linear light to sRGB, 0 … 255. */
export function encoded(light: number): number {
  const c = Math.min(1, Math.max(0, light));
  return 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
}

/** Converts light to sRGB, 0 … 255, with tone mapping. */
export function shown(light: Rgb): Rgb {
  const darkest = Math.min(...light);
  const offset = darkest < 0.08 ? darkest - 6.25 * darkest ** 2 : 0.04;
  const color = light.map((value) => value - offset);
  const peak = Math.max(...color);
  const start = 0.8 - 0.04;
  if (peak < start) return color.map(encoded) as unknown as Rgb;
  const span = 1 - start;
  const compressed = 1 - span ** 2 / (peak + span - start);
  const white = 1 - 1 / (0.15 * (peak - compressed) + 1);
  return color.map((value) =>
    encoded(((value * compressed) / peak) * (1 - white) + compressed * white),
  ) as unknown as Rgb;
}

/** The linear light of a pixel that is not very bright: the inverse of tone mapping. */
export function lightOf(pixel: Rgb): Rgb {
  const color = pixel.map(decoded);
  const least = Math.min(...color);
  const offset = least < 0.04 ? Math.sqrt(least / 6.25) - least : 0.04;
  return color.map((value) => value + offset) as unknown as Rgb;
}

/** A pixel after more light is added. */
export function brighter(pixel: Rgb, light: Rgb): Rgb {
  const before = lightOf(pixel);
  return shown([before[0] + light[0], before[1] + light[1], before[2] + light[2]]);
}

export interface Punctual {
  color: Rgb;
  intensity: number;
  /** The position; a light without one is directional. */
  place?: Vector;
  /** The unit vector of the light's direction. */
  along?: Vector;
  range?: number;
  cone?: readonly [inner: number, outer: number];
}

/** The light that a matt dielectric (roughness 1) in the plane z = 0 reflects straight up. */
export function sentBack(base: Rgb, at: readonly [x: number, y: number], light: Punctual): Rgb {
  const away: Vector = light.place
    ? [light.place[0] - at[0], light.place[1] - at[1], light.place[2]]
    : scaled(light.along ?? UP, -1);
  const distance = Math.sqrt(dot(away, away));
  const l = unit(away);
  let strength = light.intensity;
  if (light.place) strength /= distance ** 2;
  if (light.place && light.range !== undefined) strength *= Math.max(Math.min(1 - (distance / light.range) ** 4, 1), 0);
  if (light.cone && light.along) {
    const [inner, outer] = light.cone.map(Math.cos) as [number, number];
    strength *=
      Math.min(1, Math.max(0, (dot(light.along, scaled(l, -1)) - outer) / Math.max(0.001, inner - outer))) ** 2;
  }
  const h = unit([l[0], l[1], l[2] + 1]);
  const n_l = Math.max(0, l[2]);
  const fresnel = 0.04 + 0.96 * (1 - Math.abs(h[2])) ** 5;
  // With α = 1 the facets have no preferred direction: D = 1/π, and V = 1 / ((n·l + 1) (n·v + 1)).
  const specular = 1 / Math.PI / ((n_l + 1) * 2);
  return light.color.map(
    (value, i) => value * strength * n_l * (((1 - fresnel) * (base[i] ?? 0)) / Math.PI + fresnel * specular),
  ) as unknown as Rgb;
}
