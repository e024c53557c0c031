// The package `gambol`. Importing it does nothing yet: no request, no global touched; it loads in Node too.

import { checkedObject, type ViewerOptions } from './options.ts';
import { GambolError } from './errors.ts';
import { makeViewer } from './make.ts';
import { prepareSoon } from './rest.ts';
import type { Viewer } from './viewer.ts';
import { loadCore } from './wasm.ts';

export { init, version, type InitOptions, type WasmSource } from './wasm.ts';
export { support, type Support } from './support.ts';
export { loadAsset, type Asset, type Pose } from './asset.ts';
export { GambolError, type GambolErrorDetails, type Warning } from './errors.ts';
export { filesFromDrop, type FileMap } from './files.ts';
export type { Actor } from './actor.ts';
export type { BlendPoint, BlendSpace, BlendSpaceOptions, BlendValue } from './blend-space.ts';
export type { Clip, ClipRef, Marker } from './clips.ts';
export type { Crowd, CrowdMembers, CrowdOptions, PickedMember, UpdateRate } from './crowd.ts';
export type { DebugOverlay, DebugSurface, DebugView } from './debug.ts';
export type { Framing, LoopMode, Skinning, Space } from './words.ts';
export type { CameraLimits, CameraState, ErrorDetail, TimeDetail, ViewerEvent, ViewerEventDetails, ViewerEventListener, ViewerEventName } from './events.ts';
export type { Joint } from './joint.ts';
export type { EnvironmentOptions, EnvironmentSource, LitPerformer, ToneMapping } from './lighting.ts';
export type { Limits, LoadOptions } from './load.ts';
export type { JointInfo, JointRef, Model, ModelInfo } from './model.ts';
export type { Layer, Layers } from './layers.ts';
export type {
  CameraControlSettings, LayerMode, LayerOptions, LayerReference, Mask, PerformOptions, PictureOptions, PlayOptions, Segment, SyncMode, TransitionMode,
  StillOptions, TransitionToOptions, ViewerOptions, Visibility,
} from './options.ts';
export type { Performer, PlaySource, RootMotion } from './performer.ts';
export type { GoalOptions, JointTransform, LookOptions, OverrideOptions, JointSpace, JointSpaceOptions, Place, Quaternion, ReachOptions, Vector } from './place.ts';
export type { Playback } from './playback.ts';
export type { Progress, ViewerProgress } from './progress.ts';
export type { AssetSource } from './source.ts';
export type { Stats } from './stats.ts';
export type { Rgba } from './color.ts';
export type { Timeline } from './clock.ts';
export type { Transport } from './transport.ts';
export type { AddOptions, Picked, Surface, Viewer } from './viewer.ts';

/**
 * Makes a canvas into a viewer. The canvas keeps the size that the page's CSS gives it; what is drawn follows that and
 * the screen's resolution.
 *
 * ```js
 * const viewer = await createViewer(document.querySelector('canvas'));
 * await viewer.load('hero.glb');
 * viewer.play('Walk');
 * ```
 *
 * @throws {@link GambolError} `wasm/load`, `wasm/unsupported`, `render/webgl2-unsupported`, `argument/invalid`
 */
export async function createViewer(canvas: HTMLCanvasElement, options: ViewerOptions = {}): Promise<Viewer> {
  if (typeof HTMLCanvasElement === 'undefined' || !(canvas instanceof HTMLCanvasElement)) {
    throw new GambolError('argument/invalid', 'createViewer() takes a <canvas> element.');
  }
  checkedObject(options, 'createViewer()');
  const core = await loadCore();
  const viewer = await makeViewer(core, canvas, options);
  // A page with a script calls more than an element does: the rest comes when the model is seen.
  viewer.addEventListener('load', () => prepareSoon(core), { once: true });
  return viewer;
}
