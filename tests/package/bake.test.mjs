// `bake` of `gambol/tools` in Node: morph caches, palettes and vertices, compared with sampled poses.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed, root } from './support/files.mjs';

const { GambolError, bake, readBaked } = await import(pathToFileURL(join(packed, 'dist/tools.js')));
const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const sample = await readFile(join(root, 'dist/site/sample.glb'));
const code = (wanted) => (error) => {
  assert.ok(error instanceof GambolError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

test('bake: wrong options, unknown clips and other files', async () => {
  for (const options of [
    { fps: 0 },
    { fps: NaN },
    { fps: 1001 },
    { as: 'vat' },
    { interpolation: 'cubic' },
    { clips: [] },
    { clips: [-1] },
    { clips: {} },
    { onProgress: 3 },
  ])
    await assert.rejects(bake(sample, options), code('argument/invalid'), JSON.stringify(options));
  await assert.rejects(bake(sample, { clips: 'Fly' }), code('clip/not-found'));
  await assert.rejects(bake(sample, { clips: 999 }), code('clip/not-found'));
  await assert.rejects(bake(new Uint8Array([1, 2, 3])), code('import/unknown-format'));
  await assert.rejects(bake(sample, { signal: AbortSignal.abort() }), code('load/aborted'));
});

test('bake: a morph cache has a target for each frame and no joints', async () => {
  const { bytes, report } = await bake(sample, { clips: ['Walk', 0], fps: 12 });
  assert.ok(report.error > 0 && report.error < 0.2, `${report.error}`);
  const [source, cache] = await Promise.all([loadAsset(sample), loadAsset(bytes)]);
  const walk = source.clips.find(({ name }) => name === 'Walk');
  assert.deepEqual(
    cache.clips.map(({ name, duration }) => [name, duration]),
    [walk, source.clips[0]].map(({ name, duration }) => [name, duration]),
  );
  assert.equal(cache.info.joints, 0);
  assert.equal(cache.info.vertices, source.info.vertices);
  const { weights } = cache.sample('Walk', 0.25 / 12);
  // One mesh: the first frame is the mesh itself, and the second one is the first target.
  assert.ok(Math.abs(weights[0] - 0.25) < 1e-6, `${weights[0]}`);
  assert.equal(weights.filter((weight) => weight !== 0).length, 1);
  for (const asset of [source, cache]) asset.dispose();
});

test('bake: a palette is that of the sampled pose', async () => {
  const { bytes, report } = await bake(sample, { clips: 'Walk', fps: 24, as: 'palette' });
  assert.equal(report, undefined);
  const { header, numbers } = readBaked(bytes);
  assert.equal(header.kind, 'palette');
  assert.equal(numbers.length, header.frames * header.entries.length * 12);
  const asset = await loadAsset(sample);
  const [{ times }] = header.clips;
  assert.equal(times.at(-1), asset.clips.find(({ name }) => name === 'Walk').duration);
  // The entries are the joints of skins: matrices with the same determinant as those of the nodes, as bind matrices are rigid.
  for (const { node, name } of header.entries) assert.equal(asset.joints[node].name, name);
  asset.dispose();
});

test('bake: vertices have positions and normals of each frame', async () => {
  const { bytes } = await bake(sample, { clips: 'Walk', fps: 10, as: 'vertices' });
  const { header, numbers } = readBaked(bytes);
  const asset = await loadAsset(sample);
  assert.equal(
    header.primitives.reduce((sum, { vertices }) => sum + vertices, 0),
    asset.info.vertices,
  );
  for (const { vertices, normals } of header.primitives) {
    const unit = numbers.subarray(normals, normals + header.frames * vertices * 3);
    for (let i = 0; i < unit.length; i += 300)
      assert.ok(Math.abs(Math.hypot(unit[i], unit[i + 1], unit[i + 2]) - 1) < 1e-5);
  }
  asset.dispose();
});

test('readBaked: refuses other bytes, and accepts views at any offset', async () => {
  const { bytes } = await bake(sample, { clips: 'Walk', fps: 2, as: 'palette' });
  for (const other of [new Uint8Array(), sample, bytes.subarray(0, 11), bytes.subarray(0, 40), bytes.slice(0, -1)])
    assert.throws(() => readBaked(other), code('bake/unknown-format'));
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  assert.deepEqual(readBaked(moved.subarray(1)), readBaked(bytes));
  assert.deepEqual(readBaked(bytes.slice().buffer), readBaked(bytes));
});
