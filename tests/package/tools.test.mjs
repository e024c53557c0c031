// `gambol/tools` in Node: files become smaller within a bound, two files are compared, faults have a code, and nothing stops it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import validator from 'gltf-validator';
import { short } from './support/cli.mjs';
import { packed, root } from './support/files.mjs';

const { GambolError, bake, diff, inspect, optimize } = await import(pathToFileURL(join(packed, 'dist/tools.js')));
const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));
const sample = readFileSync(join(root, 'dist/site/sample.glb'));

const refuses =
  (code, more = {}) =>
  (error) => {
    assert.ok(error instanceof GambolError, String(error));
    assert.equal(error.code, code);
    for (const [key, value] of Object.entries(more)) assert.equal(error[key], value);
    return true;
  };

test('optimize refuses what is no file or no option', async () => {
  await assert.rejects(optimize(new Uint8Array([1, 2, 3])), refuses('import/unknown-format'));
  await assert.rejects(optimize(new Uint8Array(0)), refuses('load/not-a-model'));
  await assert.rejects(optimize(7), refuses('argument/invalid'));
  for (const error of [0, -1, Number.NaN, Infinity, '1'])
    await assert.rejects(optimize(sample, { error }), refuses('argument/invalid'));
  await assert.rejects(optimize(sample, { compression: 'zip' }), refuses('argument/invalid'));
  await assert.rejects(optimize(sample, { onProgress: 1 }), refuses('argument/invalid'));
  await assert.rejects(optimize(sample, { signal: AbortSignal.abort() }), refuses('load/aborted'));
  const bad = new TextEncoder().encode(
    '{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"data:;base64,AAAAAA=="}],"bufferViews":[{"buffer":0,"byteLength":9}]}',
  );
  await assert.rejects(optimize(bad), refuses('import/view-out-of-range', { pointer: '/bufferViews/0' }));
});

test('optimize can be aborted while it works', async () => {
  const abort = new AbortController();
  const steps = [];
  const onProgress = (ratio) => {
    steps.push(ratio);
    if (steps.length === 2) abort.abort();
  };
  await assert.rejects(optimize(sample, { signal: abort.signal, onProgress }), refuses('load/aborted'));
  assert.equal(steps.length, 2);
});

test('optimize makes a valid, smaller file within the bound, and a second call changes nothing', async () => {
  const ratios = [];
  const { bytes, report } = await optimize(sample, { error: 0.0005, onProgress: (ratio) => ratios.push(ratio) });
  assert.ok(bytes.length < 0.75 * sample.length, `${bytes.length} of ${sample.length} bytes`);
  assert.deepEqual([report.before.total, report.after.total], [sample.length, bytes.length]);
  assert.ok(report.error > 0 && report.error <= 0.0005 && report.bound === Math.fround(0.0005));
  assert.equal(report.error, report.difference.distance);
  assert.deepEqual(
    ratios,
    ratios.toSorted((a, b) => a - b),
  );
  assert.equal(ratios.at(-1), 1);
  const { issues } = await validator.validateBytes(new Uint8Array(bytes));
  assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
  const again = await optimize(bytes, { error: 0.0005 });
  assert.ok(Buffer.from(again.bytes).equals(Buffer.from(bytes)));
  assert.equal(again.report.unchanged, true);
  const asset = await loadAsset(bytes);
  const before = await loadAsset(sample);
  assert.deepEqual(
    asset.clips.map(({ name, duration }) => [name, duration]),
    before.clips.map(({ name, duration }) => [name, duration]),
  );
});

test('diff gives the largest distance and its place', { skip: short }, async () => {
  const same = await diff(sample, sample);
  assert.equal(same.distance, 0);
  const { bytes, report } = await optimize(sample, { error: 0.001, compression: 'khr-meshopt' });
  const { distance, clips, unmatched } = await diff(sample, bytes);
  assert.ok(distance > 0 && distance <= 0.001, `${distance}`);
  assert.equal(clips.length, (await loadAsset(sample)).clips.length);
  assert.deepEqual(unmatched, []);
  assert.equal(report.difference.clips.length, clips.length);
  const empty = new TextEncoder().encode('{"asset":{"version":"2.0"}}');
  await assert.rejects(diff(sample, empty), refuses('tools/nothing-to-compare'));
});

test('optimize takes a file of another format, and a .gltf with files beside it', async () => {
  const bvh = `HIERARCHY\nROOT Hips\n{\n OFFSET 0 100 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 End Site\n {\n  OFFSET 0 60 0\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n0 1 0 0 0 0\n0 1 0 10 0 0\n0 1 0 20 0 0\n`;
  const made = await optimize(new File([bvh], 'nod.bvh'));
  assert.equal(new TextDecoder().decode(made.bytes.subarray(0, 4)), 'glTF');
  const bin = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const gltf = JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: 'a.bin' }],
  });
  const { report } = await optimize([new File([gltf], 'a.gltf'), new File([bin], 'a.bin')]);
  assert.equal(report.before.geometry, 36);
  await assert.rejects(optimize([new File([gltf], 'a.gltf')]), refuses('load/missing-resource'));
});

const shared = join(process.env.GAMBOL_SHARED ?? join(root, '../shared'), 'assets');

const noShared = !existsSync(shared) && 'there is no ../shared';

test('the tools decode Draco, unless decoders is none', { skip: noShared }, async () => {
  const source = readFileSync(join(shared, 'variants/CesiumMan_draco.glb'));
  const { bytes, report } = await optimize(source);
  assert.deepEqual([report.unchanged, report.before.total], [false, source.length]);
  assert.ok(report.error <= report.bound, `${report.error} of ${report.bound}`);
  const { distance } = await diff(source, bytes);
  assert.ok(distance > 0 && distance <= report.bound, `${distance} of ${report.bound}`);
  const again = await optimize(bytes);
  assert.ok(Buffer.from(again.bytes).equals(Buffer.from(bytes)));
  const { findings } = await inspect(source);
  assert.ok(findings.every(({ code }) => code !== 'inspect/compressed'));
  const baked = await bake(source, { fps: 30 });
  // At rest, a baked file shows the first frame.
  const far = (await diff(source, baked.bytes)).clips[0].distance;
  assert.ok(far < 0.02, `${far} m`);
  await assert.rejects(optimize(source, { decoders: 'none' }), refuses('import/draco-unavailable'));
  const blind = await inspect(source, { decoders: 'none' });
  assert.ok(blind.findings.some(({ code }) => code === 'inspect/compressed'));
});

test('optimize makes valid files of all models', { skip: noShared || short }, async () => {
  const models = ['gltf', 'variants', 'synthetic']
    .flatMap((folder) =>
      readdirSync(join(shared, folder), { recursive: true }).map((name) => join(shared, folder, String(name))),
    )
    .filter((path) => /\.(glb|gltf)$/.test(path));
  assert.ok(models.length > 40, `${models.length} models`);
  const errors = async (bytes, folder) => {
    const externalResourceFunction = async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri))));
    const { issues } = await validator.validateBytes(new Uint8Array(bytes), { externalResourceFunction });
    return issues.messages.filter(({ severity, code }) => severity === 0 && code !== 'IO_ERROR');
  };
  for (const path of models) {
    const folder = dirname(path);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && (folder !== join(shared, 'gltf') || one.name === basename(path)))
      .map(({ parentPath, name }) => join(parentPath, name));
    const others = files.filter((file) => file !== path && !/\.(glb|gltf)$/.test(file));
    const map = new Map(
      [path, ...others].map((file) => [file.slice(folder.length + 1), new Blob([readFileSync(file)])]),
    );
    const { bytes, report } = await optimize(map);
    assert.deepEqual((await errors(bytes, folder)).slice(0, 2), [], path);
    assert.ok(report.error <= report.bound, `${path}: ${report.error} of ${report.bound}`);
  }
});
