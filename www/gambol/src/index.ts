/**
 * The viewer on a canvas, and everything that it has. The import has no side effects (no request, no change of globals), and works
 * in Node, too.
 *
 * @module gambol
 */

import { checkedViewer, type ViewerOptions } from './values/options.ts';
import { shown } from './base/shown.ts';
import { GambolError } from './base/errors.ts';
import { besideContext, createViewerIn } from './api/create-viewer.ts';
import { cameraControlsPart } from './camera/part.ts';
import type { Viewer } from './api/viewer.ts';
import { loadCore } from './wasm/init.ts';

export type { WasmSource } from './wasm/compile.ts';
export { use } from './api/use.ts';
export { init, version, type InitOptions } from './wasm/init.ts';
export type { FeatureSources } from './wasm/feature-sources.ts';
export { support, type Support } from './wasm/support.ts';
export { loadAsset, type Asset, type Pose } from './api/asset.ts';
export { GambolError, type GambolErrorDetails, type Warning } from './base/errors.ts';
export { filesFromDrop, type FileMap } from './load/files.ts';
export type { Actor } from './api/actor.ts';
export type { BlendPoint, BlendSpace, BlendSpaceOptions, BlendValue, PlaySource } from './api/blend-space.ts';
export type {
  Clip,
  ClipChannel,
  ClipData,
  ClipRef,
  ClipSetup,
  ClipTrack,
  ClipTrackData,
  Interpolation,
  Marker,
  NamedNode,
  TrackPath,
} from './values/clips.ts';
export type {
  Crowd,
  CrowdLookOptions,
  CrowdMaterial,
  CrowdMembers,
  CrowdOptions,
  PickedMember,
  UpdateRate,
} from './api/crowd.ts';
export type {
  ClipEdit,
  CloseLoopEdit,
  InterpolationEdit,
  KeyRange,
  TrackKey,
  TrackRef,
} from './values/clip-edits.ts';
export type { VertexCacheOptions } from './api/vertex-cache.ts';
export type {
  CrowdEvent,
  CrowdEventDetails,
  CrowdEventName,
  CrowdEvents,
  MemberDetail,
} from './api/crowd-events.ts';
export type { DebugOverlay, DebugSurface, DebugView } from './api/debug-views.ts';
export type {
  FeatureName,
  Framing,
  LoopMode,
  RootMotion,
  Skinning,
  Space,
  SyncMode,
  ToneMapping,
  TransitionMode,
} from './values/words.ts';
export type {
  CameraLimits,
  CameraPadding,
  CameraState,
  ErrorDetail,
  StateDetail,
  TimeDetail,
  ViewerEvent,
  ViewerEventDetails,
  ViewerEventListener,
  ViewerEventName,
} from './values/events.ts';
export type {
  ExportOptions,
  ExportUsdzOptions,
  ExportedUsdz,
  ObjFiles,
  ObjOptions,
  RecordMotionOptions,
} from './api/export.ts';
export type { Expression } from './api/expression.ts';
export type {
  BlinkOptions,
  ExpressionInfo,
  ExpressionKind,
  ExpressionOptions,
  ExpressionRule,
  ExpressionSetup,
  GlanceOptions,
} from './values/expressions.ts';
export type { Joint, JointFollower } from './api/joint.ts';
export type { EnvironmentOptions, EnvironmentSource, LitPerformer } from './api/lighting.ts';
export type { AddClipsOptions, ClipOptions, Limits, LoadOptions, SceneRef } from './load/import-model.ts';
export type {
  BoneNames,
  BonePair,
  HumanBone,
  Humanoid,
  Retarget,
  RetargetOptions,
  RetargetReport,
} from './load/retarget.ts';
export type { JointInfo, Model, ModelInfo, MorphInfo } from './load/model.ts';
export type { Layer } from './api/layer.ts';
export type { Layers } from './api/layers.ts';
export type { Material } from './api/material.ts';
export type { MaterialRef } from './api/material-owner.ts';
export type {
  MaterialColor,
  MaterialNumbers,
  MaterialOptions,
  MaterialProperties,
  MaterialSwitches,
  MaterialTexture,
  MaterialTextures,
  MaterialValues,
  ShownMaterial,
  ShownTexture,
  TextureName,
  TextureSettings,
  TextureSource,
  TextureWrap,
} from './values/materials.ts';
export type { Morph, MorphOptions } from './api/morph.ts';
export type {
  CameraControlSettings,
  LayerMode,
  LayerOptions,
  LayerReference,
  Mask,
  PerformOptions,
  PictureOptions,
  PlayOptions,
  Segment,
  StillOptions,
  TransitionToOptions,
  ViewerOptions,
  Visibility,
} from './values/options.ts';
export type { Performer } from './api/performer.ts';
export type {
  ChainLimit,
  ChainSolver,
  GoalOptions,
  HingeLimit,
  JointTransform,
  LookOptions,
  OverrideOptions,
  JointRef,
  JointSpace,
  JointSpaceOptions,
  Place,
  Quaternion,
  ReachOptions,
  Surface,
  Vector,
} from './values/transforms.ts';
export type { StateInputs, States, StatesOptions, StatesSource } from './api/states.ts';
export type {
  FeetOptions,
  Ground,
  GroundFunction,
  SpringCollider,
  SpringOptions,
} from './values/procedural.ts';
export type { BillboardMode, FlipbookOptions } from './values/sprites.ts';
export type { SpriteImage, SpriteOptions } from './api/sprite.ts';
export type { ClipTravel, Movement, RootMotionOptions, Travel } from './values/root-motion.ts';
export type { Playback } from './api/playback.ts';
export type { Progress, ViewerProgress } from './base/progress.ts';
export type { AssetSource } from './load/source.ts';
export type { Stats } from './values/stats.ts';
export type { Rgba } from './values/color.ts';
export type { Timeline } from './stage/clock.ts';
export type { Transport } from './api/transport.ts';
export type { AddOptions, Picked, Viewer } from './api/viewer.ts';
export type { ArOptions, ImmersiveSession, VrOptions } from './xr/options.ts';

/**
 * Creates a viewer on a canvas. The canvas keeps its CSS size; the size of the picture follows from this and from the resolution
 * of the screen.
 *
 * ```js
 * const viewer = await createViewer(document.querySelector('canvas'));
 * await viewer.load('hero.glb');
 * viewer.play('Walk');
 * ```
 *
 * @throws {@link GambolError} `wasm/load`, `wasm/unsupported`, `render/webgl2-unsupported`, `argument/invalid`
 * @category Viewers and actors
 */
export async function createViewer(canvas: HTMLCanvasElement, options: ViewerOptions = {}): Promise<Viewer> {
  if (typeof HTMLCanvasElement === 'undefined' || !(canvas instanceof HTMLCanvasElement)) {
    throw new GambolError('argument/invalid', `canvas must be a <canvas> element, not ${shown(canvas)}.`);
  }
  checkedViewer(options);
  const controls = options.cameraControls !== false && cameraControlsPart.preload();
  const core = await besideContext(loadCore(), canvas, options);
  await controls;
  return createViewerIn(core, canvas, options);
}
