// Local files, which can be read in Node only. It imports no module of Node, because bundlers could not resolve it.

/** The parts of Node's modules that are used here. */
interface Modules {
  'node:fs/promises': {
    readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
    readdir(path: string): Promise<string[]>;
    realpath(path: string): Promise<string>;
    stat(path: string): Promise<{ isFile(): boolean }>;
  };
  'node:path': {
    isAbsolute(path: string): boolean;
    join(...parts: string[]): string;
    relative(from: string, to: string): string;
  };
  'node:url': { fileURLToPath(url: string): string };
}

interface Process {
  getBuiltinModule?<Name extends keyof Modules>(name: Name): Modules[Name];
}

/** The files of this machine. */
export interface Disk {
  readonly files: Modules['node:fs/promises'];
  readonly paths: Modules['node:path'];
  /**
   * The path of a `file:` URL. A percent sign that begins no escape stands for itself, as in names that were not encoded.
   */
  pathOf(href: string): string;
}

/** The files of this machine in Node; undefined in browsers. */
export function disk(): Disk | undefined {
  const { process } = globalThis as { process?: Process };
  if (!process?.getBuiltinModule) return undefined;
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  return {
    files: process.getBuiltinModule('node:fs/promises'),
    paths: process.getBuiltinModule('node:path'),
    pathOf: (href) => fileURLToPath(href.replace(/%(?![\da-f]{2})/gi, '%25')),
  };
}

/** The bytes of a `file:` URL in Node; undefined, at once, for other URLs and in browsers. */
export function localFile(address: string | URL): Promise<Uint8Array<ArrayBuffer>> | undefined {
  const { href, protocol } = new URL(address, 'https://relative.invalid');
  const own = protocol === 'file:' ? disk() : undefined;
  if (!own) return undefined;
  // A name may hold `?` or `#`, although a URL of it should have escapes.
  const spelled = href.replaceAll('?', '%3F').replaceAll('#', '%23');
  const plain = href.replace(/[?#].*$/, '');
  const read = async (url: string): Promise<Uint8Array<ArrayBuffer>> => own.files.readFile(own.pathOf(url));
  return spelled === plain ? read(plain) : read(spelled).catch(() => read(plain));
}

/** An explanation why browsers refuse a `file:` URL, with a remedy; undefined for other URLs. */
export function refusal(address: string | URL | undefined): string | undefined {
  if (!String(address).startsWith('file:')) return undefined;
  return 'browsers do not let scripts read file: URLs. Serve the folder over HTTP, for example with `npx serve`, and open that URL.';
}
