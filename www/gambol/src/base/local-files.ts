// Local files, which can be read in Node only. It imports no module of Node, because bundlers could not resolve it.

/** The parts of Node's modules that are used here. */
export interface NodeModules {
  'node:fs/promises': {
    readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
    readdir(path: string): Promise<string[]>;
    realpath(path: string): Promise<string>;
    stat(path: string): Promise<{ isFile(): boolean }>;
  };
  'node:path': {
    basename(path: string): string;
    isAbsolute(path: string): boolean;
    join(...parts: string[]): string;
    relative(from: string, to: string): string;
  };
  'node:url': { fileURLToPath(url: string): string };
}

interface Process {
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined;
}

/** A module of Node; undefined in browsers. */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);
}

/**
 * The path of a `file:` URL in Node; undefined in browsers. A percent sign that begins no escape stands for itself, as in names that
 * were not encoded.
 */
export function pathOfUrl(href: string): string | undefined {
  return nodeModule('node:url')?.fileURLToPath(href.replace(/%(?![\da-f]{2})/gi, '%25'));
}

/** The bytes of a `file:` URL in Node; undefined for other URLs and in browsers. */
export async function localFile(address: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { href, protocol } = new URL(address, 'https://relative.invalid');
  const files = protocol === 'file:' ? nodeModule('node:fs/promises') : undefined;
  if (!files) return undefined;
  // A name may hold `?` or `#`, although a URL of it should have escapes.
  const spelled = href.replaceAll('?', '%3F').replaceAll('#', '%23');
  const plain = href.replace(/[?#].*$/, '');
  const read = (url: string): Promise<Uint8Array<ArrayBuffer>> => files.readFile(pathOfUrl(url) ?? '');
  return spelled === plain ? read(plain) : read(spelled).catch(() => read(plain));
}

/** An explanation why browsers refuse a `file:` URL, with a remedy; undefined for other URLs. */
export function refusal(address: string | URL | undefined): string | undefined {
  if (!String(address).startsWith('file:')) return undefined;
  return 'browsers do not let scripts read file: URLs. Serve the folder over HTTP, for example with `npx serve`, and open that URL.';
}
