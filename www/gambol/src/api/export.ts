// Poses, clips and recordings of an actor as files. A script of its own, which is loaded for the first export.

import { elementsOf } from '../base/elements.ts';
import { GambolError, asGambolError, throwIfAborted, type Warning } from '../base/errors.ts';
import { pngOf } from '../base/png.ts';
import { shown } from '../base/shown.ts';
import { gltfFile, readGltf, type GltfFile } from '../load/gltf-file.ts';
import { converted, isForeign } from '../load/foreign.ts';
import type { Model } from '../load/model.ts';
import type { AssetSource } from '../load/source.ts';
import { filesOf, inputOf, runTool } from '../tools/run.ts';
import { checkedSize, writtenUsdz } from '../tools/usdz.ts';
import { findClip, type Clip, type ClipRef } from '../values/clips.ts';
import { checkedNumber, checkedOptions, checkedWord } from '../values/options.ts';
import { placeNumbers, type Place } from '../values/transforms.ts';
import type { Core, CoreStage, SnapshotDescription } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';

// With `loadAsset`, this script needs the same files as the entries, so bundling puts these into one script.
export { loadAsset } from './asset.ts';

/**
 * Options of {@link Performer.exportGlb}: `pose` and `hidden`, or `clips` and `record`.
 * @category Exports and baked clips
 */
export interface ExportOptions {
  /** The pose as it is now (`true`), or at a time of the clip, in seconds, as in a still. Neither `clips` nor `record` may be set. */
  readonly pose?: boolean | number | undefined;
  /**
   * The hidden meshes and lights of a pose: `leave-out`, or `keep`, hidden by `KHR_node_visibility`. Players without this extension
   * show them. Default: `leave-out`.
   */
  readonly hidden?: 'leave-out' | 'keep' | undefined;
  /** The animations of the new file: clips of {@link Performer.clips}, or all of them. Default: `all`, or none with `record`. */
  readonly clips?: 'all' | readonly ClipRef[] | undefined;
  /** Adds an animation with what the actor does between two times. */
  readonly record?: RecordMotionOptions | undefined;
  /**
   * The file of the model. Default: the one that was loaded, which is read again. It is needed if that is gone: the buffer was
   * transferred, or the server has another file now.
   */
  readonly source?: AssetSource | undefined;
  /** `true` to write the place of the actor, too: position, rotation and scale, at a new root. A pose has it always. Default: false. */
  readonly place?: boolean | undefined;
  /** Aborts the call: it rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of the timeline that is recorded. Nothing on stage moves meanwhile: it is played on a copy.
 * @category Exports and baked clips
 */
export interface RecordMotionOptions {
  /** The time of the first frame on the timeline, in seconds. Default: {@link Viewer.now}. */
  readonly from?: number | undefined;
  /** The time of the last frame, in seconds; at least `from`. From now to it there are at most 36,000 frames. */
  readonly to: number;
  /** Frames per second, above 0 and at most 1000. Default: 60. */
  readonly fps?: number | undefined;
  /** The name of the animation. Default: `Recording`. */
  readonly name?: string | undefined;
}

/** Options of {@link Performer.exportObj}. @category Exports and baked clips */
export interface ObjOptions extends Pick<ExportOptions, 'source' | 'signal'> {
  /** A time of the clip, in seconds, as in a still. Default: the pose as it is now. */
  readonly time?: number | undefined;
  /** The name of the files, without extension. Default: that of the model. */
  readonly name?: string | undefined;
}

/** A Wavefront OBJ and its materials. @category Exports and baked clips */
export interface ObjFiles {
  /** The text of the `.obj`. */
  readonly obj: string;
  /** The text of the `.mtl`, which the OBJ names. */
  readonly mtl: string;
}

/**
 * Options of {@link Performer.exportUsdz}: `clip` or `pose`. Default: the clip of the actor; without one, the pose as it is now.
 * @category Exports and baked clips
 */
export interface ExportUsdzOptions extends Pick<ExportOptions, 'source' | 'signal'> {
  /** The clip that plays: one of {@link Performer.clips}. */
  readonly clip?: ClipRef | undefined;
  /** A still: the pose as it is now (`true`), or at a time of the clip, in seconds. */
  readonly pose?: boolean | number | undefined;
  /** The largest width and height of an image, in pixels, at least 1. Default: any size. */
  readonly maxTextureSize?: number | undefined;
}

/** A USDZ file of an actor. @category Exports and baked clips */
export interface ExportedUsdz {
  /** The file, of the type `model/vnd.usdz+zip`. */
  readonly blob: Blob;
  /** The parts of the model that USDZ cannot show, with codes `usdz/…`, and repairs of the import. */
  readonly warnings: readonly Warning[];
}

/** The parts of an actor that an export reads. @internal */
interface Exported {
  readonly model: Model | null;
  readonly clips: readonly Clip[];
  readonly place: Place;
  readonly engine: { readonly core: Pick<Core, 'features'> };
  readonly clip: Clip | null;
  readonly variant: string | null;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
}

/** The most frames of a recording. */
const MOST_FRAMES = 36_000;

/** See {@link Performer.exportGlb}. `called`: the time of the timeline at the call. @internal */
export async function exportGlb(actor: Exported, options: ExportOptions, called: number): Promise<Blob> {
  checkedOptions(options, ['pose', 'hidden', 'clips', 'record', 'place', 'source', 'signal'], 'exportGlb()');
  const { bytes } = await writtenGlb(actor, options, called);
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'model/gltf-binary' });
}

/** The GLB of {@link exportGlb}, and the file from which it was made. */
async function writtenGlb(
  actor: Exported,
  options: ExportOptions,
  called: number,
): Promise<{ readonly bytes: Uint8Array; readonly input: Input }> {
  const { pose = false, hidden, record, signal } = options;
  if (hidden !== undefined) checkedWord(hidden, ['leave-out', 'keep'], 'hidden');
  if (pose === false && hidden !== undefined)
    throw new GambolError('argument/invalid', 'hidden is an option of a pose. Set pose, too.');
  if (pose !== false && (options.clips !== undefined || record !== undefined))
    throw new GambolError('argument/invalid', 'exportGlb() writes either a pose, or clips and a recording.');
  const model = modelOf(actor);
  // Reads the state before the first await, so that it is that of the call.
  const write =
    pose === false
      ? clipWriter(actor, model, options, called)
      : poseWriter(actor, model, pose === true ? undefined : pose, hidden === 'keep');
  const dress = materialWriter(actor);
  // A pose has the visibility of its nodes already.
  const nodes = pose === false ? actor.readStage(({ query }, number) => query.shownByHand(number)) : new Uint32Array();
  const place = options.place === true && pose === false ? placeNumbers(actor.place) : undefined;
  const file = await sourceOf(model, options);
  const input = await inputOf(file, signalOf(signal));
  const pictures = await dress?.pictures;
  const bytes = await runTool(input.url, signalOf(signal), (tools) => {
    const written = write(tools, input);
    if (!dress && !place && nodes.length === 0) return written;
    return tools.exportMaterials(written, dress?.materials ?? [], pictures ?? [], nodes, place);
  });
  throwIfAborted(signalOf(signal));
  return { bytes, input };
}

/** See {@link Performer.exportUsdz}. @internal */
export async function exportUsdz(actor: Exported, options: ExportUsdzOptions): Promise<ExportedUsdz> {
  checkedOptions(options, ['clip', 'pose', 'maxTextureSize', 'source', 'signal'], 'exportUsdz()');
  const { clip, pose = false, maxTextureSize, source, signal } = options;
  if (pose !== false && clip !== undefined)
    throw new GambolError('argument/invalid', 'exportUsdz() writes either a clip or a pose.');
  const size = checkedSize(maxTextureSize);
  const { decoders } = modelOf(actor).library.source;
  const { variant } = actor;
  const played = pose === false ? (clip ?? actor.clip) : null;
  const still = played === null;
  const state = still ? { pose: pose === false ? true : pose } : { clips: [played] };
  const { bytes: glb, input } = await writtenGlb(actor, { ...state, source, signal }, 0);
  const choice = { clip: still ? [] : ['0'], still, variant: variant === null ? [] : [variant], size };
  const whole = { ...input, bytes: glb, others: new Map<string, Uint8Array>() };
  const { bytes, warnings } = await writtenUsdz(whole, choice, decoders !== 'none', signalOf(signal));
  return { blob: new Blob([bytes], { type: 'model/vnd.usdz+zip' }), warnings };
}

/** See {@link Performer.exportObj}. @internal */
export async function exportObj(actor: Exported, options: ObjOptions): Promise<ObjFiles> {
  checkedOptions(options, ['time', 'name', 'source', 'signal'], 'exportObj()');
  const model = modelOf(actor);
  const { name = model.name.replace(/\.[^.]*$/, '') } = options;
  if (typeof name !== 'string') throw new GambolError('argument/invalid', `name must be a string, not ${shown(name)}.`);
  const description = snapshot(actor, options.time, true);
  const { joints, materials } = model;
  const { text, url } = await sourceOf(model, options);
  return runTool(url, signalOf(options.signal), (tools) =>
    tools.exportObj({
      json: text,
      snapshot: description,
      nodes: joints.map((joint) => joint.name),
      materials,
      library: `${name}.mtl`,
    }),
  );
}

function signalOf(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}

function modelOf(actor: Exported): Model {
  // Throws for a viewer that was disposed of, and for an actor that was removed.
  actor.readStage(() => undefined);
  const { model } = actor;
  if (model) return model;
  throw new GambolError('actor/removed', 'No model is loaded. Wait for load().');
}

type Tools = Parameters<Parameters<typeof runTool>[2]>[0];
type Input = Awaited<ReturnType<typeof inputOf>>;
type Write = (tools: Tools, input: Input) => Uint8Array;
type NewMaterial = Parameters<Tools['exportMaterials']>[1][number];

function snapshot(actor: Exported, time: number | undefined, all: boolean): SnapshotDescription {
  if (time !== undefined) checkedNumber(time, 'time');
  return actor.readStage(({ query }, number) => query.snapshot(number, time, all));
}

function poseWriter(actor: Exported, model: Model, time: number | undefined, keepHidden: boolean): Write {
  const description = snapshot(actor, time, false);
  const scene = sceneOf(model);
  return (tools, input) => tools.exportPose(input.bytes, filesOf(tools, input), description, keepHidden, scene);
}

/** The materials that the page has changed, with their pictures as PNG files; undefined without any. */
function materialWriter(
  actor: Exported,
): { readonly materials: NewMaterial[]; readonly pictures: Promise<Uint8Array[]> } | undefined {
  if (!actor.engine.core.features.has('materials')) return undefined;
  const materials = actor.readStage(({ query }, number) => query.changedMaterials(number));
  if (materials.length === 0) return undefined;
  const bitmaps: ImageBitmap[] = [];
  const places = new Map<number, number>();
  const numbered = materials.map(({ textures, ...material }) => ({
    ...material,
    textures: textures.map((texture) => {
      const { picture } = texture;
      if (picture === undefined) return texture;
      const bitmap = actor.readStage(({ query }) => query.picture(picture));
      const place = places.get(picture) ?? (bitmap ? bitmaps.push(bitmap) - 1 : undefined);
      if (place !== undefined) places.set(picture, place);
      return { ...texture, picture: place };
    }),
  }));
  return { materials: numbered, pictures: Promise.all(bitmaps.map(pngBytes)) };
}

/** A bitmap as a PNG file. */
async function pngBytes(bitmap: ImageBitmap): Promise<Uint8Array> {
  const blob = await pngOf(bitmap, bitmap.width, bitmap.height);
  return new Uint8Array((await blob?.arrayBuffer()) ?? []);
}

/** The index of the shown scene; undefined in a file without scenes. */
function sceneOf({ scenes, scene }: Model): number | undefined {
  return scene === null ? undefined : scenes.indexOf(scene);
}

function clipWriter(actor: Exported, model: Model, { clips, record }: ExportOptions, called: number): Write {
  const list = checkedClips(actor, clips ?? (record ? [] : 'all'));
  const scene = sceneOf(model);
  const recording = record && recorded(actor, record, called);
  const all = list.map(({ index, name, markers }) => ({
    index,
    edited: model.isEdited(index),
    name,
    markers,
    channels: guarded(() => model.asset.channels(index)),
  }));
  return (tools, input) => {
    const writer = new tools.ClipWriter(input.bytes, filesOf(tools, input), scene);
    const own = writer.animations();
    for (const { index, edited, name, markers, channels } of all) {
      if (index < own && !edited) {
        writer.keep(index);
        continue;
      }
      writer.begin(name);
      for (const { node, path, interpolation, times, values } of channels) {
        const isPointer = path.startsWith('/');
        writer.channel({ node: isPointer ? undefined : (node ?? undefined), path, interpolation, times, values });
      }
      for (const marker of markers) writer.marker(marker.name, marker.time);
    }
    if (recording) writer.record(recording.name, recording.frames, recording.step);
    return writer.finish();
  };
}

function checkedClips(actor: Exported, clips: 'all' | readonly ClipRef[]): readonly Clip[] {
  if (clips === 'all') return actor.clips;
  const list = typeof clips === 'object' ? elementsOf(clips) : undefined;
  if (!list) throw new GambolError('argument/invalid', `clips must be all or a list of clips, not ${shown(clips)}.`);
  return list.map((clip) => findClip(actor.clips, clip as ClipRef));
}

function recorded(
  actor: Exported,
  record: RecordMotionOptions,
  called: number,
): { readonly name: string; readonly frames: Float32Array; readonly step: number } {
  checkedOptions(record, ['from', 'to', 'fps', 'name'], 'exportGlb(), record');
  const now = actor.readStage(({ query }) => query.time());
  const { from = called, to, fps = 60, name = 'Recording' } = record;
  if (typeof name !== 'string') throw new GambolError('argument/invalid', `name must be a string, not ${shown(name)}.`);
  if (!(checkedNumber(fps, 'fps') > 0 && fps <= 1000))
    throw new GambolError('argument/invalid', `fps must be above 0 and at most 1000, not ${fps}.`);
  if (!(checkedNumber(to, 'to') >= checkedNumber(from, 'from')))
    throw new GambolError('argument/invalid', `to must be at least from, ${from}, not ${to}.`);
  // An end within a thousandth of a frame is a frame.
  const count = Math.floor((to - from) * fps + 1e-3) + 1;
  // The frames before the first one are played, too.
  if (count + Math.max(0, from - now) * fps > MOST_FRAMES)
    throw new GambolError('argument/invalid', `From now to its end, a recording has at most ${MOST_FRAMES} frames.`);
  const frames = actor.readStage(({ query }, number) => query.record(number, from, 1 / fps, count));
  return { name, frames, step: 1 / fps };
}

/** The file of a model, read again. @throws {@link GambolError} `export/no-source`, `load/aborted` */
async function sourceOf(
  model: Model,
  { source: given, signal: outer }: Pick<ExportOptions, 'source' | 'signal'>,
): Promise<GltfFile> {
  const signal = signalOf(outer);
  throwIfAborted(signal);
  if (given !== undefined) return readGltf(given, { signal });
  const { source } = model.library;
  try {
    let bytes = await source.model({ signal });
    if (isForeign(bytes, source.name)) ({ bytes } = await converted(bytes, source, { up: source.up, signal }));
    if (bytes.byteLength === 0) throw new Error('It is empty.');
    return gltfFile(bytes, source, signal);
  } catch (cause) {
    throwIfAborted(signal);
    const reason = asGambolError(cause, 'load/failed');
    throw new GambolError(
      'export/no-source',
      `The file ${model.name} can no longer be read: ${reason.message} Pass it as \`source\`.`,
      { url: source.url, cause },
    );
  }
}
