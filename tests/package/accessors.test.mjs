// `readAccessor()` and `writeGlb()` of `gambol/gltf` in Node. The oracle is glTF-Transform, which reads the same files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Document, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { packed, root } from './support/files.mjs';

const { GambolError, readAccessor, readGltf, writeGlb } = await import(pathToFileURL(join(packed, 'dist/gltf.js')));
const draco3d = createRequire(import.meta.url)('draco3dgltf');

await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const io = new WebIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
  'draco3d.decoder': await draco3d.createDecoderModule(),
  'draco3d.encoder': await draco3d.createEncoderModule(),
});

const ASSET = { version: '2.0' };
const rejects = (promise, code, pointer) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof GambolError, String(error));
    assert.deepEqual([error.code, error.pointer], [code, pointer]);
    return true;
  });

/** Compares an accessor with the numbers of glTF-Transform. */
function compare(read, wanted, what) {
  assert.deepEqual([read.type, read.count], [wanted.getType(), wanted.getCount()], what);
  const width = wanted.getElementSize();
  assert.equal(read.values.length, read.count * width, what);
  assert.equal(read.values instanceof Float32Array, read.normalized || read.componentType === 5126, what);
  for (let i = 0; i < read.count; i += 1) {
    const element = Float32Array.from(wanted.getElement(i, []));
    assert.deepEqual(Float32Array.from(read.values.subarray(i * width, (i + 1) * width)), element, `${what}, ${i}`);
  }
}

/** Compares all accessors of a file; returns the number of elements. */
async function compareFile(glb, what) {
  const file = await readGltf(glb);
  const wanted = (await io.readBinary(glb)).getRoot().listAccessors();
  assert.equal(file.json.accessors.length, wanted.length, what);
  for (const [i, accessor] of wanted.entries())
    compare(await readAccessor(file, i), accessor, `${what}, accessor ${i}`);
  return wanted.reduce((sum, accessor) => sum + accessor.getCount(), 0);
}

/** A mesh with attributes of many types, in interleaved views, and a sparse morph target. */
function mesh() {
  const document = new Document();
  const buffer = document.createBuffer();
  const count = 24;
  const made = (type, array, normalized = false) =>
    document.createAccessor().setType(type).setArray(array).setNormalized(normalized).setBuffer(buffer);
  const numbers = (Type, width, of) => Type.from({ length: count * width }, (_, i) => of(i));
  const target = document.createPrimitiveTarget();
  const moved = numbers(Float32Array, 3, () => 0);
  moved.set([0.5, -2, 3], 3 * 7);
  moved.set([1e-3, 4, -5], 3 * 20);
  target.setAttribute('POSITION', made('VEC3', moved).setSparse(true));
  const primitive = document
    .createPrimitive()
    .setIndices(
      made(
        'SCALAR',
        numbers(Uint16Array, 1, (i) => (i * 7) % count),
      ),
    )
    .setAttribute(
      'POSITION',
      made(
        'VEC3',
        numbers(Float32Array, 3, (i) => Math.sin(i)),
      ),
    )
    .setAttribute(
      'NORMAL',
      made(
        'VEC3',
        numbers(Int8Array, 3, (i) => ((i * 37) % 256) - 128),
        true,
      ),
    )
    .setAttribute(
      'TEXCOORD_0',
      made(
        'VEC2',
        numbers(Uint16Array, 2, (i) => (i * 2731) % 65536),
        true,
      ),
    )
    .setAttribute(
      'TEXCOORD_1',
      made(
        'VEC2',
        numbers(Uint8Array, 2, (i) => (i * 11) % 256),
        true,
      ),
    )
    .setAttribute(
      '_SHIFT',
      made(
        'VEC2',
        numbers(Int16Array, 2, (i) => ((i * 4001) % 65536) - 32768),
        true,
      ),
    )
    .setAttribute(
      '_PLAIN',
      made(
        'VEC2',
        numbers(Int16Array, 2, (i) => ((i * 4001) % 65536) - 32768),
      ),
    )
    .setAttribute(
      'JOINTS_0',
      made(
        'VEC4',
        numbers(Uint8Array, 4, (i) => i % 5),
      ),
    )
    .addTarget(target);
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  const inverse = made(
    'MAT4',
    numbers(Float32Array, 16, (i) => i / 7),
  );
  document.createSkin().setInverseBindMatrices(inverse).addJoint(document.createNode());
  return document;
}

test('readAccessor: interleaved, normalized and sparse accessors have the numbers of another reader', async () => {
  const glb = await io.writeBinary(mesh());
  const { json } = await readGltf(glb);
  assert.ok(json.bufferViews.some(({ byteStride }) => byteStride > 12) && json.accessors.some(({ sparse }) => sparse));
  assert.ok((await compareFile(glb, 'mesh')) > 200);
});

test('readAccessor: views that meshopt compressed have the numbers of another reader', async () => {
  for (const method of [EXTMeshoptCompression.EncoderMethod.QUANTIZE, EXTMeshoptCompression.EncoderMethod.FILTER]) {
    const document = mesh();
    document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method });
    const glb = await io.writeBinary(document);
    const { json } = await readGltf(glb);
    assert.ok(json.bufferViews.some(({ extensions }) => extensions?.EXT_meshopt_compression));
    await compareFile(glb, method);
  }
});

test('readAccessor: the accessors of a mesh that Draco compressed have its numbers', async () => {
  const document = mesh();
  document
    .getRoot()
    .listMeshes()[0]
    .listPrimitives()[0]
    .removeTarget(document.getRoot().listMeshes()[0].listPrimitives()[0].listTargets()[0]);
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  const glb = await io.writeBinary(document);
  const file = await readGltf(glb);
  const [primitive] = file.json.meshes[0].primitives;
  assert.ok(primitive.extensions.KHR_draco_mesh_compression);
  const [wanted] = (await io.readBinary(glb)).getRoot().listMeshes()[0].listPrimitives();
  for (const [name, index] of Object.entries(primitive.attributes))
    compare(await readAccessor(file, index), wanted.getAttribute(name), name);
  const indices = await readAccessor(file, primitive.indices);
  assert.deepEqual([...indices.values], [...wanted.getIndices().getArray()]);
});

test('readAccessor: all accessors of the sample character', async () => {
  assert.ok((await compareFile(new Uint8Array(readFileSync(join(root, 'dist/site/sample.glb'))), 'sample')) > 1000);
});

/** A file with a view of these bytes and the accessors. */
function fileOf(bytes, accessors, view = {}) {
  const json = {
    asset: ASSET,
    buffers: [{ byteLength: bytes.length }],
    bufferViews: [{ buffer: 0, byteLength: bytes.length, ...view }],
    accessors,
  };
  return readGltf(writeGlb(json, Uint8Array.from(bytes)));
}

test('readAccessor: integers keep their type, and all their bits', async () => {
  const bytes = [0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0x80];
  const file = await fileOf(bytes, [
    { bufferView: 0, componentType: 5125, count: 2, type: 'SCALAR' },
    { bufferView: 0, componentType: 5123, count: 2, type: 'VEC2' },
    { bufferView: 0, componentType: 5122, count: 4, type: 'SCALAR' },
    { bufferView: 0, componentType: 5121, count: 2, type: 'VEC4' },
    { bufferView: 0, componentType: 5120, count: 1, type: 'VEC4', byteOffset: 4 },
    { componentType: 5126, count: 2, type: 'VEC3' },
    { bufferView: 0, componentType: 5121, count: 0, type: 'SCALAR' },
  ]);
  const all = await Promise.all(file.json.accessors.map((_, i) => readAccessor(file, i)));
  assert.deepEqual(
    all.map(({ values }) => values),
    [
      Uint32Array.of(4294967295, 2147483649),
      Uint16Array.of(65535, 65535, 1, 32768),
      Int16Array.of(-1, -1, 1, -32768),
      Uint8Array.from(bytes),
      Int8Array.of(1, 0, 0, -128),
      new Float32Array(6),
      new Uint8Array(),
    ],
  );
  assert.deepEqual(all[1], { type: 'VEC2', componentType: 5123, normalized: false, count: 2, values: all[1].values });
});

test('readAccessor: the columns of matrices of bytes have no padding', async () => {
  const file = await fileOf(
    [1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99],
    [{ bufferView: 0, componentType: 5121, count: 1, type: 'MAT3' }],
  );
  assert.deepEqual((await readAccessor(file, 0)).values, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
});

test('readAccessor: a .gltf with its buffer in another file', async () => {
  const json = {
    asset: ASSET,
    buffers: [{ byteLength: 4, uri: 'a%20b.bin' }],
    bufferViews: [{ buffer: 0, byteLength: 4 }],
    accessors: [{ bufferView: 0, componentType: 5123, count: 2, type: 'SCALAR' }],
  };
  const text = new Blob([JSON.stringify(json)]);
  const file = await readGltf(
    new Map([
      ['a.gltf', text],
      ['a b.bin', new Blob([Uint8Array.of(1, 2, 3, 4)])],
    ]),
  );
  assert.deepEqual((await readAccessor(file, 0)).values, Uint16Array.of(513, 1027));
  await rejects(readAccessor(await readGltf(new Map([['a.gltf', text]])), 0), 'load/missing-resource', undefined);
});

test('readAccessor: faults have codes and places', async () => {
  const good = { bufferView: 0, componentType: 5126, count: 2, type: 'VEC2' };
  const read = async (change, view) => readAccessor(await fileOf(Array(16).fill(0), [{ ...good, ...change }], view), 0);
  await read({});
  await rejects(read({ count: 3 }), 'import/accessor-out-of-range', '/accessors/0');
  await rejects(read({ componentType: 5124 }), 'import/invalid-value', '/accessors/0/componentType');
  await rejects(read({ type: 'VEC5' }), 'import/invalid-value', '/accessors/0/type');
  await rejects(read({ count: -1 }), 'import/invalid-value', '/accessors/0/count');
  await rejects(read({ bufferView: 1 }), 'import/index-out-of-range', '/accessors/0/bufferView');
  await rejects(read({ bufferView: undefined, count: 2 ** 40 }), 'import/too-large', '/accessors/0');
  await rejects(read({}, { byteStride: 4 }), 'import/stride-too-short', '/bufferViews/0/byteStride');
  await rejects(read({}, { byteLength: 17 }), 'import/view-out-of-range', '/bufferViews/0');
  const file = await fileOf(Array(16).fill(0), [good]);
  await rejects(readAccessor(file, 1), 'import/index-out-of-range', '/accessors');
  for (const index of [-1, 0.5, 2 ** 32, Number.NaN, '0', null, undefined])
    await rejects(readAccessor(file, index), 'argument/invalid', undefined);
  for (const other of [undefined, null, 'a.glb', file.json])
    await rejects(readAccessor(other, 0), 'argument/invalid', undefined);
  await rejects(readAccessor(file, 0, { indices: true }), 'argument/invalid', undefined);
  await rejects(readAccessor(file, 0, { signal: AbortSignal.abort() }), 'load/aborted', undefined);
  // The fault of one call does not disturb the next one.
  assert.equal((await readAccessor(file, 0)).count, 2);
});

test('writeGlb: another reader finds the JSON and the bytes', async () => {
  for (const [json, bytes] of [
    [{ asset: ASSET }, []],
    [{ asset: ASSET, extras: { word: 'Körper' }, buffers: [{ byteLength: 3 }] }, [1, 2, 3]],
    [{ asset: ASSET, buffers: [{ byteLength: 8 }] }, [1, 2, 3, 4, 5, 6, 7, 8]],
  ]) {
    const glb = writeGlb(json, Uint8Array.from(bytes));
    const words = new DataView(glb.buffer);
    assert.deepEqual([words.getUint32(8, true), glb.length % 4], [glb.length, 0]);
    const other = await io.binaryToJSON(glb);
    assert.deepEqual(other.json, json);
    const file = await readGltf(glb);
    assert.deepEqual(file.json, json);
    assert.deepEqual(file.warnings, []);
    if (bytes.length > 0) assert.deepEqual([...(await file.buffer(0)).subarray(0, bytes.length)], bytes);
    else assert.equal(glb.length, 20 + words.getUint32(12, true));
  }
});

test('writeGlb: invalid arguments are refused', () => {
  const circle = {};
  circle.self = circle;
  for (const [json, bytes] of [
    [null],
    ['{}'],
    [[]],
    [undefined],
    [circle],
    [{ n: 1n }],
    [{}, [1, 2]],
    [{}, new ArrayBuffer(4)],
  ])
    assert.throws(() => writeGlb(json, bytes), { code: 'argument/invalid' });
});
