// ZIP archives of sequences. This script is loaded for the first one.

import { Zip, ZipPassThrough } from 'fflate';

/** An archive of files that are compressed already. */
export function archive(): { add(name: string, bytes: Uint8Array): void; finish(): Blob } {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, part) => {
    failure ??= error;
    parts.push(part as Uint8Array<ArrayBuffer>);
  });
  return {
    add(name, bytes) {
      const file = new ZipPassThrough(name);
      // The same time in each archive, so that equal frames give equal files. ZIP begins in 1980.
      file.mtime = new Date(1980, 0, 1);
      zip.add(file);
      file.push(bytes, true);
      if (failure) throw failure;
    },
    finish() {
      zip.end();
      if (failure) throw failure;
      return new Blob(parts, { type: 'application/zip' });
    },
  };
}
