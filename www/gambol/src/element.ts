/**
 * `<gambol-viewer>` and its child elements. The import defines them; on a server it does nothing.
 *
 * ```html
 * <script type="module">import 'gambol/element';</script>
 * <gambol-viewer src="hero.glb" alt="A hero who waves" autoplay controls camera-controls></gambol-viewer>
 * ```
 *
 * Attributes, children, slots, parts and custom properties are in
 * [docs/element.md](https://github.com/gambol-player/gambol/blob/main/docs/element.md).
 *
 * @module gambol/element
 */

import { defineElements } from './element/define.ts';
import type { GambolViewer } from './element/viewer-element.ts';

export * from './element/classes.ts';
export type {
  AttachAttributes,
  ExpressionAttributes,
  IkAttributes,
  LayerAttributes,
  LookAttributes,
  MarkerAttributes,
  MorphAttributes,
  SpringAttributes,
} from './element/children/elements.ts';
export type { GambolMaterial, GambolNode } from './element/children/dress-elements.ts';
export type { MaterialAttributes, NodeAttributes } from './element/children/dress-elements.ts';
export type { GambolBillboard, GambolFlipbook, GambolSprite } from './element/children/sprite-elements.ts';
export type {
  BillboardAttributes,
  FlipbookAttributes,
  SpriteAttributes,
} from './element/children/sprite-elements.ts';
export type { GambolActor, GambolCrowd, GambolExtraModel } from './element/children/cast-elements.ts';
export type { ActorAttributes, CrowdAttributes, ExtraModelAttributes } from './element/children/cast-elements.ts';
export type { GambolState, GambolStates, GambolTransition } from './element/children/state-elements.ts';
export type { StateAttributes, StatesAttributes, TransitionAttributes } from './element/children/state-elements.ts';
export type { ViewerAttributes } from './element/viewer-attributes.ts';
export type {
  AddListener,
  ElementEventDetails,
  ElementEventMap,
  ModelChildEventDetails,
  ModelChildEventMap,
  Point,
  RemoveListener,
  SurfacePoint,
} from './element/base/events.ts';
export type { Finger, FingerPath } from './element/features/interact.ts';
export type { HotspotState } from './element/children/hotspots.ts';
export type { SceneExportOptions } from './element/export-scene.ts';
export type { AppendOptions, ElementPictureOptions, ElementPlayOptions } from './element/api.ts';

defineElements();

declare global {
  interface HTMLElementTagNameMap {
    'gambol-viewer': GambolViewer;
  }
}
