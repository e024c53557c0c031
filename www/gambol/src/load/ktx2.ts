// The decoder of KTX2 images with Basis Universal content: a separate script with its own module, loaded lazily when a file needs
// it.

import createBasis, { type BasisModule, type KTX2File } from 'three/examples/jsm/libs/basis/basis_transcoder.js';
import type { BlockFormat } from '../wasm/core.ts';
import type { CompileDecoder } from '../wasm/init.ts';

/** The mipmap levels of an image in a compressed GPU format, or one level of uncompressed pixels. */
export interface PackedImage {
  readonly format: BlockFormat | 'rgba8';
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Uint8Array[];
}

/** The numbers of Basis Universal's target formats. */
const TARGETS: Readonly<Record<PackedImage['format'], number>> = {
  'etc2-rgb': 0, // ETC1, of which ETC2 is a superset
  'etc2-rgba': 1,
  bc1: 2,
  bc3: 3,
  bc7: 6,
  'astc-4x4': 10,
  rgba8: 13,
};

/** The preferred target formats by quality and size, the best first. The first of a pair is for images without alpha. */
const FROM_UASTC: readonly (readonly [BlockFormat, BlockFormat])[] = [
  ['astc-4x4', 'astc-4x4'],
  ['bc7', 'bc7'],
  ['etc2-rgb', 'etc2-rgba'],
  ['bc1', 'bc3'],
];
const FROM_ETC1S: readonly (readonly [BlockFormat, BlockFormat])[] = [
  ['etc2-rgb', 'etc2-rgba'],
  ['bc7', 'bc7'],
  ['bc1', 'bc3'],
  ['astc-4x4', 'astc-4x4'],
];

/** The message for bytes that cannot be transcoded. */
const DAMAGED = 'it is damaged. Export it again.';

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
    // Passes the module to Emscripten's glue, which would search for it otherwise.
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
 * Transcodes an image to a format that the GPU supports. Levels larger than `maxSize` are skipped, and so are those larger than
 * `wanted` if there are smaller ones.
 * @throws an error for a broken image or one that is not Basis Universal, and the errors of `compile`
 */
export async function transcode(
  bytes: Uint8Array,
  blocks: ReadonlySet<BlockFormat>,
  maxSize: number,
  wanted: number,
  compile: CompileDecoder,
): Promise<PackedImage> {
  // Other pixel formats need no transcoder, but glTF does not allow them.
  const format = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  if (format !== 0)
    throw Object.assign(
      new Error(`its Vulkan format ${format} is not allowed in glTF. Encode it as Basis Universal.`),
      { code: 'image/unsupported' },
    );
  const module = await load(compile);
  let file: KTX2File | undefined;
  try {
    file = new module.KTX2File(bytes);
    return read(file, blocks, maxSize, wanted);
  } catch (error) {
    // After a trap, the state of the transcoder is undefined.
    if (error instanceof WebAssembly.RuntimeError) {
      loading = undefined;
      file = undefined;
      throw new Error(DAMAGED, { cause: error });
    }
    throw error;
  } finally {
    file?.close();
    file?.delete();
  }
}

function read(file: KTX2File, blocks: ReadonlySet<BlockFormat>, maxSize: number, wanted: number): PackedImage {
  if (!file.isValid()) throw new Error('it is damaged, or not a KTX2 image that glTF allows. Export it again.');
  const [fullWidth, fullHeight] = [file.getWidth(), file.getHeight()];
  if (fullWidth === 0 || fullHeight === 0 || file.getLayers() > 1 || file.getFaces() !== 1)
    throw new Error('it is not a single 2D image. Export it again.');
  let first = 0;
  while (Math.max(fullWidth, fullHeight) >> first > maxSize) first += 1;
  const levels = Math.min(file.getLevels(), 32 - Math.clz32(Math.max(fullWidth, fullHeight)));
  if (first >= levels)
    throw new Error(`it has no mipmap level of ${maxSize} pixels or less, the limit of this GPU. Reduce it.`);
  while (first + 1 < levels && Math.max(fullWidth, fullHeight) >> first > wanted) first += 1;
  const [width, height] = [Math.max(1, fullWidth >> first), Math.max(1, fullHeight >> first)];

  // Direct3D, which implements WebGL on Windows, requires whole blocks in the first level.
  const whole = width % 4 === 0 && height % 4 === 0;
  const pair = (file.isUASTC() ? FROM_UASTC : FROM_ETC1S).find(
    (names) => whole && names.every((name) => blocks.has(name)),
  );
  const format = pair?.[file.getHasAlpha() ? 1 : 0] ?? 'rgba8';
  if (!file.startTranscoding()) throw new Error(DAMAGED);
  const unpack = (level: number): Uint8Array => {
    const out = new Uint8Array(file.getImageTranscodedSizeInBytes(level, 0, 0, TARGETS[format]));
    if (!file.transcodeImage(out, level, 0, 0, TARGETS[format], 0, -1, -1)) throw new Error(DAMAGED);
    return out;
  };
  // The GPU generates the mipmaps of uncompressed pixels.
  const count = format === 'rgba8' ? 1 : levels - first;
  return { format, width, height, levels: Array.from({ length: count }, (_, i) => unpack(first + i)) };
}
