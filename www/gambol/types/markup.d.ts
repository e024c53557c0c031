// The elements as markup has them; the frameworks' own types are made of this.

import type {
  AttachAttributes,
  ElementEventDetails,
  ElementEventMap,
  GambolAttach,
  GambolIk,
  GambolLayer,
  GambolLook,
  GambolMarker,
  GambolViewer,
  IkAttributes,
  LayerAttributes,
  LookAttributes,
  MarkerAttributes,
  ViewerAttributes,
} from '../element.js';

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Kebab<Rest>}`
    : `${Lowercase<First>}-${Kebab<Rest>}`
  : Name;

/** A flag may be written as an empty attribute, a number as text. */
type Written<Value> =
  | Exclude<Value, null>
  | (true extends Value ? '' : never)
  | (number extends Value ? `${number}` : never);

/** Properties by the names of their attributes. */
export type Markup<Attributes> = {
  [Name in keyof Attributes & string as Kebab<Name>]?: Written<Attributes[Name]> | undefined;
};

/** The names of the element's events. */
export type EventName = keyof ElementEventDetails & string;
/** A listener of an event. */
export type Listener<Name extends EventName> = ((event: ElementEventMap[Name]) => void) | undefined;

/** Handlers by the names of events as they are dispatched: `onload`, `oncamera-change`. */
type Handlers = { [Name in EventName as `on${Name}`]?: Listener<Name> };

export interface Classes {
  'gambol-viewer': GambolViewer;
  'gambol-layer': GambolLayer;
  'gambol-marker': GambolMarker;
  'gambol-attach': GambolAttach;
  'gambol-ik': GambolIk;
  'gambol-look': GambolLook;
}

/** Properties without an attribute, which the frameworks set, too. */
type Properties = { [Name in 'srcObject' | 'entityTransform']?: GambolViewer[Name] | undefined };

/** The element that dispatches events; its children dispatch none. */
export type Dispatcher = 'gambol-viewer';

export interface Elements {
  'gambol-viewer': Markup<ViewerAttributes & { currentTime: number }> & Properties & Handlers;
  'gambol-layer': Markup<LayerAttributes>;
  'gambol-marker': Markup<MarkerAttributes>;
  'gambol-attach': Markup<AttachAttributes>;
  'gambol-ik': Markup<IkAttributes>;
  'gambol-look': Markup<LookAttributes>;
}
