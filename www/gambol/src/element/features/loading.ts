// Loading: the source of the model, and the time at which it is loaded and shown.

import { flag, one, text, type AttributeHost, type AttributeTable } from '../base/attributes.ts';

/** Attributes of the model and its loading. */
export interface LoadingAttributes {
  /** The URL of a `.glb` or `.gltf` file. @category Loading and models */
  src: string | null;
  /** The scene of the file, by its name or its index; null for that of the file. A change reloads the model. @category Loading and models */
  scene: string | null;
  /** The URL of an image that is shown until the model is. @category Loading and models */
  poster: string | null;
  /**
   * The start of loading: near the viewport (`auto`, `lazy`), or immediately (`eager`).
   * @category Loading and models
   */
  loading: 'auto' | 'lazy' | 'eager';
  /**
   * The reveal of the model: when it is loaded (`auto`), or by `dismissPoster()` (`manual`).
   * @category Loading and models
   */
  reveal: 'auto' | 'manual';
  /** Sends credentials such as cookies to other origins. @category Loading and models */
  withCredentials: boolean;
  /** The origins of files that a `.gltf` may reference. @category Loading and models */
  externalResources: 'any' | 'same-origin' | 'same-folder';
  /**
   * Allows the package's decoders (Draco, KTX2) to be fetched (`auto`), or not (`none`).
   * @category Loading and models
   */
  decoders: 'auto' | 'none';
}

/** @internal */
export const LOADING: AttributeTable<LoadingAttributes, unknown> = {
  src: { ...text, changed: (element) => element.changeSource() },
  scene: { ...text, changed: (element) => element.reload() },
  poster: { ...text, changed: showPoster },
  loading: { ...one('auto', 'lazy', 'eager'), changed: (element) => element.update() },
  reveal: { ...one('auto', 'manual'), changed: showPoster },
  withCredentials: flag,
  externalResources: one('any', 'same-origin', 'same-folder'),
  decoders: one('auto', 'none'),
};

function showPoster(element: AttributeHost): void {
  element.showPoster();
  element.update();
}
