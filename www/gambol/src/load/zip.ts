// The reader of ZIP archives. Specification: PKWARE APPNOTE.TXT 6.3.10. A separate script, loaded lazily when an archive is
// opened.
//
// It imports nothing of the main script, because bundling would move shared code to a third script that every page must load. So
// its errors are plain `Error`s with a `code`.

/** The limits of an archive; one that exceeds them fails with `load/too-large`. */
export interface ArchiveLimits {
  /** The upper limit of files. */
  readonly files: number;
  /** The upper limit of unpacked bytes of all files that are read. */
  readonly bytes: number;
}

/** A file in an archive. */
export interface ArchiveFile {
  readonly path: string;
  /** The unpacked size in bytes that the archive declares. */
  readonly size: number;
}

interface Entry extends ArchiveFile {
  readonly packedSize: number;
  /** The offset of its local header. */
  readonly offset: number;
  readonly method: number;
  readonly flags: number;
  readonly checksum: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** The placeholder for a number that is in a Zip64 field. */
const WIDE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

type ArchiveCode = 'load/archive-broken' | 'load/archive-unsupported' | 'load/too-large';

class ArchiveError extends Error {
  readonly code: ArchiveCode;

  constructor(code: ArchiveCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * An archive whose central directory was read. Names, sizes and offsets are those of the central directory.
 *
 * Files with paths outside the archive (absolute, with a drive, or with `..`) are skipped, and so are the metadata files of
 * macOS.
 */
export class Archive {
  readonly files: ReadonlyMap<string, ArchiveFile>;
  /** Paths of skipped files that are outside the archive. */
  readonly outside: readonly string[];
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  readonly #limits: ArchiveLimits;
  readonly #read = new Set<ArchiveFile>();
  #total = 0;

  /** `name` is for messages. Throws errors with the codes `load/archive-broken`, `load/archive-unsupported` and `load/too-large`. */
  constructor(bytes: Uint8Array, name: string, limits: ArchiveLimits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
    this.#limits = limits;
    const files = new Map<string, Entry>();
    const outside: string[] = [];
    for (const entry of this.#entries()) {
      const parts = entry.path.split('/');
      if (entry.path.endsWith('/') || parts[0] === '__MACOSX' || parts.at(-1)?.startsWith('._')) continue;
      if (/^\/|^[a-z]:|\0/i.test(entry.path) || parts.includes('..')) outside.push(entry.path);
      else files.set(entry.path, entry);
    }
    this.files = files;
    this.outside = outside;
  }

  /** Unpacks a file of {@link files}, and checks its size and checksum. */
  async read(file: ArchiveFile, signal: AbortSignal): Promise<Uint8Array> {
    const entry = file as Entry;
    this.#countBytes(entry);
    if (entry.flags & 1)
      throw new ArchiveError(
        'load/archive-unsupported',
        `The file “${entry.path}” in ${this.#name} is encrypted. Unpack the archive with its password, and open the folder.`,
      );
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw new ArchiveError(
        'load/archive-unsupported',
        `The file “${entry.path}” in ${this.#name} is compressed with method ${entry.method}. Pack the archive again with deflate, or unpack it and open the folder.`,
      );
    }
    const packed = new Blob([this.#packed(entry)]).stream();
    const unpacked = entry.method === STORED ? packed : packed.pipeThrough(inflater(this.#name));
    const reader = unpacked.getReader();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let [size, checksum] = [0, 0];
    try {
      for (;;) {
        const { done, value } = await reader.read();
        signal.throwIfAborted();
        if (done) break;
        pieces.push(value);
        size += value.byteLength;
        if (size > entry.size) throw this.#broken(`The file “${entry.path}” is larger than its declared size`);
        checksum = crc32(value, checksum);
      }
    } catch (error) {
      void reader.cancel().catch(() => undefined);
      signal.throwIfAborted();
      throw error instanceof ArchiveError ? error : this.#broken(`The file “${entry.path}” cannot be unpacked`, error);
    }
    if (size !== entry.size) throw this.#broken(`The file “${entry.path}” is smaller than its declared size`);
    if (checksum !== entry.checksum) throw this.#broken(`The checksum of “${entry.path}” is wrong`);
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /** Counts the size of a file against the limit, once per file. */
  #countBytes(entry: Entry): void {
    if (this.#read.has(entry)) return;
    const total = this.#total + entry.size;
    if (total > this.#limits.bytes) {
      throw new ArchiveError(
        'load/too-large',
        `The files in ${this.#name} unpack to more than ${Math.floor(this.#limits.bytes / 2 ** 20)} MiB, the limit for an archive of its size. Unpack it and open the folder.`,
      );
    }
    this.#total = total;
    this.#read.add(entry);
  }

  /** The packed bytes of an entry. */
  #packed(entry: Entry): Uint8Array<ArrayBuffer> {
    this.#checkRecord(entry.offset, 30, LOCAL);
    const begin =
      entry.offset + 30 + this.#view.getUint16(entry.offset + 26, true) + this.#view.getUint16(entry.offset + 28, true);
    const end = begin + entry.packedSize;
    if (end > this.#bytes.byteLength) throw this.#broken(`The file “${entry.path}” is cut off`);
    return new Uint8Array(this.#bytes.subarray(begin, end));
  }

  /** The central directory, entry by entry. */
  *#entries(): Generator<Entry> {
    const view = this.#view;
    let { at, count } = this.#directory();
    if (count > this.#limits.files)
      throw new ArchiveError(
        'load/too-large',
        `The archive ${this.#name} has ${count} files, more than the limit of ${this.#limits.files}. Pack only the files of the model.`,
      );
    for (; count > 0; count--) {
      this.#checkRecord(at, 46, CENTRAL);
      const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
      const end = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
      if (end > this.#bytes.byteLength) throw this.#broken('Its central directory is cut off');
      const name = this.#bytes.subarray(at + 46, at + 46 + nameLength);
      const wide = this.#zip64Reader(at, nameLength, extraLength);
      yield {
        // Some tools on Windows write backslashes.
        path: decodedName(name).replaceAll('\\', '/'),
        flags: view.getUint16(at + 8, true),
        method: view.getUint16(at + 10, true),
        checksum: view.getUint32(at + 16, true),
        size: wide(view.getUint32(at + 24, true)),
        packedSize: wide(view.getUint32(at + 20, true)),
        offset: wide(view.getUint32(at + 42, true)),
      };
      at = end;
    }
  }

  /** Returns a function that replaces placeholder numbers of an entry by those of its Zip64 field, in order. */
  #zip64Reader(entry: number, nameLength: number, extraLength: number): (number: number) => number {
    let at = entry + 46 + nameLength;
    const end = at + extraLength;
    let last = at;
    while (at + 4 <= end) {
      const [id, length] = [this.#view.getUint16(at, true), this.#view.getUint16(at + 2, true)];
      at += 4;
      last = Math.min(at + length, end);
      if (id === 1) break;
      at = last;
    }
    return (number) => {
      if (number !== WIDE) return number;
      if (at + 8 > last) throw this.#broken('A Zip64 number of its central directory is missing');
      at += 8;
      return this.#u64(at - 8);
    };
  }

  /** The offset of the central directory, and the number of its entries. */
  #directory(): { at: number; count: number } {
    const view = this.#view;
    const end = this.#endRecord();
    if (view.getUint16(end + 4, true) !== view.getUint16(end + 6, true)) {
      throw new ArchiveError(
        'load/archive-unsupported',
        `The archive ${this.#name} is one part of a split archive. Join the parts, or unpack them and open the folder.`,
      );
    }
    const [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
    const locator = end - 20;
    if ((count === 0xffff || at === WIDE) && locator >= 0 && view.getUint32(locator, true) === END_64_LOCATOR) {
      const record = this.#u64(locator + 8);
      this.#checkRecord(record, 56, END_64);
      return { count: this.#u64(record + 32), at: this.#u64(record + 48) };
    }
    return { count, at };
  }

  /** The offset of the end record, which a comment may follow. */
  #endRecord(): number {
    const length = this.#bytes.byteLength;
    for (let at = length - 22; at >= Math.max(0, length - 22 - 0xffff); at--) {
      if (this.#view.getUint32(at, true) === END && at + 22 + this.#view.getUint16(at + 20, true) <= length) return at;
    }
    throw this.#broken('Its central directory was not found; the file may be cut off');
  }

  #u64(at: number): number {
    const number = this.#view.getBigUint64(at, true);
    if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#broken('A number of its central directory is too large');
    return Number(number);
  }

  /** Throws unless a record with this signature is within the archive. */
  #checkRecord(at: number, length: number, signature: number): void {
    if (at + length > this.#bytes.byteLength || this.#view.getUint32(at, true) !== signature)
      throw this.#broken('Its central directory is invalid');
  }

  #broken(reason: string, cause?: unknown): ArchiveError {
    return new ArchiveError(
      'load/archive-broken',
      `The archive ${this.#name} is damaged. ${reason}. Copy or pack it again.`,
      cause,
    );
  }
}

function inflater(name: string): DecompressionStream {
  try {
    return new DecompressionStream('deflate-raw');
  } catch (error) {
    throw new ArchiveError(
      'load/archive-unsupported',
      `This browser cannot unpack ${name}. Unpack it and open the folder.`,
      error,
    );
  }
}

/** Decodes a name: UTF-8, which current tools write, or else one byte per character. */
function decodedName(name: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(name);
  } catch {
    return new TextDecoder('latin1').decode(name);
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Continues the CRC-32 checksum `before` with more bytes. */
function crc32(bytes: Uint8Array, before: number): number {
  let value = ~before;
  for (let i = 0; i < bytes.length; i++) value = (value >>> 8) ^ (CRC_TABLE[(value ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  return ~value >>> 0;
}
