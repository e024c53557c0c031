// The model of the scene graph of `<model-viewer>`: its materials and variants, on top of the viewer.

import { GambolError } from '../base/errors.ts';
import type { Performer } from '../api/performer.ts';
import type { MaterialValues, ShownMaterial } from '../values/materials.ts';
import { Material } from './material.ts';
import { withNumbers, type Sink } from './sink.ts';

/** A material of a variant that a page has made. */
interface Instance {
  readonly original: number;
  readonly material: Material;
  values: MaterialValues;
}

/** The scene graph of a model: its materials, and its variants. @category Scene graph */
export class Model {
  readonly #performer: Performer;
  readonly #warn: (error: unknown) => void;
  readonly #materials: Material[];
  /** The materials of variants that the page has made, by their names. */
  readonly #instances = new Map<string, Instance[]>();

  /** @internal */
  constructor(performer: Performer, warn: (error: unknown) => void) {
    this.#performer = performer;
    this.#warn = warn;
    const names = performer.model?.materials ?? [];
    this.#materials = names.map((name, index) => this.#fileMaterial(name, index));
  }

  /** The materials in the order of the file, then those that the page has made. */
  get materials(): readonly Material[] {
    return [...this.#materials];
  }

  /** The first material with a name; null if there is none. */
  getMaterialByName(name: string): Material | null {
    return this.#materials.find((material) => material.name === name) ?? null;
  }

  /** `true` if there is a variant with the name, of the file or of the page. */
  hasVariant(variantName: string): boolean {
    return this.#performer.variants.includes(variantName);
  }

  /** Adds a variant without materials of its own. */
  createVariant(variantName: string): void {
    if (this.hasVariant(variantName)) return;
    this.#instances.set(variantName, []);
    this.#show(variantName);
  }

  /**
   * Adds a copy of a material to a variant, which is made if it does not exist. Null if the variant has one already, or if the file
   * has the variant.
   */
  createMaterialInstanceForVariant(
    originalMaterialIndex: number,
    newMaterialName: string,
    variantName: string,
    activateVariant = true,
  ): Material | null {
    this.#material(originalMaterialIndex);
    if (!this.#instances.has(variantName)) this.createVariant(variantName);
    const instances = this.#instances.get(variantName);
    if (!instances || instances.some(({ original }) => original === originalMaterialIndex)) return null;
    const index = this.#materials.length;
    const instance: Instance = {
      original: originalMaterialIndex,
      values: {},
      material: new Material(
        newMaterialName,
        index,
        this.#instanceSink(variantName, originalMaterialIndex, () => instance),
        () => new Set([variantName]),
        () => this.#performer.variant === variantName,
      ),
    };
    instances.push(instance);
    this.#materials.push(instance.material);
    this.#show(variantName);
    if (activateVariant) this.#performer.variant = variantName;
    return instance.material;
  }

  /** Lets a variant that the page has made show a material as it is now. */
  setMaterialToVariant(materialIndex: number, targetVariantName: string): void {
    const instances = this.#instances.get(targetVariantName);
    const instance = [...this.#instances.values()].flat().find(({ material }) => material.index === materialIndex);
    this.#material(materialIndex);
    if (!instances || !instance || instances.includes(instance)) return;
    instances.push(instance);
    this.#show(targetVariantName);
  }

  /** Removes a variant that the page has made. */
  deleteVariant(variantName: string): void {
    if (this.#instances.delete(variantName)) this.#performer.removeVariant(variantName);
  }

  #material(index: number): Material {
    const material = this.#materials[index];
    if (material) return material;
    throw new GambolError(
      'material/not-found',
      `The model has no material ${index}; it has ${this.#materials.length}.`,
    );
  }

  #show(variantName: string): void {
    const entries = (this.#instances.get(variantName) ?? []).map(({ original, values }) => [original, values] as const);
    this.#performer.addVariant(variantName, new Map(entries)).catch(this.#warn);
  }

  #fileMaterial(name: string, index: number): Material {
    const performer = this.#performer;
    const of = performer.material(index);
    const sink: Sink = {
      read: () => of.values,
      write: (values) => void of.set(withNumbers(values)).catch(this.#warn),
      ...this.#origin(index),
    };
    const shown = (variant?: number): Uint32Array =>
      performer.readStage(({ query }, actor) => query.shownMaterials(actor, variant));
    const variants = (): ReadonlySet<string> =>
      new Set((performer.model?.variants ?? []).filter((_, variant) => shown(variant).includes(index)));
    return new Material(name, index, sink, variants, () => shown().includes(index));
  }

  #instanceSink(variantName: string, original: number, instance: () => Instance): Sink {
    const of = this.#performer.material(original);
    return {
      read: () => ({ ...of.values, ...(readable(instance().values) as Partial<ShownMaterial>) }),
      write: (values) => {
        const changed = instance();
        changed.values = { ...changed.values, ...withNumbers(values) };
        this.#show(variantName);
      },
      ...this.#origin(original),
    };
  }

  /** The file of a material. */
  #origin(material: number): Pick<Sink, 'model' | 'material' | 'image' | 'warn'> {
    return {
      model: this,
      material,
      image: (index) => {
        const library = this.#performer.model?.library;
        const info = index === null ? undefined : library?.info(index);
        if (!library || !info) return null;
        const blob = async (): Promise<Blob> => {
          const bytes = await library.encoded(info.index, new AbortController().signal);
          return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: info.mimeType ?? '' });
        };
        return { name: info.name, blob };
      },
      warn: this.#warn,
    };
  }
}

/** The values that need no viewer to be read: numbers, switches, and linear colours. */
function readable(values: MaterialValues): MaterialValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !name.endsWith('Texture') && typeof value !== 'string' && value !== null,
    ),
  );
}
