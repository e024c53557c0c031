// Files of the machine, which only Node reads; browsers have none to give.

interface Process {
  getBuiltinModule?(name: 'node:fs/promises'): { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> } | undefined;
}

/**
 * The bytes of a `file:` address in Node, undefined for anything else. No import names Node's modules, which bundlers would
 * look for in vain.
 */
export async function localFile(address: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const url = new URL(address, 'https://relative.invalid');
  if (url.protocol !== 'file:') return undefined;
  const { process } = globalThis as { process?: Process };
  return process?.getBuiltinModule?.('node:fs/promises')?.readFile(url);
}
