// Local files, which can be read in Node only.

interface Process {
  getBuiltinModule?(name: 'node:fs'):
    | {
        promises: { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
      }
    | undefined;
}

/**
 * The bytes of a `file:` URL in Node; undefined for other URLs and in browsers. It imports no module of Node, because bundlers
 * could not resolve it.
 */
export async function localFile(address: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const url = new URL(address, 'https://relative.invalid');
  return files(url)?.promises.readFile(url);
}

/** An explanation why browsers refuse a `file:` URL, with a remedy; undefined for other URLs. */
export function refusal(address: string | URL | undefined): string | undefined {
  if (!String(address).startsWith('file:')) return undefined;
  return 'browsers do not let scripts read file: URLs. Serve the folder over HTTP, for example with `npx serve`, and open that URL.';
}

function files(url: URL): ReturnType<NonNullable<Process['getBuiltinModule']>> {
  if (url.protocol !== 'file:') return undefined;
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.('node:fs');
}
