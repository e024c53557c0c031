// The child elements `<gambol-actor>`, `<extra-model>` and `<gambol-crowd>`. They are defined with the script for child elements,
// which is loaded lazily: few pages use them.

import type { Actor } from '../../api/actor.ts';
import type { Crowd } from '../../api/crowd.ts';
import { flag, number, reflect, text, words, type Kind } from '../base/attributes.ts';
import type { AddListener, ModelChildEventMap, RemoveListener } from '../base/events.ts';
import { adoptHandlers } from '../base/react-handlers.ts';
import { Late } from './late.ts';

/** The attributes of all elements that add a model. */
interface CastAttributes {
  /** The URL of the model. Elements with the same URL share the model. */
  src: string | null;
  /** The clip that is played; without it, the actor stands at the beginning of its first clip that lasts. */
  animationName: string | null;
}

/** The common attributes of `<gambol-actor>` and `<extra-model>`. */
interface FigureAttributes extends CastAttributes {
  /** The rotation of the model by roll, pitch and yaw: three angles. */
  orientation: string;
  /** The scale of the model: three factors x, y, z. */
  scale: string;
  /** The joint that the actor follows: a joint of the viewer's model, or `#id joint` of another actor. */
  follow: string | null;
}

/** The properties of `<gambol-actor>` that are attributes, too. @category Attributes */
export interface ActorAttributes extends FigureAttributes {
  /** The position: three lengths, in world space, or along the axes of the joint that it follows. */
  position: string;
}

/** The properties of `<extra-model>` that are attributes, too. @category Attributes */
export interface ExtraModelAttributes extends FigureAttributes {
  /** The position: three lengths, in world space, or along the axes of the joint that it follows. */
  offset: string;
  /** Without effect, as in `<model-viewer>` 4.4. */
  background: boolean;
}

/** The properties of `<gambol-crowd>` that are attributes, too. @category Attributes */
export interface CrowdAttributes {
  /** The URL of the model. Elements with the same URL share the model. */
  src: string | null;
  /** The number of members: a whole number of at least 0. */
  count: number;
  /** The seed of the distribution: the same seed gives the same crowd. */
  seed: number;
  /** The area on the ground: `10m x 6m` (width and depth), or a radius. */
  area: string;
  /** The centre of the area: three lengths, in world space. */
  position: string;
  /** The rotation of all members by roll, pitch and yaw: three angles. */
  orientation: string;
  /** The scale of all members: a factor above 0. */
  scale: number;
  /** The clips of the members, separated by commas. Default: the first clip that lasts. */
  animationName: string | null;
  /** The speed of the members as a factor, or two factors between which the speeds are distributed. */
  speed: string;
}

const FIGURE = { src: text, animationName: text, orientation: words('0 0 0'), scale: words('1 1 1'), follow: text };
const ACTOR: { readonly [Name in keyof ActorAttributes]: Kind<ActorAttributes[Name]> } = {
  ...FIGURE,
  position: words('0 0 0'),
};
const EXTRA_MODEL: { readonly [Name in keyof ExtraModelAttributes]: Kind<ExtraModelAttributes[Name]> } = {
  ...FIGURE,
  offset: words('0 0 0'),
  background: flag,
};
const CROWD: { readonly [Name in keyof CrowdAttributes]: Kind<CrowdAttributes[Name]> } = {
  src: text,
  count: number(10),
  seed: number(1),
  area: words('10m x 10m'),
  position: words('0 0 0'),
  orientation: words('0 0 0'),
  scale: number(1),
  animationName: text,
  speed: words('1'),
};

/** The objects of the API that elements have added. */
const shown = new WeakMap<Element, unknown>();

/** Sets the object that an element has added, or null. */
export function show(element: CastElement, object: Actor | Crowd | null): void {
  shown.set(element, object);
}

/** An element that adds a model, and dispatches `load` and `error`. */
export class ModelChild extends Late {
  /** @internal */
  override dispatchEvent(event: Event): boolean {
    adoptHandlers(this);
    return super.dispatchEvent(event);
  }
}
export interface ModelChild {
  /** Adds a listener; the types of events are those of {@link ModelChildEventMap}. */
  addEventListener: AddListener<ModelChildEventMap>;
  /** Removes a listener. */
  removeEventListener: RemoveListener<ModelChildEventMap>;
}

/** A further character, with layers, morphs, IK, look-at and spring bones of its own as children. @category Elements */
export class GambolActor extends ModelChild {
  /** The actor on the viewer's stage; null until it is loaded. */
  get actor(): Actor | null {
    return (shown.get(this) as Actor | null | undefined) ?? null;
  }
}
export interface GambolActor extends ActorAttributes {}

/**
 * A further model, by the name and the attributes of `<model-viewer>`. It plays, pauses and turns with its element. Of an element without a
 * source, the first one is the element's own model.
 * @category Elements
 */
export class GambolExtraModel extends ModelChild {
  /** The attributes whose changes are events, for the browser. */
  static readonly observedAttributes: readonly string[] = ['src', 'offset', 'orientation', 'scale', 'background'];
  /** The attributes that have changed in this task. */
  readonly #changed = new Set<string>();

  /** Called by the browser when an attribute changes. */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (this.#changed.size === 0) queueMicrotask(() => this.#announce());
    this.#changed.add(name);
  }

  #announce(): void {
    const srcChanged = this.#changed.has('src');
    this.#changed.clear();
    const { src, background } = this;
    const [offset, orientation, scale] = ['offset', 'orientation', 'scale'].map((name) => this.getAttribute(name));
    const detail = { srcChanged, src, offset, orientation, scale, background };
    this.dispatchEvent(new CustomEvent('extra-model-changed', { bubbles: true, composed: true, detail }));
  }

  /** The actor on the viewer's stage; null until it is loaded, and for a model that is the element's own. */
  get actor(): Actor | null {
    return (shown.get(this) as Actor | null | undefined) ?? null;
  }
}
export interface GambolExtraModel extends ExtraModelAttributes {}

/** A crowd: copies of one model, which a seed distributes in an area. @category Elements */
export class GambolCrowd extends ModelChild {
  /** The crowd on the viewer's stage; null until it is loaded. */
  get crowd(): Crowd | null {
    return (shown.get(this) as Crowd | null | undefined) ?? null;
  }
}
export interface GambolCrowd extends CrowdAttributes {}

/** An element that adds an actor. */
export type FigureElement = GambolActor | GambolExtraModel;
/** An element that adds a model to the stage. */
export type CastElement = FigureElement | GambolCrowd;

/** The attributes that no other child element has, and that are observed in addition to theirs. */
export const CAST_ATTRIBUTES: readonly string[] = ['position', 'follow', 'count', 'seed', 'area', 'speed', 'id'];

declare global {
  interface HTMLElementTagNameMap {
    'gambol-actor': GambolActor;
    'extra-model': GambolExtraModel;
    'gambol-crowd': GambolCrowd;
  }
}

export function defineCastElements(): void {
  for (const [name, element, table] of [
    ['gambol-actor', GambolActor, ACTOR],
    ['extra-model', GambolExtraModel, EXTRA_MODEL],
    ['gambol-crowd', GambolCrowd, CROWD],
  ] as const) {
    reflect(element.prototype, table as object);
    if (!customElements.get(name)) customElements.define(name, element);
  }
}

export function isFigure(element: Element): element is FigureElement {
  return element instanceof GambolActor || element instanceof GambolExtraModel;
}
