// The elements as markup has them; the frameworks' own types are made of this. The build generates `attributes.d.ts`, with the list of
// the elements.

import type { Attributes, CamelHandlers, Directives, Dispatcher, Handlers, Loader } from './attributes.js';

/** Listeners of the children that load a model. */
export interface LoadHandlers {
  /** The model is loaded and on stage. */
  onload?: Handlers['onload'];
  /** The model could not be loaded. */
  onerror?: Handlers['onerror'];
}
/** The same for Vue. */
export interface CamelLoadHandlers {
  /** The model is loaded and on stage. */
  onLoad?: CamelHandlers['onLoad'];
  /** The model could not be loaded. */
  onError?: CamelHandlers['onError'];
}
/** The same for Solid and Svelte. */
export interface LoadDirectives {
  /** The model is loaded and on stage. */
  'on:load'?: Directives['on:load'];
  /** The model could not be loaded. */
  'on:error'?: Directives['on:error'];
}

/** The attributes of the elements, and the listeners of those that dispatch events. */
export type Elements = {
  [Name in keyof Attributes]: Attributes[Name] &
    (Name extends Dispatcher ? Handlers : Name extends Loader ? LoadHandlers : unknown);
};
