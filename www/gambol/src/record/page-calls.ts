// Calls of a session for which the page has objects or keeps values: they are made by the API of the page, so that it knows their
// effects.

import type { Actor } from '../api/actor.ts';
import type { Crowd, UpdateRate } from '../api/crowd.ts';
import type { DebugView } from '../api/debug-views.ts';
import type { Layer } from '../api/layer.ts';
import type { LightNumbers } from '../api/lighting.ts';
import type { Performer } from '../api/performer.ts';
import { restClasses } from '../api/rest.ts';
import type { Viewer } from '../api/viewer.ts';
import type { LayerMode, Mask } from '../values/options.ts';
import type { Place } from '../values/transforms.ts';
import type { LoopMode, RootMotion, Skinning, SyncMode, TransitionMode } from '../values/words.ts';
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
  const performer = viewer.engine.performer(args[0] as number) as Performer | undefined;
  if (!performer) return undefined;
  switch (call) {
    case 'layers.add':
      return { layer: addedLayer(performer, args).id };
    case 'layers.setStates':
      setStates(performer, args[1] as string | undefined);
      return done;
    case 'playback.setTransition':
      performer.transition = args[1] as TransitionMode;
      performer.transitionDuration = args[2] as number;
      return done;
    case 'stage.place':
      performer.setBasePlace(placeOf(args[1] as Float32Array));
      return done;
    case 'stage.teleport':
      performer.setBasePlace(placeOf(args[1] as Float32Array), 'teleport');
      return done;
    case 'playback.setMarkers': {
      const [, clip, names, times] = args as [number, number, readonly string[], Float64Array];
      performer.setMarkers(
        clip,
        names.map((name, i) => ({ name, time: times[i] ?? 0 })),
      );
      return done;
    }
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
      viewer.debug = debugViews(viewer.debug, args);
      return true;
    case 'camera.setPadding': {
      const [left, top, right, bottom] = args as [number, number, number, number];
      viewer.cameraPadding = { left, top, right, bottom };
      return true;
    }
    case 'lighting.set':
      viewer.takeLight(args as LightNumbers);
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
function debugViews(now: readonly DebugView[], [surface, joint, ...flags]: readonly unknown[]): readonly string[] {
  const overlays = ['skeleton', 'bounds', 'wireframe', 'normal-lines', 'tangent-lines', 'bind-pose', 'grid'];
  return [
    ...overlays.filter((_, i) => flags[i] === true),
    ...now.filter((view) => view === 'names'),
    ...(typeof surface === 'string' ? [surface === 'weights' ? `weights:${String(joint)}` : surface] : []),
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
  const [, clips, space, inStep, mode, clip, time, patterns, weights, weight, sync, fade, seconds] = args as [
    actor: number,
    clips: Uint32Array,
    space: Float32Array,
    inStep: SyncMode,
    mode: LayerMode,
    clip: number | undefined,
    time: number,
    patterns: readonly string[] | undefined,
    weights: Float32Array,
    weight: number,
    sync: SyncMode,
    fade: TransitionMode | undefined,
    seconds: number,
  ];
  return performer.layers.add(sourceOf(performer, clips, space, inStep), {
    mode,
    weight,
    mask: maskOf(patterns, weights),
    sync,
    reference: clip === undefined ? 'rest' : { clip, time },
    ...(fade !== undefined && { fade: seconds }),
  });
}

/** The clip or blend space that the core has as numbers: its value, and the position of each clip. */
function sourceOf(performer: Performer, clips: Uint32Array, space: Float32Array, sync: SyncMode) {
  if (space.length === 0) return clips[0] ?? 0;
  const [x = 0, y = 0, ...positions] = space;
  const isFlat = y === 0 && positions.every((position, i) => i % 2 === 0 || position === 0);
  const made = performer.blendSpace({
    clips: Array.from(clips, (clip, i) => {
      const [a = 0, b = 0] = positions.slice(2 * i, 2 * i + 2);
      return isFlat ? ([clip, a] as const) : ([clip, a, b] as const);
    }),
    sync: sync === 'none' ? 'phase' : sync,
  });
  made.value = isFlat ? x : [x, y];
  return made;
}

function maskOf(patterns: readonly string[] | undefined, weights: Float32Array): Mask | null {
  if (!patterns) return null;
  if (weights.every((weight) => weight === 1)) return [...patterns];
  return Object.fromEntries(patterns.map((pattern, i) => [pattern, weights[i] ?? 1]));
}

/** Changes a layer; returns `false` for other calls. */
function changedLayer(layer: Layer, name: string, args: readonly unknown[]): boolean {
  switch (name) {
    case 'remove':
      layer.remove(args[2] === undefined ? {} : { fade: args[3] as number });
      return true;
    case 'setWeight':
      if (args[3] === 'cut') layer.weight = args[2] as number;
      else layer.fadeTo(args[2] as number, args[4] as number);
      return true;
    case 'setBlendPosition': {
      const [, , x, y, mode, seconds] = args as [number, number, number, number, TransitionMode, number];
      const { blend } = layer;
      if (!blend) return false;
      const value = typeof blend.value === 'number' ? x : ([x, y] as const);
      if (mode === 'inertial') blend.moveTo(value, seconds);
      else blend.value = value;
      return true;
    }
    case 'setMask':
      layer.mask = maskOf(args[2] as readonly string[] | undefined, args[3] as Float32Array);
      return true;
    default:
      return false;
  }
}

function setStates(performer: Performer, json: string | undefined): void {
  if (json === undefined) performer.states?.remove();
  else new restClasses.now.States(performer, json, {});
}

function placeOf([px = 0, py = 0, pz = 0, qx = 0, qy = 0, qz = 0, qw = 1, x = 1, y = 1, z = 1]: Float32Array): Place {
  return { position: [px, py, pz], rotation: [qx, qy, qz, qw], scale: [x, y, z] };
}

function setRootMotion(performer: Performer, args: readonly unknown[]): void {
  const [, motion, rotation, vertical, contact, feet] = args as [
    actor: number,
    motion: RootMotion,
    rotation: 'none' | 'yaw' | 'full',
    vertical: boolean,
    contact: boolean,
    feet: Uint32Array,
  ];
  performer.setRootMotion(motion, { rotation, vertical, contact: contact && feet.length > 0 ? [...feet] : contact });
}
