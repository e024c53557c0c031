// `gambol/gltf` in Node: the JSON and the buffers of files as they are, and the codes of faults.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { packed, root } from './support/files.mjs';

const { GambolError, readGltf } = await import(pathToFileURL(join(packed, 'dist/gltf.js')));

const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const ASSET = { asset: { version: '2.0', generator: 'a test' } };
const code = (wanted) => (error) => {
  assert.ok(error instanceof GambolError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

/** A GLB of chunks: each a type and its bytes. */
function glb(...chunks) {
  const padded = chunks.map(([type, bytes]) => [type, Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, 32)])]);
  const length = padded.reduce((sum, [, bytes]) => sum + 8 + bytes.length, 12);
  const parts = padded.flatMap(([type, bytes]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length);
    head.write(type, 4, 'latin1');
    return [head, bytes];
  });
  const head = Buffer.alloc(12);
  head.write('glTF', 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(length, 8);
  return new Uint8Array(Buffer.concat([head, ...parts]));
}

test('readGltf: faults have the codes of an import', async () => {
  await assert.rejects(readGltf(json([])), code('import/unknown-format'));
  await assert.rejects(readGltf(new TextEncoder().encode('null')), code('import/unknown-format'));
  await assert.rejects(readGltf(new TextEncoder().encode('solid stl')), code('import/unknown-format'));
  await assert.rejects(readGltf(new TextEncoder().encode('{"asset":')), code('import/invalid-json'));
  await assert.rejects(readGltf(glb(['BIN\0', Buffer.from('data')])), code('import/glb-no-json'));
  await assert.rejects(readGltf(glb().subarray(0, 12)), code('import/glb-no-json'));
  await assert.rejects(readGltf(new Uint8Array()), code('load/not-a-model'));
  await assert.rejects(readGltf(7), code('argument/invalid'));
  await assert.rejects(readGltf(json(ASSET), { signal: AbortSignal.abort() }), code('load/aborted'));
});

test('readGltf: the JSON is what the file has, unchecked', async () => {
  const value = {
    ...ASSET,
    nodes: [{ name: 'A' }, 'not a node'],
    extras: { any: [1] },
    extensionsRequired: ['EXT_unknown'],
  };
  const file = await readGltf(json(value));
  assert.deepEqual(file.json, value);
  assert.equal(file.text, JSON.stringify(value));
  assert.deepEqual([file.name, file.url, file.warnings], ['model', undefined, []]);
});

test('readGltf: buffers come from the binary chunk, from data URIs and from other files', async () => {
  const binary = Buffer.from([1, 2, 3, 4]);
  const own = await readGltf(glb(['JSON', json({ ...ASSET, buffers: [{ byteLength: 4 }] })], ['BIN\0', binary]));
  assert.deepEqual([...(await own.buffer(0))], [1, 2, 3, 4]);
  await assert.rejects(own.buffer(1), (error) => {
    assert.equal(error.pointer, '/buffers/1');
    return code('import/buffer-missing')(error);
  });

  const buffers = [
    { uri: 'data:application/octet-stream;base64,BQY=', byteLength: 2 },
    { uri: 'part.bin', byteLength: 2 },
  ];
  const files = new Map([
    ['a.gltf', new Blob([json({ ...ASSET, buffers })])],
    ['part.bin', new Blob([Buffer.from([7, 8])])],
  ]);
  const outer = await readGltf(files);
  assert.deepEqual([...(await outer.buffer(0)), ...(await outer.buffer(1))], [5, 6, 7, 8]);
  await assert.rejects(outer.resource('nowhere.png'), code('load/missing-resource'));
});

test('readGltf: the sample character, as Node reads it', async () => {
  const bytes = readFileSync(join(root, 'dist/site/sample.glb'));
  const file = await readGltf(new Uint8Array(bytes));
  const length = bytes.readUInt32LE(12);
  assert.deepEqual(file.json, JSON.parse(bytes.subarray(20, 20 + length).toString()));
  const [{ byteLength }] = file.json.buffers;
  assert.deepEqual(
    (await file.buffer(0)).subarray(0, byteLength),
    new Uint8Array(bytes.subarray(28 + length, 28 + length + byteLength)),
  );
});

test('archives: missing files are looked up in an index, so that the work is linear', async (t) => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'www/gambol/src/load/files.ts')],
    bundle: true,
    write: false,
    format: 'esm',
  });
  const { FileSet } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const { toLowerCase } = String.prototype;
  t.after(() => {
    String.prototype.toLowerCase = toLowerCase;
  });
  for (const n of [1000, 4000]) {
    const files = new Map([['m.gltf', -1]]);
    for (let i = 0; i < n; i++) files.set(`textures/f${i}.png`, i);
    const set = new FileSet(files, 'a.zip');
    let count = 0;
    String.prototype.toLowerCase = function lower() {
      count += 1;
      return toLowerCase.call(this);
    };
    for (let i = 0; i < n; i++) assert.equal(set.find(`missing/m${i}.png`), undefined);
    String.prototype.toLowerCase = toLowerCase;
    assert.ok(count <= 3 * n, `${count} names for ${n} files and ${n} images`);
    assert.deepEqual([set.find('TEXTURES/F7.PNG'), set.find('f8.png'), set.find('textures%2Ff9.png')], [7, 8, 9]);
  }
  // Of several files with one name, the path decides; without it none is meant.
  const set = new FileSet(
    new Map([
      ['m.gltf', 0],
      ['a/S.png', 1],
      ['b/s.png', 2],
      ['A/s.png', 3],
    ]),
  );
  assert.deepEqual(
    [set.find('A/S.PNG'), set.find('a/S.png'), set.find('s.png'), set.find('c/s.png')],
    [1, 1, undefined, undefined],
  );
});
