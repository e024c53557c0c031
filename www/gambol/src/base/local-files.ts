// Files of the machine, which only Node reads; browsers have none to give.

interface Process {
  getBuiltinModule?(name: 'node:fs'): {
    promises: { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
  } | undefined;
}

/**
 * The bytes of a `file:` address in Node, undefined for anything else. No import names Node's modules, which bundlers would
 * look for in vain.
 */
export async function localFile(address: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const url = new URL(address, 'https://relative.invalid');
  return files(url)?.promises.readFile(url);
}

/** The reason why browsers refuse an address of the disk, and a remedy; undefined for other addresses. */
export function refusal(address: string | URL | undefined): string | undefined {
  if (!String(address).startsWith('file:')) return undefined;
  return 'browsers let no script read addresses of the disk (file:). Serve the folder over HTTP, for example with `npx serve`, and open that address.';
}

function files(url: URL): ReturnType<NonNullable<Process['getBuiltinModule']>> {
  if (url.protocol !== 'file:') return undefined;
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.('node:fs');
}
