// Decodes Draco meshes for `draco.rs`, with the script and the module that the npm package ships.
//
//   node draco.mjs DIST
//
// Reads requests from the standard input until it ends, and answers each on the standard output. A request or an answer
// is the length of a JSON text (u32, little endian), the text, and the bytes that its `sizes` count.

import { readdirSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = resolve(process.argv[2]);
const scripts = readdirSync(dist)
  .filter((name) => /^draco-.*\.js$/.test(name))
  .map((name) => join(dist, name));
scripts.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
// The shipped decoder is for browsers, and Emscripten's glue must not take this for anything else.
delete globalThis.process;
globalThis.window = globalThis;
const { loadDraco } = await import(pathToFileURL(scripts[0]));
const compile = async () => WebAssembly.compile(readFileSync(join(dist, 'draco.wasm')));

/** So many bytes of the input; fewer where it ends. */
function read(size) {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const count = readSync(0, bytes, at, size - at, null);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function answer(json, parts) {
  const text = Buffer.from(JSON.stringify({ ...json, sizes: parts.map((part) => part.byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  for (const part of [length, text, ...parts]) write(part);
}

for (let length; (length = read(4)).length === 4; ) {
  const request = JSON.parse(read(length.readUInt32LE()));
  const bytes = new Uint8Array(read(request.sizes[0]));
  try {
    const decode = await loadDraco(compile);
    const { vertices, attributes, indices } = decode({ ...request, bytes });
    answer({ vertices }, [...attributes, new Uint8Array(indices.buffer)]);
  } catch (error) {
    answer({ error: String(error?.message ?? error) }, []);
  }
}
