// The memory of the module in Node. It never shrinks, so what a load has needed for a moment is there for good.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed } from './support/files.mjs';

/** The memories of all instances that were created so far. */
const memories = new Set();
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  const { memory } = (result.instance ?? result).exports;
  if (memory) memories.add(memory);
  return result;
};
const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const LIMIT = 3e6;
const total = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

/** A GLB with a triangle and pictures that textures use, of these sizes in bytes. */
function glb(...sizes) {
  const offsets = sizes.map((_, i) => 36 + sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
  const length = 36 + sizes.reduce((sum, size) => sum + size, 0);
  const text = Buffer.from(
    JSON.stringify({
      asset: { version: '2.0' },
      buffers: [{ byteLength: length }],
      bufferViews: [
        { buffer: 0, byteLength: 36 },
        ...sizes.map((byteLength, i) => ({ buffer: 0, byteOffset: offsets[i], byteLength })),
      ],
      accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3 }],
      images: sizes.map((_, i) => ({ bufferView: i + 1, mimeType: 'image/png' })),
      textures: sizes.map((_, source) => ({ source })),
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
    }),
  );
  const json = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const bin = Buffer.alloc(length);
  new Float32Array(bin.buffer, bin.byteOffset, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const head = Buffer.alloc(20);
  head.write('glTF', 0, 'latin1');
  for (const [at, value] of [4, 8, 12].entries())
    head.writeUInt32LE([2, 28 + json.length + length, json.length][at], value);
  head.write('JSON', 16, 'latin1');
  const middle = Buffer.alloc(8);
  middle.writeUInt32LE(length);
  middle.write('BIN\0', 4, 'latin1');
  return new Uint8Array(Buffer.concat([head, json, middle, bin]));
}

test('memory: pictures of a file stay outside of the module', async () => {
  const asset = await loadAsset(glb(4_000_000, 3_000_000));
  assert.equal(memories.size, 1);
  assert.equal(asset.info.vertices, 3);
  assert.ok(total() <= LIMIT, `${total()} bytes`);
  asset.dispose();
});
