// Augmented reality: attributes. The code that acts on them is a script of its own, which elements with `ar` load.

import { flag, one, positive, text, words, type AttributeHost, type AttributeTable } from '../base/attributes.ts';

/** Attributes of augmented reality. */
export interface ArAttributes {
  /** Shows a button that opens the model in the user's surroundings, if the device can do that. @category Augmented reality */
  ar: boolean;
  /**
   * The ways to show the model, in the order in which they are tried: `webxr` in the page, `scene-viewer` by the app of Android,
   * `quick-look` by the app of iOS. @category Augmented reality
   */
  arModes: string;
  /** `fixed` keeps the size of the file; with `auto`, two fingers scale the model. @category Augmented reality */
  arScale: 'auto' | 'fixed';
  /** The surface on which the model stands or hangs. @category Augmented reality */
  arPlacement: 'floor' | 'wall' | 'ceiling';
  /** Lights the model by the light that the device estimates; only with `webxr`. @category Augmented reality */
  xrEnvironment: boolean;
  /** The URL of a `.usdz` or `.reality` file for Quick Look, in place of one that is made. @category Augmented reality */
  iosSrc: string | null;
  /**
   * The most pixels of the width and height of textures in the file that is made for Quick Look; null for the size of the model's.
   * @category Augmented reality
   */
  arUsdzMaxTextureSize: number | null;
}

const change = { changed: (element: AttributeHost) => element.changeAr() };

/** @internal */
export const AR: AttributeTable<ArAttributes, unknown> = {
  ar: { ...flag, ...change },
  arModes: { ...words('webxr scene-viewer quick-look'), ...change },
  arScale: one('auto', 'fixed'),
  arPlacement: one('floor', 'wall', 'ceiling'),
  xrEnvironment: flag,
  iosSrc: { ...text, ...change },
  arUsdzMaxTextureSize: positive,
};
