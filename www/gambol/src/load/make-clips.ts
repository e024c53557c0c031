// Clips from numbers. The first call loads this script lazily.

import { elementsOf } from '../base/elements.ts';
import { GambolError } from '../base/errors.ts';
import { lazily } from '../base/lazily.ts';
import { allSettled } from '../base/settled.ts';
import { shown } from '../base/shown.ts';
import {
  findClip,
  type Clip,
  type ClipData,
  type ClipSetup,
  type ClipTrack,
  type Interpolation,
  type TrackPath,
} from '../values/clips.ts';
import { checkedObject, checkedOptions, checkedText, checkedWord, optionNames } from '../values/options.ts';
import type { FeatureName } from '../values/words.ts';
import type { Core, CoreAsset, CoreClipSetup } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';
import type { ClipList } from './clip-list.ts';
import type { Skeleton } from './clip-motion.ts';

/** The most numbers of a clip: 64 MiB. */
const MOST_NUMBERS = 1 << 24;

const PATHS = ['translation', 'rotation', 'scale', 'weights'] as const satisfies readonly TrackPath[];
const INTERPOLATIONS = ['STEP', 'LINEAR', 'CUBICSPLINE'] as const satisfies readonly Interpolation[];
const SETUP = optionNames<ClipSetup>({ name: 0, tracks: 0, markers: 0 });
const TRACK = optionNames<ClipTrack>({
  node: 0,
  path: 0,
  morph: 0,
  pointer: 0,
  interpolation: 0,
  times: 0,
  values: 0,
});

/** A model that gets another clip. */
interface Made {
  readonly model: AnyModel;
  readonly clips: ClipList;
  readonly core: Core;
  /** Throws if the model was freed. */
  check(): void;
}

/** The parts of a model that tracks name. */
interface Named {
  findJoint(ref: string | number): { readonly index: number };
  findMorph(name: string): number;
}

/** The part of `Model` that this script uses; that class loads it. */
interface AnyModel extends Named {
  readonly asset: CoreAsset;
  readonly clips: readonly Clip[];
  readonly joints: readonly { readonly name: string; readonly parent: number | null }[];
  readonly humanoid: { readonly bones: Readonly<Partial<Record<string, number>>> } | null;
  clipData(clip: number): ClipData;
}

type CoreTrack = CoreClipSetup['tracks'][number];

/**
 * Makes a clip from numbers: a new one, or, by its edits, the one of the index, with the clips that were split from it.
 * @throws {@link GambolError}
 */
export async function make(made: Made, given: unknown, call: string, index?: number): Promise<readonly Clip[]> {
  const { model, clips, core, check } = made;
  const { asset } = model;
  let setups = [given as ClipSetup];
  if (index !== undefined) {
    const script = lazily('the script for edits of clips', () => import('./edit-clips.ts'));
    await allSettled([script, core.loadFeatures(['retargeting'])]);
    const { edited } = await script;
    check();
    const skeleton = (): Skeleton => skeletonOf(model, core);
    setups = edited(model.clipData(index), given, { findJoint: (ref) => model.findJoint(ref), skeleton });
  }
  for (const setup of setups) await core.loadFeatures(featuresOf(setup));
  check();
  const checked = setups.map((setup) => clipSetup(setup, model, call));
  const added: number[] = [];
  try {
    const [own, ...others] = checked as [CoreClipSetup, ...CoreClipSetup[]];
    for (const each of index === undefined ? checked : others) added.push(guarded(() => asset.createClip(each)));
    // Another call may have removed it meanwhile.
    if (index !== undefined) guarded(() => asset.replaceClip(findClip(model.clips, index).index, own));
  } catch (error) {
    // Either all clips are made or none.
    for (const each of added) guarded(() => asset.removeClip(each));
    throw error;
  }
  clips.update(index);
  return [...(index === undefined ? [] : [index]), ...added].map((each) => findClip(model.clips, each));
}

/** The nodes of a model at rest. */
function skeletonOf(model: AnyModel, core: Core): Skeleton {
  const { joints, humanoid } = model;
  const sampler = guarded(() => new core.Sampler(model.asset));
  try {
    return {
      names: joints.map(({ name }) => name),
      parents: joints.map(({ parent }) => parent),
      transforms: guarded(() => sampler.transforms()),
      bones: humanoid?.bones ?? null,
    };
  } finally {
    guarded(() => sampler.free());
  }
}

/** The features that a clip needs: pointers are read by that of rare extensions. The clip may be of any form. */
function featuresOf(setup: Partial<ClipSetup> | null | undefined): readonly FeatureName[] {
  const points = elementsOf(setup?.tracks)?.some((track) => (track as ClipTrack | null)?.pointer !== undefined);
  return points ? ['retargeting', 'decoding'] : ['retargeting'];
}

/** A checked clip as a structure. @throws {@link GambolError} `argument/invalid`, `joint/not-found`, `morph/not-found`, `import/too-large` */
function clipSetup(setup: ClipSetup, model: Named, call: string): CoreClipSetup {
  checkedOptions(setup, SETUP, call);
  const { name, tracks, markers = [] } = setup;
  checkedText(name, 'name');
  const list = listOf(tracks, 'tracks');
  let left = MOST_NUMBERS;
  const made = list.map((track, i) => {
    const at = `tracks[${i}]`;
    checkedObject(track as object, at);
    const one = track as ClipTrack;
    left -= countOf(one.times, `${at}.times`) + countOf(one.values, `${at}.values`);
    if (left < 0)
      throw new GambolError('import/too-large', `The clip has more than ${MOST_NUMBERS} numbers (at ${at}).`, {
        pointer: at,
      });
    return coreTrack(one, model, at);
  });
  return { name, tracks: made, markers: listOf(markers, 'markers').map(coreMarker) };
}

function coreTrack(track: ClipTrack, model: Named, at: string): CoreTrack {
  checkedOptions(track, TRACK, at);
  const { node, path, morph, pointer, interpolation } = track;
  const kinds = [node, morph, pointer].filter((target) => target !== undefined);
  if (kinds.length !== 1)
    throw invalid(`${at} must have one of node, morph and pointer, not ${kinds.length} of them.`, at);
  if (node === undefined && path !== undefined) throw invalid(`${at}.path is for a node.`, `${at}.path`);
  if (interpolation !== undefined) checkedWord(interpolation, INTERPOLATIONS, `${at}.interpolation`);
  const [times, values] = [numbersOf(track.times, `${at}.times`), numbersOf(track.values, `${at}.values`)];
  const keys = { interpolation: interpolation ?? 'LINEAR', times, values };
  const target = { node: undefined, morph: undefined, path: '' };
  if (node !== undefined) {
    const ref = typeof node === 'object' ? (node as { readonly name?: unknown } | null)?.name : node;
    if (typeof ref !== 'string' && typeof ref !== 'number')
      throw invalid(`${at}.node must be a name, an index or { name }, not ${shown(node)}.`, `${at}.node`);
    checkedWord(path as TrackPath, PATHS, `${at}.path`);
    const { index } = placed(() => model.findJoint(ref), `${at}.node`);
    return { ...keys, ...target, node: index, path: path as TrackPath };
  }
  if (morph !== undefined) {
    checkedText(morph, `${at}.morph`);
    return { ...keys, ...target, morph: placed(() => model.findMorph(morph), `${at}.morph`) };
  }
  const text = checkedText(pointer as string, `${at}.pointer`);
  // Visibility has no value between two keys.
  const isFlag = interpolation === undefined && text.endsWith('/KHR_node_visibility/visible');
  return { ...keys, ...target, path: text, ...(isFlag && { interpolation: 'STEP' }) };
}

function coreMarker(marker: unknown, i: number): CoreClipSetup['markers'][number] {
  const at = `markers[${i}]`;
  checkedObject(marker as object, at);
  const { name, time } = marker as { readonly name?: unknown; readonly time?: unknown };
  const text = checkedText(name as string, `${at}.name`);
  if (typeof time !== 'number') throw invalid(`${at}.time must be a number, not ${shown(time)}.`, `${at}.time`);
  return { name: text, time };
}

/** Adds the place to the error of a name. */
function placed<T>(find: () => T, pointer: string): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof GambolError) || error.code === 'wasm/panic') throw error;
    throw new GambolError(error.code, `${pointer}: ${error.message}`, { pointer, cause: error });
  }
}

function invalid(message: string, pointer: string): GambolError {
  return new GambolError('argument/invalid', message, { pointer });
}

function listOf(list: unknown, name: string): unknown[] {
  const elements = Array.isArray(list) ? elementsOf(list) : undefined;
  if (!elements) throw invalid(`${name} must be an array, not ${shown(list)}.`, name);
  return elements;
}

/** The length of an array or a typed array of numbers. */
function countOf(list: unknown, name: string): number {
  if (Array.isArray(list)) return list.length;
  if (ArrayBuffer.isView(list) && 'length' in list) return list.length as number;
  throw invalid(`${name} must be an array of numbers or a typed array, not ${shown(list)}.`, name);
}

/** A copy as single-precision numbers. */
function numbersOf(list: ArrayLike<number>, name: string): Float32Array<ArrayBuffer> {
  const out = new Float32Array(countOf(list, name));
  for (let i = 0; i < out.length; i += 1) {
    const value: unknown = list[i];
    if (typeof value !== 'number')
      throw invalid(`${name}[${i}] must be a number, not ${shown(value)}.`, `${name}[${i}]`);
    out[i] = value;
  }
  return out;
}
