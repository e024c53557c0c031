// Applies `<gambol-material>` and `<gambol-node>` to the viewer or to an actor.

import type { Performer } from '../../api/performer.ts';
import type { MaterialValues } from '../../values/materials.ts';
import { Applied } from './applied.ts';
import { defineDressElements, GambolMaterial, GambolNode } from './dress-elements.ts';

defineDressElements();

type DressElement = GambolMaterial | GambolNode;

/** The attributes that are not values of a material. */
const OTHERS = ['name', 'fade', 'id', 'class', 'slot', 'style', 'hidden'];

/** The name of an element when it was applied, and the values of the material that were set. */
interface Dressed {
  readonly name: string;
  readonly values: readonly string[];
}

export class Dress {
  readonly #host: HTMLElement;
  /** The viewer or an actor, to which the children belong. */
  readonly #performer: Performer;
  readonly #warn: (error: unknown) => void;
  readonly #applied: Applied<DressElement, Dressed>;

  constructor(host: HTMLElement, performer: Performer, warn: (error: unknown) => void) {
    this.#host = host;
    this.#performer = performer;
    this.#warn = warn;
    this.#applied = new Applied(() => this.sync(false), warn);
  }

  /** Forgets the state of the model before, after a change of model. */
  renew(): void {
    this.#applied.forget(() => true);
  }

  /**
   * Applies elements that were added or changed, and reverts removed ones.
   *
   * - `first`: `true` if the model has not been drawn, so that nothing fades.
   */
  sync(first: boolean): void {
    if (!this.#performer.model) return;
    const elements = [...this.#host.children].filter(
      (child) => child instanceof GambolMaterial || child instanceof GambolNode,
    );
    this.#applied.sync(elements, {
      keeps: ({ name }, dressed) => dressed.name === name,
      apply: (element, kept) => {
        const { name } = element;
        return name === null ? undefined : { name, values: this.#apply(element, name, kept?.values ?? [], first) };
      },
      revert: (element, { name, values }) => this.#revert(element, name, values),
    });
  }

  dispose(): void {
    this.#applied.end();
  }

  /** Returns the names of the values that were set. */
  #apply(element: DressElement, name: string, before: readonly string[], first: boolean): readonly string[] {
    if (element instanceof GambolNode) {
      this.#performer.joint(name).visible = !element.hidden;
      return [];
    }
    const values: Record<string, unknown> = Object.fromEntries(before.map((value) => [value, null]));
    for (const { name: attribute, value } of element.attributes) {
      if (OTHERS.includes(attribute) || attribute.includes(':') || /^(data|aria)-/.test(attribute)) continue;
      const [property, given] = parsedValue(attribute, value);
      values[property] = given;
    }
    this.#set(name, values, first ? 0 : element.fade);
    return Object.keys(values).filter((value) => values[value] !== null);
  }

  #revert(element: DressElement, name: string, values: readonly string[]): void {
    if (element instanceof GambolNode) this.#performer.joint(name).visible = null;
    else this.#set(name, Object.fromEntries(values.map((value) => [value, null])), element.fade);
  }

  /** Sets each value by a call of its own, so that an attribute that is wrong does not hold back the others. */
  #set(name: string, values: Record<string, unknown>, fade: number): void {
    const material = this.#performer.material(name);
    for (const [value, given] of Object.entries(values))
      material.set({ [value]: given } as MaterialValues, { fade }).catch((error: unknown) => this.#warn(error));
  }
}

/** The name and the value of a material for an attribute. */
function parsedValue(attribute: string, text: string): readonly [name: string, value: unknown] {
  const name = attribute.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const [, slot] = /^texture([A-Z]\w*)$/.exec(name) ?? [];
  if (slot !== undefined) return [`${slot[0]?.toLowerCase()}${slot.slice(1)}Texture`, text];
  if (name === 'doubleSided' || name === 'unlit')
    return [name, text === 'true' || text === '' ? true : text !== 'false' && text];
  const number = text.trim() === '' ? NaN : Number(text);
  return [name, Number.isNaN(number) ? text : number];
}
