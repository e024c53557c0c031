// Kinds of attributes: conversions between attributes and properties.

import type { FeatureName } from '../../values/words.ts';

/** A conversion between the text of an attribute and the value of its property. */
export interface Kind<Value> {
  read(text: string | null): Value;
  /** Returns the text of the attribute; null removes the attribute. */
  write(value: Value): string | null;
}

/** The methods of the element that its attributes call, with or without a viewer. */
export interface AttributeHost {
  /** Loads the model of `src`, unless `srcObject` is set. */
  changeSource(): void;
  /** Loads the model and its clips again. */
  reload(): void;
  /** Creates the viewer and begins to load, if the attributes ask for it. */
  update(): void;
  /** Shows or hides the poster. */
  showPoster(): void;
  /** Updates the description for screen readers. */
  describe(): void;
  showBar(): void;
  /** Shows the interaction prompt or hides it, and tells screen readers whether the camera can be moved. */
  changeControls(): void;
  /** Plays if `autoplay` is set and playback is paused. */
  autoplayNow(): void;
  /** Ends a movement by `interact()`. */
  endInteraction(): void;
  /** Removes the transform that `entityTransform` has set. */
  resetEntityTransform(): void;
  /** Chooses how the model is shown in augmented reality. */
  changeAr(): void;
}

/** An attribute of `<gambol-viewer>`. */
export interface Attribute<Value, Scene> extends Kind<Value> {
  /** The change of the element itself after each change of the attribute, before {@link effect}. */
  readonly changed?: (element: AttributeHost) => void;
  /** The features that a value needs. They are loaded with the viewer, beside the WebAssembly module. */
  needs?(value: Value): readonly FeatureName[];
  /** Applies the attribute to the viewer: when the viewer is created, and after each change. An error becomes a warning. */
  readonly effect?: (scene: Scene) => void;
  /** The number of values in the attribute, if they are numbers with units. */
  readonly values?: 1 | 3;
}

/** Attributes by the names of their properties. */
export type AttributeTable<Attributes, Scene> = {
  readonly [Name in keyof Attributes]: Attribute<Attributes[Name], Scene>;
};

export const text: Kind<string | null> = { read: (value) => value, write: (value) => value };

/** Text with a default, which an empty attribute has, too. */
export const words = (fallback: string): Kind<string> => ({ read: (value) => value || fallback, write: String });

export const flag: Kind<boolean> = { read: (value) => value !== null, write: (value) => (value ? '' : null) };

/** One of these words; the default is the first. */
export const one = <Word extends string>(...words: readonly [Word, ...Word[]]): Kind<Word> => ({
  read: (value) => words.find((word) => word === value?.toLowerCase()) ?? words[0],
  write: String,
});

/** A number, clamped to `least..=most`. */
export const number = (fallback: number, least = -Infinity, most = Infinity): Kind<number> => ({
  read: (value) => {
    const read = value === null || value.trim() === '' ? NaN : Number(value);
    return Number.isNaN(read) ? fallback : Math.min(most, Math.max(least, read));
  },
  write: String,
});

/** A number above 0, or null. */
export const positive: Kind<number | null> = {
  read: (value) => (Number(value) > 0 ? Number(value) : null),
  write: (value) => (value === null ? null : String(value)),
};

export const index: Kind<number | null> = {
  read: (value) => (/^\s*\d+\s*$/.test(value ?? '') ? Number(value) : null),
  write: (value) => (value === null ? null : String(value)),
};

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Defines a property on a class for each attribute. The attribute stores the value. */
export function reflect<Values extends object>(
  prototype: HTMLElement,
  kinds: { readonly [Name in keyof Values]: Kind<Values[Name]> },
): void {
  for (const name of Object.keys(kinds) as (keyof Values & string)[]) {
    // Accessors that the class defines take precedence.
    if (Object.hasOwn(prototype, name)) continue;
    const attribute = kebab(name);
    const kind = kinds[name];
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return kind.read(this.getAttribute(attribute));
      },
      set(this: HTMLElement, value: Values[typeof name] | undefined) {
        const written = value === undefined || value === null ? null : kind.write(value);
        if (written === null) this.removeAttribute(attribute);
        else this.setAttribute(attribute, written);
      },
    });
  }
}

/**
 * Sets own properties again through the class: a framework may set them before the class is defined, and they would hide its
 * accessors.
 */
export function upgradeProperties(element: HTMLElement, names: Iterable<string>): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    try {
      Reflect.set(element, name, value);
    } catch (error) {
      // The page has set it, but the element goes on.
      reportError(error);
    }
  }
}
