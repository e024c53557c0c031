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
  /** The name. */
  readonly name: string;
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

  /** Sets the use of alpha. @throws {@link GambolError} `argument/invalid` */
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

  /** See {@link MaterialNumbers.emissive}: linear numbers. */
  get emissiveFactor(): readonly number[] {
    return rounded(this.#sink.read().emissive);
  }

  /** Sets {@link MaterialNumbers.emissive}: a CSS colour, or linear numbers. */
  setEmissiveFactor(rgb: MaterialColor): void {
    this.#sink.write({ emissive: rgb });
  }

  /** See {@link MaterialNumbers.emissiveStrength}. */
  get emissiveStrength(): number {
    return this.#sink.read().emissiveStrength;
  }

  /** Sets {@link MaterialNumbers.emissiveStrength}. */
  setEmissiveStrength(emissiveStrength: number): void {
    this.#sink.write({ emissiveStrength });
  }

  /** See {@link MaterialNumbers.clearcoat}. */
  get clearcoatFactor(): number {
    return this.#sink.read().clearcoat;
  }

  /** Sets {@link MaterialNumbers.clearcoat}. */
  setClearcoatFactor(clearcoat: number): void {
    this.#sink.write({ clearcoat });
  }

  /** See {@link MaterialNumbers.clearcoatRoughness}. */
  get clearcoatRoughnessFactor(): number {
    return this.#sink.read().clearcoatRoughness;
  }

  /** Sets {@link MaterialNumbers.clearcoatRoughness}. */
  setClearcoatRoughnessFactor(clearcoatRoughness: number): void {
    this.#sink.write({ clearcoatRoughness });
  }

  /** See {@link MaterialNumbers.clearcoatNormalScale}. */
  get clearcoatNormalScale(): number {
    return this.#sink.read().clearcoatNormalScale;
  }

  /** Sets {@link MaterialNumbers.clearcoatNormalScale}. */
  setClearcoatNormalScale(clearcoatNormalScale: number): void {
    this.#sink.write({ clearcoatNormalScale });
  }

  /** See {@link MaterialNumbers.ior}. */
  get ior(): number {
    return this.#sink.read().ior;
  }

  /** Sets {@link MaterialNumbers.ior}. */
  setIor(ior: number): void {
    this.#sink.write({ ior });
  }

  /** See {@link MaterialNumbers.sheenColor}: linear numbers. */
  get sheenColorFactor(): readonly number[] {
    return rounded(this.#sink.read().sheenColor);
  }

  /** Sets {@link MaterialNumbers.sheenColor}: a CSS colour, or linear numbers. */
  setSheenColorFactor(rgb: MaterialColor): void {
    this.#sink.write({ sheenColor: rgb });
  }

  /** See {@link MaterialNumbers.sheenRoughness}. */
  get sheenRoughnessFactor(): number {
    return this.#sink.read().sheenRoughness;
  }

  /** Sets {@link MaterialNumbers.sheenRoughness}. */
  setSheenRoughnessFactor(sheenRoughness: number): void {
    this.#sink.write({ sheenRoughness });
  }

  /** See {@link MaterialNumbers.transmission}. */
  get transmissionFactor(): number {
    return this.#sink.read().transmission;
  }

  /** Sets {@link MaterialNumbers.transmission}. */
  setTransmissionFactor(transmission: number): void {
    this.#sink.write({ transmission });
  }

  /** See {@link MaterialNumbers.thickness}. */
  get thicknessFactor(): number {
    return this.#sink.read().thickness;
  }

  /** Sets {@link MaterialNumbers.thickness}. */
  setThicknessFactor(thickness: number): void {
    this.#sink.write({ thickness });
  }

  /** See {@link MaterialNumbers.attenuationDistance}. */
  get attenuationDistance(): number {
    return this.#sink.read().attenuationDistance;
  }

  /** Sets {@link MaterialNumbers.attenuationDistance}. */
  setAttenuationDistance(attenuationDistance: number): void {
    this.#sink.write({ attenuationDistance });
  }

  /** See {@link MaterialNumbers.attenuationColor}: linear numbers. */
  get attenuationColor(): readonly number[] {
    return rounded(this.#sink.read().attenuationColor);
  }

  /** Sets {@link MaterialNumbers.attenuationColor}: a CSS colour, or linear numbers. */
  setAttenuationColor(rgb: MaterialColor): void {
    this.#sink.write({ attenuationColor: rgb });
  }

  /** See {@link MaterialNumbers.specular}. */
  get specularFactor(): number {
    return this.#sink.read().specular;
  }

  /** Sets {@link MaterialNumbers.specular}. */
  setSpecularFactor(specular: number): void {
    this.#sink.write({ specular });
  }

  /** See {@link MaterialNumbers.specularColor}: linear numbers. */
  get specularColorFactor(): readonly number[] {
    return rounded(this.#sink.read().specularColor);
  }

  /** Sets {@link MaterialNumbers.specularColor}: a CSS colour, or linear numbers. */
  setSpecularColorFactor(rgb: MaterialColor): void {
    this.#sink.write({ specularColor: rgb });
  }

  /** See {@link MaterialNumbers.iridescence}. */
  get iridescenceFactor(): number {
    return this.#sink.read().iridescence;
  }

  /** Sets {@link MaterialNumbers.iridescence}. */
  setIridescenceFactor(iridescence: number): void {
    this.#sink.write({ iridescence });
  }

  /** See {@link MaterialNumbers.iridescenceIor}. */
  get iridescenceIor(): number {
    return this.#sink.read().iridescenceIor;
  }

  /** Sets {@link MaterialNumbers.iridescenceIor}. */
  setIridescenceIor(iridescenceIor: number): void {
    this.#sink.write({ iridescenceIor });
  }

  /** See {@link MaterialNumbers.iridescenceThicknessMinimum}. */
  get iridescenceThicknessMinimum(): number {
    return this.#sink.read().iridescenceThicknessMinimum;
  }

  /** Sets {@link MaterialNumbers.iridescenceThicknessMinimum}. */
  setIridescenceThicknessMinimum(iridescenceThicknessMinimum: number): void {
    this.#sink.write({ iridescenceThicknessMinimum });
  }

  /** See {@link MaterialNumbers.iridescenceThicknessMaximum}. */
  get iridescenceThicknessMaximum(): number {
    return this.#sink.read().iridescenceThicknessMaximum;
  }

  /** Sets {@link MaterialNumbers.iridescenceThicknessMaximum}. */
  setIridescenceThicknessMaximum(iridescenceThicknessMaximum: number): void {
    this.#sink.write({ iridescenceThicknessMaximum });
  }

  /** See {@link MaterialNumbers.anisotropyStrength}. */
  get anisotropyStrength(): number {
    return this.#sink.read().anisotropyStrength;
  }

  /** Sets {@link MaterialNumbers.anisotropyStrength}. */
  setAnisotropyStrength(anisotropyStrength: number): void {
    this.#sink.write({ anisotropyStrength });
  }

  /** See {@link MaterialNumbers.anisotropyRotation}. */
  get anisotropyRotation(): number {
    return this.#sink.read().anisotropyRotation;
  }

  /** Sets {@link MaterialNumbers.anisotropyRotation}. */
  setAnisotropyRotation(anisotropyRotation: number): void {
    this.#sink.write({ anisotropyRotation });
  }

  /** See {@link MaterialTextures.normalTexture}. */
  get normalTexture(): TextureInfo {
    return this.#infos.of('normalTexture');
  }

  /** See {@link MaterialTextures.occlusionTexture}. */
  get occlusionTexture(): TextureInfo {
    return this.#infos.of('occlusionTexture');
  }

  /** See {@link MaterialTextures.emissiveTexture}. */
  get emissiveTexture(): TextureInfo {
    return this.#infos.of('emissiveTexture');
  }

  /** See {@link MaterialTextures.clearcoatTexture}. */
  get clearcoatTexture(): TextureInfo {
    return this.#infos.of('clearcoatTexture');
  }

  /** See {@link MaterialTextures.clearcoatRoughnessTexture}. */
  get clearcoatRoughnessTexture(): TextureInfo {
    return this.#infos.of('clearcoatRoughnessTexture');
  }

  /** See {@link MaterialTextures.clearcoatNormalTexture}. */
  get clearcoatNormalTexture(): TextureInfo {
    return this.#infos.of('clearcoatNormalTexture');
  }

  /** See {@link MaterialTextures.sheenColorTexture}. */
  get sheenColorTexture(): TextureInfo {
    return this.#infos.of('sheenColorTexture');
  }

  /** See {@link MaterialTextures.sheenRoughnessTexture}. */
  get sheenRoughnessTexture(): TextureInfo {
    return this.#infos.of('sheenRoughnessTexture');
  }

  /** See {@link MaterialTextures.transmissionTexture}. */
  get transmissionTexture(): TextureInfo {
    return this.#infos.of('transmissionTexture');
  }

  /** See {@link MaterialTextures.thicknessTexture}. */
  get thicknessTexture(): TextureInfo {
    return this.#infos.of('thicknessTexture');
  }

  /** See {@link MaterialTextures.specularTexture}. */
  get specularTexture(): TextureInfo {
    return this.#infos.of('specularTexture');
  }

  /** See {@link MaterialTextures.specularColorTexture}. */
  get specularColorTexture(): TextureInfo {
    return this.#infos.of('specularColorTexture');
  }

  /** See {@link MaterialTextures.iridescenceTexture}. */
  get iridescenceTexture(): TextureInfo {
    return this.#infos.of('iridescenceTexture');
  }

  /** See {@link MaterialTextures.iridescenceThicknessTexture}. */
  get iridescenceThicknessTexture(): TextureInfo {
    return this.#infos.of('iridescenceThicknessTexture');
  }

  /** See {@link MaterialTextures.anisotropyTexture}. */
  get anisotropyTexture(): TextureInfo {
    return this.#infos.of('anisotropyTexture');
  }
}

/** Numbers as a page has written them: the core stores them with single precision. */
function rounded(numbers: readonly number[]): readonly number[] {
  return numbers.map((number) => Number(number.toPrecision(7)));
}
