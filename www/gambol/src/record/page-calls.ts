// Calls of a session for which the page has objects or keeps values: they are made by the API of the page, so that it knows their
// effects.

import type { Actor } from '../api/actor.ts';
import type { Crowd, UpdateRate } from '../api/crowd.ts';
import type { DebugView } from '../api/debug-views.ts';
import type { Layer } from '../api/layer.ts';
import type { Performer } from '../api/performer.ts';
import { scriptOf } from '../api/features.ts';
import type { Viewer } from '../api/viewer.ts';
import type { Marker } from '../values/clips.ts';
import type { Mask } from '../values/options.ts';
import type { Place } from '../values/transforms.ts';
import type { LoopMode, Skinning } from '../values/words.ts';
import type {
  CoreDebug,
  CoreLayer,
  CoreMask,
  CoreRootMotion,
  CoreTexture,
  Light,
  Source,
  Transition,
} from '../wasm/core.ts';
import type { SessionTopic } from './session-data.ts';

/** A call with the actors and layers of the stage. */
export interface StageCall {
  readonly topic: SessionTopic;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Makes a call by the page's API; returns the number of a new layer, or undefined if the core has to make the call. */
export function madeByPage(viewer: Viewer, { topic, name, args }: StageCall): { readonly layer?: number } | undefined {
  const done = {};
  const call = `${topic}.${name}`;
  if (changedViewer(viewer, call, args)) return done;
  if (topic === 'crowds') {
    const crowd = viewer.engine.crowd(args[0] as number) as Crowd | undefined;
    return crowd && changedCrowd(crowd, name, args[1]) ? done : undefined;
  }
  if (call === 'joints.setTexture') {
    const picture = (args[3] as CoreTexture | undefined)?.picture;
    // A session has no pixels: without the picture, the texture before stays.
    const isMissing = picture !== undefined && !viewer.engine.read(({ query }) => query.hasPicture(picture), false);
    if (isMissing) return done;
  }
  const performer = viewer.engine.performer(args[0] as number) as Performer | undefined;
  if (!performer) return undefined;
  switch (call) {
    case 'layers.add':
      return { layer: addedLayer(performer, args).id };
    case 'layers.setStates':
      setStates(performer, args[1] as string | undefined);
      return done;
    case 'playback.setTransition': {
      const { mode, duration } = args[1] as Transition;
      performer.transition = mode;
      performer.transitionDuration = duration;
      return done;
    }
    case 'stage.place':
      performer.setBasePlace(placeOf(args[1] as Float32Array));
      return done;
    case 'stage.teleport':
      performer.setBasePlace(placeOf(args[1] as Float32Array), 'teleport');
      return done;
    case 'playback.setMarkers':
      performer.setMarkers(args[1] as number, args[2] as readonly Marker[]);
      return done;
    case 'stage.attach':
      return attached(viewer, performer, args) ? done : undefined;
    case 'stage.detach':
      (performer as Partial<Actor>).detach?.();
      return done;
    case 'stage.setRootMotion':
      setRootMotion(performer, args);
      return done;
    default: {
      const layer = topic === 'layers' ? performer.layers.byId(args[1] as number) : undefined;
      return layer && changedLayer(layer, name, args) ? done : undefined;
    }
  }
}

/** Changes a property of the viewer that is none of an actor; returns `false` for other calls. */
function changedViewer(viewer: Viewer, call: string, args: readonly unknown[]): boolean {
  switch (call) {
    case 'stage.setSkinning':
      viewer.skinning = args[0] as Skinning;
      return true;
    case 'stage.setDebug':
      viewer.debug = debugViews(viewer.debug, args[0] as CoreDebug);
      return true;
    case 'camera.setPadding': {
      const [left, top, right, bottom] = args as [number, number, number, number];
      viewer.cameraPadding = { left, top, right, bottom };
      return true;
    }
    case 'lighting.set':
      viewer.takeLight(args[0] as Light);
      return true;
    case 'lighting.setStudio':
    case 'lighting.setSkyStudio':
      viewer.takeStudio(call === 'lighting.setSkyStudio', args[0] as boolean);
      return true;
    default:
      return false;
  }
}

/** The debug views that the core has as flags. The names of joints are not drawn by the core, so they stay as they are. */
function debugViews(now: readonly DebugView[], { surface, joint, ...flags }: CoreDebug): readonly string[] {
  const overlays: readonly (readonly [view: DebugView, on: boolean])[] = [
    ['skeleton', flags.skeleton],
    ['bounds', flags.bounds],
    ['wireframe', flags.wireframe],
    ['normal-lines', flags.normalLines],
    ['tangent-lines', flags.tangentLines],
    ['bind-pose', flags.bindPose],
    ['grid', flags.grid],
  ];
  return [
    ...overlays.filter(([, on]) => on).map(([view]) => view),
    ...now.filter((view) => view === 'names'),
    ...(surface === undefined ? [] : [surface === 'weights' ? `weights:${joint}` : surface]),
  ];
}

/** Changes a property of a crowd that the page keeps; returns `false` for other calls. */
function changedCrowd(crowd: Crowd, name: string, value: unknown): boolean {
  switch (name) {
    case 'setCount':
      crowd.count = value as number;
      return true;
    case 'setLoopMode':
      crowd.loopMode = value as LoopMode;
      return true;
    case 'setTransition':
      crowd.transitionDuration = value as number;
      return true;
    case 'setUpdateRate':
      crowd.updateRate = value as UpdateRate;
      return true;
    case 'setBaked':
      crowd.baked = value as boolean;
      return true;
    case 'setPaused':
      if (value === true) crowd.pause();
      else crowd.play();
      return true;
    default:
      return false;
  }
}

/** Attaches an actor to a joint of another one; returns `false` for performers that cannot follow, which the core refuses. */
function attached(viewer: Viewer, follower: Performer, args: readonly unknown[]): boolean {
  const [, to, joint, ownUnits, offset] = args as [number, number, number, boolean, Float32Array];
  const leader = viewer.engine.performer(to) as Performer | undefined;
  if (!leader || !('attach' in follower)) return false;
  leader.joint(joint).attach(follower as Actor, placeOf(offset), { space: ownUnits ? 'joint' : 'metres' });
  return true;
}

function addedLayer(performer: Performer, args: readonly unknown[]): Layer {
  const { source, mode, weight, mask, sync, reference, fade } = args[1] as CoreLayer;
  return performer.layers.add(sourceOf(performer, source), {
    mode,
    weight,
    mask: maskOf(mask),
    sync,
    reference: reference ?? 'rest',
    ...(fade && { fade: fade.duration }),
  });
}

/** The clip or blend space of a source of the core. */
function sourceOf(performer: Performer, { clip, space }: Source) {
  if (!space) return clip ?? 0;
  const { points, x, y, sync } = space;
  const isFlat = y === 0 && points.every((point) => point.y === 0);
  const made = performer.blendSpace({
    clips: points.map((point) =>
      isFlat ? ([point.clip, point.x] as const) : ([point.clip, point.x, point.y] as const),
    ),
    sync: sync === 'none' ? 'phase' : sync,
  });
  made.value = isFlat ? x : [x, y];
  return made;
}

function maskOf(mask: CoreMask | undefined): Mask | null {
  if (!mask) return null;
  const { patterns } = mask;
  if (patterns.every(({ weight }) => weight === 1)) return patterns.map(({ pattern }) => pattern);
  return Object.fromEntries(patterns.map(({ pattern, weight }) => [pattern, weight]));
}

/** Changes a layer; returns `false` for other calls. */
function changedLayer(layer: Layer, name: string, args: readonly unknown[]): boolean {
  switch (name) {
    case 'remove': {
      const fade = args[2] as Transition | undefined;
      layer.remove(fade ? { fade: fade.duration } : {});
      return true;
    }
    case 'setWeight': {
      const [, , weight, fade] = args as [number, number, number, Transition | undefined];
      if (fade && fade.mode !== 'cut') layer.fadeTo(weight, fade.duration);
      else layer.weight = weight;
      return true;
    }
    case 'setBlendPosition': {
      const [, , x, y, transition] = args as [number, number, number, number, Transition | undefined];
      const { blend } = layer;
      if (!blend) return false;
      const value = typeof blend.value === 'number' ? x : ([x, y] as const);
      if (transition?.mode === 'inertial') blend.moveTo(value, transition.duration);
      else blend.value = value;
      return true;
    }
    case 'setMask':
      layer.mask = maskOf(args[2] as CoreMask | undefined);
      return true;
    default:
      return false;
  }
}

function setStates(performer: Performer, json: string | undefined): void {
  if (json === undefined) performer.states?.remove();
  else new (scriptOf('states').States)(performer, json, {});
}

function placeOf([px = 0, py = 0, pz = 0, qx = 0, qy = 0, qz = 0, qw = 1, x = 1, y = 1, z = 1]: Float32Array): Place {
  return { position: [px, py, pz], rotation: [qx, qy, qz, qw], scale: [x, y, z] };
}

function setRootMotion(performer: Performer, args: readonly unknown[]): void {
  const { motion, rotation, vertical, contact, feet } = args[1] as CoreRootMotion;
  performer.setRootMotion(motion, { rotation, vertical, contact: contact && feet ? [...feet] : contact });
}
