// Writes GLB files of meshes and clips that a page computes.

import { writeGlb } from 'gambol/gltf';

const TYPES: Readonly<Record<number, string>> = { 1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4' };

/** Collects accessors of one buffer. */
export class GlbWriter {
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds elements of `width` numbers; returns the index of the accessor. `integers`: of 16 bits, in place of floats. */
  add(numbers: ArrayLike<number>, width: number, integers = false): number {
    const data = integers ? Uint16Array.from(numbers) : Float32Array.from(numbers);
    const count = data.length / width;
    const column = (i: number): number[] => Array.from({ length: count }, (_, at) => data[at * width + i] ?? 0);
    const columns = Array.from({ length: width }, (_, i) => column(i));
    this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: data.byteLength });
    this.#accessors.push({
      bufferView: this.#views.length - 1,
      componentType: integers ? 5123 : 5126,
      count,
      type: TYPES[width],
      min: columns.map((all) => all.reduce((a, b) => Math.min(a, b), Infinity)),
      max: columns.map((all) => all.reduce((a, b) => Math.max(a, b), -Infinity)),
    });
    const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
    bytes.set(new Uint8Array(data.buffer));
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this.#accessors.length - 1;
  }

  /** The file with this content. */
  finish(content: object): Uint8Array<ArrayBuffer> {
    const binary = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      binary.set(part, at);
      at += part.length;
    }
    const buffers = [{ byteLength: this.#length }];
    return writeGlb(
      { asset: { version: '2.0' }, ...content, accessors: this.#accessors, bufferViews: this.#views, buffers },
      binary,
    );
  }
}
