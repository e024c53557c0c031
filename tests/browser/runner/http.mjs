// The HTTP server of the tests and the benchmarks, for this machine only.

import { createServer } from 'node:http';
import { extname } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** The media type of a file, by the end of its name. */
export const typeOf = (path) => TYPES[extname(path)] ?? 'application/octet-stream';

/** Listens on a free port of 127.0.0.1; an error of `answer` is answered by the status 500. */
export async function listen(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const compress = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/**
 * Serves what `contentOf` has for a path, and records the answers. With `compressed` each file is compressed by brotli, once.
 */
export async function serve(contentOf, { compressed = false } = {}) {
  const bodies = new Map();
  let sent = [];
  const bodyOf = async (path) => {
    const content = await contentOf(path);
    if (content === undefined) return undefined;
    const bytes = Buffer.from(content);
    return compressed ? compress(bytes) : bytes;
  };
  const { origin, stop } = await listen(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, origin).pathname).replace(/\/$/, '/index.html');
    const made = bodies.get(path) ?? bodyOf(path);
    if (compressed) bodies.set(path, made);
    const body = await made;
    sent.push({ path, bytes: body?.length ?? 0 });
    if (!body) return response.writeHead(404).end();
    return response
      .writeHead(200, {
        'Content-Type': typeOf(path),
        'Content-Length': body.length,
        'Cache-Control': 'no-store',
        ...(compressed && { 'Content-Encoding': 'br' }),
      })
      .end(body);
  });
  return {
    origin,
    stop,
    get sent() {
      return sent;
    },
    forget() {
      sent = [];
    },
  };
}
