// A mesh with vertex colours, and its glTF file.

export type Rgba = readonly [r: number, g: number, b: number, a: number];

/** Triangles with a linear colour at each vertex. With normals the light falls on them; without they are unlit, and only shadows fall. */
export class ColoredMesh {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #colors: number[] = [];
  readonly #indices: number[] = [];

  /** Adds a vertex, and returns its index. All vertices have normals, or none. */
  vertex(position: readonly number[], color: Rgba, normal: readonly number[] = []): number {
    this.#positions.push(...position);
    this.#normals.push(...normal);
    this.#colors.push(...color);
    return this.#positions.length / 3 - 1;
  }

  triangles(...indices: readonly number[]): void {
    this.#indices.push(...indices);
  }

  /** The file, with a node of this name. */
  file(name: string): Blob {
    const columns: [attribute: string, type: string, values: Float32Array | Uint32Array][] = [
      ['POSITION', 'VEC3', new Float32Array(this.#positions)],
      ['COLOR_0', 'VEC4', new Float32Array(this.#colors)],
    ];
    const lit = this.#normals.length > 0;
    if (lit) columns.push(['NORMAL', 'VEC3', new Float32Array(this.#normals)]);
    const attributes = Object.fromEntries(columns.map(([attribute], i) => [attribute, i]));
    columns.push(['', 'SCALAR', new Uint32Array(this.#indices)]);
    const bytes = columns.map(([, , { buffer }]) => new Uint8Array(buffer));
    const lengths = bytes.map(({ byteLength }) => byteLength);
    const along = (axis: number): number[] => this.#positions.filter((_, i) => i % 3 === axis);
    const extremes = (of: (a: number, b: number) => number): number[] =>
      [0, 1, 2].map((axis) => along(axis).reduce((a, b) => of(a, b)));
    const json = {
      asset: { version: '2.0' },
      ...(lit ? {} : { extensionsUsed: ['KHR_materials_unlit'] }),
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name, mesh: 0 }],
      meshes: [{ primitives: [{ attributes, indices: columns.length - 1, material: 0 }] }],
      materials: [
        lit
          ? { alphaMode: 'BLEND', pbrMetallicRoughness: { metallicFactor: 0 } }
          : { alphaMode: 'BLEND', extensions: { KHR_materials_unlit: {} } },
      ],
      buffers: [{ byteLength: lengths.reduce((a, b) => a + b), uri: dataUrl(bytes) }],
      bufferViews: lengths.map((byteLength, i) => ({
        buffer: 0,
        byteLength,
        byteOffset: lengths.slice(0, i).reduce((a, b) => a + b, 0),
      })),
      accessors: columns.map(([attribute, type, values], bufferView) => ({
        bufferView,
        componentType: values instanceof Uint32Array ? 5125 : 5126,
        count: type === 'SCALAR' ? values.length : this.#positions.length / 3,
        type,
        ...(attribute === 'POSITION' ? { min: extremes(Math.min), max: extremes(Math.max) } : {}),
      })),
    };
    return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
  }
}

function dataUrl(parts: readonly Uint8Array[]): string {
  let text = '';
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte);
  return `data:application/octet-stream;base64,${btoa(text)}`;
}
