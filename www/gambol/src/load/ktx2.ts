// KTX2 images with Basis Universal content. A chunk of its own, with a module of its own: loaded when a file needs it.

import createBasis, { type BasisModule, type KTX2File } from 'three/examples/jsm/libs/basis/basis_transcoder.js';
import type { BlockFormat } from '../wasm/core.ts';
import type { CompileDecoder } from '../wasm/init.ts';

/** Levels of blocks as a GPU has them, or of one level of plain pixels. */
export interface PackedImage {
  readonly format: BlockFormat | 'rgba8';
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Uint8Array[];
}

/** Basis Universal's numbers of what it can make. */
const TARGETS: Readonly<Record<PackedImage['format'], number>> = {
  'etc2-rgb': 0, // ETC1, of which ETC2 is a superset
  'etc2-rgba': 1,
  bc1: 2,
  bc3: 3,
  bc7: 6,
  'astc-4x4': 10,
  rgba8: 13,
};

/** What loses least and takes least, best first; of a pair the first is for images without alpha. */
const FROM_UASTC: readonly (readonly [BlockFormat, BlockFormat])[] = [['astc-4x4', 'astc-4x4'], ['bc7', 'bc7'], ['etc2-rgb', 'etc2-rgba'], ['bc1', 'bc3']];
const FROM_ETC1S: readonly (readonly [BlockFormat, BlockFormat])[] = [['etc2-rgb', 'etc2-rgba'], ['bc7', 'bc7'], ['bc1', 'bc3'], ['astc-4x4', 'astc-4x4']];

let loading: Promise<BasisModule> | undefined;

/** Loads the transcoder, once; after a failure the next call tries again. */
async function load(compile: CompileDecoder): Promise<BasisModule> {
  loading ??= instantiate(compile).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate(compile: CompileDecoder): Promise<BasisModule> {
  const compiled = await compile('basis', new URL('./basis.wasm', import.meta.url));
  const module = await new Promise<BasisModule>((resolve, reject) => {
    // The glue of Emscripten would look for the module where it thinks best; this hands it over.
    createBasis({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled), reject);
        return {};
      },
    }).then(resolve, reject);
  });
  module.initializeBasis();
  return module;
}

/**
 * Unpacks an image as far as the GPU wants it unpacked. Levels larger than `maxSize` are left out, and so are those larger than `wanted`
 * if there are smaller ones.
 * @throws if it is broken or not of Basis Universal, or what `compile` throws
 */
export async function transcode(bytes: Uint8Array, blocks: ReadonlySet<BlockFormat>, maxSize: number, wanted: number, compile: CompileDecoder): Promise<PackedImage> {
  // Plain pixels and packed ones need no transcoder, but glTF has no place for them.
  const format = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  if (format !== 0) throw Object.assign(new Error(`it is not of Basis Universal but of Vulkan's format ${format}, which glTF does not have`), { code: 'image/unsupported' });
  const module = await load(compile);
  let file: KTX2File | undefined;
  try {
    file = new module.KTX2File(bytes);
    return read(file, blocks, maxSize, wanted);
  } catch (error) {
    // After a trap what is left of it cannot be trusted.
    if (error instanceof WebAssembly.RuntimeError) {
      loading = undefined;
      file = undefined;
      throw new Error('it is broken', { cause: error });
    }
    throw error;
  } finally {
    file?.close();
    file?.delete();
  }
}

function read(file: KTX2File, blocks: ReadonlySet<BlockFormat>, maxSize: number, wanted: number): PackedImage {
  if (!file.isValid()) throw new Error('it is broken or of a kind that glTF does not have');
  const [fullWidth, fullHeight] = [file.getWidth(), file.getHeight()];
  if (fullWidth === 0 || fullHeight === 0 || file.getLayers() > 1 || file.getFaces() !== 1) throw new Error('it is no plain picture');
  let first = 0;
  while (Math.max(fullWidth, fullHeight) >> first > maxSize) first += 1;
  const levels = Math.min(file.getLevels(), 32 - Math.clz32(Math.max(fullWidth, fullHeight)));
  if (first >= levels) throw new Error(`it has no level of ${maxSize} pixels or less`);
  while (first + 1 < levels && Math.max(fullWidth, fullHeight) >> first > wanted) first += 1;
  const [width, height] = [Math.max(1, fullWidth >> first), Math.max(1, fullHeight >> first)];

  // Direct3D, below WebGL, wants whole blocks in the first level.
  const whole = width % 4 === 0 && height % 4 === 0;
  const pair = (file.isUASTC() ? FROM_UASTC : FROM_ETC1S).find((names) => whole && names.every((name) => blocks.has(name)));
  const format = pair?.[file.getHasAlpha() ? 1 : 0] ?? 'rgba8';
  if (!file.startTranscoding()) throw new Error('it is broken');
  const unpack = (level: number): Uint8Array => {
    const out = new Uint8Array(file.getImageTranscodedSizeInBytes(level, 0, 0, TARGETS[format]));
    if (!file.transcodeImage(out, level, 0, 0, TARGETS[format], 0, -1, -1)) throw new Error('it is broken');
    return out;
  };
  // Plain pixels get their mipmap from the GPU.
  const count = format === 'rgba8' ? 1 : levels - first;
  return { format, width, height, levels: Array.from({ length: count }, (_, i) => unpack(first + i)) };
}
