// Counts the calls to WebGL at its prototypes, independent of the caller.

type Method = (this: unknown, ...values: any[]) => unknown;

export interface Upload {
  /** Bytes of buffers, textures and uniforms. */
  bytes: number;
  /** Draw calls; a multi-draw counts as one. */
  calls: number;
  /** The number of draws: each draw of a multi-draw and each instance counts. */
  draws: number;
}

const COMPONENTS: Readonly<Record<number, number>> = {
  0x1903: 1,
  0x8d94: 1,
  0x8227: 2,
  0x8228: 2,
  0x1907: 3,
  0x8d98: 3,
  0x1908: 4,
  0x8d99: 4,
  0x1902: 1,
  0x1906: 1,
  0x1909: 1,
  0x190a: 2,
};
/** Bytes of a component, or of a whole pixel for packed types. */
const TYPES: Readonly<Record<number, number>> = {
  0x1400: 1,
  0x1401: 1,
  0x1402: 2,
  0x1403: 2,
  0x1404: 4,
  0x1405: 4,
  0x1406: 4,
  0x140b: 2,
};
const PACKED: Readonly<Record<number, number>> = {
  0x8033: 2,
  0x8034: 2,
  0x8363: 2,
  0x8368: 4,
  0x8c3b: 4,
  0x8c3e: 4,
  0x84fa: 4,
};

function pixels(width: number, height: number, depth: number, format: number, type: number): number {
  return width * height * depth * (PACKED[type] ?? (COMPONENTS[format] ?? 4) * (TYPES[type] ?? 1));
}

/** The number of bytes that are uploaded of a list or view: all, or `length` elements from `offset`. */
function part(data: any, offset = 0, length = 0): number {
  const size = data.BYTES_PER_ELEMENT ?? (ArrayBuffer.isView(data) || data instanceof ArrayBuffer ? 1 : 4);
  const all = data.length ?? data.byteLength / size;
  return (length || all - offset) * size;
}

/**
 * The number of bytes that a call uploads, by its name. Textures that are copied on the GPU, and sizes without data,
 * upload none.
 */
function sent(name: string, values: any[]): number {
  switch (name) {
    case 'bufferData':
      return typeof values[1] === 'number' || values[1] === null ? 0 : part(values[1], values[3], values[4]);
    case 'bufferSubData':
      return part(values[2], values[3], values[4]);
    case 'texSubImage2D':
      // The short form has an image argument.
      if (values.length < 9) return pixels(values[6].width, values[6].height, 1, values[4], values[5]);
      return typeof values[8] === 'number' ? 0 : pixels(values[4], values[5], 1, values[6], values[7]);
    case 'texImage2D':
      if (values.length < 9) return pixels(values[5].width, values[5].height, 1, values[3], values[4]);
      return typeof values[8] === 'number' || values[8] === null
        ? 0
        : pixels(values[3], values[4], 1, values[6], values[7]);
    case 'texSubImage3D':
      return typeof values[10] === 'number' ? 0 : pixels(values[5], values[6], values[7], values[8], values[9]);
    case 'texImage3D':
      return typeof values[9] === 'number' || values[9] === null
        ? 0
        : pixels(values[3], values[4], values[5], values[7], values[8]);
  }
  if (/^uniformMatrix/.test(name)) return part(values[2], values[3], values[4]);
  if (/^uniform\d.*v$/.test(name)) return part(values[1], values[2], values[3]);
  if (/^uniform\d/.test(name)) return 4 * (values.length - 1);
  return 0;
}

/** The number of instances that a call draws; undefined if it is not a draw call. */
function drawn(name: string, values: any[]): number | undefined {
  switch (name) {
    case 'drawArrays':
    case 'drawElements':
    case 'drawRangeElements':
      return 1;
    case 'drawArraysInstanced':
      return values[3];
    case 'drawElementsInstanced':
      return values[4];
    case 'multiDrawArraysWEBGL':
      return values[5];
    case 'multiDrawElementsWEBGL':
      return values[6];
    // The lists of instance counts precede the number of draws.
    case 'multiDrawArraysInstancedWEBGL':
      return sum(values[5], values[6], values[7]);
    case 'multiDrawElementsInstancedWEBGL':
      return sum(values[6], values[7], values[8]);
    case 'drawArraysInstancedBaseInstanceWEBGL':
      return values[3];
    case 'drawElementsInstancedBaseVertexBaseInstanceWEBGL':
      return values[4];
    default:
      return undefined;
  }
}

function sum(list: ArrayLike<number>, offset: number, count: number): number {
  return Array.from({ length: count }, (_, i) => list[offset + i] ?? 0).reduce((a, b) => a + b, 0);
}

/** Extensions that draw. */
const EXTENSIONS = [
  'WEBGL_multi_draw',
  'WEBGL_draw_instanced_base_vertex_base_instance',
  'WEBGL_multi_draw_instanced_base_vertex_base_instance',
];

/** Counts uploads and draw calls while `what` runs. */
export function upload(what: () => void): Upload {
  const found: Upload = { bytes: 0, calls: 0, draws: 0 };
  const gl = document.createElement('canvas').getContext('webgl2');
  const extensions = EXTENSIONS.flatMap((name) => gl?.getExtension(name) ?? []).map((extension) =>
    Object.getPrototypeOf(extension),
  );
  const undo: (() => void)[] = [];
  for (const prototype of [WebGL2RenderingContext.prototype, ...extensions] as Record<string, Method>[]) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      if (
        typeof value !== 'function' ||
        !/^(buffer(Sub)?Data|tex(Sub)?Image|uniform(Matrix)?\d|multiDraw|draw(Arrays|Elements|Range))/.test(name)
      )
        continue;
      prototype[name] = function (...values) {
        found.bytes += sent(name, values);
        const draws = drawn(name, values);
        if (draws !== undefined) [found.calls, found.draws] = [found.calls + 1, found.draws + draws];
        return value.apply(this, values);
      };
      undo.push(() => {
        prototype[name] = value;
      });
    }
  }
  try {
    what();
  } finally {
    for (const one of undo) one();
  }
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return found;
}
