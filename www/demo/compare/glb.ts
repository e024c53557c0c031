// Writes small GLB files, for generated cases.

const TYPES: Readonly<Record<number, string>> = { 1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4' };

/** Collects accessors of one buffer. */
export class GlbWriter {
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds elements of `width` numbers; returns the index of the accessor. */
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
    const text = JSON.stringify({
      asset: { version: '2.0' },
      ...content,
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ byteLength: this.#length }],
    });
    const json = new TextEncoder().encode(text.padEnd(Math.ceil(new TextEncoder().encode(text).length / 4) * 4, ' '));
    const file = new Uint8Array(12 + 8 + json.length + 8 + this.#length);
    const view = new DataView(file.buffer);
    const header = [0x46546c67, 2, file.length, json.length, 0x4e4f534a];
    for (const [i, value] of header.entries()) view.setUint32(4 * i, value, true);
    file.set(json, 20);
    view.setUint32(20 + json.length, this.#length, true);
    view.setUint32(24 + json.length, 0x004e4942, true);
    let at = 28 + json.length;
    for (const part of this.#parts) {
      file.set(part, at);
      at += part.length;
    }
    return file;
  }
}
