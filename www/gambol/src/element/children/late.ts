import { upgradeProperties } from '../base/attributes.ts';

/** An element that may exist before its class is defined, with properties that a framework has set. */
export class Late extends HTMLElement {
  /** Called by the browser when the element is added to a page. */
  connectedCallback(): void {
    upgradeProperties(this, Object.keys(this));
  }
}
