// Loading: the source of the model, and the moment when it is loaded and shown.

import { flag, one, text, type AttributeHost, type AttributeTable } from '../base/attributes.ts';

/** Attributes about the model and its loading. */
export interface LoadingAttributes {
  /** The address of a `.glb` or `.gltf`. */
  src: string | null;
  /** The address of a picture that is shown until the model is. */
  poster: string | null;
  /** When loading begins: near the viewport (`auto`, `lazy`), or at once (`eager`). */
  loading: 'auto' | 'lazy' | 'eager';
  /** Whether the model is shown when it is loaded, or waits for `dismissPoster()`. */
  reveal: 'auto' | 'manual';
  /** Cookies and the like for other origins. */
  withCredentials: boolean;
  /** Which files a `.gltf` may name. */
  externalResources: 'any' | 'same-origin';
  /** Whether the package's decoders may be fetched. */
  decoders: 'auto' | 'none';
}

/** @internal */
export const LOADING: AttributeTable<LoadingAttributes, unknown> = {
  src: { ...text, changed: (element) => element.changeSource() },
  poster: { ...text, changed: showPoster },
  loading: { ...one('auto', 'lazy', 'eager'), changed: (element) => element.update() },
  reveal: { ...one('auto', 'manual'), changed: showPoster },
  withCredentials: flag,
  externalResources: one('any', 'same-origin'),
  decoders: one('auto', 'none'),
};

function showPoster(element: AttributeHost): void {
  element.showPoster();
  element.update();
}
