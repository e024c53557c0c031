// The server of a render: the package, the model and a small page, for this machine only.

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure } from '../base/failure.ts';

/** A message of the page, as parsed JSON. */
export type Message = Readonly<Record<string, unknown>>;

/** The answers to the page. */
export interface Handlers {
  /** The next job, when there is one; undefined if there will be no more. */
  next(): Promise<object | undefined>;
  /** The bytes of a file that a job names. */
  file(name: string): Uint8Array | undefined;
  /** The page has a result; the next one follows when the promise resolves. */
  result(name: string, bytes: Uint8Array): Promise<void>;
  /** The page says something: `progress`, `warning`, `done`, `failed`. */
  message(name: string, body: Message): void;
}

export interface Server {
  /** The address of the page, which is served once. */
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.glb': 'model/gltf-binary',
};
/** The most bytes of one result. */
const MAX_RESULT = 2 ** 31 - 1;
const MESSAGES = ['progress', 'warning', 'done', 'failed'];

/**
 * Serves the scripts beside this one, and what the handlers have. The path has a secret, which no other page and no other user
 * knows. A request that is not the page's own never ends the work.
 */
export async function serve(handlers: Handlers): Promise<Server> {
  const [secret, nonce] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const prefix = `/${secret}/`;
  let [host, isOpened] = ['', false];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '' } = request;
    // The host is checked because the name of another site may lead to this machine. Nothing is parsed before.
    if (request.headers.host !== host || !url.startsWith(prefix)) return status(response, 404);
    const name = decoded(url.slice(prefix.length));
    if (name === undefined) return status(response, 400);
    if (method === 'GET' && name === '') {
      if (isOpened) return status(response, 404);
      isOpened = true;
      return page(response, nonce);
    }
    if (method === 'GET') return get(name, response, handlers);
    if (method === 'POST' && MESSAGES.includes(name)) {
      const body = messageOf(await bodyOf(request));
      if (!body) return status(response, 400);
      handlers.message(name, body);
      return status(response, 204);
    }
    if (method === 'PUT' && /^result\/[\w.-]+$/.test(name)) {
      await handlers.result(name.slice('result/'.length), await bodyOf(request));
      return status(response, 204);
    }
    return status(response, 404);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) status(response, error instanceof TooLarge ? 413 : 500);
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  }).catch((cause: Error) => {
    throw new Failure(EXIT.failed, 'cli/failed', `No port of 127.0.0.1 can be opened: ${cause.message}.`, { cause });
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The path of an address without its query, percent-decoded; undefined if it cannot be decoded. */
function decoded(address: string): string | undefined {
  try {
    return decodeURIComponent(address.replace(/[?#].*$/s, ''));
  } catch {
    return undefined;
  }
}

/** A message as an object; undefined for other JSON and for no JSON. */
function messageOf(bytes: Uint8Array): Message | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

async function get(name: string, response: ServerResponse, handlers: Handlers): Promise<void> {
  if (name === 'next') {
    const job = await handlers.next();
    if (!job) return status(response, 204);
    return send(response, 'job.json', Buffer.from(JSON.stringify(job)));
  }
  const bytes = handlers.file(name);
  if (bytes) return send(response, name, bytes);
  const dist = fileURLToPath(new URL('.', import.meta.url));
  const path = normalize(dist + name.replace(/^dist\//, ''));
  if (!name.startsWith('dist/') || !path.startsWith(dist.endsWith(sep) ? dist : dist + sep))
    return status(response, 404);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return status(response, 404);
  response.writeHead(200, { ...headersOf(path), 'content-length': found.size });
  await pipeline(createReadStream(path), response);
}

const headersOf = (name: string): Record<string, string> => ({
  'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
});

function send(response: ServerResponse, name: string, bytes: Uint8Array): void {
  response.writeHead(200, { ...headersOf(name), 'content-length': bytes.byteLength }).end(bytes);
}

class TooLarge extends Error {}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).byteLength;
    if (length > MAX_RESULT) throw new TooLarge();
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function status(response: ServerResponse, code: number): void {
  response.writeHead(code).end();
}

function page(response: ServerResponse, nonce: string): void {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' 'nonce-${nonce}'`,
    "worker-src 'self' blob:",
    "connect-src 'self' blob: data:",
    "img-src 'self' blob: data:",
    'media-src blob: data:',
    "style-src 'unsafe-inline'",
  ].join('; ');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  });
  response.end(`<!doctype html>
<meta charset="utf-8">
<title>gambol render</title>
<script type="importmap" nonce="${nonce}">{"imports":{"gambol":"./dist/index.js","gambol/record":"./dist/record.js"}}</script>
<body>
<script type="module" src="./dist/cli-render.js"></script>
`);
}
