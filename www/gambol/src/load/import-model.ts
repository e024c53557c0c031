// Loads and imports a model from a source, with its buffers and additional clips.

import { bytesOf } from '../base/bytes.ts';
import type * as AddClips from './add-clips.ts';
import type { BufferRequest, Core, CoreAsset, CoreImport, ModelDescription } from '../wasm/core.ts';
import { GambolError, asGambolError, throwIfAborted, type Warning } from '../base/errors.ts';
import { ClipList } from './clip-list.ts';
import { ImageLibrary, takeImages } from './images.ts';
import { uniqueIds, type ClipRef } from '../values/clips.ts';
import { checkedClips, checkedRetarget, type Retarget, type RetargetReport } from './retarget.ts';
import { ProgressMeter, type Progress } from '../base/progress.ts';
import { openModel } from './open-model.ts';
import type { DracoMesh } from './draco.ts';
import { dracoDecoder } from './draco-decoder.ts';
import type { AssetSource, Source, SourceOptions } from './source.ts';
import { yieldToPage, repeatInSlices } from '../base/scheduling.ts';
import { lazily } from '../base/lazily.ts';
import { allSettled } from '../base/settled.ts';
import { checkedSource, SOURCE_OPTIONS } from './checked-source.ts';
import { guarded } from '../wasm/guarded.ts';
import { compileDecoder } from '../wasm/init.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { FeatureName } from '../values/words.ts';
import { checkedBudget, checkedFunction, checkedNames, checkedObject, optionNames } from '../values/options.ts';

/** A scene of a file, by its name or its index. @category Loading and models */
export type SceneRef = string | number;

/** Options of {@link Viewer.load}. @category Loading and models */
export interface LoadOptions extends SourceOptions, ClipOptions {
  /**
   * The scene of the file to show, by its name, its index, or its name in {@link Model.scenes}; digits that are not a name are an
   * index. Default: that of the file. Without such a scene, the load fails with `scene/not-found`.
   */
  readonly scene?: SceneRef | undefined;
  /** Aborts the load: the promise rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** The limits of a model; a page that shows files of unknown origin may lower them. */
  readonly limits?: Limits | undefined;
  /** The upper limit of the bytes of its textures on the GPU. Default: {@link ViewerOptions.textureBudget}. */
  readonly textureBudget?: number | undefined;
  /** Called with the same value as the `progress` event. */
  onProgress?(progress: Progress): void;
}

/** The names of the options of a load of a model. @internal */
export const LOAD_OPTIONS: readonly string[] = [
  ...SOURCE_OPTIONS,
  ...optionNames<Omit<LoadOptions, keyof SourceOptions | 'signal'>>({
    animations: 0,
    retarget: 0,
    scene: 0,
    limits: 0,
    textureBudget: 0,
    onProgress: 0,
  }),
];
const LIMITS = optionNames<Limits>({
  decodedBytes: 0,
  vertices: 0,
  nodes: 0,
  depth: 0,
  draws: 0,
  instances: 0,
  joints: 0,
  imagePixels: 0,
});

/**
 * Checks the options of a load before its first request. `known`: the names of all options of the call; undefined if the caller
 * has checked them.
 * @throws {@link GambolError} `argument/invalid` @internal
 */
export function checkedLoad(options: LoadOptions, call: string, known?: readonly string[]): void {
  checkedSource(options, call, known);
  const { animations, limits, onProgress, retarget, scene, textureBudget } = options;
  checkedFunction(onProgress, 'onProgress');
  checkedRetarget(retarget);
  if (animations !== undefined && !Array.isArray(animations))
    throw new GambolError('argument/invalid', `animations must be an array of sources, not ${shown(animations)}.`);
  if (scene !== undefined && typeof scene !== 'string' && typeof scene !== 'number')
    throw new GambolError('argument/invalid', `scene must be a name or an index, not ${shown(scene)}.`);
  if (limits !== undefined) {
    checkedObject(limits, 'limits');
    checkedNames(limits, LIMITS, 'limits');
    for (const [name, limit] of Object.entries(limits) as [string, unknown][])
      if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
        throw new GambolError(
          'argument/invalid',
          `limits.${name} must be a number of at least 0, not ${shown(limit)}.`,
        );
  }
  checkedBudget(textureBudget);
}

/** The sources of additional clips. @category Clips of other files */
export interface ClipOptions {
  /**
   * Files whose clips this model plays, too; {@link Model.retargets} has a report of each. A file that fails to load or that does not
   * fit is a warning.
   */
  readonly animations?: readonly AssetSource[] | undefined;
  /** The way in which the joints of `animations` are paired with those of the model. Default: `auto`. */
  readonly retarget?: Retarget | undefined;
}

/** Options of {@link Model.addClips}. @category Clips of other files */
export interface AddClipsOptions extends SourceOptions {
  /** The way in which the joints are paired. Default: `auto`. */
  readonly retarget?: Retarget | undefined;
  /** The clips of the file to add, by their ids, names or indices. Default: all. */
  readonly clips?: readonly ClipRef[] | undefined;
  /** Aborts the load: the promise rejects with `load/aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks the options of {@link Model.addClips}; returns the list of clips. @throws {@link GambolError} `argument/invalid` @internal */
export function checkedAddClips(options: AddClipsOptions): AddClipsOptions['clips'] {
  checkedSource(options, 'addClips()', [...SOURCE_OPTIONS, 'retarget', 'clips']);
  checkedRetarget(options.retarget);
  return checkedClips(options.clips);
}

/**
 * The upper limits of a model. A model that exceeds them fails with `import/too-many` or `import/too-large`.
 * @category Loading and models
 */
export interface Limits {
  /** Bytes of decoded vertices, keyframes and JSON. Default: 1 GiB, and 64 times the file if that is less but above 64 MiB. */
  readonly decodedBytes?: number;
  /** Vertices of all meshes together, counted for each instance of EXT_mesh_gpu_instancing. Default: 33,554,432. */
  readonly vertices?: number;
  /** Nodes. Default: 262,144. */
  readonly nodes?: number;
  /** Depth of the node hierarchy. Default: 65,536. */
  readonly depth?: number;
  /** Draw calls of a frame: primitives of nodes. Instances of a mesh are one draw call, unless they blend. Default: 65,536. */
  readonly draws?: number;
  /** Instances (`EXT_mesh_gpu_instancing`) of all meshes together. Default: 131,072. */
  readonly instances?: number;
  /** Joints of the skins of all nodes together, counted for each node with the skin. Default: 4,194,304. */
  readonly joints?: number;
  /** Pixels of an image; a larger image is skipped with a warning. Default: 8192 × 8192. */
  readonly imagePixels?: number;
}

/** The options that determine the loaded model, in addition to its source. */
export type ModelOptions = SourceOptions & ClipOptions & Pick<LoadOptions, 'limits' | 'scene' | 'textureBudget'>;

/** @internal */
export interface LoadedModel {
  readonly asset: CoreAsset;
  /** The description of the file, without the mesh of bones of a file of motion alone. */
  readonly description: ModelDescription;
  /** `true` for a file of motion alone. */
  readonly isMotion: boolean;
  readonly library: ImageLibrary;
  readonly clips: ClipList;
  readonly retargets: readonly RetargetReport[];
  /** For further clips. */
  readonly importer: Pick<ImportContext, 'core' | 'limits'>;
  /** The warnings of the import; {@link ImageLibrary.warnings} has those of images. */
  readonly warnings: readonly Warning[];
  readonly name: string;
  readonly url: string | undefined;
  /** Frees the model, unless other viewers share it. */
  free(): void;
}

/** The context of an import. @internal */
export interface ImportContext {
  readonly core: Core;
  readonly signal: AbortSignal;
  readonly meter: Pick<ProgressMeter, 'step'>;
  readonly limits: Limits;
  /** `true` if a file of motion alone gets a mesh of its bones. */
  readonly figure?: boolean;
  /** `true` if only the clips of the file are needed, so its images are left out. */
  readonly clipsOnly?: boolean;
  /** The scene to show in place of the default one. */
  readonly scene?: SceneRef | undefined;
}

/** Imports a model; its images are decoded when it is uploaded to the GPU. @throws {@link GambolError} @internal */
export async function importModel(
  from: AssetSource,
  options: ModelOptions,
  context: ImportContext,
): Promise<LoadedModel> {
  const { asset, images, source, clips, description, isMotion, retargets, warnings } = await importFrom(
    from,
    options,
    context,
  );
  const { core, limits } = context;
  const library = new ImageLibrary(asset, images, source, limits.imagePixels, options.textureBudget);
  const { name, url } = source;
  const free = (): void => guarded(() => asset.free());
  const importer = { core, limits };
  return { asset, description, isMotion, library, clips, retargets, importer, warnings, name, url, free };
}

/** Loads the script that adds clips of other files, and its feature. @throws {@link GambolError} `load/chunk` @internal */
export async function loadRetargeting(core: Core): Promise<typeof AddClips> {
  const script = lazily('the script for clips of other files', () => import('./add-clips.ts'));
  await allSettled([script, core.loadFeatures(['retargeting'])]);
  return script;
}

/** Imports a file for its clips; the caller frees the asset. @throws {@link GambolError} @internal */
export async function importClips(
  from: AssetSource,
  options: SourceOptions,
  { core, limits }: LoadedModel['importer'],
  signal: AbortSignal,
): Promise<{ asset: CoreAsset; name: string; warnings: readonly Warning[] }> {
  const meter = new ProgressMeter(() => undefined);
  const { asset, source } = await importOne(from, options, { core, limits, signal, meter, clipsOnly: true });
  return { asset, name: source.name, warnings: missingParts({ asset, source }) };
}

/** Functions that see each file before its import. @internal */
export const fileWitnesses = new Set<(source: Source, file: Uint8Array) => void>();

interface ReadModel {
  readonly asset: CoreAsset;
  /** See {@link takeImages}. */
  readonly images: Map<number, Uint8Array>;
}

interface ImportedFile extends ReadModel, Pick<LoadedModel, 'description' | 'isMotion'> {
  readonly source: Source;
}

interface Imported extends ImportedFile {
  readonly clips: ClipList;
  readonly retargets: readonly RetargetReport[];
  readonly warnings: Warning[];
}

/** Of the warnings of a file with clips, only those about missing parts and its conversion concern the model that plays them. */
function missingParts({ asset, source }: Pick<Imported, 'asset' | 'source'>): Warning[] {
  const all = source.warnings.concat(guarded(() => asset.warnings()));
  return all.filter(({ code }) => /^(import\/buffer-|load\/archive-|bvh\/|convert\/|fbx\/|x\/)/.test(code));
}

/** The amount of keyframe and vertex numbers that one step compiles, which takes some milliseconds. */
const NUMBERS_AT_ONCE = 1 << 15;

/** Imports a model without its images. @throws {@link GambolError} */
async function importFrom(
  from: AssetSource,
  options: SourceOptions & ClipOptions & Pick<LoadOptions, 'scene'>,
  context: ImportContext,
): Promise<Imported> {
  const { animations = [], retarget, scene, ...rest } = options;
  const quiet = { ...context, figure: false, clipsOnly: true, meter: new ProgressMeter(() => undefined) };
  const others = Promise.allSettled(animations.map((each) => importOne(each, rest, quiet)));
  let asset: CoreAsset | undefined;
  try {
    const one = await importOne(from, rest, { ...context, scene });
    asset = one.asset;
    const check = (): void => throwIfAborted(context.signal);
    await repeatInSlices(() => guarded(() => one.asset.compile(NUMBERS_AT_ONCE)), check);
    const clips = new ClipList(one.asset);
    const { retargets, warnings } = await addAnimations({ ...one, clips }, await others, retarget, context);
    return {
      ...one,
      clips,
      retargets,
      warnings: [...one.source.warnings, ...warnings, ...guarded(() => one.asset.warnings())],
    };
  } catch (error) {
    guarded(() => asset?.free());
    throw error;
  } finally {
    // Also frees files whose loads end after a failure.
    void others
      .then((all) => {
        for (const each of all) if (each.status === 'fulfilled') guarded(() => each.value.asset.free());
      })
      .catch(() => undefined);
  }
}

/** Adds the clips of other files. A file that failed to load or that does not fit is a warning, and so is a script or module that failed. */
async function addAnimations(
  model: Pick<Imported, 'asset' | 'clips'>,
  files: readonly PromiseSettledResult<Pick<Imported, 'asset' | 'source'>>[],
  retarget: Retarget | undefined,
  { core, signal }: ImportContext,
): Promise<Pick<Imported, 'retargets' | 'warnings'>> {
  const retargets: RetargetReport[] = [];
  const warnings: Warning[] = [];
  if (files.length === 0) return { retargets, warnings };
  const loading = loadRetargeting(core);
  await loading.catch(() => undefined);
  for (const file of files) {
    throwIfAborted(signal);
    try {
      const { addClips, retargetWarnings } = await loading;
      if (file.status === 'rejected') throw file.reason;
      const { asset, source } = file.value;
      warnings.push(...missingParts(file.value));
      const report = addClips(model, asset, source.name, retarget);
      retargets.push(report);
      warnings.push(...retargetWarnings(report));
    } catch (error) {
      const { code, message, pointer = '' } = asGambolError(error, 'load/failed');
      if (code === 'wasm/panic') throw error;
      warnings.push({ code, message, pointer });
    }
  }
  return { retargets, warnings };
}

async function importOne(from: AssetSource, options: SourceOptions, context: ImportContext): Promise<ImportedFile> {
  const { signal, meter, core, figure = false } = context;
  throwIfAborted(signal);
  const onBytes = (loaded: number, total: number, container: boolean): void =>
    meter.step(container ? 'container' : 'text', loaded, total);
  const opened = await openModel(from, options, { signal, onBytes }, context.limits.decodedBytes);
  const { source } = opened;
  const bytes = bytesOf(opened.bytes as Uint8Array<ArrayBuffer>);
  // A page may change or transfer its own bytes while they are read.
  const file = from instanceof ArrayBuffer || from instanceof Uint8Array ? bytes.slice() : bytes;
  meter.step('parse', 0, 0);
  for (const see of fileWitnesses) see(source, file);
  // Parsing a large file takes a while, so the page can show the progress before.
  await yieldToPage();
  throwIfAborted(signal);

  const { asset, images } = await readModel(file, source, context);
  try {
    const [description, isMotion] = guarded(() => [asset.describe(), asset.isMotion()] as const);
    if (isMotion) {
      await core.loadFeatures(['retargeting']);
      throwIfAborted(signal);
      guarded(() => asset.prepareMotion(source.name.replace(/\.[^.]*$/, ''), figure));
    }
    return { asset, images, source, description, isMotion };
  } catch (error) {
    guarded(() => asset.free());
    throw error;
  }
}

async function readModel(bytes: Uint8Array, source: Source, context: ImportContext): Promise<ReadModel> {
  const { signal, meter, core, clipsOnly = false } = context;
  const missing: GambolError[] = [];
  const buffers = new Map<number, Uint8Array>();
  try {
    const { decodedBytes, vertices, nodes, draws, instances, joints, depth } = context.limits;
    const limits = { decodedBytes, vertices, nodes, draws, instances, joints, depth };
    const pending = guarded(() => new core.Import(bytes, limits));
    let needs: readonly FeatureName[];
    try {
      needs = await core.loadNeeds(pending);
      throwIfAborted(signal);
      if (context.scene !== undefined) chooseScene(pending, context.scene);
      guarded(() => pending.decode());
      const requests = guarded(() => pending.requests());
      await provideBuffers({ pending, buffers }, requests, source, context, (failure, index) => {
        missing.push(failure);
        // The first sentence of the message is the reason.
        guarded(() => pending.skip(index, failure.message.split(/\.(?: |$)/, 1)[0] ?? ''));
      });
      throwIfAborted(signal);
      // Fallback buffers for compressed ones that are broken; without them, the import reports the error.
      const spare = guarded(() => pending.requests());
      await provideBuffers({ pending, buffers }, spare, source, context, () => undefined).catch(() => undefined);
      throwIfAborted(signal);
      if (needs.includes('decoding')) await decodeMeshes(pending, source, signal);
      meter.step('parse', 1, 2);
      await yieldToPage();
      throwIfAborted(signal);
      while (guarded(() => pending.advance())) {
        // Data that the file lacks is generated.
        await core.loadNeeds(pending);
        await yieldToPage();
        throwIfAborted(signal);
      }
    } catch (error) {
      guarded(() => pending.free());
      throw error;
    }
    const asset = guarded(() => pending.finish());
    try {
      const light = needs.includes('light') ? guarded(() => asset.imageLight())?.images : [];
      return { asset, images: clipsOnly ? new Map() : takeImages(asset, bytes, buffers, light) };
    } catch (error) {
      guarded(() => asset.free());
      throw error;
    }
  } catch (error) {
    const failure = asGambolError(error, 'import/failed', source.url);
    // If nothing can be shown, the error of the missing file is more useful.
    if (failure.code === 'import/buffer-missing' && missing[0]) throw missing[0];
    if (failure.url !== undefined || source.url === undefined) throw failure;
    throw new GambolError(failure.code, failure.message, {
      pointer: failure.pointer,
      url: source.url,
      cause: failure.cause,
    });
  }
}

/** Shows another scene than the default one. @throws {@link GambolError} `scene/not-found` */
function chooseScene(pending: CoreImport, scene: SceneRef): void {
  const names = guarded(() => pending.scenes());
  const ids = uniqueIds(names, 'Scene');
  const digits = /^\d+$/.test(String(scene)) ? Number(scene) : undefined;
  const index =
    typeof scene === 'number' ? scene : ([ids.indexOf(scene), names.indexOf(scene)].find((at) => at >= 0) ?? digits);
  if (index === undefined || ids[index] === undefined)
    throw new GambolError('scene/not-found', `The file has no scene ${shown(scene)}${choices(scene, ids)}`);
  guarded(() => pending.setScene(index));
}

/**
 * Fetches the `buffers` of an import. `failed` is called for each buffer that fails to load; parts that do not need it are still
 * shown.
 */
async function provideBuffers(
  { pending, buffers }: { readonly pending: CoreImport; readonly buffers: Map<number, Uint8Array> },
  requests: readonly BufferRequest[],
  source: Source,
  context: ImportContext,
  failed: (failure: GambolError, index: number) => void,
): Promise<void> {
  const { signal, meter } = context;
  const total = requests.reduce((sum, request) => sum + request.byteLength, 0);
  const loaded = new Map<number, number>();
  await Promise.all(
    requests.map(async (request) => {
      const onBytes = (count: number): void => {
        // At most the declared length, because a file may be longer than its buffer.
        loaded.set(request.index, Math.min(count, request.byteLength));
        meter.step(
          'buffers',
          [...loaded.values()].reduce((sum, part) => sum + part, 0),
          total,
        );
      };
      let bytes: Uint8Array;
      try {
        bytes = await source.resource(request.uri, { signal, onBytes });
      } catch (error) {
        throwIfAborted(signal);
        const { code, message, url } = asGambolError(error, 'load/missing-resource');
        if (code === 'wasm/panic') throw error;
        failed(
          new GambolError(code, message, { pointer: request.pointer, url: url ?? request.uri, cause: error }),
          request.index,
        );
        return;
      }
      throwIfAborted(signal);
      guarded(() => pending.provide(request.index, bytes));
      buffers.set(request.index, bytes);
    }),
  );
}

/** Decodes Draco meshes, if there are any, with the lazily loaded decoder. */
async function decodeMeshes(pending: CoreImport, { decoders }: Source, signal: AbortSignal): Promise<void> {
  const requests = guarded(() => pending.dracoRequests());
  if (!requests[0]) return;
  if (decoders === 'none')
    throw new GambolError(
      'import/draco',
      'The Draco mesh needs a decoder, but `decoders` is none. Set it to auto, or export without Draco compression.',
      { pointer: requests[0].pointer },
    );
  const decode = await dracoDecoder(compileDecoder);
  for (const request of requests) {
    throwIfAborted(signal);
    let mesh: DracoMesh;
    try {
      mesh = decode(request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new GambolError('import/draco', `The Draco mesh cannot be decoded: ${reason}`, {
        pointer: request.pointer,
        cause: error,
      });
    }
    guarded(() => pending.provideDraco(request.index, mesh.vertices, [...mesh.attributes], mesh.indices));
    // Yields, because a mesh may take a while.
    await yieldToPage();
  }
}
