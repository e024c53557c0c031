// The child elements `<gambol-material>` and `<gambol-node>`. They are defined with the script for child elements, which is loaded lazily.

import { number, reflect, text, type Kind } from '../base/attributes.ts';
import { Late } from './late.ts';

/** The properties of `<gambol-material>` that are attributes, too. Without an attribute, the value of the file stays. @category Attributes */
export interface MaterialAttributes {
  /** The name of the material. */
  name: string | null;
  /** The duration of changes in seconds, at least 0. */
  fade: number;
  /** The use of alpha: `opaque`, `mask` or `blend`. */
  alphaMode: string | null;
  /** `true` or `false`: whether back faces are visible. */
  doubleSided: string | null;
  /** `true` or `false`: whether the base colour is shown without light. */
  unlit: string | null;
  /** The base colour, with alpha. A CSS colour. */
  baseColor: string | null;
  /** The emitted colour. A CSS colour. */
  emissive: string | null;
  /** 0 dielectric … 1 metal. */
  metallic: string | null;
  /** 0 smooth … 1 rough. */
  roughness: string | null;
  /** The alpha from which on a `mask` is visible. */
  alphaCutoff: string | null;
  /** The factor of X and Y of the normal map. */
  normalScale: string | null;
  /** 0 no occlusion … 1 that of the texture. */
  occlusionStrength: string | null;
  /** The factor of the emitted colour, at least 0. */
  emissiveStrength: string | null;
  /** The index of refraction: 0, or at least 1. */
  ior: string | null;
  /** The strength of the specular reflection, 0 to 1. */
  specular: string | null;
  /** The colour of the specular reflection at normal incidence. A CSS colour. */
  specularColor: string | null;
  /** The strength of the clear coat, 0 to 1. */
  clearcoat: string | null;
  /** The roughness of the clear coat, 0 to 1. */
  clearcoatRoughness: string | null;
  /** The factor of X and Y of the clear coat's normal map. */
  clearcoatNormalScale: string | null;
  /** The colour of the sheen. A CSS colour. */
  sheenColor: string | null;
  /** The roughness of the sheen, 0 to 1. */
  sheenRoughness: string | null;
  /** The part of the light that goes through the surface, 0 to 1. */
  transmission: string | null;
  /** The thickness of the volume, in units of the mesh. */
  thickness: string | null;
  /** The distance in metres after which light has the attenuation colour. */
  attenuationDistance: string | null;
  /** The colour of light after the attenuation distance. A CSS colour. */
  attenuationColor: string | null;
  /** The strength of the thin film, 0 to 1. */
  iridescence: string | null;
  /** The index of refraction of the thin film. */
  iridescenceIor: string | null;
  /** The thickness of the thin film in nanometres where its texture is 0. */
  iridescenceThicknessMinimum: string | null;
  /** The thickness of the thin film in nanometres where its texture is 1, or without one. */
  iridescenceThicknessMaximum: string | null;
  /** The strength of anisotropic highlights, 0 to 1. */
  anisotropyStrength: string | null;
  /** The direction of anisotropic highlights in radians, counter-clockwise from the tangent. */
  anisotropyRotation: string | null;
  /** The dispersion: 20 divided by the Abbe number. */
  dispersion: string | null;
  /** The part of the diffuse light that comes from the other side, 0 to 1. */
  diffuseTransmission: string | null;
  /** The colour of the diffuse light from the other side. A CSS colour. */
  diffuseTransmissionColor: string | null;
  /** The glossiness of materials of KHR_materials_pbrSpecularGlossiness, 0 to 1. */
  glossiness: string | null;
  /** The address of a texture: multiplied with the base colour. */
  textureBaseColor: string | null;
  /** The address of a texture: green is roughness, blue is metallic. */
  textureMetallicRoughness: string | null;
  /** The address of a texture: normals in tangent space. */
  textureNormal: string | null;
  /** The address of a texture: red is the part of the ambient light that arrives. */
  textureOcclusion: string | null;
  /** The address of a texture: multiplied with the emitted colour. */
  textureEmissive: string | null;
  /** The address of a texture: alpha is the strength of the specular reflection. */
  textureSpecular: string | null;
  /** The address of a texture: the colour of the specular reflection. */
  textureSpecularColor: string | null;
  /** The address of a texture: red is the strength of the clear coat. */
  textureClearcoat: string | null;
  /** The address of a texture: green is the roughness of the clear coat. */
  textureClearcoatRoughness: string | null;
  /** The address of a texture: normals of the clear coat. */
  textureClearcoatNormal: string | null;
  /** The address of a texture: the colour of the sheen. */
  textureSheenColor: string | null;
  /** The address of a texture: alpha is the roughness of the sheen. */
  textureSheenRoughness: string | null;
  /** The address of a texture: red is the part of the light that goes through. */
  textureTransmission: string | null;
  /** The address of a texture: green is the thickness. */
  textureThickness: string | null;
  /** The address of a texture: red is the strength of the thin film. */
  textureIridescence: string | null;
  /** The address of a texture: green is the thickness of the thin film. */
  textureIridescenceThickness: string | null;
  /** The address of a texture: red and green are a direction, blue the strength. */
  textureAnisotropy: string | null;
  /** The address of a texture: alpha is the part of the diffuse light from the other side. */
  textureDiffuseTransmission: string | null;
  /** The address of a texture: the colour of the diffuse light from the other side. */
  textureDiffuseTransmissionColor: string | null;
}

/**
 * The properties of `<gambol-node>` that are attributes, too. The attribute `hidden`, which all elements of HTML have, hides the node with
 * all nodes below it; without it the node is shown, whatever the file and its animation say.
 * @category Attributes
 */
export interface NodeAttributes {
  /** The name of the node. */
  name: string | null;
}

const MATERIAL: { readonly [Name in keyof MaterialAttributes]: Kind<MaterialAttributes[Name]> } = {
  name: text,
  fade: number(0, 0),
  alphaMode: text,
  doubleSided: text,
  unlit: text,
  baseColor: text,
  emissive: text,
  metallic: text,
  roughness: text,
  alphaCutoff: text,
  normalScale: text,
  occlusionStrength: text,
  emissiveStrength: text,
  ior: text,
  specular: text,
  specularColor: text,
  clearcoat: text,
  clearcoatRoughness: text,
  clearcoatNormalScale: text,
  sheenColor: text,
  sheenRoughness: text,
  transmission: text,
  thickness: text,
  attenuationDistance: text,
  attenuationColor: text,
  iridescence: text,
  iridescenceIor: text,
  iridescenceThicknessMinimum: text,
  iridescenceThicknessMaximum: text,
  anisotropyStrength: text,
  anisotropyRotation: text,
  dispersion: text,
  diffuseTransmission: text,
  diffuseTransmissionColor: text,
  glossiness: text,
  textureBaseColor: text,
  textureMetallicRoughness: text,
  textureNormal: text,
  textureOcclusion: text,
  textureEmissive: text,
  textureSpecular: text,
  textureSpecularColor: text,
  textureClearcoat: text,
  textureClearcoatRoughness: text,
  textureClearcoatNormal: text,
  textureSheenColor: text,
  textureSheenRoughness: text,
  textureTransmission: text,
  textureThickness: text,
  textureIridescence: text,
  textureIridescenceThickness: text,
  textureAnisotropy: text,
  textureDiffuseTransmission: text,
  textureDiffuseTransmissionColor: text,
};
const NODE: { readonly [Name in keyof NodeAttributes]: Kind<NodeAttributes[Name]> } = {
  name: text,
};

/** Changes of a material. @category Elements */
export class GambolMaterial extends Late {}
export interface GambolMaterial extends MaterialAttributes {}
/** A node that is hidden or shown. @category Elements */
export class GambolNode extends Late {}
export interface GambolNode extends NodeAttributes {}

declare global {
  interface HTMLElementTagNameMap {
    'gambol-material': GambolMaterial;
    'gambol-node': GambolNode;
  }
}

/** Defines the elements, once. */
export function defineDressElements(): void {
  for (const [name, element, table] of [
    ['gambol-material', GambolMaterial, MATERIAL],
    ['gambol-node', GambolNode, NODE],
  ] as const) {
    reflect(element.prototype, table as object);
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
