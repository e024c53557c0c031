// The package where there is no page: importing it touches nothing, files are read and sampled.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [file] = process.argv.slice(2);
const gambol = await import('gambol');
const { GambolViewer } = await import('gambol/element');
assert.equal(typeof GambolViewer, 'function');
for (const name of ['window', 'document', 'HTMLElement'])
  assert.equal(name in globalThis, false, `${name} was made up`);
assert.deepEqual(gambol.support(), { wasm: true, webgl2: false });

const asset = await gambol.loadAsset(pathToFileURL(file));
assert.ok(asset.clips.length > 1 && asset.joints.length > 10, 'clips and joints');
const [clip] = asset.clips;
const pose = asset.sample(clip, clip.duration / 3);
assert.equal(pose.transforms.length, 10 * asset.joints.length);
assert.equal(pose.matrices.length, 16 * asset.joints.length);
assert.ok(pose.matrices.every(Number.isFinite), 'matrices');
assert.notEqual(pose.hash, asset.sample(null).hash, 'the clip moves it');
assert.equal(pose.hash, asset.sample(clip.id, clip.duration / 3).hash, 'a function of clip and time');

// Each matrix is its parent's, times what the transform says.
const matrix = (i) => pose.matrices.subarray(16 * i, 16 * i + 16);
const times = (a, b) =>
  Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + (i % 4)] * b[4 * Math.floor(i / 4) + k], 0),
  );
const local = ([tx, ty, tz, x, y, z, w, sx, sy, sz]) => [
  (1 - 2 * (y * y + z * z)) * sx,
  2 * (x * y + z * w) * sx,
  2 * (x * z - y * w) * sx,
  0,
  2 * (x * y - z * w) * sy,
  (1 - 2 * (x * x + z * z)) * sy,
  2 * (y * z + x * w) * sy,
  0,
  2 * (x * z + y * w) * sz,
  2 * (y * z - x * w) * sz,
  (1 - 2 * (x * x + y * y)) * sz,
  0,
  tx,
  ty,
  tz,
  1,
];
for (const { index, parent } of asset.joints) {
  const own = local(pose.transforms.subarray(10 * index, 10 * index + 10));
  const expected = parent === null ? own : times(matrix(parent), own);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(value - matrix(index)[i]) < 1e-5, `joint ${index}`);
}

// Bytes do as well.
const bytes = new Uint8Array(await readFile(file));
const again = await gambol.loadAsset(bytes);
assert.equal(again.sample(clip.id, clip.duration / 3).hash, pose.hash);
again.dispose();
again.dispose();
assert.throws(() => again.sample(null), { code: 'asset/disposed' });
assert.throws(() => asset.sample('nobody'), { code: 'clip/not-found' });
assert.throws(() => asset.sample(null, NaN), { code: 'argument/invalid' });
await assert.rejects(gambol.loadAsset('hero.glb'), { code: 'argument/invalid' });
await assert.rejects(gambol.loadAsset(new URL('nowhere.glb', pathToFileURL(file))), { code: 'fetch/failed' });
await assert.rejects(gambol.loadAsset(new Uint8Array(64)), ({ code }) => code.startsWith('import/'));

// Files of other formats are converted, and load as well.
const { toGlb } = await import('gambol/formats');
const bvh = new TextEncoder().encode(
  'HIERARCHY ROOT Hips { OFFSET 0 1 0 CHANNELS 1 Yrotation } MOTION Frames: 2 Frame Time: 0.5 0 90',
);
const { glb, warnings, format } = await toGlb(bvh, 'turn.bvh', { metresPerUnit: 1 });
assert.deepEqual([format, warnings], ['bvh', []]);
for (const source of [glb, bvh]) {
  const turned = await gambol.loadAsset(source);
  assert.deepEqual([turned.joints.length, turned.clips[0].duration], [1, 0.5]);
}

console.log(`${asset.clips.length} clips, ${asset.joints.length} joints, pose ${pose.hash}`);
