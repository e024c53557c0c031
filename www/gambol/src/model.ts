/**
 * The `<model>` element of the W3C's draft, in browsers that do not have it. The import defines `window.HTMLModelElement` and upgrades the
 * elements of the page. Where the browser has the element, and on a server, it does nothing. The player is loaded with the first model.
 *
 * ```html
 * <script type="module">import 'gambol/model';</script>
 * <model src="hero.glb" alt="A hero who waves" stagemode="orbit" autoplay loop></model>
 * ```
 *
 * @module gambol/model
 */

import { defineModel, type ModelElement } from './model/model-element.ts';

export { observeModels, type ModelElement } from './model/model-element.ts';

defineModel();

declare global {
  interface HTMLModelElement extends ModelElement {}
  var HTMLModelElement: typeof ModelElement;
  interface HTMLElementTagNameMap {
    model: HTMLModelElement;
  }
}
