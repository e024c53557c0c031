// Kinds of attributes: how each is read and written. Properties are made of them.

/** How an attribute is read and written. */
export interface Kind<Value> {
  read(text: string | null): Value;
  /** Null takes the attribute away. */
  write(value: Value): string | null;
}

/** The element, as far as its attributes change it, with or without a viewer. */
export interface AttributeHost {
  /** Loads the model that `src` names, unless `srcObject` is shown. */
  changeSource(): void;
  /** Loads the model with its clips again. */
  reload(): void;
  /** Begins to load, or gives up the viewer, as attributes say now. */
  update(): void;
  /** Shows the poster, or no longer. */
  showPoster(): void;
  /** Tells screen readers. */
  describe(): void;
  showBar(): void;
  /** Shows the interaction prompt or hides it, and tells screen readers whether the camera can be moved. */
  changeControls(): void;
  /** Plays if `autoplay` says so and nothing plays. */
  autoplayNow(): void;
  /** Ends a movement by `interact()`. */
  endInteraction(): void;
  /** Forgets the place of `entityTransform`. */
  standAsSaid(): void;
}

/** An attribute of `<gambol-viewer>`. */
export interface Attribute<Value, Scene> extends Kind<Value> {
  /** The change of the element itself after each change of the attribute, before {@link effect}. */
  readonly changed?: (element: AttributeHost) => void;
  /** Does what the attribute asks for: first when there is a viewer, then after each change. An error becomes a warning. */
  readonly effect?: (scene: Scene) => void;
  /** The number of values that it lists, if they are numbers with units. */
  readonly values?: 1 | 3;
}

/** Attributes by the names of their properties. */
export type AttributeTable<Attributes, Scene> = { readonly [Name in keyof Attributes]: Attribute<Attributes[Name], Scene> };

export const text: Kind<string | null> = { read: (value) => value, write: (value) => value };

/** An empty attribute is the default, too. */
export const words = (fallback: string): Kind<string> => ({ read: (value) => value || fallback, write: String });

export const flag: Kind<boolean> = { read: (value) => value !== null, write: (value) => (value ? '' : null) };

/** One of these words, the first unless said. */
export const one = <Word extends string>(...words: readonly [Word, ...Word[]]): Kind<Word> => ({
  read: (value) => words.find((word) => word === value?.toLowerCase()) ?? words[0],
  write: String,
});

/** A number that is no less than `least`. */
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

/** Gives a class a property for each attribute: the attribute is where the value is. */
export function reflect<Values extends object>(prototype: HTMLElement, kinds: { readonly [Name in keyof Values]: Kind<Values[Name]> }): void {
  for (const name of Object.keys(kinds) as (keyof Values & string)[]) {
    // A class may have one of its own.
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

/** Properties that a framework set before the class was there would hide those of the class. */
export function upgradeProperties(element: HTMLElement, names: Iterable<string>): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}
