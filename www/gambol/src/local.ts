// Files of the machine, which only Node reads; browsers have none to give.

interface Process {
  getBuiltinModule?(name: 'node:fs'): {
    promises: { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
    readFileSync(path: URL): Uint8Array<ArrayBuffer>;
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

/** The same at once. */
export function fileNow(url: URL): Uint8Array<ArrayBuffer> | undefined {
  return files(url)?.readFileSync(url);
}

function files(url: URL): ReturnType<NonNullable<Process['getBuiltinModule']>> {
  if (url.protocol !== 'file:') return undefined;
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.('node:fs');
}
