// Small generated glTF files with one feature each, seen head-on by their own camera: the specification determines the
// value of each pixel.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import type { T } from '../../page/api.ts';
import { picture } from './watch.ts';

/** Untyped JSON, for changes. */
export type Json = any;
export type Rgb = readonly [red: number, green: number, blue: number];

/** The width and height of the picture, in pixels. */
export const SIZE = 64;
const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/**
 * A builder of a file. Initially it has a camera at node 0 that shows x and y from -1 to 1, two metres in front of z =
 * 0.
 */
export class Scene {
  readonly json: Json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [] }],
    cameras: [{ type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0.1, zfar: 10 } }],
  };
  readonly #bytes: number[] = [];

  constructor() {
    this.node({ name: 'Eye', camera: 0, translation: [0, 0, 2] });
  }

  /** Adds to one of the file's lists; returns the index. */
  add(list: string, value: object): number {
    return (this.json[list] ??= []).push(value) - 1;
  }

  /** Adds a node to the scene. */
  node(value: object): number {
    const index = this.add('nodes', value);
    this.json.scenes[0].nodes.push(index);
    return index;
  }

  /** Adds an accessor of floats or of unsigned bytes. */
  accessor(type: string, values: readonly number[], bytes = false): number {
    const data = bytes ? Uint8Array.from(values) : new Uint8Array(Float32Array.from(values).buffer);
    while (this.#bytes.length % 4) this.#bytes.push(0);
    const bufferView = this.add('bufferViews', { buffer: 0, byteOffset: this.#bytes.length, byteLength: data.length });
    for (const byte of data) this.#bytes.push(byte);
    const width = COMPONENTS[type] ?? 1;
    const columns = Array.from({ length: width }, (_, i) => values.filter((_, at) => at % width === i));
    return this.add('accessors', {
      bufferView,
      componentType: bytes ? 5121 : 5126,
      count: values.length / width,
      type,
      min: columns.map((all) => Math.fround(all.reduce((a, b) => Math.min(a, b)))),
      max: columns.map((all) => Math.fround(all.reduce((a, b) => Math.max(a, b)))),
    });
  }

  /** Adds a buffer view of bytes. */
  view(bytes: Uint8Array): number {
    const index = this.add('bufferViews', { buffer: 0, byteOffset: this.#bytes.length, byteLength: bytes.length });
    for (const byte of bytes) this.#bytes.push(byte);
    return index;
  }

  /** Adds an accessor of 16-bit indices, for at most 65,535 vertices. */
  indices(values: readonly number[]): number {
    while (this.#bytes.length % 4) this.#bytes.push(0);
    const bufferView = this.add('bufferViews', {
      buffer: 0,
      byteOffset: this.#bytes.length,
      byteLength: 2 * values.length,
    });
    for (const value of values) this.#bytes.push(value & 255, value >> 8);
    return this.add('accessors', { bufferView, componentType: 5123, count: values.length, type: 'SCALAR' });
  }

  /**
   * Adds a mesh: the square from -1 to 1, its normals towards the camera; the texture's origin is the upper left
   * corner. `attributes` have four vertices each, from the lower left counter-clockwise; `primitive` is merged into the
   * primitive.
   */
  square(material: number, attributes: Readonly<Record<string, number>> = {}, primitive: object = {}): number {
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const;
    const bufferView = this.accessor('SCALAR', [0, 1, 2, 0, 2, 3], true);
    return this.add('meshes', {
      primitives: [
        {
          attributes: {
            POSITION: this.accessor(
              'VEC3',
              corners.flatMap(([x, y]) => [x, y, 0]),
            ),
            NORMAL: this.accessor(
              'VEC3',
              corners.flatMap(() => [0, 0, 1]),
            ),
            TEXCOORD_0: this.accessor(
              'VEC2',
              corners.flatMap(([x, y]) => [(x + 1) / 2, (1 - y) / 2]),
            ),
            ...attributes,
          },
          indices: bufferView,
          material,
          ...primitive,
        },
      ],
    });
  }

  /** Adds a matt dielectric material, grey or coloured. */
  matt(color: Rgb, more: object = {}): number {
    return this.add('materials', {
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 1 },
      ...more,
    });
  }

  /** Adds an unlit material. */
  unlit(color: Rgb, texture?: object): number {
    this.use('KHR_materials_unlit');
    return this.add('materials', {
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], ...(texture ? { baseColorTexture: texture } : {}) },
      extensions: { KHR_materials_unlit: {} },
    });
  }

  /** Adds a light, which is inactive until a node has `{ extensions: lit(index) }`. */
  light(value: object): number {
    this.use('KHR_lights_punctual');
    const { lights } = ((this.json.extensions ??= {}).KHR_lights_punctual ??= { lights: [] }) as { lights: object[] };
    return lights.push(value) - 1;
  }

  /** Adds a texture of 4 × 4 texels without filters, in the colours of {@link texel}. */
  texture(): number {
    const source = this.add('images', { uri: texels().toDataURL() });
    const sampler = this.add('samplers', { magFilter: 9728, minFilter: 9728 });
    return this.add('textures', { source, sampler });
  }

  /** Animates the target of a pointer: numbers by LINEAR, and booleans, as bytes, by STEP. */
  animate(pointer: string, type: string, times: readonly number[], values: readonly number[], bytes = false): void {
    this.use('KHR_animation_pointer');
    const input = this.accessor('SCALAR', times);
    const output = this.accessor(type, values, bytes);
    this.add('animations', {
      samplers: [{ input, output, interpolation: bytes ? 'STEP' : 'LINEAR' }],
      channels: [{ sampler: 0, target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } }],
    });
  }

  use(extension: string): void {
    const used = (this.json.extensionsUsed ??= []) as string[];
    if (!used.includes(extension)) used.push(extension);
  }

  file(): Blob {
    const text = this.#bytes.reduce((all, byte) => all + String.fromCharCode(byte), '');
    const uri = `data:application/octet-stream;base64,${btoa(text)}`;
    const buffers = [{ byteLength: this.#bytes.length, uri }];
    return new Blob([JSON.stringify({ ...this.json, buffers })], { type: 'model/gltf+json' });
  }

  glb(): Uint8Array<ArrayBuffer> {
    return glb({ ...this.json, buffers: [{ byteLength: this.#bytes.length }] }, this.#bytes);
  }
}

/** A GLB of JSON and a binary chunk. */
function glb(json: object, bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const [first, second] = [text.length, bytes.length].map((length) => (length + 3) & ~3) as [number, number];
  const file = new Uint8Array(28 + first + second).fill(0x20, 20 + text.length, 20 + first);
  const view = new DataView(file.buffer);
  const header = [0x46546c67, 2, file.length, first, 0x4e4f534a];
  for (const [i, number] of header.entries()) view.setUint32(4 * i, number, true);
  file.set(text, 20);
  view.setUint32(20 + first, second, true);
  view.setUint32(24 + first, 0x004e4942, true);
  file.set(bytes, 28 + first);
  return file;
}

/** The extensions of a node that has a light. */
export function lit(light: number): object {
  return { KHR_lights_punctual: { light } };
}

/** The colour of a texel of {@link Scene.texture}: 16 distinct colours. */
export function texel(column: number, row: number): Rgb {
  return [column * 85, row * 85, (column ^ row) & 1 ? 200 : 40];
}

/** A canvas of 4 × 4 pixels in the colours of {@link texel}. */
export function texels(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 4, height: 4 });
  const context = canvas.getContext('2d');
  for (let i = 0; i < 16; i++) {
    if (context) context.fillStyle = `rgb(${texel(i % 4, i >> 2).join()})`;
    context?.fillRect(i % 4, i >> 2, 1, 1);
  }
  return canvas;
}

/** A viewer with the scene through its first camera; fails on warnings. */
export async function through(t: T, scene: Scene, options: ViewerOptions = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1], ...options });
  await viewer.load(scene.file());
  t.equal(viewer.warnings, [], 'warnings');
  viewer.activeCamera = 0;
  return viewer;
}

/** The current picture, addressed by positions in the plane z = 0. */
export async function seen(t: T, viewer: Viewer): Promise<Seen> {
  return new Seen(await picture(t, viewer));
}

export class Seen {
  constructor(readonly image: ImageData) {}

  /** The colour of the pixel at a position, 0 … 255. */
  at(x: number, y: number): Rgb {
    const { data, width, height } = this.image;
    const i = 4 * (Math.floor(((1 - y) / 2) * height) * width + Math.floor(((x + 1) / 2) * width));
    return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0];
  }

  /** The same, but the exact colour of a texel of {@link Scene.texture} in the place of one next to it: drivers round differently. */
  texel(x: number, y: number): Rgb {
    const at = this.at(x, y);
    const isNear = (rgb: Rgb): boolean => rgb.every((value, i) => Math.abs(value - (at[i] ?? 0)) <= 1);
    for (let i = 0; i < 16; i++) {
      const rgb = texel(i % 4, i >> 2);
      if (isNear(rgb)) return rgb;
    }
    return at;
  }

  /** `true` if the pixel is not black. */
  covered(x: number, y: number): boolean {
    return Math.max(...this.at(x, y)) > 20;
  }
}

/** The centres of all pixels. */
export function* places(step = 1): Generator<readonly [x: number, y: number]> {
  for (let i = 0; i < SIZE; i += step) {
    for (let j = 0; j < SIZE; j += step) yield [(2 * i + 1) / SIZE - 1, 1 - (2 * j + 1) / SIZE];
  }
}
