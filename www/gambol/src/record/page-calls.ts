// Calls of a session for which the page has objects or keeps values: they are made by the API of the page, so that it knows their
// effects.

import type { Layer } from '../api/layer.ts';
import type { Performer } from '../api/performer.ts';
import { restClasses } from '../api/rest.ts';
import type { Viewer } from '../api/viewer.ts';
import type { LayerMode, Mask } from '../values/options.ts';
import type { Place } from '../values/transforms.ts';
import type { RootMotion, Skinning, SyncMode, TransitionMode } from '../values/words.ts';
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
  if (topic === 'stage' && name === 'setSkinning') {
    viewer.skinning = args[0] as Skinning;
    return done;
  }
  const performer = viewer.engine.performer(args[0] as number) as Performer | undefined;
  if (!performer) return undefined;
  switch (`${topic}.${name}`) {
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
    case 'stage.setRootMotion':
      setRootMotion(performer, args);
      return done;
    default: {
      const layer = topic === 'layers' ? performer.layers.byId(args[1] as number) : undefined;
      return layer && changedLayer(layer, name, args) ? done : undefined;
    }
  }
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
