// The values of materials that a page sets and reads: their types.

/**
 * A colour of a material: a CSS colour, or linear numbers: red, green, blue and, for `baseColor`, alpha.
 * @category Sprites and materials
 */
export type MaterialColor = string | readonly number[];

/** The source of a texture's pixels. A canvas is read when it is passed (the first source of a page: once the script for textures is
 * loaded); a video is followed. @category Sprites and materials */
export type TextureSource =
  | string
  | URL
  | Blob
  | ImageBitmap
  | HTMLImageElement
  | HTMLCanvasElement
  | OffscreenCanvas
  | HTMLVideoElement;

/** The behaviour of a texture outside of its image. @category Sprites and materials */
export type TextureWrap = 'clamp' | 'mirror' | 'repeat';

/**
 * A texture with its sampler and its transform. What is missing stays as it is in the file; without a texture there: repeated, linear,
 * with mipmaps, by the first texture coordinates.
 * @category Sprites and materials
 */
export interface TextureSettings {
  /** The pixels. Missing, or with `material`: those of the file, or of that material. */
  readonly source?: TextureSource;
  /** Another material of the model, by its name or index, whose texture is shown. */
  readonly material?: string | number;
  /** The texture of that material, such as `emissiveTexture`. Default: the same as that which is set. */
  readonly texture?: TextureName;
  /** The set of texture coordinates, a whole number of at least 0. */
  readonly texCoord?: number;
  /** The behaviour outside of the image, horizontally. */
  readonly wrapS?: TextureWrap;
  /** The behaviour outside of the image, vertically. */
  readonly wrapT?: TextureWrap;
  /** The filter where the texture is magnified. */
  readonly mag?: 'nearest' | 'linear';
  /** The filter where the texture is minified. */
  readonly min?: 'nearest' | 'linear';
  /** The use of mipmaps. */
  readonly mip?: 'none' | 'nearest' | 'linear';
  /** The translation of the texture coordinates, in widths and heights of the image. */
  readonly offset?: readonly [u: number, v: number];
  /** The rotation around the origin in radians, counter-clockwise. */
  readonly rotation?: number;
  /** The scale of the texture coordinates. */
  readonly scale?: readonly [u: number, v: number];
}

/** A texture of a material; `false` for none. @category Sprites and materials */
export type MaterialTexture = TextureSource | TextureSettings | false;

/**
 * The numbers of materials, with the names of glTF and its KHR_materials_* extensions. Values beyond a range of glTF are shown as the
 * nearest value within it.
 * @category Sprites and materials
 */
export interface MaterialNumbers {
  /** The base colour, with alpha. */
  readonly baseColor: MaterialColor;
  /** The emitted colour. */
  readonly emissive: MaterialColor;
  /** 0 dielectric … 1 metal. */
  readonly metallic: number;
  /** 0 smooth … 1 rough. */
  readonly roughness: number;
  /** The alpha from which on a `mask` is visible. */
  readonly alphaCutoff: number;
  /** The factor of X and Y of the normal map. */
  readonly normalScale: number;
  /** 0 no occlusion … 1 that of the texture. */
  readonly occlusionStrength: number;
  /** The factor of the emitted colour, at least 0. */
  readonly emissiveStrength: number;
  /** The index of refraction: 0, or at least 1. */
  readonly ior: number;
  /** The strength of the specular reflection, 0 to 1. */
  readonly specular: number;
  /** The colour of the specular reflection at normal incidence. */
  readonly specularColor: MaterialColor;
  /** The strength of the clear coat, 0 to 1. */
  readonly clearcoat: number;
  /** The roughness of the clear coat, 0 to 1. */
  readonly clearcoatRoughness: number;
  /** The factor of X and Y of the clear coat's normal map. */
  readonly clearcoatNormalScale: number;
  /** The colour of the sheen. */
  readonly sheenColor: MaterialColor;
  /** The roughness of the sheen, 0 to 1. */
  readonly sheenRoughness: number;
  /** The part of the light that goes through the surface, 0 to 1. */
  readonly transmission: number;
  /** The thickness of the volume, in units of the mesh. */
  readonly thickness: number;
  /** The distance in metres after which light has the attenuation colour. */
  readonly attenuationDistance: number;
  /** The colour of light after the attenuation distance. */
  readonly attenuationColor: MaterialColor;
  /** The strength of the thin film, 0 to 1. */
  readonly iridescence: number;
  /** The index of refraction of the thin film. */
  readonly iridescenceIor: number;
  /** The thickness of the thin film in nanometres where its texture is 0. */
  readonly iridescenceThicknessMinimum: number;
  /** The thickness of the thin film in nanometres where its texture is 1, or without one. */
  readonly iridescenceThicknessMaximum: number;
  /** The strength of anisotropic highlights, 0 to 1. */
  readonly anisotropyStrength: number;
  /** The direction of anisotropic highlights in radians, counter-clockwise from the tangent. */
  readonly anisotropyRotation: number;
  /** The dispersion: 20 divided by the Abbe number. */
  readonly dispersion: number;
  /** The part of the diffuse light that comes from the other side, 0 to 1. */
  readonly diffuseTransmission: number;
  /** The colour of the diffuse light from the other side. */
  readonly diffuseTransmissionColor: MaterialColor;
  /** The glossiness of materials of KHR_materials_pbrSpecularGlossiness, 0 to 1. */
  readonly glossiness: number;
}

/** The textures of materials. @category Sprites and materials */
export interface MaterialTextures {
  /** Multiplied with the base colour. */
  readonly baseColorTexture: MaterialTexture;
  /** Green is roughness, blue is metallic. */
  readonly metallicRoughnessTexture: MaterialTexture;
  /** Normals in tangent space. */
  readonly normalTexture: MaterialTexture;
  /** Red is the part of the ambient light that arrives. */
  readonly occlusionTexture: MaterialTexture;
  /** Multiplied with the emitted colour. */
  readonly emissiveTexture: MaterialTexture;
  /** Alpha is the strength of the specular reflection. */
  readonly specularTexture: MaterialTexture;
  /** The colour of the specular reflection. */
  readonly specularColorTexture: MaterialTexture;
  /** Red is the strength of the clear coat. */
  readonly clearcoatTexture: MaterialTexture;
  /** Green is the roughness of the clear coat. */
  readonly clearcoatRoughnessTexture: MaterialTexture;
  /** Normals of the clear coat. */
  readonly clearcoatNormalTexture: MaterialTexture;
  /** The colour of the sheen. */
  readonly sheenColorTexture: MaterialTexture;
  /** Alpha is the roughness of the sheen. */
  readonly sheenRoughnessTexture: MaterialTexture;
  /** Red is the part of the light that goes through. */
  readonly transmissionTexture: MaterialTexture;
  /** Green is the thickness. */
  readonly thicknessTexture: MaterialTexture;
  /** Red is the strength of the thin film. */
  readonly iridescenceTexture: MaterialTexture;
  /** Green is the thickness of the thin film. */
  readonly iridescenceThicknessTexture: MaterialTexture;
  /** Red and green are a direction, blue the strength. */
  readonly anisotropyTexture: MaterialTexture;
  /** Alpha is the part of the diffuse light from the other side. */
  readonly diffuseTransmissionTexture: MaterialTexture;
  /** The colour of the diffuse light from the other side. */
  readonly diffuseTransmissionColorTexture: MaterialTexture;
}

/** The name of a texture of a material. @category Sprites and materials */
export type TextureName = keyof MaterialTextures;

/** The switches of materials. @category Sprites and materials */
export interface MaterialSwitches {
  /** The use of alpha: none, visible from `alphaCutoff` on, or blended. */
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  /** `true` if back faces are visible. */
  readonly doubleSided: boolean;
  /** `true` to show the base colour without light. */
  readonly unlit: boolean;
}

/** Everything of a material that a page can change. @category Sprites and materials */
export interface MaterialProperties extends MaterialNumbers, MaterialTextures, MaterialSwitches {}

/** Changes of a material, see {@link Material.set}; `null` gives back what the file has. @category Sprites and materials */
export type MaterialValues = { readonly [Name in keyof MaterialProperties]?: MaterialProperties[Name] | null };

/** Options of {@link Material.set}. @category Sprites and materials */
export interface MaterialOptions {
  /** The duration of the change in seconds, for numbers and colours. Default: 0. */
  readonly fade?: number;
  /**
   * The blend weight of the numbers, from those of the animation or the file (0) to the new ones (1). Default: 1.
   */
  readonly weight?: number;
}

/** A texture as it is shown, see {@link Material.values}. @category Sprites and materials */
export interface ShownTexture {
  /** The index of the image in the file; null for a texture of the page, or without an image. */
  readonly image: number | null;
  /** `true` for a texture of the page. */
  readonly own: boolean;
  /** The set of texture coordinates. */
  readonly texCoord: number;
  /** The behaviour outside of the image, horizontally. */
  readonly wrapS: TextureWrap;
  /** The behaviour outside of the image, vertically. */
  readonly wrapT: TextureWrap;
  /** The filter where the texture is magnified. */
  readonly mag: 'nearest' | 'linear';
  /** The filter where the texture is minified. */
  readonly min: 'nearest' | 'linear';
  /** The use of mipmaps. */
  readonly mip: 'none' | 'nearest' | 'linear';
  /** The translation of the texture coordinates. */
  readonly offset: readonly [u: number, v: number];
  /** The rotation in radians. */
  readonly rotation: number;
  /** The scale of the texture coordinates. */
  readonly scale: readonly [u: number, v: number];
}

/** The values of a material as it is shown: colours are linear numbers. @category Sprites and materials */
export type ShownMaterial = {
  readonly [Name in keyof MaterialNumbers]: MaterialNumbers[Name] extends number ? number : readonly number[];
} & { readonly [Name in TextureName]: ShownTexture | null } & MaterialSwitches;
