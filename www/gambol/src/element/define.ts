// The definition of the elements. A function, because bundlers keep the effects of entries alone.

import { defineChildren } from './children/elements.ts';
import { GambolViewer } from './viewer-element.ts';

/** Defines `<gambol-viewer>` and its children; does nothing on a server. */
export function defineElements(): void {
  if (!globalThis.customElements) return;
  const known = customElements.get('gambol-viewer');
  if (known === GambolViewer) return;
  // The parent is defined last, so that its children are defined when it is upgraded.
  defineChildren();
  if (known)
    console.warn(
      'gambol: <gambol-viewer> is already defined, so this copy of its script is not used. Load one copy only.',
    );
  else customElements.define('gambol-viewer', GambolViewer);
}
