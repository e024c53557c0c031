// GLB ↔ glTF with files beside it. The JSON is changed only where it names buffers and images; accessors, extras and unknown
// extensions stay as they are.

import type { GltfFile } from 'gambol/gltf';
import { isGlb } from '../../base/glb-header.ts';
import { EXIT, Failure } from './failure.ts';
import { withHint } from './outside.ts';

type Json = Record<string, unknown>;

/** A part of a file that is kept as it is, because it is missing. */
export interface Kept {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
}

export interface Packed {
  readonly glb: Uint8Array;
  readonly kept: readonly Kept[];
}

const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === 'object' && one !== null) : [];
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * One GLB with all buffers, and with all images that are found. A GLB that names no other file stays as it is, to the byte.
 *
 * @param keepImages `true` to leave images in files of their own
 */
export async function pack(file: GltfFile, keepImages = false): Promise<Packed> {
  const json = structuredClone(file.json) as Json;
  const [buffers, images] = [objects(json['buffers']), objects(json['images'])];
  const outside = images.filter((image) => typeof image['uri'] === 'string');
  const wasGlb = isGlb(file.bytes);
  // A text that was repaired is written again as JSON.
  const isRepaired = file.warnings.some(({ code }) => code.startsWith('import/'));
  if (wasGlb && !isRepaired && !buffers.some(({ uri }) => uri !== undefined) && (keepImages || outside.length === 0))
    return { glb: file.bytes, kept: [] };

  const kept: Kept[] = [];
  const binary = new Pieces();
  // Buffers without bytes stay buffers: they are placeholders of compressed views.
  const placeholders: Json[] = [];
  const moved: { readonly buffer: number; readonly offset: number }[] = [];
  for (const [i, buffer] of buffers.entries()) {
    if (buffer['uri'] === undefined && !(i === 0 && wasGlb)) {
      placeholders.push(buffer);
      moved.push({ buffer: placeholders.length, offset: 0 });
      continue;
    }
    const bytes = await file.buffer(i);
    const length = Number(buffer['byteLength'] ?? bytes.byteLength);
    if (bytes.byteLength < length)
      throw new Failure(
        EXIT.input,
        'import/buffer-too-short',
        `The buffer has ${bytes.byteLength} bytes of ${length}. Copy it again.`,
        {
          pointer: `/buffers/${i}`,
        },
      );
    moved.push({ buffer: 0, offset: binary.add(bytes.subarray(0, length)) });
  }
  const views = Array.isArray(json['bufferViews']) ? json['bufferViews'] : [];
  for (const view of objects(views)) {
    const extensions = isObject(view['extensions']) ? Object.values(view['extensions']) : [];
    for (const one of [view, ...extensions.filter(isObject)]) move(one, moved);
  }
  for (const [i, image] of (keepImages ? [] : images).entries()) {
    if (typeof image['uri'] !== 'string') continue;
    try {
      const bytes = await file.resource(image['uri']);
      const offset = binary.add(bytes);
      const type = mediaType(bytes);
      image['bufferView'] = views.push({ buffer: 0, byteOffset: offset, byteLength: bytes.byteLength }) - 1;
      if (type !== undefined) image['mimeType'] = type;
      delete image['uri'];
    } catch (error) {
      const { code = 'load/missing-resource', message } = error as { code?: string; message: string };
      kept.push({
        code,
        message: `The image “${String(image['uri']).slice(0, 200)}” stays a file of its own: ${withHint(message)}`,
        pointer: `/images/${i}/uri`,
      });
    }
  }
  if (views.length > 0) json['bufferViews'] = views;
  const all = binary.all();
  if (all.byteLength > 0 || placeholders.length > 0)
    json['buffers'] = [{ ...named(buffers, moved), byteLength: all.byteLength }, ...placeholders];
  const { writeGlb } = await import('gambol/gltf');
  return { glb: writeGlb(json, all), kept };
}

/** A glTF file and its buffer, from a GLB that {@link pack} has made. */
export interface Unpacked {
  readonly text: string;
  /** The bytes of the buffer, and its URI; undefined if it is in the JSON, or if there is none. */
  readonly buffer: { readonly uri: string; readonly bytes: Uint8Array } | undefined;
}

/** A `.gltf`, whose buffer is a file of the name `bufferName`, or a data URI without one. */
export async function unpack(bytes: Uint8Array, bufferName: string | undefined): Promise<Unpacked> {
  const { readGltf } = await import('gambol/gltf');
  const file = await readGltf(bytes);
  const json = structuredClone(file.json) as Json;
  const [first] = objects(json['buffers']);
  const binary = first && first['uri'] === undefined ? await file.buffer(0).catch(() => undefined) : undefined;
  if (!first || !binary) return { text: textOf(json), buffer: undefined };
  const own = binary.subarray(0, Number(first['byteLength'] ?? binary.byteLength));
  first['uri'] =
    bufferName === undefined
      ? `data:application/octet-stream;base64,${Buffer.from(own.buffer, own.byteOffset, own.byteLength).toString('base64')}`
      : encodeURIComponent(bufferName);
  return { text: textOf(json), buffer: bufferName === undefined ? undefined : { uri: bufferName, bytes: own } };
}

const textOf = (json: Json): string => `${JSON.stringify(json, null, 2)}\n`;

/** Name, extras and extensions of the only buffer that became the GLB's. */
function named(buffers: readonly Json[], moved: readonly { readonly buffer: number }[]): Json {
  const own = buffers.filter((_, i) => moved[i]?.buffer === 0);
  if (own.length !== 1) return {};
  const { uri: _, ...rest } = own[0] ?? {};
  return rest;
}

function move(view: Json, moved: readonly { readonly buffer: number; readonly offset: number }[]): void {
  const to = moved[view['buffer'] as number];
  if (!to) return;
  view['buffer'] = to.buffer;
  const offset = Number(view['byteOffset'] ?? 0) + to.offset;
  if (offset !== 0 || view['byteOffset'] !== undefined) view['byteOffset'] = offset;
}

/** Bytes one after the other, each aligned for every accessor. */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** Returns the offset. */
  add(bytes: Uint8Array): number {
    const padding = -this.#length & 3;
    if (padding > 0) this.#pieces.push(new Uint8Array(padding));
    const offset = this.#length + padding;
    this.#pieces.push(bytes);
    this.#length = offset + bytes.byteLength;
    return offset;
  }

  all(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.byteLength;
    }
    return all;
  }
}

const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/ktx2', /^\xabKTX 20\xbb/],
  ['image/avif', /^[\s\S]{4}ftypavi/],
];

function mediaType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
}
