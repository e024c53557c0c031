// The user interface around the picture: the bar, and words for screen readers.

import { flag, text, type AttributeTable } from '../base/attributes.ts';

/** Attributes about the bar and about words. */
export interface InterfaceAttributes {
  /** What the model shows, in words. */
  alt: string | null;
  /** A bar with play, timeline, clips and more; `minimal` has play and timeline. */
  controls: boolean | 'minimal';
  /** JSON with the words of the live description. */
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
    write: (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null)),
    changed: (element) => element.describe(),
  },
};
