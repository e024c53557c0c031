// A model small enough for a test: a red square that slides to the right.

export interface ModelOptions {
  /** Clips by name and duration in seconds; in each the square slides from x = 0 to x = 1. */
  clips?: [name: string, duration: number][];
  /** The `extras` of the first clip. */
  extras?: object;
  /** The name of the node. */
  node?: string;
  /** The URI of the buffer; by default it is embedded. */
  bufferUri?: string;
  /** The URI of an external texture. */
  imageUri?: string;
}

export interface TestModel {
  json: object;
  bin: Uint8Array<ArrayBuffer>;
  gltf: Blob;
  glb: Uint8Array<ArrayBuffer>;
}

const DEFAULT_CLIPS: [string, number][] = [
  ['Slide', 2],
  ['Short', 0.15],
  ['Slide', 1],
];

export function model(options: ModelOptions = {}): TestModel {
  const clips = options.clips ?? DEFAULT_CLIPS;
  const data: number[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const floats = (values: number[], type: string, width: number): number => {
    bufferViews.push({ buffer: 0, byteOffset: data.length * 4, byteLength: values.length * 4 });
    const column = (i: number): number[] => values.filter((_, at) => at % width === i);
    const columns = Array.from({ length: width }, (_, i) => column(i));
    accessors.push({
      bufferView: bufferViews.length - 1,
      componentType: 5126,
      count: values.length / width,
      type,
      min: columns.map((all) => Math.min(...all)),
      max: columns.map((all) => Math.max(...all)),
    });
    data.push(...values);
    return accessors.length - 1;
  };

  const corners = [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1];
  const position = floats(
    corners.flatMap((_, i) => (i % 2 ? [] : [corners[i] ?? 0, corners[i + 1] ?? 0, 0])),
    'VEC3',
    3,
  );
  const texcoord = floats(corners, 'VEC2', 2);
  const output = floats([0, 0, 0, 1, 0, 0], 'VEC3', 3);
  const animations = clips.map(([name, duration], i) => ({
    name,
    ...(i === 0 && options.extras ? { extras: options.extras } : {}),
    samplers: [{ input: floats([0, duration], 'SCALAR', 1), output }],
    channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
  }));

  const bin = new Uint8Array(Float32Array.from(data).buffer);
  const texture =
    options.imageUri === undefined ? {} : { textures: [{ source: 0 }], images: [{ uri: options.imageUri }] };
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, ...(options.node === undefined ? {} : { name: options.node }) }],
    meshes: [{ primitives: [{ attributes: { POSITION: position, TEXCOORD_0: texcoord }, material: 0 }] }],
    materials: [
      {
        doubleSided: true,
        emissiveFactor: [0.8, 0, 0],
        pbrMetallicRoughness: {
          baseColorFactor: [1, 0, 0, 1],
          metallicFactor: 0,
          ...(options.imageUri === undefined ? {} : { baseColorTexture: { index: 0 } }),
        },
      },
    ],
    ...texture,
    ...(animations.length === 0 ? {} : { animations }),
    accessors,
    bufferViews,
    buffers: [{ byteLength: bin.byteLength, uri: options.bufferUri ?? dataUrl(bin) }],
  };
  const gltf = new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
  return { json, bin, gltf, glb: glb({ ...json, buffers: [{ byteLength: bin.byteLength }] }, bin) };
}

/** A binary container: header, JSON chunk, binary chunk. */
function glb(json: object, bin: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(12 + 8 + padded + 8 + bin.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, padded, 0x4e4f534a].forEach((value, i) => view.setUint32(i * 4, value, true));
  bytes.fill(0x20, 20, 20 + padded).set(text, 20);
  view.setUint32(20 + padded, bin.length, true);
  view.setUint32(24 + padded, 0x004e4942, true);
  bytes.set(bin, 28 + padded);
  return bytes;
}

function dataUrl(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`;
}

/** An image of one colour. */
export async function png(size = 2, colour = '#0f0'): Promise<Blob> {
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2D context');
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  return canvas.convertToBlob();
}
