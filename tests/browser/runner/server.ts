// The static server of the browser tests. It records every request, and simulates faults on request:
// - ?delay=300      answers after 300 ms
// - ?status=503     answers with that status
// - ?type=text/html sets that content type
// - ?truncate=100   promises the whole file and closes the connection after 100 bytes

import { readFile, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { type Listening, listen, typeOf } from './http.mjs';

export interface Recorded {
  method: string;
  path: string;
  status: number;
}

/** Answers a request of the page to the runner: `/__runner/WHAT?QUERY`. */
export type Handler = (what: string, query: URLSearchParams, body: Buffer) => Promise<Buffer | string>;

/**
 * The content security policy of a strict site. It also blocks every request to another origin, which the page reports.
 */
const POLICY = [
  "default-src 'self' data: blob:",
  "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'", // the test page itself has inline scripts
  "style-src 'self' 'unsafe-inline'",
].join('; ');

/** The front page runs code that its visitors edit. */
const RUNNING_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' blob:");
/** The folder whose pages are sent as they are, without the script that reports errors: its files have known hashes. */
export const UNTOUCHED = '/untouched/folder/';

export class StaticServer {
  #server: Listening | undefined;
  /** The requests since the last `forget`, except those to the runner. */
  recorded: Recorded[] = [];
  /** Parts of paths, and the number of requests of each that are still refused. */
  readonly #refused = new Map<string, number>();

  private constructor(
    readonly mounts: [prefix: string, folder: string][],
    readonly handler: Handler,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts on a free port of 127.0.0.1. The first mount with a matching prefix applies; `headers` are sent with every
   * file.
   */
  static async start(
    mounts: [prefix: string, folder: string][],
    handler: Handler,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StaticServer> {
    const server = new StaticServer(mounts, handler, headers);
    server.#server = await listen((request, response) => server.#answer(request, response));
    return server;
  }

  get origin(): string {
    return this.#server?.origin ?? '';
  }

  forget(): void {
    this.recorded = [];
    this.#refused.clear();
  }

  /** Answers the next `times` requests whose path contains `part` with 503. */
  refuse(part: string, times: number): void {
    this.#refused.set(part, times);
  }

  /** `true` if a request must be refused; counts it. */
  #refuses(path: string): boolean {
    for (const [part, times] of this.#refused) {
      if (times <= 0 || !path.includes(part)) continue;
      this.#refused.set(part, times - 1);
      return true;
    }
    return false;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    if (url.pathname.startsWith('/__runner/')) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const reply = await this.handler(
        url.pathname.slice('/__runner/'.length),
        url.searchParams,
        Buffer.concat(chunks),
      );
      response.writeHead(200).end(reply);
      return;
    }

    const entry: Recorded = { method: request.method ?? '', path: url.pathname + url.search, status: 0 };
    this.recorded.push(entry);
    const wish = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    if (wish('delay') > 0) await new Promise((resolve) => setTimeout(resolve, wish('delay')));
    const refused = this.#refuses(url.pathname);
    const file = refused || wish('status') > 0 ? undefined : await this.#file(decodeURIComponent(url.pathname));
    entry.status = file ? 200 : refused ? 503 : wish('status') || 404;
    if (!file) {
      // Browsers request an icon by themselves, which is not an error.
      if (url.pathname === '/favicon.ico') entry.status = 204;
      response.writeHead(entry.status, { 'Content-Type': 'text/plain' }).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': url.searchParams.get('type') ?? typeOf(file.path),
      'Content-Length': file.bytes.length,
      // In WebKit 'self' matches nothing in a frame with an opaque origin, such as that of the examples.
      'Content-Security-Policy': (entry.path === '/' ? RUNNING_POLICY : POLICY).replaceAll(
        "'self'",
        `'self' ${this.origin}`,
      ),
      // This also keeps pages out of the back/forward cache, where they would stay alive during the next test.
      'Cache-Control': 'no-store',
      // The frame of the examples has an opaque origin.
      'Access-Control-Allow-Origin': '*',
      ...this.headers,
    });
    if (wish('truncate') > 0) {
      response.write(file.bytes.subarray(0, wish('truncate')), () => response.destroy());
    } else {
      response.end(request.method === 'HEAD' ? undefined : file.bytes);
    }
  }

  async #file(path: string): Promise<{ path: string; bytes: Buffer } | undefined> {
    for (const [prefix, folder] of this.mounts) {
      if (!path.startsWith(prefix)) continue;
      const rest = path.slice(prefix.length);
      try {
        const real = await realpath(join(folder, rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest));
        if (!real.startsWith((await realpath(folder)) + sep)) return undefined;
        const bytes = await readFile(real);
        const isWatched = extname(real) === '.html' && prefix !== UNTOUCHED;
        return { path: real, bytes: isWatched ? watched(bytes) : bytes };
      } catch {
        // The next mount may have it.
      }
    }
    return undefined;
  }
}

/** Adds a script to a page that reports errors from the start. */
function watched(html: Buffer): Buffer {
  const script = '<script src="/__tests/trouble.js"></script>';
  // Directly after the doctype: the parser moves the script to the head.
  return Buffer.from(html.toString().replace(/^\s*(<!doctype[^>]*>)?/i, (start) => start + script));
}
