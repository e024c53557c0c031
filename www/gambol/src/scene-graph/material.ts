// Materials of the scene graph of `<model-viewer>`.

import { GambolError } from '../base/errors.ts';
import type { MaterialColor, TextureName } from '../values/materials.ts';
import type { Sink } from './sink.ts';
import { TextureInfo } from './textures.ts';

/** The use of alpha, in the words of glTF. @category Scene graph */
export type AlphaMode = 'OPAQUE' | 'MASK' | 'BLEND';

const MODES = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const;

/** The infos of a material, each made once. */
class Infos {
  readonly #sink: Sink;
  readonly #made = new Map<TextureName, TextureInfo>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  of(name: TextureName): TextureInfo {
    const known = this.#made.get(name);
    if (known) return known;
    const made = new TextureInfo(this.#sink, name);
    this.#made.set(name, made);
    return made;
  }
}

/** The metallic-roughness part of a material. @category Scene graph */
export class PBRMetallicRoughness {
  readonly #sink: Sink;
  readonly #infos: Infos;

  /** @internal */
  constructor(sink: Sink, infos: Infos) {
    this.#sink = sink;
    this.#infos = infos;
  }

  /** Linear red, green, blue and alpha. */
  get baseColorFactor(): readonly number[] {
    return rounded(this.#sink.read().baseColor);
  }

  /** 0 dielectric … 1 metal. */
  get metallicFactor(): number {
    return this.#sink.read().metallic;
  }

  /** 0 smooth … 1 rough. */
  get roughnessFactor(): number {
    return this.#sink.read().roughness;
  }

  /** The texture of the base colour. */
  get baseColorTexture(): TextureInfo {
    return this.#infos.of('baseColorTexture');
  }

  /** The texture of metallic and roughness. */
  get metallicRoughnessTexture(): TextureInfo {
    return this.#infos.of('metallicRoughnessTexture');
  }

  /** Sets the base colour: a CSS colour, or linear red, green, blue and alpha. */
  setBaseColorFactor(rgba: MaterialColor): void {
    this.#sink.write({ baseColor: rgba });
  }

  /** Sets how metallic it is. */
  setMetallicFactor(value: number): void {
    this.#sink.write({ metallic: value });
  }

  /** Sets how rough it is. */
  setRoughnessFactor(value: number): void {
    this.#sink.write({ roughness: value });
  }
}

/** A material of the scene graph. @category Scene graph */
export class Material {
  /** The name: that of the file, until a page sets another one. */
  name: string;
  /** The index in {@link Model.materials}. */
  readonly index: number;
  /** Its metallic-roughness part. */
  readonly pbrMetallicRoughness: PBRMetallicRoughness;
  readonly #sink: Sink;
  readonly #infos: Infos;
  readonly #variants: () => ReadonlySet<string>;
  readonly #isActive: () => boolean;

  /** @internal */
  constructor(name: string, index: number, sink: Sink, variants: () => ReadonlySet<string>, isActive: () => boolean) {
    this.name = name;
    this.index = index;
    this.#sink = sink;
    this.#infos = new Infos(sink);
    this.pbrMetallicRoughness = new PBRMetallicRoughness(sink, this.#infos);
    this.#variants = variants;
    this.#isActive = isActive;
  }

  /** Always `true`: all materials are loaded with their model. */
  get isLoaded(): boolean {
    return true;
  }

  /** `true` if a mesh of the model shows it with the current variant. */
  get isActive(): boolean {
    return this.#isActive();
  }

  /** Does nothing: all materials are loaded with their model. */
  ensureLoaded(): Promise<void> {
    return Promise.resolve();
  }

  /** `true` if the variant shows it. */
  hasVariant(name: string): boolean {
    return this.#variants().has(name);
  }

  /** The use of alpha. */
  getAlphaMode(): AlphaMode {
    return this.#sink.read().alphaMode.toUpperCase() as AlphaMode;
  }

  /** Sets the use of alpha. @throws `GambolError` `argument/invalid` */
  setAlphaMode(alphaMode: AlphaMode): void {
    if (!Object.hasOwn(MODES, alphaMode))
      throw new GambolError('argument/invalid', `alphaMode must be OPAQUE, MASK or BLEND, not ${String(alphaMode)}.`);
    this.#sink.write({ alphaMode: MODES[alphaMode] });
  }

  /** The alpha from which on a MASK is visible. */
  getAlphaCutoff(): number {
    return this.#sink.read().alphaCutoff;
  }

  /** Sets the alpha from which on a MASK is visible. */
  setAlphaCutoff(cutoff: number): void {
    this.#sink.write({ alphaCutoff: cutoff });
  }

  /** `true` if back faces are visible. */
  getDoubleSided(): boolean {
    return this.#sink.read().doubleSided;
  }

  /** Sets whether back faces are visible. */
  setDoubleSided(doubleSided: boolean): void {
    this.#sink.write({ doubleSided });
  }

  /** See `MaterialNumbers.emissive`: linear numbers. */
  get emissiveFactor(): readonly number[] {
    return rounded(this.#sink.read().emissive);
  }

  /** Sets `MaterialNumbers.emissive`: a CSS colour, or linear numbers. */
  setEmissiveFactor(rgb: MaterialColor): void {
    this.#sink.write({ emissive: rgb });
  }

  /** See `MaterialNumbers.emissiveStrength`. */
  get emissiveStrength(): number {
    return this.#sink.read().emissiveStrength;
  }

  /** Sets `MaterialNumbers.emissiveStrength`. */
  setEmissiveStrength(emissiveStrength: number): void {
    this.#sink.write({ emissiveStrength });
  }

  /** See `MaterialNumbers.clearcoat`. */
  get clearcoatFactor(): number {
    return this.#sink.read().clearcoat;
  }

  /** Sets `MaterialNumbers.clearcoat`. */
  setClearcoatFactor(clearcoat: number): void {
    this.#sink.write({ clearcoat });
  }

  /** See `MaterialNumbers.clearcoatRoughness`. */
  get clearcoatRoughnessFactor(): number {
    return this.#sink.read().clearcoatRoughness;
  }

  /** Sets `MaterialNumbers.clearcoatRoughness`. */
  setClearcoatRoughnessFactor(clearcoatRoughness: number): void {
    this.#sink.write({ clearcoatRoughness });
  }

  /** See `MaterialNumbers.clearcoatNormalScale`. */
  get clearcoatNormalScale(): number {
    return this.#sink.read().clearcoatNormalScale;
  }

  /** Sets `MaterialNumbers.clearcoatNormalScale`. */
  setClearcoatNormalScale(clearcoatNormalScale: number): void {
    this.#sink.write({ clearcoatNormalScale });
  }

  /** See `MaterialNumbers.ior`. */
  get ior(): number {
    return this.#sink.read().ior;
  }

  /** Sets `MaterialNumbers.ior`. */
  setIor(ior: number): void {
    this.#sink.write({ ior });
  }

  /** See `MaterialNumbers.sheenColor`: linear numbers. */
  get sheenColorFactor(): readonly number[] {
    return rounded(this.#sink.read().sheenColor);
  }

  /** Sets `MaterialNumbers.sheenColor`: a CSS colour, or linear numbers. */
  setSheenColorFactor(rgb: MaterialColor): void {
    this.#sink.write({ sheenColor: rgb });
  }

  /** See `MaterialNumbers.sheenRoughness`. */
  get sheenRoughnessFactor(): number {
    return this.#sink.read().sheenRoughness;
  }

  /** Sets `MaterialNumbers.sheenRoughness`. */
  setSheenRoughnessFactor(sheenRoughness: number): void {
    this.#sink.write({ sheenRoughness });
  }

  /** See `MaterialNumbers.transmission`. */
  get transmissionFactor(): number {
    return this.#sink.read().transmission;
  }

  /** Sets `MaterialNumbers.transmission`. */
  setTransmissionFactor(transmission: number): void {
    this.#sink.write({ transmission });
  }

  /** See `MaterialNumbers.thickness`. */
  get thicknessFactor(): number {
    return this.#sink.read().thickness;
  }

  /** Sets `MaterialNumbers.thickness`. */
  setThicknessFactor(thickness: number): void {
    this.#sink.write({ thickness });
  }

  /** See `MaterialNumbers.attenuationDistance`. */
  get attenuationDistance(): number {
    return this.#sink.read().attenuationDistance;
  }

  /** Sets `MaterialNumbers.attenuationDistance`. */
  setAttenuationDistance(attenuationDistance: number): void {
    this.#sink.write({ attenuationDistance });
  }

  /** See `MaterialNumbers.attenuationColor`: linear numbers. */
  get attenuationColor(): readonly number[] {
    return rounded(this.#sink.read().attenuationColor);
  }

  /** Sets `MaterialNumbers.attenuationColor`: a CSS colour, or linear numbers. */
  setAttenuationColor(rgb: MaterialColor): void {
    this.#sink.write({ attenuationColor: rgb });
  }

  /** See `MaterialNumbers.specular`. */
  get specularFactor(): number {
    return this.#sink.read().specular;
  }

  /** Sets `MaterialNumbers.specular`. */
  setSpecularFactor(specular: number): void {
    this.#sink.write({ specular });
  }

  /** See `MaterialNumbers.specularColor`: linear numbers. */
  get specularColorFactor(): readonly number[] {
    return rounded(this.#sink.read().specularColor);
  }

  /** Sets `MaterialNumbers.specularColor`: a CSS colour, or linear numbers. */
  setSpecularColorFactor(rgb: MaterialColor): void {
    this.#sink.write({ specularColor: rgb });
  }

  /** See `MaterialNumbers.iridescence`. */
  get iridescenceFactor(): number {
    return this.#sink.read().iridescence;
  }

  /** Sets `MaterialNumbers.iridescence`. */
  setIridescenceFactor(iridescence: number): void {
    this.#sink.write({ iridescence });
  }

  /** See `MaterialNumbers.iridescenceIor`. */
  get iridescenceIor(): number {
    return this.#sink.read().iridescenceIor;
  }

  /** Sets `MaterialNumbers.iridescenceIor`. */
  setIridescenceIor(iridescenceIor: number): void {
    this.#sink.write({ iridescenceIor });
  }

  /** See `MaterialNumbers.iridescenceThicknessMinimum`. */
  get iridescenceThicknessMinimum(): number {
    return this.#sink.read().iridescenceThicknessMinimum;
  }

  /** Sets `MaterialNumbers.iridescenceThicknessMinimum`. */
  setIridescenceThicknessMinimum(iridescenceThicknessMinimum: number): void {
    this.#sink.write({ iridescenceThicknessMinimum });
  }

  /** See `MaterialNumbers.iridescenceThicknessMaximum`. */
  get iridescenceThicknessMaximum(): number {
    return this.#sink.read().iridescenceThicknessMaximum;
  }

  /** Sets `MaterialNumbers.iridescenceThicknessMaximum`. */
  setIridescenceThicknessMaximum(iridescenceThicknessMaximum: number): void {
    this.#sink.write({ iridescenceThicknessMaximum });
  }

  /** See `MaterialNumbers.anisotropyStrength`. */
  get anisotropyStrength(): number {
    return this.#sink.read().anisotropyStrength;
  }

  /** Sets `MaterialNumbers.anisotropyStrength`. */
  setAnisotropyStrength(anisotropyStrength: number): void {
    this.#sink.write({ anisotropyStrength });
  }

  /** See `MaterialNumbers.anisotropyRotation`. */
  get anisotropyRotation(): number {
    return this.#sink.read().anisotropyRotation;
  }

  /** Sets `MaterialNumbers.anisotropyRotation`. */
  setAnisotropyRotation(anisotropyRotation: number): void {
    this.#sink.write({ anisotropyRotation });
  }

  /** See `MaterialTextures.normalTexture`. */
  get normalTexture(): TextureInfo {
    return this.#infos.of('normalTexture');
  }

  /** See `MaterialTextures.occlusionTexture`. */
  get occlusionTexture(): TextureInfo {
    return this.#infos.of('occlusionTexture');
  }

  /** See `MaterialTextures.emissiveTexture`. */
  get emissiveTexture(): TextureInfo {
    return this.#infos.of('emissiveTexture');
  }

  /** See `MaterialTextures.clearcoatTexture`. */
  get clearcoatTexture(): TextureInfo {
    return this.#infos.of('clearcoatTexture');
  }

  /** See `MaterialTextures.clearcoatRoughnessTexture`. */
  get clearcoatRoughnessTexture(): TextureInfo {
    return this.#infos.of('clearcoatRoughnessTexture');
  }

  /** See `MaterialTextures.clearcoatNormalTexture`. */
  get clearcoatNormalTexture(): TextureInfo {
    return this.#infos.of('clearcoatNormalTexture');
  }

  /** See `MaterialTextures.sheenColorTexture`. */
  get sheenColorTexture(): TextureInfo {
    return this.#infos.of('sheenColorTexture');
  }

  /** See `MaterialTextures.sheenRoughnessTexture`. */
  get sheenRoughnessTexture(): TextureInfo {
    return this.#infos.of('sheenRoughnessTexture');
  }

  /** See `MaterialTextures.transmissionTexture`. */
  get transmissionTexture(): TextureInfo {
    return this.#infos.of('transmissionTexture');
  }

  /** See `MaterialTextures.thicknessTexture`. */
  get thicknessTexture(): TextureInfo {
    return this.#infos.of('thicknessTexture');
  }

  /** See `MaterialTextures.specularTexture`. */
  get specularTexture(): TextureInfo {
    return this.#infos.of('specularTexture');
  }

  /** See `MaterialTextures.specularColorTexture`. */
  get specularColorTexture(): TextureInfo {
    return this.#infos.of('specularColorTexture');
  }

  /** See `MaterialTextures.iridescenceTexture`. */
  get iridescenceTexture(): TextureInfo {
    return this.#infos.of('iridescenceTexture');
  }

  /** See `MaterialTextures.iridescenceThicknessTexture`. */
  get iridescenceThicknessTexture(): TextureInfo {
    return this.#infos.of('iridescenceThicknessTexture');
  }

  /** See `MaterialTextures.anisotropyTexture`. */
  get anisotropyTexture(): TextureInfo {
    return this.#infos.of('anisotropyTexture');
  }
}

/** Numbers as a page has written them: the core stores them with single precision. */
function rounded(numbers: readonly number[]): readonly number[] {
  return numbers.map((number) => Number(number.toPrecision(7)));
}
