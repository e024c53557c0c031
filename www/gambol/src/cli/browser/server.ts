// The server of a render: the package, the model and a small page, for this machine only.

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, normalize, sep } from 'node:path';
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

/** Serves the scripts beside this one, and what the handlers have. The path has a secret, which no other page and no other user knows. */
export async function serve(handlers: Handlers): Promise<Server> {
  const [secret, nonce] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const prefix = `/${secret}/`;
  let host = '';
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // The host is checked because the name of another site may lead to this machine.
    if (request.headers.host !== host || !pathname.startsWith(prefix)) return status(response, 404);
    const name = decodeURIComponent(pathname.slice(prefix.length));
    if (request.method === 'GET') return get(name, response, handlers, nonce);
    if (request.method === 'POST' && MESSAGES.includes(name)) {
      handlers.message(name, JSON.parse(Buffer.from(await bodyOf(request)).toString('utf8')) as Message);
      return status(response, 204);
    }
    if (request.method === 'PUT' && /^result\/[\w.-]+$/.test(name)) {
      await handlers.result(name.slice('result/'.length), await bodyOf(request));
      return status(response, 204);
    }
    return status(response, 404);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      handlers.message('failed', {
        code: 'cli/failed',
        message: error instanceof Error ? error.message : String(error),
      });
      if (!response.headersSent) status(response, 500);
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

async function get(name: string, response: ServerResponse, handlers: Handlers, nonce: string): Promise<void> {
  if (name === '') return page(response, nonce);
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
  createReadStream(path).pipe(response);
}

const headersOf = (name: string): Record<string, string> => ({
  'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
});

function send(response: ServerResponse, name: string, bytes: Uint8Array): void {
  response.writeHead(200, { ...headersOf(name), 'content-length': bytes.byteLength }).end(bytes);
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).byteLength;
    if (length > MAX_RESULT) throw new Error('The result has too many bytes. Choose a smaller size.');
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
