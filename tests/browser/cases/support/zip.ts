// Generated ZIP archives, valid and invalid.

export interface ZipPart {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Deflated if `true`; otherwise stored. */
  readonly deflate?: boolean;
  /** Sizes and checksum follow the data, as in a streamed archive: the local header has zeros. */
  readonly streamed?: boolean;
  /** Sizes and offset are in a Zip64 field. */
  readonly wide?: boolean;
  /** Values that replace the correct ones. */
  readonly flags?: number;
  readonly method?: number;
  readonly checksum?: number;
  readonly size?: number;
}

const TABLE = Array.from({ length: 16 }, (_, half) => {
  let value = half;
  for (let bit = 0; bit < 4; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 by half bytes, a different algorithm from the package's. */
function crc32(bytes: Uint8Array): number {
  let value = ~0;
  for (const byte of bytes) {
    value = (value >>> 4) ^ (TABLE[(value ^ byte) & 15] ?? 0);
    value = (value >>> 4) ^ (TABLE[(value ^ (byte >>> 4)) & 15] ?? 0);
  }
  return ~value >>> 0;
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Little-endian numbers, each with its width in bytes. */
function record(...fields: readonly (readonly [value: number, width: 2 | 4 | 8])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, width] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += width;
  }
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

export async function zip(parts: readonly ZipPart[], comment = ''): Promise<Uint8Array<ArrayBuffer>> {
  const out: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const packed = part.deflate ? await deflated(part.bytes) : part.bytes;
    const name = new TextEncoder().encode(part.path);
    const flags = part.flags ?? (part.streamed ? 0x808 : 0x800);
    const method = part.method ?? (part.deflate ? 8 : 0);
    const [checksum, size] = [part.checksum ?? crc32(part.bytes), part.size ?? part.bytes.byteLength];
    const local = [
      part.streamed ? 0 : checksum,
      part.streamed ? 0 : packed.byteLength,
      part.streamed ? 0 : size,
    ] as const;
    const begin = joined([
      record(
        [0x04034b50, 4],
        [20, 2],
        [flags, 2],
        [method, 2],
        [0, 4],
        [local[0], 4],
        [local[1], 4],
        [local[2], 4],
        [name.byteLength, 2],
        [4, 2],
      ),
      name,
      // A field that the central directory does not have.
      record([0x7777, 2], [0, 2]),
      packed,
      part.streamed ? record([0x08074b50, 4], [checksum, 4], [packed.byteLength, 4], [size, 4]) : new Uint8Array(),
    ]);
    const extra = part.wide
      ? record([1, 2], [24, 2], [size, 8], [packed.byteLength, 8], [offset, 8])
      : new Uint8Array();
    const narrow = (value: number): number => (part.wide ? 0xffffffff : value);
    central.push(
      record(
        [0x02014b50, 4],
        [20, 2],
        [20, 2],
        [flags, 2],
        [method, 2],
        [0, 4],
        [checksum, 4],
        [narrow(packed.byteLength), 4],
        [narrow(size), 4],
        [name.byteLength, 2],
        [extra.byteLength, 2],
        [3, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [narrow(offset), 4],
      ),
      name,
      extra,
      new TextEncoder().encode('???'),
    );
    out.push(begin);
    offset += begin.byteLength;
  }
  const directory = joined(central);
  const words = new TextEncoder().encode(comment);
  const end = record(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [parts.length, 2],
    [parts.length, 2],
    [directory.byteLength, 4],
    [offset, 4],
    [words.byteLength, 2],
  );
  return joined([...out, directory, end, words]);
}
