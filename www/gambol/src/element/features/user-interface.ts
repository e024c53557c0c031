// The user interface around the picture: the bar, and texts for screen readers.

import { flag, text, type AttributeTable } from '../base/attributes.ts';

/** Attributes of the bar and of texts for screen readers. */
export interface InterfaceAttributes {
  /** A description of the model in text. @category Texts and bar */
  alt: string | null;
  /** The bar with play, timeline, clips and more; `minimal` has play and timeline only. @category Texts and bar */
  controls: boolean | 'minimal';
  /** JSON with the texts for screen readers. @category Texts and bar */
  a11y: string | null;
}

/** @internal */
export const INTERFACE: AttributeTable<InterfaceAttributes, unknown> = {
  alt: { ...text, changed: (element) => element.describe() },
  controls: {
    read: (value) => (value === 'minimal' ? value : value !== null),
    write: (value) => (typeof value === 'string' ? value : flag.write(value)),
    changed: (element) => {
      element.describe();
      element.showBar();
    },
  },
  a11y: {
    read: text.read,
    write: (value: unknown) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null),
    changed: (element) => element.describe(),
  },
};
