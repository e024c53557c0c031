// A server for measurements: it sends each file compressed by brotli at its highest level, and records its answers.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};

/** An answer: the path of the request and the size of the sent body, in bytes. */
export interface Sent {
  readonly path: string;
  readonly bytes: number;
}

export class CompressingServer {
  readonly #server: Server;
  /** Each file is compressed once. */
  readonly #bodies = new Map<string, Promise<Buffer | undefined>>();
  /** The answers since the last {@link forget}. */
  sent: Sent[] = [];

  private constructor(bytesOf: (path: string) => Promise<Buffer | undefined>) {
    const bodyOf = async (path: string): Promise<Buffer | undefined> => {
      const bytes = await bytesOf(path);
      return (
        bytes &&
        brotliCompressSync(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        })
      );
    };
    this.#server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '/index.html');
      const body = this.#bodies.get(path) ?? bodyOf(path);
      this.#bodies.set(path, body);
      void body.then((bytes) => {
        this.sent.push({ path, bytes: bytes?.length ?? 0 });
        if (!bytes) return response.writeHead(404).end();
        const type = TYPES[extname(path)] ?? 'application/octet-stream';
        return response
          .writeHead(200, {
            'Content-Type': type,
            'Content-Encoding': 'br',
            'Content-Length': bytes.length,
            'Cache-Control': 'no-store',
          })
          .end(bytes);
      });
    });
  }

  /** Starts on a free port of 127.0.0.1. `bytesOf`: the file at a path, or undefined for none. */
  static async start(bytesOf: (path: string) => Promise<Buffer | undefined>): Promise<CompressingServer> {
    const server = new CompressingServer(bytesOf);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  forget(): void {
    this.sent = [];
  }

  stop(): void {
    this.#server.close();
  }
}
