/**
 * `<gambol-viewer>` with the scene graph of `<model-viewer>`: `element.model`, `createTexture()`, `exportScene()` and so on. Import it in place
 * of `gambol/element`, on pages that come from `<model-viewer>`.
 *
 * ```html
 * <script type="module">import 'gambol/model-viewer';</script>
 * <gambol-viewer src="chair.glb" alt="A chair"></gambol-viewer>
 * <script type="module">
 *   const viewer = document.querySelector('gambol-viewer');
 *   viewer.addEventListener('load', () => {
 *     viewer.model.materials[0].pbrMetallicRoughness.setBaseColorFactor('tomato');
 *   });
 * </script>
 * ```
 *
 * @module gambol/model-viewer
 */

import { defineElements } from './element/define.ts';
import { extend } from './scene-graph/extend.ts';

export * from './element/classes.ts';
export type * from './element.ts';
export { GambolViewer as ModelViewerElement } from './element/viewer-element.ts';
export type { AlphaMode, Material, PBRMetallicRoughness } from './scene-graph/material.ts';
export type { Model } from './scene-graph/model.ts';
export type { Image, Sampler, Texture, TextureInfo, Vector2D } from './scene-graph/textures.ts';
export type { SceneGraph } from './scene-graph/extend.ts';

// Before the definition, which upgrades the elements of the page.
extend();
defineElements();
