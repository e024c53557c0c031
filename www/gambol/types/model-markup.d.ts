// `<model>` of `gambol/model` in markup, for React and Solid. Vue and Svelte accept every element of HTML.

import type {} from '../model.js';

/** The attributes of `<model>` whose names are the same in all frameworks. */
export interface ModelMarkup {
  /** The URL of the model. */
  src?: string | undefined;
  /** The width in CSS pixels. */
  width?: number | string | undefined;
  /** The height in CSS pixels. */
  height?: number | string | undefined;
  /** An image that is shown until the model is. */
  poster?: string | undefined;
  /** `lazy`: the model is loaded near the viewport. */
  loading?: 'eager' | 'lazy' | undefined;
  /** `orbit`: drags and arrow keys rotate the model. */
  stagemode?: 'none' | 'orbit' | undefined;
  /** The URL of the image that lights the model. */
  environmentmap?: string | undefined;
  /** The animation repeats. */
  loop?: boolean | undefined;
  /** The text for screen readers. */
  alt?: string | undefined;
}

/** The class of the element, by a name that no framework declares. */
export type ModelClass = HTMLModelElement;
