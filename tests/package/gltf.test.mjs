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
  await assert.rejects(readGltf(new TextEncoder().encode('a note')), code('import/unknown-format'));
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

test('readGltf: formats that are not read are named, with a way to glTF', async () => {
  const file = (name, content) => [new File([content], name)];
  const zip = (name, content) => {
    // Stored, without compression; the checksum is that of a table-free CRC-32.
    const bytes = Buffer.from(content);
    let crc = ~0;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    const entry = (signature, size, at) => {
      const head = Buffer.alloc(size);
      head.writeUInt32LE(signature);
      head.writeUInt32LE(~crc >>> 0, at);
      head.writeUInt32LE(bytes.length, at + 4);
      head.writeUInt32LE(bytes.length, at + 8);
      head.writeUInt16LE(name.length, at + 12);
      return Buffer.concat([head, Buffer.from(name)]);
    };
    const local = Buffer.concat([entry(0x04034b50, 30, 14), bytes]);
    const central = entry(0x02014b50, 46, 16);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(central.length, 12);
    end.writeUInt32LE(local.length, 16);
    return new Uint8Array(Buffer.concat([local, central, end]));
  };
  const collada = '<?xml version="1.0" encoding="utf-8"?>\n<COLLADA version="1.4.1"></COLLADA>';
  for (const [source, words] of [
    [file('hero.dae', collada), /hero\.dae is a COLLADA document.*Assimp/],
    [new TextEncoder().encode(`\ufeff${collada}`), /a COLLADA document/],
    [file('renamed.glb', collada), /a COLLADA document/],
    [new TextEncoder().encode('#usda 1.0\n'), /a USD scene.*Blender/],
    [file('hero.usdc', 'PXR-USDC\0'), /hero\.usdc is a USD scene/],
    [file('hero.usdz', zip('hero.usdc', 'PXR-USDC\0')), /a USD scene/],
    [zip('hero.usdc', 'PXR-USDC\0'), /hero\.usdc is a USD scene/],
    [zip('hero.obj', 'v 0 0 0'), /hero\.obj is a mesh in the format Wavefront OBJ/],
    [new TextEncoder().encode('# Blender\r\n\r\nmtllib hero.mtl\r\n'), /Wavefront OBJ/],
    [file('hero.obj', 'anything else'), /Wavefront OBJ/],
    [new TextEncoder().encode('MD5Version 10\ncommandline ""'), /MD5/],
    [file('walk.md5anim', ''.padEnd(9)), /MD5/],
    [new TextEncoder().encode('ply\nformat ascii 1.0\n'), /PLY/],
    [new TextEncoder().encode('BLENDER-v300'), /scene of Blender/],
    [new TextEncoder().encode('PMX '), /MikuMikuDance/],
  ])
    await assert.rejects(readGltf(source), (error) => {
      code('load/not-a-model')(error);
      assert.match(error.message, words);
      return true;
    });
  // The content decides before the name.
  assert.deepEqual((await readGltf(file('hero.obj', JSON.stringify(ASSET)))).json, ASSET);
  await assert.rejects(readGltf(file('hero.dae', '<!doctype html>')), (error) => /a web page/.test(error.message));
});

test('readGltf: a text that is nearly JSON is read as the importer reads it', async () => {
  const text = (node) =>
    Buffer.concat([
      Buffer.from(`{"asset":${JSON.stringify(ASSET.asset)},"nodes":[{"name":"`),
      node,
      Buffer.from('"}]}'),
    ]);
  const read = async (...parts) => {
    const { json: value, warnings, text: repaired } = await readGltf(new Uint8Array(Buffer.concat(parts)));
    assert.doesNotThrow(() => JSON.parse(repaired));
    return [value, warnings.map((warning) => warning.code)];
  };
  for (const [bytes, name] of [
    [Buffer.from('K\xf6rper', 'latin1'), 'K\xf6rper'],
    [Buffer.from([0x8d, 0x98]), '\x8d\x98'],
    // Shift-JIS, in which the second byte of a character may be a backslash.
    [Buffer.from([0x95, 0x5c, 0x8f, 0xee]), '\x95\\\x8f\xee'],
    [Buffer.from([0x94, 0x5c]), '\x94\\'],
  ])
    assert.deepEqual(await read(text(bytes)), [{ ...ASSET, nodes: [{ name }] }, ['import/not-utf8']]);
  const start = Buffer.from(`{"asset":${JSON.stringify(ASSET.asset)},`);
  for (const word of ['NaN', 'inf', '-Infinity', '1.#QNAN', '-nan(ind)']) {
    const value = await read(start, Buffer.from(`"extras":{"a":${word},"b":[1,[${word}],"]"],"c":[2,${word},3]}}`));
    assert.deepEqual(value, [{ ...ASSET, extras: { b: [1, null, ']'] } }, ['import/number-replaced']], word);
  }
  const binary = Buffer.from(JSON.stringify(ASSET));
  assert.deepEqual(await read(binary, Buffer.alloc(3)), [ASSET, ['import/json-padding']]);
  for (const wrong of ['{"asset":NaM}', '{"asset":[NaN}', '{"asset":"\\']) {
    const bytes = new TextEncoder().encode(wrong);
    await assert.rejects(readGltf(bytes), code('import/invalid-json'), wrong);
  }
});
