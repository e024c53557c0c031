// The values of materials in groups, as the panel shows them, and the ranges of their sliders.

import type { ShownMaterial } from 'gambol';

/** A group of values whose names begin with one of some words. */
export interface Layer {
  readonly title: string;
  readonly begins: readonly string[];
  /** The value that is 0 if the layer has no effect; without it, it always has one. */
  readonly main?: keyof ShownMaterial;
}

/** The values that have controls of their own above the layers; `glossiness` is of another model of materials. */
const BASE = new Set(['baseColor', 'emissive', 'metallic', 'roughness', 'alphaCutoff', 'glossiness']);

const LAYERS: readonly Layer[] = [
  { title: 'Strengths', begins: ['normalScale', 'occlusionStrength', 'emissiveStrength'] },
  { title: 'Specular', begins: ['ior', 'specular'] },
  { title: 'Clear coat', begins: ['clearcoat'], main: 'clearcoat' },
  { title: 'Sheen', begins: ['sheen'], main: 'sheenColor' },
  { title: 'Transmission', begins: ['transmission', 'thickness', 'attenuation', 'dispersion'], main: 'transmission' },
  { title: 'Diffuse transmission', begins: ['diffuseTransmission'], main: 'diffuseTransmission' },
  { title: 'Iridescence', begins: ['iridescence'], main: 'iridescence' },
  { title: 'Anisotropy', begins: ['anisotropy'], main: 'anisotropyStrength' },
];

/** The largest numbers of sliders; others end at 1. */
const MOST: Readonly<Record<string, number>> = {
  normalScale: 2,
  clearcoatNormalScale: 2,
  emissiveStrength: 10,
  ior: 3,
  iridescenceIor: 3,
  iridescenceThicknessMinimum: 1200,
  iridescenceThicknessMaximum: 1200,
  anisotropyRotation: 2 * Math.PI,
  attenuationDistance: 10,
  thickness: 2,
  dispersion: 5,
};

/** The layers with the names of their numbers and colours. A layer that the list does not know is in the last one. */
export function layersOf(values: ShownMaterial): { readonly layer: Layer; readonly names: readonly string[] }[] {
  const names = Object.keys(values).filter(
    (name) => !BASE.has(name) && (isColor(values, name) || typeof values[name as keyof ShownMaterial] === 'number'),
  );
  const isOf = ({ begins }: Layer, name: string): boolean => begins.some((word) => name.startsWith(word));
  const other: Layer = { title: 'Other layers', begins: [] };
  return [...LAYERS, other]
    .map((layer) => ({
      layer,
      names: names.filter((name) => (LAYERS.find((one) => isOf(one, name)) ?? other) === layer),
    }))
    .filter((group) => group.names.length > 0);
}

export function isColor(values: ShownMaterial, name: string): boolean {
  return Array.isArray(values[name as keyof ShownMaterial]);
}

/** `true` if the layer changes the look. */
export function isShown({ main }: Layer, values: ShownMaterial): boolean {
  if (main === undefined) return false;
  const value = values[main];
  return Array.isArray(value) ? value.some((part) => part > 0) : Number(value) > 0;
}

/** The range of a slider, which also holds the present value. */
export function rangeOf(name: string, value: number): readonly [least: number, most: number] {
  const most = Math.max(MOST[name] ?? 1, Number.isFinite(value) ? value : 0);
  return [/ior$/i.test(name) ? 1 : 0, most];
}

/** `sheenColorTexture` as “Sheen colour texture”. */
export function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('color', 'colour');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
